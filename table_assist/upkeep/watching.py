"""Health and figures of a running table."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from table_assist.contract.health import SourceHealth
from table_assist.game.events import Asked
from table_assist.health.figures import Figures
from table_assist.health.measured import NOTHING, Measured
from table_assist.health.measuring import free_bytes, size_of, temperature_c
from table_assist.upkeep.backup.automatic import Automatic
from table_assist.upkeep.doctor.table import measure_machine
from table_assist.upkeep.running import Running


def measure(
    running: Running,
    automatic: Automatic | None,
    *,
    now_s: float,
    clock_jump_s: float,
    settings: Path,
) -> Measured:
    """Everything that the checks look at.

    Args:
        clock_jump_s: how far the clock was set since the table was begun.
        settings: the file, which may be another one now than it was.
    """
    snapshot = running.table.snapshot
    source = _source(running, "camera")
    camera, detector = running.camera, running.detector
    evidence = _source(running, "evidence")
    return replace(
        measure_machine(running.config, automatic, now_s),
        running_s=now_s - running.started_s,
        sources=snapshot.health,
        has_camera=camera is not None,
        picture_s=None if source is None else source.last_t,
        pass_s=None if camera is None else camera.taken_s,
        pass_took_s=None if detector is None else detector.mean_s,
        eyes_trouble=source.says if source and source.status == "unread" else NOTHING,
        waiting=running.table.session.waiting,
        evidence_trouble=evidence.says if evidence and evidence.status == "lost" else NOTHING,
        clock_jump_s=clock_jump_s,
        has_entries=snapshot.seq > 0,
        settings_changed=_bytes_of(settings) != running.text,
    )


def fill(base: Figures, running: Running, automatic: Automatic | None) -> Figures:
    """The figures of a running table beside the program's own."""
    entries = running.table.entries()
    snapshot = running.table.snapshot
    board, eyes = _source(running, "board"), _source(running, "camera")
    camera, detector = running.camera, running.detector
    log = Path(running.config.log.path)
    return replace(
        base,
        pictures=None if camera is None else camera.came,
        pictures_skipped=None if camera is None else camera.skipped,
        passes=None if detector is None else detector.passes,
        pass_seconds=None if detector is None else detector.seconds,
        healed=None if eyes is None else dict(eyes.counters).get("healed"),
        entries=Counter(str(entry.source) for entry in entries),
        hands=len(snapshot.history),
        questions_asked=sum(isinstance(entry.event, Asked) for entry in entries),
        questions_open=len(snapshot.state.questions),
        frames={} if board is None else dict(board.counters),
        queue=running.table.session.waiting,
        disk_free_bytes=free_bytes(log),
        log_bytes=size_of(log),
        sources={each.name: int(each.status == "live") for each in snapshot.health},
        temperature_c=temperature_c(),
        backup_s=None if automatic is None else automatic.last_s,
    )


def _source(running: Running, name: str) -> SourceHealth | None:
    return next((each for each in running.table.snapshot.health if each.name == name), None)


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
