"""Settling a hand by people's word, and what becomes of their answers."""

from table_assist.contract.commands import AcceptSettlement, Settle, WithdrawAcceptance
from table_assist.game.deciding import is_decided, said_to
from table_assist.game.deciding import name_of as deciding_name
from table_assist.game.events import (
    Agreed,
    Answered,
    Asked,
    Event,
    HandAbandoned,
    ReadyDeclared,
    Settled,
    WinRefused,
)
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.refused import after_refusal
from table_assist.languages.words import Words
from table_assist.record.log import Amended, Inserted, Retracted, Source
from table_assist.session import accepting
from table_assist.session.books import Books
from table_assist.session.command_transaction import CommandTransaction
from table_assist.session.questions import with_tile
from table_assist.session.resettle import due_of, hand_of
from table_assist.session.told import is_told_by_another
from table_assist.tiles.tile import parse_tile

YES, NO = "yes", "no"
_AT_THE_DESK = Words(
    "put the record right at the desk; the question stays open until then",
    "请在记分台更正记录；在此之前这个问题保持待答",
)
_NOT_ALL_KNOWN = Words(
    "something that the points depend on is not known yet", "计分所需的情况尚未全部知晓"
)


def settle_or_not(
    books: Books,
    transaction: CommandTransaction,
    command: Settle | AcceptSettlement | WithdrawAcceptance,
) -> Words | None:
    """Settle, or take that back; why not, in one sentence."""
    match command:
        case Settle(hand, seen):
            return (
                _settle_earlier(books, transaction, hand)
                if hand
                else _settle(books, transaction, seen)
            )
        case AcceptSettlement():
            return _accept(books, transaction, command)
        case WithdrawAcceptance(seat):
            before = books.record.copy()
            why = accepting.withdraw(transaction, seat)
            if why is None:
                books.settle_again(before, transaction, restoring=True)
            return why


def _accept(
    books: Books, transaction: CommandTransaction, command: AcceptSettlement
) -> Words | None:
    """A player's word on the own phone; the last one that is needed settles the hand."""
    shown = books.acceptance()
    if shown is None:
        return _settle(books, transaction, command.seen)
    why = accepting.accept(transaction, command, shown)
    after = books.acceptance()
    if why is not None or after is None or after.missing:
        return why
    return _settle(books, transaction)


def _settle(books: Books, transaction: CommandTransaction, seen: str = "") -> Words | None:
    shown = books.acceptance()
    if seen and (shown is None or shown.settlement != seen):
        return accepting.CHANGED
    if books.outcome.settled is not None:
        transaction.write(books.outcome.settled, confidence=books.certainty)
        return None
    offered = books.offered()
    if offered is not None:
        return answer_to(books, transaction, offered.question, YES)
    open_now = books.record.state.questions
    if not books.record.state.shown:
        return Words("no hand is shown that could be settled", "没有亮出可以结算的手牌")
    open_ones = [q.text for q in open_now if q.blocks or q.about]
    why = open_ones[0] if open_ones else _NOT_ALL_KNOWN
    return Words("it cannot be settled yet: {why}", "还不能结算：{why}", why=why)


def _settle_earlier(books: Books, transaction: CommandTransaction, hand: int) -> Words | None:
    """Settle a hand after which the table went on, as it is recorded."""
    found = [span for span in books.record.spans() if span.started.hand == hand]
    if not found:
        return Words("there is no hand {hand}", "没有第 {hand} 局", hand=hand)
    span = found[-1]
    end = None if span.end is None else books.record.counting[span.end]
    if not span.is_closed:
        return _settle(books, transaction)
    if end is not None and not isinstance(end[1], HandAbandoned):
        return Words("hand {hand} is settled", "第 {hand} 局已经结算", hand=hand)
    due = due_of(books.record, span)
    if due.end is None:
        return Words(
            "hand {hand} cannot be settled: {why}",
            "第 {hand} 局无法结算：{why}",
            hand=hand,
            why=due.why,
        )
    before = books.record.copy()
    if end is None:
        transaction.write(Inserted(books.record.counting[span.close][0], due.end), Source.RULES)
    else:
        transaction.write(Amended(end[0], due.end), Source.RULES)
    books.settle_again(before, transaction)
    return None


