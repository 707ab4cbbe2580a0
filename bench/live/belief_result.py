"""A recorded hand followed by belief: tracks of its evidence, and histories of its play.

Belief follows what is played: discards, claims, kongs, flowers and eggs. All else of the hand it is
told when the session wrote it down: who deals, dice, indicators, keys.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from bench.belief.beam import Belief
from bench.belief.histories import Scales
from bench.belief.moves import MoveTable
from bench.belief.reliability import measured
from bench.belief.seen import TrackEvidence, TracksEvidence, say
from bench.belief.tracks import Track, Tracks
from bench.live.moments import Looked, RecordedHand
from bench.live.weighed import evidence_of
from table_assist.game.events import (
    BonusLaid,
    Claimed,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    End,
    Event,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    LastTilePassed,
    Preparation,
    ReadyDeclared,
    StartingHandShown,
    TilesExchanged,
    WinDeclared,
)
from table_assist.game.fold import apply
from table_assist.game.state import TableState
from table_assist.record.course import in_order
from table_assist.vision.table.zones import ZoneKind

PLAYED = (Discarded, Claimed, KongDeclared, BonusLaid, EggLaid, EggAppended)
TOLD = (
    Preparation | IndicatorTurned | TilesExchanged | StartingHandShown | ReadyDeclared
    | WinDeclared | Drew | LastTilePassed
)  # fmt: skip
LAST = HandShown | End
# Something so unlikely to be a tile is none of the play, whatever else it is.
FAINT = -6.0


@dataclass(frozen=True, slots=True)
class Believed:
    """A hand's result.

    Attributes:
        events: of play, as the likeliest history has them; flowers one by one.
        sure: of each the probability that it has happened there, with that face.
        look_ms: of one core that each look took, from its evidence on.
    """

    events: tuple[Event, ...]
    sure: tuple[float, ...]
    look_ms: tuple[float, ...]


@dataclass(slots=True)
class Follower:
    """Follows one hand."""

    heap: bool
    state: TableState = field(default_factory=TableState)
    tracks: Tracks = field(default_factory=Tracks)
    belief: Belief | None = None
    _said: dict[int, tuple[object, TrackEvidence]] = field(default_factory=dict)
    _latest: object = None

    def told(self, event: Event, t: float) -> None:
        """The session has written an event down."""
        if self.belief is None:
            self.state = apply(self.state, event)
            if isinstance(event, HandStarted):
                self.belief = Belief.of(self.state)
        else:
            self.belief = self.belief.told(event, t)
            self._latest = None

    def look(self, looked: Looked) -> None:
        """A picture was looked at."""
        by = measured()
        evidence = evidence_of(looked, by)
        if evidence is None:
            return
        self.tracks = self.tracks.look(evidence, by, is_dealt=self.belief is not None)
        if self.belief is None:
            return
        seen = self.seen(looked)
        now = tuple((id, self._said[id][0]) for id in seen.by_id)
        if now != self._latest:
            table = MoveTable(heap=self.heap, tile_mm=evidence.tile_mm)
            self.belief = self.belief.look(seen, table)
            self._latest = now

    def seen(self, looked: Looked) -> TracksEvidence:
        """The part of the tracks that is of the play."""
        layout = looked.observation.layout
        for track in self.tracks.every:
            key = _key(track), layout
            if track.id not in self._said or self._said[track.id][0] != key:
                self._said[track.id] = key, say(track, measured(), layout)
        return TracksEvidence({
            id: said for id, (_, said) in self._said.items()
            if said.zone.kind in (ZoneKind.RIVER, ZoneKind.MELDS) and said.worth > FAINT
        })  # fmt: skip


def _key(track: Track) -> object:
    """The part of a track that matters."""
    return track.readings, track.there, round(track.x_mm / 4), round(track.y_mm / 4)


def believe(hand: RecordedHand) -> Believed:
    """Follow a hand."""
    follower = Follower(hand.about.heap)
    told = [(each.t, each.event) for each in hand.log if isinstance(each.event, TOLD | LAST)]
    look_ms: list[float] = []
    last: Looked | None = None
    for moment in hand.moments:
        while told and told[0][0] <= moment.t and isinstance(told[0][1], TOLD):
            t, event = told.pop(0)
            follower.told(event, t)
        if told and told[0][0] < moment.t:
            break
        if isinstance(moment, Looked):
            began = time.process_time_ns()
            follower.look(moment)
            look_ms.append((time.process_time_ns() - began) / 1e6)
            last = moment
    if follower.belief is None or last is None:
        return Believed((), (), tuple(look_ms))
    return _end(follower, follower.seen(last), tuple(look_ms))


def _end(follower: Follower, seen: TracksEvidence, look_ms: tuple[float, ...]) -> Believed:
    assert follower.belief is not None
    history, agreed = follower.belief.likeliest, follower.belief.agreed()
    named = Scales(seen).named(history)
    found = [
        (event, how * face)
        for event, how, face in zip(history.events, agreed, named, strict=True)
        if isinstance(event, PLAYED)
    ]
    return Believed(tuple(event for event, _ in found), tuple(sure for _, sure in found), look_ms)


def played(events: Iterable[Event]) -> list[Event]:
    """The played events, flowers one by one."""
    found: list[Event] = []
    for event in events:
        match event:
            case BonusLaid(seat, tiles):
                found += [BonusLaid(seat, (tile,)) for tile in tiles]
            case _ if isinstance(event, PLAYED):
                found.append(event)
    return found


def right(truth: Iterable[Event], got: Iterable[Event]) -> list[tuple[int, int]]:
    """The places of what is the same in both, in its order."""
    return in_order(list(truth), list(got))
