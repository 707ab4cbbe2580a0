"""Histories: courses of a hand, each bound to the tracks that it explains, and how likely it is."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from table_assist.belief.evidence import FACES
from table_assist.belief.melds import Ways, ways_of, with_tiles
from table_assist.belief.seen import Seen, face_of, pool_of, sum_logs
from table_assist.game.events import Discarded, Event
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import visible_tiles
from table_assist.game.state import TableState
from table_assist.tiles import Tile

# A face is written into the course of a history from this probability on; else it is unread there.
NAMED = 0.9
# What must lie there and is missed may have been hidden otherwise: no more is held against it.
VANISHED = -9.0
Logs = NDArray[np.float64]
Piece = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One event of a history, and the pieces that it brought.

    Attributes:
        event: with its faces as far as they are known by now; told ones as they were told.
        pool: (FACES,) the logarithms of the shares of what did not lie open before it.
        pieces: of each piece the tracks that it is seen as, the one where it lies now last; a
            piece that nobody saw has none.
        price: of the event itself, in nats.
        takes: the discard that a claim takes.
        returned: what was discarded first and taken back for another tile.
    """

    event: Event
    pool: Logs
    pieces: tuple[Piece, ...] = ()
    price: float = 0.0
    takes: int | None = None
    returned: Piece = ()


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """One course of a hand.

    Attributes:
        entries: in their order.
        states: before the first entry, and after each.
        weight: the logarithm of how likely the tracks are by it, and of its events' prices.
    """

    entries: tuple[Entry, ...]
    states: tuple[TableState, ...]
    weight: float = 0.0

    @property
    def state(self) -> TableState:
        """After all of it."""
        return self.states[-1]

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened by it."""
        return tuple(entry.event for entry in self.entries)

    @property
    def tracks(self) -> frozenset[int]:
        """All that it explains."""
        return frozenset(
            id for e in self.entries for piece in (*e.pieces, e.returned) for id in piece
        )

    @property
    def taken(self) -> dict[int, int]:
        """Of each claimed discard the entry of the claim."""
        return {e.takes: at for at, e in enumerate(self.entries) if e.takes is not None}

    @property
    def course(self) -> tuple[object, ...]:
        """What tells it from others: kinds of events, by whom, and bound to which tracks."""
        return tuple(course_of(entry) for entry in self.entries)

    def then(self, entry: Entry) -> "History":
        """One event longer."""
        states = (*self.states, apply(self.state, entry.event))
        return replace(self, entries=(*self.entries, entry), states=states)

    def bound(self, index: int, piece: Piece, price: float, returned: Piece = ()) -> "History":
        """The discard of an entry is seen as other tracks.

        Args:
            returned: what it seemed to be before; it was taken back.
        """
        old = self.entries[index]
        entry = replace(
            old, pieces=(piece,), price=old.price + price, returned=(*old.returned, *returned)
        )
        return replace(self, entries=(*self.entries[:index], entry, *self.entries[index + 1 :]))


def course_of(entry: Entry) -> tuple[object, ...]:
    """What tells an entry from others, but for its faces."""
    event = entry.event
    kind = getattr(event, "kind", getattr(event, "egg", None))
    return type(event), getattr(event, "seat", None), kind, entry.pieces, entry.returned


def begun(state: TableState) -> History:
    """A history of which nothing is known but this state."""
    return History((), (state,))


def told(history: History, event: Event) -> History:
    """With an event that people or the board have told."""
    return history.then(Entry(event, np.zeros(FACES)))


def pool_left(state: TableState) -> Logs:
    """(FACES,) the logarithms of the shares of what does not lie open."""
    return pool_of(rules_in_force(state), visible_tiles(state))


@dataclass(frozen=True, slots=True)
class Scales:
    """Weighs histories by what is seen now; what they have in common is weighed once."""

    seen: Seen
    _terms: dict[tuple[Entry, Entry | None, bool], float] = field(default_factory=dict)
    _faces: dict[tuple[Entry, Entry | None], Entry] = field(default_factory=dict)
    _states: dict[tuple[int, Entry], TableState] = field(default_factory=dict)
    _kept: list[TableState] = field(default_factory=list)

    def weigh(self, history: History) -> History:
        """The history with its weight, and with its faces as they are known now."""
        history = self._as_read(history)
        taken = history.taken
        total = 0.0
        for index, entry in enumerate(history.entries):
            total += entry.price
            if entry.pieces:
                total += self._term(history, index, is_taken=index in taken)
        return replace(history, weight=total)

    def _term(self, history: History, index: int, *, is_taken: bool) -> float:
        entry = history.entries[index]
        given = None if entry.takes is None else history.entries[entry.takes]
        key = entry, given, is_taken
        found = self._terms.get(key)
        if found is None:
            found = self._weight_of(entry, given, history.states[index], is_taken=is_taken)
            self._terms[key] = found
        return found

    def _weight_of(
        self, entry: Entry, given: Entry | None, state: TableState, *, is_taken: bool
    ) -> float:
        seen = self.seen
        total = sum(seen.gone(id) for piece in entry.pieces for id in piece[:-1])
        for id in entry.returned:
            total += seen.gone(id) + sum_logs(seen.rows((id,))[0, :FACES] + entry.pool)
        last = [piece[-1] for piece in entry.pieces if piece]
        if is_taken:  # the claim says what it was
            return total + sum(seen.gone(id) for id in last)
        total += sum(max(seen.lies(id), VANISHED) for id in last)
        if isinstance(entry.event, Discarded):
            return total + sum_logs(self._row(entry)[:FACES] + entry.pool)
        ways, rows = self._ways(entry, state)
        return total + ways.weigh(rows, None if given is None else self._row(given))[0]

    def _row(self, discard: Entry) -> Logs:
        return np.asarray(self.seen.rows(discard.pieces[0]).sum(axis=0))

    def _ways(self, entry: Entry, state: TableState) -> tuple[Ways, Logs]:
        rows = np.array([self.seen.rows(piece).sum(axis=0) for piece in entry.pieces])
        return ways_of(state, entry.event, rows), rows

    # -- faces -----------------------------------------------------------------------------------

    def _as_read(self, history: History) -> History:
        """With the faces that its pieces likeliest have now."""
        entries: list[Entry] = []
        states = [history.states[0]]
        is_same = True
        for index, old in enumerate(history.entries):
            given = None if old.takes is None else entries[old.takes]
            entry = self._entry_as_read(old, states[-1], given)
            is_same = is_same and entry is old
            entries.append(entry)
            states.append(history.states[index + 1] if is_same else self._after(states[-1], entry))
        return history if is_same else replace(
            history, entries=tuple(entries), states=tuple(states)
        )  # fmt: skip

    def _after(self, state: TableState, entry: Entry) -> TableState:
        key = id(state), entry
        if key not in self._states:
            self._kept.append(state)  # its id is not given away while it is a key
            self._states[key] = apply(state, entry.event)
        return self._states[key]

    def _entry_as_read(self, entry: Entry, state: TableState, given: Entry | None) -> Entry:
        if not entry.pieces:
            return entry
        key = entry, given
        if key not in self._faces:
            event = self._event_as_read(entry, state, given)
            self._faces[key] = entry if event == entry.event else replace(entry, event=event)
        return self._faces[key]

    def _event_as_read(self, entry: Entry, state: TableState, given: Entry | None) -> Event:
        if isinstance(entry.event, Discarded):
            tile, sure = face_of(self.seen.rows(entry.pieces[0]), entry.pool)
            return Discarded(entry.event.seat, tile if sure >= NAMED else Tile.UNKNOWN)
        ways, rows = self._ways(entry, state)
        tiles = ways.weigh(rows, None if given is None else self._row(given))[1]
        return with_tiles(entry.event, tiles) if tiles else entry.event

    def named(self, history: History) -> tuple[float, ...]:
        """Of each event how likely its tiles are those that it names, if it has happened."""
        taken, found = history.taken, []
        for index, entry in enumerate(history.entries):
            sure = 1.0
            if isinstance(entry.event, Discarded) and index not in taken:
                rows = self.seen.rows(entry.pieces[0] if entry.pieces else ())
                sure = face_of(rows, entry.pool)[1]
            elif entry.pieces and index not in taken:
                given = None if entry.takes is None else history.entries[entry.takes]
                ways, rows = self._ways(entry, history.states[index])
                sure = ways.weigh(rows, None if given is None else self._row(given))[2]
            found.append(sure)
        return tuple(found)
