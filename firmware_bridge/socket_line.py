"""The device's end of a serial line over TCP on this machine: for where no pseudo-terminal is."""

import contextlib
import socket

LOCAL = "127.0.0.1"


class SocketLine:
    """Listens at an address of this machine alone; one program at a time opens it.

    Attributes:
        url: what the program opens.
    """

    def __init__(self, url: str = "") -> None:
        port = int(url.rpartition(":")[2]) if url else 0
        self._listening = socket.create_server((LOCAL, port))
        self._listening.setblocking(False)
        self._program: socket.socket | None = None
        self.url = f"socket://{LOCAL}:{self._listening.getsockname()[1]}"

    @property
    def descriptor(self) -> int:
        """Readable when the program has written something, or has come."""
        return (self._program or self._listening).fileno()

    def read(self, size: int) -> bytes:
        """The program's bytes, up to size; empty if there are none."""
        self._accept()
        if self._program is None:
            return b""
        try:
            data = self._program.recv(size)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._leave()
        return data

    def write(self, data: bytes) -> None:
        """Send to the program; what nobody reads is lost, as on a wire."""
        self._accept()
        if self._program is not None:
            with contextlib.suppress(BlockingIOError):
                try:
                    self._program.send(data)
                except (ConnectionError, TimeoutError):
                    self._leave()

    def close(self) -> None:
        """Hang up: the program's open port fails."""
        self._leave()
        self._listening.close()

    def _accept(self) -> None:
        if self._program is None:
            with contextlib.suppress(BlockingIOError):
                self._program, _ = self._listening.accept()
                self._program.setblocking(False)

    def _leave(self) -> None:
        if self._program is not None:
            self._program.close()
        self._program = None
