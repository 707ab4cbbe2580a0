"""Everything but the board, examined: settings, rules, networks, camera, light, record."""

import shutil
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from table_assist.health.finding import Finding, State, as_said
from table_assist.languages.words import NONE, Words, same
from table_assist.record.store import DamagedError, InUseError, Store, StoreError
from table_assist.rules.profile import Profile
from table_assist.settings.build import calibration_of, layout_of
from table_assist.settings.config import Config
from table_assist.trust.installation import InstallationKeyError, open_key
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.pictures.camera import Camera, is_covered
from table_assist.vision.pictures.camera_names import camera_names
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import CameraError, VideoSource
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.reading.weights import WeightsError
from table_assist.vision.table.advice import advise
from table_assist.vision.table.calibration import (
    LEAST_PX_PER_TILE,
    Calibration,
    CalibrationError,
    load_calibration,
    parse_corners,
)
from table_assist.vision.table.observation import observe, seen_tile_mm
from table_assist.vision.table.tile_size import TILE_MM, size_doubt
from table_assist.vision.table.viewpoint import viewpoint

# The doctor's look at how large the tiles are, by those that lie in the picture.

CALIBRATE_AGAIN = Words("Run table-assist calibrate again.", "请重新运行 table-assist calibrate。")
_CLOSER = Words(
    "Fewer than {least_px_per_tile} px are too few: move the camera closer, or use a higher "
    "resolution.",
    "少于 {least_px_per_tile} 像素不够：请将摄像头移近，或提高分辨率。",
    least_px_per_tile=f"{LEAST_PX_PER_TILE:.0f}",
)


def size_findings(
    config: Config, size_wh: tuple[int, int], readings: Readings
) -> Iterator[Finding]:
    """How large the tiles are, where enough of them lie side by side."""
    calibration, kept = calibration_of(config)
    above = viewpoint(calibration, size_wh)
    measured = observe(readings, calibration, layout_of(config), 0.0, above).measured_mm
    if measured is None and (measured := seen_tile_mm(readings, calibration)) is None:
        return
    words = size_doubt(measured, kept.tile_mm if kept else None)
    if words:
        yield Finding("tiles", State.DOUBT, words, CALIBRATE_AGAIN)
        return
    per_tile = calibration.px_per_mm * measured
    says = Words(
        "They are {measured} wide on a table of 800, {per_tile} px in the picture.",
        "以桌边为 800 计，牌宽 {measured}，在画面中为 {per_tile} 像素。",
        measured=f"{measured:.0f}",
        per_tile=f"{per_tile:.0f}",
    )
    if per_tile < LEAST_PX_PER_TILE:
        yield Finding("tiles", State.DOUBT, says, _CLOSER)
    else:
        yield Finding("tiles", State.GOOD, says)


CAMERA_S = 6.0
NEED_BYTES = 200 * 1024 * 1024
_INSTALL_ANEW = Words("Install the program anew.", "请重新安装本程序。")
_ENROL_ANEW = Words("Enrol the set anew: docs/ENROL.md.", "请重新登记这副牌：docs/ENROL.md。")
_IN_USE = Words(
    "A running table uses the log; it was checked when that began.",
    "牌桌正在使用记录文件；启动时已核对。",
)
_NO_KEY = Words(
    "Make sure that its folder can be read and written: without the key nothing is signed.",
    "请确认其文件夹可以读写：没有它就无法签名。",
)
_PUT_BACK = Words(
    "Start the table: the repair page shows which part is intact, and the newest backup.",
    "请启动牌桌：修复页会显示完好的部分和最新的备份。",
)
_MAKE_ROOM = Words("Make room: otherwise nothing can be recorded.", "请腾出空间：记录无法保存。")
_COVERED = Words("Nothing can be seen.", "什么也看不到。")
_UNCOVER = Words("Uncover the lens.", "请移开镜头前的遮挡物。")
_CORRECT_CORNERS = Words("Correct corners under [camera].", "请更正 [camera] 下的 corners。")


def rules_finding(profile: Profile) -> Finding:
    """Which rules are played."""
    named = Words("as the book has them", "按规则书")
    if profile.identity.options:
        changed = ", ".join(f"{name} = {value}" for name, value in profile.identity.options)
        named = Words("with {changed}", "改动：{changed}", changed=changed)
    what = f"{profile.name} ({profile.rules.id})"
    return Finding(
        "rules",
        State.GOOD,
        Words("{what}, {named}.", "{what}，{named}。", what=what, named=named),
    )


