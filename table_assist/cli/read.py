"""Naming the tiles in pictures."""

import argparse
import json
import sys
from pathlib import Path

from table_assist.photos.describe import look_lines, look_report
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.pictures.picture import PictureError, save_picture
from table_assist.vision.reading.overlay import draw_overlay
from table_assist.vision.reading.read import open_reader, read_picture


def command(options: argparse.Namespace) -> int:
    """As ``table-assist read``; returns the exit code."""
    reader = open_reader(own_set=find_set(options.set))
    failed = 0
    for number, path in enumerate(options.pictures):
        try:
            image, readings = read_picture(path, reader)
        except PictureError as error:
            print(f"table-assist: {error}", file=sys.stderr)
            failed += 1
            continue
        if options.json:
            print(json.dumps(look_report(str(path), image, readings)), flush=True)
        else:
            print("\n".join(look_lines(str(path), image, readings)), flush=True)
        if options.overlay:
            save_picture(
                _numbered(options.overlay, number, len(options.pictures)),
                draw_overlay(image, readings),
            )
    return 2 if failed else 0


def _numbered(path: Path, number: int, count: int) -> Path:
    """Of several overlays each has its own name."""
    return path if count == 1 else path.with_name(f"{path.stem}-{number + 1}{path.suffix}")
