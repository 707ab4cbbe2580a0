"""One trial as its page sees it: the current step, what the person says of it, the report."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from table_assist.contract.commands import Command, NotKeptError, key_of
from table_assist.contract.view import View, words_view
from table_assist.game.people import Names
from table_assist.languages.words import Words
from table_assist.record.log import Entry
from table_assist.rules.ruleset import RuleSet
from table_assist.upkeep.trial.instruction import ACTS, Script, TrialAct, named
from table_assist.upkeep.trial.pictures import FOLDER, picture_name
from table_assist.upkeep.trial.progress import (
    Admitted,
    Begun,
    Ended,
    Fact,
    Journal,
    Mark,
    Marked,
    Paused,
    Progress,
    TrialError,
    WentBack,
    WentOn,
)
from table_assist.upkeep.trial.script import make_script, minutes_of

BY = "the trial"


class Cameras(Protocol):
    """The cameras' view of the table."""

    def pictures(self) -> dict[str, bytes]:
        """As `TableEyes.pictures`."""
        ...


class FollowedTable(Protocol):
    """The table that is followed, as far as a trial touches it: it gets taps, and nothing else."""

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        """As `LiveTable.submit`."""
        ...

    @property
    def eyes(self) -> Cameras:
        """Whose pictures a trial keeps."""
        ...

    def entries(self) -> tuple[Entry, ...]:
        """As `LiveTable.entries`."""
        ...


Report = Callable[[Path, Script, Progress, Sequence[Entry]], View]


class TrialService:
    """Leads one person through a trial. Every public member may be used from any thread.

    Args:
        folder: the trial's; what lies there is gone on with.
        begin: what a new trial is; left out of account where one lies there.
        report: makes the report, and its files in the folder.
        names: the players'.

    Raises:
        TrialError: what lies in the folder is damaged, or of other rules.
    """

    def __init__(
        self,
        folder: Path,
        rules: RuleSet,
        begin: Begun,
        table: FollowedTable,
        report: Report,
        names: Names,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FOLDER).mkdir(exist_ok=True)
        self._folder, self._table, self._make_report, self._names = folder, table, report, names
        self._journal = Journal(folder, now)
        self._lock = threading.RLock()
        if self._journal.progress.begun is None:
            self._journal.write(lambda t: replace(begin, t=t))
        else:
            self._journal.write(WentOn)
        self.script = script_of(self._journal.progress, rules)
        self._report: View | None = None

    @property
    def progress(self) -> Progress:
        """Where it stands."""
        return self._journal.progress

    @property
    def pictures(self) -> Path:
        """The folder of the steps' pictures."""
        return self._folder / FOLDER

    def view(self) -> View:
        """Everything on the page."""
        with self._lock:
            progress, steps = self.progress, self.script.steps
            is_over = progress.is_over or progress.step >= len(steps)
            if is_over and self._report is None:
                self._report = self._reported()
            step = None if is_over else steps[progress.step]
            return {
                "mode": "on",
                "leaves": False,
                "learns": None,
                "step": progress.step,
                "steps": len(steps),
                "minutes": max(1, round(minutes_of(steps[progress.step :]))),
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

    def do(self, what: str, step: int) -> Words | None:
        """Do as the person says; None when it was done, else why not.

        Args:
            what: a name of `SAYS`.
            step: the one that is shown to the person, or that is spoken of afterwards.
        """
        with self._lock:
            progress = self.progress
            if what == "admit":
                self._admit(step)
                return None
            if step != progress.step:
                return None  # it was tapped twice
            if progress.is_over or (step >= len(self.script.steps) and what != "back"):
                return Words("The trial is over.", "试局已结束。")
            match what:
                case "done" | "otherwise":
                    return self._done(step, Mark.DONE if what == "done" else Mark.OTHERWISE)
                case "skip":
                    self._write(lambda t: Marked(t, step, Mark.SKIPPED))
                case "back" if step:
                    self._write(WentBack)
                case "pause":
                    self._write(Paused)
                case "go_on":
                    self._write(WentOn)
                case "end":
                    self._write(Ended)
            return None

    def _done(self, step: int, mark: Mark) -> Words | None:
        for number, command in enumerate(self.script.steps[step].taps):
            key = key_of(command, BY, f"{step} {number}")
            try:
                why = self._table.submit(command, BY, key)
            except NotKeptError as error:
                why = error.words
            if why is not None:
                return why
        for camera, picture in self._table.eyes.pictures().items():
            (self.pictures / picture_name(step, camera)).write_bytes(picture)
        self._write(lambda t: Marked(t, step, mark))
        return None

    def _admit(self, step: int) -> None:
        """The table saw it right: something else lay there than the script says."""
        if any(each.step == step for each in self.progress.marks):
            self._write(lambda t: Admitted(t, step))

    def _write(self, make: Callable[[float], Fact]) -> None:
        self._journal.write(make)
        self._report = None

    def _reported(self) -> View:
        return self._make_report(self._folder, self.script, self.progress, self._table.entries())

    def close(self) -> None:
        """A trial that was laid to its end is over: the next one is another."""
        with self._lock:
            progress = self.progress
            if progress.step >= len(self.script.steps) and not progress.is_over:
                self._write(Ended)

    def report_file(self, name: str) -> Path | None:
        """A file of the report; None where there is none."""
        path = self._folder / name
        return path if name in REPORT_FILES and path.is_file() else None


SAYS = ("done", "otherwise", "skip", "back", "pause", "go_on", "end", "admit")
REPORT_FILES = ("report.html", "report.json")


def script_of(progress: Progress, rules: RuleSet) -> Script:
    """The script of a trial, made again.

    Args:
        rules: the table's now.

    Raises:
        TrialError: the trial was begun under other rules.
    """
    said = progress.begun
    assert said is not None
    options = {name: value for name, value in said.options}
    if said.rules != rules.id or options != dict(rules.chosen):
        raise TrialError(
            "this trial was begun under {rules} with other options than the table has now",
            "此试局以 {rules} 及另外的选项开始，与牌桌现在的规则不同",
            rules=said.rules,
        )
    acts = tuple(map(TrialAct, said.acts))
    return make_script(rules, said.seed, acts, has_board=said.has_board, most=said.most)
