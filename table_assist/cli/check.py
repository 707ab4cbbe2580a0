"""A photographed hand, put in order and judged."""

import argparse
import json

from table_assist.photos.judge_photo import PhotoFacts, check_photo, tell
from table_assist.photos.judge_photo import to_json as check_report
from table_assist.rules.profile import choose_profile
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.pictures.picture import save_picture
from table_assist.vision.reading.overlay import draw_overlay
from table_assist.vision.reading.read import open_reader


def command(options: argparse.Namespace) -> int:
    """As ``table-assist check``; returns the exit code."""
    rules = options.rules or (None if options.profile else "changsha")
    asked = PhotoFacts(options.winner, options.dealer, options.discarder, options.winning_tile)
    profile = choose_profile(rules, options.profile)
    reader = open_reader(own_set=find_set(options.set))
    checked = check_photo(options.photo, reader, profile, asked)
    if options.json:
        print(json.dumps(check_report(checked), ensure_ascii=False))
    else:
        print(tell(checked, options.lang))
    if options.overlay:
        save_picture(options.overlay, draw_overlay(checked.image, checked.readings))
    return 0 if checked.is_win else 1
