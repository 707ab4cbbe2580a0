"""The figures of a running table, for monitoring: counts and sizes only, nothing of the play."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one moment; one that does not apply is None.

    Attributes:
        started_s: when the program began to follow the table, seconds since the epoch.
        entries: of the log, by who said so (camera, board, person, rules).
        healed: faces that a second look saw otherwise than they were remembered.
        hands: that are over.
        questions_asked: so far, in the whole log.
        questions_open: now.
        queue: items that wait for the session.
        viewers: who watch the dashboard live.
        sources: 1 where a source is live, else 0, by its name.
    """

    program: str
    started_s: float
    pictures: int | None = None
    pictures_skipped: int | None = None
    passes: int | None = None
    pass_seconds: float | None = None
    healed: int | None = None
    entries: Mapping[str, int] = field(default_factory=dict)
    hands: int = 0
    questions_asked: int = 0
    questions_open: int = 0
    frames: Mapping[str, int] = field(default_factory=dict)
    queue: int = 0
    disk_free_bytes: int | None = None
    log_bytes: int | None = None
    viewers: int = 0
    sources: Mapping[str, int] = field(default_factory=dict)
    temperature_c: float | None = None
    backup_s: float | None = None
