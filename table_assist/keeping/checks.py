"""The checks of the health page; each is a function of what was measured, and of nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from table_assist.keeping.check import Check, State
from table_assist.rules.words import Words
from table_assist.snapshot import SourceHealth

# An evening's log is under 5 MB; pictures of doubts and a recording need the rest.
LEAST_FREE, LITTLE_FREE = 200_000_000, 1_000_000_000
LARGE_LOG = 500_000_000  # folding it again at every start takes minutes
LARGE_EVIDENCE = 2_000_000_000
PASS_MISSING_S = 10.0  # pictures come and none was read for so long: reading has stopped
SLOW_PASS_S = 2.0  # a discard that is read later than this is read after the next one
CLOCK_JUMP_S = 2.0
# No clock of a machine that runs this program can be earlier: its battery or network time is gone.
EARLIEST_S = datetime(2025, 1, 1, tzinfo=UTC).timestamp()
WARM_C, HOT_C = 75.0, 85.0  # a Raspberry Pi slows down from 80 to 85
BAD_LINES = 0.05  # share of the board's lines that may be damaged
QUEUE = 200  # items that wait for the session: it is seconds behind
BACKUP_OLD_S = 2 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that the checks look at, at one moment.

    Attributes:
        now_s: seconds since the epoch.
        running_s: how long the table has been followed.
        sources: camera, board, log, as the session has them.
        has_camera: the settings name one.
        picture_s: when the last picture came; None: never.
        pass_s: when the last picture was read; None: never.
        pass_took_s: seconds that a pass takes, over the last ones; None: none yet.
        eyes_trouble: why no picture can be read; empty when they can.
        waiting: items that the session has not processed yet.
        free_bytes: on the log's disk; None where it cannot be asked.
        log_bytes: of the log; None where there is no file.
        log_error: why nothing can be written beside the log; empty when it can.
        evidence_bytes: of the pictures that are kept.
        evidence_trouble: why they are not kept; empty when they are.
        clock_jump_s: how far the clock was set since the table was begun.
        temperature_c: the processor's; None where it is not told.
        backup_s: when the newest backup was made; None: never.
        backups_on: the settings name a folder for them.
        backup_trouble: why the last could not be made.
        has_entries: there is something to be backed up.
        settings_changed: the file is another one now than the table was started with.
    """

    now_s: float
    running_s: float = 0.0
    sources: tuple[SourceHealth, ...] = ()
    has_camera: bool = False
    picture_s: float | None = None
    pass_s: float | None = None
    pass_took_s: float | None = None
    eyes_trouble: str = ""
    waiting: int = 0
    free_bytes: int | None = None
    log_bytes: int | None = None
    log_error: str = ""
    evidence_bytes: int = 0
    evidence_trouble: str = ""
    clock_jump_s: float = 0.0
    temperature_c: float | None = None
    backup_s: float | None = None
    backups_on: bool = True
    backup_trouble: str = ""
    has_entries: bool = False
    settings_changed: bool = False

    def source(self, name: str) -> SourceHealth | None:
        """How one source is doing, where it is known."""
        return next((each for each in self.sources if each.name == name), None)


def checks(measured: Measured) -> tuple[Check, ...]:
    """Every check, in the order in which they are shown."""
    return tuple(_each(measured))


def _each(measured: Measured) -> Iterator[Check]:
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


def camera(measured: Measured) -> Check:
    """Whether pictures come."""
    source = measured.source("camera")
    if source is None or source.status == "none":
        if measured.has_camera:
            return Check(
                "camera",
                State.DOUBT,
                Words("The camera has not given a picture yet.", "摄像头还没有给出画面。"),
                Words("Wait a moment; then see its cable.", "请稍候，再检查连线。"),
            )
        return Check(
            "camera",
            State.NONE,
            Words("No camera is set up.", "未配置摄像头。"),
            Words("Choose one: set the table up.", "请在设置中选择摄像头。"),
        )
    if source.status == "live":
        if source.message:
            return Check(
                "camera",
                State.DOUBT,
                Words(source.message, f"摄像头提示：{source.message}"),
                Words("Calibrate again when the game allows.", "请在方便时重新标定。"),
            )
        return Check("camera", State.GOOD, Words("Pictures come.", "画面正常。"))
    says, advice = _CAMERA[source.status if source.status in _CAMERA else "lost"]
    named = f" {source.message}." if source.message else ""
    return Check(
        "camera",
        State.DOUBT if source.status == "covered" else State.BAD,
        Words(f"{says.en}{named}", f"{says.zh}{source.message}"),
        advice,
    )


