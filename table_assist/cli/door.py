"""The one door for printing: what somebody's file says cannot steer the terminal."""

import _thread
import signal
import sys
import threading
from io import TextIOWrapper
from typing import TextIO

# A signal may reach another thread than the first. Then Python runs its handler only when the first
# thread wakes for another reason, so that one never waits without a limit.
SIGNAL_LOOK_S = 1.0


def end_asked() -> threading.Event:
    """The event that is set when the program is to end; from the first thread.

    A handler interrupts the first thread, also while that one looks at the event with its lock in
    hand: there `set` would wait for the lock for ever. So a thread of its own sets the event.
    """
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: _thread.start_new_thread(stop.set, ()))
    return stop


def wait_for_end(stop: threading.Event) -> None:
    """Until the program is to end."""
    while not stop.wait(SIGNAL_LOOK_S):
        pass


def progress(text: str) -> None:
    """A line for the person at the terminal, apart from what a program would read."""
    print(text, file=sys.stderr, flush=True)


# Control codes except tab and line feed, and what turns the order of letters round.
_STEERING = {
    **dict.fromkeys({*range(0x20), *range(0x7F, 0xA0)} - {0x09, 0x0A}),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A))),
}
_RED, _PLAIN = "\x1b[31m", "\x1b[0m"


def harmless(text: str) -> str:
    r"""The text without what would steer a terminal.

    >>> harmless("NO\r\x1b[2Kok \u202eno")
    'NO[2Kok no'
    """
    return text.translate(_STEERING)


def one_line(text: str) -> str:
    """The text without line feeds: nothing that is quoted begins a line of its own."""
    return " ".join(text.splitlines())


class Door:
    """Standard output or error; the stream behind it gets what is harmless.

    Attributes:
        behind: the stream itself: for the program's own colours, and a record's exact letters.
    """

    def __init__(self, behind: TextIO) -> None:
        self.behind = behind
        if isinstance(behind, TextIOWrapper):  # letters that an old console does not have
            behind.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write it without control codes."""
        return self.behind.write(harmless(text))

    def __getattr__(self, name: str) -> object:
        return getattr(self.behind, name)


def print_red(text: str) -> None:
    """A line in red where a terminal shows it."""
    behind = getattr(sys.stdout, "behind", None)
    if behind is None or not behind.isatty():
        print(text)
    else:
        behind.write(f"{_RED}{harmless(text)}{_PLAIN}\n")


def print_exactly(text: str) -> None:
    """A line of a record, whose letters nobody changes: into a file or another program."""
    print(text, file=None if sys.stdout.isatty() else getattr(sys.stdout, "behind", None))
