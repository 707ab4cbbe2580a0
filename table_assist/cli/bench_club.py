"""Many simulated tables at real hubs: how soon entries are acknowledged, and that none is lost."""

import argparse

from table_assist.bench.club.beside import batches_alone
from table_assist.bench.club.came import Wanted, share
from table_assist.bench.club.load import run_club

P95_S = 0.5
ALONE_S = 5


def command(options: argparse.Namespace) -> int:
    """As ``table-assist bench club``; 1 where entries are lost, doubled, or acknowledged late."""
    alone = [batches_alone(options.base, ALONE_S)] if options.beside else []
    came = run_club(
        Wanted(
            options.tables, options.seconds, options.every, options.hubs, options.backlog,
            options.late, options.flood, options.kills, options.base, options.seed,
        )
    )  # fmt: skip
    print(came.line, flush=True)
    if options.beside:
        alone.append(batches_alone(options.base, ALONE_S))
        part = 100 * came.each_second / (sum(alone) / 2)
        print(
            f"PostgreSQL alone, set by set: {alone[0]:.0f} batches a second before and "
            f"{alone[1]:.0f} after; the hubs took {part:.0f} %",
            flush=True,
        )
    is_measured = options.kills or options.backlog or options.flood
    late = not is_measured and share(came.waits_s, 0.95) > P95_S
    return 0 if came.is_whole and not late else 1
