"""A pseudo-terminal that stands at a path of our choice: what a program opens as a serial port."""

import contextlib
import os
import tty
from pathlib import Path


class PseudoTerminal:
    """The device's end of a serial line; the program's end is opened by the path.

    Attributes:
        descriptor: readable when the program has written something.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self.descriptor, self._other_end = os.openpty()
        # Raw before a program opens it; and our own hold on the other end stays, or else the
        # terminal would echo to itself, and reading would fail whenever nobody has it open.
        tty.setraw(self._other_end)
        os.set_blocking(self.descriptor, False)
        self._path.symlink_to(os.ttyname(self._other_end))

    def read(self, size: int) -> bytes:
        """What the program has written, up to size bytes; empty if there is nothing."""
        with contextlib.suppress(BlockingIOError):
            return os.read(self.descriptor, size)
        return b""

    def write(self, data: bytes) -> None:
        """Send to the program; what nobody reads is lost, as on a wire."""
        with contextlib.suppress(BlockingIOError):
            os.write(self.descriptor, data)

    def close(self) -> None:
        """Hang up: the path is gone, and the program's open port fails."""
        self._path.unlink(missing_ok=True)
        os.close(self.descriptor)
        os.close(self._other_end)
