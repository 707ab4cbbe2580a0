"""Histories: courses of a hand, each bound to the tracks that it explains, and how likely it is."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from math import exp, inf, log

import numpy as np
from numpy.typing import NDArray

from bench.belief.evidence import FACES
from bench.belief.melds import Ways, ways_of, with_tiles
from bench.belief.seen import TrackEvidence, TracksEvidence, face_of, pool_of, sum_logs
from table_assist.game.events import Discarded, Event
from table_assist.game.fold import apply
from table_assist.game.irregular import visible_tiles
from table_assist.game.state import TableState
from table_assist.rules.options import OptionValue
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile

# A face is written into the course of a history from this probability on; else it is unread there.
NAMED = 0.9
# A tile that must lie there and is missed may have been hidden otherwise: no more is held against
# it.
VANISHED = -5.0
# A tile that lies there is found so soon, in seconds; seldom, as under an arm, so late. However
# late it is found, no more is held against it.
SOON_S, LATE_S, SELDOM, LATEST = 0.2, 3.0, 0.05, -9.0
Logs = NDArray[np.float64]
Piece = tuple[int, ...]
Sayings = tuple[TrackEvidence | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HistoryEntry:
    """One event of a history, and the pieces that it brought.

    Attributes:
        event: with its faces as far as they are known by now; told ones as they were told.
        pool: (FACES,) the logarithms of the shares of what did not lie open before it.
        pieces: of each piece the tracks that it is seen as, the one where it lies now last; a
            piece that nobody saw has none.
        price: of the event itself, in nats.
        takes: the discard that a claim takes.
        returned: what was discarded first and taken back for another tile.
        found_s: when it was seen first, or told, in seconds since the epoch; infinite: never.
        wrong: in how many ways the rules forbid it there.
    """

    event: Event
    pool: Logs
    pieces: tuple[Piece, ...] = ()
    price: float = 0.0
    takes: int | None = None
    returned: Piece = ()
    found_s: float = inf
    wrong: int = 0

    def seen_as(self, place: int, piece: Piece, price: float) -> "HistoryEntry":
        """The same, where the piece of that place is seen as these tracks."""
        pieces = (*self.pieces[:place], piece, *self.pieces[place + 1 :])
        return replace(self, pieces=pieces, price=self.price + price)


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """One course of a hand.

    Attributes:
        entries: in their order.
        before: the states before each entry.
        course: of each entry what tells it from others: its kind, by whom, bound to which tracks.
        tracks: all that it explains.
        taken: the discards that were claimed, as places of entries.
        terms: what each of the first entries says of itself, as far as it was weighed.
        weight: the logarithm of how likely the tracks are by it, and of its events' prices.
    """

    entries: tuple[HistoryEntry, ...]
    before: tuple[TableState, ...]
    course: tuple[object, ...] = ()
    tracks: frozenset[int] = frozenset()
    taken: frozenset[int] = frozenset()
    terms: tuple[float, ...] = ()
    weight: float = 0.0
    _after: list[TableState] = field(default_factory=list, repr=False)

    @property
    def state(self) -> TableState:
        """After all of it."""
        if not self._after:  # of most histories nobody asks
            self._after.append(apply(self.before[-1], self.entries[-1].event))
        return self._after[0]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events by it."""
        return tuple(entry.event for entry in self.entries)

    def then(self, entry: HistoryEntry) -> "History":
        """One event longer."""
        taken, terms = self.taken, self.terms
        if entry.takes is not None:
            taken, terms = taken | {entry.takes}, terms[: entry.takes]
        return History(
            (*self.entries, entry),
            (*self.before, self.state),
            (*self.course, course_of(entry)),
            self.tracks.union(*entry.pieces),
            taken,
            terms,
        )

    def bound(self, index: int, entry: HistoryEntry) -> "History":
        """The same course, in which an entry is seen as other tracks."""
        return History(
            (*self.entries[:index], entry, *self.entries[index + 1 :]),
            self.before,
            (*self.course[:index], course_of(entry), *self.course[index + 1 :]),
            self.tracks.union(*entry.pieces, entry.returned),
            self.taken,
            self.terms[:index],
            _after=self._after,
        )

    def inserted(
        self,
        index: int,
        entry: HistoryEntry,
        wrong: Callable[[TableState, Event], int],
        price: float,
    ) -> "History":
        """With an event that happened before others that are known.

        Args:
            wrong: in how many ways the rules forbid an event in a state, and its `price`.
        """
        before, entries = list(self.before[: index + 1]), [*self.entries[:index], entry]
        state = apply(before[-1], entry.event)
        for old in self.entries[index:]:
            takes = old.takes if old.takes is None or old.takes < index else old.takes + 1
            now = wrong(state, old.event)
            entries.append(
                replace(old, takes=takes, wrong=now, price=old.price + price * (now - old.wrong))
            )
            before.append(state)
            state = apply(state, old.event)
        return History(
            tuple(entries),
            tuple(before),
            tuple(course_of(each) for each in entries),
            self.tracks.union(*entry.pieces),
            frozenset(each.takes for each in entries if each.takes is not None),
            self.terms[: index if entry.takes is None else entry.takes],
            _after=[state],
        )


