"""`table-assist doctor` and `bundle`: what a table needs, line by line, and a fault in one file."""

import json
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from table_assist.capture.manifest import (
    MANIFEST,
    RecordingError,
    current_weights,
    plain_settings,
    program_version,
    system_name,
)
from table_assist.contract.snapshot import Hidden, hidden_in, hidden_rows, read_hidden
from table_assist.health.checks import Finding, finding_lines, found, is_well, machine_checks
from table_assist.languages.words import phrase
from table_assist.phones.service import calibration_file
from table_assist.record.export import read_log
from table_assist.record.log import Entry, entry_from_json, entry_to_json
from table_assist.record.private import DAMAGES, small
from table_assist.record.store import InUseError, StoreError
from table_assist.settings.config import Config, ConfigError, load_config
from table_assist.settings.edit import pictures_of, profile_of
from table_assist.trust.installation import Address, fingerprint_here
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
from table_assist.vision.reading.weights import WeightsError
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


LIBRARIES = (
    "numpy",
    "opencv-python-headless",
    "onnxruntime",
    "pyserial",
    "flask",
    "uvicorn",
    "tomlkit",
    "prometheus-client",
)
STORED = {".jpg", ".png"}  # small as they are
LOG, HIDES = "log.jsonl", "hides.json"
MOST_HIDES_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class Bundled:
    """A bundle's content.

    Attributes:
        missing: a sentence for each thing that could not be put in.
        hides: what its logs hide: the table's own, and a recording's.
    """

    path: Path
    missing: tuple[str, ...]
    hides: tuple[Hidden, ...] = ()


def make_bundle(
    out: Path,
    settings: Path,
    entries: Sequence[Entry] | None = None,
) -> Bundled:
    """Pack log, settings, versions, doctor's findings and the newest recording into one zip file.

    What is missing or damaged is told in the bundle, and the rest is packed: it is made when
    something does not work. While the table runs, its log is open and the doctor would disturb the
    board: both are left out, but for the entries that are given.

    Args:
        out: must not exist; appears when it is whole.
        settings: the table's TOML file.
        entries: of the running table's log; None: they are read from its file.

    Raises:
        RecordingError: ``out`` exists or cannot be written.
    """
    if out.exists():
        raise RecordingError(f"{out} is there already: name another file")
    there = [path for path in settings.parent.glob(f"*/{MANIFEST}") if path.is_file()]
    newest = max(there, key=lambda path: (path.stat().st_mtime_ns, path), default=None)
    chosen = None if newest is None else newest.parent
    beside = out.with_name(f"{out.name}.new")
    missing: list[str] = []
    try:
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as bundle:
            logs: list[str] = []
            for name, text in _texts(settings, entries, missing):
                bundle.writestr(name, text)
                logs += [text] if name == LOG else []
            if chosen is None:
                missing.append("There is no recording.")
            else:
                logs += _pack_recording(bundle, chosen)
            hides = tuple(found for each in logs if (found := hidden_in(_entries_in(each))))
            bundle.writestr(HIDES, hidden_rows(hides))
            bundle.writestr("missing.txt", "".join(f"{line}\n" for line in missing))
        beside.replace(out)
    except OSError as error:
        beside.unlink(missing_ok=True)
        reason = (error.strerror or str(error)).lower()
        raise RecordingError(f"the bundle {out} cannot be written: {reason}") from error
    return Bundled(out, tuple(missing), hides)


def hidden_in_bundle(bundle: Path) -> tuple[Hidden, ...]:
    """The hidden parts that a bundle tells of.

    Raises:
        RecordingError: it cannot be read, or is of a program that did not say so.
    """
    try:
        with zipfile.ZipFile(bundle) as archive:
            return read_hidden(small(archive, HIDES, MOST_HIDES_BYTES))
    except (*DAMAGES, OSError, ValueError) as error:
        raise RecordingError(f"the report {bundle} does not say what it hides: {error}") from error


def _entries_in(log: str) -> Iterator[Entry]:
    """As far as they can be read: a recording may have been cut off."""
    for line in log.split("\n"):
        with suppress(ValueError):
            yield entry_from_json(line)


def _texts(
    settings: Path, entries: Sequence[Entry] | None, missing: list[str]
) -> Iterator[tuple[str, str]]:
    yield "versions.json", json.dumps(_versions(missing), indent=1)
    try:
        config = load_config(settings)
    except ConfigError as error:
        missing.append(f"The settings: {error}.")
        yield "doctor.txt", _findings(settings)
        return
    yield "settings.json", json.dumps(plain_settings(config), indent=1, ensure_ascii=False)
    if config.rules.profile:
        try:
            yield "profile.toml", Path(config.rules.profile).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            missing.append(f"The profile {config.rules.profile}: {error}.")
    is_running = entries is not None
    if entries is None:
        try:
            entries = read_log(Path(config.log.path))
        except StoreError as error:
            missing.append(f"The log: {error}.")
            is_running = isinstance(error, InUseError)
    if entries is not None:
        yield LOG, "".join(f"{entry_to_json(entry)}\n" for entry in entries)
    if is_running:
        missing.append("The doctor's findings: it would disturb the table that is running.")
    else:
        yield "doctor.txt", _findings(settings)


def _findings(settings: Path) -> str:
    return "".join(f"{line}\n" for line in Examination(settings, "", 0.0).lines())


def _versions(missing: list[str]) -> dict[str, object]:
    libraries = {}
    for name in LIBRARIES:
        try:
            libraries[name] = version(name)
        except PackageNotFoundError:
            libraries[name] = "missing"
    weights: dict[str, str] = {}
    try:
        weights = current_weights()
    except WeightsError as error:
        missing.append(f"The weights: {error}.")
    return {
        "program": program_version(),
        "installation": fingerprint_here(),
        "system": system_name(),
        "libraries": libraries,
        "weights": weights,
    }


def _pack_recording(bundle: zipfile.ZipFile, folder: Path) -> list[str]:
    """Returns the logs in it, as they were packed: it may be going on."""
    logs = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        name = f"recording/{path.relative_to(folder).as_posix()}"
        if path.name == LOG:
            logs.append(path.read_text(encoding="utf-8", errors="replace"))
            bundle.writestr(name, logs[-1])
            continue
        kind = zipfile.ZIP_STORED if path.suffix in STORED else zipfile.ZIP_DEFLATED
        bundle.write(path, name, kind)
    return logs
