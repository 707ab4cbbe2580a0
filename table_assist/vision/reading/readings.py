"""The readings of one picture, and how they are told."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from table_assist.tiles.tile import Tile, parse_tile
from table_assist.vision.pictures.picture import Array
from table_assist.vision.reading.limits import Usual
from table_assist.vision.reading.recognise import UNKNOWN, Candidate, Colour, Name
from table_assist.vision.reading.why import WhyDoubtful


@dataclass(frozen=True, slots=True)
class Readings:
    """Tiles and dice in one picture, row by row from the top left.

    Attributes:
        size_wh: the picture's width and height in pixels.
        polygons: (n, 4, 2) corners in the picture's pixels, clockwise on the picture.
        labels: ``5m``, ``E``, ``2f``, ``back``, ``d3`` or ``?``; models/tiles.toml names them all.
        confidence: (n,) of the label; of the best candidate where the label is ``?``.
        candidates: per thing the best three, best first.
        why: per thing what is in doubt about it; None: nothing is. Empty: nobody has told.
        usual: how sure the reader is on usual pictures; None: nobody knows.
        colours: per thing that of a back, as `Name.colour`. Empty: nobody has told.
    """

    size_wh: tuple[int, int]
    polygons: Array
    labels: tuple[str, ...]
    confidence: Array
    candidates: tuple[tuple[Candidate, ...], ...]
    why: tuple[WhyDoubtful | None, ...] = ()
    usual: Usual | None = None
    colours: tuple[Colour | None, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.labels)
        if self.polygons.shape != (count, 4, 2):
            raise ValueError(f"polygons have shape {self.polygons.shape}, expected ({count}, 4, 2)")
        if self.confidence.shape != (count,) or len(self.candidates) != count:
            raise ValueError(
                f"{count} labels with {self.confidence.shape} confidences "
                f"and {len(self.candidates)} lists of candidates"
            )
        for field in ("why", "colours"):
            if not getattr(self, field):
                object.__setattr__(self, field, (None,) * count)
            if len(getattr(self, field)) != count:
                raise ValueError(f"{count} labels with {len(getattr(self, field))} of {field}")

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def centres(self) -> Array:
        """(n, 2) middles in the picture's pixels."""
        return np.asarray(self.polygons.mean(axis=1), np.float32)

    @property
    def boxes(self) -> Array:
        """(n, 4) left, top, right, bottom in the picture's pixels."""
        low, high = self.polygons.min(axis=1), self.polygons.max(axis=1)
        return np.asarray(np.concatenate([low, high], axis=1), np.float32)

    @property
    def tiles(self) -> tuple[Tile | None, ...]:
        """The tile of each thing; None for a die."""
        return tuple(tile_of(label) for label in self.labels)

    @property
    def tile_places(self) -> list[int]:
        """Which of the things are tiles: all but dice."""
        return [index for index, tile in enumerate(self.tiles) if tile is not None]

    def select(self, indices: Sequence[int]) -> "Readings":
        """Only those things, in that order."""
        return Readings(
            self.size_wh,
            self.polygons[list(indices)].reshape(-1, 4, 2),
            tuple(self.labels[index] for index in indices),
            self.confidence[list(indices)],
            tuple(self.candidates[index] for index in indices),
            tuple(self.why[index] for index in indices),
            self.usual,
            tuple(self.colours[index] for index in indices),
        )

    @property
    def face_confidences(self) -> list[float]:
        """Of what is taken for a whole tile that shows its face: how sure that is."""
        return [
            float(self.confidence[i])
            for i, known in enumerate(self.candidates)
            if known and self.why[i] in (None, WhyDoubtful.FACE)
            if (tile := tile_of(known[0].label)) is not None and tile.is_face
        ]


@cache
def tile_of(label: str) -> Tile | None:
    """The tile that a label names; None for a die.

    >>> tile_of("back"), tile_of("?"), tile_of("d3")
    (<Tile.BACK: 42>, <Tile.UNKNOWN: -1>, None)
    """
    if label == "back":
        return Tile.BACK
    if label == UNKNOWN:
        return Tile.UNKNOWN
    return None if label.startswith("d") else parse_tile(label)


def box_readings(
    size_wh: tuple[int, int],
    xyxy: Array,
    names: Sequence[Name | None],
    usual: Usual | None = None,
) -> Readings:
    """Readings of upright boxes; those without a name hold no tile and are left out."""
    named = [(box, name) for box, name in zip(xyxy, names, strict=True) if name is not None]
    boxes = np.array([box for box, _ in named], np.float32).reshape(-1, 4)
    # Rows from the top, each from the left; a row is what overlaps its first box by half
    middles = (boxes[:, 1] + boxes[:, 3]) / 2
    rows: list[tuple[float, float, list[int]]] = []
    for index in np.argsort(middles, kind="stable").tolist():
        middle, half = float(middles[index]), float(boxes[index, 3] - boxes[index, 1]) / 2
        if rows and middle - rows[-1][0] < min(half, rows[-1][1]):
            rows[-1] = (middle, half, [*rows[-1][2], index])
        else:
            rows.append((middle, half, [index]))
    order = [index for *_, row in rows for index in sorted(row, key=lambda i: float(boxes[i, 0]))]
    told = [named[index][1] for index in order]
    return Readings(
        size_wh,
        boxes[order][:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2),
        tuple(name.label for name in told),
        np.array([name.confidence for name in told], np.float32),
        tuple(name.candidates for name in told),
        tuple(name.why for name in told),
        usual,
        tuple(name.colour for name in told),
    )


def picture_report(picture: str, readings: Readings) -> dict[str, object]:
    """The JSON object of one picture: ``{"picture", "size": [w, h], "tiles": [...]}``."""
    return {
        "picture": picture,
        "size": list(readings.size_wh),
        "tiles": [_thing_report(readings, index) for index in range(len(readings))],
    }


def _thing_report(readings: Readings, index: int) -> dict[str, object]:
    report: dict[str, object] = {
        "tile": readings.labels[index],
        "confidence": round(float(readings.confidence[index]), 4),
        "polygon": [[round(float(x), 1), round(float(y), 1)] for x, y in readings.polygons[index]],
    }
    why = readings.why[index]
    if why is not None:
        report["why"] = str(why)
    if readings.labels[index] == UNKNOWN:
        report["candidates"] = [
            {"tile": candidate.label, "confidence": round(candidate.confidence, 4)}
            for candidate in readings.candidates[index]
        ]
    return report
