"""The checks of the health page; each is a function of what was measured, and of nothing else."""

from collections.abc import Iterator
from datetime import UTC, datetime

from table_assist.contract.health import SourceHealth
from table_assist.health.finding import Finding, State
from table_assist.health.measured import Measured
from table_assist.languages.words import NOTHING, SPACE, Words, joined

# The checks of what the table runs on: log, disk, clock, temperature, backups, settings.

# An evening's log is under 5 MB; pictures of doubts and a recording need the rest.
LEAST_FREE, LITTLE_FREE = 200_000_000, 1_000_000_000
LARGE_LOG = 500_000_000  # folding it again at every start takes minutes
LARGE_EVIDENCE = 2_000_000_000
CLOCK_JUMP_S = 2.0
# No clock of a machine that runs this program can be earlier: its battery or network time is gone.
EARLIEST_S = datetime(2025, 1, 1, tzinfo=UTC).timestamp()
WARM_C, HOT_C = 75.0, 85.0  # a Raspberry Pi slows down from 80 to 85
BACKUP_OLD_S = 2 * 24 * 3600.0

ROOM = Words(
    "Make room or give the folder free; do not end the program before.",
    "请腾出空间或恢复文件夹的写权限；在此之前不要退出程序。",
)


def log(measured: Measured) -> Finding:
    """Whether the evening is written down."""
    source = measured.source("log")
    lost = source.says if source is not None and source.status == "lost" else NOTHING
    trouble = Words(measured.log_error, measured.log_error) if measured.log_error else lost
    if trouble:
        return Finding(
            "log",
            State.BAD,
            Words(
                "The record is kept in memory only: {trouble}.",
                "记录只在内存中，未写入磁盘：{trouble}。",
                trouble=trouble,
            ),
            ROOM,
        )
    if measured.log_bytes is None and measured.has_entries:
        return Finding(
            "log",
            State.BAD,
            Words("The log's file is gone.", "记录文件不见了。"),
            Words("Make a backup now, below.", "请立即在下面备份。"),
        )
    size = measured.log_bytes or 0
    if size > LARGE_LOG:
        return Finding(
            "log",
            State.DOUBT,
            Words("The log has {size} MB.", "记录已有 {size} MB。", size=f"{size / 1000000.0:.0f}"),
            Words(
                "Begin another: name a new file as path under [log].",
                "请在 [log] 的 path 换一个新文件。",
            ),
        )
    return Finding(
        "log",
        State.GOOD,
        Words(
            "Everything is written down ({size} MB).",
            "全部已写入（{size} MB）。",
            size=f"{size / 1000000.0:.1f}",
        ),
    )


def evidence(measured: Measured) -> Finding:
    """Whether pictures of doubts and decisions are kept."""
    if measured.evidence_trouble:
        return Finding(
            "evidence",
            State.DOUBT,
            Words(
                "Pictures for disputes are not kept: {evidence_trouble}.",
                "争议用的画面没有保存：{evidence_trouble}。",
                evidence_trouble=measured.evidence_trouble,
            ),
            Words("Make room on the disk.", "请腾出磁盘空间。"),
        )
    size = measured.evidence_bytes
    if size > LARGE_EVIDENCE:
        return Finding(
            "evidence",
            State.DOUBT,
            Words(
                "Pictures of earlier evenings take {size} GB.",
                "以往的画面占用 {size} GB。",
                size=f"{size / 1000000000.0:.1f}",
            ),
            Words(
                "Make a backup with evidence, then delete old pictures.",
                "请连同画面一起备份，然后删除旧画面。",
            ),
        )
    return Finding(
        "evidence",
        State.GOOD,
        Words(
            "{size} MB of pictures are kept.",
            "已保存 {size} MB 画面。",
            size=f"{size / 1000000.0:.1f}",
        ),
    )


def disk(measured: Measured) -> Finding:
    """Whether there is room."""
    free = measured.free_bytes
    if free is None:
        return Finding(
            "disk",
            State.BAD,
            Words("The log's folder cannot be asked.", "无法读取记录所在的文件夹。"),
            Words("See that the disk is there.", "请检查磁盘是否还在。"),
        )
    says = Words("{free} GB are free.", "剩余 {free} GB。", free=f"{free / 1000000000.0:.1f}")
    if free < LITTLE_FREE:
        state = State.BAD if free < LEAST_FREE else State.DOUBT
        return Finding("disk", state, says, Words("Make room on the disk.", "请腾出磁盘空间。"))
    return Finding("disk", State.GOOD, says)


