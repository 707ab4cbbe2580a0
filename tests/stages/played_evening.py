"""Whole hands by bots, followed by the session as a board and eyes without a fault tell them."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Dome, Key, KeyPressed, WallReady
from table_assist.contract.commands import ChooseDealer, Command, PlaceAntes
from table_assist.game.events import (
    Answered,
    AntesPlaced,
    Asked,
    BoardSaid,
    BonusLaid,
    Claimed,
    DealerChosen,
    DiceRolled,
    Drew,
    Event,
    HandLaidDown,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    LastTilePassed,
    ReadyDeclared,
    Settled,
    StartingHandShown,
    Throw,
    TilesExchanged,
    WallBuilt,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.tiles.tile import Tile
from table_assist.twin.play.hand import play_hand
from table_assist.vision.table.observation import Observation
from tests.stages.lying_table import LyingTable

NAMES = ("Ann", "Bo", "Chen", "Du")
PICTURES = 1
# In so many pictures a steady tile was seen between two looks.
PICTURES_A_LOOK = 6
KEYS: dict[type, Key] = {
    ReadyDeclared: Key.READY,
    LastTilePassed: Key.PASS,
    WinDeclared: Key.WIN,
    KongDeclared: Key.KONG,
}
STEP_S = 0.8


class PlayedEvening:
    """A session beside the truth that it follows.

    Attributes:
        truth: what the record must hold in the end.
    """

    def __init__(self, rules: RuleSet, seed: int, *, heap: bool = False) -> None:
        self.rules = rules
        self.t = 0.0
        self.pictures = PICTURES
        self.random = Random(seed)
        self.record = Record(None, self.now)
        self.session = Session(plain_profile(rules), NAMES, self.record, now=self.now, heap=heap)
        self.table = LyingTable(heap=heap, seed=seed)
        self.state = TableState()
        self.truth: list[Event] = []
        self.dice: tuple[int, ...] = ()
        self._pictures: dict[tuple[Tile, float, float], int] = {}

    def now(self) -> float:
        return self.t

    def play(self, hands: int) -> None:
        """Play and follow so many hands."""
        for _ in range(hands):
            if self.state.game_over:
                return
            events, _ = play_hand(self.rules, self.state, self.random)
            self.follow(events)

    def follow(self, events: Iterable[Event]) -> None:
        for event in in_real_order(events):
            self.happen(event)

    # -- the truth ---------------------------------------------------------------------------------

    def happen(self, event: Event) -> None:
        """One event: what the board says, what then lies on the table, what is to be recorded."""
        before, self.state = self.state, apply(self.state, event)
        if not isinstance(event, Drew):
            self.truth.append(told(event, self.rules))
        self._said(before, event)
        match event:
            case IndicatorTurned(tile, column) if self.rules.wilds is not None:
                self.table.turn_up(before, tile, column)
            case StartingHandShown():
                self.show_dealt(before, event)
            case WinDeclared():
                self.reveal_treasure(before)
            case HandShown():
                self.show(event)
            case HandLaidDown(seat, tiles):
                self.table.open_hands[seat] = (tiles, None)
            case Settled() | WallExhausted():
                self.clear_away()
        if not isinstance(event, Drew | WinDeclared | ReadyDeclared):
            self.look()

    def _said(self, before: TableState, event: Event) -> None:
        """What keys, sensors and people say of it."""
        match event:
            case WallBuilt():
                self.say(WallReady())
            case DiceRolled(seat, values):
                self.dice = values
                self.say(BoardDice(seat, values))
            case DealerChosen(seat):
                if not (before.throws and before.throws[-1].throw is Throw.DEALER):
                    self.command(ChooseDealer(seat))
            case AntesPlaced(double_down, challenges):
                self.command(PlaceAntes(double_down, challenges))
            case WallExhausted():
                self.say(Dome(True))
            case _ if type(event) in KEYS:
                self.say(KeyPressed(event.seat, KEYS[type(event)]))  # type: ignore[union-attr]

    def show_dealt(self, before: TableState, event: StartingHandShown) -> None:
        held = list(before.seats[event.seat].concealed or ())
        for tile in event.tiles:
            held.remove(tile)
        self.table.open_hands[event.seat] = (event.tiles, held[0] if held else None)
        self.look()
        del self.table.open_hands[event.seat]

    def show(self, event: HandShown) -> None:
        held = list(event.concealed)
        held.remove(event.winning_tile)
        apart = event.winning_tile if event.self_drawn else None
        self.table.open_hands[event.seat] = (tuple(held), apart)

    def reveal_treasure(self, state: TableState) -> None:
        """Who wins turns the treasure up where it was laid aside."""
        if rules_in_force(state).treasure is None or self.table.turned_up:
            return
        if state.indicators:
            last = state.indicators[-1]
            self.table.turn_up_aside(last.tile, len(state.indicators) - 1)
            at = max(i for i, e in enumerate(self.truth) if isinstance(e, IndicatorTurned))
            self.truth[at] = last

    def clear_away(self) -> None:
        self.table.clear()
        self.look()
        self.say(Dome(False))

    # -- what the program is told ------------------------------------------------------------------

    def say(self, content: object) -> None:
        self.t += 0.1
        self.session.process(BoardSignal(content))  # type: ignore[arg-type]

    def command(self, command: Command) -> None:
        self.t += 0.1
        self.session.put_command(command)
        self.session.drain()

    def look(self) -> None:
        for _ in range(self.pictures):
            self.t += STEP_S
            self.session.process(self.seen())

    def seen(self) -> Observation:
        """What lies on the table, and in how many pictures each tile was there."""
        observation = self.table.observation(self.state, self.t, self.dice)
        was, self._pictures = self._pictures, {}
        tiles = []
        for tile in observation.tiles:
            place = (tile.tile, tile.x_mm, tile.y_mm)
            self._pictures[place] = was.get(place, 0) + PICTURES_A_LOOK
            tiles.append(replace(tile, pictures=self._pictures[place]))
        return replace(observation, tiles=tuple(tiles))

    # -- what came of it ---------------------------------------------------------------------------

    @property
    def recorded(self) -> list[Event]:
        return [
            plain(event)
            for _, event in self.record.counting
            if not isinstance(event, BoardSaid | Asked | Answered)
        ]

    @property
    def asked(self) -> list[Asked]:
        return [event for _, event in self.record.counting if isinstance(event, Asked)]


def in_real_order(events: Iterable[Event]) -> list[Event]:
    """Several winners press their keys at once and then show their hands."""
    found: list[Event] = []
    for event in events:
        if isinstance(event, WinDeclared) and found and isinstance(found[-1], HandShown):
            at = next(i for i, each in enumerate(found) if isinstance(each, HandShown))
            found.insert(at, event)
        else:
            found.append(event)
    return found


def told(event: Event, rules: RuleSet) -> Event:
    """The event as a table without cards up its sleeve can tell it."""
    if isinstance(event, IndicatorTurned) and rules.treasure is not None:
        return replace(event, tile=Tile.UNKNOWN)
    return plain(event)


def plain(event: Event) -> Event:
    """Without what no eye sees, and in one order."""
    match event:
        case HandStarted():
            return replace(event, hands=())
        case TilesExchanged():
            return replace(event, given=())
        case StartingHandShown(_, tiles):
            return replace(event, tiles=tuple(sorted(tiles)))
        case HandLaidDown(_, tiles):
            return replace(event, concealed=tuple(sorted(tiles)))
        case BonusLaid(_, tiles):
            return replace(event, tiles=tuple(sorted(tiles)))
        case Claimed(_, _, tiles):
            return replace(event, tiles=tuple(sorted(tiles)))
        case _:
            return event
