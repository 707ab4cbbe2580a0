"""A camera that was bumped or turned is noticed; hands, tiles and light are no bump."""

import re
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_assist.languages.words import same
from table_assist.live.live_table import LiveTable
from table_assist.record.snapshot import SourceHealth
from table_assist.rules.registry import find_rules
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook, look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Cover, Scene, reaching_arm
from table_assist.upkeep.demo import demo_config
from table_assist.vision.pictures.camera import Camera as OpenCamera
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.table.calibration import Calibration, CalibrationError, KeptCalibration
from table_assist.vision.table.camera_moved import (
    CameraStand,
    MoveWatch,
    Reference,
    motion,
    reduced,
    reference_of,
)
from table_assist.vision.table.unseen import WhyUnseen
from table_assist.vision.table.watcher import Watcher
from table_assist.vision.table.zones import Layout, Zone, ZoneKind
from tests.stages.vision_networks import PlainEyes

CAMERA = Lens((1280, 720), px_per_mm=0.8)
CALIBRATION = Calibration(CAMERA.corners_px())
ALIKE_MM = 4.0
ARMS = (*reaching_arm(1, 0, 0), *reaching_arm(0, 100, 100))


def told_mm(sentence: str) -> int:
    """How far the table is said to lie off; 0 where nothing is said."""
    found = re.search(r"The camera has moved: the table lies (\d+) mm", sentence)
    return int(found.group(1)) if found else 0


@cache
def in_play() -> Scene:
    steps = list(play_evening(3, find_rules("changsha"), hands=1))
    return replace(steps[40].scene, covers=())


def picture(
    camera: Lens = CAMERA, scene: Scene | None = None, look: TableLook | None = None
) -> Image:
    drawn = Renderer(load_faces(), look or look_of(2), camera, 2)
    return drawn.picture(in_play() if scene is None else scene)


@pytest.fixture(scope="module")
def reference() -> Reference:
    """The table was empty when it was calibrated."""
    return reference_of(picture(scene=Scene()), CALIBRATION)


def lit(gain: float, lamp_mm: tuple[float, float]) -> TableLook:
    look = look_of(2)
    blue, green, red = look.optics.lamp
    lamp = (gain * blue, gain * green, gain * red)
    return replace(look, lamp_mm=lamp_mm, optics=replace(look.optics, lamp=lamp))


def test_tiles_hands_and_light_are_no_motion(reference: Reference) -> None:
    arms = replace(in_play(), covers=ARMS)
    for image in (
        picture(),
        picture(scene=arms),
        picture(look=lit(0.6, (-160, 220))),
        picture(scene=arms, look=lit(0.8, (300, -300))),
    ):
        assert motion(reference, image).stand is CameraStand.STILL


@pytest.mark.parametrize(
    ("camera", "turn_deg"),
    [
        (replace(CAMERA, aim_mm=(30.0, 0.0)), 0.0),
        (replace(CAMERA, aim_mm=(-18.0, 24.0)), 0.0),
        (replace(CAMERA, turn_deg=2.0), 2.0),
        (replace(CAMERA, turn_deg=-2.0), -2.0),
    ],
)
@pytest.mark.parametrize("covers", [(), ARMS])
def test_a_bump_of_3_cm_and_a_turn_of_2_degrees_are_seen_and_measured(
    reference: Reference, camera: Lens, turn_deg: float, covers: tuple[Cover, ...]
) -> None:
    seen = motion(reference, picture(camera, replace(in_play(), covers=covers)))
    assert seen.stand is CameraStand.MOVED
    assert seen.turn_deg == pytest.approx(turn_deg, abs=0.3)
    off = np.linalg.norm(np.array(seen.corners_px) - camera.corners_px(), axis=1)
    assert off.max() < ALIKE_MM * CALIBRATION.px_per_mm


def test_another_place_altogether_is_unknown_and_never_still(reference: Reference) -> None:
    for camera in (replace(CAMERA, aim_mm=(150.0, 40.0)), replace(CAMERA, turn_deg=40.0)):
        assert motion(reference, picture(camera)).stand is not CameraStand.STILL
    assert motion(reference, np.zeros((1080, 1920, 3), np.uint8)).stand is CameraStand.UNKNOWN


def test_a_bump_is_told_within_two_seconds_and_an_arms_shake_is_not(reference: Reference) -> None:
    watch = MoveWatch(reference)
    here, there = picture(), picture(replace(CAMERA, aim_mm=(30.0, 0.0)))
    told_t = None
    for tick in range(60):
        t = tick / 10
        watch.update(there if 10 <= tick < 15 or tick >= 30 else here, t)
        if t < 3:
            assert watch.words.en == ""
        elif watch.words.en and told_t is None:
            told_t = t
    assert told_t is not None
    assert told_t - 3.0 <= 2.0
    assert told_mm(watch.words.en) == pytest.approx(30, abs=2)


