"""``python -m web.secrecy_check --hands 1000``: searches every byte served for the treasure."""

import argparse
import sys
import tempfile
from pathlib import Path

from web.leaks import search


def main() -> int:
    """Run the search; exit code 1 if anything leaks, or if the search saw nothing to hide."""
    parser = argparse.ArgumentParser(prog="python -m web.secrecy_check", description=__doc__)
    parser.add_argument("--hands", type=int, default=40, metavar="N")
    parser.add_argument("--first-seed", type=int, default=0, metavar="N")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="ask for everything in every Nth hand"
    )
    parser.add_argument(
        "--stride", type=int, default=1, metavar="N", help="show so many changes at once"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        report = search(
            options.hands,
            Path(folder) / "devices.json",
            first_seed=options.first_seed,
            every=options.every,
            stride=options.stride,
        )
    sys.stdout.write("\n".join(report.lines) + "\n")
    return 1 if report.leaks or not report.entitled or not report.revealed else 0


if __name__ == "__main__":
    sys.exit(main())
