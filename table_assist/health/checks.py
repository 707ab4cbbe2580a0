"""The checks of the health page; each is a function of what was measured, and of nothing else."""

from collections.abc import Iterator

from table_assist.contract.health import SourceHealth
from table_assist.health import checks_machine as machine
from table_assist.health.finding import Finding, State
from table_assist.health.measured import Measured
from table_assist.languages.words import NOTHING, SPACE, Words, joined

PASS_MISSING_S = 10.0  # pictures come and none was read for so long: reading has stopped
SLOW_PASS_S = 2.0  # a discard that is read later than this is read after the next one
BAD_LINES = 0.05  # share of the board's lines that may be damaged
QUEUE = 200  # items that wait for the session: it is seconds behind


def checks(measured: Measured) -> tuple[Finding, ...]:
    """Every check, in the order in which they are shown."""
    return tuple(_each(measured))


def _each(measured: Measured) -> Iterator[Finding]:
    yield camera(measured)
    yield detector(measured)
    yield board(measured)
    yield session(measured)
    yield machine.log(measured)
    yield machine.evidence(measured)
    yield machine.disk(measured)
    yield machine.clock(measured)
    yield machine.temperature(measured)
    yield machine.backup(measured)
    yield machine.settings(measured)


def camera(measured: Measured) -> Finding:
    """Whether pictures come."""
    source = measured.source("camera")
    if not measured.has_camera and (source is None or source.status == "none"):
        return Finding(
            "camera",
            State.NONE,
            Words("No camera is set up.", "未配置摄像头。"),
            Words("Choose one: set the table up.", "请在设置中选择摄像头。"),
        )
    if source is None or source.status == "waiting":
        return Finding(
            "camera",
            State.DOUBT,
            _NO_PICTURE if source is None else _said(source, _NO_PICTURE),
            Words("Wait a moment, then check its cable.", "请稍候，再检查连线。"),
        )
    if source.status == "live":
        if source.says:
            return Finding("camera", State.DOUBT, _with_figures(source.says, source), _AGAIN)
        return Finding("camera", State.GOOD, _with_figures(_FINE, source))
    says, advice = _CAMERA[source.status]
    said = _with_figures(source.says, source)
    return Finding(
        "camera",
        State.DOUBT if source.status == "covered" else State.BAD,
        joined((says, said), SPACE),
        _PHONE if source.figures else advice,
    )


def unrecorded(source: SourceHealth) -> Words:
    """Why nothing is recorded by the camera, or kept by the log, and what to do; else nothing."""
    match source.name, source.status:
        case "log", "lost":
            return joined((source.says, machine.ROOM), SPACE)
        case "camera", "waiting" | "unread" | "idle":  # its own words say what to do
            why = _said(source, _NO_PICTURE)
        case "camera", status if status in _CAMERA:
            says, advice = _CAMERA[status]
            why = joined((says, _PHONE if source.figures else advice), SPACE)
        case _:
            return NOTHING
    return Words("Nothing is recorded: {why}", "未作记录：{why}", why=why)


def _with_figures(says: Words, source: SourceHealth) -> Words:
    """The sentence, and what the source tells of itself."""
    return joined((says, source.figures), SPACE)


_NO_PICTURE = Words("The camera has not given a picture yet.", "摄像头还没有给出画面。")
_FINE = Words("Pictures come.", "画面正常。")
_AGAIN = Words(
    "If it was moved, calibrate again when the game allows.", "若被移动过，请在方便时重新标定。"
)
_PHONE = Words(
    "Look at the phone: it says what is wrong, and goes on by itself.",
    "请看手机屏幕：上面有原因说明，会自动继续。",
)
_CAMERA = {
    "covered": (
        Words("The camera sees nothing.", "摄像头看不到东西。"),
        Words(
            "Take away what covers the lens, or switch the light on.",
            "请移开镜头前的遮挡物，或开灯。",
        ),
    ),
    "stale": (
        Words("No new pictures come.", "没有新的画面。"),
        Words(
            "Unplug the camera and plug it in again. Check that no other program uses it.",
            "请重新插拔摄像头，并确认没有其他程序在使用它。",
        ),
    ),
    "lost": (
        Words("The camera is gone.", "摄像头已断开。"),
        Words(
            "Plug it in again; the program tries again by itself.", "请重新接好，程序会自动重试。"
        ),
    ),
    "unread": (_FINE, _AGAIN),
    "idle": (_FINE, NOTHING),
}


