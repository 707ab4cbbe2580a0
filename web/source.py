"""What the dashboard needs from the running table, and nothing more."""

from typing import Protocol

from table_assist.snapshot import Command, Snapshot


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

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """Block until there is a snapshot whose version is above `after`; None on timeout."""
        ...

    def submit(self, command: Command) -> str | None:
        """Hand a command to the writer: None when it was accepted, else one sentence why not."""
        ...

    def picture(self) -> bytes | None:
        """The camera's latest picture of the table as JPEG, or None."""
        ...