def clock(measured: Measured) -> Finding:
    """Whether the clock is right, as far as one can tell."""
    advice = Words(
        "Set date and time, or connect the machine to the network.",
        "请设置日期时间，或让机器联网校时。",
    )
    if measured.now_s < EARLIEST_S:
        shown = datetime.fromtimestamp(measured.now_s, UTC).strftime("%Y-%m-%d")
        return Finding(
            "clock",
            State.BAD,
            Words("The clock says {shown}.", "时钟显示 {shown}。", shown=shown),
            advice,
        )
    jump = measured.clock_jump_s
    if abs(jump) > CLOCK_JUMP_S:
        return Finding(
            "clock",
            State.DOUBT,
            Words(
                "The clock was set by {jump} s while the table was running: times in the log "
                "before and after differ by that.",
                "运行期间时钟被调整了 {jump} 秒，前后记录的时间相差这么多。",
                jump=f"{jump:+.0f}",
            ),
            advice,
        )
    return Finding("clock", State.GOOD, Words("The clock runs evenly.", "时钟走时均匀。"))


def temperature(measured: Measured) -> Finding:
    """Whether the processor is too hot."""
    degrees = measured.temperature_c
    if degrees is None:
        return Finding(
            "temperature",
            State.NONE,
            Words("This machine does not tell its temperature.", "本机不提供温度。"),
        )
    says = Words(
        "The processor has {degrees} °C.", "处理器 {degrees} °C。", degrees=f"{degrees:.0f}"
    )
    if degrees >= WARM_C:
        return Finding(
            "temperature",
            State.BAD if degrees >= HOT_C else State.DOUBT,
            says,
            Words("Let air to the machine, or give it a fan.", "请改善通风，或加装风扇。"),
        )
    return Finding("temperature", State.GOOD, says)


def backup(measured: Measured) -> Finding:
    """Whether there is a copy of what would be lost."""
    if measured.backup_trouble:
        return Finding(
            "backup",
            State.BAD,
            Words(
                "The last backup failed: {backup_trouble}.",
                "上次备份失败：{backup_trouble}。",
                backup_trouble=measured.backup_trouble,
            ),
            Words("Make one below, onto another disk.", "请在下面备份到另一块磁盘。"),
        )
    if not measured.backups_on:
        return Finding(
            "backup",
            State.DOUBT,
            Words("No backups are made by themselves.", "未开启自动备份。"),
            Words("Name a folder under [backup].", "请在 [backup] 下填写 folder。"),
        )
    age_s = None if measured.backup_s is None else measured.now_s - measured.backup_s
    if measured.has_entries and (age_s is None or age_s > BACKUP_OLD_S):
        days = Words("never", "从未备份")
        if age_s is not None:
            days = Words("{n} days ago", "{n} 天前", n=f"{age_s / 86_400:.0f}")
        return Finding(
            "backup",
            State.DOUBT,
            Words("The last backup: {days}.", "上次备份：{days}。", days=days),
            Words("Make one below.", "请在下面备份。"),
        )
    if age_s is None:
        return Finding("backup", State.GOOD, Words("There is nothing to lose yet.", "还没有内容。"))
    return Finding(
        "backup",
        State.GOOD,
        Words(
            "The last backup: {age_s} hours ago.",
            "上次备份：{age_s} 小时前。",
            age_s=f"{age_s / 3600:.0f}",
        ),
    )


def settings(measured: Measured) -> Finding:
    """Whether the table runs with the settings that are in the file."""
    if measured.settings_changed:
        return Finding(
            "settings",
            State.DOUBT,
            Words(
                "The settings' file was changed; the table runs with what it was before.",
                "设置文件已被修改，牌桌仍按修改前的设置运行。",
            ),
            Words("Start the table again below.", "请在下面重新启动。"),
        )
    return Finding(
        "settings",
        State.GOOD,
        Words("The table runs with the settings in the file.", "牌桌按文件中的设置运行。"),
    )


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
    yield log(measured)
    yield evidence(measured)
    yield disk(measured)
    yield clock(measured)
    yield temperature(measured)
    yield backup(measured)
    yield settings(measured)


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
            return joined((source.says, ROOM), SPACE)
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
