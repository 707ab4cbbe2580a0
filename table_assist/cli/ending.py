"""Ctrl-C and a request to end (SIGTERM), as one event."""

import signal
import threading
from collections.abc import Callable

# A signal may reach another thread than the first. Then Python runs its handler only when the first
# thread wakes for another reason, so that one never waits without a limit.
LOOK_S = 1.0


def end_asked() -> threading.Event:
    """The event that is set when the program is to end; from the first thread."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def wait_for_end(stop: threading.Event, is_over: Callable[[], bool] = lambda: False) -> None:
    """Until the program is to end, or what it does is over."""
    while not stop.wait(LOOK_S) and not is_over():
        pass
