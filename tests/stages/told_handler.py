"""A command handler at a table, without threads: what was seen, and what people say."""

from dataclasses import replace

from table_assist.game.events import (
    BirdTurned,
    Discarded,
    Event,
    HandShown,
    HandStarted,
    WallBuilt,
    WinDeclared,
)
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.session.command_handler import CommandHandler
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.both_languages import english
from tests.stages.evenings import NAMES

CHANGSHA = find_rules("changsha")
EVE = "Eve (referee)"


def handler(rules: RuleSet = CHANGSHA, *events: Event) -> CommandHandler:
    """A command handler at a table where this was seen."""
    made = CommandHandler(plain_profile(rules), NAMES, Record(None, lambda: 1.0))
    return see(made, *events)


def see(at: CommandHandler, *events: Event, source: Source = Source.CAMERA) -> CommandHandler:
    for event in events:
        at.record.append(event, source)
    at.conclude()
    return at


def do(at: CommandHandler, command: object, by: str = EVE) -> str:
    """Obey and conclude, as the session does; why not, else empty."""
    why = at.execute(command, by)  # type: ignore[arg-type]
    at.conclude()
    return english(why)


def settle(at: CommandHandler) -> CommandHandler:
    assert at.accept()
    at.conclude()
    return at


def started(rules: str = "changsha", **changes: object) -> HandStarted:
    return replace(HandStarted(1, rules, 0, 55), **changes)  # type: ignore[arg-type]


def shown(seat: int = 1, tiles: str = "234m 567p 111s 555s 88p") -> HandShown:
    return HandShown(seat, parse_tiles(tiles), Tile.P8, True)


# Bo wins on the first tile drawn: a Big Win of 6, 7 from the dealer (CS-21k, CS-23).
BO_WINS = (-7, 19, -6, -6)
HAND = (
    WallBuilt(),
    started(),
    Discarded(0, Tile.M1),
    WinDeclared(1),
    shown(),
    BirdTurned(Tile.M3),
    BirdTurned(Tile.M4),
)
NEXT = (WallBuilt(), HandStarted(2, "changsha", 1, 55), Discarded(1, Tile.M9))


def seq_of(at: CommandHandler, kind: type, last: bool = True) -> int:
    found = [seq for seq, event in at.record.counting if isinstance(event, kind)]
    return found[-1 if last else 0]


def earlier_hand() -> CommandHandler:
    """Hand 1 is settled for Bo, and hand 2 is on the table."""
    return see(settle(handler(CHANGSHA, *HAND)), *NEXT)
