"""Everything that the checks of the health page look at, at one moment."""

from dataclasses import dataclass

from table_assist.contract.health import SourceHealth
from table_assist.languages.words import Words

NOTHING = Words("", "")


@dataclass(frozen=True, slots=True)
class Measured:
    """The measured values.

    Attributes:
        now_s: seconds since the epoch.
        running_s: how long the table has been followed.
        sources: camera, board, log, as the session has them.
        has_camera: the settings name one.
        picture_s: when the last picture came; None: never.
        pass_s: when the last picture was read; None: never.
        pass_took_s: seconds that a pass takes, over the last ones; None: none yet.
        eyes_trouble: why no picture can be read; empty when they can.
        waiting: items that the session has not processed yet.
        free_bytes: on the log's disk; None where it cannot be asked.
        log_bytes: of the log; None where there is no file.
        log_error: why nothing can be written beside the log; empty when it can.
        evidence_bytes: of the pictures that are kept.
        evidence_trouble: why they are not kept; empty when they are.
        clock_jump_s: how far the clock was set since the table was begun.
        temperature_c: the processor's; None where it is not told.
        backup_s: when the newest backup was made; None: never.
        backups_on: the settings name a folder for them.
        backup_trouble: why the last could not be made.
        has_entries: there is something to be backed up.
        settings_changed: the file is another one now than the table was started with.
    """

    now_s: float
    running_s: float = 0.0
    sources: tuple[SourceHealth, ...] = ()
    has_camera: bool = False
    picture_s: float | None = None
    pass_s: float | None = None
    pass_took_s: float | None = None
    eyes_trouble: Words = NOTHING
    waiting: int = 0
    free_bytes: int | None = None
    log_bytes: int | None = None
    log_error: str = ""
    evidence_bytes: int = 0
    evidence_trouble: Words = NOTHING
    clock_jump_s: float = 0.0
    temperature_c: float | None = None
    backup_s: float | None = None
    backups_on: bool = True
    backup_trouble: str = ""
    has_entries: bool = False
    settings_changed: bool = False

    def source(self, name: str) -> SourceHealth | None:
        """How one source is doing, where it is known."""
        return next((each for each in self.sources if each.name == name), None)
