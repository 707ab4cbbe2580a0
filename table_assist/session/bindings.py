"""Which piece on the table is which tile of an entry: for the hand that runs, over a restart too.

A discard keeps its piece when it is claimed: it lies in the meld then. The places, and what else
was seen of the hand that no event says, are kept in a small file beside the log. It is a help and
no record: where it is lost, the pieces are found again by what is recorded.
"""

import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from table_assist.following.clutter import Clutter
from table_assist.following.pieces import NO_PIECES, Bound, Piece, Pieces, Slot, bound_to
from table_assist.game.events import Event, IndicatorTurned, PutDown, Taking
from table_assist.game.fold import apply
from table_assist.game.holding import put_down
from table_assist.game.state import SEATS, TableState
from table_assist.record.record import Record
from table_assist.tiles.tile import Tile, parse_tile
from table_assist.vision.table.attention import RecordedTile
from table_assist.vision.table.calibration import Point
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.zones import ZoneKind

logger = logging.getLogger(__name__)

PIECES_SUFFIX = ".pieces.json"
# A piece that wandered by less is not written anew.
WANDERED_MM = 3.0


class Bindings:
    """Follows the pieces of the hand that runs.

    Args:
        file: where they are kept; None: nowhere.

    Attributes:
        clutter: what lies there and is no tile of the hand.
        instead: by the entries of discards that were taken back for another tile, what lay there.
        running: the number of the hand that was found running; 0: none was.
    """

    def __init__(self, record: Record, file: Path | None = None) -> None:
        self._record = record
        self._file = file
        self._slots: tuple[Slot, ...] = ()
        self._laid: _Laid | None = None
        self._pieces: Pieces = NO_PIECES
        self.clutter = Clutter()
        self.instead: dict[int, Tile] = {}
        self.running = 0
        if file is not None:
            self._pieces, places, self.instead, self.running = _read(file, self._of)
            self.clutter.keep(record.state.hand, places)
        self._kept = self._pieces, self._beside

    @property
    def now(self) -> Bound:
        """The recorded pieces that lie on the table, and where."""
        record, laid = self._record, self._laid
        if not record.starts:
            return Bound()
        start, changes = record.starts[-1], len(record.entries.changes)
        if laid is None or not laid.goes_on(record):
            laid = self._laid = _Laid(start.seq, changes, start.index + 1, start.state)
            self._slots = ()
        if laid.upto < len(record.counting) or not self._slots:
            laid.read(record)
            self._slots = laid.slots
        return Bound(self._slots, self._pieces)

    def saw(self, pieces: Pieces) -> None:
        """Where they lie by the newest look."""
        self._pieces = pieces

    def bind(self, seq: int, seen: Iterable[SeenTile]) -> None:
        """An entry was written down by what is seen."""
        lying = list(seen)
        if not lying:
            return
        own = [slot for slot in self.now.slots if slot.key[0] == seq]
        event = self._record.event(seq)
        if isinstance(event, Taking):
            # The discard that lies in the newest meld: the last one that left a river for it
            given = [
                slot
                for slot in self.now.of(ZoneKind.MELDS, event.seat)
                if not isinstance(self._record.event(slot.key[0]), PutDown)
            ]
            own = [*given[-1:], *own]
        found = bound_to(((slot.key, slot.tile) for slot in own), lying)
        self._pieces = {**self._pieces, **found}

    def places(self, seq: int) -> tuple[Point, ...]:
        """Where the tiles of an entry lie, or lay when they were seen last."""
        return tuple((each.x_mm, each.y_mm) for (of, _), each in self._pieces.items() if of == seq)

    @property
    def seen(self) -> Iterator[RecordedTile]:
        """The recorded faces that are seen now, each where it lies."""
        said = self._record.corrected
        for slot in self.now.slots:
            piece = self._pieces.get(slot.key)
            if piece is not None and piece.is_seen and slot.tile.is_face:
                is_said = slot.key[0] in said
                yield RecordedTile(slot.key, piece.x_mm, piece.y_mm, slot.tile, is_said)

    def is_missed(self, seq: int) -> bool:
        """Whether a tile of the entry was seen once, and is not seen now."""
        return any(of == seq and not each.is_seen for (of, _), each in self._pieces.items())

    def keep(self) -> None:
        """Write down where they lie, if that is new."""
        kept, kept_beside = self._kept
        is_new = self._pieces.keys() != kept.keys() or any(
            abs(one.x_mm - kept[key].x_mm) + abs(one.y_mm - kept[key].y_mm) >= WANDERED_MM
            for key, one in self._pieces.items()
        )
        if self._file is None or not (is_new or self._beside != kept_beside):
            return
        self._kept = self._pieces, self._beside
        rows = [[*key, round(p.x_mm, 1), round(p.y_mm, 1)] for key, p in self._pieces.items()]
        unfinished = self._file.with_name(self._file.name + ".part")
        try:
            unfinished.write_text(json.dumps({"of": self._of, "pieces": rows} | self._beside))
            unfinished.replace(self._file)
        except OSError as error:
            logger.warning("where the tiles lie cannot be kept: %s", error)

    @property
    def _beside(self) -> dict[str, object]:
        """What is kept beside the pieces."""
        instead = [[seq, str(tile)] for seq, tile in self.instead.items()]
        return {"clutter": self.clutter.places, "instead": instead, "running": self.running}

    @property
    def _of(self) -> list[float]:
        """By what the hand is known, among those of other logs too: the entry that started it."""
        starts, entries = self._record.starts, self._record.entries
        return [starts[-1].seq, entries[starts[-1].seq - 1].t] if starts else []


