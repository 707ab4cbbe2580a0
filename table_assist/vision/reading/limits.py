"""How sure is sure enough to name a thing: three scales, each with limits of its own.

*Which face* it shows is asked by what it is taken for, whether the box holds a *whole* tile and
whether there is any *thing* at all for all alike but backs: they name nothing, and half a back is a
back, so both have one limit of theirs. A face that is certain on a box that is whole is
named. `models/limits.py` fits them on pictures that training never drew; the manifest has them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from table_assist.tiles.tile import Tile

FEWEST = 8  # faces that tell of a table, or backs of a set's colour


class LimitKind(StrEnum):
    """A kind of things that are alike in how they are taken for something else."""

    SUITS = "suits"
    HONOURS = "honours"
    WHITE = "white"  # the white dragon: blank sides look like it
    FLOWERS = "flowers"
    SEASONS = "seasons"
    BACK = "back"
    DICE = "dice"


@dataclass(frozen=True, slots=True)
class Usual:
    """How sure the reader is on pictures like those that its limits were fitted on.

    Attributes:
        surer_than: nine in ten of their faces are read with more confidence.
        most: share of a picture's faces that are not; one such picture in fifty has more.
    """

    surer_than: float
    most: float

    def is_unlike(self, confidences: Sequence[float]) -> bool:
        """Whether so many faces are hardly sure that these pictures are of another kind."""
        return len(confidences) >= FEWEST and self.hardly_sure(confidences) > self.most * len(
            confidences
        )

    def hardly_sure(self, confidences: Sequence[float]) -> int:
        """How many faces are read less surely than nine in ten are."""
        return sum(confidence <= self.surer_than for confidence in confidences)


@dataclass(frozen=True, slots=True)
class Limits:
    """From where each scale is sure, 0-1.

    Attributes:
        faces: by kind, of the face's share in all faces.
        whole: of a whole tile against a part of one.
        thing: of anything against nothing.
        thing_back: a back's in place of both.
        usual: how sure the reader usually is; None: nobody has fitted it.
    """

    faces: Mapping[LimitKind, float]
    whole: float
    thing: float
    thing_back: float
    usual: Usual | None = None

    @classmethod
    def alike(cls, sure: float) -> "Limits":
        """The same limit on all scales."""
        return cls(dict.fromkeys(LimitKind, sure), sure, sure, sure)

    def face_of(self, label: str) -> float:
        """From where a face of that name is sure among faces."""
        return self.faces[kind_of(label)]

    def whole_of(self, label: str) -> float:
        """From where something of that name is sure to be whole."""
        return self.thing_back if kind_of(label) is LimitKind.BACK else self.whole

    def thing_of(self, label: str) -> float:
        """From where something of that name is sure to be there."""
        return self.thing_back if kind_of(label) is LimitKind.BACK else self.thing

    def is_sure(self, tile: Tile, confidence: float, all_faces: float) -> bool:
        """Whether a tile is sure by its probability and that of all faces together."""
        label = "back" if tile is Tile.BACK else str(tile)
        face = self.face_of(label)
        return all_faces >= self.whole_of(label) and confidence >= face * all_faces


@cache
def kind_of(label: str) -> LimitKind:
    """Which kind a label is of.

    >>> [kind_of(label).name for label in ("5m", "P", "2q", "d6")]
    ['SUITS', 'WHITE', 'SEASONS', 'DICE']
    """
    if label in ("back", "P"):
        return LimitKind.BACK if label == "back" else LimitKind.WHITE
    if label.startswith("d"):
        return LimitKind.DICE
    by_suit = {
        "f": LimitKind.FLOWERS,
        "q": LimitKind.SEASONS,
        "m": LimitKind.SUITS,
        "p": LimitKind.SUITS,
    }
    return by_suit.get(label[-1], LimitKind.SUITS if label[-1] == "s" else LimitKind.HONOURS)


# Where nobody has fitted any: until round 11 all that was named was named by these.
_CAUTIOUS, _OTHER_PICTURES = 0.88, 0.97
CAUTIOUS = Limits(
    dict.fromkeys(LimitKind, _CAUTIOUS)
    | {LimitKind.FLOWERS: _OTHER_PICTURES, LimitKind.SEASONS: _OTHER_PICTURES},
    _CAUTIOUS,
    _CAUTIOUS,
    _CAUTIOUS,
)
