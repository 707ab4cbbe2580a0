"""`table-assist doctor`: what a table needs, line by line."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from table_assist.health.checks import Finding, finding_lines, found, is_well, machine_checks
from table_assist.languages.words import phrase
from table_assist.live.camera_service import calibration_file
from table_assist.settings.config import Config, ConfigError, load_config
from table_assist.settings.edit import pictures_of, profile_of
from table_assist.trust.installation import Address
from table_assist.upkeep.backup.backup import Automatic
from table_assist.upkeep.doctor.board import BoardExam, find_port, source_finding
from table_assist.upkeep.doctor.table import (
    camera_findings,
    eyes_finding,
    find_cameras,
    key_finding,
    measure_machine,
    no_camera_finding,
    record_finding,
    rules_finding,
)
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.sources import PHONE, CameraError
from table_assist.vision.table.calibration import CalibrationError, load_calibration


def phone_findings(config: Config, settings: Path | None) -> Iterator[Finding]:
    """Each phone that was let in; pictures come to a running table only."""
    devices, now = [], time.time()
    if settings is not None:
        # Who may come in is told by the pages; nobody may by a file that cannot be read
        with suppress(OSError, ValueError, KeyError, TypeError):
            text = settings.with_suffix(".devices.json").read_text(encoding="utf-8")
            devices = json.loads(text)["devices"]
    phones = {
        str(each["id"]): str(each["name"]) or "the phone"
        for each in devices
        if each.get("role") == "camera" and float(each.get("until", 0)) > now
    }
    if not phones:
        yield found("camera.no_phone")
    for device, name in phones.items():
        path = calibration_file(config, device)
        lost = found("camera.phone_lost", name=name)
        if not path.exists():
            yield lost
            continue
        try:
            kept = load_calibration(path)
        except CalibrationError as error:
            yield replace(lost, says=found("corners.wrong", trouble=error).says)
            continue
        width, height = kept.size_wh
        yield found("camera.phone", name=name, date=kept.date, width=width, height=height)


_PRESS = phrase("command.now_press_every_key")


@dataclass(slots=True)
class Examination:
    """An examination: its settings, and the findings so far.

    Attributes:
        settings: the table's file; none for the defaults.
        port: the board's, where it is not the settings'.
        seconds: how long the sensors are watched.
        has_devices: camera and board may be opened; not while a table is followed.
        language: of what is told, as `Words.said` has it.
    """

    settings: Path | None
    port: str
    seconds: float
    findings: list[Finding] = field(default_factory=list)
    has_devices: bool = True
    language: str = "en"

    @property
    def is_well(self) -> bool:
        """Nothing is bad."""
        return is_well(self.findings)

    def lines(self) -> Iterator[str]:
        """Examine everything and tell it as it is found."""
        config = Config()
        if self.settings is None:
            yield from self._tell(found("settings.none"))
        else:
            try:
                config = load_config(self.settings)
            except ConfigError as error:
                yield from self._tell(found("settings.unread", trouble=error))
                return
            yield from self._tell(found("settings.read", settings=self.settings))
        for finding in self._table(config):
            yield from self._tell(finding)
        if self.has_devices:
            yield from self._board(config)

    def to_json(self) -> str:
        """Everything that was found, on one line."""
        rows = [
            {
                "id": finding.id,
                "state": finding.state,
                "says": finding.says.said(self.language),
                "advice": "" if finding.advice is None else finding.advice.said(self.language),
            }
            for finding in self.findings
        ]
        return json.dumps({"well": self.is_well, "findings": rows}, ensure_ascii=False)

    def _tell(self, *findings: Finding) -> Iterator[str]:
        self.findings += findings
        for finding in findings:
            yield from finding_lines(finding, self.language)

    def _table(self, config: Config) -> Iterator[Finding]:
        try:
            yield rules_finding(profile_of(config))
        except ConfigError as error:
            yield found("rules.unread", trouble=error)
        reader, finding = eyes_finding(config)
        yield finding
        automatic = Automatic(self.settings or Path(), config, time.time)
        yield from machine_checks(measure_machine(config, automatic, time.time()))
        if record := record_finding(config):
            yield record
        yield key_finding()
        if config.camera.source.whole == PHONE:
            yield from phone_findings(config, self.settings)
            return
        if not self.has_devices:
            return
        if not config.camera.source:
            yield no_camera_finding(find_cameras())
            return
        try:
            camera = Camera(pictures_of(config))
        except CameraError as error:
            yield found("camera.no_source", trouble=error)
            return
        yield from camera_findings(config, camera, reader)

    def _board(self, config: Config) -> Iterator[str]:
        if config.board.kind != "serial" and not self.port:
            yield from self._tell(source_finding(config.board))
            return
        board = config.board
        if self.port:
            board = replace(board, port=Address(self.port))  # of the closed list, too
        port, finding = find_port(board.port)
        yield from self._tell(finding)
        if not port:
            return
        with BoardExam(port.whole, config.board.baud) as exam:
            yield from self._tell(*exam.findings())
            if exam.ticks is None or self.seconds <= 0:
                return
            yield f"  {_PRESS.said(self.language)} ({self.seconds:g} s):"
            for name in exam.watch(self.seconds):
                yield f"  ✓ {name}  ({len(exam.ticks.seen)} of {len(exam.ticks.names)})"
            yield from self._tell(exam.sensor_finding())
