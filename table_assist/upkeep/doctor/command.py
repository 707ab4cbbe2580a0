"""`table-assist doctor`: one line for each thing that a table needs, and what to do about it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from table_assist.health.finding import Finding, State, as_said, finding_lines, is_well
from table_assist.languages.words import Words
from table_assist.settings.build import pictures_of, profile_of
from table_assist.settings.config import Config, ConfigError, load_config
from table_assist.trust.address import Address
from table_assist.upkeep.doctor.board import BoardExam, find_port, source_finding
from table_assist.upkeep.doctor.phones import phone_findings
from table_assist.upkeep.doctor.table import (
    camera_findings,
    eyes_finding,
    find_cameras,
    key_finding,
    log_finding,
    no_camera_finding,
    record_finding,
    rules_finding,
)
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.sources import PHONE, CameraError

_DEFAULTS = Words(
    "No --config was given: the defaults are used.", "没有给出 --config：使用默认设置。"
)
_PRESS = Words(
    "Now press every key and move every switch once", "现在请把每个键按一次、每个开关动一次"
)


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
    findings: list[Finding]
    has_devices: bool = True
    language: str = "en"

    @property
    def is_well(self) -> bool:
        """Nothing is bad."""
        return is_well(self.findings)

    def lines(self) -> Iterator[str]:
        """Examine everything and tell it as it is found."""
        config = self._config()
        yield from self._tell(self.findings)
        if config is None:
            return
        for finding in self._table(config):
            yield from self._tell([self._keep(finding)])
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

    def _tell(self, findings: list[Finding]) -> Iterator[str]:
        for finding in findings:
            yield from finding_lines(finding, self.language)

    def _keep(self, finding: Finding) -> Finding:
        self.findings.append(finding)
        return finding

    def _config(self) -> Config | None:
        if self.settings is None:
            self._keep(Finding("settings", State.DOUBT, _DEFAULTS))
            return Config()
        try:
            config = load_config(self.settings)
        except ConfigError as error:
            self._keep(
                Finding(
                    "settings",
                    State.BAD,
                    as_said(error),
                    Words(
                        "Compare with docs/table.example.toml.", "请对照 docs/table.example.toml。"
                    ),
                )
            )
            return None
        self._keep(
            Finding(
                "settings",
                State.GOOD,
                Words("{settings} can be read.", "{settings} 可以读取。", settings=self.settings),
            )
        )
        return config

    def _table(self, config: Config) -> Iterator[Finding]:
        try:
            yield rules_finding(profile_of(config))
        except ConfigError as error:
            yield Finding(
                "rules",
                State.BAD,
                as_said(error),
                Words("See docs/RULES.md.", "见 docs/RULES.md。"),
            )
        reader, finding = eyes_finding(config)
        yield finding
        yield record_finding(config)
        yield key_finding()
        found = log_finding(config)
        if found is not None:
            yield found
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
            yield Finding(
                "camera",
                State.BAD,
                as_said(error),
                Words("Correct source under [camera].", "请更正 [camera] 下的 source。"),
            )
            return
        yield from camera_findings(config, camera, reader)

    def _port(self, config: Config) -> Address:
        if not self.port:
            return config.board.port
        return replace(config.board, port=Address(self.port)).port  # of the closed list, too

    def _board(self, config: Config) -> Iterator[str]:
        if config.board.kind != "serial" and not self.port:
            yield from self._tell([self._keep(source_finding(config.board))])
            return
        port, finding = find_port(self._port(config))
        yield from self._tell([self._keep(finding)])
        if not port:
            return
        with BoardExam(port.whole, config.board.baud) as exam:
            found = exam.findings()
            self.findings += found
            yield from self._tell(found)
            if exam.ticks is None or self.seconds <= 0:
                return
            yield f"  {_PRESS.said(self.language)} ({self.seconds:g} s):"
            for name in exam.watch(self.seconds):
                yield f"  ✓ {name}  ({len(exam.ticks.seen)} of {len(exam.ticks.names)})"
            yield from self._tell([self._keep(exam.sensor_finding())])
