"""Where the table lay in each picture, and whether that is certain by now.

That a camera was moved, or a table bumped, is noticed up to two seconds later. Until then pictures
are read by where the table lay before: what they show of a place that somebody keeps secret is
known only once nothing has turned up for that long.
"""

import threading
from collections import deque
from dataclasses import dataclass

import numpy as np

from table_assist.vision.table.blacken import Polygon, open_places, standing_hands
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.camera_moved import CORNER_STILL_MM
from table_assist.vision.table.unseen import OccludedZone
from table_assist.vision.table.zones import Layout, Zone

# Moves and bumps are told within two seconds; something more, since pictures come one by one.
HELD_S = 2.5
# Changes that are remembered; older pictures are of places that are not known any more.
MOST_SPANS = 20_000


@dataclass(frozen=True, slots=True)
class _Span:
    """From a picture on, until the next span."""

    since_t: float
    calibration: Calibration | None
    hidden: frozenset[Zone]


class Whereabouts:
    """Remembers where the table was, picture by picture. One thread tells, any thread asks.

    Args:
        held_s: after a picture, until when it may turn out that the table lay elsewhere in it.
    """

    def __init__(self, layout: Layout, held_s: float = HELD_S) -> None:
        self.held_s = held_s
        self._layout = layout
        self._lock = threading.Lock()
        self._spans: deque[_Span] = deque(maxlen=MOST_SPANS)
        self._jumps: deque[float] = deque(maxlen=MOST_SPANS)
        self._latest_t = -np.inf

    def tell(
        self,
        t: float,
        calibration: Calibration | None,
        unavailable: tuple[OccludedZone, ...] = (),
    ) -> None:
        """Note where the table is in the picture of time ``t``; None where that is not certain.

        A clock that was set back makes all that was known before worth nothing.
        """
        hidden = frozenset(gone.zone for gone in unavailable)
        with self._lock:
            if t < self._latest_t:
                self._spans.clear()
                self._jumps.clear()
            last = self._spans[-1] if self._spans else None
            if last is None or not _is_same_place(last.calibration, calibration):
                self._jumps.append(t)
                self._spans.append(_Span(t, calibration, hidden))
            elif last.hidden != hidden:
                self._spans.append(_Span(t, last.calibration, hidden))
            self._latest_t = t

    def open_places(self, t: float) -> tuple[Polygon, ...]:
        """Where in the picture of time ``t`` lies what everybody may see: corners in pixels.

        Nothing as long as it may turn out that the table lay elsewhere, where it did, and over what
        somebody held a hand.
        """
        with self._lock:
            if not t + self.held_s <= self._latest_t:
                return ()
            if any(t < jump <= t + self.held_s for jump in self._jumps):
                return ()
            span = next((each for each in reversed(self._spans) if each.since_t <= t), None)
        if span is None or span.calibration is None:
            return ()
        return open_places(span.calibration, self._layout, span.hidden)

    def hand_places(self, t: float, size_wh: tuple[int, int]) -> tuple[Polygon, ...]:
        """Where each seat's hand may be seen in the picture of time ``t``, as far as known by now.

        Empty where it is not known where the table lay.
        """
        with self._lock:
            span = next((each for each in reversed(self._spans) if each.since_t <= t), None)
        if span is None or span.calibration is None:
            return ()
        return standing_hands(span.calibration, self._layout, size_wh)


def _is_same_place(one: Calibration | None, other: Calibration | None) -> bool:
    if one is None or other is None:
        return one is other
    if one.side_mm != other.side_mm:
        return False
    off_px = np.linalg.norm(np.array(one.corners_px) - np.array(other.corners_px), axis=1)
    return bool(off_px.max() < CORNER_STILL_MM * one.px_per_mm)
