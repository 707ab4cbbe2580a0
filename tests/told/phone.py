"""A followed hand, told again by phone: what the page asks is answered with what was so."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from table_assist.game.doubt import LAID_DOWN_S
from table_assist.game.events import (
    BirdTurned,
    EggLaid,
    Event,
    HandShown,
    HandTold,
    SeatsChanged,
    StartingHandShown,
    WinRefused,
)
from table_assist.game.fold import apply
from table_assist.game.question import QuestionKind
from table_assist.game.state import SEATS, TableState
from table_assist.game.win import declared_hand
from table_assist.record.commands import (
    Answer,
    ChangeSeats,
    Command,
    Settle,
    TellBirds,
    TellDraw,
    TellHand,
    TellOpening,
)
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.session import Session
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile
from tests.stages.evenings import NAMES
from tests.told.answers import Answers, as_it_looks, is_robbed, number_of_egg
from tests.told.supposed import answered_otherwise
from tests.told.wrongly import ticked_wrongly
from web.view.told_view import dealer_view, state_before, told_view

_ROUNDS_OF_ASKING = 12


class RefusedByThePageError(Exception):
    """What was told was not taken, or a question was asked that the page does not know."""


@dataclass
class Told:
    """An evening that is told.

    Attributes:
        asked: how often each kind of question was answered.
        ticked: circumstances that were tried the other way.
        supposed: other answers, by whether the followed hand could be changed to have them.
        wrong: what came of it that must not.
    """

    rules: RuleSet
    random: Random
    session: Session = field(init=False)
    asked: dict[str, int] = field(default_factory=dict)
    ticked: int = 0
    wrong: list[str] = field(default_factory=list)
    supposed: Counter[bool] = field(default_factory=Counter)
    clock: float = 0.0

    def __post_init__(self) -> None:
        profile = plain_profile(self.rules)
        record = Record(None, lambda: self.clock)
        self.session = Session(profile, NAMES, record, now=lambda: self.clock)

    def say(self, command: Command) -> None:
        """A tap; what is refused is a fault."""
        before = self.session.snapshot.seq
        self.session.put_command(command)
        self.session.drain()
        if self.session.snapshot.seq == before:
            asked = [each.text.en for each in self.state.questions]
            raise RefusedByThePageError(f"{command} was refused; {asked}")

    def wait(self) -> None:
        """Long enough for all that is asked only where people do not go on."""
        for _ in range(2):
            self.clock += LAID_DOWN_S
            self.session.process(None)

    @property
    def state(self) -> TableState:
        return self.session.snapshot.state


@dataclass
class Hand:
    """One hand of that evening.

    Args:
        events: all of it, the followed one.
        before: the followed state just before the first event.
    """

    told: Told
    events: Sequence[Event]
    before: TableState

    def tell(self) -> None:
        """Everything that people tell of the hand, up to its accepted end."""
        for event in self.events:
            if isinstance(event, SeatsChanged):
                self.told.say(ChangeSeats(event.came_from, event.east))
        end = self._state_before(len(self.events) - 1)
        for event in self.events:
            if isinstance(event, StartingHandShown):
                self.told.say(TellOpening(event.seat, event.tiles, dealer=self._dealer(end)))
        early = self._eggs_early() if self.told.random.random() < 0.5 else set()
        self._false_wins(end)
        at_once = self.told.random.random() < 0.5
        if at_once or not end.shown:
            self._others(end, set(SEATS), early, as_it_lay=True)
        if end.shown:
            self._win(end, early, others=not at_once)
        else:
            self._drawn(end)

    def _eggs_early(self) -> set[int]:
        """Eggs told when they were laid: what becomes of them is told where the page asks."""
        laid = [at for at, event in enumerate(self.events) if isinstance(event, EggLaid)]
        if laid:
            self._others(self._state_before(laid[-1] + 1), set(SEATS), set(), as_it_lay=True)
        return {hand.seat for hand in self.told.state.told} if laid else set()

    def _win(self, end: TableState, early: set[int], *, others: bool) -> None:
        """Who won, in any order with what the others have laid; then what is due."""
        won = {hand.seat: hand for hand in end.shown}
        for seat in self.told.random.sample(SEATS, len(SEATS)):
            if seat in won:
                self._won(end, won[seat])
            elif others:
                # As it lay only where no tile of it had gone before: it is asked what is left.
                whole = not any(laid.robbed for laid in end.laid if laid.seat == seat)
                as_it_lay = whole and self.told.random.random() < 0.3
                self._others(end, {seat}, early, as_it_lay=as_it_lay)
        for seat in dealer_view(self.told.session.snapshot)["to_lay_down"]:
            self._laid_down(end, seat)
        birds = tuple(event.tile for event in self.events if isinstance(event, BirdTurned))
        if end.birds:
            self.told.say(TellBirds(birds[-len(end.birds) :]))
        self.told.wait()
        if self._told_earlier():
            self._tell_again(end)
            self.told.wait()
        if any(asked.question.kind is QuestionKind.OPEN for asked in self.told.state.questions):
            assert self._told_earlier(), "what is not known was told"
        self._answer_otherwise(end)
        self.told.say(Settle())

    def _answer_otherwise(self, end: TableState) -> None:
        for name, wrong in answered_otherwise(self.told.state, end):
            self.told.supposed[wrong is not None] += 1
            if wrong:
                self.told.wrong.append(f"{name} answered otherwise: {wrong}")

    def _others(
        self, end: TableState, seats: set[int], early: set[int], *, as_it_lay: bool
    ) -> None:
        """What hands that have not won have laid; eggs alone are not told a second time unasked."""
        for seat in seats:
            kongs = any(meld.kind.is_kong for meld in end.seats[seat].melds)
            if kongs or seat not in early:
                self._laid(end, seat, as_it_lay=as_it_lay)

    def _told_earlier(self) -> bool:
        """Whether it is asked if things still lie as they were told."""
        return any("told earlier" in asked.text.en for asked in self.told.state.questions)

    def _tell_again(self, end: TableState) -> bool:
        """What does not lie as it was told, or of which a tile was taken since: whether any did."""
        before = self.told.session.snapshot.seq
        is_asked = self._told_earlier()
        for hand in self.told.state.told:
            taken = is_asked and any(laid.robbed for laid in end.laid if laid.seat == hand.seat)
            lying = [as_it_looks(meld) for meld in self._melds(end, hand.seat, as_it_lay=False)]
            eggs = {meld for meld in lying if meld.kind is MeldKind.LUCKY_EGG}
            is_as_told = eggs <= {as_it_looks(m) for m in hand.melds}
            if hand.winning_tile is None and (not is_as_told or (taken and not hand.broken)):
                self._laid(end, hand.seat, as_it_lay=False)
        return self.told.session.snapshot.seq != before

    def _state_before(self, number: int) -> TableState:
        state = self.before
        for event in self.events[:number]:
            state = apply(state, event)
        return state

    # --- What is told

    def _laid(self, end: TableState, seat: int, *, as_it_lay: bool) -> None:
        """Kongs and eggs of a hand that has not won: when they were laid, or after the win."""
        melds = [
            meld
            for meld in self._melds(end, seat, as_it_lay=as_it_lay)
            if meld.kind.is_kong or meld.kind is MeldKind.LUCKY_EGG
        ]
        # What was told of the hand before stands until the next one is told.
        of_this = self.told.state.told if self.told.state.settled is None else ()
        told = next((hand for hand in of_this if hand.seat == seat), None)
        robbed = any(laid.robbed for laid in end.laid if laid.seat == seat)
        if not melds or (told is not None and set(melds) <= set(told.melds) and not robbed):
            return  # there are none, or all were told with a hand that did not win
        hand = HandTold(seat, (), melds=tuple(map(as_it_looks, melds)))
        self._tell(hand, end, None, melds, as_it_lay=as_it_lay)

    def _laid_down(self, end: TableState, seat: int) -> None:
        """A hand that counts though it has not won."""
        tiles = next(hand.concealed for hand in end.laid_down if hand.seat == seat)
        melds = self._melds(end, seat, as_it_lay=False)
        robbed = end.robbable
        if robbed is not None and robbed.seat == seat and robbed.kind is MeldKind.KONG_CONCEALED:
            tiles = (*tiles, *(robbed.tile,) * 3)
        own = end.seats[seat]
        hand = HandTold(seat, tiles, melds=tuple(map(as_it_looks, melds)), bonus=own.bonus)
        self._tell(hand, end, None, melds, as_it_lay=False)

    def _won(self, end: TableState, shown: HandShown) -> None:
        melds, lying = list(end.seats[shown.seat].melds), list(shown.concealed)
        if shown.rush:  # the treasure is none of the tiles that lie there
            lying[lying.index(shown.winning_tile)] = Tile.UNKNOWN
        hand = HandTold(
            shown.seat,
            tuple(lying),
            melds=tuple(map(as_it_looks, melds)),
            winning_tile=Tile.UNKNOWN if shown.rush else shown.winning_tile,
            discarder=declared_hand(end, shown).discarder,
            bonus=end.seats[shown.seat].bonus,
        )
        self._tell(hand, end, shown, melds, as_it_lay=False)

    def _false_wins(self, end: TableState) -> None:
        """Hands that were shown and refused: told when it happened."""
        for number, event in enumerate(self.events):
            if not isinstance(event, WinRefused):
                continue
            then = self._state_before(number)
            self._won(then, next(hand for hand in then.shown if hand.seat == event.seat))
            for asked in self.told.state.questions:
                if asked.if_yes is not None:
                    self.told.say(Answer(asked.question, "yes"))

    def _drawn(self, end: TableState) -> None:
        passed = len(set(end.passed_on)) == len(SEATS)
        view = dealer_view(self.told.session.snapshot)
        chased = bool(view["chase"]) and self._chased(end)
        dealer = self._dealer(end)
        if passed:
            self.told.say(TellDraw(last_passed=end.passed_on[-1], dealer=dealer, chased=chased))
        else:
            self.told.say(TellDraw(end.last_drawer, dealer, chased=chased))
        for asked in self.told.state.questions:
            if asked.question.kind is QuestionKind.DRAWN:
                if self._tell_again(end):
                    return self._drawn(end)
                self.told.say(Answer(asked.question, "yes"))
        return None

    def _dealer(self, end: TableState) -> int | None:
        """Said only where the page asks."""
        return end.dealer if dealer_view(self.told.session.snapshot)["asked"] else None

    def _melds(self, end: TableState, seat: int, *, as_it_lay: bool) -> list[Meld]:
        """As they lie: what was robbed lies there no more once the win is shown."""
        melds, robbed = list(end.seats[seat].melds), end.robbable
        if as_it_lay or robbed is None or robbed.seat != seat or not is_robbed(end):
            return melds
        for at, meld in enumerate(melds):
            if robbed.kind is MeldKind.LUCKY_EGG and number_of_egg(melds, at) == robbed.egg:
                melds[at] = replace(meld, supplements=meld.supplements[:-1])
            elif meld.kind is robbed.kind and robbed.tile in meld.tiles:
                if meld.kind is MeldKind.KONG_ADDED:
                    melds[at] = Meld(MeldKind.PUNG, meld.tiles[:3])
                if meld.kind is MeldKind.KONG_CONCEALED:
                    del melds[at]
                    break
        return melds

    # --- What is asked

    def _tell(
        self,
        hand: HandTold,
        end: TableState,
        shown: HandShown | None,
        melds: list[Meld],
        *,
        as_it_lay: bool,
    ) -> None:
        snapshot = self.told.session.snapshot
        dealer, antes = end.dealer, None
        if dealer_view(snapshot)["stakes"]:
            antes = end.antes
        indicator: Tile | None = None
        answers = Answers(end, hand, shown, melds, as_it_lay=as_it_lay, chased=self._chased(end))
        for _ in range(_ROUNDS_OF_ASKING):
            asks = told_view(snapshot, hand, state_before(snapshot, dealer, indicator, antes))[
                "asks"
            ]
            for ask in asks:
                kind = ask["kind"] if ask["kind"] != "circumstance" else ask["name"].split()[0]
                self.told.asked[kind] = self.told.asked.get(kind, 0) + 1
            said = answers.to(asks)
            wanted = any(ask["kind"] == "indicator" for ask in asks)
            turned = end.indicators[-1].tile if wanted and end.indicators else indicator
            if (said, turned) == (hand, indicator):
                break
            hand, indicator = said, turned
        else:
            raise RefusedByThePageError(f"the page asks on and on: {asks}")
        if shown is not None:
            before = state_before(snapshot, dealer, indicator, antes)
            for name, wrong in ticked_wrongly(before, hand, asks):
                self.told.ticked += 1
                if wrong:
                    self.told.wrong.append(f"{name} ticked wrongly: {wrong}")
        self.told.say(TellHand(hand, self._dealer(end), indicator, antes=antes))

    def _chased(self, end: TableState) -> bool:
        tiles = {tile for _, tile in end.first_discards}
        return len(end.first_discards) == len(SEATS) and len(tiles) == 1