def detector(measured: Measured) -> Finding:
    """Whether pictures are read, and fast enough."""
    if not measured.has_camera:
        return Finding(
            "detector",
            State.NONE,
            Words("Nothing can be read without a camera.", "没有摄像头，不识别。"),
        )
    if measured.eyes_trouble.en:
        return Finding(
            "detector",
            State.BAD,
            measured.eyes_trouble,
            Words("Calibrate again, or run the doctor below.", "请重新标定，或运行下面的体检。"),
        )
    if measured.pass_s is None:
        if measured.picture_s is not None and measured.running_s > PASS_MISSING_S:
            return _reading_stopped(measured.running_s)
        return Finding(
            "detector", State.GOOD, Words("It waits for the first picture.", "正在等第一张画面。")
        )
    silent_s = (measured.picture_s or 0.0) - measured.pass_s
    if silent_s > PASS_MISSING_S:
        return _reading_stopped(silent_s)
    took = measured.pass_took_s or 0.0
    if took > SLOW_PASS_S:
        return Finding(
            "detector",
            State.DOUBT,
            Words(
                "A picture takes {took} s to read: fast play may be read late.",
                "识别一张画面需要 {took} 秒，出牌快时会跟不上。",
                took=f"{took:.1f}",
            ),
            Words("End other programs on this machine.", "请关闭本机上的其他程序。"),
        )
    return Finding(
        "detector",
        State.GOOD,
        Words(
            "A picture takes {took} s to read.", "识别一张画面需要 {took} 秒。", took=f"{took:.2f}"
        ),
    )


def _reading_stopped(silent_s: float) -> Finding:
    return Finding(
        "detector",
        State.BAD,
        Words(
            "Pictures come, and none was read for {silent_s} s.",
            "有画面，但已有 {silent_s} 秒没有识别。",
            silent_s=f"{silent_s:.0f}",
        ),
        Words("Start the table again below.", "请在下面重新启动。"),
    )


def board(measured: Measured) -> Finding:
    """Whether the board speaks, and clearly."""
    source = measured.source("board")
    if source is None or source.status == "none":
        return Finding(
            "board",
            State.NONE,
            Words("No board is set up: you keep score by tapping.", "未配置电路板，用点按操作。"),
        )
    if source.status != "live":
        return Finding(
            "board",
            State.BAD if source.status == "lost" else State.DOUBT,
            _said(source, Words("The board does not speak.", "电路板没有回应。")),
            Words(
                "Check its cable and power. It is tried again by itself; tapping works meanwhile.",
                "请检查连线和电源，程序会自动重试；期间可用点按代替。",
            ),
        )
    counted = dict(source.counters)
    good, bad = counted.get("good", 0), counted.get("bad", 0)
    if bad > 5 and bad > BAD_LINES * (good + bad):
        return Finding(
            "board",
            State.DOUBT,
            Words(
                "{bad} of {good} lines arrived damaged.",
                "{good} 行数据中有 {bad} 行损坏。",
                bad=bad,
                good=good + bad,
            ),
            Words(
                "Try another cable, and keep it away from motors.",
                "请换一根线，并让它远离电机。",
            ),
        )
    return Finding(
        "board",
        State.GOOD,
        Words(
            "{good} lines came, {bad} damaged.",
            "收到 {good} 行数据，损坏 {bad} 行。",
            good=good,
            bad=bad,
        ),
    )


def session(measured: Measured) -> Finding:
    """Whether what comes in is processed at once."""
    if measured.waiting > QUEUE:
        return Finding(
            "session",
            State.BAD,
            Words(
                "{waiting} readings wait to be processed.",
                "有 {waiting} 条读数等待处理。",
                waiting=measured.waiting,
            ),
            Words(
                "End other programs on this machine. If that does not help, start the table again.",
                "请关闭本机上的其他程序；若仍如此，请重新启动。",
            ),
        )
    return Finding(
        "session",
        State.GOOD,
        Words("What comes in is processed at once.", "读数都及时处理。"),
    )


def _said(source: SourceHealth, otherwise: Words) -> Words:
    """The source's own sentence, or one for it."""
    return source.says or otherwise