def answer_to(
    books: Books,
    transaction: CommandTransaction,
    question: QuestionId,
    answer: str,
    seat: int | None = None,
) -> Words | None:
    """Do what an answer comes to, once those have given it who decide; why not, in one sentence."""
    asked = next((q for q in books.record.state.questions if q.question == question), None)
    if asked is None:
        return Words("this question is not open any more", "这个问题已不在等待回答")
    refused = _refused(asked, answer)
    if refused is not None:
        return refused
    if seat is not None and not _is_decided(books, transaction, asked, answer, seat):
        return None
    if answer == NO and question.kind.looks_again:
        return accepting.show_again(transaction, asked)
    if answer == NO and question.kind is QuestionKind.UNSETTLED:
        return _not_given_up(books, transaction, question)
    consequence = _consequence(books, asked, answer)
    before = books.record.copy()
    if consequence is not None:
        source = Source.RULES if question.kind is QuestionKind.LATER else Source.PERSON
        is_shown = isinstance(consequence, Settled) and question.hand == books.record.state.hand
        transaction.write(consequence, source, confidence=books.certainty if is_shown else 1.0)
        if isinstance(consequence, WinRefused):
            for event in after_refusal(books.record.state, consequence.seat, books.rules):
                transaction.write(event, Source.RULES)
    transaction.write(Answered(question, answer))
    if isinstance(consequence, Amended | Retracted | Inserted):
        books.settle_again(before, transaction)
    return None


def _refused(asked: Asked, answer: str) -> Words | None:
    """Why the answer cannot be taken, in one sentence."""
    if answer not in asked.choices:
        return Words(
            "{answer} is not a choice; the choices are {choices}",
            "{answer} 不是可选的回答；可选 {choices}",
            answer=f"{answer!r}",
            choices=", ".join(asked.choices) or "-",
        )
    return _AT_THE_DESK if asked.question.kind.is_left_to_desk(answer) else None


def _not_given_up(
    books: Books, transaction: CommandTransaction, question: QuestionId
) -> Words | None:
    """A hand that ended without a settlement is settled as recorded; why not, in one sentence."""
    why = _settle_earlier(books, transaction, question.hand)
    if why is None:
        transaction.write(Answered(question, NO))
    return why


def _is_decided(
    books: Books, transaction: CommandTransaction, asked: Asked, answer: str, seat: int
) -> bool:
    """Write a player's answer down; whether it decides, alone or with another's."""
    state = books.record.state
    said = {**said_to(asked.question, state.agreed), seat: answer}
    seats = [each for each, word in said.items() if word == answer]
    transaction.write(Agreed(seat, deciding_name(asked.question, answer)))
    accused = asked.question.seat
    dies = asked.question.kind is QuestionKind.REFUSE and answer == YES and accused not in seats
    if dies and is_told_by_another(books.record, accused):
        return False  # the accused has a voice
    return is_decided(asked, answer, seats, state)


def _consequence(
    books: Books, asked: Asked, answer: str
) -> Event | Amended | Retracted | Inserted | None:
    if asked.question.kind is QuestionKind.LATER:
        return _later_consequence(books, asked, answer)
    ended = not books.record.state.is_running
    if ended and isinstance(asked.if_yes, HandAbandoned | Settled | WinRefused):
        return None  # the hand is over: there is nothing left to end
    if answer == YES:
        if asked.if_yes is not None and asked.about:
            return Amended(asked.about, asked.if_yes)
        return asked.if_yes
    if answer == NO:
        retracted = asked.about or _declared_ready(books, asked.question)
        return Retracted(retracted) if retracted and asked.if_yes is None else None
    event = books.record.event(asked.about)
    if event is None:
        return None
    return Amended(asked.about, with_tile(event, parse_tile(answer)))


def _declared_ready(books: Books, question: QuestionId) -> int:
    """The entry of a key's word that is asked about; 0 for other questions."""
    if question.kind is not QuestionKind.READY:
        return 0
    said = ReadyDeclared(question.seat or 0)
    return next((seq for seq, event in reversed(books.record.counting) if event == said), 0)


def _later_consequence(books: Books, asked: Asked, answer: str) -> Amended | Inserted | None:
    if answer != YES or asked.if_yes is None:
        return None
    if asked.about:
        return Amended(asked.about, asked.if_yes)
    span = hand_of(books.record, asked.question.entry)
    if span is None or span.end is not None or not span.is_closed:
        return None
    return Inserted(books.record.counting[span.close][0], asked.if_yes)
