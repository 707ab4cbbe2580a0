"""Trying where the table lies, and which tiles lie on it: the pages of their own commands."""

import re
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from table_assist.contract.view import View, words_view
from table_assist.evidence.store import EvidenceError
from table_assist.languages.words import Words, called, words_of
from table_assist.record.store import StoreError
from table_assist.settings.config import Config, ConfigError
from table_assist.upkeep.setup.calibrate import CalibrationService
from table_assist.upkeep.setup.enrol import Enrolment, Tell, enrol
from table_assist.vision.pictures.picture import (
    Image,
    PictureError,
    decode_picture,
    save_picture,
)
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.weights import WeightsError
from web.serve import PortUnavailableError, Serving, serve
from web.setup.calibrate import create_calibrate_app

MOST_PICTURES = 6  # of a tile set; three will do
LINES_KEPT = 30
PHOTOGRAPH = Path("photograph")  # what a file that was sent is called in errors
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
            return self.add(decode_picture(data, PHOTOGRAPH))
        except PictureError as error:
            said = called(words_of(error), str(PHOTOGRAPH), Words("the photograph", "照片"))
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
            self._refuse_while_reading()
            if not self._pictures:
                raise OwnSetError(
                    "take a picture of the tiles first",
                    "请先拍一张牌的照片",
                )
            given_up = self._given_up = threading.Event()
            wanted = Enrolment(
                name, pictures=tuple(self._pictures), replace=True, given_up=given_up.is_set
            )
            self._start(partial(enrol, wanted, found=self._found))

    def learn(self, lesson: Lesson) -> None:
        """Learn without a look at pictures, in a thread of its own.

        Raises:
            OwnSetError: a set is being learnt already.
        """
        with self._lock:
            self._refuse_while_reading()
            self._start(lesson)

    def _start(self, lesson: Lesson) -> None:
        self._state, self._address = "reading", ""
        self._lines.clear()
        self._read = 0
        self._thread = threading.Thread(
            target=self._learn, args=(lesson,), name="enrol", daemon=True
        )
        self._thread.start()

    def _refuse_while_reading(self) -> None:
        if self._state == "reading":
            raise OwnSetError("the pictures are being read already", "照片正在辨认中")

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
