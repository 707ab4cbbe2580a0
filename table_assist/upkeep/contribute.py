"""``table-assist contribute``: recordings as one file for the project. Nothing is sent by it.

In every picture all beyond the table's edge is black, and so is what lies over the table: hands,
arms, faces. Names, addresses and who tapped are left out; what a trial's person did stays.
"""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from table_assist.capture.manifest import (
    CALIBRATION,
    FORMAT,
    MANIFEST,
    config_of,
    read_manifest,
)
from table_assist.capture.moments import (
    Commanded,
    RecordedLook,
    RecordedPlace,
    Vouched,
    moment_from_json,
    moment_to_json,
)
from table_assist.capture.reading import Recording, load_recording
from table_assist.capture.recorder import JOURNAL, LOG, PICTURES, SERIAL
from table_assist.game.events import Attested, BoardSaid, HandStarted
from table_assist.languages.words import Words
from table_assist.phones.corners import keep_corners
from table_assist.record.log import Logged, entry_from_json, entry_to_json
from table_assist.settings.build import (
    calibration_of,
    kept_watcher,
    layout_of,
    profile_of,
    watcher_of,
)
from table_assist.settings.config import Config, SeatsConfig
from table_assist.upkeep.trial.marks import KIND, TrialError
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.pictures.picture import decode_picture
from table_assist.vision.pictures.sources import PHONE
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.table.blacken import MARGIN_PX, Polygon, blackened
from table_assist.vision.table.calibration import Calibration, CalibrationError, load_calibration
from table_assist.vision.table.covers import Covers, in_picture
from table_assist.vision.table.watcher import Watcher

ABOUT = "about.json"
CONSENT = Words(
    "This makes one file of the trial, for the project table-assist. It has the pictures of the "
    "table; everything beyond the table's edge is black in them, and so is what the program saw "
    "over the table: hands, arms, heads. A part of one may be left. It has no names, no addresses "
    "and no sound. Whoever gets the file may use it under the licence {licence}; that cannot be "
    "taken back. Everybody who sat there must agree. Look at the pictures before you send the "
    "file: nothing is sent by this program.",
    "此命令把试局打包成一个文件，供 table-assist 项目使用。其中有牌桌的画面，桌沿以外全部涂黑，"
    "程序看到的伸到桌面上方的手、手臂和头也涂黑，但可能留有一部分。没有姓名、地址和声音。"
    "得到文件的人可按 {licence} 许可使用，且不可撤回。在座的每个人都须同意。"
    "发送前请先查看画面：本程序不会发送任何内容。",
)
Members = Iterator[tuple[str, bytes]]


def pack(folder: Path, out: Path, licence: str) -> int:
    """Write the file; its size in bytes.

    Args:
        folder: a recording, or what holds some, as a trial does.

    Raises:
        TrialError: there is no recording, or the file is there already.
        RecordingError: the recording is damaged.
        ConfigError: where the table lies in the pictures is not known.
    """
    parts = [folder] if (folder / MANIFEST).is_file() else sorted(folder.glob("recording-*"))
    if not parts:
        raise TrialError(
            "{folder} has no recording: there was no camera",
            "{folder} 里没有录制：当时没有摄像头",
            folder=folder,
        )
    if out.exists():
        raise TrialError("{out} is there already", "{out} 已存在", out=out)
    with zipfile.ZipFile(out, "x", zipfile.ZIP_DEFLATED) as file:
        sums = {}
        for name, content in _members(parts):
            file.writestr(name, content)
            sums[name] = hashlib.sha256(content).hexdigest()
        about = {"licence": licence, "consent": CONSENT.en, "sha256": sums}
        file.writestr(ABOUT, json.dumps(about, indent=1))
    return out.stat().st_size


def _members(parts: list[Path]) -> Members:
    config = config_of(parts[0], read_manifest(parts[0]))
    reader = open_reader(own_set=find_set(config.eyes.set))
    for number, part in enumerate(parts, start=1):
        seen = {each.name: each for each in _seen(load_recording(part), reader)}
        for name, content in _recording(part, config, seen):
            yield f"recording-{number}/{name}", content


@dataclass(frozen=True, slots=True)
class _Seen:
    """A recorded picture.

    Attributes:
        t: seconds since the epoch.
        name: its file in the recording.
        camera: as of `RecordedLook`.
        edge: where the table is in it; nothing where that was not known.
        covered: what lies over the table.
    """

    t: float
    name: str
    camera: str = ""
    edge: tuple[Polygon, ...] = ()
    covered: tuple[Polygon, ...] = ()


