"""Successive observations become a steady one: a tile must be seen, and missed, more than once.

The faces read at one place are averaged, so one bad picture changes nothing and a tile that is
read two ways becomes UNKNOWN instead of flickering.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import hypot

from table_assist.tiles import Tile
from table_assist.vision.observe import Observation, SeenTile

# Two tiles lying side by side are 26 mm apart; the same tile moves by a few at most.
SAME_PLACE_MM = 12.0
APPEAR_PICTURES = 2
VANISH_PICTURES = 2
# How much of the average the past keeps with each picture: a wrong first reading fades.
MEMORY = 0.7
# The same other face surely read in so many pictures in a row: another tile lies there now.
REPLACED_PICTURES = 2


@dataclass(slots=True)
class _Track:
    """One place where a tile lies."""

    last: SeenTile
    seen: int = 1
    missed: int = 0
    contradicted: int = 0
    weights: dict[Tile, float] = field(default_factory=dict)


class Steady:
    """Holds the tracks; fed with one observation a picture.

    Args:
        sure: the average confidence from which a face counts as read.
    """

    def __init__(self, sure: float) -> None:
        self._sure = sure
        self._tracks: list[_Track] = []

    def update(self, observation: Observation) -> Observation:
        """Take in a picture's observation and return what is steady now."""
        unmatched = list(self._tracks)
        for seen in observation.tiles:
            track = _nearest(unmatched, seen)
            if track is None:
                track = _Track(seen)
                self._tracks.append(track)
                _weigh(track, seen)
                continue
            unmatched.remove(track)
            if self._is_replaced(track, seen):
                track.weights.clear()
                track.seen = 0
            track.last, track.missed = seen, 0
            track.seen += 1
            _weigh(track, seen)
        for track in unmatched:
            track.missed += 1
        self._tracks = [t for t in self._tracks if t.missed < VANISH_PICTURES]
        steady = (self._settled(t) for t in self._tracks if t.seen >= APPEAR_PICTURES)
        return replace(observation, tiles=tuple(steady))

    def _is_replaced(self, track: _Track, seen: SeenTile) -> bool:
        """Whether another tile lies there now, or the tile was turned over."""
        best = max(track.weights, key=lambda tile: track.weights[tile])
        if seen.tile is best or seen.tile is Tile.UNKNOWN or seen.confidence < self._sure:
            track.contradicted = 0
            return False
        is_same = track.contradicted == 0 or seen.tile is track.last.tile
        track.contradicted = track.contradicted + 1 if is_same else 1
        if track.contradicted < REPLACED_PICTURES and (seen.tile is Tile.BACK) is (
            best is Tile.BACK
        ):
            return False
        track.contradicted = 0
        return True

    def _settled(self, track: _Track) -> SeenTile:
        total = sum(track.weights.values())
        ranked = sorted(track.weights.items(), key=lambda item: -item[1])
        candidates = tuple((tile, weight / total) for tile, weight in ranked[:3])
        best, confidence = candidates[0]
        return replace(
            track.last,
            tile=best if confidence >= self._sure else Tile.UNKNOWN,
            confidence=confidence,
            candidates=candidates,
            pictures=track.seen,
        )


def _nearest(tracks: Iterable[_Track], seen: SeenTile) -> _Track | None:
    def distance(track: _Track) -> float:
        return hypot(track.last.x_mm - seen.x_mm, track.last.y_mm - seen.y_mm)

    best = min(tracks, key=distance, default=None)
    return best if best is not None and distance(best) <= SAME_PLACE_MM else None


def _weigh(track: _Track, seen: SeenTile) -> None:
    for tile in track.weights:
        track.weights[tile] *= MEMORY
    shares = dict(seen.candidates) or {seen.tile: seen.confidence}
    shares[Tile.UNKNOWN] = shares.get(Tile.UNKNOWN, 0.0) + max(0.0, 1 - sum(shares.values()))
    for tile, share in shares.items():
        track.weights[tile] = track.weights.get(tile, 0.0) + share