def test_a_table_without_anything_to_hold_on_to_is_not_said_to_move() -> None:
    plain = np.full((720, 1280, 3), 90, np.uint8)
    watch = MoveWatch(reference_of(plain, CALIBRATION))
    for t in range(5):
        watch.update(plain, float(t))
    assert watch.words.en == ""


def nothing(window: Image) -> Readings:
    return box_readings((window.shape[1], window.shape[0]), np.empty((0, 4), np.float32), [])


def test_the_watcher_holds_still_then_follows_a_bumped_camera(reference: Reference) -> None:
    reads: list[tuple[int, ...]] = []

    def read(window: Image) -> Readings:
        reads.append(window.shape)
        return nothing(window)

    watcher = Watcher(PlainEyes(read), CALIBRATION, Layout(), limits=Limits.alike(0.5))
    here, there = picture(scene=Scene()), picture(replace(CAMERA, aim_mm=(30.0, 0.0)))
    watcher.look(here, 0.0)
    assert len(reads) == 1
    watcher.look(there, 0.6)
    assert len(reads) == 1, "tiles read by the old corners would lie in other zones"
    for t in (1.2, 1.8, 2.4):
        watcher.look(there, t)
    assert watcher.trouble == ""
    assert "fitted again" in watcher.note
    assert len(reads) > 1
    watcher.look(here, 3.0)
    assert watcher.note == ""


def test_a_moved_camera_that_cuts_the_table_off_goes_on_and_says_what_it_does_not_show() -> None:
    """Corners that lie farther outside than people could have given them are found, not given."""
    close = replace(CAMERA, px_per_mm=0.88)
    watcher = Watcher(
        PlainEyes(nothing), Calibration(close.corners_px()), Layout(), limits=Limits.alike(0.5)
    )
    here, there = picture(close, Scene()), picture(replace(close, aim_mm=(0.0, 60.0)), Scene())
    assert watcher.look(here, 0.0).unavailable == ()
    for t in (0.6, 1.2, 1.8, 2.4):
        seen = watcher.look(there, t)
    gone = {each.zone: each.why for each in seen.unavailable}
    assert gone == {Zone(ZoneKind.HAND, 0): WhyUnseen.OUTSIDE}
    assert "The hand of {0} cannot be seen: it lies partly outside" in seen.unavailable[0].words.en
    assert watcher.look(here, 3.0).unavailable == (), "and is put back"


def test_a_picture_of_another_size_than_calibrated_is_refused() -> None:
    image = picture(scene=Scene())
    kept = KeptCalibration(CALIBRATION, (1280, 720), reduced(image), "2026-11-21")
    watcher = Watcher(
        PlainEyes(nothing), CALIBRATION, Layout(), limits=Limits.alike(0.5), kept=kept
    )
    with pytest.raises(CalibrationError, match="1280 x 720 px and the camera gives 1920 x 1080"):
        watcher.look(np.zeros((1080, 1920, 3), np.uint8), 0.0)


class BumpedCamera:
    """Gives pictures of an empty table, and is pushed 3 cm aside when a test says so."""

    def __init__(self) -> None:
        before, after = (picture(c, Scene()) for c in (CAMERA, replace(CAMERA, aim_mm=(30.0, 0.0))))
        self.is_bumped = False
        self._pictures = {False: before, True: after}
        self._noise = np.random.default_rng(1)

    def read(self) -> Image:
        time.sleep(0.05)
        image = self._pictures[self.is_bumped]
        return cv2.add(image, self._noise.integers(0, 2, image.shape, np.uint8))  # type: ignore[return-value]


def test_the_dashboard_is_told_of_a_bumped_camera(tmp_path: Path) -> None:
    bumped = BumpedCamera()
    kind = SourceKind(lambda: bumped, same("the camera"), is_live=True)
    config = demo_config(CAMERA, port="", log=tmp_path / "log.sqlite")
    table = LiveTable(config, camera=OpenCamera(kind), reader=open_reader(threads=1))

    def until(holds: Callable[[SourceHealth], bool]) -> None:
        ends = time.monotonic() + 30
        while not any(holds(s) for s in table.snapshot.health if s.name == "camera"):
            assert time.monotonic() < ends, table.snapshot.health
            table.wait(table.version, 0.5)

    table.start()
    try:
        until(lambda camera: camera.status == "live" and not camera.says.en)
        until(lambda camera: table.eyes.picture() is not None)
        bumped.is_bumped = True
        until(lambda camera: abs(told_mm(camera.says.en) - 30) <= 2)
    finally:
        table.stop()
