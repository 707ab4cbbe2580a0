"""The execution of people's commands: each is obeyed whole, or refused in one sentence."""

from dataclasses import replace
from typing import assert_never

from table_assist.contract.commands import (
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
from table_assist.game.doubt import Doubt
from table_assist.game.events import ClockSet, Event, HandShown, HandTold
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.rulings import rulings
from table_assist.game.state import SEATS, Phase
from table_assist.languages.words import Words, player_at
from table_assist.record.record import Record
from table_assist.session import before_the_hand as spoken
from table_assist.session import corrections as changing
from table_assist.session import manual_hands
from table_assist.session.agreeing import answer_to, settle_or_not
from table_assist.session.books import Books, asked_of
from table_assist.session.command_transaction import CommandTransaction
from table_assist.session.corrections import no_seat
from table_assist.session.without_board import Said, read_command

# A player who does not agree with what is shown: the hand waits until a person has answered.

_NOTHING = Words("no hand is shown that one could object to", "没有可以提出异议的亮牌")


def objection(record: Record, seat: int) -> Doubt | Words:
    """The question that holds the settlement up; in one sentence why there is none.

    To the same showing of a hand a seat objects once: what was answered is not asked again.
    """
    if seat not in SEATS:
        return no_seat(seat)
    state = record.state
    if state.phase is not Phase.SHOWING or not state.shown:
        return _NOTHING
    shown_at = max(seq for seq, event in record.counting if isinstance(event, HandShown | HandTold))
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
    return Doubt(question, text, ("yes", "no"), blocks=True)


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
                why = self._say(transaction, command)
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
                why = changing.rule(transaction, command, self._irregularities())
        if why is None:
            self.settle_again(before, transaction, restoring=isinstance(command, Undo))
        return why

    def _irregularities(self) -> frozenset[str]:
        known = rulings(self.rules, seat=0, dealer=0)
        return frozenset(each.irregularity for each in known)

    def _say(self, transaction: CommandTransaction, command: Said) -> Words | None:
        if isinstance(command, StartHand | EndHand):
            self.accept()  # who goes on with the next hand has accepted what was shown
        meaning = read_command(self.record.state, command, self.profile)
        for event in meaning.events:
            transaction.write(event)
        return meaning.notice

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
        said: Event | Words
        match command:
            case SetClock(evening_s, round_s, think_s, running):
                said = ClockSet(evening_s, round_s, think_s, running)
            case NamePlayer():
                said = spoken.name(state, command)
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
        transaction.write(said)
        return None


def trial_of(handler: CommandHandler) -> CommandHandler:
    """A handler with a copy of the record, on which a command may be tried."""
    return replace(handler, record=handler.record.copy())
