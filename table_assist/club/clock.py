"""The hall's clock: a fold of what the desk did with it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from table_assist.club.acts import ActKind, DeskAct


@dataclass(frozen=True, slots=True)
class HallClock:
    """How much time a round has.

    Attributes:
        left_s: seconds left `at` that moment, for a table without extra time; below 0: it is over.
        at: seconds since the epoch, by the hub.
        extra_s: seconds more, by table.
    """

    left_s: float = 0.0
    running: bool = False
    at: float = 0.0
    extra_s: Mapping[int, int] = field(default_factory=dict)

    def left(self, now: float, table: int = 0) -> float:
        """Seconds left then; below 0 by how much the time is over."""
        gone = now - self.at if self.running else 0.0
        return self.left_s - gone + self.extra_s.get(table, 0)

    def order(self, now: float, table: int) -> dict[str, Any]:
        """The message to a table."""
        left = max(0, round(self.left(now, table)))
        extra = self.extra_s.get(table, 0)
        return {"left_s": left, "running": self.running, "at": round(now), "extra_s": extra}


def clock_of(acts: Iterable[DeskAct]) -> HallClock:
    """The clock as the acts that stand have left it; a new start ends all extra time."""
    clock = HallClock()
    for act in acts:
        content = act.content
        if not act.stands:
            continue
        if act.kind is ActKind.CLOCK:
            extra = {} if content["starts"] else clock.extra_s
            clock = HallClock(content["left_s"], content["running"], act.at, extra)
        elif act.kind is ActKind.EXTRA:
            more = clock.extra_s.get(content["table"], 0) + content["seconds"]
            extra = {**clock.extra_s, content["table"]: more}
            clock = HallClock(clock.left_s, clock.running, clock.at, extra)
    return clock
