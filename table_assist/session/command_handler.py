"""The execution of people's commands: each is obeyed whole, or refused in one sentence."""

from dataclasses import replace
from typing import assert_never

from table_assist.game.acceptance import Acceptance, answer_name, is_decided, is_settlement, said_to
from table_assist.game.course import due_end
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    Agreed,
    Answered,
    Asked,
    BirdTurned,
    ClockSet,
    DeclaredHand,
    Event,
    HandAbandoned,
    HandTold,
    ReadyDeclared,
    Settled,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.people import called, seated
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.rulings import after_refusal, offences
from table_assist.game.state import SEATS, Phase
from table_assist.languages.words import Words, player_at
from table_assist.record.commands import (
    AcceptSettlement,
    Answer,
    BeginGame,
    ChangeSeats,
    ChooseDealer,
    Command,
    Correct,
    DeclareReady,
    DeclareWin,
    EndHand,
    Insert,
    NamePlayer,
    PassLastTile,
    PlaceAntes,
    RaiseObjection,
    Rule,
    SetClock,
    Settle,
    StartHand,
    TellBirds,
    TellDraw,
    TellHand,
    TellOpening,
    TellTreasure,
    Told,
    Undo,
    WithdrawAcceptance,
)
from table_assist.record.log import Amended, Inserted, Retracted, Source
from table_assist.record.record import Record
from table_assist.session import before_the_hand as spoken
from table_assist.session import corrections as changing
from table_assist.session import manual_hands
from table_assist.session.books import Books, asked_of
from table_assist.session.command_transaction import CommandTransaction
from table_assist.session.corrections import due_of, hand_of, no_seat, undo
from table_assist.session.questions import with_tile
from table_assist.session.signals import read_command
from table_assist.tiles.tile import parse_tile
from table_assist.vision.table.zones import ZoneKind

# Settling a hand by people's word, and what becomes of their answers.

# A player accepts what is shown, or takes that back.

SHOWN_CHANGED = Words(
    "what is shown has changed since you looked: look at it again",
    "您看过之后，所示结果已有变化：请再看一次",
)
_NOT_ASKED = Words(
    "this settlement waits for others: who pays accepts it",
    "这次结算等的是别人：由付分者确认",
)
_NOTHING_ACCEPTED = Words(
    "there is nothing accepted that could be taken back", "没有可以撤回的确认"
)


def accept(
    transaction: CommandTransaction, command: AcceptSettlement, shown: Acceptance
) -> Words | None:
    """Write it down; why not, in one sentence."""
    seat = command.seat
    if seat not in SEATS:
        return no_seat(seat)
    if command.seen != shown.settlement:
        return SHOWN_CHANGED
    if seat not in shown.seats:
        return _NOT_ASKED
    if seat not in shown.accepted:
        transaction.write(Agreed(seat, command.seen))
    return None


def withdraw(transaction: CommandTransaction, seat: int) -> Words | None:
    """Take the seat's word back, and the settlement of this hand that rests on it.

    A draw that people told is taken back by any player: nobody is asked to accept one.
    """
    if seat not in SEATS:
        return no_seat(seat)
    record = transaction.record
    given = ended = 0
    for entry in record.hand_entries():
        if isinstance(entry.event, Agreed) and is_settlement(entry.event, record.state.hand, seat):
            given = entry.seq
        drawn = isinstance(entry.event, WallExhausted) and entry.source is Source.PERSON
        if drawn or (isinstance(entry.event, Settled) and given):
            ended = entry.seq
    found = [seq for seq in (ended, given) if seq]  # the settlement first: it followed
    if not found or (ended and record.state.phase is not Phase.SETTLED):
        return _NOTHING_ACCEPTED
    refused = (undo(transaction, seq) for seq in found)
    return next((why for why in refused if why is not None), None)


