"""Dice under glass: a number is told where pips and network agree, and while nothing moves."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from table_assist.tiles.tile import Tile
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import DieLook, Reflection, TableLook
from table_assist.twin.looks import WellLook as DrawnConsole
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedDie, PlacedTile, Scene
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.dice_in_view import DOTS
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.pips import VIEW_PX_PER_MM, count_pips
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.recognise import LABELS, Seen
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.watcher import Watcher
from table_assist.vision.table.well import Well
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, zone_at
from tests.stages.drawn_hands import DrawnWell, drawn_well, fates
from tests.stages.vision_networks import PlainEyes

RADIUS_MM = 50.0
WHITE = DieLook()
CAMERA = Lens(size_wh=(1280, 1280), px_per_mm=1.55)
THROWN = (PlacedDie(5, -20.0, 8.0, 20.0), PlacedDie(3, 14.0, -12.0, 65.0))
CONSOLE = DrawnConsole(RADIUS_MM, 5.0, (200, 204, 206), (62, 104, 42), (48, 46, 44), 74.0)


@cache
def reader() -> Reader:
    return open_reader(threads=1)


@cache
def renderer(console: DrawnConsole, look: DieLook) -> Renderer:
    return Renderer(load_faces(), TableLook(well=console, die=look), CAMERA, seed=3)


def picture(*dice: PlacedDie, console: DrawnConsole = CONSOLE, look: DieLook = WHITE) -> Image:
    river = tuple(PlacedTile(tile, 28.0 * tile - 68, -130.0) for tile in (Tile.M1, Tile.M2))
    return renderer(console, look).picture(Scene(river, dice))


def calibration() -> Calibration:
    return Calibration(CAMERA.corners_px())


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("is_light", [True, False])
def test_pips_are_counted_at_any_angle(value: int, is_light: bool) -> None:
    ground, pips = ((40, 30, 180), (240, 240, 240)) if is_light else ((230,) * 3, (30,) * 3)
    look = DieLook(body=ground, pips=pips, accent=pips)
    for turn in (0.0, 33.0):
        seen = picture(PlacedDie(value, 5.0, -9.0, turn), look=look)
        view = Well(reader().recogniser, RADIUS_MM).view(seen, calibration())
        middle = view.shape[0] / 2
        x, y = middle + 5.0 * VIEW_PX_PER_MM, middle + 9.0 * VIEW_PX_PER_MM
        there = [face for face in count_pips(view) if np.hypot(face.x - x, face.y - y) < 8]
        clearest = max(there, key=lambda face: (face.value > 1, face.contrast))
        assert clearest.value == value


@pytest.mark.parametrize("turn", [10.0, 55.0])
def test_a_six_whose_pips_touch_is_a_six(turn: float) -> None:
    well = Well(reader().recogniser, RADIUS_MM)
    seen = picture(PlacedDie(6, 5.0, -9.0, turn), look=DieLook(pip=0.27))
    assert [die.value for die in well.read(well.view(seen, calibration()))] == [6]


def test_a_diagonal_three_is_a_die_though_it_looks_like_three_dots() -> None:
    """No tiles lie in a well; and one dot is no die's, because a mirrored lamp looks like it."""

    class SeesDots:
        def see(self, crops: Image) -> Seen:
            rows = np.zeros((len(crops), len(LABELS) + 2), np.float32)
            rows[:, LABELS.index("3p")], rows[:, LABELS.index("d3")] = 0.6, 0.4
            return Seen(rows)

    well = Well(SeesDots(), RADIUS_MM)
    seen = picture(PlacedDie(3, -10.0, 12.0, 35.0))
    assert [die.value for die in well.read(well.view(seen, calibration()))] == [3]
    assert 1 not in DOTS


def test_a_lamp_beside_a_single_pip_makes_no_two() -> None:
    """Both are as light, and as far from each other as the pips of a large die."""
    dark = DieLook(body=(60, 52, 54), pips=(240,) * 3, accent=(240,) * 3, one=0.3, size_mm=13.0)
    seen = picture(PlacedDie(1, 8.0, -6.0, 45.0), look=dark)
    well = Well(reader().recogniser, RADIUS_MM)
    view = well.view(seen, calibration())
    middle = view.shape[0] // 2
    lamp = middle + round(19 * VIEW_PX_PER_MM), middle + round(2 * VIEW_PX_PER_MM)
    cv2.circle(view, lamp, 7, (235, 235, 235), -1, cv2.LINE_AA)
    assert 2 not in [die.value for die in well.read(view)]


