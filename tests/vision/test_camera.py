"""Pictures as they come: a live source's newest, all of a file; what is told when none come."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.live.evening import Clock
from table_assist.languages.words import Words, same
from table_assist.vision.pictures.camera import (
    FIRST_PICTURE_S,
    FIRST_RETRY_S,
    LONGEST_RETRY_S,
    MISSES,
    Camera,
    CameraStatus,
    is_covered,
)
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import CameraError, SourceKind, find_source
from tests.stages.opened_camera import open_pictures


class Script:
    """A source that gives what the script says: a picture, None, or an error."""

    def __init__(self, *items: Image | Exception | None) -> None:
        self.items = list(items)
        self.closed = 0

    def read(self) -> Image | None:
        item = self.items.pop(0) if self.items else None
        if isinstance(item, Exception):
            raise item
        return item

    def close(self) -> None:
        self.closed += 1


def scene(seed: int) -> Image:
    return np.random.default_rng(seed).integers(0, 255, (48, 64, 3), np.uint8)


def live(clock: Clock, opener: Callable[[], Script]) -> Camera:
    return Camera(SourceKind(opener, same("camera 0"), is_live=True), stale_s=3.0, now=clock)


def test_before_the_first_picture_a_camera_is_waited_for_and_too_late_it_is_stale() -> None:
    clock = Clock(1000.0)
    camera = live(clock, Script)
    camera.step()
    health = camera.health()
    assert (health.status, health.age_s) == (CameraStatus.WAITING, None)
    assert "no picture yet" in health.says.en
    clock.t += FIRST_PICTURE_S + 0.1
    assert camera.health().status is CameraStatus.STALE


def test_of_a_live_camera_the_newest_picture_wins() -> None:
    clock = Clock(1000.0)
    source = Script(scene(1), scene(2), scene(3))
    camera = live(clock, lambda: source)
    for _ in range(3):
        clock.t += 0.1
        assert camera.step() == 0.0
    picture = camera.next_picture(timeout_s=0)
    assert picture is not None
    assert (picture.seq, picture.t_s) == (3, clock.t)
    assert np.array_equal(picture.image, scene(3))
    assert camera.next_picture(timeout_s=0) is None, "a picture is taken once"
    assert camera.health().status is CameraStatus.LIVE
    assert camera.health().says.en == ""


def test_a_camera_that_hangs_is_stale_with_its_age() -> None:
    clock = Clock(1000.0)
    source = Script(scene(1))
    camera = live(clock, lambda: source)
    camera.step()
    clock.t += 2.9
    assert camera.health().status is CameraStatus.LIVE
    clock.t += 4.1
    health = camera.health()
    assert (health.status, health.age_s) == (CameraStatus.STALE, pytest.approx(7))
    assert health.says.en == "camera 0 has given no picture for 7 s"


def test_the_same_bytes_again_and_again_are_a_frozen_camera() -> None:
    clock = Clock(1000.0)
    source = Script(*[scene(1)] * 50)
    camera = live(clock, lambda: source)
    for _ in range(40):
        camera.step()
        clock.t += 0.1
    health = camera.health()
    assert health.status is CameraStatus.STALE
    assert "frozen" in health.says.en
    assert health.age_s == pytest.approx(4.0)
    picture = camera.next_picture(timeout_s=0)
    assert picture is not None
    assert picture.seq == 1, "a repeated picture is not a new one"


def test_a_camera_gone_is_reopened_with_growing_delay_and_comes_back() -> None:
    clock = Clock(1000.0)
    first = Script(scene(1))
    opened: list[Script] = []

    def opener() -> Script:
        if len(opened) == 0:
            opened.append(first)
            return first
        if len(opened) < 4:
            opened.append(first)
            raise CameraError.of(same("camera 0 cannot be opened"))
        return Script(scene(2))

    camera = live(clock, opener)
    camera.step()
    waits = [camera.step() for _ in range(MISSES)]
    assert all(wait < FIRST_RETRY_S for wait in waits[:-1]), "a broken picture is no lost camera"
    assert waits[-1] == FIRST_RETRY_S
    assert first.closed == 1
    health = camera.health()
    assert health.status is CameraStatus.LOST
    assert health.says.en == "camera 0 is gone; it is tried again every 0.5 s"
    assert [camera.step() for _ in range(3)] == [1.0, 2.0, 4.0]
    assert "cannot be opened" in camera.health().says.en
    clock.t += 1
    assert camera.step() == 0.0
    assert camera.health().status is CameraStatus.LIVE
    assert camera.health().age_s == 0.0


def test_the_delay_stops_growing() -> None:
    def opener() -> Script:
        raise CameraError.of(same("camera 7 cannot be opened"))

    camera = live(Clock(1000.0), opener)
    assert [camera.step() for _ in range(8)][-2:] == [LONGEST_RETRY_S] * 2


def test_a_source_that_fails_in_any_way_is_lost_and_reopened(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sources = [Script(RuntimeError("driver")), Script(scene(1))]
    camera = live(Clock(1000.0), lambda: sources.pop(0))
    assert camera.step() == FIRST_RETRY_S
    assert camera.health().status is CameraStatus.LOST
    assert "driver" in caplog.text
    assert camera.step() == 0.0
    assert camera.health().status is CameraStatus.LIVE


def smooth(low: int, high: int) -> Image:
    ramp = np.linspace(low, high, 640, dtype=np.float32)[None, :, None]
    noise = np.random.default_rng(0).normal(0, 4, (480, 640, 3))
    return np.clip(ramp + noise, 0, 255).astype(np.uint8)


def test_dark_white_and_smooth_pictures_are_covered_and_a_table_is_not() -> None:
    for image in (smooth(0, 10), smooth(252, 255), smooth(60, 160), np.zeros((1, 1, 3), np.uint8)):
        assert is_covered(image)
    table = smooth(60, 90)
    table[200:240, 300:330] = 230  # a single tile on a dim felt
    assert not is_covered(table)


def write_pictures(folder: Path, names: list[str]) -> None:
    for index, name in enumerate(names):
        cv2.imwrite(str(folder / name), scene(index))


def test_every_picture_of_a_folder_comes_once_in_natural_order(tmp_path: Path) -> None:
    write_pictures(tmp_path, ["p10.png", "p9.png", "p1.png"])
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "p2.png").write_bytes(b"broken")
    with open_pictures(tmp_path) as camera:
        pictures = list(camera)
    assert [picture.seq for picture in pictures] == [1, 2, 3]
    for picture, seed in zip(pictures, (2, 1, 0), strict=True):
        assert np.array_equal(picture.image, scene(seed))
    assert camera.health().status is CameraStatus.LOST
    assert "has ended" in camera.health().says.en


def test_a_video_is_given_whole_with_its_own_times(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for index in range(7):
        writer.write(np.full((48, 64, 3), 30 * index + 20, np.uint8))
    writer.release()
    clock = Clock(1000.0)
    with open_pictures(path, now=clock) as camera:
        pictures = list(camera)
    assert len(pictures) == 7
    assert [round(picture.t_s - clock.t, 3) for picture in pictures] == [
        round(0.1 * index, 3) for index in range(7)
    ]
    assert abs(int(pictures[3].image.mean()) - 110) < 6


def test_any_object_that_reads_is_asked_only_when_its_picture_was_taken() -> None:
    class Simulator:
        def __init__(self) -> None:
            self.made = 0

        def read(self) -> Image:
            self.made += 1
            return scene(self.made)

    simulator = Simulator()
    with open_pictures(simulator) as camera:
        for seq in range(1, 6):
            picture = camera.next_picture(timeout_s=10)
            assert picture is not None
            assert picture.seq == seq
            assert simulator.made <= seq + 1


def test_who_asks_again_after_the_end_is_made_to_wait(tmp_path: Path) -> None:
    write_pictures(tmp_path, ["only.png"])
    with open_pictures(tmp_path) as camera:
        assert camera.next_picture(timeout_s=10) is not None
        begun = time.monotonic()
        for _ in range(3):
            assert camera.next_picture(timeout_s=0.02) is None
        assert time.monotonic() - begun >= 0.06


def test_closing_wakes_who_waits() -> None:
    hold = threading.Event()

    class Hanging:
        def read(self) -> Image | None:
            hold.wait(10)
            return None

    camera = open_pictures(Hanging()).start()
    got: list[object] = []
    waiter = threading.Thread(target=lambda: got.append(camera.next_picture()))
    waiter.start()
    camera.close(timeout_s=0.01)
    waiter.join(5)
    assert got == [None]
    hold.set()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("/there/is/nothing", "there is no camera, video or folder '/there/is/nothing'"),
        ("", "no camera, video or folder is named"),
    ],
)
def test_a_file_that_is_not_there_is_told_at_once(source: str, message: str) -> None:
    with pytest.raises(CameraError, match=message):
        open_pictures(source)


def test_a_folder_without_pictures_and_a_file_that_is_no_video(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="there are no pictures in the folder"):
        open_pictures(tmp_path)
    (tmp_path / "game.mp4").write_bytes(b"this is no video")
    with pytest.raises(CameraError, match=r"video .*game\.mp4 cannot be opened"):
        open_pictures(tmp_path / "game.mp4")


def test_numbers_and_addresses_are_live_sources() -> None:
    assert find_source("0").name == find_source(0).name == Words("camera 0", "摄像头 0")
    assert find_source("0").is_live
    assert find_source("http://127.0.0.1/x.mjpg").is_live


def test_of_an_idle_table_few_pictures_are_decoded_and_of_a_busy_one_all() -> None:
    class Skipping(Script):
        skipped = 0

        def skip(self) -> bool:
            self.skipped += 1
            return self.read() is not None

    clock = Clock(1000.0)
    source = Skipping(*[scene(seed) for seed in range(61)])
    camera = live(clock, lambda: source)
    camera.pace(0.1)
    for _ in range(30):
        camera.step()
        clock.t += 1 / 30
    picture = camera.next_picture(timeout_s=0)
    assert picture is not None
    assert picture.seq == 10
    assert source.skipped == 20
    assert camera.health().status is CameraStatus.LIVE
    camera.pace(0.0)
    for _ in range(30):
        camera.step()
        clock.t += 1 / 30
    busy = camera.next_picture(timeout_s=0)
    assert busy is not None
    assert busy.seq == 40


def test_a_source_that_ends_while_pictures_are_passed_over_is_lost() -> None:
    clock = Clock(1000.0)
    source = Script(scene(1))
    camera = live(clock, lambda: source)
    camera.pace(10.0)
    for _ in range(1 + MISSES):
        camera.step()
    assert camera.health().status is CameraStatus.LOST


def test_a_camera_in_the_dark_and_one_that_sees_nothing_are_told_apart() -> None:
    clock = Clock(1000.0)
    source = Script(smooth(0, 10), smooth(60, 160), scene(1))
    camera = live(clock, lambda: source)
    messages = []
    for _ in range(2):
        camera.step()
        health = camera.health()
        assert health.status is CameraStatus.COVERED
        messages.append((health.says.en, health.is_dark, bool(health.says.zh)))
    assert messages == [
        ("camera 0 is in the dark, or its lens is covered", True, True),
        ("camera 0 is covered, or sees nothing", False, True),
    ]
    camera.step()
    assert camera.health().status is CameraStatus.LIVE


def test_a_file_may_show_the_same_picture_as_often_as_it_likes() -> None:
    clock = Clock(1000.0)
    source = Script(*[scene(1)] * 50)
    kind = SourceKind(lambda: source, same("folder x"), is_live=False)
    camera = Camera(kind, stale_s=1.2, now=clock)
    for _ in range(40):
        camera.step()
        clock.t += 0.1
        assert camera.health().status is CameraStatus.LIVE