def _late(seconds: float) -> float:
    """The logarithm of how often something is found so much later, or later still."""
    soon, late = exp(-seconds / SOON_S), exp(-seconds / LATE_S)
    return max(log((1 - SELDOM) * soon + SELDOM * late), LATEST)


def course_of(entry: HistoryEntry) -> tuple[object, ...]:
    """The parts that tell an entry from others, but for its faces."""
    event = entry.event
    kind = getattr(event, "kind", getattr(event, "egg", None))
    seats = getattr(event, "seat", None), getattr(event, "discarder", None)
    return type(event), seats, kind, entry.pieces, entry.returned


def begun(state: TableState) -> History:
    """A history of which nothing is known but this state."""
    return History((), (), _after=[state])


def told(history: History, event: Event, t: float) -> History:
    """With an event that people or the board have told."""
    return history.then(HistoryEntry(event, np.zeros(FACES), found_s=t))


def pool_left(state: TableState) -> Logs:
    """(FACES,) the logarithms of the shares of what does not lie open."""
    return pool_of(_copies(state.rules, state.options), visible_tiles(state))


@cache
def _copies(id: str, options: tuple[tuple[str, OptionValue], ...]) -> Logs:
    rules = find_rules(id).with_options(dict(options))
    return np.array([rules.copies_of(Tile(face)) for face in range(FACES)], np.float64)


