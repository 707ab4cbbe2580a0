"""The program behind the pages of setting up and of the admin."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from table_assist.contract.view import View
from table_assist.health.figures import Figures
from table_assist.languages.words import Words


class RefusedError(Exception):
    """The wish cannot be done; the message is one sentence, ``words`` in both languages.

    Args:
        words: a sentence that is there in one language only stands for both.
    """

    def __init__(self, words: Words | str) -> None:
        self.words = words if isinstance(words, Words) else Words(words, words)
        super().__init__(self.words.en)


class SetupSource(Protocol):
    """The assistant as its page sees it; every member may be used from any thread.

    Every method may raise RefusedError, and any error that people can read.
    """

    def view(self, *, at_machine: bool) -> View:
        """The file, its values, what is wrong with it, and what may be chosen.

        Args:
            at_machine: who asks sits at the table's own machine; others are not shown what is
                secret, and name no other paths and addresses, as with the next three.
        """
        ...

    def sheet(self, rules: str, options: Mapping[str, object]) -> View:
        """The rule sheet with these options."""
        ...

    def preview(
        self, base: str, changes: Mapping[str, Mapping[str, object]], *, at_machine: bool
    ) -> View:
        """The file with these keys changed; ``base`` names the file's state."""
        ...

    def preview_text(self, base: str, text: str, *, at_machine: bool) -> View:
        """The changes by this text."""
        ...

    def save(self, base: str, text: str, *, at_machine: bool) -> View:
        """Write the text."""
        ...

    def devices(self) -> View:
        """Cameras and serial ports of this machine."""
        ...

    def try_camera(self, source: str) -> View:
        """Open a camera."""
        ...

    def picture(self) -> bytes | None:
        """The tried camera's newest picture as JPEG."""
        ...

    def advise(self) -> View:
        """Advice that makes the tiles in the newest picture easier to read."""
        ...

    def calibrate(self) -> View:
        """Begin a calibration; where its page is."""
        ...

    def add_picture(self) -> View:
        """Keep the newest picture for the enrolment of a tile set."""
        ...

    def add_photograph(self, data: bytes) -> View:
        """Keep a photograph from a phone or a file for the enrolment."""
        ...

    def clear_pictures(self) -> View:
        """Forget them."""
        ...

    def enrol(self, name: str) -> View:
        """Read the pictures as a set of that name."""
        ...

    def try_board(self, at: str) -> View:
        """Listen to a board; an empty port ends it."""
        ...

    def trials(self) -> View:
        """How camera, calibration, enrolment and board are doing."""
        ...

    def start(self, *, by_phones: bool) -> None:
        """Follow the table with what is set up.

        Args:
            by_phones: people keep the score with their phones, which may ask to join.
        """
        ...

    def pause(self) -> None:
        """Leave the table to set it up."""
        ...


class BackupShelf(Protocol):
    """Where backups lie that people bring."""

    def receive(self, offset: int, data: bytes) -> int:
        """A piece of an uploaded backup; how many bytes there are now."""
        ...

    def look_inside(self, name: str) -> View:
        """A backup's content."""
        ...


class AdminSource(Protocol):
    """The table's keeping as its page sees it; every member may be used from any thread.

    Every method but ``view`` may raise RefusedError, and any error that people can read.
    """

    def view(self) -> View:
        """Checks, backups, findings."""
        ...

    def examine(self) -> None:
        """Run the doctor."""
        ...

    def restart(self) -> None:
        """Start the table again."""
        ...

    def back_up(self, *, evidence: bool) -> str:
        """Make a backup; its name."""
        ...

    def backup_file(self, name: str, *, at_machine: bool) -> Path | None:
        """A backup's file; None where there is none of that name.

        Refused while the log names a treasure that is hidden, and elsewhere than at the machine
        where the settings in it have a password.
        """
        ...

    @property
    def shelf(self) -> BackupShelf:
        """Its backups."""
        ...

    def put_back(self, name: str) -> None:
        """Restore a backup and start the table with it."""
        ...

    def bundle(self) -> Path:
        """The file by which others see a fault."""
        ...

    def forget_pictures(self, day: str) -> int:
        """Delete an evening's pictures for good; the bytes freed."""
        ...

    def bundle_file(self, name: str) -> Path | None:
        """The file that was packed last, by its name; None where there is none."""
        ...

    def figures(self, viewers: int) -> Figures:
        """The figures for monitoring now.

        Args:
            viewers: who watch live.
        """
        ...