def _read(file: Path, of: list[float]) -> tuple[Pieces, tuple[Point, ...], dict[int, Tile], int]:
    """What was kept of that hand; nothing of a damaged file, or of another hand."""
    try:
        kept = json.loads(file.read_text())
        if kept["of"] == of:
            pieces = {
                (int(seq), int(part)): Piece(0, float(x), float(y), is_seen=False)
                for seq, part, x, y in kept["pieces"]
            }
            places = tuple((float(x), float(y)) for x, y in kept.get("clutter", ()))
            instead = {int(seq): parse_tile(tile) for seq, tile in kept.get("instead", ())}
            return pieces, places, instead, int(kept.get("running", 0))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, KeyError, TypeError) as error:
        logger.warning("where the tiles lay is not known: %s", error)
    return NO_PIECES, (), {}, 0


@dataclass(slots=True)
class _Laid:
    """The open tiles by the first so many events that count.

    Attributes:
        start: the entry that started the hand.
        changes: retractions, corrections and insertions before; one more makes all of it anew.
        last: the newest of these events, with its number: what was not saved may be taken back.
    """

    start: int
    changes: int
    upto: int
    state: TableState
    last: object = None
    rivers: dict[int, list[Slot]] = field(default_factory=lambda: {seat: [] for seat in SEATS})
    others: list[Slot] = field(default_factory=list)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All of it: of each river and of each seat's melds the oldest first."""
        return tuple(chain(*self.rivers.values(), self.others))

    def goes_on(self, record: Record) -> bool:
        """Whether all of it still counts, and as it did."""
        of = record.starts[-1].seq, len(record.entries.changes)
        counts = self.upto <= len(record.counting) and record.counting[self.upto - 1]
        return of == (self.start, self.changes) and counts == self.last

    def read(self, record: Record) -> None:
        """Take in what was written since."""
        for seq, event in record.counting[self.upto :]:
            before, self.state = self.state, apply(self.state, event)
            # Let the rivers be as they are after an entry: what left one of them.
            taken = None
            for seat in SEATS:
                were, are = before.seats[seat].river, self.state.seats[seat].river
                if len(are) > len(were):
                    self.rivers[seat].append(Slot((seq, 0), are[-1], ZoneKind.RIVER, seat))
                elif len(are) < len(were) and self.rivers[seat]:
                    taken = self.rivers[seat].pop()
            if taken is not None and isinstance(event, Taking):
                self.others.append(replace(taken, kind=ZoneKind.MELDS, seat=event.seat))
            self.others += _laid_by(seq, event, None if taken is None else taken.tile)
        self.upto = len(record.counting)
        self.last = record.counting[self.upto - 1]


def _laid_by(seq: int, event: Event, taken: Tile | None) -> Iterator[Slot]:
    """The slots that an entry fills; the tile taken from a river is an earlier entry's."""
    if isinstance(event, IndicatorTurned):
        yield Slot((seq, 0), event.tile, ZoneKind.WALL)
    if not isinstance(event, PutDown):
        return
    tiles = put_down(event)
    if tiles and taken is not None and isinstance(event, Taking):
        tiles.remove(taken if taken in tiles else tiles[-1])
    for part, tile in enumerate(tiles):
        yield Slot((seq, part), tile, ZoneKind.MELDS, event.seat)
