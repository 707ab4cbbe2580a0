"""Evenings as a real table records them, right or with a mistake in them, settled by the rules."""

import argparse
import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from multiprocessing import get_context
from random import Random
from typing import Protocol, TypeVar

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Dome, Key, KeyPressed, WallReady
from table_assist.game.course import due_end
from table_assist.game.events import (
    Answered,
    AntesPlaced,
    Asked,
    BirdTurned,
    BoardSaid,
    BonusLaid,
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    End,
    Event,
    HandAbandoned,
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
from table_assist.game.state import Phase, TableState
from table_assist.record.commands import ChooseDealer, Command, Correct, Insert, PlaceAntes, Undo
from table_assist.record.log import Entry, Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.session.command_handler import CommandHandler
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_evening
from table_assist.twin.play.hand import play_hand
from table_assist.twin.scene import PlacedTile, Pose, Scene
from table_assist.twin.table import TableStep
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, to_seat, zone_at
from tests.stages.lying_table import LyingTable

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
                self.table.clear()
                self.look()
                self.say(Dome(False))
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


NAMES = ("Ann", "Bo", "Chen", "Du")
RULE_SETS = ("changchun", "changsha", "wanzhou", "tianjin", "classical")
_MAY_BE_MISSED = (Claimed, KongDeclared, ReadyDeclared, BirdTurned, IndicatorTurned, HandShown)


@cache
def played(rules: str, seed: int, hands: int) -> tuple[Event, ...]:
    """What happens in so many hands; nobody sees what the players hold."""
    random, state = Random(f"{rules} {seed}"), TableState()
    seen: list[Event] = []
    for _ in range(hands):
        if state.game_over:
            break
        events, state = play_hand(find_rules(rules), state, random)
        seen += [as_seen(event) for event in events if not isinstance(event, Drew)]
    seen.append(WallBuilt())  # the table goes on
    return tuple(seen)


def as_seen(event: Event) -> Event:
    match event:
        case HandStarted():
            return replace(event, hands=())
        case TilesExchanged():
            return replace(event, given=())
        case _:
            return event


def settled(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The same with each hand ended as the rules have it; given up where it cannot be settled."""
    state, found = TableState(), list[Event]()
    for event in events:
        if isinstance(event, End):
            due = due_end(state, drawn=isinstance(event, WallExhausted))
            event = due.end or HandAbandoned()
        state = apply(state, event)
        found.append(event)
    return tuple(found)


def record_of(events: tuple[Event, ...]) -> Record:
    entries = [
        Entry(seq, float(seq), Source.RULES if isinstance(event, End) else Source.CAMERA, event)
        for seq, event in enumerate(events, start=1)
    ]
    return Record(None, lambda: 1.0, entries)


def handler_of(rules: str, record: Record) -> CommandHandler:
    return CommandHandler(plain_profile(find_rules(rules)), NAMES, record)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A log with a mistake, and the command that puts it right."""

    events: tuple[Event, ...]
    remedy: Command


def mistake(events: tuple[Event, ...], random: Random) -> Mistake:
    """One event misread, missed or made up, anywhere in the evening."""
    kind = random.choice(("misread", "missed", "made up"))
    inside = range(_first_hand(events), len(events) - 1)
    if kind == "missed":
        places = [i for i in inside if isinstance(events[i], _MAY_BE_MISSED)]
        if places:
            at = random.choice(places)
            wrong = (*events[:at], *events[at + 1 :])
            return Mistake(settled(wrong), Insert(at + 1, events[at]))
    if kind == "made up":
        at = random.choice([i for i in inside if isinstance(events[i], Discarded)])
        made_up = random.choice((_kong(random), ReadyDeclared(random.randrange(4))))
        wrong = (*events[:at], made_up, *events[at:])
        return Mistake(settled(wrong), Undo(at + 1))
    places = [i for i in inside if isinstance(events[i], Discarded | HandShown | BirdTurned)]
    shown = [i for i in places if not isinstance(events[i], Discarded)]
    at = random.choice(shown if shown and random.random() < 0.7 else places)
    wrong = (*events[:at], _misread(events[at], random), *events[at + 1 :])
    return Mistake(settled(wrong), Correct(at + 1, events[at]))


def _first_hand(events: tuple[Event, ...]) -> int:
    return next(i for i, event in enumerate(events) if isinstance(event, HandStarted)) + 1


def _kong(random: Random) -> KongDeclared:
    return KongDeclared(random.randrange(4), MeldKind.KONG_CONCEALED, _other(None, random))


def _misread(event: Event, random: Random) -> Event:
    match event:
        case Discarded(_, tile) | BirdTurned(tile):
            return replace(event, tile=_other(tile, random))
        case HandShown(_, concealed, _, self_drawn):
            if random.random() < 0.2:
                return replace(event, self_drawn=not self_drawn)
            at = random.randrange(len(concealed))
            tiles = (*concealed[:at], _other(concealed[at], random), *concealed[at + 1 :])
            return replace(event, concealed=tuple(sorted(tiles)))
        case _:
            raise AssertionError(event)


def _other(tile: Tile | None, random: Random) -> Tile:
    faces = [each for each in Tile if each.is_suited and each is not tile]
    return random.choice((Tile.UNKNOWN, *faces))


IDS = [rules.id for rules in rule_sets()]
SEED, HANDS = 7, 8


@cache
def evening(rules: str) -> tuple[TableStep, ...]:
    return tuple(play_evening(SEED, find_rules(rules), hands=HANDS))


def folded(rules: str) -> Iterator[tuple[TableStep, TableState]]:
    """Each step with the state that the truth so far comes to."""
    yield from fold(evening(rules))


def fold(steps: tuple[TableStep, ...]) -> Iterator[tuple[TableStep, TableState]]:
    state, game = TableState(), 1
    for step in steps:
        if step.game != game:
            state, game = TableState(), step.game
        for event in step.events:
            state = apply(state, event)
        yield step, state


@cache
def viewed(rules: str) -> tuple[tuple[TableStep, TableState, "Read"], ...]:
    """Each step with tiles on the table while a hand runs, with its state and what is seen."""
    return tuple(
        (step, state, read(step.scene))
        for step, state in folded(rules)
        if step.scene.tiles and state.is_running
    )


@dataclass
class Read:
    """What an eye that errs in nothing reads off a scene by its zones.

    Attributes:
        bonus: flowers and seasons among what a seat has laid open.
        turned: faces that show in the wall.
        middle: what lies where birds are turned.
    """

    rivers: list[list[PlacedTile]] = field(default_factory=lambda: [[], [], [], []])
    melds: list[list[PlacedTile]] = field(default_factory=lambda: [[], [], [], []])
    hands: list[list[PlacedTile]] = field(default_factory=lambda: [[], [], [], []])
    passing: list[PlacedTile] = field(default_factory=list)
    middle: list[PlacedTile] = field(default_factory=list)
    turned: list[Tile] = field(default_factory=list)
    walls: int = 0

    def bonus(self, seat: int) -> tuple[Tile, ...]:
        laid = [tile for tile in self.melds[seat] if tile.tile.is_bonus]
        laid.sort(key=lambda tile: to_seat(tile.x_mm, tile.y_mm, seat)[0])
        return tuple(tile.tile for tile in laid)


@cache
def _zone(x_mm: float, y_mm: float) -> Zone:
    return zone_at(x_mm, y_mm, Layout())


def read(scene: Scene) -> Read:
    found = Read()
    for tile in scene.tiles:
        zone = _zone(tile.x_mm, tile.y_mm)
        match zone.kind, zone.seat:
            case ZoneKind.RIVER, int(seat):
                passing = tile.pose is Pose.FACE_DOWN
                (found.passing if passing else found.rivers[seat]).append(tile)
            case ZoneKind.MELDS, int(seat):
                found.melds[seat].append(tile)
            case ZoneKind.HAND, int(seat):
                found.hands[seat].append(tile)
            case ZoneKind.BIRDS, None:
                found.middle.append(tile)
            case ZoneKind.WALL, int():
                found.walls += tile.pieces
                if tile.shows is not Tile.BACK:
                    found.turned.append(tile.tile)
            case other:
                raise AssertionError(f"{tile} lies in {other}")
    return found


def river_faces(tiles: list[PlacedTile], seat: int) -> tuple[Tile, ...]:
    """Row by row from the centre, left to right as the seat sees it."""

    def place(tile: PlacedTile) -> tuple[int, float]:
        r, d = to_seat(tile.x_mm, tile.y_mm, seat)
        return round((d - 98) / 35.5), r

    return tuple(tile.tile for tile in sorted(tiles, key=place))


class Part(Protocol):
    """What some hands came to."""

    def add(self: "P", other: "P") -> None:
        """Count another part's hands, too."""


P = TypeVar("P", bound=Part)


def arguments(module: str, about: str | None, hands: int) -> argparse.ArgumentParser:
    """Which rule sets, how many hands of each, which seed, how many processes."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=about)
    parser.add_argument("rules", nargs="*", help="rule sets; all of them without")
    parser.add_argument("--hands", type=int, default=hands, help="of each rule set")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    return parser


def ids_of(options: argparse.Namespace) -> list[str]:
    """The rule sets that were asked for."""
    return options.rules or [rules.id for rules in rule_sets()]


def pool_of(options: argparse.Namespace) -> ProcessPoolExecutor:
    """As many processes as were asked for."""
    return ProcessPoolExecutor(options.processes, get_context("spawn"))


def in_chunks(
    options: argparse.Namespace, chunk: int, play: Callable[..., P], whole: Callable[[], P]
) -> Iterator[tuple[str, P, float]]:
    """Each rule set with what all its hands came to, and the seconds that it took.

    Args:
        play: of a rule set, so many hands with a seed.
        whole: of no hands.
    """
    with pool_of(options) as pool:
        for id in ids_of(options):
            started, found = time.monotonic(), whole()
            firsts = range(0, options.hands, chunk)
            sizes = [min(chunk, options.hands - first) for first in firsts]
            seeds = [f"{options.seed}-{first}" for first in firsts]
            for part in pool.map(play, [id] * len(sizes), sizes, seeds):
                found.add(part)
            yield id, found, time.monotonic() - started


# What is shown stays until people have looked at it: a dealt hand, and hands at the end.
LOOKS_WHILE_SHOWN = 4


class NoisyEvening(PlayedEvening):
    """As `PlayedEvening`, through worse eyes.

    Args:
        missed: how many of the moments are not seen at all.
        hidden: how many of the tiles are not seen in a look.
        unread: how many of the faces are not read in a look.
    """

    def __init__(
        self, rules: RuleSet, seed: int, *, missed: float, hidden: float, unread: float
    ) -> None:
        super().__init__(rules, seed)
        self._noise = Random(f"noise {seed}")
        self._missed, self._hidden, self._unread = missed, hidden, unread

    def look(self) -> None:
        shown = self.state.phase is Phase.SHOWING or bool(self.table.open_hands)
        for _ in range(LOOKS_WHILE_SHOWN if shown else 1):
            if shown or self._noise.random() >= self._missed:
                super().look()

    def seen(self) -> Observation:
        clear = super().seen()
        tiles = [self._blurred(tile) for tile in clear.tiles]
        return replace(clear, tiles=tuple(tile for tile in tiles if tile is not None))

    def _blurred(self, tile: SeenTile) -> SeenTile | None:
        chance = self._noise.random()
        if chance < self._hidden:
            return None
        if chance < self._hidden + self._unread and tile.tile is not Tile.BACK:
            return replace(tile, tile=Tile.UNKNOWN, candidates=((tile.tile, 0.5),))
        return tile

    def is_silently_wrong(self) -> bool:
        """Whether the last hand moved other points than it should, and nobody was asked."""
        true = next(e for e in reversed(self.truth) if isinstance(e, Settled | WallExhausted))
        recorded = {hand: transfers for hand, transfers, _ in self.record.history}
        moved = recorded.get(self.state.hand)
        asked = any(
            isinstance(event, Asked) and event.question.hand == self.state.hand
            for _, event in self.record.counting
        )
        is_open = self.record.state.is_running  # the next wall asks about it
        return moved != true.transfers and not asked and not is_open
