"""`python -m tests.secrecy`: every byte of two real servers, searched for the treasure."""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.secrecy.search import search


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.secrecy", description=__doc__)
    for name, default, about in (
        ("--hands", 40, "how many are played"),
        ("--first-seed", 0, "of the first hand"),
        ("--every", 1, "ask for everything in every Nth hand"),
        ("--stride", 1, "how many changes to show at once"),
    ):
        parser.add_argument(name, type=int, default=default, metavar="N", help=about)
    wanted = vars(parser.parse_args())
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        report = search(wanted.pop("hands"), Path(folder) / "devices.json", **wanted)
    print("\n".join(report.lines))
    return 1 if report.leaks or not report.entitled or not report.revealed else 0


if __name__ == "__main__":
    sys.exit(main())
