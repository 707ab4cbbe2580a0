"""What the tracks say to a history: how much likelier each is this than that.

All is in nats against one explanation that any track has: it is no tile, a part of one, or a back,
and nothing follows from it. So what a history does not explain costs it nothing, and gains nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from table_assist.belief.evidence import BACK, FACES, NONE, PART, Reliability
from table_assist.belief.tracks import Track
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles import Tile
from table_assist.vision.table.zones import Layout, Zone, zone_at

# No track: a piece that nobody saw.
UNSEEN = -1
# Of a face that lies open as often as the set has it, in copies.
SPARE_COPIES = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """What one track says.

    Attributes:
        faces: (FACES,) for each face, against its being nothing.
        back: the same for a back.
        lies, gone: the logarithms of the probability that it lies there still, or does not.
    """

    id: int
    place: tuple[float, float]
    zone: Zone
    faces: NDArray[np.float64]
    back: float
    lies: float
    gone: float
    first_t: float


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What all tracks say. Where a piece has no track, nobody has seen it: it may be any."""

    by_id: dict[int, Said]

    def rows(self, ids: Sequence[int]) -> NDArray[np.float64]:
        """(n, FACES) what is said of each face of these tracks."""
        every = [self.by_id[id].faces if id in self.by_id else _NOTHING for id in ids]
        return np.array(every).reshape(-1, FACES)

    def lies(self, id: int) -> float:
        """That it lies there."""
        return self.by_id[id].lies if id in self.by_id else 0.0

    def gone(self, id: int) -> float:
        """That it does not lie there any more."""
        return self.by_id[id].gone if id in self.by_id else 0.0


def one_of(rows: NDArray[np.float64], pool: NDArray[np.float64]) -> float:
    """That one tile, seen as all of these tracks, is one of the pool, whichever."""
    return sum_logs(rows.sum(axis=0) + pool)


def face_of(rows: NDArray[np.float64], pool: NDArray[np.float64]) -> tuple[Tile, float]:
    """The likeliest face of one tile that is seen as all of these tracks, and its probability."""
    logs = rows.sum(axis=0) + pool
    best = int(logs.argmax())
    return Tile(best), float(np.exp(logs[best] - sum_logs(logs)))


def as_tiles(rows: NDArray[np.float64], tiles: Sequence[Tile]) -> float:
    """That the tracks are these tiles, whichever is which."""
    ways = np.array(sorted(set(permutations(tiles))), np.int64)
    logs = rows[np.arange(len(tiles))[None], ways].sum(axis=1)
    return sum_logs(logs) - float(np.log(len(ways)))


_NOTHING = np.zeros(FACES)


def sum_logs(logs: NDArray[np.float64]) -> float:
    """The logarithm of a sum, by the logarithms of what is added."""
    best = float(logs.max())
    return best + float(np.log(np.exp(logs - best).sum())) if np.isfinite(best) else best


def pool_of(rules: RuleSet, open_tiles: Sequence[Tile]) -> NDArray[np.float64]:
    """(FACES,) the logarithm of each face's share of the tiles that do not lie open.

    What seems to lie there often enough already may have been misread: a little is left of it.
    """
    copies = np.array([rules.copies_of(Tile(face)) for face in range(FACES)], np.float64)
    left = copies - np.bincount([*open_tiles], minlength=FACES)[:FACES]
    left = np.maximum(left, np.where(copies > 0, SPARE_COPIES, 0.0))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(left / left.sum()))


def say(track: Track, by: Reliability, layout: Layout) -> Said:
    """What a track says."""
    shares = np.log(np.array(by.shares))
    weighed = track.logs + shares
    nothing = sum_logs(weighed[[BACK, PART, NONE]])
    tile = float(np.log(np.exp(shares[:FACES]).sum()))
    place = track.x_mm, track.y_mm
    return Said(
        track.id,
        place,
        zone_at(*place, layout),
        track.logs[:FACES] + tile - nothing,
        float(weighed[BACK]) - nothing,
        float(-np.logaddexp(0.0, -track.there)),
        float(-np.logaddexp(0.0, track.there)),
        track.first_t,
    )
