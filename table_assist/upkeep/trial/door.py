"""From following a table into a trial, and back: what its page and the program's modes share."""

import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from table_assist.contract.view import View
from table_assist.languages.words import Words
from table_assist.phones.phones import Phones
from table_assist.settings.build import rules_of
from table_assist.settings.config import Config
from table_assist.settings.edit import edit, read_text, write
from table_assist.upkeep.running import Running
from table_assist.upkeep.setup.enrol import Enrolment, Tell, enrol
from table_assist.upkeep.setup.trials_tiles import EnrolTrial
from table_assist.upkeep.table_service import Mode, TableService, UnsavedError
from table_assist.upkeep.trial.courses import SHORT
from table_assist.upkeep.trial.faces import set_samples
from table_assist.upkeep.trial.instruction import TrialAct
from table_assist.upkeep.trial.progress import begun
from table_assist.upkeep.trial.script import ALL
from table_assist.upkeep.trial.service import TrialService
from table_assist.upkeep.trial.table import folder_for, open_trial_table, trial_desk
from table_assist.vision.enrolment.files import find_set, path_of, sets_folder
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.read import Reader, open_reader
from web.setup.setup_source import RefusedError

SET_NAME = "trial-%Y-%m-%d"  # where the settings name none
_NONE = Words("No trial is being laid.", "没有进行中的试局。")

_USED = Words("The table reads with it once it is followed again.", "回到牌桌后即用它识别。")
_ONE = Words("This drawn table has one trial alone.", "此模拟牌桌只有这一次试局。")


@dataclass(frozen=True, slots=True)
class TrialWanted:
    """The wanted trial.

    Attributes:
        seed: None: by the clock.
        folder: where it is kept; None: beside the settings, an unfinished one gone on with.
        most: about so many events in the short hand.
    """

    acts: tuple[TrialAct, ...] = ALL
    seed: int | None = None
    folder: Path | None = None
    most: int = SHORT


FULL_TRIAL = TrialWanted()


class TrialDoor:
    """The trial as its page sees it, in every mode. From any thread."""

    def __init__(self, table_service: TableService, wanted: TrialWanted) -> None:
        self._table_service = table_service
        self._wanted = wanted
        self._desk: TrialService | None = None
        self._config = Config()
        self._lesson = EnrolTrial()

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
        board = config.board.is_there
        begin = begun(rules_of(config), seed, wanted.acts, has_board=board, most=wanted.most)
        try:
            self._desk = trial_desk(config, running.table, folder, begin, lambda: _eyes(config))
        except Exception:
            running.table.close()
            raise
        self._config, self._lesson = config, EnrolTrial()
        return running

    def close(self) -> None:
        """The trial's table is left; what was laid is kept, and gone on with if any is left."""
        if self._desk is not None:
            self._desk.close()
        self._desk = None

    def view(self) -> View:
        """As `TrialSource`, as with all below."""
        desk = self._desk
        if desk is None:
            return {"mode": "off"}
        return {**desk.view(), "leaves": True, "learns": self._lesson.view()}

    def do(self, what: str, step: int) -> Words | None:
        """Do as the person says."""
        return _NONE if self._desk is None else self._desk.do(what, step)

    def begin(self, acts: list[str]) -> None:
        """Leave the table for a trial."""
        self._wanted = replace(self._wanted, acts=tuple(map(TrialAct, acts)) or ALL)
        self._switch(Mode.TRIAL)

    def leave(self) -> None:
        """Follow the table again."""
        self._switch(Mode.TABLE)

    def learn(self) -> None:
        """Learn the set from act one's pictures; the settings name it from then on."""
        desk = self._desk
        if desk is None:
            raise RefusedError(_NONE)
        try:
            self._lesson.learn(partial(self._learn, desk, self._config))
        except OwnSetError as error:
            raise RefusedError(error.words) from error

    def _learn(self, desk: TrialService, config: Config, say: Tell) -> None:
        name = config.eyes.set or time.strftime(SET_NAME)
        reader = open_reader()
        samples = set_samples(desk.pictures, desk.script, desk.progress, config, reader)
        is_known = path_of(name, sets_folder()).exists()
        enrol(Enrolment(name, known=tuple(samples), again=is_known), say)
        if not config.eyes.set:
            settings = self._table_service.settings
            write(settings, edit(read_text(settings), {("eyes", "set"): name}))
        say(_USED)

    def report_file(self, name: str) -> Path | None:
        """A file of the report."""
        return None if self._desk is None else self._desk.report_file(name)

    def _switch(self, mode: Mode) -> None:
        try:
            self._table_service.switch(mode)
        except UnsavedError as error:
            raise RefusedError(error.words) from error


class DemoDoor:
    """The same of a drawn table: there is no other to leave it for."""

    def __init__(self, desk: TrialService) -> None:
        self.view, self.do, self.report_file = desk.view, desk.do, desk.report_file

    def begin(self, acts: list[str]) -> None:
        """One is laid already."""
        raise RefusedError(_ONE)

    def leave(self) -> None:
        """There is no table to follow."""
        raise RefusedError(_ONE)

    def learn(self) -> None:
        """Nobody plays with a drawn set."""
        raise RefusedError(_ONE)


def _eyes(config: Config) -> Reader:
    return open_reader(own_set=find_set(config.eyes.set))
