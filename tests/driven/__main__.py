"""Five hands of each rule set, driven through the pages; prints what it came to as it goes.

``python -m tests.driven --rules all --hands 5 --shots DIR``
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from tests.conftest import ARGUMENTS, CHROMIUM
from tests.driven.evening import PLAN, Evening, PlayedOne
from tests.driven.run import SEEDS, Tables
from tests.driven.shots import Shots

READING_S = 2.0  # a person looks at a settlement for so long before the tap


def main() -> None:
    """Play, compare, print."""
    options = _arguments()
    rules = list(SEEDS) if "all" in options.rules else options.rules
    hands: list[PlayedOne] = []
    pages = secrets = 0
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        tables = Tables(browser, Path(folder))
        for id in rules:
            with tables.evening(id, reading_s=options.reading) as evening:
                evening.watch = _watch(evening, options.shots)
                for number in range(options.hands):
                    one = evening.play(PLAN[number % len(PLAN)])
                    hands.append(one)
                    print(_line(one), flush=True)
                evening.compare_desk()
                pages += evening.pages_equal
                secrets += evening.secrets_checked
                complaints = [each for person in evening.people.all for each in person.complaints]
                assert complaints == [], complaints
        tables.close()
        browser.close()
    won = [one.settled_s for one in hands if one.settled_s is not None]
    tapped = [one for one in hands if one.settled_s is not None and sum(one.taps.values())]
    print(
        f"{len(hands)} hands of {len(rules)} rule sets in {time.monotonic() - started:.0f} s, "
        f"{len(won)} won: hand laid down to accepted score median {median(won):.1f} s, "
        f"longest {max(won):.1f} s (the scorer looks for {options.reading:g} s, nobody taps where "
        f"the time runs); taps for a won hand median "
        f"{median(sum(one.taps.values()) for one in tapped):g}; {pages} times a page's standing "
        f"was the ledger's, 0 times not; {secrets} views of phones that are not ready without the "
        "treasure"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.driven", description=__doc__)
    parser.add_argument("--rules", nargs="+", default=["all"], choices=["all", *SEEDS])
    parser.add_argument("--hands", type=int, default=5, help="of each rule set")
    parser.add_argument("--reading", type=float, default=READING_S, help="seconds before the tap")
    parser.add_argument("--shots", type=Path, help="folder for pictures of every view")
    return parser.parse_args()


def _watch(evening: Evening, folder: Path | None) -> Callable[[str], None]:
    if folder is None:
        return lambda moment: None
    shots = Shots(evening, folder / evening.rules.id)
    return shots.take


def _line(one: PlayedOne) -> str:
    settled = "nobody won" if one.settled_s is None else f"accepted after {one.settled_s:.1f} s"
    taps = ", ".join(f"{name} {count}" for name, count in one.taps.items()) or "none"
    names = "+".join(each.name.lower() for each in one.adventure if each.name) or "none"
    return (
        f"{one.rules} {one.hand}: {settled}; taps {taps} (before the deal {one.before}); "
        f"{names} {one.extra} taps more"
    )


if __name__ == "__main__":
    main()
