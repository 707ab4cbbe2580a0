"""The trial as its page sees it: a table with a log of its own is recorded while a person lays.

What follows the table is a `LiveTable`, opened from settings alone. It is given pictures, the board
and taps; neither it nor anything that it holds leads to the script.
"""

import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from table_assist.game.events import Attested
from table_assist.game.people import Names
from table_assist.languages.words import View, Words, phrase, player_at, words_view
from table_assist.live.live_table import LiveTable
from table_assist.live.phones import Phones
from table_assist.record.commands import NotKeptError, key_of
from table_assist.record.log import Source
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.config import (
    BackupConfig,
    ClubConfig,
    Config,
    LogConfig,
    MqttConfig,
    WebhookConfig,
)
from table_assist.settings.edit import rules_of
from table_assist.upkeep.running import Running, open_table
from table_assist.upkeep.table_service import Mode, TableService
from table_assist.upkeep.trial.courses import ACTS, SHORT, TrialAct, named
from table_assist.upkeep.trial.report import FILES, is_laid, make_report
from table_assist.upkeep.trial.script import (
    ALL_ACTS,
    Progress,
    begun,
    folded,
    said,
    script_of,
)
from web.view.present import event_tiles

BY_TRIAL = "the trial"
TRIALS, TRIAL_LOG, RECORDING = "trials", "log.sqlite", "recording"
STEP_S = 9.0  # to hear a step, lay its tiles, and tap
TOLD_WAIT_S = 10.0  # until what was said is on record
SEEN_S = 4.0  # from what was laid to the first word of the camera
_MIDDLE = Words("the middle of the table", "桌子中间")


class TrialService:
    """Leads one person through a trial. Every public member may be used from any thread.

    Args:
        folder: the trial's.
        begin: what a new trial is; left out of account where the table's log holds one.
        has_camera: what is laid is seen; else nobody asks whether it is.

    Raises:
        TrialError: the log holds a trial of other rules.
    """

    def __init__(
        self,
        folder: Path,
        rules: RuleSet,
        begin: Attested,
        table: LiveTable,
        names: Names,
        *,
        has_camera: bool = False,
    ) -> None:
        self._folder, self._table, self._names = folder, table, names
        self._lock = threading.RLock()
        self._report: View | None = None
        self._begin = begin
        self._has_camera = has_camera
        self._unseen = -1  # the step of which people were told that nothing is seen
        progress = self.progress
        if not progress.begun:
            progress = replace(progress, begun=begin.fields[1:])
        self.script = script_of(progress, rules)

    @property
    def progress(self) -> Progress:
        """Where it stands."""
        return folded(self._table.entries())

    def start(self) -> None:
        """Show the first step, or the one where it was; the table is followed by now."""
        self._write(said("go_on") if self.progress.begun else self._begin)

    def view(self) -> View:
        """Everything on the page."""
        with self._lock:
            progress, steps = self.progress, self.script.steps
            is_over = self.is_over
            if is_over and self._report is None:
                entries = self._table.entries()
                self._report = make_report(
                    self._folder, self.script, progress, entries, self._names
                )
            step = None if is_over else steps[progress.step]
            return {
                "mode": "on",
                "step": progress.step,
                "steps": len(steps),
                "minutes": max(1, round(STEP_S * (len(steps) - progress.step) / 60)),
                "acts": [words_view(ACTS[act]) for act in self.script.acts],
                "act": None if step is None else words_view(ACTS[step.act]),
                "says": None if step is None else words_view(named(step.says, self._names)),
                "tiles": [] if step is None else [str(tile) for tile in step.tiles],
                "taps": step is not None and bool(step.taps),
                "paused": progress.is_paused,
                "over": is_over,
                "folder": str(self._folder),
                "report": self._report,
            }

    @property
    def is_over(self) -> bool:
        """Nothing is left to lay."""
        progress = self.progress
        return progress.is_over or progress.step >= len(self.script.steps)

    def do(self, what: str, step: int) -> Words | None:
        """Do as the person says; None when it was done, else why not.

        Args:
            what: a name of `SAYS`.
            step: the one that is shown to the person, or that is spoken of afterwards.
        """
        with self._lock:
            progress = self.progress
            if what != "admit" and (step != progress.step or self.is_over):
                return None  # it was tapped twice
            if what == "back" and not progress.marks:
                return None
            if what == "done" and step != self._unseen and (lacks := self._lacking(step)):
                self._unseen = step
                return lacks
            if what in ("done", "otherwise"):
                for number, command in enumerate(self.script.steps[step].taps):
                    key = key_of(command, BY_TRIAL, f"{step} {number}")
                    try:
                        why = self._table.submit(command, BY_TRIAL, key)
                    except NotKeptError as error:
                        why = error.words
                    if why is not None:
                        return why
            self._write(said(what, step))
            return None

    def _lacking(self, step: int) -> Words | None:
        """What was not seen since the step was shown of the tiles that are laid with it, where."""
        asked = [*filter(is_laid, self.script.steps[step].events)] if self._has_camera else []
        ends_s = time.monotonic() + SEEN_S
        while True:
            seen: Counter[tuple[type, int | None]] = Counter()
            for entry in reversed(self._table.entries()):
                if isinstance(event := entry.event, Attested):
                    break
                if entry.source is Source.CAMERA:
                    seen[type(event), getattr(event, "seat", None)] += len(event_tiles(event))
            lacks = None
            for event in asked:
                seat, due = getattr(event, "seat", None), sum(x.is_face for x in event_tiles(event))
                if (n := seen[type(event), seat]) < due:
                    where = _MIDDLE if seat is None else player_at(seat)
                    lacks = phrase("service.camera_has_seen_too_few", where=where, n=n, due=due)
            if lacks is None or time.monotonic() >= ends_s:
                return lacks and named(lacks, self._names)
            time.sleep(0.05)

    def _write(self, fact: Attested) -> None:
        """Have the log attest it, and wait until it does."""
        before, self._report = len(self._table.entries()), None
        self._table.vouch(fact)
        ends_s = time.monotonic() + TOLD_WAIT_S
        while time.monotonic() < ends_s:
            if any(entry.event == fact for entry in self._table.entries()[before:]):
                return
            time.sleep(0.01)

    def close(self) -> None:
        """A trial that was laid to its end has its report: the next one is another."""
        if self.is_over:
            self.view()

    def report_file(self, name: str) -> Path | None:
        """A file of the report; None where there is none."""
        path = self._folder / name
        return path if name in FILES and path.is_file() else None


