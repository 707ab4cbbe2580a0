"""How truly a live table is followed."""

import argparse
import json
from importlib import import_module

from bench.live.hands import WantedHands, again, follow_hands
from bench.live.report import wrong_lines
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.twin.demo.compare import HandFigures
from table_assist.twin.world import WorldLooks
from table_assist.vision.enrolment.files import find_set

# These take all hands that are there, or as many as their corpus has.
RECORDED = ("record", "replay", "calibrate", "believe", "fit_belief")
HANDS = 500  # of each rule set; a corpus has a number of its own


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench live``; returns the exit code: 1 where something does not hold."""
    if options.hands is None and options.mode not in RECORDED:
        options.hands = HANDS
    if options.mode != "hands":
        run = import_module(f"bench.live.{options.mode}").run
        return int(run(options))
    all_of_them = not options.rules or "all" in options.rules
    ids = [rules.id for rules in rule_sets()] if all_of_them else options.rules
    wanted = WantedHands(
        options.hands,
        options.seed,
        real=options.eyes == "real",
        harsh=options.noise == "harsh",
        clumsy=options.noise == "clumsy",
        faces=options.faces,
        pages=options.pages,
        looks=WorldLooks(options.looks),
        tilt_deg=options.tilt,
        tile_scale=options.tiles,
        own_set=find_set(options.set),
    )
    silent = 0
    for found in follow_hands(wanted, [find_rules(id) for id in ids]):
        if options.json:
            print(json.dumps(found.to_json(), ensure_ascii=False), flush=True)
        elif not isinstance(found, HandFigures):
            print(found.line, flush=True)
        elif options.all or found.is_silently_wrong:
            if options.all and found.is_right and not found.questions:
                continue
            print("\n".join(wrong_lines(found, again(wanted, found))), flush=True)
        if isinstance(found, HandFigures):
            silent += found.is_silently_wrong
    return 1 if silent else 0
