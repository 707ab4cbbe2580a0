"""Discards that are thrown into a heap."""

from table_assist.rules.registry import find_rules
from table_assist.twin.evening import play_evening
from table_assist.twin.river import RiverStyle, penetration
from table_assist.twin.table import Manners
from tests.stages.simulated_evenings import read

# Tiles may touch, and real ones overlap in the picture by less than this.
TOUCH_MM = 1.0


def test_tiles_of_a_heap_do_not_lie_on_each_other() -> None:
    rules = find_rules("tianjin")
    steps = list(play_evening(2, rules, hands=1, manners=Manners(river=RiverStyle.HEAP)))
    fullest = max(steps, key=lambda s: sum(map(len, read(s.scene).rivers)))
    lying = [t for own in read(fullest.scene).rivers for t in own]
    assert len(lying) > 40
    for index, one in enumerate(lying):
        for other in lying[:index]:
            assert penetration(one.corners_mm(), other.corners_mm()) <= TOUCH_MM
