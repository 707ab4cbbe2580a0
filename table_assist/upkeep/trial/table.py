"""The table that a trial is laid at: followed as on every evening, with a log of its own.

What follows it is a `LiveTable`, opened from settings alone. It is given pictures, the board and
taps; neither it nor anything that it holds leads to the script.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from table_assist.contract.view import View
from table_assist.live.live_table import LiveTable
from table_assist.phones.phones import Phones
from table_assist.record.log import Entry
from table_assist.settings.build import rules_of
from table_assist.settings.config import (
    BackupConfig,
    ClubConfig,
    Config,
    LogConfig,
    MqttConfig,
    WebhookConfig,
)
from table_assist.upkeep.running import Running, open_table
from table_assist.upkeep.trial.faces import SeenFaces, look_at_faces
from table_assist.upkeep.trial.instruction import Script
from table_assist.upkeep.trial.pictures import FOLDER
from table_assist.upkeep.trial.progress import LOG, Begun, Progress, folded, read_facts
from table_assist.upkeep.trial.report import make_report
from table_assist.upkeep.trial.service import Report, TrialService
from table_assist.vision.reading.read import Reader

TRIALS = "trials"
RECORDING = "recording"
LOG_NAME = "log.sqlite"


def folder_for(settings: Path, now: float) -> Path:
    """The newest trial beside the settings that is not over; else a new one's."""
    trials = settings.absolute().parent / TRIALS
    for path in sorted(trials.glob(f"*/{LOG}"), reverse=True):
        if not folded(read_facts(path.parent)).is_over:
            return path.parent
    return trials / time.strftime("%Y-%m-%d-%H%M%S", time.localtime(now))


def trial_config(config: Config, folder: Path) -> Config:
    """The table's settings with a log of the trial's own; nobody outside is told of it."""
    return replace(
        config,
        log=LogConfig(str(folder / LOG_NAME)),
        backup=BackupConfig(folder=""),
        mqtt=MqttConfig(),
        webhook=WebhookConfig(),
        club=ClubConfig(),
    )


def next_recording(folder: Path) -> Path:
    """Where the next part of the trial is recorded: each start makes one."""
    return folder / f"{RECORDING}-{len(list(folder.glob(f'{RECORDING}-*'))) + 1}"


def open_trial_table(settings: Path, folder: Path, *, phones: Phones | None = None) -> Running:
    """Open the table of the settings for a trial; not started.

    Raises:
        Exception: as `open_table`.
    """
    folder.mkdir(parents=True, exist_ok=True)

    def adapted(config: Config) -> Config:
        return trial_config(config, folder)

    def recorded(config: Config) -> Path | None:
        return next_recording(folder) if config.camera.source else None

    return open_table(settings, phones=phones, adapted=adapted, recorded=recorded)


def trial_desk(
    running_config: Config,
    table: LiveTable,
    folder: Path,
    begin: Begun,
    reader: Callable[[], Reader],
) -> TrialService:
    """The desk that leads the person; it reads the pictures of act one when the report is made."""
    a, b, c, d = running_config.seats.names
    names = (a, b, c, d)
    return TrialService(
        folder, rules_of(running_config), begin, table,
        report_by(running_config, reader, names), names,
    )  # fmt: skip


def report_by(
    config: Config, reader: Callable[[], Reader], names: tuple[str, str, str, str]
) -> Report:
    """The maker of a trial's report at such a table."""

    def report(folder: Path, script: Script, progress: Progress, entries: Sequence[Entry]) -> View:
        seen = SeenFaces()
        if config.camera.source:
            seen = look_at_faces(folder / FOLDER, script, progress, config, reader())
        return make_report(folder, script, progress, entries, seen, names)

    return report