def test_a_lamp_on_a_floor_of_the_dice_s_colour_is_no_one() -> None:
    dark = DieLook(body=(48, 44, 46), pips=(240,) * 3, accent=(240,) * 3)
    console = replace(CONSOLE, floor=(48, 46, 50))
    well = Well(reader().recogniser, RADIUS_MM)
    view = well.view(picture(*THROWN, look=dark, console=console), calibration())
    middle = view.shape[0] // 2
    lamp = middle + round(-15 * VIEW_PX_PER_MM), middle + round(20 * VIEW_PX_PER_MM)
    cv2.circle(view, lamp, 6, (225, 225, 225), -1, cv2.LINE_AA)
    assert 1 not in [die.value for die in well.read(view)]


def test_a_hidden_pip_is_no_smaller_number() -> None:
    lamp = Reflection(-0.4, 0.16, 0.14, 0.14, 0.0, 1.2, is_lamp=True)
    console = DrawnConsole(
        RADIUS_MM, 5.0, CONSOLE.ring, CONSOLE.floor, CONSOLE.console, 74.0, reflections=(lamp,)
    )
    seen = picture(*THROWN, console=console)
    well = Well(reader().recogniser, RADIUS_MM)
    told = well.read(well.view(seen, calibration()))
    assert 3 in [die.value for die in told]
    assert all(die.value in (None, 3) for die in told), "the light lies on the five"


def test_a_watched_well_tells_its_dice_after_a_second_and_no_tile() -> None:
    well = Well(reader().recogniser, RADIUS_MM)
    layout = Layout(well=RADIUS_MM)
    seen = picture(*THROWN)
    read = reader().read(seen)
    watcher = Watcher(
        PlainEyes(lambda _: read), calibration(), layout, limits=Limits.alike(0.9), well=well
    )
    looks = [watcher.look(seen, t) for t in (0.0, 0.5, 1.0, 1.6)]
    assert [look.dice for look in looks] == [(), (), (), (3, 5)]
    places = {die.value: (die.x_mm, die.y_mm) for die in looks[-1].seen_dice}
    for die in THROWN:
        assert np.hypot(places[die.value][0] - die.x_mm, places[die.value][1] - die.y_mm) < 4
    assert not looks[-1].in_zone(ZoneKind.DICE)


def test_rolling_dice_are_not_told() -> None:
    well = Well(reader().recogniser, RADIUS_MM)
    rolling = [picture(PlacedDie(5, -20.0 + 9 * step, 8.0, 40.0 * step)) for step in range(3)]
    assert [well.read_dice(each, calibration()) for each in rolling] == [None, None, None]
    lying = well.read_dice(rolling[-1], calibration())
    assert lying is not None
    assert [die.value for die in lying] == [5]


def test_an_empty_well_has_no_dice() -> None:
    well = Well(reader().recogniser, RADIUS_MM)
    assert well.read(well.view(picture(), calibration())) == ()


def test_what_lies_in_the_well_are_dice_and_beside_it_birds() -> None:
    layout = Layout(well=50.0)
    assert zone_at(40.0, 0.0, layout) == Zone(ZoneKind.DICE)
    assert zone_at(60.0, 0.0, layout) == Zone(ZoneKind.BIRDS)
    assert zone_at(40.0, 0.0, Layout()) == Zone(ZoneKind.BIRDS)
    assert layout.fitted(30.0).well == 50.0
    assert layout.fitted(30.0).wall > layout.wall
    with pytest.raises(ValueError, match="does not fit the middle"):
        Layout(well=90.0)


def test_drawn_wells_are_never_read_wrong() -> None:
    for seed in (600_001, 600_004):
        drawn: DrawnWell = drawn_well(seed)
        well = Well(reader().recogniser, drawn.radius_mm)
        assert drawn.calibration is not None
        told = well.read(well.view(drawn.picture, drawn.calibration))
        found = list(fates(drawn, told))
        assert not [each for each in found if each.endswith(("WRONG", "NAMED"))]
        assert len(found) >= len(drawn.dice) >= 1
