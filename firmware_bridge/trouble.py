"""Why a link is down: one sentence for the user, which says what to do where that is known."""

from firmware_bridge.messages import PROTOCOL, Hello
from firmware_bridge.receiver import Counters


def why_broken(path: str, error: OSError, *, is_gone: bool) -> str:
    """An open port failed."""
    return why_gone(path) if is_gone else f"The line to the board on {path} broke: {error}."


def why_gone(path: str) -> str:
    """The port's device is no longer there."""
    return f"The board on {path} was unplugged."


def why_silent(
    path: str, board: Hello | None, heard: Counters, *, baud: int, silent_s: float
) -> str:
    """No board has spoken for too long.

    Args:
        path: the open port.
        board: who had spoken before, if anybody.
        heard: what was received since the port was opened.
        baud: the port's speed.
        silent_s: for how long.
    """
    if board is not None:
        return f"The board on {path} has been silent for {silent_s:g} s."
    if heard.good:
        return f"What is on {path} sends lines, but does not say that it is a board."
    if heard.bad:
        return (
            f"What is on {path} sends bytes that cannot be read: "
            f"is it the board, and is its speed {baud}?"
        )
    return f"Nothing answers on {path}: is it the board's port?"


def why_overrun(path: str) -> str:
    """The board does not wait for acknowledgements."""
    return (
        f"The board on {path} sends signals without waiting for acknowledgements: "
        "it is broken, or was not made for this program; unplug it."
    )


def why_restarting(path: str) -> str:
    """The board greets anew without end."""
    return f"The board on {path} restarts without end: check its supply and its cable."


def why_foreign(path: str, board: Hello) -> str:
    """The board speaks another protocol."""
    return (
        f"The board on {path} ({board.firmware}) speaks protocol {board.protocol}, "
        f"this program speaks {PROTOCOL}: update the older of the two."
    )
