"""Tracks: each thing on the table has one identity, from the look that found it to the hand's end.

A track gathers what all looks said of one thing. Looks are made by the same camera of the same
thing, so a reading that was wrong comes back: each further one counts less (`Reliability.stuck`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bench.belief.evidence import BACK, CLASSES, NONE, LookEvidence, Reliability, Rows
from bench.belief.places import AGREE_MM, assignment, common_shift
from table_assist.vision.table.tile_size import TILE_MM

# The same thing lies within this share of a tile's width of where it lay; boxes wander by so much.
GATE, WANDERS = 0.45, 0.08
# A new thing comes to lie anywhere in so much room: that of a row of discards, not of a table, as
# another tile is often laid where one was taken up.
ROOM_MM2 = 8_000.0
# A tile in plain view is not found in one look of so many; one that is missed for good is believed
# to be gone up to this.
MISSED, SUREST = 0.05, 9.0
# Of a tile that is laid where something was taken for less than a tile.
WAS_NOTHING, IS_TILE = 0.3, 0.9
# Looks that follow each other faster are one look.
LOOK_S = 0.2
# Below this share of things that lie where something lay, the table may have been bumped.
BUMPED, BUMP_MM = 0.6, 8.0
# So many things that moved alike were pushed together.
PUSHED = 2
# Before a hand begins nothing is a discard or a meld: what is found lies there by itself.
CLUTTER = 4.0  # added to "no tile" then


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """One thing.

    Attributes:
        logs: (CLASSES,) the log-likelihoods of all looks together, up to a constant.
        total: (CLASSES,) the sum of all readings, each counted whole.
        reading: (CLASSES,) the newest one: one that was not made anew adds nothing.
        readings: how many there were.
        there: log-odds that it still lies there.
        seen_t: when it was found last; `look_t`: when that was looked for last.
    """

    id: int
    x_mm: float
    y_mm: float
    logs: NDArray[np.float64]
    total: NDArray[np.float64]
    reading: NDArray[np.float64]
    first_t: float
    seen_t: float
    look_t: float
    readings: int = 1
    there: float = SUREST

    def doubted(self, stuck: float) -> NDArray[np.float64]:
        """(CLASSES,) as `logs`, where a wrong reading may come back in all of them.

        n readings count as n / (1 + (n - 1) stuck), as the mean of numbers does that are so far
        correlated: never more than 1 / stuck.
        """
        return self.total / (1 + (self.readings - 1) * stuck)


@dataclass(frozen=True, slots=True)
class Tracks:
    """All of a hand, the ones that have gone included, by their ids from 0."""

    every: tuple[Track, ...] = ()

    def look(self, evidence: LookEvidence, by: Reliability, *, is_dealt: bool = True) -> "Tracks":
        """With what one look says.

        Args:
            is_dealt: a hand is being played; else what is found is clutter, or a wall.
        """
        places, rows = evidence.places_mm, evidence.rows
        old = np.array([(track.x_mm, track.y_mm) for track in self.every]).reshape(-1, 2)
        shift = self._bump(evidence, old)
        seen_as = _pairs(self.every, old + shift, evidence, np.log(np.array(by.shares)))
        seen_as |= self._pushed(old + shift, evidence, seen_as)
        found = [replace(track, x_mm=track.x_mm + shift[0], y_mm=track.y_mm + shift[1])
                 for track in self.every] if shift.any() else list(self.every)  # fmt: skip
        replaced = _replaced(old + shift, places, set(seen_as.values()), evidence.tile_mm)
        for index, track in enumerate(found):
            thing = seen_as.get(index)
            if thing is None:
                found[index] = _missed(track, evidence, is_replaced=index in replaced)
            else:
                found[index] = _seen(track, places[thing], rows[thing], evidence.t, by)
        for thing in sorted(set(range(len(rows))) - set(seen_as.values())):
            logs = rows[thing].copy()
            logs[NONE] += 0.0 if is_dealt else CLUTTER
            x, y = places[thing].tolist()
            t = evidence.t
            found.append(Track(len(found), x, y, logs, logs, rows[thing], t, t, t))
        return Tracks(tuple(found))

    def _bump(self, evidence: LookEvidence, old: NDArray[np.float64]) -> NDArray[np.float64]:
        """(2,) by how far the table lies elsewhere than before; 0 where it does not."""
        live = np.array([track.there > 0 for track in self.every], np.bool_)
        still = np.zeros(2)
        if live.sum() < 3 or len(evidence.rows) < 3:
            return still
        off = np.abs(evidence.places_mm[:, None] - old[live][None]).max(axis=2)
        gate = GATE * evidence.tile_mm
        if (off.min(axis=1) < gate).mean() > BUMPED:
            return still
        best = np.array([track.logs.argmax() for track in self.every])[live]
        alike = evidence.rows.argmax(axis=1)[:, None] == best[None]
        shift = common_shift(evidence.places_mm, old[live], alike)
        moved = np.abs(evidence.places_mm[:, None] - (old[live] + shift)[None]).max(axis=2)
        is_better = (moved.min(axis=1) < gate).mean() > (off.min(axis=1) < gate).mean()
        return shift if is_better and np.abs(shift).max() > BUMP_MM else still

    def _pushed(
        self, old: NDArray[np.float64], evidence: LookEvidence, seen_as: dict[int, int]
    ) -> dict[int, int]:
        """Missed tracks and the things that they are seen as: those lie beside by one shift.

        A meld or a row is pushed as a whole. Of one tile alone nobody can say whether it was pushed
        or taken and another like it laid: that is weighed by histories.
        """
        rows = np.array([
            track.id for track in self.every
            if track.id not in seen_as and track.there > 0 and track.logs.argmax() <= BACK
            and not evidence.hides(track.x_mm, track.y_mm)
        ], np.int64)  # fmt: skip
        taken = set(seen_as.values())
        things = np.array(
            [each for each in range(len(evidence.rows)) if each not in taken], np.int64
        )
        if min(len(rows), len(things)) < PUSHED:
            return {}
        best = np.array([self.every[row].logs.argmax() for row in rows])
        alike = evidence.rows[things].argmax(axis=1)[:, None] == best[None]
        places = evidence.places_mm[things]
        shift = common_shift(places, old[rows], alike)
        off = np.abs(places[:, None] - old[rows][None] - shift).max(axis=2)
        fits = np.where(alike & (off < AGREE_MM), AGREE_MM - off, -1.0)
        found = {int(rows[row]): int(things[thing]) for thing, row in assignment(fits)}
        return found if len(found) >= PUSHED else {}


def _pairs(
    tracks: tuple[Track, ...],
    old: NDArray[np.float64],
    evidence: LookEvidence,
    log_shares: NDArray[np.float64],
) -> dict[int, int]:
    """Which thing each track is seen as, by place and by what it looks like.

    What was nothing and is plainly a tile now is another thing: a tile was laid there.
    """
    if not tracks or not len(evidence.rows):
        return {}
    times = evidence.tile_mm / TILE_MM
    off = np.linalg.norm(old[:, None] - evidence.places_mm[None], axis=2)
    near = off < GATE * evidence.tile_mm
    rows, columns = near.any(axis=1).nonzero()[0], near.any(axis=0).nonzero()[0]
    if not len(rows):
        return {}
    gains = np.full(near.shape, -1.0)
    wander = WANDERS * evidence.tile_mm
    room = np.log(ROOM_MM2 * times**2 / (2 * np.pi * wander**2))
    logs, readings = np.array([tracks[row].logs for row in rows]), evidence.rows[columns]
    likeness = _likeness(logs, readings)
    there = np.array([_log_share(tracks[row].there) for row in rows])
    at = np.ix_(rows, columns)
    gains[at] = likeness + room - (off[at] / wander) ** 2 / 2 + there[:, None]
    gains[~near] = -1.0
    was_tile, is_tile = (_tile_share(each + log_shares) for each in (logs, readings))
    is_laid = (was_tile < WAS_NOTHING)[:, None] & (is_tile > IS_TILE)[None]
    gains[at] = np.where(is_laid, -1.0, gains[at])
    return dict(_components(gains))


def _components(gains: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """The best assignment, of what has no rival at once."""
    good = np.asarray(gains > 0)
    alone = good & (good.sum(axis=1) == 1)[:, None] & (good.sum(axis=0) == 1)[None]
    yield from zip(*(each.tolist() for each in np.nonzero(alone)), strict=True)
    good &= ~alone
    rows, columns = (np.flatnonzero(good.any(axis=axis)) for axis in (1, 0))
    for row, column in assignment(gains[np.ix_(rows, columns)]):
        yield int(rows[row]), int(columns[column])


def _likeness(logs: Rows, rows: Rows) -> Rows:
    """(n, m) by how much likelier two looks are of one thing than of two, as log-odds."""
    one, other = _shares(logs), _shares(rows)
    return np.asarray(np.log(np.maximum(one @ other.T, 1e-300)) + np.log(CLASSES))


def _shares(rows: Rows) -> Rows:
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _tile_share(rows: Rows) -> NDArray[np.float64]:
    """(n,) how likely each is a tile, by its face or its back."""
    return np.asarray(_shares(rows)[:, : BACK + 1].sum(axis=1))


def _log_share(log_odds: float) -> float:
    """The logarithm of a probability, by its log-odds."""
    return float(-np.logaddexp(0.0, -log_odds))


def _seen(
    track: Track, place: NDArray[np.float64], row: NDArray[np.float64], t: float, by: Reliability
) -> Track:
    is_new = not np.array_equal(row, track.reading)
    logs, total, readings = track.logs, track.total, track.readings + is_new
    if is_new:
        total = total + row
        logs = track.logs + (1 - by.stuck) * row
    return Track(
        track.id,
        float(place[0]),
        float(place[1]),
        logs - logs.max() if is_new else logs,
        total,
        row,
        track.first_t,
        seen_t=t,
        look_t=t,
        readings=readings,
    )


def _replaced(
    old: NDArray[np.float64], places: NDArray[np.float64], seen: set[int], tile_mm: float
) -> set[int]:
    """The tracks at whose place something new is found: two things cannot lie there."""
    new = [thing for thing in range(len(places)) if thing not in seen]
    off = np.linalg.norm(old[:, None] - places[new][None], axis=2)
    return set((off < GATE * tile_mm).any(axis=1).nonzero()[0].tolist())


def _missed(track: Track, evidence: LookEvidence, *, is_replaced: bool) -> Track:
    if is_replaced:
        return replace(track, look_t=evidence.t, there=-SUREST)
    if track.there <= -SUREST or evidence.t - track.look_t < LOOK_S:
        return track
    if evidence.hides(track.x_mm, track.y_mm):
        return track
    there = max(track.there + np.log(MISSED), -SUREST)
    return replace(track, look_t=evidence.t, there=float(there))