def eyes_finding(config: Config) -> tuple[Reader | None, Finding]:
    """Whether the networks are there and whole, and the table's own tile set with them."""
    started = time.monotonic()
    try:
        reader = open_reader(own_set=find_set(config.eyes.set))
    except WeightsError as error:
        return None, Finding("eyes", State.BAD, as_said(error), _INSTALL_ANEW)
    except OwnSetError as error:
        return None, Finding("eyes", State.BAD, as_said(error), _ENROL_ANEW)
    took_s = time.monotonic() - started
    after = f"{took_s:.1f}"
    says = (
        Words(
            "The reader is ready with the set {own} after {took_s} s.",
            "识别器（牌组 {own}）已就绪，用时 {took_s} 秒。",
            own=config.eyes.set,
            took_s=after,
        )
        if config.eyes.set
        else Words(
            "The reader is ready after {took_s} s.",
            "识别器已就绪，用时 {took_s} 秒。",
            took_s=after,
        )
    )
    return reader, Finding("eyes", State.GOOD, says)


def record_finding(config: Config) -> Finding:
    """Whether the evening can be written down."""
    path = Path(config.log.path)
    folder = next((p for p in (path.parent, *path.parent.parents) if p.exists()), Path())
    free = shutil.disk_usage(folder).free
    says = Words(
        "{path}: {free} GB are free.",
        "{path}：剩余 {free} GB。",
        path=path,
        free=f"{free / 1000000000.0:.1f}",
    )
    if free < NEED_BYTES:
        return Finding("record", State.BAD, says, _MAKE_ROOM)
    try:
        probe = folder / f".{path.name}.probe"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        return Finding(
            "record",
            State.BAD,
            Words(
                "Nothing can be written to {folder}: {strerror}.",
                "无法写入 {folder}：{strerror}。",
                folder=folder,
                strerror=error.strerror,
            ),
            Words("Choose another folder: path under [log].", "请换一个文件夹：[log] 下的 path。"),
        )
    return Finding("record", State.GOOD, says)


def key_finding() -> Finding:
    """By which fingerprint this installation's files are known."""
    try:
        shown = open_key().fingerprint
    except InstallationKeyError as error:
        return Finding("key", State.DOUBT, as_said(error), _NO_KEY)
    return Finding(
        "key",
        State.GOOD,
        Words(
            "Files of this installation are signed by {shown}: note it.",
            "本机文件的签名指纹是 {shown}：请记下。",
            shown=shown,
        ),
    )


def log_finding(config: Config) -> Finding | None:
    """Whether the log is what was written, every seal checked; None where there is none yet."""
    path = Path(config.log.path)
    if not path.exists():
        return None
    try:
        with Store(path, reads_only=True) as store:
            count = len(store.load())
    except DamagedError as error:
        return Finding("log", State.BAD, as_said(error), _PUT_BACK)
    except InUseError:
        return Finding("log", State.GOOD, _IN_USE)
    except StoreError as error:
        return Finding("log", State.BAD, as_said(error), _PUT_BACK)
    return Finding(
        "log",
        State.GOOD,
        Words(
            "All {count} entries are as they were written.",
            "全部 {count} 条记录完好。",
            count=count,
        ),
    )


def find_cameras(without: Collection[int] = ()) -> dict[int, str]:
    """Number and name of the cameras that can be opened; names are empty where none is told.

    Where another system than Linux lists its cameras, they are believed: opening each to find out
    can take 12 s there.

    Args:
        without: numbers that are left alone.
    """
    names = camera_names()
    if names is not None and sys.platform != "linux":
        return {number: name for number, name in names.items() if number not in without}
    found = {}
    for number in sorted(names) if names is not None else range(4):
        if number in without:
            continue
        try:
            VideoSource(number).close()
        except CameraError:
            continue
        found[number] = (names or {}).get(number, "")
    return found


def no_camera_finding(found: Mapping[int, str]) -> Finding:
    """The settings name no camera."""
    numbers = list(found)
    listed = ", ".join(f"{n} ({name})" if name else str(n) for n, name in found.items())
    says = Words(
        "The settings name none; these can be opened: {said}.",
        "设置中没有摄像头；可以打开的有：{said}。",
        said=same(listed) if listed else NONE,
    )
    advice = (
        Words(
            "Write source = {numbers} under [camera].",
            "在 [camera] 下写 source = {numbers}。",
            numbers=numbers[0],
        )
        if numbers
        else Words(
            "Plug a camera in, or name a stream or file under [camera], or keep score by hand.",
            "请接上摄像头，或在 [camera] 下指定视频流或文件，或手工记分。",
        )
    )
    return Finding("camera", State.DOUBT, says, advice)


