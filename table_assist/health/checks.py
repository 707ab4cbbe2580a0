"""Findings of the health page and the doctors, and checks: functions of what was measured."""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from pathlib import Path

from table_assist.languages.words import NOTHING, SPACE, Words, joined, phrase, unended, words_of
from table_assist.record.snapshot import SourceHealth


class State(StrEnum):
    """How a thing is."""

    GOOD = "good"
    DOUBT = "doubt"  # it may be meant so, or will become bad
    BAD = "bad"
    NONE = "none"  # there is nothing to look at


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        id: such as ``camera``; also its anchor on the page.
        says: how it is, in one sentence.
        advice: what to do about it, in one sentence; None when nothing is to be done.
        since_s: when it became so, seconds since the epoch; 0 if nobody kept it.
    """

    id: str
    state: State
    says: Words
    advice: Words | None = None
    since_s: float = 0.0


@cache
def _rows() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("findings.toml").read_text("utf-8"))


def found(which: str, **given: object) -> Finding:
    """The finding of that name.

    Args:
        which: a thing and a line of it in `findings.toml`, such as ``camera.lost``.
        given: fills both sentences; an error stands for its own words.
    """
    thing, line = which.split(".")
    state, en, zh, *advice = _rows()[thing][line]
    filled = {
        name: unended(words_of(value)) if isinstance(value, Exception) else value
        for name, value in given.items()
    }
    told = Words(*advice).filled(**filled) if advice else None
    return Finding(thing, State(state), Words(en, zh, **filled), told)


_MARKS = {State.GOOD: "✓", State.DOUBT: "?", State.BAD: "✗", State.NONE: "·"}
_COLUMN_WIDTH = 9


def finding_lines(finding: Finding, language: str = "en") -> list[str]:
    """A finding for people at a terminal.

    Args:
        language: as `Words.said` has it.

    >>> finding_lines(found("picture.covered"))
    ['✗ picture  Nothing can be seen.', '           → Uncover the lens.']
    """
    lines = [f"{_MARKS[finding.state]} {finding.id:<{_COLUMN_WIDTH}}{finding.says.said(language)}"]
    if finding.advice is not None:
        lines.append(f"  {'':<{_COLUMN_WIDTH}}→ {finding.advice.said(language)}")
    return lines


def is_well(findings: Iterable[Finding]) -> bool:
    """Nothing is bad."""
    return all(finding.state is not State.BAD for finding in findings)


@dataclass(frozen=True, slots=True)
class Measured:
    """The measured values.

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
    eyes_trouble: Words = NOTHING
    waiting: int = 0
    free_bytes: int | None = None
    log_bytes: int | None = None
    log_error: str = ""
    evidence_bytes: int = 0
    evidence_trouble: Words = NOTHING
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


# An evening's log is under 5 MB; pictures of doubts and a recording need the rest.
LEAST_FREE, LITTLE_FREE = 200_000_000, 1_000_000_000
LARGE_LOG = 500_000_000  # folding it again at every start takes minutes
LARGE_EVIDENCE = 2_000_000_000
CLOCK_JUMP_S = 2.0
# No clock of a machine that runs this program can be earlier: its battery or network time is gone.
EARLIEST_S = datetime(2025, 1, 1, tzinfo=UTC).timestamp()
WARM_C, HOT_C = 75.0, 85.0  # a Raspberry Pi slows down from 80 to 85
BACKUP_OLD_S = 2 * 24 * 3600.0
PASS_MISSING_S = 10.0  # pictures come and none was read for so long: reading has stopped
SLOW_PASS_S = 2.0  # a discard that is read later than this is read after the next one
BAD_LINES = 0.05  # share of the board's lines that may be damaged
QUEUE = 200  # items that wait for the session: it is seconds behind


def checks(measured: Measured) -> tuple[Finding, ...]:
    """Every check, in the order in which they are shown."""
    changed = "settings.changed" if measured.settings_changed else "settings.same"
    return (
        _camera(measured),
        _detector(measured),
        _board(measured),
        found("session.behind", waiting=measured.waiting)
        if measured.waiting > QUEUE
        else found("session.prompt"),
        *machine_checks(measured),
        found(changed),
    )


def machine_checks(measured: Measured) -> Iterator[Finding]:
    """What the table runs on: the doctor looks at these without a running table, too."""
    yield _log(measured)
    if measured.evidence_trouble:
        yield found("evidence.not_kept", trouble=measured.evidence_trouble)
    elif measured.evidence_bytes > LARGE_EVIDENCE:
        yield found("evidence.large", size=f"{measured.evidence_bytes / 1e9:.1f}")
    else:
        yield found("evidence.kept", size=f"{measured.evidence_bytes / 1e6:.1f}")
    yield _disk(measured.free_bytes)
    yield _clock(measured)
    if measured.temperature_c is None:
        yield found("temperature.unknown")
    else:
        is_warm, is_hot = measured.temperature_c >= WARM_C, measured.temperature_c >= HOT_C
        name = "temperature.warm" if is_warm else "temperature.cool"
        told = found(name, degrees=f"{measured.temperature_c:.0f}")
        yield replace(told, state=State.BAD) if is_hot else told
    yield _backup(measured)


