"""An admin's actions on a running or a waiting program."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from table_assist.capture.manifest import RecordingError
from table_assist.contract.view import View
from table_assist.evidence.store import EvidenceError
from table_assist.languages.words import Words, unended, words_of
from table_assist.settings.edit import StaleError
from table_assist.settings.trouble import (
    REPAIRABLE,
    trouble_of,
)
from table_assist.upkeep.backup.packing import BackupError
from table_assist.upkeep.table_service import (
    Mode,
    PasswordsError,
    TableService,
    TreasureError,
    UnsavedError,
)
from table_assist.vision.pictures.picture import PictureError
from web.serve import PortUnavailableError
from web.setup.setup_source import RefusedError

Parameters = ParamSpec("Parameters")


Returned = TypeVar("Returned")


OTHERS = (
    EvidenceError,
    BackupError,
    StaleError,
    RecordingError,
    PictureError,
    PortUnavailableError,
    ValueError,
)


def refusing(method: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """Errors that a person can only read become a RefusedError."""

    @wraps(method)
    def asking(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
        try:
            return method(*args, **kwargs)
        except REPAIRABLE as error:
            raise RefusedError(trouble_of(error, Path(), "").says) from error
        except (TreasureError, PasswordsError, UnsavedError) as error:
            raise RefusedError(error.words) from error
        except OTHERS as error:
            said = unended(words_of(error))
            raise RefusedError(Words("{said}.", "{said}。", said=said)) from error

    return asking


class AdminService:
    """The table service as the admin's page sees it."""

    def __init__(self, table_service: TableService) -> None:
        self._table_service = table_service

    def view(self) -> View:
        """As the protocol, as with all below."""
        return self._table_service.view()

    @refusing
    def examine(self) -> None:
        """Run the doctor."""
        self._table_service.examine()

    @refusing
    def restart(self) -> None:
        """Start the table again."""
        self._table_service.switch(Mode.TABLE)

    @refusing
    def back_up(self, *, evidence: bool) -> str:
        """Make a backup."""
        return self._table_service.back_up(evidence=evidence)

    @refusing
    def backup_file(self, name: str, *, at_machine: bool) -> Path | None:
        """A backup's file."""
        return self._table_service.backup_file(name, at_machine=at_machine)

    @refusing
    def receive(self, offset: int, data: bytes) -> int:
        """A piece of a backup."""
        return self._table_service.shelf.receive(offset, data)

    @refusing
    def look_inside(self, name: str) -> View:
        """The content of the backup."""
        return self._table_service.shelf.look_inside(name)

    @refusing
    def put_back(self, name: str) -> None:
        """Restore it."""
        self._table_service.put_back(name)

    @refusing
    def bundle(self) -> Path:
        """Pack a report of a fault."""
        return self._table_service.bundle()

    @refusing
    def forget_pictures(self, day: str) -> int:
        """Delete an evening's pictures."""
        return self._table_service.forget_pictures(day)

    @refusing
    def bundle_file(self, name: str) -> Path | None:
        """The report's file."""
        return self._table_service.bundle_file(name)