_CAMERA = {
    "covered": (
        Words("The camera sees nothing.", "摄像头看不到东西。"),
        Words(
            "Take away what is before the lens, or switch the light on.",
            "请移开镜头前的遮挡物，或开灯。",
        ),
    ),
    "stale": (
        Words("No new picture comes.", "没有新的画面。"),
        Words(
            "Pull the camera's cable and plug it in again; see that nothing else uses it.",
            "请重新插拔摄像头，并确认没有其他程序在使用它。",
        ),
    ),
    "lost": (
        Words("The camera is gone.", "摄像头已断开。"),
        Words("Plug it in again; it is tried again by itself.", "请重新接好，程序会自动重试。"),
    ),
}


def detector(measured: Measured) -> Check:
    """Whether pictures are read, and fast enough."""
    if not measured.has_camera:
        return Check(
            "detector",
            State.NONE,
            Words("Nothing is read without a camera.", "没有摄像头，不识别。"),
        )
    if measured.eyes_trouble:
        return Check(
            "detector",
            State.BAD,
            Words(measured.eyes_trouble, f"无法识别画面：{measured.eyes_trouble}"),
            Words("Calibrate again, or run the doctor below.", "请重新标定，或运行下面的体检。"),
        )
    if measured.pass_s is None:
        if measured.picture_s is not None and measured.running_s > PASS_MISSING_S:
            return _reading_stopped(measured.running_s)
        return Check(
            "detector", State.GOOD, Words("It waits for the first picture.", "正在等第一张画面。")
        )
    silent_s = (measured.picture_s or 0.0) - measured.pass_s
    if silent_s > PASS_MISSING_S:
        return _reading_stopped(silent_s)
    took = measured.pass_took_s or 0.0
    if took > SLOW_PASS_S:
        return Check(
            "detector",
            State.DOUBT,
            Words(
                f"A picture takes {took:.1f} s to read: fast play may be read late.",
                f"识别一张画面需要 {took:.1f} 秒，出牌快时会跟不上。",
            ),
            Words("End other programs on this machine.", "请关闭本机上的其他程序。"),
        )
    return Check(
        "detector",
        State.GOOD,
        Words(f"A picture takes {took:.2f} s to read.", f"识别一张画面需要 {took:.2f} 秒。"),
    )


def _reading_stopped(silent_s: float) -> Check:
    return Check(
        "detector",
        State.BAD,
        Words(
            f"Pictures come, and none was read for {silent_s:.0f} s.",
            f"有画面，但已有 {silent_s:.0f} 秒没有识别。",
        ),
        Words("Start the table again below.", "请在下面重新启动。"),
    )


def board(measured: Measured) -> Check:
    """Whether the board speaks, and clearly."""
    source = measured.source("board")
    if source is None or source.status == "none":
        return Check(
            "board",
            State.NONE,
            Words("No board is set up: scores are kept by tapping.", "未配置电路板，用点按操作。"),
        )
    if source.status != "live":
        says = source.message or "The board does not speak."
        return Check(
            "board",
            State.BAD if source.status == "lost" else State.DOUBT,
            Words(says, f"电路板没有连上：{says}"),
            Words(
                "See its cable and power; it is tried again by itself. Tapping works meanwhile.",
                "请检查连线和电源，程序会自动重试；期间可用点按代替。",
            ),
        )
    counted = dict(source.counters)
    good, bad = counted.get("good", 0), counted.get("bad", 0)
    if bad > 5 and bad > BAD_LINES * (good + bad):
        return Check(
            "board",
            State.DOUBT,
            Words(
                f"{bad} of {good + bad} lines came damaged.",
                f"{good + bad} 行数据中有 {bad} 行损坏。",
            ),
            Words(
                "Try another cable, and keep it away from motors.",
                "请换一根线，并让它远离电机。",
            ),
        )
    return Check(
        "board",
        State.GOOD,
        Words(f"{good} lines came, {bad} damaged.", f"收到 {good} 行数据，损坏 {bad} 行。"),
    )


