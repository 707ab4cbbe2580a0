"""Answers that decide about points: never only those who gain by them give them."""

from collections.abc import Iterable

from table_assist.game.events import Agreed, Asked, WallExhausted
from table_assist.game.question import TOLD, QuestionId, QuestionKind
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.languages.words import Words, phrase

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
ENOUGH = 2


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


def name_of(question: QuestionId, answer: str) -> str:
    """The log's name of a word to an answer."""
    return f"{question}={answer}"


def is_decided(asked: Asked, answer: str, seats: Iterable[int], state: TableState) -> bool:
    """Whether these seats' word for the answer is enough: whoever loses by it has a voice."""
    given = frozenset(seats)
    if asked.question.subject == TOLD and isinstance(asked.if_yes, WallExhausted):
        return given >= {seat for seat in SEATS if asked.if_yes.transfers[seat] < 0}
    gaining = gains(asked, answer, state)
    return bool(given - gaining) or (gaining == {*SEATS} and len(given) >= ENOUGH)


def waits_for_whom(asked: Asked, answer: str, state: TableState) -> Words:
    """Who must give the answer, too, in one sentence."""
    if gains(asked, answer, state) == {*SEATS}:
        return Words("one more player must say so", "还需一位玩家同意")
    return phrase("deciding.player_who_does")
