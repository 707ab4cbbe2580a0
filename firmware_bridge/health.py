"""How the link to the board is: a value for dashboards and logs."""

from dataclasses import dataclass, field
from enum import StrEnum

from firmware_bridge.clock import ClockFit
from firmware_bridge.messages import BoardSnapshot, Hello
from firmware_bridge.receiver import Counters, Reading


class LinkStatus(StrEnum):
    """A link's state."""

    NONE = "none"  # no link was asked for, or it was stopped
    CONNECTING = "connecting"  # for the first time
    CONNECTED = "connected"
    LOST = "lost"  # and trying again


@dataclass(frozen=True, slots=True)
class Ages:
    """Seconds since the last of each; None before the first.

    Attributes:
        byte_s: anything at all.
        line_s: an undamaged line.
        event_s: an event that was new.
        snapshot_s: a snapshot of the inputs.
    """

    byte_s: float | None = None
    line_s: float | None = None
    event_s: float | None = None
    snapshot_s: float | None = None


@dataclass(slots=True)
class HeardCounts:
    """When each of what `Ages` tells was heard last, by a steady clock."""

    byte_s: float | None = None
    line_s: float | None = None
    event_s: float | None = None
    snapshot_s: float | None = None

    def reading(self, reading: Reading, now_s: float) -> None:
        """Note that this was heard now."""
        if reading.is_event:
            self.event_s = now_s
        elif isinstance(reading.content, BoardSnapshot):
            self.snapshot_s = now_s

    def ages(self, now_s: float) -> Ages:
        """How long ago all that was."""
        marks = (self.byte_s, self.line_s, self.event_s, self.snapshot_s)
        return Ages(*(None if mark is None else max(0.0, now_s - mark) for mark in marks))


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """The link at one moment.

    Attributes:
        message: one sentence.
        path: what is open, or was last: a USB port may have come back under another name.
        clock: how the board's clock goes with this computer's steady one; None before the first
            message.
        board: who is at the other end, or was last; None before the first greeting.
        connects: how often the board was found; the first time counts.
        failures: readings that the program could not take; the board sends them again.
    """

    status: LinkStatus
    message: str
    path: str = ""
    ages: Ages = field(default_factory=Ages)
    clock: ClockFit | None = None
    board: Hello | None = None
    counters: Counters = field(default_factory=Counters)
    connects: int = 0
    failures: int = 0

    @property
    def age_s(self) -> float | None:
        """Seconds since the last undamaged line; None before the first."""
        return self.ages.line_s
