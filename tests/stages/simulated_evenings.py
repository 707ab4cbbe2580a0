"""Simulated evenings of every rule set, played once for all tests, and what an eye sees."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from table_assist.game.fold import apply
from table_assist.game.state import TableState
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_evening
from table_assist.twin.scene import PlacedTile, Pose, Scene
from table_assist.twin.table import TableStep
from table_assist.vision.table.zones import Layout, ZoneKind, to_seat, zone_at

IDS = [rules.id for rules in rule_sets()]
SEED, HANDS = 7, 12


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


def read(scene: Scene) -> Read:
    found = Read()
    for tile in scene.tiles:
        zone = zone_at(tile.x_mm, tile.y_mm, Layout())
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
