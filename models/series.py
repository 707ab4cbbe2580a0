"""The second delivery of photographs (photos2), split by series.

The same rows were taken again and again, so no series lies on both sides.
"""

import csv
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from models.crops import CropSource, load_source

# A series: who took it and the first two digits of the picture's number, or a name's first letter.
NUMBERED = re.compile(r"(kim1|rotated_home-mj|home-mj|IMG).*?(?:IMG_|image)?(\d\d?)\d*[_.-]")


def series_of(file: str) -> str:
    """The series of a picture's file, as split.toml names it."""
    numbered = NUMBERED.match(file)
    return f"{numbered[1]} {numbered[2]}" if numbered else file[0]


def load_series(data: Path, *, held: bool) -> list[CropSource]:
    """The pictures that training must not see, or the others; none where the folder is missing."""
    return [
        load_source(path, turned=False, complete=complete)
        for path, complete in series_pictures(data, held=held)
    ]


def series_pictures(data: Path, *, held: bool) -> Iterator[tuple[Path, bool]]:
    """The pictures of the held series or of the others, and whether all in each is labelled.

    It is where today's reader saw neither more tiles nor backs or dice in it.
    """
    folder = data / "photos2"
    if not folder.is_dir():
        return
    split = tomllib.loads((Path(__file__).parent / "split.toml").read_text(encoding="utf-8"))
    with (folder / "ORIGINS.csv").open(encoding="utf-8") as file:
        rows = {row["file"]: row for row in csv.DictReader(file)}
    for path in sorted(folder.glob("*/images/*.jpg")):
        if (series_of(path.name) in split["photos2"]["held"]) == held:
            yield path, _is_complete(rows[path.name])


def _is_complete(row: dict[str, str]) -> bool:
    return row["unlabelled_boxes"] == row["backs_or_dice_seen"] == "0"