def show_again(transaction: CommandTransaction, asked: Asked) -> Words | None:
    """Take back the hands that are doubted: they are laid open, or photographed, once more.

    The question has lost its ground: of the next showing it is asked anew. A win that was declared
    by telling the hand goes with it, and birds with the last win: who told what was none need not
    come back for the table to go on.
    """
    kind = asked.question.kind
    seat = asked.question.seat if kind is QuestionKind.REFUSE else None
    record = transaction.record
    doubted = [hand.seat for hand in record.state.shown if seat in (None, hand.seat)]
    transaction.write(Answered(asked.question, ""))
    entries = record.hand_entries()
    shown = [
        entry
        for entry in entries
        if isinstance(entry.event, DeclaredHand) and entry.event.seat in doubted
        if entry.event.winning_tile is not None  # else of kongs that were told
    ]
    told = {entry.cause or entry.seq for entry in shown if isinstance(entry.event, HandTold)}
    declared = [
        entry
        for entry in entries
        if isinstance(entry.event, WinDeclared) and (entry.cause or entry.seq) in told
    ]
    birds = [entry for entry in entries if isinstance(entry.event, BirdTurned)]
    left = {hand.seat for hand in record.state.shown} - set(doubted)
    takes_birds = kind.zone is ZoneKind.BIRDS or (declared and not left)
    goes = [*shown, *declared, *(birds if takes_birds else ())]
    for entry in sorted(goes, key=lambda each: -each.seq):
        if record.stands(entry.seq):
            why = undo(transaction, entry.seq)
            if why is not None:
                return why
    return None


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
    books.ask_soon()
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
            why = withdraw(transaction, seat)
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
    why = accept(transaction, command, shown)
    after = books.acceptance()
    if why is not None or after is None or after.missing:
        return why
    return _settle(books, transaction)


def _settle(books: Books, transaction: CommandTransaction, seen: str = "") -> Words | None:
    shown = books.acceptance()
    if seen and (shown is None or shown.settlement != seen):
        return SHOWN_CHANGED
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
    if seat is not None:  # a player's answer is written down, and decides alone or with another's
        state = books.record.state
        said = {**said_to(asked.question, state.agreed), seat: answer}
        seats = [each for each, word in said.items() if word == answer]
        transaction.write(Agreed(seat, answer_name(asked.question, answer)))
        if not is_decided(asked, answer, seats, state):
            return None
    if answer == NO and question.kind.looks_again:
        return show_again(transaction, asked)
    if answer == NO and question.kind is QuestionKind.UNSETTLED:
        # A hand that ended without a settlement is settled as recorded; why not, in one sentence
        why = _settle_earlier(books, transaction, question.hand)
        if why is None:
            transaction.write(Answered(question, NO))
        return why
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
    return _AT_THE_DESK if answer == asked.question.kind.left_to_desk else None


def _consequence(
    books: Books, asked: Asked, answer: str
) -> Event | Amended | Retracted | Inserted | None:
    if asked.question.kind is QuestionKind.LATER:
        if answer != YES or asked.if_yes is None:
            return None
        if asked.about:
            return Amended(asked.about, asked.if_yes)
        span = hand_of(books.record, asked.question.entry)
        if span is None or span.end is not None or not span.is_closed:
            return None
        return Inserted(books.record.counting[span.close][0], asked.if_yes)
    ended = not books.record.state.is_running
    if ended and isinstance(asked.if_yes, HandAbandoned | Settled | WinRefused):
        return None  # the hand is over: there is nothing left to end
    if answer == YES:
        if asked.if_yes is not None and asked.about:
            return Amended(asked.about, asked.if_yes)
        if asked.question.kind is QuestionKind.DRAWN and not ended:
            return due_end(books.record.state, drawn=True).end  # of what is on record by now
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


# A player who does not agree with what is shown: the hand waits until a person has answered.

_NO_HAND_SHOWN = Words("no hand is shown that one could object to", "没有可以提出异议的亮牌")


def objection(record: Record, seat: int) -> Doubt | Words:
    """The question that holds the settlement up; in one sentence why there is none.

    To the same showing of a hand a seat objects once: what was answered is not asked again.
    """
    if seat not in SEATS:
        return no_seat(seat)
    state = record.state
    if state.phase is not Phase.SHOWING or not state.shown:
        return _NO_HAND_SHOWN
    shown_at = max(seq for seq, event in record.counting if isinstance(event, DeclaredHand))
    question = QuestionId(state.hand, QuestionKind.OBJECTION, seat, shown_at)
    if any(asked.question == question for asked in state.questions):
        return Words("{seat} has objected already", "{seat} 已提出异议", seat=player_at(seat))
    if record.answered(question):
        return Words(
            "what {seat} objected to was looked at and answered",
            "{seat} 的异议已经处理",
            seat=player_at(seat),
        )
    text = Words(
        "{seat} objects to what is shown. Looked at again: does it stand?",
        "{seat} 对所亮的牌有异议。重新看过：仍然有效吗？",
        seat=player_at(seat),
    )
    return Doubt(question, text, blocks=True)


