"""An arm that rested over the table goes: what it hid is known again, what it left is read at once.

The detector finds arms' pieces in these pictures as little as on a real table: they are too large.
"""

import pytest

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.motion_gate import REST_S
from tests.vision.test_incremental import THINGS, live, table
from tests.vision.test_whole_picture import Seen, told

SPACING = 1 / 30
REST = round(REST_S / SPACING) + 3
ARMS = [(100, 0, 330, 260), (300, 250, 700, 420), (500, 60, 900, 230), (40, 300, 260, 600)]

Things = dict[tuple[int, int], str]


class Camera:
    """Shows pictures to a reader, a thirtieth of a second apart."""

    def __init__(self) -> None:
        self.reader: LiveReader = live()
        self.shown = 0

    def show(self, things: Things, arm: tuple[int, int, int, int] | None = None) -> set[Seen]:
        image: Image = table(things)
        if arm is not None:
            left, top, right, bottom = arm
            image[top:bottom, left:right] = 120
        self.shown += 1
        readings = self.reader.read(image, self.shown * SPACING)
        return told(readings)


def whole(things: Things) -> set[Seen]:
    return told(live().read(table(things)))


@pytest.mark.parametrize("arm", ARMS)
def test_what_an_arm_hid_is_known_again_as_it_was_named(arm: tuple[int, int, int, int]) -> None:
    camera = Camera()
    camera.show(THINGS)
    for _ in range(REST):
        hidden = camera.show(THINGS, arm)
    assert len(hidden) < len(THINGS), "the arm was read"
    before = camera.reader.work.crops_recognised
    for _ in range(REST):
        seen = camera.show(THINGS)
    assert seen == whole(THINGS)
    assert camera.reader.work.crops_recognised == before
    assert not camera.reader.unread.any()
