"""Five hands of each rule set, driven through the pages in one run; tells what it came to.

``python -m tests.driven --rules all --hands 5``
"""

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.conftest import ARGUMENTS, CHROMIUM
from tests.driven.adventures import PLAN, PlayedOne
from tests.driven.run import SEEDS, Tables
from tests.driven.summary import Summary

READING_S = 2.0  # a person looks at a settlement for so long before the tap
START_POINTS = 1000


def main() -> int:
    """Play, compare, print; exit code 1 if a page complained."""
    options = _arguments()
    rules = list(SEEDS) if "all" in options.rules else options.rules
    summary = Summary(options.reading)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        tables = Tables(browser, Path(folder))
        for id in rules:
            with tables.evening(id, reading_s=options.reading) as evening:
                evening.begin_game(START_POINTS, options.hands)
                for number in range(options.hands):
                    print(_line(evening.play(PLAN[number % len(PLAN)])), flush=True)
                evening.reopen_game()
                evening.compare_desk()
                summary.add(evening)
        tables.close()
        browser.close()
    print(summary.text)
    return 1 if summary.complaints else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.driven", description=__doc__)
    parser.add_argument("--rules", nargs="+", default=["all"], choices=["all", *SEEDS])
    parser.add_argument("--hands", type=int, default=5, help="of each rule set")
    parser.add_argument("--reading", type=float, default=READING_S, help="seconds before the tap")
    return parser.parse_args()


def _line(one: PlayedOne) -> str:
    settled = "nobody won" if one.settled_s is None else f"accepted after {one.settled_s:.1f} s"
    taps = ", ".join(f"{name} {count}" for name, count in one.taps.items()) or "none"
    return (
        f"{one.rules} {one.hand}: {settled}; taps {taps} (before the deal {one.before}); "
        f"{one.names} {one.extra} taps more"
    )


if __name__ == "__main__":
    sys.exit(main())
