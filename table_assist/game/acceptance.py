"""Whose word a settlement or an answer waits for, and who has given it on the own phone."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from table_assist.game.events import Agreed, Asked, Settled, WallExhausted
from table_assist.game.question import TOLD_SUBJECT, QuestionId, QuestionKind
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.languages.words import Words, phrase


class AcceptedBy(StrEnum):
    """A house's way to accept what is shown."""

    PAYERS = "payers"
    """Everybody who pays."""
    TWO = "two"
    """Any two seats; one of them does not gain."""
    SEEN = "seen"
    """Everybody has had it in view for a while, and nobody objected: the phones say so."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """How far a settlement is from being accepted on the players' phones.

    Attributes:
        settlement: its name, see `name_of`.
        by: the house's way.
        seats: whose word counts.
        accepted: of these, who has given it.
        missing: how many words are still to come.
    """

    settlement: str
    by: AcceptedBy
    seats: tuple[int, ...]
    accepted: tuple[int, ...]
    missing: int


def is_settlement(said: Agreed, hand: int, seat: int) -> bool:
    """Whether it is the seat's word to a settlement of this hand, whichever."""
    return said.seat == seat and said.to.startswith(f"{hand} ")


def name_of(hand: int, settled: Settled) -> str:
    """A settlement's name for those who accept it: another name for other payments.

    >>> name_of(3, Settled((0,), (6, -2, -2, -2), 0))
    '3 0 +6-2-2-2'
    """
    winners = ",".join(map(str, settled.winners))
    return f"{hand} {winners} {''.join(f'{points:+d}' for points in settled.transfers)}"


def acceptance(
    hand: int,
    settled: Settled,
    said: Iterable[Agreed],
    by: AcceptedBy,
    losers: Collection[int] = (),
) -> Acceptance:
    """The missing words; one that was given to another settlement counts for nothing.

    Args:
        losers: seats that get less by what others told: they are asked like those who pay.
    """
    name = name_of(hand, settled)
    gave = {each.seat for each in said if each.to == name}
    payers = tuple(seat for seat in SEATS if settled.transfers[seat] < 0 or seat in losers)
    if by is AcceptedBy.PAYERS and payers:
        accepted = tuple(seat for seat in payers if seat in gave)
        return Acceptance(name, by, payers, accepted, len(payers) - len(accepted))
    accepted = tuple(seat for seat in SEATS if seat in gave)
    if by is AcceptedBy.SEEN:
        return Acceptance(name, by, tuple(SEATS), accepted, len(SEATS) - len(accepted))
    only_gain = bool(accepted) and all(settled.transfers[seat] > 0 for seat in accepted)
    missing = max(2 - len(accepted), int(only_gain))
    return Acceptance(name, by, tuple(SEATS), accepted, missing)


# About somebody's win: all players are asked.
_OF_A_WIN = (
    QuestionKind.REFUSE,
    QuestionKind.OBJECTION,
    QuestionKind.PLAYED_ON,
    QuestionKind.TOGETHER,
)
# What lies open and cannot be read is seen by all.
_OF_WHAT_LIES_OPEN = (QuestionKind.SHOW, QuestionKind.BIRD)
# How a hand ends that nobody followed: any two of them know.
_OF_AN_END = (QuestionKind.DRAWN,)
ENOUGH_WITNESSES = 2


def is_for_all(asked: Asked, state: TableState) -> bool:
    """Whether every player may answer, on the own phone."""
    question = asked.question
    kinds = [*_OF_A_WIN, *_OF_AN_END]
    if state.phase is Phase.SHOWING:
        kinds += _OF_WHAT_LIES_OPEN
    return question.hand == state.hand and question.kind in kinds


def gains(asked: Asked, answer: str, state: TableState) -> frozenset[int]:
    """The seats that are better off by the answer."""
    kind, seat = asked.question.kind, asked.question.seat
    winners = frozenset(hand.seat for hand in state.shown) | frozenset(state.declared)
    others = frozenset(SEATS) - (winners if kind is QuestionKind.OBJECTION else {seat})
    match kind, answer:
        case QuestionKind.OBJECTION, "yes":
            return winners
        case QuestionKind.OBJECTION, _:
            return others
        case ((QuestionKind.REFUSE | QuestionKind.PLAYED_ON), "yes"):
            return others
        case QuestionKind.PLAYED_ON, _:
            return frozenset() if seat is None else frozenset({seat})
        case QuestionKind.REFUSE, _:
            return frozenset()  # the hand is only looked at again
        case _:
            return frozenset(SEATS)


def said_to(question: QuestionId, agreed: Iterable[Agreed]) -> dict[int, str]:
    """Each seat's answer so far, by its last word."""
    begin = f"{question}="
    return {each.seat: each.to.removeprefix(begin) for each in agreed if each.to.startswith(begin)}


def answer_name(question: QuestionId, answer: str) -> str:
    """The log's name of a word to an answer."""
    return f"{question}={answer}"


def is_decided(asked: Asked, answer: str, seats: Iterable[int], state: TableState) -> bool:
    """Whether these seats' word for the answer is enough: whoever loses by it has a voice."""
    given = frozenset(seats)
    if asked.question.subject == TOLD_SUBJECT and isinstance(asked.if_yes, WallExhausted):
        return given >= {seat for seat in SEATS if asked.if_yes.transfers[seat] < 0}
    gaining = gains(asked, answer, state)
    return bool(given - gaining) or (gaining == {*SEATS} and len(given) >= ENOUGH_WITNESSES)


def waits_for_whom(asked: Asked, answer: str, state: TableState) -> Words:
    """Who must give the answer, too, in one sentence."""
    if gains(asked, answer, state) == {*SEATS}:
        return Words("one more player must say so", "还需一位玩家同意")
    return phrase("acceptance.player_who_does")
