"""Table service and assistant as their pages see them: an error is one sentence."""

from collections.abc import Mapping
from functools import partial

from table_assist.contract.view import View
from table_assist.languages.words import Words
from table_assist.phones.phones import PhoneError
from table_assist.settings.config import Config, ConfigError
from table_assist.upkeep.admin_service import refusing
from table_assist.upkeep.setup.assistant import Assistant
from table_assist.upkeep.setup.evenings import learn_evenings
from table_assist.upkeep.table_service import Mode, TableService, TreasureError
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.own_set import OwnSetError
from web.setup.setup_source import RefusedError


class SetupService:
    """The assistant as its page sees it."""

    def __init__(self, assistant: Assistant, table_service: TableService) -> None:
        self._assistant = assistant
        self._table_service = table_service

    @refusing
    def view(self, *, at_machine: bool) -> View:
        """As the protocol, as with all below."""
        return self._assistant.view(at_machine=at_machine)

    @refusing
    def sheet(self, rules: str, options: Mapping[str, object]) -> View:
        """A rule sheet."""
        return self._assistant.sheet(rules, options)

    @refusing
    def preview(
        self, base: str, changes: Mapping[str, Mapping[str, object]], *, at_machine: bool
    ) -> View:
        """The changes by form."""
        return self._assistant.preview(base, changes, at_machine=at_machine)

    @refusing
    def preview_text(self, base: str, text: str, *, at_machine: bool) -> View:
        """The changes by the editor."""
        return self._assistant.preview_text(base, text, at_machine=at_machine)

    @refusing
    def save(self, base: str, text: str, *, at_machine: bool) -> View:
        """Write the file."""
        return self._assistant.save(base, text, at_machine=at_machine)

    @refusing
    def devices(self) -> View:
        """Cameras and ports."""
        self._refuse_while_followed()
        return {
            "cameras": [
                {"source": str(number), "name": name}
                for number, name in self._assistant.camera.devices().items()
            ],
            "ports": self._assistant.board.ports(),
        }

    @refusing
    def try_camera(self, source: str) -> View:
        """Open a camera."""
        self._refuse_while_followed()
        self._table_service.refuse_while_hidden()
        self._assistant.try_camera(source)
        return self.trials()

    def picture(self) -> bytes | None:
        """The newest picture."""
        return None if self._table_service.hides_treasure else self._assistant.camera.picture()

    @refusing
    def advise(self) -> View:
        """The advice."""
        self._table_service.refuse_while_hidden()
        return self._assistant.camera.advice()

    @refusing
    def calibrate(self) -> View:
        """Begin a calibration."""
        self._refuse_while_followed()
        self._table_service.refuse_while_hidden()
        self._assistant.calibrate()
        return self.trials()

    @refusing
    def add_picture(self) -> View:
        """Keep a picture of tiles."""
        self._table_service.refuse_while_hidden()
        self._assistant.add_picture()
        return self.trials()

    @refusing
    def add_photograph(self, data: bytes) -> View:
        """Keep a photograph of tiles from a phone or a file."""
        self._assistant.enrolment.add_file(data)
        return self.trials()

    @refusing
    def clear_pictures(self) -> View:
        """Forget them."""
        self._assistant.enrolment.clear()
        return self.trials()

    @refusing
    def enrol(self, name: str) -> View:
        """Read them."""
        self._refuse_while_followed()
        self._assistant.enrolment.begin(name)
        return self.trials()

    @refusing
    def enrol_evenings(self, name: str) -> View:
        """Learn what people confirmed."""
        self._refuse_while_followed()
        self._assistant.enrolment.learn(partial(learn_evenings, name, self._table_service.settings))
        return self.trials()

    @refusing
    def try_board(self, at: str) -> View:
        """Listen to a board."""
        self._refuse_while_followed()
        self._assistant.try_board(at)
        return self.trials()

    def trials(self) -> View:
        """How they are doing."""
        assistant = self._assistant
        return {
            "camera": assistant.camera.view(),
            "corners": assistant.calibration.view(),
            "tiles": assistant.enrolment.view(),
            "board": assistant.board.view(),
        }

    @refusing
    def start(self, *, by_phones: bool) -> None:
        """Follow the table."""
        self._assistant.start(by_phones=by_phones)

    @refusing
    def pause(self) -> None:
        """Leave it."""
        self._assistant.pause()

    def add_from_phone(self, image: Image) -> int:
        """Keep a phone's picture of tiles; how many there are.

        Raises:
            PhoneError: it is not kept.
        """
        try:
            self._table_service.refuse_while_hidden()
            return self._assistant.enrolment.add(image)
        except (TreasureError, OwnSetError) as error:
            said = getattr(error, "words", None) or Words("{error}.", "{error}。", error=error)
            raise PhoneError.of(said) from error

    def config_for_phones(self) -> Config:
        """The settings as they are now.

        Raises:
            PhoneError: they cannot be used.
        """
        try:
            return self._assistant.config()
        except ConfigError as error:
            raise PhoneError("{error}.", "{error}。", error=error) from error

    def _refuse_while_followed(self) -> None:
        if self._table_service.mode is Mode.TABLE:
            raise RefusedError(_FOLLOWED)


_FOLLOWED = Words("The table is being followed: pause it first.", "牌桌正在运行：请先暂停。")