def camera_findings(config: Config, camera: Camera, reader: Reader | None) -> Iterator[Finding]:
    """Whether pictures come, and whether tiles can be read in them."""
    with camera:
        picture = camera.next_picture(timeout_s=CAMERA_S)
        health = camera.health()
    if picture is None:
        message = health.says or Words(
            "The camera gave no picture in {camera_s} s.",
            "{camera_s} 秒内没有收到画面。",
            camera_s=f"{CAMERA_S:g}",
        )
        yield Finding(
            "camera",
            State.BAD,
            message,
            Words(
                "Check the cable, that no other program uses it, and the number under [camera].",
                "请检查线缆、是否被其他程序占用，以及 [camera] 下的编号。",
            ),
        )
        return
    height, width = picture.image.shape[:2]
    yield Finding(
        "camera",
        State.GOOD,
        Words(
            "Pictures of {width} × {height} come.",
            "收到 {width} × {height} 的画面。",
            width=width,
            height=height,
        ),
    )
    readings = None
    if is_covered(picture.image):
        yield Finding("picture", State.BAD, _COVERED, _UNCOVER)
    elif reader is not None:
        readings = reader.read(picture.image)
        yield from picture_findings(picture.image, readings)
    corners = corners_finding(config, width, height)
    yield corners
    if readings is not None and corners.state is State.GOOD:
        yield from size_findings(config, (width, height), readings)


def picture_findings(image: Image, readings: Readings) -> Iterator[Finding]:
    """A picture's readings, and advice to make it readable."""
    unsure = readings.labels.count(UNKNOWN)
    says = Words(
        "{count} tiles and dice are seen, {unsure} of them unsure.",
        "看到 {count} 张牌和骰子，其中 {unsure} 张没有把握。",
        count=len(readings.labels),
        unsure=unsure,
    )
    troubles = advise(image, readings)
    yield Finding("picture", State.DOUBT if troubles else State.GOOD, says)
    for trouble in troubles:
        yield Finding("picture", State.DOUBT, trouble.words)


def corners_finding(config: Config, width: int, height: int) -> Finding:
    """Whether the table's corners are known, lie in the picture and are far enough apart."""
    corners = config.camera.corners
    kept = Path(config.camera.calibration)
    if not corners and config.camera.calibration and kept.exists():
        return kept_corners_finding(kept, width, height)
    if not corners:
        return Finding(
            "corners",
            State.BAD,
            Words("The table's corners are not known.", "还不知道牌桌的四角在哪里。"),
            Words(
                "Run table-assist calibrate, or write corners = [[x, y], ...] under [camera]: near "
                "left, near right, far right, far left.",
                "请运行 table-assist calibrate，或在 [camera] 下写 corners = [[x, y], ...]："
                "近左、近右、远右、远左。",
            ),
        )
    outside = [c for c in corners if not (0 <= c[0] < width and 0 <= c[1] < height)]
    if outside:
        x, y = outside[0]
        return Finding(
            "corners",
            State.BAD,
            Words(
                "The corner {x}, {y} lies outside the picture of {width} × {height}.",
                "角点 {x}，{y} 在 {width} × {height} 的画面之外。",
                x=f"{x:g}",
                y=f"{y:g}",
                width=width,
                height=height,
            ),
            Words(
                "Take the corners from a picture of this camera at this resolution.",
                "请用这台摄像头、这个分辨率的画面来取角点。",
            ),
        )
    try:
        calibration = Calibration(parse_corners(corners), config.camera.side_mm)
    except CalibrationError as error:
        return Finding("corners", State.BAD, as_said(error), _CORRECT_CORNERS)
    per_tile = calibration.px_per_mm * TILE_MM
    return Finding(
        "corners",
        State.GOOD,
        Words(
            "A tile is about {per_tile} px wide.",
            "一张牌宽约 {per_tile} 像素。",
            per_tile=f"{per_tile:.0f}",
        ),
    )


def kept_corners_finding(path: Path, width: int, height: int) -> Finding:
    """Whether the corners that `calibrate` kept are for pictures of this size."""
    try:
        kept = load_calibration(path)
    except CalibrationError as error:
        return Finding("corners", State.BAD, as_said(error), CALIBRATE_AGAIN)
    if kept.size_wh != (width, height):
        return Finding(
            "corners",
            State.BAD,
            Words(
                "They were kept for pictures of {size_wh} × {size_wh_2}, and the camera gives "
                "{width} × {height}.",
                "标定用的画面是 {size_wh} × {size_wh_2}，而摄像头给出 {width} × {height}。",
                size_wh=kept.size_wh[0],
                size_wh_2=kept.size_wh[1],
                width=width,
                height=height,
            ),
            CALIBRATE_AGAIN,
        )
    per_tile = kept.calibration.px_per_mm * TILE_MM
    says = Words(
        "A tile is about {per_tile} px wide; calibrated on {date}.",
        "一张牌宽约 {per_tile} 像素；标定于 {date}。",
        per_tile=f"{per_tile:.0f}",
        date=kept.date,
    )
    return Finding("corners", State.GOOD, says)
