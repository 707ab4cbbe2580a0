"""How long from an event to each of many live viewers."""

import argparse

from bench.web.load import run_load

P95_S = 0.2


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench load``; exit code 1 where viewers wait too long or miss the last."""
    load = run_load(options.viewers, dead=options.dead, idle=options.idle, events=options.events)
    print(load.line, flush=True)
    return 1 if load.share(0.95) > P95_S or load.complete < load.viewers else 0
