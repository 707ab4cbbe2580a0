"""Successive observations become a steady one: each tile keeps its identity, place and faces.

A tile must be seen, and missed, more than once. Pictures that follow each other fast are one look
at it: thirty readings of the same unmoved crop in a second say no more than one. Looks are views of
the same tile by the same camera, so their errors are alike: they are averaged, never multiplied.

What is read beside a hand or a glare may be half a tile, or none: such a look counts only where
nothing better was seen yet, and rarely; the first clear one replaces it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from table_assist.tiles.tile import Tile
from table_assist.vision.reading.limits import Limits
from table_assist.vision.table.calibration import Point
from table_assist.vision.table.observation import SURE_PICTURES, Observation, SeenTile, apart_mm

# Two usual tiles lying side by side are 26 mm apart; the same tile moves by a few at most.
SAME_PLACE_MM = 12.0
# Between two pictures of a tile that lies still; a box wanders by a pixel or two.
STILL_MM = 5.0
ONE_LOOK_S = 0.2  # pictures that come faster are one look
CROWDED_LOOK_S = 1.0  # where something lies or moves beside it
CROWDED_MISS_S = 2.0  # half a tile is not always read
# How much of the average the past keeps with each look: a wrong first reading fades.
MEMORY = 0.7


@dataclass(slots=True)
class _Track:
    """One tile that is followed.

    Attributes:
        seen: looks at it as it is; the second picture counts at once.
        missed_t: since when it is not seen though its place is; None: it is.
        look_t: when the newest look began.
        told: it was steady once: when another face comes to lie there, its place is not empty.
        clear: it was seen with nothing beside it.
        patience_s: how long it must be missed until it is gone.
    """

    id: int
    last: SeenTile
    seen_t: float
    look_t: float
    seen: int = 1
    missed: int = 0
    missed_t: float | None = None
    contradicted: int = 0
    told: bool = False
    clear: bool = False
    patience_s: float = 0.0
    weights: dict[Tile, float] = field(default_factory=dict)


class TileTracker:
    """Follows the tiles; fed with one observation a picture.

    Args:
        limits: by which the mean of its looks counts as read.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._tracks: list[_Track] = []
        self._made = 0

    def update(
        self,
        observation: Observation,
        is_hidden: Callable[[Point], bool] = lambda _: False,
        is_crowded: Callable[[Point], bool] = lambda _: False,
    ) -> Observation:
        """Take in a picture's observation and return what is steady now.

        Args:
            is_hidden: whether a place on the table, in mm, cannot be seen now: what lay there is
                not missed.
            is_crowded: whether something lies or moves so near a place that what is read there is
                not sure to be a tile, or all of it.
        """
        t = observation.t
        tracks, tiles = [*self._tracks], observation.tiles
        found = _nearest(tracks, tiles, SAME_PLACE_MM * observation.times)
        for seen, at in zip(tiles, found, strict=True):
            clear = not is_crowded((seen.x_mm, seen.y_mm))
            if at < 0:
                self._made += 1
                new = _Track(self._made, seen, t, t, clear=clear)
                _weigh(new, seen)
                self._tracks.append(new)
            else:
                self._see(tracks[at], seen, t, clear=clear)
        for track in [track for at, track in enumerate(tracks) if at not in found]:
            place = track.last.x_mm, track.last.y_mm
            if track.clear and is_hidden(place):
                track.missed, track.missed_t = 0, None
            else:
                track.missed += 1
                if track.missed_t is None:
                    track.missed_t = t
                track.patience_s = (
                    CROWDED_MISS_S if track.clear and is_crowded(place) else ONE_LOOK_S
                )
        self._tracks = [
            track
            for track in self._tracks
            if track.missed_t is None
            or track.missed < SURE_PICTURES
            or (track.seen >= SURE_PICTURES and 0 <= t - track.missed_t < track.patience_s)
        ]
        for track in self._tracks:
            is_something = track.clear or track.last.tile is not Tile.UNKNOWN
            track.told = track.told or (track.seen >= SURE_PICTURES and is_something)
        steady = (self._settled(track, t) for track in self._tracks if track.told)
        return replace(observation, tiles=tuple(steady))

    @property
    def followed(self) -> tuple[SeenTile, ...]:
        """The last reading of each tile that is followed, steady or not yet."""
        return tuple(replace(track.last, id=track.id) for track in self._tracks)

    def _see(self, track: _Track, seen: SeenTile, t: float, *, clear: bool) -> None:
        is_pushed = apart_mm(track.last, seen) > STILL_MM
        is_young = track.seen < SURE_PICTURES
        if (is_young and is_pushed) or (clear and not track.clear):
            # A reading in motion, or half hidden, does not count.
            track.last, track.seen_t, track.look_t = seen, t, t
            track.seen, track.clear = 1, clear
            track.weights.clear()
            _weigh(track, seen)
            return
        period = ONE_LOOK_S if clear else CROWDED_LOOK_S
        is_look = (is_young and clear) or t < track.look_t or t - track.look_t >= period
        # In a crowd it is seen if it is read as in the clear look before. Else a tile beside which
        # something comes to lie at once would never be seen often enough.
        if is_look and (
            clear
            or not track.clear
            or seen.tile is max(track.weights, key=track.weights.__getitem__) is not Tile.UNKNOWN
        ):
            if self._is_replaced(track, seen):
                track.weights.clear()
                track.seen = 0
            track.seen += 1
            track.look_t = t
            _weigh(track, seen)
        track.last, track.seen_t = seen, t
        track.missed, track.missed_t = 0, None

    def _is_replaced(self, track: _Track, seen: SeenTile) -> bool:
        """Whether another tile lies there now, or the tile was turned over."""
        best = max(track.weights, key=lambda tile: track.weights[tile])
        if seen.tile is best or seen.tile is Tile.UNKNOWN:
            track.contradicted = 0
            return False
        is_same = track.contradicted == 0 or seen.tile is track.last.tile
        track.contradicted = track.contradicted + 1 if is_same else 1
        if track.contradicted < SURE_PICTURES and (seen.tile is Tile.BACK) is (best is Tile.BACK):
            return False
        track.contradicted = 0
        return True

    def _settled(self, track: _Track, t: float) -> SeenTile:
        total = sum(track.weights.values())
        ranked = sorted(track.weights.items(), key=lambda item: -item[1])
        candidates = tuple((tile, weight / total) for tile, weight in ranked[:4])
        best, confidence = candidates[0]
        faces = 1 - track.weights.get(Tile.UNKNOWN, 0.0) / total
        is_sure = best is not Tile.UNKNOWN and self._limits.is_sure(best, confidence, faces)
        return replace(
            track.last,
            tile=best if is_sure else Tile.UNKNOWN,
            why=None if is_sure else track.last.why,
            confidence=confidence,
            candidates=candidates,
            pictures=track.seen,
            id=track.id,
            age_s=max(0.0, t - track.seen_t),
            is_clear=track.clear,
        )


def _nearest(tracks: Sequence[_Track], tiles: Sequence[SeenTile], same_mm: float) -> list[int]:
    """Of each tile which track lies there, and nobody else gets it; -1: none does."""
    lay = np.array([complex(track.last.x_mm, track.last.y_mm) for track in tracks])
    away = np.abs(np.reshape([complex(each.x_mm, each.y_mm) for each in tiles], (-1, 1)) - lay)
    found = [-1] * len(tiles)
    for at, row in enumerate(away if len(tracks) else ()):
        best = int(row.argmin())
        if row[best] <= same_mm:
            found[at] = best
            away[:, best] = np.inf
    return found


def _weigh(track: _Track, seen: SeenTile) -> None:
    for tile in track.weights:
        track.weights[tile] *= MEMORY
    shares = dict(seen.candidates) or {seen.tile: seen.confidence}
    shares[Tile.UNKNOWN] = shares.get(Tile.UNKNOWN, 0.0) + max(0.0, 1 - sum(shares.values()))
    for tile, share in shares.items():
        track.weights[tile] = track.weights.get(tile, 0.0) + share