def _log(measured: Measured) -> Finding:
    """Whether the evening is written down."""
    source = measured.source("log")
    lost = source.says if source is not None and source.status == "lost" else NOTHING
    if trouble := measured.log_error or lost:
        return found("log.in_memory", trouble=trouble)
    if measured.log_bytes is None and measured.has_entries:
        return found("log.gone")
    size = measured.log_bytes or 0
    if size > LARGE_LOG:
        return found("log.large", size=f"{size / 1e6:.0f}")
    return found("log.written", size=f"{size / 1e6:.1f}")


def _disk(free: int | None) -> Finding:
    if free is None:
        return found("disk.gone")
    told = found("disk.little" if free < LITTLE_FREE else "disk.free", free=f"{free / 1e9:.1f}")
    return replace(told, state=State.BAD) if free < LEAST_FREE else told


def _clock(measured: Measured) -> Finding:
    """Whether the clock is right, as far as one can tell."""
    if measured.now_s < EARLIEST_S:
        shown = datetime.fromtimestamp(measured.now_s, UTC).strftime("%Y-%m-%d")
        return found("clock.wrong", shown=shown)
    jump = measured.clock_jump_s
    if abs(jump) > CLOCK_JUMP_S:
        return found("clock.jumped", jump=f"{jump:+.0f}")
    return found("clock.even")


def _backup(measured: Measured) -> Finding:
    """Whether there is a copy of what would be lost."""
    if measured.backup_trouble:
        return found("backup.failed", trouble=measured.backup_trouble)
    if not measured.backups_on:
        return found("backup.off")
    if measured.backup_s is None:
        return found("backup.never" if measured.has_entries else "backup.empty")
    age_s = measured.now_s - measured.backup_s
    if measured.has_entries and age_s > BACKUP_OLD_S:
        return found("backup.old", days=f"{age_s / 86_400:.0f}")
    return found("backup.made", hours=f"{age_s / 3600:.0f}")


_PHONE = phrase("checks.look_at_the_phone")


def _camera(measured: Measured) -> Finding:
    """Whether pictures come."""
    source = measured.source("camera")
    if not measured.has_camera and (source is None or source.status == "none"):
        return found("camera.none")
    if source is None:
        return found("camera.waiting")
    told = found(f"camera.{source.status}")
    said = joined((source.says, source.figures), SPACE)
    match source.status:
        case "waiting":
            return replace(told, says=source.says or told.says)
        case "live" if source.says:
            return replace(found("camera.unread"), state=State.DOUBT, says=said)
    whole = joined((told.says, said), SPACE)
    if source.figures and source.status != "live":
        return replace(told, says=whole, advice=_PHONE)
    return replace(told, says=whole)


def unrecorded(source: SourceHealth) -> Words:
    """Why nothing is recorded by the camera, or kept by the log, and what to do; else nothing."""
    match source.name, source.status:
        case "log", "lost":
            return joined((source.says, found("log.in_memory").advice or NOTHING), SPACE)
        case "camera", "waiting" | "unread" | "idle":  # its own words say what to do
            why = source.says or found("camera.waiting").says
        case "camera", "covered" | "stale" | "lost" as status:
            told = found(f"camera.{status}")
            advice = _PHONE if source.figures else told.advice or NOTHING
            why = joined((told.says, advice), SPACE)
        case _:
            return NOTHING
    return Words("Nothing is recorded: {why}", "未作记录：{why}", why=why)


def _detector(measured: Measured) -> Finding:
    """Whether pictures are read, and fast enough."""
    if not measured.has_camera:
        return found("detector.none")
    if measured.eyes_trouble:
        return found("detector.trouble", trouble=measured.eyes_trouble)
    if measured.pass_s is None:
        silent_s = 0.0 if measured.picture_s is None else measured.running_s
    else:
        silent_s = (measured.picture_s or 0.0) - measured.pass_s
    if silent_s > PASS_MISSING_S:
        return found("detector.stopped", silent_s=f"{silent_s:.0f}")
    if measured.pass_s is None:
        return found("detector.waiting")
    took = measured.pass_took_s or 0.0
    if took > SLOW_PASS_S:
        return found("detector.slow", took=f"{took:.1f}")
    return found("detector.reads", took=f"{took:.2f}")


def _board(measured: Measured) -> Finding:
    """Whether the board speaks, and clearly."""
    source = measured.source("board")
    if source is None or source.status == "none":
        return found("board.none")
    if source.status != "live":
        told = found("board.silent")
        state = State.BAD if source.status == "lost" else told.state
        return replace(told, state=state, says=source.says or told.says)
    counted = dict(source.counters)
    bad = counted.get("bad", 0)
    both = counted.get("good", 0) + bad
    if bad > 5 and bad > BAD_LINES * both:
        return found("board.damaged", bad=bad, good=both)
    return found("board.speaks", good=both - bad, bad=bad)
