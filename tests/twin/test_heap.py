"""Discards that are thrown into a heap."""

from table_assist.game.events import Discarded
from table_assist.rules.registry import find_rules
from table_assist.twin.evening import play_evening
from table_assist.twin.places import penetration
from table_assist.twin.river import RiverStyle
from table_assist.twin.scene import PlacedTile
from table_assist.twin.table import Manners
from table_assist.vision.table.zones import Layout, ZoneKind, zone_at
from tests.stages.simulated_evenings import read

# Tiles may touch, and real ones overlap in the picture by less than this.
TOUCH_MM = 1.0


def test_a_heap_lies_anywhere_between_the_middle_and_the_wall_and_does_not_move() -> None:
    rules = find_rules("tianjin")
    manners = Manners(river=RiverStyle.HEAP)
    thrown: list[PlacedTile] = []
    for step in play_evening(2, rules, hands=2, manners=manners):
        lying = [t for own in read(step.scene).rivers for t in own] if step.scene.tiles else []
        if step.hand == 2 and any(isinstance(e, Discarded) for e in step.events):
            assert len(set(lying) - set(thrown)) == 1
        thrown = lying
        for tile in lying:
            assert zone_at(tile.x_mm, tile.y_mm, Layout()).kind is ZoneKind.RIVER
            assert 98.0 <= max(abs(tile.x_mm), abs(tile.y_mm)) <= 204.0
        if not step.scene.tiles and thrown:
            break


def test_tiles_of_a_heap_do_not_lie_on_each_other() -> None:
    rules = find_rules("tianjin")
    steps = list(play_evening(2, rules, hands=1, manners=Manners(river=RiverStyle.HEAP)))
    fullest = max(steps, key=lambda s: sum(map(len, read(s.scene).rivers)))
    lying = [t for own in read(fullest.scene).rivers for t in own]
    assert len(lying) > 40
    for index, one in enumerate(lying):
        for other in lying[:index]:
            assert penetration(one.corners_mm(), other.corners_mm()) <= TOUCH_MM