def session(measured: Measured) -> Check:
    """Whether what comes in is processed at once."""
    if measured.waiting > QUEUE:
        return Check(
            "session",
            State.BAD,
            Words(
                f"{measured.waiting} readings wait to be processed.",
                f"有 {measured.waiting} 条读数等待处理。",
            ),
            Words(
                "End other programs on this machine; if it stays so, start the table again.",
                "请关闭本机上的其他程序；若仍如此，请重新启动。",
            ),
        )
    return Check(
        "session",
        State.GOOD,
        Words("What comes in is processed at once.", "读数都及时处理。"),
    )


def log(measured: Measured) -> Check:
    """Whether the evening is written down."""
    source = measured.source("log")
    trouble = measured.log_error or (
        source.message if source is not None and source.status == "lost" else ""
    )
    if trouble:
        return Check(
            "log",
            State.BAD,
            Words(
                f"The record is kept in memory only: {trouble}.",
                f"记录只在内存中，未写入磁盘：{trouble}。",
            ),
            Words(
                "Make room or give the folder free; do not end the program before.",
                "请腾出空间或恢复文件夹的写权限；在此之前不要退出程序。",
            ),
        )
    if measured.log_bytes is None and measured.has_entries:
        return Check(
            "log",
            State.BAD,
            Words("The log's file is gone.", "记录文件不见了。"),
            Words("Make a backup now, below.", "请立即在下面备份。"),
        )
    size = measured.log_bytes or 0
    if size > LARGE_LOG:
        return Check(
            "log",
            State.DOUBT,
            Words(f"The log has {size / 1e6:.0f} MB.", f"记录已有 {size / 1e6:.0f} MB。"),
            Words(
                "Begin another: name a new file as path under [log].",
                "请在 [log] 的 path 换一个新文件。",
            ),
        )
    return Check(
        "log",
        State.GOOD,
        Words(
            f"Everything is written down ({size / 1e6:.1f} MB).",
            f"全部已写入（{size / 1e6:.1f} MB）。",
        ),
    )


def evidence(measured: Measured) -> Check:
    """Whether pictures of doubts and decisions are kept."""
    if measured.evidence_trouble:
        return Check(
            "evidence",
            State.DOUBT,
            Words(
                f"Pictures for disputes are not kept: {measured.evidence_trouble}.",
                f"争议用的画面没有保存：{measured.evidence_trouble}。",
            ),
            Words("Make room on the disk.", "请腾出磁盘空间。"),
        )
    size = measured.evidence_bytes
    if size > LARGE_EVIDENCE:
        return Check(
            "evidence",
            State.DOUBT,
            Words(
                f"Pictures of earlier evenings take {size / 1e9:.1f} GB.",
                f"以往的画面占用 {size / 1e9:.1f} GB。",
            ),
            Words(
                "Make a backup with evidence, then delete old pictures.",
                "请连同画面一起备份，然后删除旧画面。",
            ),
        )
    return Check(
        "evidence",
        State.GOOD,
        Words(f"{size / 1e6:.1f} MB of pictures are kept.", f"已保存 {size / 1e6:.1f} MB 画面。"),
    )


def disk(measured: Measured) -> Check:
    """Whether there is room."""
    free = measured.free_bytes
    if free is None:
        return Check(
            "disk",
            State.BAD,
            Words("The log's folder cannot be asked.", "无法读取记录所在的文件夹。"),
            Words("See that the disk is there.", "请检查磁盘是否还在。"),
        )
    says = Words(f"{free / 1e9:.1f} GB are free.", f"剩余 {free / 1e9:.1f} GB。")
    if free < LITTLE_FREE:
        state = State.BAD if free < LEAST_FREE else State.DOUBT
        return Check("disk", state, says, Words("Make room on the disk.", "请腾出磁盘空间。"))
    return Check("disk", State.GOOD, says)