Prepared = BeginGame | PlaceAntes | ChangeSeats | ChooseDealer | NamePlayer | SetClock


class CommandHandler(Books):
    """Writes down what follows from what is said."""

    __slots__ = ()

    def execute(self, command: Command, by: str = "", key: str = "") -> Words | None:
        """Do what a person says; None when it was done, else why not, in one sentence."""
        transaction = CommandTransaction(self.record, by, key)
        match command:
            case Answer(question, answer, seat):
                why = answer_to(self, transaction, question, answer, seat)
            case Undo() | Correct() | Insert() | Rule():
                why = self._change(transaction, command)
            case Settle() | AcceptSettlement() | WithdrawAcceptance():
                why = settle_or_not(self, transaction, command)
            case StartHand() | DeclareWin() | DeclareReady() | PassLastTile() | EndHand():
                if isinstance(command, StartHand | EndHand):
                    self.accept()  # who goes on with the next hand has accepted what was shown
                meaning = read_command(self.record.state, command, self.profile)
                for event in meaning.events:
                    transaction.write(event)
                why = meaning.notice
            case (
                BeginGame()
                | PlaceAntes()
                | ChangeSeats()
                | ChooseDealer()
                | NamePlayer()
                | SetClock()
            ):
                why = self._prepare(transaction, command)
            case TellHand() | TellOpening() | TellBirds() | TellDraw():
                why = self._tell(transaction, command)
            case TellTreasure():
                why, doubt = spoken.treasure(transaction, command)
                if doubt is not None:
                    self.ask(doubt, cause=transaction.first)
            case RaiseObjection(seat):
                why = self._object(transaction, seat)
            case _:
                assert_never(command)
        return None if why is None else self.named(why)

    def _change(
        self, transaction: CommandTransaction, command: Undo | Correct | Insert | Rule
    ) -> Words | None:
        """Change what is recorded, in any hand, and settle again what comes to something else."""
        before = self.record.copy()
        match command:
            case Undo(seq):
                why = changing.undo(transaction, seq)
            case Correct():
                why = changing.correct(transaction, command)
            case Insert():
                why = changing.insert(transaction, command)
            case Rule():
                why = changing.rule(transaction, command, offences(self.rules))
        if why is None:
            self.settle_again(before, transaction, restoring=isinstance(command, Undo))
        return why

    def _tell(self, transaction: CommandTransaction, command: Told) -> Words | None:
        """Record a hand that was not followed; refused half-way, nothing of it stays."""
        seq = self.record.seq
        said = manual_hands.tell(transaction, command, self.profile)
        if isinstance(said, Words):
            self.record.forget(seq)
            return said
        for doubt in said:
            self.ask(doubt, cause=transaction.first)
        return None

    def _object(self, transaction: CommandTransaction, seat: int) -> Words | None:
        said = objection(self.record, seat)
        if isinstance(said, Words):
            return said
        transaction.write(asked_of(said))
        return None

    def _prepare(self, transaction: CommandTransaction, command: Prepared) -> Words | None:
        state, rules = self.record.state, self.profile.rules
        said: Event | Words | tuple[Event, ...]
        match command:
            case SetClock(evening_s, round_s, think_s, running):
                said = ClockSet(evening_s, round_s, think_s, running)
            case NamePlayer():
                names = seated(called(state.names, self.names), state.people)
                said = spoken.name(state, command, names)
            case BeginGame():
                said = spoken.game(state, command)
            case PlaceAntes():
                said = spoken.stakes(rules, state, command)
            case ChangeSeats():
                said = spoken.seats(state, command)
            case ChooseDealer():
                said = spoken.dealer(rules, state, command)
        if isinstance(said, Words):
            return said
        for event in said if isinstance(said, tuple) else (said,):
            transaction.write(event)
        return None


def trial_of(handler: CommandHandler) -> CommandHandler:
    """A handler with a copy of the record, on which a command may be tried."""
    return replace(handler, record=handler.record.copy())