@dataclass(frozen=True, slots=True)
class TrialWanted:
    """The wanted trial.

    Attributes:
        seed: None: by the clock.
        folder: where it is kept; None: beside the settings, an unfinished one gone on with.
        most: about so many events in the short hand.
    """

    acts: tuple[TrialAct, ...] = ALL_ACTS
    seed: int | None = None
    folder: Path | None = None
    most: int = SHORT


FULL_TRIAL = TrialWanted()


class TrialDoor:
    """From following a table into a trial, and back, in every mode. From any thread.

    Attributes:
        desk: leads through the trial that is laid; None while none is.
    """

    def __init__(self, table_service: TableService, wanted: TrialWanted) -> None:
        self._table_service = table_service
        self._wanted = wanted
        self.desk: TrialService | None = None

    def open(self, settings: Path, phones: Phones) -> Running:
        """The table for a trial, not started.

        Raises:
            Exception: as `open_table`, and `TrialError`.
        """
        now, wanted = time.time(), self._wanted
        folder = wanted.folder or folder_for(settings, now)
        running = open_trial_table(settings, folder, phones)
        config, rules = running.config, rules_of(running.config)
        seed = int(now) % 1_000_000 if wanted.seed is None else wanted.seed
        begin = begun(rules, seed, wanted.acts, has_board=config.board.is_there, most=wanted.most)
        a, b, c, d = config.seats.names
        try:
            self.desk = TrialService(
                folder,
                rules,
                begin,
                running.table,
                (a, b, c, d),
                has_camera=bool(config.camera.source),
            )
        except Exception:
            running.table.close()
            raise
        return running

    def start(self) -> None:
        """The table is followed by now: begin."""
        if self.desk is not None:
            self.desk.start()

    def close(self) -> None:
        """The trial's table is left; what was laid is kept, and gone on with if any is left."""
        if self.desk is not None:
            self.desk.close()
        self.desk = None

    def begin(self, acts: Sequence[TrialAct]) -> None:
        """Leave the table for a trial."""
        self._wanted = replace(self._wanted, acts=tuple(acts) or ALL_ACTS)
        self._table_service.switch(Mode.TRIAL)

    def leave(self) -> None:
        """Follow the table again."""
        self._table_service.switch(Mode.TABLE)


def open_trial_table(settings: Path, folder: Path, phones: Phones | None) -> Running:
    """Open the table of the settings for a trial; not started.

    Raises:
        Exception: as `open_table`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return open_table(
        settings,
        phones=phones,
        adapted=lambda config: trial_config(config, folder),
        recorded=lambda config: next_recording(folder) if config.camera.source else None,
    )


def folder_for(settings: Path, now: float) -> Path:
    """The newest trial beside the settings that has no report yet; else a new one's."""
    trials = settings.absolute().parent / TRIALS
    for log in sorted(trials.glob(f"*/{TRIAL_LOG}"), reverse=True):
        if not any((log.parent / name).exists() for name in (*FILES, "trial.jsonl")):
            return log.parent
    return trials / time.strftime("%Y-%m-%d-%H%M%S", time.localtime(now))


def trial_config(config: Config, folder: Path) -> Config:
    """The table's settings with a log of the trial's own; nobody outside is told of it."""
    return replace(
        config,
        log=LogConfig(str(folder / TRIAL_LOG)),
        backup=BackupConfig(folder=""),
        mqtt=MqttConfig(),
        webhook=WebhookConfig(),
        club=ClubConfig(),
    )


def next_recording(folder: Path) -> Path:
    """Where the next part of the trial is recorded: each start makes one."""
    return folder / f"{RECORDING}-{len(list(folder.glob(f'{RECORDING}-*'))) + 1}"