def clock(measured: Measured) -> Check:
    """Whether the clock is right, as far as one can tell."""
    advice = Words(
        "Set date and time, or connect the machine to the network.",
        "请设置日期时间，或让机器联网校时。",
    )
    if measured.now_s < EARLIEST_S:
        shown = datetime.fromtimestamp(measured.now_s, UTC).strftime("%Y-%m-%d")
        return Check(
            "clock",
            State.BAD,
            Words(f"The clock says {shown}.", f"时钟显示 {shown}。"),
            advice,
        )
    jump = measured.clock_jump_s
    if abs(jump) > CLOCK_JUMP_S:
        return Check(
            "clock",
            State.DOUBT,
            Words(
                f"The clock was set by {jump:+.0f} s while the table was running: times in the "
                "log before and after differ by that.",
                f"运行期间时钟被调整了 {jump:+.0f} 秒，前后记录的时间相差这么多。",
            ),
            advice,
        )
    return Check("clock", State.GOOD, Words("The clock runs evenly.", "时钟走时均匀。"))


def temperature(measured: Measured) -> Check:
    """Whether the processor is too hot."""
    degrees = measured.temperature_c
    if degrees is None:
        return Check(
            "temperature",
            State.NONE,
            Words("This machine does not tell its temperature.", "本机不提供温度。"),
        )
    says = Words(f"The processor has {degrees:.0f} °C.", f"处理器 {degrees:.0f} °C。")
    if degrees >= WARM_C:
        return Check(
            "temperature",
            State.BAD if degrees >= HOT_C else State.DOUBT,
            says,
            Words("Let air to the machine, or give it a fan.", "请改善通风，或加装风扇。"),
        )
    return Check("temperature", State.GOOD, says)


def backup(measured: Measured) -> Check:
    """Whether there is a copy of what would be lost."""
    if measured.backup_trouble:
        return Check(
            "backup",
            State.BAD,
            Words(
                f"The last backup failed: {measured.backup_trouble}.",
                f"上次备份失败：{measured.backup_trouble}。",
            ),
            Words("Make one below, onto another disk.", "请在下面备份到另一块磁盘。"),
        )
    if not measured.backups_on:
        return Check(
            "backup",
            State.DOUBT,
            Words("No backups are made by themselves.", "未开启自动备份。"),
            Words("Name a folder under [backup].", "请在 [backup] 下填写 folder。"),
        )
    age_s = None if measured.backup_s is None else measured.now_s - measured.backup_s
    if measured.has_entries and (age_s is None or age_s > BACKUP_OLD_S):
        days = "never" if age_s is None else f"{age_s / 86_400:.0f} days ago"
        days_zh = "从未备份" if age_s is None else f"{age_s / 86_400:.0f} 天前"
        return Check(
            "backup",
            State.DOUBT,
            Words(f"The last backup: {days}.", f"上次备份：{days_zh}。"),
            Words("Make one below.", "请在下面备份。"),
        )
    if age_s is None:
        return Check("backup", State.GOOD, Words("There is nothing to lose yet.", "还没有内容。"))
    return Check(
        "backup",
        State.GOOD,
        Words(
            f"The last backup: {age_s / 3600:.0f} hours ago.",
            f"上次备份：{age_s / 3600:.0f} 小时前。",
        ),
    )


def settings(measured: Measured) -> Check:
    """Whether the table runs with the settings that are in the file."""
    if measured.settings_changed:
        return Check(
            "settings",
            State.DOUBT,
            Words(
                "The settings' file was changed; the table runs with what it was before.",
                "设置文件已被修改，牌桌仍按修改前的设置运行。",
            ),
            Words("Start the table again below.", "请在下面重新启动。"),
        )
    return Check(
        "settings",
        State.GOOD,
        Words("The table runs with the settings in the file.", "牌桌按文件中的设置运行。"),
    )