def _seen(recording: Recording, reader: Reader) -> Iterator[_Seen]:
    """All pictures of a recording, from its end, with what is to be black in them."""
    config, started_s = recording.config, recording.manifest.started_s
    watchers: dict[str, Watcher] = {}
    if config.camera.source.whole != PHONE:
        watchers[""] = watcher_of(config, reader)
    read: list[tuple[RecordedLook, _Known | None]] = []
    for moment in recording.moments():
        match moment:
            case RecordedPlace(_, camera, name):
                watchers.pop(camera, None)
                if name:
                    kept = load_calibration(recording.folder / name)
                    watchers[camera] = kept_watcher(config, reader, kept)
            case RecordedLook(picture=picture, camera=camera) if picture:
                read.append((moment, _known(recording, moment, watchers.get(camera))))
    covers = {moment.camera: Covers(layout_of(config)) for moment, _ in read}
    for moment, known in reversed(read):
        t, camera = started_s + moment.t, moment.camera
        if known is None:
            yield _Seen(t, moment.picture, camera)
            continue
        image, _ = recording.picture(moment)
        # The table in the picture, so that it stays whole where a margin at the border is lost
        (a, b, c, d) = known[0].corners_px
        middle = ((a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4)
        grown = []
        for x, y in (a, b, c, d):
            far = max(abs(x - middle[0]), abs(y - middle[1]), 1.0)
            times = (far + MARGIN_PX) / far
            grown.append((middle[0] + (x - middle[0]) * times, middle[1] + (y - middle[1]) * times))
        edge, covered = ((tuple(grown),)), covers[camera].places(image, *known)
        yield _Seen(t, moment.picture, camera, edge, covered)


# Where the table is in a picture, and the corners of what was read in it.
_Known = tuple[Calibration, Any]


def _known(recording: Recording, moment: RecordedLook, watcher: Watcher | None) -> _Known | None:
    """None where it is not known where the table is."""
    if watcher is None:
        return None
    image, _ = recording.picture(moment)
    try:
        watcher.look(image, moment.taken_s)
    except CalibrationError:
        return None  # nor was it while the table was followed
    calibration, window = watcher.calibration, watcher.window
    if calibration is None or window is None or watcher.told is None:
        return None
    return calibration, in_picture(watcher.told[1].polygons, window)


def _hidden(path: Path, edge: tuple[Polygon, ...], covered: tuple[Polygon, ...]) -> bytes:
    found = blackened(path.read_bytes(), edge, lambda size_wh: covered)
    if found is None:
        raise TrialError("{path} is no picture", "{path} 不是图片", path=path)
    return found


def _recording(part: Path, config: Config, seen: Mapping[str, _Seen]) -> Members:
    """A recording without names; the pictures' sums are those of the blackened ones."""
    sums: dict[str, int] = {}
    first: dict[str, bytes] = {}  # of each camera, where it was known where the table is
    for path in sorted((part / PICTURES).glob("*.jpg")):
        name = f"{PICTURES}/{path.name}"
        known = seen.get(name, _Seen(0.0, ""))
        content = _hidden(path, known.edge, known.covered)
        sums[name] = zlib.crc32(content)
        if known.edge:
            first.setdefault(known.camera, content)
        yield name, content
    yield from _calibrations(part, config, first)
    lines = [_anonymous(line, sums) for line in _lines(part / JOURNAL)]
    yield JOURNAL, _joined(line for line in lines if line)
    yield SERIAL, (part / SERIAL).read_bytes()
    entries = (entry_from_json(line) for line in _lines(part / LOG))
    kept = (replace(entry, by="", event=_unnamed(entry.event)) for entry in entries)
    yield LOG, _joined(entry_to_json(entry) for entry in kept)
    # The recording's manifest: rules, corners, zones, networks; no names or addresses
    manifest = read_manifest(part)
    rules = profile_of(config).rules
    camera: dict[str, Any] = {"source": PHONE, "calibration": CALIBRATION}
    if config.camera.source.whole != PHONE:
        corners = [list(corner) for corner in calibration_of(config)[0].corners_px]
        camera = {"source": "recorded", "corners": corners}
    settings: dict[str, Any] = {
        "rules": {"id": rules.id, "options": dict(rules.chosen)},
        "camera": {**camera, "side_mm": config.camera.side_mm},
        "zones": dict(manifest.settings["zones"]),
        "seats": {"names": list(SeatsConfig().names)},
    }
    plain = replace(manifest, system="", settings=settings, profile={"rules": rules.id})
    whole = {"format": FORMAT, **asdict(plain)}
    yield MANIFEST, json.dumps(whole, indent=1).encode()


def _calibrations(part: Path, config: Config, first: Mapping[str, bytes]) -> Members:
    """Where the table lies in each phone's pictures, kept by one that shows the table alone."""
    for line in _lines(part / JOURNAL):
        moment = moment_from_json(line)
        if not isinstance(moment, RecordedPlace) or not moment.calibration:
            continue
        kept = load_calibration(part / moment.calibration)
        with TemporaryDirectory() as folder:
            path = Path(folder) / moment.calibration
            picture = first.get(moment.camera)
            if picture is not None:
                image = decode_picture(picture, path)
                keep_corners(config, image, kept.calibration.corners_px, path, kept.well_mm)
                yield moment.calibration, path.read_bytes()


def _anonymous(line: str, sums: dict[str, int]) -> str:
    """A moment without names; empty for what says nothing but who vouches."""
    moment = moment_from_json(line)
    match moment:
        case RecordedLook(picture=picture) if picture:
            moment = replace(moment, crc=sums[picture])
        case Commanded():
            moment = replace(moment, by="")
        case Vouched(_, said) if said.kind != KIND:
            return ""
    return moment_to_json(moment)


def _unnamed(event: Logged) -> Logged:
    """Without names; every entry keeps its number."""
    match event:
        case Attested(kind) if kind != KIND:
            return BoardSaid("")
        case HandStarted():
            return replace(event, profile="", hash="")
        case _:
            return event


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def _joined(lines: Iterator[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
