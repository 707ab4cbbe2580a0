"""Many simulated tables at real hubs: how soon entries are acknowledged, and that none is lost."""

import argparse

from table_assist.bench.club.load import Wanted, run_club, share

P95_S = 0.5


def command(options: argparse.Namespace) -> int:
    """As ``table-assist bench club``; 1 where entries are lost, doubled, or acknowledged late."""
    came = run_club(
        Wanted(
            options.tables, options.seconds, options.every, options.hubs, options.backlog,
            options.kills, options.base, options.seed,
        )
    )  # fmt: skip
    print(came.line, flush=True)
    late = not options.kills and not options.backlog and share(came.waits_s, 0.95) > P95_S
    return 0 if came.is_whole and not late else 1
