"""A record with what the hands shown now amount to, what is asked, and whose word is awaited.

Kept by a handler: the table's own record, or a copy of it on which a command is tried. Nothing here
knows threads, cameras or clocks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from table_assist.following.told_scale import told_scale
from table_assist.game.acceptance import Acceptance, AcceptedBy, acceptance
from table_assist.game.course import birds_due
from table_assist.game.doubt import LAID_DOWN_S, PATIENCE_S, Doubt
from table_assist.game.events import (
    Asked,
    BonusLaid,
    Discarded,
    HandLaidDown,
    IndicatorTurned,
    PlayedOut,
    Settled,
    WinRefused,
)
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import Irregularity, irregularities
from table_assist.game.outcome import HandEnd, end_of_hand, settled_event
from table_assist.game.people import Names, called, name_words, seated
from table_assist.game.question import Lifetime, QuestionId, QuestionKind
from table_assist.game.side_payments import told_before
from table_assist.game.state import Phase, TableState
from table_assist.game.sureness import Sureness, how_sure
from table_assist.languages.words import (
    SEMICOLON,
    SPACE,
    Words,
    joined,
    player_at,
    unended,
    with_players,
    words_of,
)
from table_assist.record.log import Amended, Source
from table_assist.record.record import Record
from table_assist.rules.profile import Profile
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import Settlement, Verdict
from table_assist.session.command_transaction import CommandTransaction
from table_assist.session.corrections import settle_again
from table_assist.session.questions import OUT_OF_TURN, about_unread
from table_assist.session.told import rests_on_told, who_lose
from table_assist.session.weighing import (
    Seen,
    are_hands_open,
    claims_in_doubt,
    filled_in,
    likeliest_claims,
    open_entries,
    rests_on,
    tiles_read,
)
from table_assist.tiles.melds import tile_noted
from table_assist.tiles.tile import Tile

# From shown hands and turned birds to a settlement, or to what still stands in its way.


# Whether something rests on an entry, or on its face alone.
RestsOn = Callable[[int, bool], bool]
NO_CANDIDATES: Mapping[int, tuple[Tile, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ShownOutcome:
    """The outcome of the hands shown so far.

    Attributes:
        verdicts: (seat, verdict) in the order in which the wins were declared.
        doubts: what is asked.
        waiting: asked only if it stands for a while, as people lay down their hands.
        settled: the settlement as an event, once nothing is open.
    """

    verdicts: tuple[tuple[int, Verdict], ...] = ()
    settlement: Settlement | None = None
    doubts: tuple[Doubt, ...] = ()
    settled: Settled | None = None
    waiting: tuple[Doubt, ...] = ()


def outcome(
    rules: RuleSet,
    record: Record,
    candidates: Mapping[int, tuple[Tile, ...]] = NO_CANDIDATES,
    rests_on: RestsOn = lambda seq, face: True,
) -> ShownOutcome:
    """Judge the hands shown in this win; settle when all is known and nothing is in doubt.

    Args:
        candidates: the likeliest faces of what could not be read, by entry.
        rests_on: whether the settlement rests on an entry that somebody is asked about.
    """
    state = record.state
    if not state.shown or state.phase not in (Phase.SHOWING, Phase.SETTLED):
        return ShownOutcome()
    try:
        ended = end_of_hand(state, rules)
    except ValueError as error:
        return ShownOutcome(doubts=(_cannot_settle(state, words_of(error)),))
    settlement = ended.settlement
    verdicts = tuple((hand.seat, settlement.verdicts[hand.seat]) for hand in state.shown)
    if state.phase is Phase.SETTLED:
        return ShownOutcome(verdicts, settlement)
    doubts = _unread_doubts(rules, record, candidates)
    is_open = are_hands_open(rules, state)  # all are weighed once more then, and read once more
    if any(not is_open or isinstance(record.event(each.about), HandLaidDown) for each in doubts):
        after_s = PATIENCE_S if is_open else LAID_DOWN_S
        late = tuple(replace(doubt, after_s=after_s) for doubt in doubts)
        return ShownOutcome(verdicts, settlement, waiting=late)
    if not doubts:
        doubts = [
            refusal_doubt(state, seat, verdict) for seat, verdict in verdicts if not verdict.valid
        ]
    complete = {hand.seat for hand in state.shown} == set(state.declared)
    if doubts or not complete or len(state.birds) < birds_due(rules, state):
        return ShownOutcome(verdicts, settlement, tuple(doubts))
    settled = settled_event(ended)
    taken_back = record.retracted_settlements()
    if taken_back:
        again = _settle_again(state, settled, taken_back)
        return ShownOutcome(verdicts, settlement, (again,))
    if not ended.final:
        return ShownOutcome(verdicts, settlement, waiting=(_not_final(state, ended),))
    why = told_before(state, ended.winners) or tuple(_wall_in_doubt(rules, record))
    if why:
        return ShownOutcome(verdicts, settlement, doubts=(_as_shown(state, why, ended),))
    if any(_stands_in_the_way(question, state, rests_on) for question in state.questions):
        return ShownOutcome(verdicts, settlement)
    return ShownOutcome(verdicts, settlement, (), settled)


def _stands_in_the_way(question: Asked, state: TableState, rests_on: RestsOn) -> bool:
    """A doubt about what the points of this hand rest on."""
    if question.question.hand != state.hand:
        return False
    face = question.question.kind in (QuestionKind.UNREAD, QuestionKind.REREAD)
    return question.blocks or (question.about > 0 and rests_on(question.about, face))


def _unread_doubts(
    rules: RuleSet, record: Record, candidates: Mapping[int, tuple[Tile, ...]]
) -> list[Doubt]:
    """A question for each open entry with an unread tile: about what lies beside wins at last.

    That is weighed beside them, and mostly answers itself then.
    """
    hand = record.state.hand
    first: list[Doubt] = []
    beside: list[Doubt] = []
    for seq, event in open_entries(rules, record):
        if isinstance(event, IndicatorTurned) and rules.treasure is not None:
            continue  # a secret, and asked about once it should lie open
        kinds = rules.bonus_tiles if isinstance(event, BonusLaid) else rules.kinds
        doubt = about_unread(hand, seq, event, candidates.get(seq, ()), kinds)
        if doubt is not None:
            (beside if isinstance(event, HandLaidDown | BonusLaid) else first).insert(0, doubt)
    return first or beside


def refusal_doubt(state: TableState, seat: int, verdict: Verdict) -> Doubt:
    """Before a win is refused a person confirms it: the reading may be wrong, not the player."""
    why = joined([unended(refusal.words) for refusal in verdict.refusals], SEMICOLON)
    hand = next(hand for hand in state.shown if hand.seat == seat)
    # Changes with the hand as read, and once it was refused: what comes then is asked anew
    tiles = "".join(str(tile) for tile in (*hand.concealed, hand.winning_tile))
    before = sum(refused.seat == hand.seat for refused in state.refused)
    return Doubt(
        QuestionId(
            state.hand,
            QuestionKind.REFUSE,
            seat,
            subject=(f"{tiles}-{before}" if before else tiles),
        ),
        Words(
            "The hand of {seat} as read does not win: {said}. Refuse it?",
            "{seat} 的手牌（按所读）不能和：{said}。判为无效吗？",
            seat=player_at(seat),
            said=why,
        ),
        if_yes=WinRefused(seat, tuple(refusal.id for refusal in verdict.refusals)),
    )


def _cannot_settle(state: TableState, why: Words) -> Doubt:
    return Doubt(
        QuestionId(state.hand, QuestionKind.TOGETHER, subject=str(len(state.shown))),
        Words(
            "These wins cannot be settled together: {why}.",
            "这些和牌无法一起结算：{why}。",
            why=why,
        ),
        ("no",),
    )


def _settle_again(state: TableState, settled: Settled, count: int) -> Doubt:
    return Doubt(
        QuestionId(
            state.hand,
            QuestionKind.SETTLE,
            subject=f"{count}-{settled.winners}-{settled.transfers}",
        ),
        Words(
            "The settlement was taken back. Settle it as shown?", "结算已撤回。按所示重新结算吗？"
        ),
        if_yes=settled,
    )


def _not_final(state: TableState, ended: HandEnd) -> Doubt:
    """The unknown part; people settle all the same, unless a hand has yet to be laid down."""
    if ended.missing:
        lying = {hand.seat for hand in state.laid_down}  # perhaps with a tile that is not read
        waits_for = tuple(seat for seat in ended.missing if seat not in lying) or ended.missing
        text = Words(
            "Still to be laid down: the hands of {seats}.",
            "尚待亮牌：{seats}。",
            seats=", ".join(map(player_at, waits_for)),
        )
        question = QuestionId(state.hand, QuestionKind.OPEN, subject=str(waits_for))
        return Doubt(question, text, (), after_s=LAID_DOWN_S)
    return replace(_as_shown(state, ended.unsure, ended), after_s=LAID_DOWN_S)


def _wall_in_doubt(rules: RuleSet, record: Record) -> Iterator[Words]:
    """Why nobody knows how many tiles are left, where one more or less pays otherwise.

    Who is recorded out of turn has drawn, or has claimed a tile that was seen too late.
    """
    state, first, paid = record.state, record.starts[-1].index + 1, set[object]()
    for left in {max(state.wall_left + more, 0) for more in (-1, 0, 1)}:
        other = replace(state, wall=replace(state.wall, left=left))
        with suppress(ValueError):  # it cannot have been so many
            paid.add((end_of_hand(other, rules).total, birds_due(rules, other)))
    for index, (_, event) in enumerate(record.counting[first:] if len(paid) > 1 else (), first):
        wrong = irregularities(record.state_before(index), event)
        if isinstance(event, Discarded) and Irregularity.OUT_OF_TURN in wrong:
            yield OUT_OF_TURN.filled(seat=player_at(event.seat), value=tile_noted(event.tile))
            return


def _as_shown(state: TableState, why: tuple[Words, ...], ended: HandEnd) -> Doubt:
    said = joined(why, SPACE)
    return Doubt(
        QuestionId(state.hand, QuestionKind.OPEN, subject=f"{said.en}-{ended.total}"),
        Words("{said} Settle it as shown?", "{said}按所示结算吗？", said=said),
        if_yes=settled_event(ended),
    )


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
        soon: what blocks a settlement and is asked if it lasts.
    """

    profile: Profile
    names: Names
    record: Record
    candidates: Mapping[int, tuple[Tile, ...]] = field(default_factory=dict)
    seen: Seen = field(default_factory=dict)
    outcome: ShownOutcome = field(default_factory=ShownOutcome)
    sureness: Sureness | None = None
    soon: Sequence[Doubt] = ()
    _resting: dict[object, object] = field(default_factory=dict, init=False, repr=False)
    _weighed: object = field(default=None, init=False, repr=False)
    _settled: Settled | None = field(default=None, init=False, repr=False)
    _tried: tuple[int, int] = field(default=(0, 0), init=False, repr=False)
    _doubted: int = field(default=0, init=False, repr=False)
    accepted_by: AcceptedBy = AcceptedBy.PAYERS
    is_followed: bool = False
    _told: tuple[object, tuple[bool, frozenset[int]]] = field(
        default=(None, (False, frozenset())), init=False, repr=False
    )

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

    def ask_soon(self) -> None:
        """Ask what is to be asked soon: who settles now does not know of it."""
        if self.soon and self.record.state.phase is Phase.SHOWING:
            for doubt in self.soon:
                self.ask(doubt)
            self.soon = ()
            self.conclude()

    def settle_again(
        self, before: Record, transaction: CommandTransaction, *, restoring: bool = False
    ) -> None:
        """Settle again what a change makes something else, and ask about the rest."""
        for doubt in settle_again(before, transaction, restoring=restoring):
            self.ask(doubt, cause=transaction.first)

    def accept(self, by: str = "", source: Source = Source.RULES) -> bool:
        """Settle as shown, if nothing is in doubt; whether that was so."""
        self.ask_soon()
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
        waits, losers = self._rests_on_told
        by = AcceptedBy.PAYERS if waits or losers else self.accepted_by
        return acceptance(state.hand, settled, state.agreed, by, losers)

    @property
    def waits_for_payers(self) -> bool:
        """Whether the settlement shown rests on what was told, and is not accepted by itself."""
        waits, losers = self._rests_on_told
        return waits or bool(losers)

    @property
    def _rests_on_told(self) -> tuple[bool, frozenset[int]]:
        """As `rests_on_told` and `who_lose`, reckoned once."""
        if self._told[0] != (self.record.seq, self.is_followed):
            rests = rests_on_told(self.record, is_followed=self.is_followed)
            self._told = (self.record.seq, self.is_followed), (rests, who_lose(self.record))
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
        read = set()
        known = self.record.seq, len(self.seen)
        if self.record.state.phase is Phase.SHOWING and self._tried != known:
            self._tried = known
            for seq, claim, share in likeliest_claims(self.rules, self.record, self.seen):
                self.record.append(Amended(seq, claim), Source.CAMERA, confidence=share)
            for seq, event, share in filled_in(self.rules, self.record, self.seen):
                self.record.append(Amended(seq, event), Source.CAMERA, confidence=share)
                read.add(seq)
        self.outcome = outcome(self.rules, self.record, self.candidates, self.rests_on)
        if self.outcome.settled is not None and self._doubted != self.record.seq:
            for seq, claim in claims_in_doubt(self.rules, self.record, self.seen):
                self.record.append(Amended(seq, claim), Source.CAMERA)
                self.outcome = outcome(self.rules, self.record, self.candidates, self.rests_on)
            self._doubted = self.record.seq
        wanted = {each.question for each in (*self.outcome.doubts, *self.outcome.waiting)}
        for question in self.record.state.questions:
            if question.about in read or self._lost_its_ground(question, wanted):
                self.record.withdraw(question.question, Source.RULES)
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
            self._resting[seq, face] = rests_on(self.rules, self.record, self.seen, seq, face)
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
        if question.question.kind is QuestionKind.UNSETTLED:
            ends = (
                self.record.counting[span.end][1]
                for span in self.record.spans()
                if span.end is not None and span.started.hand == question.question.hand
            )
            if any(isinstance(end, PlayedOut) for end in ends):
                return True
        if question.question.kind.lifetime is Lifetime.STATE:
            return question.question not in wanted
        return question.about > 0 and self.record.event(question.about) is None


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
