"""What becomes of what people say, and what follows from all that is recorded.

A clerk keeps one record, the table's own or a copy of it on which a command is tried. Nothing here
knows threads, cameras or clocks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
from table_assist.game.acceptance import Acceptance, AcceptedBy, acceptance
from table_assist.game.deciding import is_decided, said_to
from table_assist.game.deciding import name_of as deciding_name
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    Agreed,
    Answered,
    Asked,
    Event,
    HandAbandoned,
    Settled,
    WinRefused,
)
from table_assist.game.in_force import rules_in_force
from table_assist.game.people import Names, called, name_words, seated
from table_assist.game.question import Lifetime, QuestionId, QuestionKind
from table_assist.game.refused import after_refusal
from table_assist.game.rulings import rulings
from table_assist.game.state import Phase
from table_assist.record.log import (
    Amended,
    Inserted,
    Retracted,
    Source,
)
from table_assist.record.record import Record
from table_assist.rules.profile import Profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session import (
    accepting,
    manual_hands,
)
from table_assist.session import (
    before_the_hand as spoken,
)
from table_assist.session import (
    corrections as changing,
)
from table_assist.session.entry_writer import Pen
from table_assist.session.objections import objection
from table_assist.session.questions import with_tile
from table_assist.session.resettle import (
    due_of,
    hand_of,
    settle_again,
)
from table_assist.session.settling import (
    Outcome,
    outcome,
)
from table_assist.session.without_board import Said, read_command
from table_assist.tiles import Tile, parse_tile
from table_assist.words import Words

YES, NO = "yes", "no"
_NOT_ALL_KNOWN = Words(
    "something that the points depend on is not known yet", "计分所需的情况尚未全部知晓"
)


@dataclass(slots=True)
class Clerk:
    """Writes down what follows from what is said.

    Attributes:
        names: the players', by the seats in which they began, for who has not said another.
        accepted_by: how a settlement is accepted on the players' phones.
        candidates: the likeliest faces of what could not be read, by entry.
        outcome: what the hands shown now amount to.
    """

    profile: Profile
    names: Names
    record: Record
    candidates: Mapping[int, tuple[Tile, ...]] = field(default_factory=dict)
    outcome: Outcome = field(default_factory=Outcome)
    accepted_by: AcceptedBy = AcceptedBy.PAYERS

    @property
    def rules(self) -> RuleSet:
        """Those of the hand on the table; while the next is prepared, the table's."""
        state = self.record.state
        dealt = state.is_running or state.phase is Phase.SETTLED
        return rules_in_force(state) if dealt and state.hand else self.profile.rules

    def named(self, words: Words) -> Words:
        """A sentence with the players' names for ``{0}`` to ``{3}``."""
        en, zh = words.en, words.zh
        state = self.record.state
        for seat, name in enumerate(seated(called(state.names, self.names), state.people)):
            said = name_words(name, seat)
            en, zh = en.replace(f"{{{seat}}}", said.en), zh.replace(f"{{{seat}}}", said.zh)
        return Words(en, zh)

    # -- commands ------------------------------------------------------------------------------

    def obey(self, command: Command, by: str = "", key: str = "") -> Words | None:
        """Do what a person says; None when it was done, else why not, in one sentence."""
        pen = Pen(self.record, by, key)
        match command:
            case Answer(question, answer, seat):
                why = self._answer(pen, question, answer, seat)
            case Undo() | Correct() | Insert() | Rule():
                why = self._change(pen, command)
            case Settle() | AcceptSettlement() | WithdrawAcceptance():
                why = self._settle_or_not(pen, command)
            case StartHand() | DeclareWin() | DeclareReady() | PassLastTile() | EndHand():
                why = self._say(pen, command)
            case BeginGame() | PlaceAntes() | ChangeSeats() | ChooseDealer() | NamePlayer():
                why = self._prepare(pen, command)
            case TellHand() | TellOpening() | TellBirds() | TellDraw():
                why = self._tell(pen, command)
            case TellTreasure():
                why, doubt = spoken.treasure(pen, command)
                if doubt is not None:
                    self.ask(doubt, cause=pen.first)
            case RaiseObjection(seat):
                why = self._object(pen, seat)
            case _:
                assert_never(command)
        return None if why is None else self.named(why)

    def _change(self, pen: Pen, command: Undo | Correct | Insert | Rule) -> Words | None:
        """Change what is recorded, in any hand, and settle again what comes to something else."""
        before = self.record.copy()
        match command:
            case Undo(seq):
                why = changing.undo(pen, seq)
            case Correct():
                why = changing.correct(pen, command)
            case Insert():
                why = changing.insert(pen, command)
            case Rule():
                why = changing.rule(pen, command, self._irregularities())
        if why is None:
            self._settle_again(before, pen, restoring=isinstance(command, Undo))
        return why

    def _irregularities(self) -> frozenset[str]:
        known = rulings(self.rules, seat=0, dealer=0)
        return frozenset(each.irregularity for each in known)

    def _settle_again(self, before: Record, pen: Pen, *, restoring: bool = False) -> None:
        for doubt in settle_again(before, pen, restoring=restoring):
            self.ask(doubt, cause=pen.first)

    def _say(self, pen: Pen, command: Said) -> Words | None:
        if isinstance(command, StartHand | EndHand):
            self.accept()  # who goes on with the next hand has accepted what was shown
        meaning = read_command(self.record.state, command, self.profile)
        for event in meaning.events:
            pen.write(event)
        return meaning.notice

    def _tell(self, pen: Pen, command: Told) -> Words | None:
        """What was not followed; refused half-way, nothing of it stays."""
        seq = self.record.seq
        said = manual_hands.tell(pen, command, self.profile)
        if isinstance(said, Words):
            self.record.forget(seq)
            return said
        for doubt in said:
            self.ask(doubt, cause=pen.first)
        return None

    def _object(self, pen: Pen, seat: int) -> Words | None:
        said = objection(self.record, seat)
        if isinstance(said, Words):
            return said
        pen.write(_asked(said))
        return None

    def _prepare(
        self, pen: Pen, command: BeginGame | PlaceAntes | ChangeSeats | ChooseDealer | NamePlayer
    ) -> Words | None:
        state, rules = self.record.state, self.profile.rules
        match command:
            case NamePlayer():
                said: Event | Words = spoken.name(state, command)
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
        pen.write(said)
        return None

    # -- settling by people's word ----------------------------------------------------------------

    def accept(self, by: str = "", source: Source = Source.RULES) -> bool:
        """Settle as shown, if nothing is in doubt; whether that was so."""
        settled = self.outcome.settled
        if settled is None or self.record.state.phase is not Phase.SHOWING:
            return False
        Pen(self.record, by).write(settled, source)
        self.outcome = outcome(self.rules, self.record)
        return True

    def acceptance(self) -> Acceptance | None:
        """Whose word the settlement shown waits for; None while none could be accepted."""
        state = self.record.state
        asked = self._offered()
        settled = self.outcome.settled if asked is None else asked.if_yes
        if state.phase is not Phase.SHOWING or not isinstance(settled, Settled):
            return None
        return acceptance(state.hand, settled, state.agreed, self.accepted_by)

    def _offered(self) -> Asked | None:
        """The question whether it is settled as shown, where it is not to be settled unasked."""
        if self.outcome.settled is not None:
            return None
        questions = self.record.state.questions
        return next(
            (
                asked
                for asked in questions
                if isinstance(asked.if_yes, Settled)
                and asked.question.kind is not QuestionKind.LATER
            ),
            None,
        )

    def _settle_or_not(
        self, pen: Pen, command: Settle | AcceptSettlement | WithdrawAcceptance
    ) -> Words | None:
        match command:
            case Settle(hand, seen):
                return self._settle_earlier(pen, hand) if hand else self._settle(pen, seen)
            case AcceptSettlement():
                return self._accept(pen, command)
            case WithdrawAcceptance(seat):
                before = self.record.copy()
                why = accepting.withdraw(pen, seat)
                if why is None:
                    self._settle_again(before, pen, restoring=True)
                return why

    def _accept(self, pen: Pen, command: AcceptSettlement) -> Words | None:
        """A player's word on the own phone; the last one that is needed settles the hand."""
        shown = self.acceptance()
        if shown is None:
            return self._settle(pen, command.seen)
        why = accepting.accept(pen, command, shown)
        after = self.acceptance()
        if why is not None or after is None or after.missing:
            return why
        return self._settle(pen)

    def _settle(self, pen: Pen, seen: str = "") -> Words | None:
        shown = self.acceptance()
        if seen and (shown is None or shown.settlement != seen):
            return accepting.CHANGED
        if self.outcome.settled is not None:
            pen.write(self.outcome.settled)
            return None
        offered = self._offered()
        if offered is not None:
            return self._answer(pen, offered.question, YES)
        open_now = self.record.state.questions
        if not self.record.state.shown:
            return Words("no hand is shown that could be settled", "没有亮出可以结算的手牌")
        open_ones = [q.text for q in open_now if q.blocks or q.about]
        why = open_ones[0] if open_ones else _NOT_ALL_KNOWN
        return Words(f"it cannot be settled yet: {why.en}", f"还不能结算：{why.zh}")

    def _settle_earlier(self, pen: Pen, hand: int) -> Words | None:
        """Settle a hand after which the table went on, as it is recorded."""
        found = [span for span in self.record.spans() if span.started.hand == hand]
        if not found:
            return Words(f"there is no hand {hand}", f"没有第 {hand} 局")
        span = found[-1]
        end = None if span.end is None else self.record.counting[span.end]
        if not span.is_closed:
            return self._settle(pen)
        if end is not None and not isinstance(end[1], HandAbandoned):
            return Words(f"hand {hand} is settled", f"第 {hand} 局已经结算")
        due = due_of(self.record, span)
        if due.end is None:
            return Words(
                f"hand {hand} cannot be settled: {due.why.en}",
                f"第 {hand} 局无法结算：{due.why.zh}",
            )
        before = self.record.copy()
        if end is None:
            pen.write(Inserted(self.record.counting[span.close][0], due.end), Source.RULES)
        else:
            pen.write(Amended(end[0], due.end), Source.RULES)
        self._settle_again(before, pen)
        return None

    # -- questions -----------------------------------------------------------------------------

    def ask(self, doubt: Doubt, cause: int = 0) -> None:
        """Put a doubt to the people; once it is open, or a person has answered it, not again."""
        if any(question.question == doubt.question for question in self.record.state.questions):
            return
        if self.record.answered(doubt.question):
            return
        self.record.append(_asked(doubt), Source.RULES, cause=cause)

    def _answer(
        self, pen: Pen, question: QuestionId, answer: str, seat: int | None = None
    ) -> Words | None:
        asked = next((q for q in self.record.state.questions if q.question == question), None)
        if asked is None:
            return Words(
                f"the question {str(question)!r} is not open (any more)",
                f"问题 {str(question)!r} 已不在等待回答",
            )
        if answer not in asked.choices:
            choices = ", ".join(asked.choices) or "-"
            return Words(
                f"{answer!r} is not a choice; the choices are {choices}",
                f"{answer!r} 不是可选的回答；可选 {choices}",
            )
        if seat is not None and not self._is_decided(pen, asked, answer, seat):
            return None
        if answer == NO and question.kind in (QuestionKind.REFUSE, QuestionKind.OBJECTION):
            return accepting.show_again(pen, asked)
        consequence = self._consequence(asked, answer)
        before = self.record.copy()
        if consequence is not None:
            source = Source.RULES if question.kind is QuestionKind.LATER else Source.PERSON
            pen.write(consequence, source)
            if isinstance(consequence, WinRefused):
                for event in after_refusal(self.record.state, consequence.seat, self.rules):
                    pen.write(event, Source.RULES)
        pen.write(Answered(question, answer))
        if isinstance(consequence, Amended | Retracted | Inserted):
            self._settle_again(before, pen)
        return None

    def _is_decided(self, pen: Pen, asked: Asked, answer: str, seat: int) -> bool:
        """Write a player's answer down; whether it decides, alone or with another's."""
        state = self.record.state
        said = {**said_to(asked.question, state.agreed), seat: answer}
        seats = [each for each, word in said.items() if word == answer]
        pen.write(Agreed(seat, deciding_name(asked.question, answer)))
        return is_decided(asked, answer, seats, state)

    def _consequence(
        self, asked: Asked, answer: str
    ) -> Event | Amended | Retracted | Inserted | None:
        if asked.question.kind is QuestionKind.LATER:
            return self._later_consequence(asked, answer)
        ended = not self.record.state.is_running
        if ended and isinstance(asked.if_yes, HandAbandoned | Settled | WinRefused):
            return None  # the hand is over: there is nothing left to end
        if answer == YES:
            if asked.if_yes is not None and asked.about:
                return Amended(asked.about, asked.if_yes)
            return asked.if_yes
        if answer == NO:
            return Retracted(asked.about) if asked.about and asked.if_yes is None else None
        event = self.record.event(asked.about)
        if event is None:
            return None
        return Amended(asked.about, with_tile(event, parse_tile(answer)))

    def _later_consequence(self, asked: Asked, answer: str) -> Amended | Inserted | None:
        if answer != YES or asked.if_yes is None:
            return None
        if asked.about:
            return Amended(asked.about, asked.if_yes)
        span = hand_of(self.record, asked.question.entry)
        if span is None or span.end is not None or not span.is_closed:
            return None
        return Inserted(self.record.counting[span.close][0], asked.if_yes)

    # -- what follows --------------------------------------------------------------------------

    def conclude(self) -> None:
        """Judge what is shown, ask what is open, and withdraw what has lost its ground."""
        self.outcome = outcome(self.rules, self.record, self.candidates)
        standing = (*self.outcome.doubts, *self.outcome.waiting)
        wanted = {doubt.question for doubt in standing}
        for question in self.record.state.questions:
            if self._lost_its_ground(question, wanted):
                self.record.append(Answered(question.question, ""), Source.RULES)
        for doubt in self.outcome.doubts:
            self.ask(doubt)

    def _lost_its_ground(self, question: Asked, wanted: set[QuestionId]) -> bool:
        if question.question.kind is QuestionKind.LATER:
            return False  # its hand is looked at again whenever it is changed
        if question.question.kind.lifetime is Lifetime.STATE:
            return question.question not in wanted
        return question.about > 0 and self.record.event(question.about) is None


def _asked(doubt: Doubt) -> Asked:
    return Asked(
        doubt.question,
        doubt.text,
        doubt.choices,
        doubt.about,
        doubt.if_yes,
        doubt.blocks,
        lasts=doubt.question.kind.lifetime is Lifetime.EVENING,
    )


def trial_of(clerk: Clerk) -> Clerk:
    """A clerk with a copy of the record, on which a command may be tried."""
    return replace(clerk, record=clerk.record.copy())
