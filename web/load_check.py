"""``python -m web.load_check``: how long from an event to each of fifty live viewers."""

import argparse
import sys

from web.load import run_load

P95_S = 0.2


def main() -> int:
    """Run it; exit code 1 where the viewers wait too long, or one has not got the last view."""
    parser = argparse.ArgumentParser(prog="python -m web.load_check", description=__doc__)
    parser.add_argument("--viewers", type=int, default=50, metavar="N")
    parser.add_argument("--dead", type=int, default=3, metavar="N", help="viewers that never read")
    parser.add_argument("--events", type=int, default=120, metavar="N")
    options = parser.parse_args()
    load = run_load(options.viewers, dead=options.dead, events=options.events)
    sys.stdout.write(f"{load.line}\n")
    return 1 if load.share(0.95) > P95_S or load.complete < load.viewers else 0


if __name__ == "__main__":
    sys.exit(main())