@dataclass(frozen=True, slots=True)
class Scales:
    """Weighs histories by what is seen now; what they have in common is weighed once.

    Attributes:
        last: by what was seen before; where its tracks have said nothing new, an entry weighs now
            what it weighed then.
    """

    seen: TracksEvidence
    last: "Scales | None" = None
    _terms: dict[tuple[HistoryEntry, HistoryEntry | None, bool], tuple[Sayings, float]] = field(
        default_factory=dict
    )
    _faces: dict[tuple[HistoryEntry, HistoryEntry | None], tuple[Sayings, HistoryEntry]] = field(
        default_factory=dict
    )
    _states: dict[tuple[int, HistoryEntry], TableState] = field(default_factory=dict)
    _kept: list[TableState] = field(default_factory=list)

    def weigh(self, history: History) -> History:
        """The history with its weight, and with its faces as they are known now.

        Terms that it brings along are of the same tracks, and so are its faces.
        """
        history = self._as_read(history)
        known = len(history.terms)
        terms = history.terms + tuple(
            entry.price + (self._term(history, index) if entry.pieces else 0.0)
            for index, entry in enumerate(history.entries[known:], start=known)
        )
        weight = sum(terms) + self._lateness(history)
        return History(
            history.entries, history.before, history.course, history.tracks, history.taken, terms,
            weight, history._after,
        )  # fmt: skip

    def anew(self, history: History) -> History:
        """The same, where other tracks have been seen since."""
        return self.weigh(replace(history, terms=()))

    @staticmethod
    def _lateness(history: History) -> float:
        """The evidence against the order: a thing that lay there before another was seen."""
        total, others_s = 0.0, inf
        for entry in reversed(history.entries):
            if entry.found_s <= others_s:
                others_s = entry.found_s
            elif entry.found_s < inf:
                total += _late(entry.found_s - others_s)
        return total

    def _term(self, history: History, index: int) -> float:
        entry, is_taken = history.entries[index], index in history.taken
        given = None if entry.takes is None else history.entries[entry.takes]
        key = entry, given, is_taken
        found = self._terms.get(key)
        if found is None:
            by = self._sayings(entry, given)
            found = None if self.last is None else self.last._terms.get(key)
            if found is None or found[0] != by:
                state = history.before[index]
                found = by, self._weight_of(entry, given, state, is_taken=is_taken)
            self._terms[key] = found
        return found[1]

    def _sayings(self, entry: HistoryEntry, given: HistoryEntry | None) -> Sayings:
        """The evidence on all that the entry is bound to."""
        pieces = (*entry.pieces, entry.returned, *(() if given is None else given.pieces))
        return tuple(self.seen.by_id.get(id) for piece in pieces for id in piece)

    def _weight_of(
        self, entry: HistoryEntry, given: HistoryEntry | None, state: TableState, *, is_taken: bool
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

    def _row(self, discard: HistoryEntry) -> Logs:
        return np.asarray(self.seen.rows(discard.pieces[0]).sum(axis=0))

    def _ways(self, entry: HistoryEntry, state: TableState) -> tuple[Ways, Logs]:
        rows = np.array([self.seen.rows(piece).sum(axis=0) for piece in entry.pieces])
        return ways_of(state, entry.event, rows), rows

    # -- faces -----------------------------------------------------------------------------------

    def _as_read(self, history: History) -> History:
        """With the faces that its pieces likeliest have now."""
        known = len(history.terms)
        entries = list(history.entries[:known])
        before = list(history.before[:known])
        is_same = True
        for index, old in enumerate(history.entries[known:], start=known):
            state = history.before[index] if is_same else self._after(before[-1], entries[-1])
            given = None if old.takes is None else entries[old.takes]
            entry = self._entry_as_read(old, state, given)
            is_same = is_same and entry is old
            entries.append(entry)
            before.append(state)
        return history if is_same else replace(
            history, entries=tuple(entries), before=tuple(before), _after=[]
        )  # fmt: skip

    def _after(self, state: TableState, entry: HistoryEntry) -> TableState:
        key = id(state), entry
        if key not in self._states:
            self._kept.append(state)  # its id is not given away while it is a key
            self._states[key] = apply(state, entry.event)
        return self._states[key]

    def _entry_as_read(
        self, entry: HistoryEntry, state: TableState, given: HistoryEntry | None
    ) -> HistoryEntry:
        if not entry.pieces:
            return entry
        key = entry, given
        found = self._faces.get(key)
        if found is None:
            by = self._sayings(entry, given)
            found = None if self.last is None else self.last._faces.get(key)
            if found is None or found[0] != by:
                event = self._event_as_read(entry, state, given)
                found = by, entry if event == entry.event else replace(entry, event=event)
            self._faces[key] = found
        return found[1]

    def _event_as_read(
        self, entry: HistoryEntry, state: TableState, given: HistoryEntry | None
    ) -> Event:
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
                rows = self.seen.doubted(entry.pieces[0] if entry.pieces else ())
                sure = face_of(rows, entry.pool)[1]
            elif entry.pieces and index not in taken:
                given = () if entry.takes is None else history.entries[entry.takes].pieces
                ways, _ = self._ways(entry, history.before[index])
                rows = np.array([self.seen.doubted(piece).sum(axis=0) for piece in entry.pieces])
                taken_row = self.seen.doubted(given[0]).sum(axis=0) if given else None
                sure = ways.weigh(rows, taken_row)[2]
            found.append(sure)
        return tuple(found)
