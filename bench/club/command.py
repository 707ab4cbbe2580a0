"""Many simulated tables at real hubs: how soon entries are acknowledged, and that none is lost."""

import argparse

from bench.club.load import WantedLoad, run_club, share

P95_S = 0.5


def run(options: argparse.Namespace) -> int:
    """1 where entries are lost, doubled, or acknowledged late."""
    came = run_club(
        WantedLoad(
            options.tables, options.seconds, options.every, options.hubs, options.backlog,
            options.late, options.kills, options.base, options.seed,
        )
    )  # fmt: skip
    print(came.line, flush=True)
    is_late = not (options.kills or options.backlog) and share(came.waits_s, 0.95) > P95_S
    return 0 if came.is_whole and not is_late else 1
