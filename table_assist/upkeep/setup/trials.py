"""Trying camera and board while a table is set up."""

import re
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from firmware_bridge.ports import find_ports
from table_assist.health.checks import Finding
from table_assist.languages.words import View, Words, called, words_of, words_view
from table_assist.live.corners import CalibrationService
from table_assist.live.phones import Phones
from table_assist.record.evidence import EvidenceError
from table_assist.record.store import StoreError
from table_assist.settings.config import Config, ConfigError
from table_assist.upkeep.doctor.board import BoardExam
from table_assist.upkeep.doctor.table import find_cameras
from table_assist.upkeep.setup.enrol import Enrolment, Tell, enrol
from table_assist.upkeep.shelf import finding_view
from table_assist.vision.pictures.camera import Camera, is_covered
from table_assist.vision.pictures.camera_names import camera_names
from table_assist.vision.pictures.picture import (
    Image,
    PictureError,
    decode_picture,
    jpeg,
    save_picture,
)
from table_assist.vision.pictures.sources import PHONE, CameraError, find_source, mirrored
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.weights import WeightsError
from table_assist.vision.table.advice import advise
from table_assist.vision.table.calibration import Calibration
from web.serve import PortUnavailableError, Serving, serve
from web.setup.calibrate import create_calibrate_app

# Trying where the table lies, and which tiles lie on it: the pages of their own commands.

MOST_PICTURES = 6  # of a tile set; three will do
LINES_KEPT = 30
SENT_FILE = Path("photograph")  # what a file that was sent is called in errors
Lesson = Callable[[Tell], object]
FAILS = (
    OwnSetError, PictureError, WeightsError, PortUnavailableError, ConfigError, StoreError,
    EvidenceError,
)  # fmt: skip
GIVE_UP_S = 10.0  # reading a picture is not broken off


class CalibrationTrial:
    """The calibration's own page, on a port of its own on this machine."""

    def __init__(self) -> None:
        self._serving: Serving | None = None
        self._desk: CalibrationService | None = None
        self._lock = threading.Lock()

    def begin(self, config: Config, image: Image) -> str:
        """Show the page for this picture; its address.

        Raises:
            PortUnavailableError: no port is free.
        """
        self.stop()
        # Corners in the settings would count before those that are kept: the page takes them out.
        camera = replace(config.camera, corners=())
        with self._lock:
            self._desk = CalibrationService(replace(config, camera=camera), image)
            self._serving = serve(create_calibrate_app(self._desk), port=0)
            return self._serving.url

    def view(self) -> View:
        """Whether the corners were kept."""
        desk = self._desk
        return {
            "address": "" if self._serving is None else self._serving.url,
            "kept": desk is not None and desk.view.is_kept,
        }

    def stop(self) -> None:
        """Close the page."""
        with self._lock:
            serving, self._serving, self._desk = self._serving, None, None
        if serving is not None:
            serving.close()


