"""How a source of pictures or readings fares."""

from dataclasses import dataclass

from table_assist.languages.words import NOTHING, Words
from table_assist.vision.table.unseen import OccludedZone


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """How one source of readings is doing.

    Attributes:
        name: camera, board or log.
        status: waiting (no picture yet), live, stale (nothing new for a while), covered, lost,
            unread (pictures come, and cannot be read), idle (they are read, and nothing of them is
            recorded), or none (not configured); the log's is live or lost.
        says: one sentence for the people at the table; empty when all is well.
        last_t: when the last good reading came, seconds since the epoch; None: never.
        counters: what was counted, such as frames dropped, by name.
        zones: of the camera: what of the table cannot be seen now, since when and why.
        figures: what it tells of itself, well or not, in one line.
        tells_dice: of the board: it says what was thrown, so the camera need not.
    """

    name: str
    status: str
    says: Words = NOTHING
    last_t: float | None = None
    counters: tuple[tuple[str, int], ...] = ()
    zones: tuple[OccludedZone, ...] = ()
    tells_dice: bool = True
    figures: Words = NOTHING
