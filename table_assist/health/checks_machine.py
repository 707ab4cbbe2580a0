"""The checks of what the table runs on: log, disk, clock, temperature, backups, settings."""

from datetime import UTC, datetime

from table_assist.health.finding import Finding, State
from table_assist.health.measured import Measured
from table_assist.languages.words import NOTHING, Words

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
