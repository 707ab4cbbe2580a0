"""Lines that scroll above one that stays: the monitor's output."""

import shutil
import threading
from typing import TextIO

CLEAR = "\r\x1b[K"


class Screen:
    """Prints lines, and keeps a status line below them if the output is a terminal.

    May be used from any thread.
    """

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._is_terminal = output.isatty()
        self._status = ""
        self._lock = threading.Lock()

    def print(self, line: str) -> None:
        """Show a line for good."""
        with self._lock:
            if self._is_terminal:
                self._write(f"{CLEAR}{line}\n{self._status}")
            else:
                self._write(f"{line}\n")

    def status(self, line: str) -> None:
        """Show a line until the next status; only on a terminal, and only what fits."""
        with self._lock:
            self._status = line[: shutil.get_terminal_size().columns - 1]
            if self._is_terminal:
                self._write(f"{CLEAR}{self._status}")

    def end(self, line: str) -> None:
        """Replace the status by a last line."""
        with self._lock:
            self._status = ""
        self.print(line)

    def _write(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()
