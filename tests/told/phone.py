"""A followed hand, told again by phone: what the page asks is answered with what was so."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from table_assist.contract.commands import (
    Answer,
    ChangeSeats,
    Command,
    Settle,
    TellBirds,
    TellDraw,
    TellHand,
    TellOpening,
)
from table_assist.contract.view import View
from table_assist.game.beside import what_was_laid
from table_assist.game.events import (
    BirdTurned,
    Event,
    HandShown,
    HandTold,
    SeatsChanged,
    StartingHandShown,
    WinRefused,
)
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, TableState
from table_assist.game.told_facts import with_implied
from table_assist.game.win import declared_hand
from table_assist.game.winners import who_won
from table_assist.melds import Meld, MeldKind
from table_assist.record.record import Record
from table_assist.rules.laid import Laid
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Circumstance
from table_assist.session.session import Session
from table_assist.tiles import Tile, parse_tile
from tests.stages.evenings import NAMES
from web.view.told_view import dealer_view, state_before, told_view

_ROUNDS_OF_ASKING = 12


class RefusedByThePageError(Exception):
    """What was told was not taken, or a question was asked that the page does not know."""


@dataclass
class Told:
    """An evening that is told.

    Attributes:
        asked: how often each kind of question was answered.
    """

    rules: RuleSet
    random: Random
    session: Session = field(init=False)
    asked: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        profile = plain_profile(self.rules)
        record = Record(None, lambda: 0.0)
        self.session = Session(profile, NAMES, record, now=lambda: 0.0)

    def say(self, command: Command) -> None:
        """A tap; what is refused is a fault."""
        before = self.session.snapshot.seq
        self.session.put_command(command)
        self.session.drain()
        if self.session.snapshot.seq == before:
            asked = [each.text.en for each in self.state.questions]
            raise RefusedByThePageError(f"{command} was refused; {asked}")

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
        self._false_wins(end)
        at_once = self.told.random.random() < 0.5
        if at_once or not end.shown:
            for seat in SEATS:
                self._laid(end, seat, as_it_lay=True)
        if end.shown:
            self._win(end, others=not at_once)
        else:
            self._drawn(end)

    def _win(self, end: TableState, *, others: bool) -> None:
        """Who won, in any order with what the others have laid; then what is due."""
        won = {hand.seat: hand for hand in end.shown}
        for seat in self.told.random.sample(SEATS, len(SEATS)):
            if seat in won:
                self._won(end, won[seat])
            elif others:
                self._laid(end, seat, as_it_lay=False)
        for seat in dealer_view(self.told.session.snapshot)["to_lay_down"]:
            self._laid_down(end, seat)
        birds = tuple(event.tile for event in self.events if isinstance(event, BirdTurned))
        if end.birds:
            self.told.say(TellBirds(birds[-len(end.birds) :]))
        self.told.say(Settle())

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
        hand = HandTold(seat, (), melds=tuple(map(_as_it_looks, melds)))
        self._tell(hand, end, None, melds, as_it_lay=as_it_lay)

    def _laid_down(self, end: TableState, seat: int) -> None:
        """A hand that counts though it has not won."""
        tiles = next(hand.concealed for hand in end.laid_down if hand.seat == seat)
        melds = self._melds(end, seat, as_it_lay=False)
        robbed = end.robbable
        if robbed is not None and robbed.seat == seat and robbed.kind is MeldKind.KONG_CONCEALED:
            tiles = (*tiles, *(robbed.tile,) * 3)
        own = end.seats[seat]
        hand = HandTold(seat, tiles, melds=tuple(map(_as_it_looks, melds)), bonus=own.bonus)
        self._tell(hand, end, None, melds, as_it_lay=False)

    def _won(self, end: TableState, shown: HandShown) -> None:
        melds = list(end.seats[shown.seat].melds)
        hand = HandTold(
            shown.seat,
            shown.concealed,
            melds=tuple(map(_as_it_looks, melds)),
            winning_tile=shown.winning_tile,
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

    def _dealer(self, end: TableState) -> int | None:
        """Said only where the page asks."""
        return end.dealer if dealer_view(self.told.session.snapshot)["asked"] else None

    def _melds(self, end: TableState, seat: int, *, as_it_lay: bool) -> list[Meld]:
        """As they lie: what was robbed lies there no more once the win is shown."""
        melds, robbed = list(end.seats[seat].melds), end.robbable
        if as_it_lay or robbed is None or robbed.seat != seat or not self._is_robbed(end):
            return melds
        for at, meld in enumerate(melds):
            if robbed.kind is MeldKind.LUCKY_EGG and _number_of_egg(melds, at) == robbed.egg:
                melds[at] = replace(meld, supplements=meld.supplements[:-1])
            elif meld.kind is robbed.kind and robbed.tile in meld.tiles:
                if meld.kind is MeldKind.KONG_ADDED:
                    melds[at] = Meld(MeldKind.PUNG, meld.tiles[:3])
                if meld.kind is MeldKind.KONG_CONCEALED:
                    del melds[at]
                    break
        return melds

    @staticmethod
    def _is_robbed(end: TableState) -> bool:
        return any(not (hand.self_drawn or hand.rush) for hand in end.shown)

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
        answers = _Answers(end, hand, shown, melds, as_it_lay=as_it_lay, chased=self._chased(end))
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
        self.told.say(TellHand(hand, self._dealer(end), indicator, antes=antes))

    def _chased(self, end: TableState) -> bool:
        tiles = {tile for _, tile in end.first_discards}
        return len(end.first_discards) == len(SEATS) and len(tiles) == 1


@dataclass
class _Answers:
    """What was so, for one telling."""

    end: TableState
    hand: HandTold
    shown: HandShown | None
    melds: list[Meld]
    as_it_lay: bool
    chased: bool

    def to(self, asks: Iterable[View]) -> HandTold:
        """The hand with the answers to just these questions."""
        answered = self.hand
        for ask in asks:
            answered = self._answered(answered, ask)
        return with_implied(answered)

    def _answered(self, told: HandTold, ask: View) -> HandTold:
        kind, name = ask["kind"], ask["name"]
        if kind == "circumstance":
            return self._toggled(told, name)
        if kind == "indicator":
            return told
        if kind == "giver":
            givers = [*told.claimed_from, *[None] * len(told.melds)][: len(told.melds)]
            givers[int(name)] = self._giver(self.melds[int(name)])
            return replace(told, claimed_from=tuple(givers))
        if kind == "egg":
            return replace(
                told,
                melds=tuple(
                    self.melds[int(name)] if at == int(name) else meld
                    for at, meld in enumerate(told.melds)
                ),
            )
        values = [choice["value"] for choice in ask["choices"]]
        if kind == "undoes":
            return replace(told, undoes=self._undone(values))
        shown = declared_hand(self.end, self._win)
        truth = {"wall_left": shown.wall_remaining, "discard_round": shown.discard_round}[kind]
        assert truth is not None
        return replace(told, **{kind: next((v for v in values if truth <= v), values[-1])})

    @property
    def _win(self) -> HandShown:
        assert self.shown is not None, "only of a win"
        return self.shown

    def _toggled(self, told: HandTold, name: str) -> HandTold:
        if name == "chased":
            return replace(told, chased=self.chased)
        if name.startswith("broken "):
            at = int(name.split()[1])
            return replace(told, broken=(*told.broken, at)) if self._is_broken(at) else told
        circumstance = Circumstance(name)
        if circumstance not in declared_hand(self.end, self._win).circumstances:
            return told
        return replace(told, circumstances=(*told.circumstances, circumstance))

    def _giver(self, meld: Meld) -> int | None:
        return next(
            laid.discarder
            for laid in self.end.laid
            if laid.seat == self.hand.seat and laid.tiles == meld.tiles
        )

    def _is_broken(self, at: int) -> bool:
        """Another player took a tile of this egg: before, or with the win that is shown already."""
        number = _number_of_egg(self.melds, at)
        eggs = [laid for laid in self.end.laid if laid.seat == self.hand.seat and laid.is_egg]
        robbed = self.end.robbable
        now = (
            robbed is not None
            and not self.as_it_lay
            and Hand._is_robbed(self.end)
            and (robbed.seat, robbed.kind, robbed.egg)
            == (self.hand.seat, MeldKind.LUCKY_EGG, number)
        )
        return now or eggs[number].robbed

    def _undone(self, values: list[str]) -> tuple[Tile, ...]:
        """Which of these it is, by what the followed hand has undone."""
        rules = rules_in_force(self.end)
        winners = who_won(rules, self.end).winners
        marked = [
            laid
            for old, laid in zip(
                self.end.laid, what_was_laid(rules, self.end, winners), strict=True
            )
            if _marks(laid) != _marks(old)
        ]
        faces = sorted(marked[0].tiles) if marked else []
        found = [value for value in values if _holds(parse_all(value), faces)]
        return parse_all(found[0]) if found else parse_all(values[-1])


def _marks(laid: Laid) -> tuple[Any, ...]:
    return laid.robbed, laid.robbed_by, laid.won_on_next_discard_by


def _holds(tiles: Sequence[Tile], faces: Sequence[Tile]) -> bool:
    left = list(tiles)
    for face in faces:
        if face not in left:
            return False
        left.remove(face)
    return True


def parse_all(text: str) -> tuple[Tile, ...]:
    return tuple(parse_tile(each) for each in text.split())


def _number_of_egg(melds: Sequence[Meld], at: int) -> int | None:
    if melds[at].kind is not MeldKind.LUCKY_EGG:
        return None
    return sum(meld.kind is MeldKind.LUCKY_EGG for meld in melds[:at])


def _as_it_looks(meld: Meld) -> Meld:
    """As it lies: nobody sees which tiles were put to an egg."""
    if meld.kind is not MeldKind.LUCKY_EGG:
        return meld
    return Meld(meld.kind, tuple(sorted((*meld.tiles, *meld.supplements))))
