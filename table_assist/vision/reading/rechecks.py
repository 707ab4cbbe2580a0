"""When what is remembered of a picture is compared with what plainly lies there.

Where something changed, the piece around it is looked at when it has lain for a second: a change is
looked at in a small part of the picture, and in the first one in which it lies still, a stream's
worst. What is seen there may be less than what the whole picture shows: of three white dragons side
by side two are one large thing, where little else around tells how large tiles are.

Reading only what changed saves nearly all of the work, and anything that goes wrong with it would
stay wrong. So each piece is read again now and then while nothing happens, and at once where
somebody asks for it. Where both differ, the picture is right.
"""

from collections.abc import Iterable

import numpy as np

from table_assist.vision.pictures.motion import Box, Watched, clusters
from table_assist.vision.pictures.picture import Mask
from table_assist.vision.reading.motion_gate import small

SETTLED_S = 1.0
RECHECK_S = 30.0  # a 4K table is four pieces and some seventy names: a hundredth of a core


class Rechecks:
    """Which blocks changed and were not looked at since, and when each piece was. Not for threads.

    Attributes:
        wanted: pieces that are to be looked at now.
    """

    def __init__(self) -> None:
        self.wanted: set[int] = set()
        self._since_t = np.empty((0, 0))
        self._seen_t: list[float] = []

    def begin(self, shape: tuple[int, ...], pieces: int, t: float | None) -> None:
        """All of a picture was read: so many rows and columns of blocks, in so many pieces."""
        self.wanted = set()
        self._since_t = np.full(shape, np.inf)
        self._seen_t = [-np.inf if t is None else t] * pieces

    def changed(self, blocks: Mask, t: float | None) -> None:
        """These blocks were just read; what is smaller than a tile is noise."""
        self._since_t[blocks & ~small(blocks)] = np.inf if t is None else t

    def settled(self, now: Watched, t: float | None) -> tuple[Box, ...]:
        """Where something has lain still for a second, in the picture's pixels."""
        if t is None:
            return ()
        lies_s = t - self._since_t
        # Clocks are set back: what changed in the future has lain there for long.
        is_due = np.isfinite(lies_s) & ((lies_s < 0) | (lies_s >= SETTLED_S))
        return clusters(is_due, now.size_wh) if is_due.any() else ()

    def looked_at(self, now: Watched, area: Box) -> None:
        """The boxes in the area were looked at."""
        left, top, right, bottom = now.block_edges(np.array([area], np.float32))[0]
        self._since_t[top:bottom, left:right] = np.inf

    def due(self, t: float | None) -> set[int]:
        """The piece that it is time for, if any; where nobody tells the time, none."""
        if t is None or not self._seen_t:
            return set()
        oldest = min(range(len(self._seen_t)), key=self._seen_t.__getitem__)
        # Clocks are set back: a look in the future was long ago.
        return set() if 0 <= t - self._seen_t[oldest] < RECHECK_S else {oldest}

    def done(self, pieces: Iterable[int], t: float | None) -> None:
        """These pieces were looked at."""
        for piece in pieces:
            self.wanted.discard(piece)
            self._seen_t[piece] = -np.inf if t is None else t
