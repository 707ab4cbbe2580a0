"""Many simulated tables at real hubs: how soon entries are acknowledged, and that none is lost."""

import argparse

from bench.club.beside import Alone, measure_alone
from bench.club.came import Came, WantedLoad, share
from bench.club.load import run_club

P95_S = 0.5
ALONE_S = 5


def run(options: argparse.Namespace) -> int:
    """1 where entries are lost, doubled, or acknowledged late."""
    wanted = WantedLoad(
        options.tables, options.seconds, options.every, options.hubs, options.backlog,
        options.late, options.flood, options.requests, options.kills, options.base, options.seed,
    )  # fmt: skip
    came = _beside(wanted) if options.beside else _alone(wanted)
    is_measured = options.kills or options.backlog or options.flood
    late = not is_measured and share(came.waits_s, 0.95) > P95_S
    return 0 if came.is_whole and not late else 1


def _alone(wanted: WantedLoad) -> Came:
    came = run_club(wanted)
    print(came.line, flush=True)
    return came


def _beside(wanted: WantedLoad) -> Came:
    before = measure_alone(wanted.base, ALONE_S)
    came = _alone(wanted)
    print(_compared(came, before, measure_alone(wanted.base, ALONE_S)), flush=True)
    return came


def _compared(came: Came, before: Alone, after: Alone) -> str:
    """The hubs' share beside PostgreSQL alone, in time and in processor."""
    alone = (before.each_second + after.each_second) / 2
    alone_us = (before.processor_us + after.processor_us) / 2
    hub_us, used_us = (
        1e6 * each / max(came.requests, 1)
        for each in (came.hub_processor_s, came.server_processor_s)
    )
    return (
        f"PostgreSQL alone, set by set: {before.each_second:.0f} batches a second before and "
        f"{after.each_second:.0f} after, {alone_us:.0f} µs of processor each; the hubs took "
        f"{100 * came.each_second / alone:.0f} % of that, with {hub_us:.0f} µs of a hub's "
        f"processor and {used_us:.0f} µs of the server's each"
    )
