"""Dice count once they have lain still for a second, and never while anything is in doubt."""

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from table_assist.tiles.tile import SUITED
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedDie, PlacedTile, Scene
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.readings import box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.dice import DiceTray, SeenDie, TrayReading, TrayState
from table_assist.vision.table.observation import observe
from table_assist.vision.table.watcher import Watcher
from table_assist.vision.table.zones import Layout
from tests.stages.vision_networks import PlainEyes

PLACES = ((-50.0, 10.0), (-25.0, -12.0), (-30.0, 40.0))
Look = tuple[int | None, ...]


def dice(*values: int | None, shift: float = 0.0) -> list[SeenDie]:
    return [SeenDie(value, x + shift, y) for value, (x, y) in zip(values, PLACES, strict=False)]


def after(looks: Iterable[tuple[float, list[SeenDie]]]) -> TrayReading:
    """What the tray reads after the last of the looks."""
    tray = DiceTray()
    reading = TrayReading(TrayState.MOVING)
    for t, seen in looks:
        reading = tray.update(t, seen)
    return reading


def test_dice_count_after_a_second_and_not_before() -> None:
    assert after([(0, dice(3, 5)), (0.5, dice(3, 5)), (0.9, dice(3, 5))]).settled == ()
    settled = after([(0, dice(5, 3)), (0.5, dice(5, 3)), (1.0, dice(5, 3))])
    assert settled == TrayReading(TrayState.SETTLED, (3, 5))
    assert settled.settled == (3, 5)


def test_dice_that_move_start_the_second_anew() -> None:
    rolling = [(0.2 * i, dice(3, 5, shift=10.0 * i)) for i in range(20)]
    assert after(rolling).state is TrayState.MOVING
    still = [(4.0 + 0.2 * i, dice(3, 5, shift=190.0)) for i in range(6)]
    assert after([*rolling, *still[:-1]]).state is TrayState.MOVING
    assert after([*rolling, *still]).settled == (3, 5)


def test_a_trembling_box_is_a_die_that_lies_still() -> None:
    looks = [(0.25 * i, dice(2, 6, shift=(-1) ** i * 1.5)) for i in range(5)]
    assert after(looks).settled == (2, 6)


def test_a_face_that_is_read_in_two_ways_is_not_sure() -> None:
    values: list[Look] = [(4, 1), (4, 1), (6, 1), (4, 1), (4, 1)]
    looks = [(0.25 * i, dice(*each)) for i, each in enumerate(values)]
    assert after(looks) == TrayReading(TrayState.UNSURE, (1, None))
    assert after(looks).settled == ()
    agreed = [(1.25 + 0.25 * i, dice(4, 1)) for i in range(4)]
    assert after([*looks, *agreed]).settled == (1, 4), "a second of agreement settles it"


def test_a_face_that_is_hardly_ever_read_is_not_sure() -> None:
    values: list[Look] = [(None, 1), (None, 1), (4, 1), (None, 1), (None, 1)]
    assert after((0.25 * i, dice(*each)) for i, each in enumerate(values)).settled == ()
    values = [(4, 1), (None, 1), (4, 1), (None, 1), (4, 1)]
    assert after((0.25 * i, dice(*each)) for i, each in enumerate(values)).settled == (1, 4)


def test_a_covered_tray_is_unavailable_and_starts_anew() -> None:
    tray = DiceTray()
    for i in range(5):
        tray.update(0.25 * i, dice(3, 5))
    assert tray.update(1.25, dice(3, 5), covered=True) == TrayReading(TrayState.COVERED)
    assert tray.update(1.5, dice(3, 5)).state is TrayState.MOVING
    assert tray.update(2.5, dice(3, 5)).settled == (3, 5)


@pytest.mark.parametrize("later", [5.0, -1.0])
def test_a_camera_that_was_away_has_not_seen_the_dice_lie_still(later: float) -> None:
    assert after([(0, dice(3, 5)), (0.5, dice(3, 5)), (later, dice(3, 5))]).settled == ()


looks = st.lists(
    st.tuples(
        st.floats(0.05, 0.6),
        st.lists(st.sampled_from([1, 2, 4, 6, None]), max_size=3),
        st.sampled_from([0.0, 0.0, 0.0, 1.0, 20.0]),
        st.integers(0, 5),
    ),
    max_size=25,
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(looks=looks)
@example(looks=[(wait, [1, 1, 1], 0.0, 0) for wait in (1 / 3, 0.5, 0.5)])  # a second when rounded
def test_what_counts_was_seen_at_its_place_for_a_second_and_nothing_else_was(
    looks: list[tuple[float, list[int | None], float, int]],
) -> None:
    """Checked from the whole story, whatever the order in which a look names the dice."""
    tray = DiceTray()
    story: list[tuple[float, list[SeenDie]]] = []
    t = 0.0
    for wait, values, shift, turn in looks:
        t += wait
        seen = dice(*values, shift=shift)
        story.append((t, seen))
        settled = tray.update(t, seen[turn % 3 :] + seen[: turn % 3]).settled
        if not settled:
            continue
        recent = [look for at, look in story if t - at < 1.0]
        earlier = [look for at, look in story if t - at >= 1.0]
        assert earlier, "a second must have passed"
        for look in [*recent, earlier[-1]]:
            assert len(look) == len(settled)
            known = [die.value for die in look if die.value is not None]
            assert all(known.count(value) <= settled.count(value) for value in known)
        first, last = recent[0], recent[-1]
        for one, other in zip(first, last, strict=True):
            assert abs(one.x_mm - other.x_mm) <= 1.0


def test_an_unread_thing_in_the_tray_is_a_die_if_it_is_rather_a_die() -> None:
    boxes = np.array([[380, 390, 396, 406], [340, 390, 356, 406]], np.float32)
    names = [
        Name("?", 0.5, (Candidate("d3", 0.5), Candidate("d5", 0.3), Candidate("1p", 0.1))),
        Name("?", 0.5, (Candidate("1p", 0.6), Candidate("d1", 0.3))),
    ]
    calibration = Calibration(((0, 800), (800, 800), (800, 0), (0, 0)))
    seen = observe(box_readings((800, 800), boxes, names), calibration, Layout(), 0.0)
    assert seen.dice == ()
    assert [die.value for die in seen.seen_dice] == [None]
    assert len(seen.tiles) == 1


@pytest.fixture(scope="module")
def camera() -> Lens:
    return Lens()


@pytest.fixture(scope="module")
def picture(camera: Lens) -> Image:
    """Chinese dice, the one and the four are red, and some tiles of a river."""
    thrown = (PlacedDie(4, -50.0, 10.0, 20.0), PlacedDie(1, -22.0, -18.0, 65.0))
    river = tuple(PlacedTile(tile, 27.0 * i - 68, -100.0) for i, tile in enumerate(SUITED[:6]))
    renderer = Renderer(load_faces(), TableLook(), camera, seed=3)
    return renderer.picture(Scene(river, thrown))


def test_a_watched_tray_tells_its_dice_after_a_second(camera: Lens, picture: Image) -> None:
    watcher = Watcher(
        PlainEyes(open_reader(threads=1).read),
        Calibration(camera.corners_px()),
        Layout(),
        limits=Limits.alike(0.9),
    )
    seen = [watcher.look(picture, t).dice for t in (0.0, 0.5, 1.0)]
    assert seen == [(), (), (1, 4)]
