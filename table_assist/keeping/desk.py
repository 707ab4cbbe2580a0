"""The keeper and the assistant as their pages see them: what goes wrong is one sentence."""

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from table_assist.keeping.assistant import Assistant, StaleError
from table_assist.keeping.keeper import Keeper, Mode, TreasureError
from table_assist.keeping.packing import BackupError
from table_assist.keeping.trouble import REPAIRABLE, trouble_of
from table_assist.keeping.views import View
from table_assist.recording.manifest import RecordingError
from table_assist.rules.words import Words
from table_assist.vision.picture import PictureError
from web.serve import PortUnavailableError
from web.setup_source import RefusedError

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")
OTHERS = (BackupError, StaleError, RecordingError, PictureError, PortUnavailableError, ValueError)


def refusing(method: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """What a person can do nothing about but read becomes a RefusedError."""

    @wraps(method)
    def asking(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
        try:
            return method(*args, **kwargs)
        except REPAIRABLE as error:
            raise RefusedError(trouble_of(error, Path(), "").says) from error
        except TreasureError as error:
            raise RefusedError(error.words) from error
        except OTHERS as error:
            sentence = str(error).rstrip(".")
            raise RefusedError(Words(f"{sentence}.", f"{sentence}。")) from error

    return asking


class SetupDesk:
    """The assistant as its page sees it."""

    def __init__(self, assistant: Assistant, keeper: Keeper) -> None:
        self._assistant = assistant
        self._keeper = keeper

    @refusing
    def view(self) -> View:
        """As the protocol, as with all below."""
        return self._assistant.view()

    @refusing
    def sheet(self, rules: str, options: Mapping[str, object]) -> View:
        """A rule sheet."""
        return self._assistant.sheet(rules, options)

    @refusing
    def preview(self, base: str, changes: Mapping[str, Mapping[str, object]]) -> View:
        """What would change by form."""
        return self._assistant.preview(base, changes)

    @refusing
    def preview_text(self, base: str, text: str) -> View:
        """What would change by the editor."""
        return self._assistant.preview_text(base, text)

    @refusing
    def save(self, base: str, text: str) -> View:
        """Write the file."""
        return self._assistant.save(base, text)

    @refusing
    def devices(self) -> View:
        """Cameras and ports."""
        self._refuse_while_followed()
        return {
            "cameras": list(self._assistant.camera.devices()),
            "ports": self._assistant.board.ports(),
        }

    @refusing
    def try_camera(self, source: str) -> View:
        """Open a camera."""
        self._refuse_while_followed()
        self._keeper.refuse_while_hidden()
        self._assistant.camera.start(source)
        return self.trials()

    def picture(self) -> bytes | None:
        """The newest picture."""
        return None if self._keeper.hides_treasure else self._assistant.camera.picture()

    @refusing
    def advise(self) -> View:
        """What would help."""
        self._keeper.refuse_while_hidden()
        return self._assistant.camera.advice()

    @refusing
    def calibrate(self) -> View:
        """Begin a calibration."""
        self._refuse_while_followed()
        self._keeper.refuse_while_hidden()
        self._assistant.calibrate()
        return self.trials()

    @refusing
    def add_picture(self) -> View:
        """Keep a picture of tiles."""
        self._keeper.refuse_while_hidden()
        self._assistant.add_picture()
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
    def try_board(self, port: str) -> View:
        """Listen to a board."""
        self._refuse_while_followed()
        self._assistant.try_board(port)
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
    def start(self) -> None:
        """Follow the table."""
        self._assistant.start()

    @refusing
    def pause(self) -> None:
        """Leave it."""
        self._assistant.pause()

    def _refuse_while_followed(self) -> None:
        if self._keeper.mode is Mode.TABLE:
            raise RefusedError(_FOLLOWED)


class AdminDesk:
    """The keeper as the admin's page sees it."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    def view(self) -> View:
        """As the protocol, as with all below."""
        return self._keeper.view()

    @refusing
    def examine(self) -> None:
        """Run the doctor."""
        self._keeper.examine()

    @refusing
    def restart(self) -> None:
        """Start the table again."""
        self._keeper.switch(Mode.TABLE)

    @refusing
    def back_up(self, *, evidence: bool) -> str:
        """Make a backup."""
        return self._keeper.back_up(evidence=evidence)

    @refusing
    def backup_file(self, name: str) -> Path | None:
        """A backup's file."""
        return self._keeper.backup_file(name)

    @refusing
    def receive(self, offset: int, data: bytes) -> int:
        """A piece of a backup."""
        return self._keeper.receive(offset, data)

    @refusing
    def look_inside(self, name: str) -> View:
        """What is in it."""
        return self._keeper.look_inside(name)

    @refusing
    def put_back(self, name: str) -> None:
        """Restore it."""
        self._keeper.put_back(name)

    @refusing
    def bundle(self) -> Path:
        """Pack a report of a fault."""
        return self._keeper.bundle()


_FOLLOWED = Words("The table is being followed: pause it first.", "牌桌正在运行：请先暂停。")
