"""The desk's decisions as a list of acts: attendance, substitutes, the clock, the plan.

An act is never changed. Taking it back is another act, and what counts is a fold of those that were
not taken back, in their order.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

LAST_ROUND = 1 << 30  # "until further notice"


class ActKind(StrEnum):
    """The kinds of decisions; beside each, what its content holds."""

    ENTER = "enter"  # players, first: they play in this session from that round on
    ABSENT = "absent"  # player, first, last
    HERE = "here"  # player, first: is there again, and sits in person
    STAND_IN = "stand-in"  # player, by, first, last, counts_for
    CLOCK = "clock"  # left_s, running, starts: a round begins
    EXTRA = "extra"  # table, seconds
    PROFILE = "profile"  # hash, en, zh
    PLACE = "place"  # table, row, column
    FINISH = "finish"  # round, reason, tables
    PUBLISH = "publish"  # public
    CORRECT = "correct"  # correction, player, points, reason
    SEATS = "seats"  # round, table, players, before
    ROUND = "round"  # round, tables
    PLAN = "plan"  # first, rounds, before
    MESSAGE = "message"  # words
    RULING = "ruling"  # table, seat, transfers, reason
    LET_IN = "let in"  # table
    SEND_OUT = "send out"  # table
    ALARM = "alarm"  # alarm
    LIST = "list"  # new: (player, name); changed: (player, before, after), (name, hidden) each
    BEGIN = "begin"  # session, name
    SERIES = "series"  # series, name
    GO = "go"  # call, table
    DONE = "done"  # call, table, going: who had gone
    PICTURE = "picture"  # table, hand, entry: deleted
    UNDO = "undo"  # kind: of what was taken back


class CountsFor(StrEnum):
    """Whose the points are of somebody who stands in."""

    SITTER = "sitter"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class DeskAct:
    """Something that somebody at the desk has done."""

    id: int
    session: int  # 0 for what belongs to none
    kind: ActKind
    content: Mapping[str, Any]
    by: str
    at: float  # seconds since the epoch, by the hub
    undoes: int | None = None  # the act that this one takes back; None for another act
    undone: str = ""  # who has taken it back; empty for nobody

    @property
    def stands(self) -> bool:
        """Whether it counts."""
        return not self.undone and self.undoes is None


@dataclass(frozen=True, slots=True)
class StandIn:
    """Somebody plays for somebody else in some rounds."""

    player: int
    by: int
    first: int
    last: int
    counts_for: CountsFor


class Roster:
    """The players of a session, round by round.

    Args:
        acts: of the session; others are passed over.
        everybody: the club's players: they all play where nobody was entered.

    Attributes:
        entered: the round from which on each player belongs to the session.
    """

    def __init__(self, acts: Iterable[DeskAct], session: int, everybody: Iterable[int]) -> None:
        own = [act for act in acts if act.stands and act.session == session]
        self._acts = own
        self.entered: dict[int, int] = {}
        for act in own:
            if act.kind is ActKind.ENTER:
                for player in act.content["players"]:
                    self.entered.setdefault(player, act.content["first"])
        if not self.entered:
            self.entered = dict.fromkeys(everybody, 1)
        found: list[StandIn] = []
        for act in own:
            content = act.content
            if act.kind is ActKind.HERE:
                last = content["first"] - 1  # who is back sits in person again
                found = [
                    replace(each, last=min(each.last, last))
                    if each.player == content["player"]
                    else each
                    for each in found
                ]
            elif act.kind is ActKind.STAND_IN:
                last = content["last"] or LAST_ROUND
                counts_for = CountsFor(content["counts_for"])
                new = StandIn(content["player"], content["by"], content["first"], last, counts_for)
                found.append(new)
        self.stand_ins = [each for each in found if each.first <= each.last]

    def is_absent(self, player: int, round: int) -> bool:
        """Whether a player was said not to be there."""
        absent = False
        for act in self._acts:
            if act.content.get("player") != player:
                continue
            first, last = act.content.get("first", 0), act.content.get("last") or LAST_ROUND
            if act.kind is ActKind.ABSENT and first <= round <= last:
                absent = True
            elif act.kind is ActKind.HERE and round >= first:
                absent = False
        return absent

    def sits_for(self, player: int, round: int) -> int | None:
        """The person on this player's chair, the substitute or the player; None where nobody is."""
        for each in reversed(self.stand_ins):
            if each.player == player and each.first <= round <= each.last:
                return each.by
        return None if self.is_absent(player, round) else player

    def to_draw(self, round: int) -> list[int]:
        """The players to be seated: present or with a substitute, and nobody's substitute."""
        busy = {each.by for each in self.stand_ins if each.first <= round <= each.last}
        return [
            player
            for player, first in self.entered.items()
            if first <= round and player not in busy and self.sits_for(player, round) is not None
        ]

    def for_others(self, players: Iterable[int], round: int) -> list[int]:
        """Those of these players who make points for somebody else in a round."""
        return [player for player in players if self.credited(player, round) != player]

    def credited(self, player: int, round: int) -> int:
        """Whose the points are that this player makes in a round."""
        for each in self.stand_ins:
            if each.by == player and each.first <= round <= each.last:
                return each.player if each.counts_for is CountsFor.REPLACED else player
        return player


@dataclass(frozen=True, slots=True)
class HallClock:
    """How much time a round has."""

    # seconds left `at` that moment, for a table without extra time; below 0: it is over
    left_s: float = 0.0
    running: bool = False
    at: float = 0.0  # seconds since the epoch, by the hub
    extra_s: Mapping[int, int] = field(default_factory=dict)  # seconds more, by table

    def left(self, now: float, table: int = 0) -> float:
        """Seconds left then; below 0 by how much the time is over."""
        gone = now - self.at if self.running else 0.0
        return self.left_s - gone + self.extra_s.get(table, 0)

    def order(self, now: float, table: int) -> dict[str, Any]:
        """The message to a table."""
        left = max(0, round(self.left(now, table)))
        extra = self.extra_s.get(table, 0)
        return {"left_s": left, "running": self.running, "at": round(now), "extra_s": extra}


def clock_of(acts: Iterable[DeskAct]) -> HallClock:
    """The clock as the acts that stand have left it; a new start ends all extra time."""
    clock = HallClock()
    for act in acts:
        content = act.content
        if not act.stands:
            continue
        if act.kind is ActKind.CLOCK:
            extra = {} if content["starts"] else clock.extra_s
            clock = HallClock(content["left_s"], content["running"], act.at, extra)
        elif act.kind is ActKind.EXTRA:
            more = clock.extra_s.get(content["table"], 0) + content["seconds"]
            extra = {**clock.extra_s, content["table"]: more}
            clock = HallClock(clock.left_s, clock.running, clock.at, extra)
    return clock
