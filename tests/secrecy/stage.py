"""A table for the search for leaks: everything about it tells the treasure to who looks."""

import threading
from dataclasses import replace

from table_assist.game.events import (
    Discarded,
    Event,
    IndicatorTurned,
    ReadyDeclared,
    Settled,
    WallExhausted,
)
from table_assist.game.state import Phase
from table_assist.languages.words import Words
from table_assist.record.commands import Change, Command
from table_assist.record.evidence import Evidence
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.preview import preview
from table_assist.session.session import Session
from table_assist.tiles.tile import Tile
from tests.stages.web_fakes import SessionTable

NAMES = ("Ana", "Ben", "陈德", "Dai")
START_S = 1_700_000_000.0
# The upper half of the picture is open; the treasure is drawn in the lower one.
PICTURE_WH = (160, 160)
WHOLE = (0, 0, *PICTURE_WH)
OPEN_PLACE = ((0.0, 0.0), (159.0, 0.0), (159.0, 79.0), (0.0, 79.0))
OPEN_ROW, HIDDEN_ROW = 30, 120


class FedSession(Session):
    """A session that is told events, as if every source had seen them rightly."""

    def tell(self, event: Event) -> None:
        """Record an event with what follows from it, and publish."""
        if isinstance(event, Settled | WallExhausted) and self._record.state.phase is Phase.SETTLED:
            return  # the session settled by itself
        self._record.append(event, Source.CAMERA, confidence=0.97)
        self._conclude()
        self._save()
        self._publish()

    def preview(self, command: Command) -> Change | Words:
        """As ever, in the caller's thread: nobody tells anything meanwhile."""
        return preview(self._handler, command)

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        """Whether it would be taken; nothing is recorded."""
        tried = preview(self._handler, command)
        return tried if isinstance(tried, Words) else None


class LeakStage(SessionTable[FedSession]):
    """A table whose snapshots, pictures and evidence depend on the treasure; a `LiveTable`."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._changed = threading.Condition()
        self._clock = START_S
        self.version = 0
        self.face = Tile.UNKNOWN
        self.session = self.new_session()
        self.snapshot: Snapshot = self.session.snapshot

    def new_session(self) -> FedSession:
        """An empty record, at the same time of day on every stage."""
        self._clock = START_S
        record = Record(None, self._tick)
        self.session = FedSession(plain_profile(self._rules), NAMES, record, now=self._tick)
        return self.session

    def show(self) -> int:
        """Publish what the session has now. Returns the version."""
        with self._changed:
            self.version += 1
            beat = SourceHealth("camera", "live", last_t=START_S + self.version)
            given = self.session.snapshot
            evidence = tuple(
                (entry.seq, f"entry-{entry.seq}")
                for entry in given.entries
                if isinstance(entry.event, IndicatorTurned | Discarded)
            )
            self.snapshot = replace(given, health=(beat,), entry_evidence=evidence)
            self._changed.notify_all()
            return self.version

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """As `LiveTable.wait`."""
        with self._changed:
            if self._changed.wait_for(lambda: self.version > after, timeout_s):
                return self.snapshot
            return None

    def evidence(self, id: str) -> Evidence | None:
        """Evidence in which everything tells the treasure, as a camera might have caught it."""
        found = next((each for each in self.snapshot.entries if f"entry-{each.seq}" == id), None)
        if found is None:
            return None
        seen = self.face if self._is_looked_at(found.seq) else Tile.P1
        crop = self._drawn(self.face if isinstance(found.event, IndicatorTurned) else Tile.P1)
        return Evidence(id, found.t, self._drawn(seen), f'{{"tile":"{seen}"}}', crop, WHOLE)

    def _is_looked_at(self, seq: int) -> bool:
        """Whether a ready player may have held the indicator up by then."""
        return any(
            isinstance(entry.event, ReadyDeclared) and entry.seq <= seq
            for entry in self.snapshot.entries
        )

    def picture(self) -> bytes | None:
        """A picture with the treasure in it."""
        return self._drawn(self.face)

    def sure_picture(self) -> tuple[float, bytes] | None:
        """The same."""
        return START_S, self._drawn(self.face)

    def open_places(self, t: float) -> tuple[tuple[tuple[float, float], ...], ...]:
        """The upper half."""
        return (OPEN_PLACE,)

    def _drawn(self, tile: Tile) -> bytes:
        width, height = PICTURE_WH
        rows = [bytes((60, 90, 40)) * width for _ in range(height)]
        rows[OPEN_ROW] = bytes((200, 200, 180)) * width
        rows[HIDDEN_ROW] = bytes((5 * tile % 256, 255 - tile, 128)) * width
        return b"P6 %d %d 255\n" % (width, height) + b"".join(rows)

    def _tick(self) -> float:
        self._clock += 1.0
        return self._clock
