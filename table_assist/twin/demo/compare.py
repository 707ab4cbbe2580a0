"""A hand's truth beside what the record gained in the meantime."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from table_assist.game.events import (
    Agreed,
    Answered,
    Asked,
    BoardSaid,
    BonusLaid,
    Claimed,
    ClockSet,
    Drew,
    EggLaid,
    Event,
    HandLaidDown,
    HandShown,
    HandStarted,
    IndicatorTurned,
    IrregularityNoted,
    Penalised,
    PlayerNamed,
    Settled,
    StartingHandShown,
    Transfers,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.state import NO_TRANSFERS
from table_assist.record.record import Record
from table_assist.tiles.tile import Tile

# No events of play; and draws, which nobody sees: the next discard tells them.
BESIDE = (Agreed, Asked, Answered, BoardSaid, ClockSet, Drew, PlayerNamed)
_SEAT = re.compile(r"\{([0-3])\}")
# Several people may do these at the same time.
AT_ONCE = (HandLaidDown, IndicatorTurned, WinDeclared)


@dataclass(frozen=True, slots=True)
class HandFigures:
    """One hand: what was so, and what the program made of it without help.

    Attributes:
        evening: the seed that it can be played again with.
        hand: its number in that evening, from 1.
        ledger: what the record moved; None when it did not settle the hand.
        events_true: of the truth.
        events_right: of these, in the record, in their order.
        missing: true events that the record lacks, as text, the first few.
        surplus: recorded events that are not true, as text, the first few.
        questions: what people were asked, but for what only they can know and have said.
    """

    rules: str
    evening: int
    hand: int
    truth: Transfers
    ledger: Transfers | None
    events_true: int
    events_right: int
    missing: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        """The ledger moved what it should have."""
        return self.ledger == self.truth

    @property
    def is_silently_wrong(self) -> bool:
        """It did not, and nobody was asked anything."""
        return not self.is_right and not self.questions

    def to_json(self) -> dict[str, object]:
        """The fields by name."""
        return asdict(self) | {"right": self.is_right, "silently_wrong": self.is_silently_wrong}


def compare(
    rules: str, evening: int, hand: int, truth: Sequence[Event], record: Record, first: int
) -> HandFigures:
    """The hand's truth beside the entries after the number `first`."""
    gained = [event for seq, event in record.counting if seq > first]
    got = [event for event in gained if not isinstance(event, BESIDE)]
    truth = [event for event in truth if not isinstance(event, BESIDE)]
    true = next((e.transfers for e in truth if isinstance(e, Settled)), NO_TRANSFERS)
    exhausted = next((e for e in truth if isinstance(e, WallExhausted)), None)
    if exhausted is not None:
        true = exhausted.transfers
    answered = {e.question for e in gained if isinstance(e, Answered) and e.answer}
    pairs = common([key_of(e) for e in truth], [key_of(e) for e in got])
    pairs += in_another_order(truth, got, pairs)
    in_truth, in_record = {a for a, _ in pairs}, {b for _, b in pairs}
    return HandFigures(
        rules=rules,
        evening=evening,
        hand=hand,
        truth=true,
        ledger=_ledger(got),
        events_true=len(truth),
        events_right=len(pairs),
        missing=tuple(str(e) for i, e in enumerate(truth) if i not in in_truth)[:4],
        surplus=tuple(str(e) for i, e in enumerate(got) if i not in in_record)[:4],
        questions=tuple(
            _SEAT.sub(lambda seat: f"Seat {int(seat[1]) + 1}", event.text.en)
            for event in gained
            if isinstance(event, Asked) and event.question not in answered
        ),
    )


def _ledger(got: Sequence[Event]) -> Transfers | None:
    """The transfers of the record's last end of a hand."""
    ends = [event for event in got if isinstance(event, Settled | WallExhausted)]
    return ends[-1].transfers if ends else None


def key_of(event: Event) -> object:
    """The common part of two records of an event: words and a hand's order of tiles may differ."""
    match event:
        case Settled(winners, transfers):
            return Settled, frozenset(winners), transfers
        case WallExhausted(dealer_next, transfers):
            return WallExhausted, dealer_next, transfers
        case HandStarted(dealer=dealer):
            return HandStarted, dealer
        case HandShown(seat, concealed, winning_tile, self_drawn, rush):
            return HandShown, seat, tuple(sorted(concealed)), winning_tile, self_drawn, rush
        case BonusLaid(seat, tiles) | StartingHandShown(seat, tiles) | EggLaid(seat, tiles):
            return type(event), seat, tuple(sorted(tiles))
        case HandLaidDown(seat, concealed):
            return HandLaidDown, seat, tuple(sorted(concealed))
        case Claimed(seat, kind, tiles, discarder):
            return Claimed, seat, kind, tuple(sorted(tiles)), discarder
        case WinRefused(seat):
            return WinRefused, seat
        case IrregularityNoted(seat, irregularity):
            return IrregularityNoted, seat, irregularity
        case Penalised(transfers):
            return Penalised, transfers
        case _:
            return event


def in_another_order(
    truth: Sequence[Event], got: Sequence[Event], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Events at one time, and a treasure that is known only when it is turned up."""
    free = set(range(len(got))) - {place for _, place in pairs}
    found = []
    for place in sorted(set(range(len(truth))) - {place for place, _ in pairs}):
        event = truth[place]
        if not isinstance(event, AT_ONCE):
            continue
        hidden = isinstance(event, IndicatorTurned) and event.tile is Tile.UNKNOWN
        places = range(len(got)) if hidden else sorted(free)
        other = next((at for at in places if _is_same(event, got[at])), None)
        if other is not None:
            if not hidden:  # the entry stands for the tile that is turned up, too
                free.discard(other)
            found.append((place, other))
    return found


def _is_same(event: Event, other: Event) -> bool:
    if isinstance(event, IndicatorTurned) and isinstance(other, IndicatorTurned):
        hidden = event.tile is Tile.UNKNOWN
        return event.column == other.column and (hidden or event.tile is other.tile)
    return key_of(event) == key_of(other)


def common(true: Sequence[object], got: Sequence[object]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence in both."""
    lengths = [[0] * (len(got) + 1) for _ in range(len(true) + 1)]
    for i in reversed(range(len(true))):
        for j in reversed(range(len(got))):
            lengths[i][j] = (
                lengths[i + 1][j + 1] + 1
                if true[i] == got[j]
                else max(lengths[i + 1][j], lengths[i][j + 1])
            )
    pairs, i, j = [], 0, 0
    while i < len(true) and j < len(got):
        if true[i] == got[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
