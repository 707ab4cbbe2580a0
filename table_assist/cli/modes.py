"""From one mode into the next without ending the program: following, setting up, repairing."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask

from table_assist.cli.door import end_asked
from table_assist.cli.reach import EVERYWHERE, LOCAL, THIS_MACHINE, Reach
from table_assist.club.uplink import ClubService
from table_assist.languages.words import UserError, Words, phrase
from table_assist.live.camera_service import CameraService
from table_assist.live.phones import Phones
from table_assist.record.regulars import REGULARS_SUFFIX as REGULARS
from table_assist.record.regulars import RegularsService, open_regulars
from table_assist.settings.config import ConfigError, load_config
from table_assist.settings.edit import read_text
from table_assist.settings.trouble import REPAIRABLE
from table_assist.upkeep.running import Running, open_table
from table_assist.upkeep.setup.assistant import Assistant
from table_assist.upkeep.table_service import Mode, TableService
from table_assist.upkeep.trial.service import FULL_TRIAL, TrialDoor, TrialWanted
from table_assist.vision.pictures.sources import PHONE
from table_assist.vision.reading.read import open_reader
from web import create_app
from web.access.guard import WILDCARDS, code_text, own_address
from web.access.trust import is_loopback
from web.api.outlets import Outlets
from web.pages.club_page import hall_view
from web.pages.dispute_page import packed_for_club
from web.serve import Serving
from web.setup.setup_app import add_keeping

SCREEN_LOOK_S = 0.2
FOLLOWED = (Mode.TABLE, Mode.TRIAL)
ANSWER_S = 0.4  # for the answer to whoever wanted another mode to leave before its server does
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class WantedTable:
    """How a table is to be run.

    Attributes:
        reach: under which address, and whom to believe.
        record: where everything is kept for a replay, the first time; None for nothing.
        recovers: what is wrong is repaired in the browser; else it is raised.
        mode: to begin with.
        trial: what a trial that is begun is to be.
    """

    settings: Path
    reach: Reach = THIS_MACHINE
    record: Path | None = None
    recovers: bool = True
    mode: Mode = Mode.TABLE
    trial: TrialWanted = FULL_TRIAL


class Modes:
    """Runs one table in one mode after the other, under one address.

    Args:
        say: tells the person at the terminal a line.
        open_running: opens the table; by default what the settings name.
    """

    def __init__(
        self,
        wanted: WantedTable,
        say: Say,
        *,
        open_running: Callable[..., Running] = open_table,
    ) -> None:
        self.table_service = TableService(wanted.settings)
        self.table_service.wanted = wanted.mode
        self.serving: Serving | None = None
        self.app: Flask | None = None
        self._wanted = wanted
        self._say = say
        self._open = open_running
        self._phones = Phones()
        self._assistant = Assistant(self.table_service, self._phones)
        self._trials = TrialDoor(self.table_service, wanted.trial)
        self._port = wanted.reach.port
        self._record = wanted.record
        self._club: ClubService | None = None
        self.lost: Words | None = None  # what could not be saved before the end

    def run(self, stop: threading.Event) -> None:
        """Go on until ``stop`` is set.

        Raises:
            Exception: any of `REPAIRABLE`, where nothing is to be repaired in the browser.
            PortUnavailableError: the dashboard cannot be served.
            UserError: the table is to be set up, and nobody could.
        """
        asks_everybody = self._wanted.reach.trust.asks_everybody
        if asks_everybody and self._wanted.mode is not Mode.TABLE:
            raise UserError(phrase("reach.without_a_local_admin").en)
        while not stop.is_set():
            mode = self.table_service.take_switch()
            if asks_everybody:  # nobody may open the other modes' pages
                mode = Mode.TABLE
            elif mode in FOLLOWED and self._wanted.recovers and self._is_new:
                mode = Mode.SETUP
            running = self._opened(mode) if mode in FOLLOWED else None
            self.table_service.mode = mode if running or mode not in FOLLOWED else Mode.RECOVERY
            try:
                self._serve(running, stop)
            finally:
                self._assistant.close()
                self._trials.close()
                if self._club is not None:
                    self._club.stop()
                    self._club = None
                if self.table_service.running is not None:
                    self.table_service.detach()
                    assert running is not None
                    running.table.stop()
                    self.lost = running.table.session.unsaved
                    if self.lost is not None:
                        self._say(f"NOT SAVED: {self.lost.en}")
                elif running is not None and self.table_service.mode is Mode.TRIAL:
                    running.table.stop()
                elif running is not None:
                    running.table.close()  # it was opened, and nothing could be served

    @property
    def _is_new(self) -> bool:
        """Nobody has set this table up yet: that is a beginning, and nothing wrong."""
        return not self._wanted.settings.exists()

    def _opened(self, mode: Mode) -> Running | None:
        """The table, not started; None where something must be repaired first."""
        table_service, settings = self.table_service, self._wanted.settings
        try:
            if mode is Mode.TRIAL:
                return self._trials.open(settings, self._phones)
            with suppress(ConfigError):
                table_service.before_start(load_config(settings))
            running = self._open(settings, record=self._record, phones=self._phones)
        except REPAIRABLE as error:
            if not self._wanted.recovers or self._wanted.reach.trust.asks_everybody:
                raise
            table_service.fail(error)
            return None
        self._record = None  # a recording is begun once
        return running

    def _serve(self, running: Running | None, stop: threading.Event) -> None:
        # Pages that may change everything are for the person at the machine itself; while the table
        # is set up, a phone may come as its camera, and do nothing else.
        is_setup = self.table_service.mode is Mode.SETUP
        reach = self._reach() if running is not None or is_setup else THIS_MACHINE
        self.app = self._app(running, reach)
        self.serving = reach.serve(self.app, self._port)
        outlets: Outlets | None = None
        try:
            self._port = self.serving.port
            if running is not None:
                running.table.start()
                self._trials.start()
            if running is not None and self.table_service.mode is Mode.TABLE:
                self.table_service.attach(running)
                outlets = Outlets(running.config, running.table, running.table.session.put)
                outlets.start()
                if self._club is not None:
                    self._club.start()
            self._tell(self.serving.url)
            for line in reach.told(self.serving):
                self._say(line)
            if running is not None and self.table_service.mode is Mode.TABLE:
                self._invite(running)
            while not stop.wait(SCREEN_LOOK_S) and not self.table_service.switched.is_set():
                pass
            if not stop.is_set():
                stop.wait(ANSWER_S)
        finally:
            if outlets is not None:
                outlets.stop()
            self.serving.close()

    def _invite(self, running: Running) -> None:
        """Show the code that phones scan, where they alone keep the score."""
        config, serving = running.config, self.serving
        followed = config.camera.source or config.board.is_there
        host = self._reach().host
        address = own_address() if host in WILDCARDS else host
        if followed or address is None or is_loopback(address) or serving is None:
            return
        assert self.app is not None
        url = urlsplit(serving.tls_url or serving.url)
        shown = f"[{address}]" if ":" in address else address
        join = f"{url.scheme}://{shown}:{url.port}/join"
        self._say(f"Phones join: {join}  扫码加入")
        self._say(code_text(f"{join}#{self.app.extensions['evening_key']}"))

    def _reach(self) -> Reach:
        """As it was wanted; people who keep the score with phones need them to come here."""
        reach = self._wanted.reach
        if self.table_service.by_phones and reach.host == LOCAL:
            return replace(reach, host=EVERYWHERE)
        return reach

    def _app(self, running: Running | None, reach: Reach) -> Flask:
        setup, admin = self._assistant, self.table_service
        cameras = money = regulars = None
        if running is None:
            cameras = CameraService(
                self._phones, setup.config_for_phones, reader=open_reader, add=setup.add_from_phone
            )
        elif running.config.camera.source.whole == PHONE:
            cameras = CameraService(self._phones, lambda: running.config)
        # The club's hub has no part in a trial
        if running is not None and self.table_service.mode is not Mode.TRIAL:
            self._club = ClubService(
                running.table,
                self._wanted.settings.with_suffix(".club.json"),
                hall_view,
                partial(packed_for_club, running.table),
                seen=running.table.evidence if running.config.club.pictures else None,
            )
            log, money = Path(running.config.log.path), running.config.money
            regulars = RegularsService(open_regulars(log.with_name(log.name + REGULARS)), log)
        app = create_app(
            None if running is None else running.table,
            reach.host,
            devices=self._wanted.settings.with_suffix(".devices.json"),
            trust=reach.trust,
            cameras=cameras,
            club=self._club,
            money=money,
            regulars=regulars,
        )
        return add_keeping(app, setup, admin, self._trials)

    def _tell(self, url: str) -> None:
        match self.table_service.mode:
            case Mode.TABLE:
                self._say(f"Dashboard: {url}  (Ctrl-C ends)")
                if not read_text(self._wanted.settings).strip():
                    self._say(f"Nothing is set up yet; the assistant does it: {url}setup")
            case Mode.TRIAL:
                self._say(f"The trial: {url}trial  (Ctrl-C ends; it goes on where it was)")
            case Mode.SETUP:
                if self._is_new:
                    self._say("Welcome. A few questions in the browser, and the table is set up.")
                self._say(f"Set the table up: {url}setup  (Ctrl-C ends)")
            case Mode.RECOVERY:
                trouble = self.table_service.trouble
                if trouble is not None:
                    self._say(trouble.says.en)
                self._say(f"Repair it here: {url}setup  (Ctrl-C ends)")


def run(wanted: WantedTable) -> int:
    """Run a table until Ctrl-C or a request to end; 1 when something of it could not be saved."""
    stop = end_asked()
    modes = Modes(wanted, partial(print, flush=True))
    modes.run(stop)
    return 0 if modes.lost is None else 1
