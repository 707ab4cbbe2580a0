"""Which of what changed in a picture lies still: what is on the move is not worth reading."""

import numpy as np

from table_assist.vision.pictures.motion import Watched, changed_blocks, components
from table_assist.vision.pictures.picture import Mask

# Pictures farther apart than this do not tell whether something moves.
LONGEST_PAUSE_S = 0.15
# A change larger than this share of the picture, five tiles of a whole table, is an arm rather than
# a tile: it must have been still for a while before it is worth several passes of the detector.
LARGE_CHANGE, REST_S = 0.008, 0.25
# A change of fewer blocks than this is less than a tile: the edge of a shadow that has gone. It
# waits until there is time for it.
SMALL_CHANGE = 6
# A place that never comes to rest is read all the same, so often: a sleeve may lie over a tile's
# edge.
LONGEST_WAIT_S = 1.5


class MotionGate:
    """Compares each picture with the one before. Not for several threads.

    Attributes:
        noise: blocks of small changes that were not there in the picture before, where pictures
            are far apart: if they stay, they are read with the next one.
    """

    def __init__(self) -> None:
        self.noise = np.zeros((0, 0), np.bool_)
        self._last: tuple[Watched, float] | None = None
        self._moved_t = np.empty((0, 0))  # when something last moved in a block
        self._waits_t = np.empty((0, 0))  # since when a changed block has not been read
        self._changed_t = np.empty((0, 0))  # when it last was a changed one
        self._busy_t = -np.inf  # when something of a tile's size last changed

    def begin(self, now: Watched, t: float | None) -> None:
        """All of a picture was read."""
        self._last = None if t is None else (now, t)
        self._moved_t = np.empty((0, 0))

    def at_rest(self, now: Watched, changed: Mask, t: float | None) -> Mask:
        """The changed blocks that belong to something that lies still.

        Args:
            changed: blocks that are not as they were last read.
            t: when the picture was taken, in seconds; None where nobody knows: all lies still.
        """
        last, self._last = self._last, None if t is None else (now, t)
        self.noise = np.zeros_like(changed)
        if self._moved_t.shape != changed.shape:
            self._moved_t = np.full(changed.shape, -np.inf)
            self._waits_t = np.full(changed.shape, np.inf)
            self._changed_t = np.full(changed.shape, -np.inf)
        if t is None:
            self._waits_t[:] = np.inf
            return changed
        if last is None or not 0 < t - last[1] <= LONGEST_PAUSE_S:
            self._moved_t[:] = -np.inf
            self.noise = small(changed) & (self._waits_t == np.inf)
            self._waits_t[:] = np.inf
            self._waits_t[self.noise] = t
            return changed & ~self.noise
        if not changed.any():
            return changed
        moving = changed_blocks(last[0], now)
        self._moved_t[moving] = t
        self._changed_t[changed] = t
        # A place that comes and goes with the noise waits all the same, and is read in the end.
        self._waits_t[t - self._changed_t >= REST_S] = np.inf
        self._waits_t[changed] = np.minimum(self._waits_t[changed], t)
        resting = self._resting(changed, t)
        self._waits_t[resting] = np.inf
        return resting

    def _resting(self, changed: Mask, t: float) -> Mask:
        count, labels = components(changed)
        resting = np.zeros_like(changed)
        sizes = np.bincount(labels[changed], minlength=count + 1)
        if sizes.max() >= SMALL_CHANGE:
            self._busy_t = t
        for label in range(1, count + 1):
            cluster = labels == label
            still_s = t - self._moved_t[cluster].max()
            is_large = cluster.sum() > LARGE_CHANGE * changed.size
            waited_s = t - self._waits_t[cluster & changed].min()
            rests = still_s >= REST_S if is_large else still_s > 0
            if sizes[label] < SMALL_CHANGE:
                rests = min(waited_s, t - self._busy_t) >= REST_S
            if rests or waited_s >= LONGEST_WAIT_S:
                resting |= cluster
        return resting & changed


def small(changed: Mask) -> Mask:
    """The blocks of clusters that are smaller than a tile."""
    count, labels = components(changed)
    sizes = np.bincount(labels[changed], minlength=count + 1)
    return np.asarray((sizes < SMALL_CHANGE)[labels] & changed, np.bool_)
