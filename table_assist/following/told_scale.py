"""How often a tile is so that is told with some confidence: measured at followed tables.

`python -m bench live calibrate` fits it on recorded hands: the share that was right, which never
falls where the reader was surer.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SeenTile

SCALE_FILE = Path(__file__).with_name("told_scale.json")


@dataclass(frozen=True, slots=True)
class ToldScale:
    """The worth of a told confidence.

    Attributes:
        confidence: ascending: from there on `right` holds.
        right: the share of pieces that were what was told.
        stuck: how often a wrong face is told alike of another piece with the same true face.
        pieces: how many pieces it was fitted on.
    """

    confidence: tuple[float, ...]
    right: tuple[float, ...]
    stuck: float
    pieces: int

    def chance(self, confidence: float) -> float:
        """How often a tile is so that is told with this confidence."""
        return self.right[max(bisect_right(self.confidence, confidence) - 1, 0)]


def chances(seen: SeenTile, kinds: Iterable[Tile], scale: ToldScale) -> Mapping[Tile, float]:
    """How likely the tile is each face of the set.

    What the likeliest faces leave is shared evenly by those that nobody named.
    """
    own = scale.chance(seen.confidence)
    named = {face: each for face, each in seen.candidates if face.is_face and face is not seen.tile}
    others = [face for face in kinds if face is not seen.tile]
    rest = max(1 - seen.confidence - sum(named.values()), 0.0)
    free = [face for face in others if face not in named]
    weights = {face: named.get(face, 0.0) + (rest / len(free) if face in free else 0.0)
               for face in others}  # fmt: skip
    total = sum(weights.values())
    if total <= 0:  # the reader has no doubt at all
        weights, total = dict.fromkeys(others, 1.0), float(len(others))
    found = {face: float((1 - own) * weight / total) for face, weight in weights.items()}
    return {**found, seen.tile: own}


def chances_unread(seen: SeenTile, kinds: Iterable[Tile]) -> Mapping[Tile, float]:
    """How likely a tile that could not be told is each face of the set; they add up to 1.

    Its candidates are the reader's calibrated shares. What they leave is for all others alike, as
    far as the shares, that fall from one to the next, fall on; the rest tells nothing of the face.
    """
    faces = list(kinds)
    named = {face: share for face, share in seen.candidates if face in faces}
    free = [face for face in faces if face not in named]
    shares = sorted((share for face, share in seen.candidates if face.is_face), reverse=True)
    left = max(1 - sum(shares), 0.0)
    *_, more, less = (1.0, 1.0, *shares[:3])
    if less < more:
        left = min(left, less**2 / (more - less))
    found = {**named, **{face: left / len(free) for face in free}}
    total = sum(found.values())
    return {face: share / total for face, share in found.items()} if total else {}


@cache
def told_scale() -> ToldScale:
    """The scale as measured for the reader that the program comes with."""
    raw = json.loads(SCALE_FILE.read_text(encoding="utf-8"))
    return ToldScale(
        **{**raw, "confidence": tuple(raw["confidence"]), "right": tuple(raw["right"])}
    )
