"""Hands of five rule sets scored with phones alone, and nobody at the desk: how long that takes.

``python -m tests.driven.photographed --photos DIR``: of each rule set half the hands are other
people's photographs, as far as there are any that win by it, and the others are drawn. With
``--aims 0 --thinks 0`` people are added afterwards: time to aim, and to think before each tap that
waits for another one. With ``--keyboard`` the same hands are tapped tile by tile instead.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from tests.conftest import ARGUMENTS, CHROMIUM
from tests.driven.photographs import Photograph, drawn_photographs, real_photographs
from tests.driven.scoring import Manners, PhoneTables, Scored

RULES = ("changchun", "changsha", "wanzhou", "tianjin", "classical")
AIMS_S, THINKS_S = 4.0, 1.0


def main() -> int:
    """Score, measure, print; exit code 1 if a page complained."""
    options = _arguments()
    scored: list[Scored] = []
    used: set[str] = set()
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        tables = PhoneTables(browser, Path(folder))
        manners = Manners(options.aims, options.thinks, taps_tiles=options.keyboard)
        for id in options.rules:
            rules = find_rules(id)
            hands = _hands(rules, options, Path(folder), used)
            with tables.evening(rules, manners) as evening:
                for photograph, is_real in hands:
                    one = evening.score(photograph, is_real=is_real)
                    print(_line(one), flush=True)
                scored += evening.scored
        assert tables.people is not None
        complaints = [each for person in tables.people.all for each in person.complaints]
        tables.close()
        browser.close()
    summary = _summary(scored, complaints, options)
    print(json.dumps(summary, indent=1))
    if options.json:
        options.json.write_text(json.dumps({**summary, "each": [_as_json(s) for s in scored]}))
    return 1 if complaints else 0


def _hands(
    rules: RuleSet, options: argparse.Namespace, folder: Path, used: set[str]
) -> Iterator[tuple[Photograph, bool]]:
    """Real ones first, no picture twice; then drawn ones."""
    real: list[Photograph] = []
    is_drawn = not options.keyboard
    if options.photos is not None:
        every = real_photographs(options.photos, rules, folder, drawn=is_drawn)
        fresh = (photograph for photograph in every if photograph.name not in used)
        real = list(islice(fresh, options.hands // 2))
        used.update(each.name for each in real)
    drawn = drawn_photographs(rules, folder, options.seed, drawn=is_drawn)
    tagged = chain(((each, True) for each in real), ((each, False) for each in drawn))
    return islice(tagged, options.hands)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.driven.photographed", description=__doc__
    )
    parser.add_argument("--photos", type=Path, help="folder with images/val and labels/val")
    parser.add_argument("--rules", nargs="+", default=RULES, choices=RULES)
    parser.add_argument("--hands", type=int, default=10, help="of each rule set")
    parser.add_argument(
        "--keyboard", action="store_true", help="tiles are tapped, not photographed"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--aims", type=float, default=AIMS_S, help="seconds to aim the camera")
    parser.add_argument("--thinks", type=float, default=THINKS_S, help="seconds before a tap")
    parser.add_argument("--json", type=Path, help="file for the figures")
    return parser.parse_args()


def _line(one: Scored) -> str:
    kind = "real" if one.is_real else "drawn"
    told = ("accepted" if one.accepted else "NOT ACCEPTED") + (", as it lay" if one.right else "")
    return (
        f"{one.rules} {kind}: read {one.read_s:.2f} s, all {one.all_s:.1f} s, {one.taps} taps, "
        f"{one.unread} unread, {one.wrong} wrong, {told}"
    )


def _as_json(one: Scored) -> dict[str, object]:
    return {name: getattr(one, name) for name in Scored.__slots__ if name != "name"}


def _summary(
    scored: list[Scored], complaints: list[str], options: argparse.Namespace
) -> dict[str, object]:
    aims_s = 0.0 if options.keyboard else AIMS_S

    def of(hands: list[Scored]) -> dict[str, object]:
        return {
            "hands": len(hands),
            "accepted": sum(one.accepted for one in hands),
            "right": sum(one.right for one in hands),
            "read_s": round(median(one.read_s for one in hands), 2),
            "all_s": round(median(one.all_s for one in hands), 1),
            "with_people_s": round(
                median(one.all_s + aims_s + THINKS_S * one.in_turn for one in hands), 1
            )
            if not (options.aims or options.thinks)
            else None,
            "all_s_longest": round(max(one.all_s for one in hands), 1),
            "taps": median(one.taps for one in hands),
            "unread": sum(one.unread for one in hands),
            "wrong": sum(one.wrong for one in hands),
        }

    groups = {rules: [one for one in scored if one.rules == rules] for rules in options.rules}
    groups["real"] = [one for one in scored if one.is_real]
    groups["drawn"] = [one for one in scored if not one.is_real]
    return {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "aims_s": options.aims,
        "thinks_s": options.thinks,
        "seed": options.seed,
        "keyboard": options.keyboard,
        "all": of(scored),
        **{name: of(hands) for name, hands in groups.items() if hands},
        "complaints": complaints,
    }


if __name__ == "__main__":
    sys.exit(main())
