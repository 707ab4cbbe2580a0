"""The tracks' evidence for a history: how much likelier each is this than that.

All is in nats against one explanation that any track has: it is no tile, a part of one, or a back,
and nothing follows from it. So what a history does not explain costs it nothing, and gains nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.belief.evidence import BACK, FACES, NONE, PART, Reliability
from bench.belief.tracks import Track
from table_assist.tiles.tile import Tile
from table_assist.vision.table.zones import Layout, Zone, zone_at

# No track: a piece that nobody saw.
UNSEEN = -1
# Of a face that lies open as often as the set has it, in copies.
SPARE_COPIES = 0.01
# A track so much likelier a back is no discard.
WORTH_A_FACE = -4.0


@dataclass(frozen=True, slots=True, eq=False)
class TrackEvidence:
    """One track's evidence.

    Attributes:
        tiles: (FACES + 1,) for each face, and for a back, against its being nothing.
        doubted: (FACES + 1,) the same, as far as its face may be believed: on a set that the reader
            does not know it is misread alike in every look.
        lies, gone: the logarithms of the probability that it lies there still, or does not.
        first_t: when it was found.
        worth: by how much it is likelier some tile, or a back, than nothing.
        shows_face: it is likelier a tile that shows its face than a back.
    """

    id: int
    place: tuple[float, float]
    zone: Zone
    tiles: NDArray[np.float64]
    doubted: NDArray[np.float64]
    lies: float
    gone: float
    first_t: float
    worth: float
    shows_face: bool


@dataclass(frozen=True, slots=True, eq=False)
class TracksEvidence:
    """All tracks' evidence. Where a piece has no track, nobody has seen it: it may be any."""

    by_id: dict[int, TrackEvidence]

    def rows(self, ids: Sequence[int]) -> NDArray[np.float64]:
        """(n, FACES + 1) what is said of each face and of a back of these tracks."""
        every = [self.by_id[id].tiles if id in self.by_id else _NOTHING for id in ids]
        return np.array(every).reshape(-1, FACES + 1)

    def doubted(self, ids: Sequence[int]) -> NDArray[np.float64]:
        """(n, FACES + 1) the same, as far as faces may be believed."""
        every = [self.by_id[id].doubted if id in self.by_id else _NOTHING for id in ids]
        return np.array(every).reshape(-1, FACES + 1)

    def lies(self, id: int) -> float:
        """That it lies there."""
        return self.by_id[id].lies if id in self.by_id else 0.0

    def first_s(self, id: int) -> float:
        """When it was found; infinite where nothing says it."""
        return self.by_id[id].first_t if id in self.by_id else np.inf

    def gone(self, id: int) -> float:
        """That it does not lie there any more."""
        return self.by_id[id].gone if id in self.by_id else 0.0


def face_of(rows: NDArray[np.float64], pool: NDArray[np.float64]) -> tuple[Tile, float]:
    """The likeliest face of one tile that is seen as all of these tracks, and its probability."""
    logs = rows[:, :FACES].sum(axis=0) + pool
    best = int(logs.argmax())
    return Tile(best), float(np.exp(logs[best] - sum_logs(logs)))


_NOTHING = np.zeros(FACES + 1)


def sum_logs(logs: NDArray[np.float64]) -> float:
    """The logarithm of a sum, by the logarithms of what is added."""
    best = float(logs.max())
    return best + float(np.log(np.exp(logs - best).sum())) if np.isfinite(best) else best


def pool_of(copies: NDArray[np.float64], open_tiles: Sequence[Tile]) -> NDArray[np.float64]:
    """(FACES,) the logarithm of each face's share of the tiles that do not lie open.

    What seems to lie there often enough already may have been misread: a little is left of it.

    Args:
        copies: (FACES,) how many the set has.
    """
    left = copies - np.bincount([*open_tiles], minlength=FACES)[:FACES]
    left = np.maximum(left, np.where(copies > 0, SPARE_COPIES, 0.0))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(left / left.sum()))


def say(track: Track, by: Reliability, layout: Layout) -> TrackEvidence:
    """A track's evidence."""
    shares = np.log(np.array(by.shares))
    weighed = track.logs + shares
    nothing = sum_logs(weighed[[PART, NONE]])
    face, back = sum_logs(weighed[:FACES]), float(weighed[BACK])
    # Each face alone, where it is known that it is one.
    tile = sum_logs(shares[:FACES])
    place = track.x_mm, track.y_mm
    return TrackEvidence(
        id=track.id,
        place=place,
        zone=zone_at(*place, layout),
        tiles=track.logs[: FACES + 1]
        + np.append(np.full(FACES, tile), shares[BACK])
        - float(np.logaddexp(nothing, back)),
        doubted=track.doubted(by.stuck)[: FACES + 1],
        lies=float(-np.logaddexp(0.0, -track.there)),
        gone=float(-np.logaddexp(0.0, track.there)),
        first_t=track.first_t,
        worth=float(np.logaddexp(face, back)) - nothing,
        shows_face=face > back + WORTH_A_FACE,
    )
