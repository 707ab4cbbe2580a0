"""What may be told of one winning tile, for hands that are made up."""

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
from tests.stages.evenings import NAMES
from tests.stages.on_paper import english

OF_A_DRAWN_TILE = frozenset({"after_kong"})
OF_A_CLAIMED_TILE = frozenset({"after_kong_discard", "robbing_kong"})


def that_fit(told: list[str], *, self_drawn: bool, held: int = 1, claimed: int = 0) -> list[str]:
    """Of what is told that which can be true of the tile together; the first word counts.

    Args:
        held: so many copies of the tile are in the hand; more than the one cannot be where a kong
            was robbed of it.
        claimed: so many melds are; with more than one no hand stood after its first discard.
    """
    wrong = OF_A_CLAIMED_TILE if self_drawn else OF_A_DRAWN_TILE
    if held > 1:
        wrong = wrong | {"robbing_kong"}
    if claimed > 1:
        wrong = wrong | {"ready_declared"}
    if "first_turn" in told:
        wrong = wrong | {"after_kong", "last_tile", "last_tile_was_kong_replacement"}
    kept = [each for each in told if each not in wrong]
    if set(kept) >= OF_A_CLAIMED_TILE:
        kept.remove("robbing_kong")
    return kept


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
