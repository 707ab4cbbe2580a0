"""From following a table into a trial, and back: what its page and the program's modes share."""

import time
from dataclasses import dataclass, replace
from pathlib import Path

from table_assist.contract.view import View
from table_assist.phones.phones import Phones
from table_assist.settings.build import rules_of
from table_assist.settings.config import Config
from table_assist.trial.courses import SHORT
from table_assist.trial.desk import TrialDesk, begun
from table_assist.trial.instruction import Act
from table_assist.trial.script import ALL
from table_assist.trial.table import folder_for, open_trial_table, trial_desk
from table_assist.upkeep.keeper import Keeper, Mode, UnsavedError
from table_assist.upkeep.running import Running
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.words import Words
from web.setup.setup_source import RefusedError

_NONE = Words("No trial is being laid.", "没有进行中的试局。")

_ONE = Words("This drawn table has one trial alone.", "此模拟牌桌只有这一次试局。")


@dataclass(frozen=True, slots=True)
class TrialWanted:
    """What a trial is to be.

    Attributes:
        seed: None: by the clock.
        folder: where it is kept; None: beside the settings, an unfinished one gone on with.
        most: about so many events in the short hand.
    """

    acts: tuple[Act, ...] = ALL
    seed: int | None = None
    folder: Path | None = None
    most: int = SHORT


FULL_TRIAL = TrialWanted()


class TrialDoor:
    """The trial as its page sees it, in every mode. From any thread."""

    def __init__(self, keeper: Keeper, wanted: TrialWanted) -> None:
        self._keeper = keeper
        self._wanted = wanted
        self._desk: TrialDesk | None = None

    def open(self, settings: Path, phones: Phones) -> Running:
        """The table for a trial, not started.

        Raises:
            Exception: as `open_table`, and `TrialError`.
        """
        now, wanted = time.time(), self._wanted
        folder = wanted.folder or folder_for(settings, now)
        running = open_trial_table(settings, folder, phones=phones)
        config = running.config
        seed = int(now) % 1_000_000 if wanted.seed is None else wanted.seed
        has_board = bool(config.board.port) or config.board.kind != "serial"
        begin = begun(rules_of(config), seed, wanted.acts, has_board=has_board, most=wanted.most)
        try:
            self._desk = trial_desk(config, running.table, folder, begin, lambda: _eyes(config))
        except Exception:
            running.table.close()
            raise
        return running

    def close(self) -> None:
        """The trial's table is left; what was laid is kept."""
        self._desk = None

    def view(self) -> View:
        """As `TrialSource`, as with all below."""
        desk = self._desk
        return {"mode": "off"} if desk is None else {**desk.view(), "leaves": True}

    def do(self, what: str, step: int) -> Words | None:
        """What the person says."""
        return _NONE if self._desk is None else self._desk.do(what, step)

    def begin(self, acts: list[str]) -> None:
        """Leave the table for a trial."""
        self._wanted = replace(self._wanted, acts=tuple(map(Act, acts)) or ALL)
        self._switch(Mode.TRIAL)

    def leave(self) -> None:
        """Follow the table again."""
        self._switch(Mode.TABLE)

    def report_file(self, name: str) -> Path | None:
        """A file of the report."""
        return None if self._desk is None else self._desk.report_file(name)

    def _switch(self, mode: Mode) -> None:
        try:
            self._keeper.switch(mode)
        except UnsavedError as error:
            raise RefusedError(error.words) from error


class DemoDoor:
    """The same of a drawn table: there is no other to leave it for."""

    def __init__(self, desk: TrialDesk) -> None:
        self.view, self.do, self.report_file = desk.view, desk.do, desk.report_file

    def begin(self, acts: list[str]) -> None:
        """One is laid already."""
        raise RefusedError(_ONE)

    def leave(self) -> None:
        """There is no table to follow."""
        raise RefusedError(_ONE)


def _eyes(config: Config) -> Reader:
    return open_reader(own_set=find_set(config.eyes.set))
