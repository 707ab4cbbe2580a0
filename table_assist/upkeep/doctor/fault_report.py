"""`table-assist bundle`: one file that lets somebody else see what went wrong at a table.

It holds the players' names as the settings have them, and pictures of the table; no password.
`hides.json` in it names the hands whose treasure was hidden when it was made.
"""

import json
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
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
from table_assist.contract.secret import Hidden, hidden_in, hidden_rows, read_hidden
from table_assist.record.export import read_log
from table_assist.record.log import Entry, entry_from_json, entry_to_json
from table_assist.record.store import InUseError, StoreError
from table_assist.record.unpack import DAMAGES, small
from table_assist.settings.config import ConfigError, load_config
from table_assist.trust.installation import fingerprint_here
from table_assist.upkeep.doctor.command import Examination
from table_assist.vision.reading.weights import WeightsError

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
    return "".join(f"{line}\n" for line in Examination(settings, "", 0.0, []).lines())


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
