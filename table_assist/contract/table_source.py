"""The dashboard's access to the running table, and nothing more."""

from typing import Protocol

from table_assist.contract.change import Change
from table_assist.contract.commands import Command
from table_assist.contract.evidence import Evidence
from table_assist.contract.snapshot import Snapshot
from table_assist.languages.words import Words
from table_assist.photos.service import PhotoService
from table_assist.record.log import Entry
from table_assist.record.seal import HandSeal
from table_assist.vision.table.blacken import Polygon


class SeenTable(Protocol):
    """Pictures of the table, and what may be shown of them; from any thread."""

    def picture(self) -> bytes | None:
        """The camera's latest picture of the table as JPEG, or None."""
        ...

    def sure_picture(self) -> tuple[float, bytes] | None:
        """The camera's latest picture of which it is sure where the table lay, and its time.

        It is some seconds old. None where there is none.
        """
        ...

    def open_places(self, t: float) -> tuple[Polygon, ...]:
        """Where rivers, melds and dice, for all to see, lie in the picture of time ``t``: pixels.

        Empty where that is not known for sure; then pictures with a secret are not shown.
        """
        ...

    def hand_places(self, t: float, size_wh: tuple[int, int]) -> tuple[Polygon, ...]:
        """Where each seat's concealed tiles may be seen in the picture of time ``t``: pixels.

        Empty where that is not known.

        Args:
            size_wh: of the picture.
        """
        ...


class TableSource(Protocol):
    """The session as its viewers see it; every member may be used from any thread."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        ...

    @property
    def version(self) -> int:
        """Grows with every published snapshot, changes of health included."""
        ...

    @property
    def photos(self) -> PhotoService | None:
        """Reads the photographs that people send; None where none are taken."""
        ...

    @property
    def eyes(self) -> SeenTable:
        """The camera's view."""
        ...

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """Block until there is a snapshot whose version is above `after`; None on timeout."""
        ...

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        """Hand a command to the writer: None when it is done and on disk, else why not.

        Args:
            by: who gives it, with name and role.
            key: of this very command (`commands.key_of`), by which it is known again.

        Raises:
            NotKeptError: it was withdrawn, or is not on disk (yet).
        """
        ...

    def was_done(self, key: str) -> bool:
        """Whether a command was done under this key."""
        ...

    def preview(self, command: Command) -> Change | Words:
        """The effect of the command, or one sentence why it would be refused."""
        ...

    def entries(self) -> tuple[Entry, ...]:
        """The whole record, every entry as it was written down, what was taken back too."""
        ...

    def hand_seals(self) -> tuple[str, tuple[HandSeal, ...]]:
        """The seal of the log's first entry, by which a log is known, and those of its hands.

        Only of what is on disk; the oldest first.
        """
        ...

    def evidence(self, id: str) -> Evidence | None:
        """The picture and readings kept under an id of the snapshot; None when there are none.

        An entry of any hand that has some has it under ``e`` and its number.
        """
        ...

    def hold_evidence(self, hand: int) -> None:
        """Keep a hand's evidence for good: something in it is disputed."""
        ...
