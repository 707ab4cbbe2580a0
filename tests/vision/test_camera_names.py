"""Cameras have names where the system tells them, and are not opened to be counted."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from table_assist.languages.words import same
from table_assist.upkeep.doctor import table
from table_assist.upkeep.doctor.table import find_cameras, no_camera_finding
from table_assist.vision.pictures import camera_names as names_module
from table_assist.vision.pictures.camera_names import camera_names
from table_assist.vision.pictures.sources import CameraError, find_source


def system(monkeypatch: pytest.MonkeyPatch, answer: Callable[[int], list[object]]) -> None:
    """As the package is on Windows: a list for each way in."""
    module = ModuleType("cv2_enumerate_cameras")
    module.enumerate_cameras = answer
    monkeypatch.setitem(sys.modules, "cv2_enumerate_cameras", module)


def test_linux_says_the_names_itself(tmp_path: Path) -> None:
    for number, name in ((0, "HD Webcam"), (10, "Overhead: 4K"), (2, "")):
        (tmp_path / f"video{number}").mkdir()
        (tmp_path / f"video{number}" / "name").write_text(name + "\n")
    (tmp_path / "video7").mkdir()  # just unplugged
    (tmp_path / "v4l-subdev0").mkdir()
    assert camera_names("linux", tmp_path) == {0: "HD Webcam", 10: "Overhead: 4K", 2: ""}
    assert camera_names("linux", tmp_path / "none") is None


def test_windows_lists_directshow_before_the_slow_way(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = {
        700: [SimpleNamespace(index=0, name="Webcam"), SimpleNamespace(index=1, name="俯拍")],
        1400: [SimpleNamespace(index=0, name="Webcam, slowly")],
    }
    system(monkeypatch, lambda way: ways[way])
    assert camera_names("win32") == {700: "Webcam", 701: "俯拍"}
    ways[700] = []
    assert camera_names("win32") == {1400: "Webcam, slowly"}
    ways[1400] = []
    assert camera_names("win32") is None
    assert find_source("701").name.en == "camera 701"  # as the settings have it


def test_a_system_that_tells_nothing_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(way: int) -> list[object]:
        raise NotImplementedError(way)

    system(monkeypatch, refuse)
    assert camera_names("win32") is None
    monkeypatch.setitem(sys.modules, "cv2_enumerate_cameras", None)
    assert camera_names("win32") is None
    assert camera_names("darwin") is None


def test_where_the_system_lists_them_none_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(what: object) -> None:
        raise AssertionError(f"{what} was opened")

    monkeypatch.setattr(table, "camera_names", lambda: {700: "Webcam", 701: "Other"})
    monkeypatch.setattr(table, "VideoSource", opened)
    monkeypatch.setattr(table.sys, "platform", "win32")
    assert find_cameras() == {700: "Webcam", 701: "Other"}
    assert find_cameras(without={700}) == {701: "Other"}


def test_on_linux_only_those_that_give_pictures_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Opened:
        def __init__(self, number: int) -> None:
            if number == 1:
                raise CameraError.of(same("its own data only"))

        def close(self) -> None:
            pass

    monkeypatch.setattr(table, "camera_names", lambda: {0: "Webcam", 1: "Webcam", 4: "4K"})
    monkeypatch.setattr(table, "VideoSource", Opened)
    monkeypatch.setattr(table.sys, "platform", "linux")
    assert find_cameras() == {0: "Webcam", 4: "4K"}
    assert find_cameras(without={0}) == {4: "4K"}


def test_the_doctor_names_them() -> None:
    finding = no_camera_finding({700: "Webcam", 3: ""})
    assert "700 (Webcam), 3" in finding.says.en
    assert "source = 700" in finding.advice.zh
    assert names_module.CAPTURE_APIS["win32"][0] == 700
