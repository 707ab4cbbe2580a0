"""A record with what the hands shown now amount to, what is asked, and whose word is awaited.

Kept by a handler: the table's own record, or a copy of it on which a command is tried. Nothing here
knows threads, cameras or clocks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from table_assist.following.told_scale import told_scale
from table_assist.game.acceptance import Acceptance, AcceptedBy, acceptance
from table_assist.game.doubt import Doubt
from table_assist.game.events import Answered, Asked, Settled, WallExhausted
from table_assist.game.in_force import rules_in_force
from table_assist.game.people import Names, called, name_words, seated
from table_assist.game.question import Lifetime, QuestionId, QuestionKind
from table_assist.game.state import Phase
from table_assist.game.sureness import Sureness, how_sure
from table_assist.languages.words import Words, with_players
from table_assist.record.log import Amended, Source
from table_assist.record.record import Record
from table_assist.rules.profile import Profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.command_transaction import CommandTransaction
from table_assist.session.resettle import settle_again
from table_assist.session.settling import ShownOutcome, outcome
from table_assist.session.tiles_read import Seen, tiles_read
from table_assist.session.told import rests_on_told
from table_assist.session.weighing import filled_in, rests_on
from table_assist.tiles.tile import Tile


@dataclass(slots=True)
class Books:
    """The record, and its consequences.

    Attributes:
        names: the players', by the seats in which they began, for who has not said another.
        is_followed: a camera or a board follows the table.
        accepted_by: how a settlement is accepted on the players' phones.
        candidates: the likeliest faces of what could not be read, by entry.
        seen: by entry, the tiles of open hands and birds as the camera read them.
        outcome: what the hands shown now amount to.
        sureness: of the settlement that is shown; None while there is none.
    """

    profile: Profile
    names: Names
    record: Record
    candidates: Mapping[int, tuple[Tile, ...]] = field(default_factory=dict)
    seen: Seen = field(default_factory=dict)
    outcome: ShownOutcome = field(default_factory=ShownOutcome)
    sureness: Sureness | None = None
    _resting: dict[object, object] = field(default_factory=dict, init=False, repr=False)
    _weighed: object = field(default=None, init=False, repr=False)
    _settled: Settled | None = field(default=None, init=False, repr=False)
    accepted_by: AcceptedBy = AcceptedBy.PAYERS
    is_followed: bool = False
    _told: tuple[object, bool] = field(default=(None, False), init=False, repr=False)

    @property
    def rules(self) -> RuleSet:
        """Those of the hand on the table; while the next is prepared, the table's."""
        state = self.record.state
        dealt = state.is_running or state.phase is Phase.SETTLED
        return rules_in_force(state) if dealt and state.hand else self.profile.rules

    def named(self, words: Words) -> Words:
        """A sentence with the players' names for ``{0}`` to ``{3}``."""
        state = self.record.state
        names = seated(called(state.names, self.names), state.people)
        return with_players(words, [name_words(name, seat) for seat, name in enumerate(names)])

    def ask(self, doubt: Doubt, cause: int = 0) -> None:
        """Put a doubt to the people; once it is open, or a person has answered it, not again."""
        if any(question.question == doubt.question for question in self.record.state.questions):
            return
        if self.record.answered(doubt.question):
            return
        self.record.append(asked_of(doubt), Source.RULES, cause=cause)

    def settle_again(
        self, before: Record, transaction: CommandTransaction, *, restoring: bool = False
    ) -> None:
        """Settle again what a change makes something else, and ask about the rest."""
        for doubt in settle_again(before, transaction, restoring=restoring):
            self.ask(doubt, cause=transaction.first)

    def accept(self, by: str = "", source: Source = Source.RULES) -> bool:
        """Settle as shown, if nothing is in doubt; whether that was so."""
        settled = self.outcome.settled
        if settled is None or self.record.state.phase is not Phase.SHOWING:
            return False
        if self.waits_for_payers:
            return False
        CommandTransaction(self.record, by).write(settled, source, confidence=self.certainty)
        self.outcome = outcome(self.rules, self.record)
        return True

    @property
    def certainty(self) -> float:
        """How likely the settlement that is shown is right; 1 where only people told it."""
        return 1.0 if self.sureness is None else self.sureness.probability

    def acceptance(self) -> Acceptance | None:
        """Whose word the settlement shown waits for; None while none could be accepted."""
        state = self.record.state
        asked = self.offered()
        settled = self.outcome.settled if asked is None else asked.if_yes
        if state.phase is not Phase.SHOWING or not isinstance(settled, Settled):
            return None
        by = AcceptedBy.PAYERS if self.waits_for_payers else self.accepted_by
        return acceptance(state.hand, settled, state.agreed, by)

    @property
    def waits_for_payers(self) -> bool:
        """As `rests_on_told`, reckoned once."""
        if self._told[0] != (self.record.seq, self.is_followed):
            rests = rests_on_told(self.record, is_followed=self.is_followed)
            self._told = (self.record.seq, self.is_followed), rests
        return self._told[1]

    def offered(self) -> Asked | None:
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

    def conclude(self) -> None:
        """Judge what is shown, ask what is open, and withdraw what has lost its ground."""
        if self.record.state.phase is Phase.SHOWING:
            for filled in filled_in(self.rules, self.record, self.seen):
                entry = Amended(filled.seq, filled.event)
                self.record.append(entry, Source.CAMERA, confidence=filled.share)
        self.outcome = outcome(self.rules, self.record, self.candidates, self.rests_on)
        standing = (*self.outcome.doubts, *self.outcome.waiting)
        wanted = {doubt.question for doubt in standing}
        for question in self.record.state.questions:
            if self._lost_its_ground(question, wanted):
                self.record.append(Answered(question.question, ""), Source.RULES)
        for doubt in self.outcome.doubts:
            self.ask(doubt)
        self._weigh()

    def rests_on(self, seq: int, face: bool) -> bool:
        """As `weighing.rests_on`, of a settlement of what is shown now; reckoned once."""
        state = self.record.state
        shown = (len(self.record.counting), state.shown, state.laid_down, state.birds)
        if self._resting.get("of") != shown:
            self._resting = {"of": shown}
        if (seq, face) not in self._resting:
            self._resting[seq, face] = rests_on(self.rules, self.record, seq, face=face)
        return bool(self._resting[seq, face])

    def _weigh(self) -> None:
        """How sure the settlement is; reckoned once for what is shown."""
        state, settled = self.record.state, self.outcome.settled
        shown = None if settled is None else (settled, state.shown, state.laid_down, state.birds)
        if shown == self._weighed or (shown is None and state.settled == self._settled):
            return  # what was weighed stands, accepted or not
        self._weighed, self._settled, self.sureness = shown, settled, None
        if shown is not None:
            readings = tiles_read(self.rules, self.record, self.seen)
            self.sureness = how_sure(self.rules, state, readings, stuck=told_scale().stuck)

    def _lost_its_ground(self, question: Asked, wanted: set[QuestionId]) -> bool:
        if question.question.kind is QuestionKind.LATER:
            return False  # its hand is looked at again whenever it is changed
        if question.question.kind is QuestionKind.UNSETTLED and self._is_settled(question):
            return True
        if question.question.kind.lifetime is Lifetime.STATE:
            return question.question not in wanted
        return question.about > 0 and self.record.event(question.about) is None

    def _is_settled(self, question: Asked) -> bool:
        """Whether the hand that it is about has a result by now."""
        ends = (
            self.record.counting[span.end][1]
            for span in self.record.spans()
            if span.end is not None and span.started.hand == question.question.hand
        )
        return any(isinstance(end, Settled | WallExhausted) for end in ends)


def asked_of(doubt: Doubt) -> Asked:
    """The question that a doubt becomes."""
    return Asked(
        doubt.question,
        doubt.text,
        doubt.choices,
        doubt.about,
        doubt.if_yes,
        doubt.blocks,
        lasts=doubt.question.kind.lifetime is Lifetime.EVENING,
    )
