"""A slow second look: what is remembered of a picture is compared with what plainly lies there.

Reading only what changed saves nearly all of the work, and anything that goes wrong with it would
stay wrong. So each piece of the picture is read again now and then while nothing happens, and at
once where somebody asks for it. Where both differ, the picture is right.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from table_assist.vision.reading.recognise import UNKNOWN, Name

UNSURE_LOOKS = (UNKNOWN, "back", "P")  # what other things look like, too
AGAIN_S = 30.0  # a 4K table is four pieces and some seventy names: a hundredth of a core


@dataclass(slots=True)
class PeriodicRecheck:
    """When each piece of the picture was last looked at as if nothing were known of it.

    Attributes:
        wanted: pieces that are to be looked at now.
    """

    wanted: set[int] = field(default_factory=set)
    _seen_t: list[float] = field(default_factory=list)

    def begin(self, pieces: int, t: float | None) -> None:
        """All of a picture was read."""
        self.wanted = set()
        self._seen_t = [-np.inf if t is None else t] * pieces

    def due(self, t: float | None) -> set[int]:
        """The piece that it is time for, if any; where nobody tells the time, none."""
        if t is None or not self._seen_t:
            return set()
        oldest = min(range(len(self._seen_t)), key=self._seen_t.__getitem__)
        # Clocks are set back: a look in the future was long ago.
        return set() if 0 <= t - self._seen_t[oldest] < AGAIN_S else {oldest}

    def done(self, pieces: Iterable[int], t: float | None) -> None:
        """These were looked at."""
        for piece in pieces:
            self.wanted.discard(piece)
            self._seen_t[piece] = -np.inf if t is None else t


def settled(old: Name | None, new: Name | None) -> Name | None:
    """The common answer of two looks at the same unchanged thing.

    Where both mean the same face the surer look stays: the other was noise. A sure other face, or
    that there is no tile at all, is what lies there.
    """
    if old is None or new is None:
        return new
    if new.label == UNKNOWN or old.label == UNKNOWN:
        if _likeliest(old) == _likeliest(new):
            return max(old, new, key=lambda name: (name.label != UNKNOWN, name.confidence))
        return new
    return old if old.label == new.label else new


def differing(old: Sequence[Name | None], new: Sequence[Name | None]) -> int:
    """In how many places one look sees another face than the other, or a face where none is.

    Backs without seams, and white dragons, are found in one look and not in the next.
    """
    return sum(_contradict(one, other) for one, other in zip(old, new, strict=True))


def _contradict(one: Name | None, other: Name | None) -> bool:
    if one is None or other is None:
        seen = one or other
        return seen is not None and seen.label not in UNSURE_LOOKS
    return UNKNOWN not in (one.label, other.label) and one.label != other.label


def _likeliest(name: Name) -> str:
    return name.candidates[0].label if name.candidates else name.label
