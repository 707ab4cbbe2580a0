"""The table's own clock: what time is left, a fold of what people set and when rounds began."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from table_assist.game.events import ClockSet, HandStarted
from table_assist.record.log import Entry, effective
from table_assist.tiles.tile import Tile


@dataclass(frozen=True, slots=True)
class ClockStretch:
    """A time that runs.

    Attributes:
        whole_s: from its beginning to its end; 0: without an end.
        gone_s: of it, until ``since``, which is in seconds since the epoch.
    """

    whole_s: int = 0
    gone_s: float = 0.0
    since: float = 0.0

    def left(self, now: float, *, running: bool) -> float | None:
        """Seconds left then, below 0 by how much it is over; None without an end."""
        if not self.whole_s:
            return None
        return self.whole_s - self.gone_s - (max(0.0, now - self.since) if running else 0.0)

    def set(self, whole_s: int, now: float, *, was_running: bool) -> "ClockStretch":
        """Set the stretch: a changed one begins anew; the same goes on."""
        if whole_s != self.whole_s:
            return ClockStretch(whole_s, 0.0, now)
        gone = self.gone_s + (max(0.0, now - self.since) if was_running else 0.0)
        return ClockStretch(whole_s, gone, now)


@dataclass(frozen=True, slots=True)
class TableClock:
    """The clock after some entries."""

    evening: ClockStretch = field(default_factory=ClockStretch)
    round: ClockStretch = field(default_factory=ClockStretch)
    think_s: int = 0
    running: bool = False
    of_round: tuple[Tile, int] | None = None  # its wind, and who dealt first in it

    @property
    def is_set(self) -> bool:
        """Whether anything is limited."""
        return bool(self.evening.whole_s or self.round.whole_s or self.think_s)


def clock_of(entries: Iterable[Entry]) -> TableClock:
    """The clock as a log counts it now."""
    entries = tuple(entries)
    times = {entry.seq: entry.t for entry in entries}
    clock = TableClock()
    for seq, event in effective(entries):
        match event:
            case ClockSet(evening_s, round_s, think_s, running):
                t, was = times[seq], clock.running
                clock = replace(
                    clock,
                    evening=clock.evening.set(evening_s, t, was_running=was),
                    round=clock.round.set(round_s, t, was_running=was),
                    think_s=think_s,
                    running=running,
                )
            case HandStarted(prevailing=wind, first_east=first):
                if clock.of_round not in (None, (wind, first)):
                    begun = ClockStretch(clock.round.whole_s, 0.0, times[seq])
                    clock = replace(clock, round=begun)
                clock = replace(clock, of_round=(wind, first))
            case _:
                pass
    return clock