class EnrolTrial:
    """A person's own tiles: pictures from the camera, then the enrolment's own page."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._pictures: list[Path] = []
        self._lines: list[Words] = []
        self._address = ""
        self._state = "idle"
        self._read = 0
        self._given_up = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def add(self, image: Image) -> int:
        """Keep a picture; how many there are.

        Raises:
            OwnSetError: there are enough.
        """
        with self._lock:
            if len(self._pictures) >= MOST_PICTURES:
                raise OwnSetError(
                    "{most_pictures} pictures are enough",
                    "{most_pictures} 张照片已够",
                    most_pictures=MOST_PICTURES,
                )
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="table-assist-")
            path = Path(self._folder.name) / f"{len(self._pictures) + 1}.png"
            save_picture(path, image)
            self._pictures.append(path)
            return len(self._pictures)

    def add_file(self, data: bytes) -> int:
        """Keep a photograph from a phone or a file, as `add`.

        Raises:
            OwnSetError: it is no picture, or there are enough.
        """
        try:
            return self.add(decode_picture(data, SENT_FILE))
        except PictureError as error:
            said = called(words_of(error), str(SENT_FILE), Words("the photograph", "照片"))
            raise OwnSetError.of(said) from error

    def clear(self) -> None:
        """Forget the pictures; an enrolment that is under way is given up."""
        self._given_up.set()
        thread = self._thread
        if thread is not None and thread.is_alive():
            thread.join(GIVE_UP_S)
        with self._lock:
            if self._state == "reading":
                return  # it is learning, and cannot be ended now
            self._pictures.clear()
            self._lines.clear()
            self._state, self._address = "idle", ""
            folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()

    def begin(self, name: str) -> None:
        """Read the pictures; its page's address is in the view once it is there.

        Raises:
            OwnSetError: there are no pictures, or one is being read.
        """
        with self._lock:
            if self._state == "reading":
                raise OwnSetError("the pictures are being read already", "照片正在辨认中")
            if not self._pictures:
                raise OwnSetError(
                    "take a picture of the tiles first",
                    "请先拍一张牌的照片",
                )
            given_up = self._given_up = threading.Event()
            wanted = Enrolment(
                name, pictures=tuple(self._pictures), replace=True, given_up=given_up.is_set
            )
            lesson: Lesson = partial(enrol, wanted, found=self._found)
            self._state, self._address = "reading", ""
            self._lines.clear()
            self._read = 0
            self._thread = threading.Thread(
                target=self._learn, args=(lesson,), name="enrol", daemon=True
            )
            self._thread.start()

    def view(self) -> View:
        """How far it is: idle, reading, done or failed."""
        with self._lock:
            return {
                "pictures": len(self._pictures),
                "state": self._state,
                "lines": [words_view(line) for line in self._lines],
                "read": self._read,
                "address": self._address,
            }

    def _learn(self, lesson: Lesson) -> None:
        try:
            lesson(self._say)
            state = "done"
        except FAILS as error:
            self._say(words_of(error))
            state = "failed"
        with self._lock:
            self._state, self._address = state, ""

    def _found(self, path: Path, count: int) -> None:
        with self._lock:
            self._read += 1
            number = self._read
        self._say(
            Words(
                "Picture {number}: {count} tiles found",
                "第 {number} 张照片：找到 {count} 张牌",
                number=number,
                count=count,
            )
        )

    def _say(self, line: Words) -> None:
        found = re.search(r"http://\S+", line.en)
        with self._lock:
            if found:
                self._address = found[0]
            else:
                self._lines = [*self._lines, line][-LINES_KEPT:]


LEFT_ALONE_S = 20.0  # a camera that no page asks for is given free
TRIED_LISTEN_S = 0.5


class CameraTrial:
    """One camera, open as long as a page looks at it.

    Args:
        phones: of which the first is tried, where that is chosen.
    """

    def __init__(self, phones: Phones, now: Callable[[], float]) -> None:
        self._phones = phones
        self._now = now
        self._lock = threading.RLock()
        self._camera: Camera | None = None
        self._source = ""
        self._image: Image | None = None
        self._asked_s = 0.0
        self._reader: Reader | None = None

    def devices(self) -> dict[int, str]:
        """Number and name of the cameras; the one that is tried is among them, and left alone."""
        with self._lock:
            if self._camera is None:
                return find_cameras()
            tried = {int(self._source)} if self._source.isdigit() else set()
            known = camera_names() or {}
            found = {number: known.get(number, "") for number in tried} | find_cameras(tried)
            return dict(sorted(found.items()))

    def start(self, source: str, *, is_mirrored: bool = False) -> None:
        """Open a camera, file or address.

        Args:
            is_mirrored: it looks into a mirror.

        Raises:
            CameraError: there is no such file or folder.
        """
        with self._lock:
            self._asked_s = self._now()
            if self._camera is not None and self._source == source:
                return
            self.stop()
            kind = self._phones.source() if source == PHONE else find_source(source)
            kind = mirrored(kind) if is_mirrored and source != PHONE else kind
            self._camera = Camera(kind, now=self._now).start()
            self._source, self._image = source, None
            threading.Thread(target=self._take, args=(self._camera,), daemon=True).start()

    @property
    def is_phone(self) -> bool:
        """Whether the camera that is tried is a phone."""
        return self._camera is not None and self._source == PHONE

    def stop(self) -> None:
        """Give it free."""
        with self._lock:
            camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()

    def image(self) -> Image:
        """The newest picture.

        Raises:
            CameraError: there is none yet.
        """
        with self._lock:
            self._asked_s = self._now()
            image = self._image
        if image is None:
            raise CameraError(
                "the camera has given no picture yet: try it in its step",
                "摄像头尚无画面：请在摄像头一步试用",
            )
        return image

    def picture(self) -> bytes | None:
        """The newest picture as JPEG; None: there is none yet."""
        with suppress(CameraError):
            return jpeg(self.image())
        return None

    def view(self) -> View:
        """How it is doing."""
        with self._lock:
            camera, image = self._camera, self._image
        if camera is None:
            return {"source": "", "status": "none", "says": {"en": "", "zh": ""}, "size": None}
        health = camera.health()
        return {
            "source": self._source,
            "status": str(health.status),
            "says": words_view(health.says),
            "size": None if image is None else [image.shape[1], image.shape[0]],
        }

    def advice(self, calibration: Calibration | None) -> View:
        """Advice that makes tiles in the newest picture easier to read.

        Args:
            calibration: as `advise`.

        Raises:
            CameraError: there is no picture yet.
            WeightsError: the networks are missing or damaged.
        """
        image = self.image()
        if is_covered(image):
            return {"tiles": 0, "unsure": 0, "advice": [words_view(_COVERED)]}
        if self._reader is None:
            self._reader = open_reader()
        readings = self._reader.read(image)
        return {
            "tiles": len(readings.labels),
            "unsure": readings.labels.count("?"),
            "advice": [words_view(each.words) for each in advise(image, readings, calibration)],
        }

    def _take(self, camera: Camera) -> None:
        while self._camera is camera:
            picture = camera.next_picture(TRIED_LISTEN_S)
            if picture is not None:
                self._image = picture.image
            if self._now() - self._asked_s > LEFT_ALONE_S:
                self.stop()


class BoardTrial:
    """A board that is listened to while a person presses its keys."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._port = ""
        self._findings: list[Finding] = []
        self._names: tuple[str, ...] = ()
        self._seen: list[str] = []
        self._state = "idle"

    def ports(self) -> list[View]:
        """The serial ports of this machine, those on USB first."""
        return [
            {
                "path": port.path,
                "description": port.description,
                "selector": f"usb:{port.usb_id}" if port.usb_id else port.path,
                "usb": port.usb_id is not None,
            }
            for port in find_ports()
        ]

    def start(self, port: str, baud: int) -> None:
        """Listen to a port."""
        self.stop()
        with self._lock:
            self._stop = threading.Event()
            self._port, self._state = port, "waiting"
            self._findings, self._names, self._seen = [], (), []
            self._thread = threading.Thread(
                target=self._listen, args=(port, baud, self._stop), name="trial", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Give the port free."""
        self._stop.set()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()
        self._state = "idle"

    def view(self) -> View:
        """The found port, and the sensors that were seen to change."""
        with self._lock:
            return {
                "port": self._port,
                "state": self._state,
                "findings": [finding_view(finding) for finding in self._findings],
                "names": list(self._names),
                "seen": list(self._seen),
            }

    def _listen(self, port: str, baud: int, stop: threading.Event) -> None:
        with BoardExam(port, baud) as exam:
            findings = exam.findings()
            with self._lock:
                self._findings = findings
                self._names = () if exam.ticks is None else exam.ticks.names
                self._state = "failed" if exam.ticks is None else "listening"
            while not stop.is_set() and exam.ticks is not None:
                for name in exam.watch(TRIED_LISTEN_S):
                    with self._lock:
                        self._seen.append(name)
                if not exam.ticks.missing:
                    stop.wait(TRIED_LISTEN_S)


_COVERED = Words("Nothing can be seen: uncover the lens.", "什么也看不到：请移开镜头前的遮挡物。")
