"""How the link to the board is: a value for dashboards and logs."""

from dataclasses import dataclass, field
from enum import StrEnum

from firmware_bridge.messages import Hello
from firmware_bridge.receiver import Counters


class LinkStatus(StrEnum):
    """What a link is doing."""

    NONE = "none"  # no link was asked for, or it was stopped
    CONNECTING = "connecting"  # for the first time
    CONNECTED = "connected"
    LOST = "lost"  # and trying again


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """The link at one moment.

    Attributes:
        message: one sentence.
        age_s: seconds since the last undamaged line; None before the first.
        board: who is at the other end, or was last; None before the first greeting.
        failures: readings that the program could not take; the board sends them again.
    """

    status: LinkStatus
    message: str
    age_s: float | None = None
    board: Hello | None = None
    counters: Counters = field(default_factory=Counters)
    failures: int = 0


NO_LINK = LinkHealth(LinkStatus.NONE, "No serial port is set up.")
