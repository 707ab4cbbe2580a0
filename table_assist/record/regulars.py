"""The people who come again: kept in a small SQLite file, with what their logs say.

The log cannot forget; this can. Points and hands are not in it: they are always what the logs say
(`tally`). Who was deleted is a stranger from then on: of the deletion only a hash of the name and
the time stay, so that what was played before does not come back with the name.

A name can be said by anybody. What proves somebody is a secret on the own phone, whose hash is
kept here; who is kept without one, as in older files, is proved by nothing.
"""

import logging
import re
import secrets
import sqlite3
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from math import sqrt
from pathlib import Path

from table_assist.game.people import Names, called
from table_assist.game.state import SEATS
from table_assist.languages.catalogue import catalogues
from table_assist.record.export import PlayedHand, played_hands, read_log
from table_assist.record.log import Entry, entry_to_json
from table_assist.record.private import make_private
from table_assist.record.seal import seal_after
from table_assist.record.sqlite import opened, refuse_programs
from table_assist.record.store import StoreError
from table_assist.trust.installation import hash_of

logger = logging.getLogger(__name__)
REGULARS_SUFFIX = ".regulars.sqlite"
REGULARS_FORMAT = 2  # 1 had no proofs
PLAYER_COLOURS = 8
KNOWN_LANGUAGES = ("", "en", "zh", *catalogues())
_LAYOUT = f"""
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS regulars (
        key TEXT PRIMARY KEY, name TEXT NOT NULL, since REAL NOT NULL, colour INTEGER NOT NULL,
        language TEXT NOT NULL, large INTEGER NOT NULL, strong INTEGER NOT NULL,
        still INTEGER NOT NULL, voice INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS forgotten (hash TEXT PRIMARY KEY, t REAL NOT NULL);
    CREATE TABLE IF NOT EXISTS proofs (hash TEXT PRIMARY KEY, key TEXT NOT NULL);
    PRAGMA user_version={REGULARS_FORMAT};
    COMMIT;
"""


@dataclass(frozen=True, slots=True)
class Regular:
    """Somebody who comes to the table again, by the name that is said when sitting down.

    Attributes:
        since: hands that ended later count, seconds since the epoch; 0: all.
        colour: of the own line, 1 to `PLAYER_COLOURS`; 0: the seat's.
        language: of the phone's pages, ``en`` or ``zh``; empty: as the browser says.
        large: the letters.
        strong: more contrast.
        still: nothing moves.
        voice: what happens is said aloud.
    """

    name: str
    since: float = 0.0
    colour: int = 0
    language: str = ""
    large: bool = False
    strong: bool = False
    still: bool = False
    voice: bool = False

    @property
    def key(self) -> str:
        """By which the name is known, however it is written."""
        return key_of(self.name)


def key_of(name: str) -> str:
    """By which a name is known.

    >>> key_of(" ANA ") == key_of("ana")
    True
    """
    return unicodedata.normalize("NFKC", name).strip().casefold()


class Regulars:
    """All that is kept; any thread.

    Args:
        path: made where there is none; None keeps them with the program.

    Raises:
        sqlite3.Error, OSError: the file cannot be used.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._lock, self._meeting = threading.Lock(), threading.Lock()
        if path is not None:
            make_private(path)
        self._base = opened(path)
        refuse_programs(self._base)
        self._base.executescript(_LAYOUT)

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._base:
            self._base.execute("BEGIN IMMEDIATE")
            yield self._base

    def all(self) -> tuple[Regular, ...]:
        """Everybody, by name."""
        with self._lock:
            rows = self._base.execute(
                "SELECT name, since, colour, language, large, strong, still, voice "
                "FROM regulars ORDER BY key"
            ).fetchall()
        return tuple(
            Regular(name, since, colour, language, *(bool(each) for each in switches))
            for name, since, colour, language, *switches in rows
        )

    def find(self, name: str) -> Regular | None:
        """The person of this name; None for a stranger."""
        return next((each for each in self.all() if each.key == key_of(name)), None)

    def keep(self, wanted: Regular) -> Regular:
        """Keep somebody, or what was chosen anew; ``since`` stays as it was, or is the given."""
        with self._changing() as base:
            since = max(wanted.since, _gone_s(base, wanted.key))
            base.execute(
                "INSERT INTO regulars VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET name = excluded.name, colour = excluded.colour, "
                "language = excluded.language, large = excluded.large, strong = excluded.strong, "
                "still = excluded.still, voice = excluded.voice",
                (
                    wanted.key, wanted.name, since, wanted.colour, wanted.language, wanted.large,
                    wanted.strong, wanted.still, wanted.voice,
                ),
            )  # fmt: skip
        found = self.find(wanted.name)
        assert found is not None
        return found

    def meet(self, wanted: Regular) -> str | None:
        """Keep a stranger: the secret that proves who it is; None where the name is another's."""
        with self._meeting:  # of two who say the same name at once, one is met
            if self.find(wanted.name) is not None:
                return None
            self.keep(wanted)
            secret = secrets.token_urlsafe(32)
            with self._changing() as base:
                base.execute("INSERT INTO proofs VALUES (?, ?)", (hash_of(secret), wanted.key))
            return secret

    def proved(self, by: Iterable[str]) -> frozenset[str]:
        """The keys of those whom the secrets prove."""
        hashes = {hash_of(secret) for secret in by}
        with self._lock:
            rows = self._base.execute("SELECT hash, key FROM proofs").fetchall()
        return frozenset(key for hashed, key in rows if hashed in hashes)

    def phones(self, name: str) -> int:
        """How many phones are proved to be somebody's."""
        with self._lock:
            query = "SELECT count(*) FROM proofs WHERE key = ?"
            return int(self._base.execute(query, (key_of(name),)).fetchone()[0])

    def only(self, name: str, by: Iterable[str]) -> None:
        """No secret but these proves any longer who is called so."""
        stay = {hash_of(secret) for secret in by}
        with self._changing() as base:
            query = "SELECT hash FROM proofs WHERE key = ?"
            found = base.execute(query, (key_of(name),)).fetchall()
            gone = [row for row in found if row[0] not in stay]
            base.executemany("DELETE FROM proofs WHERE hash = ?", gone)

    def gone_s(self, name: str) -> float:
        """Until when nothing that was played under a name counts, as it was deleted; 0: never."""
        with self._lock:
            return _gone_s(self._base, key_of(name))

    def forget(self, name: str, now: float) -> bool:
        """Delete somebody; what was played until now is not counted again. False for a stranger."""
        with self._changing() as base:
            key = key_of(name)
            gone = base.execute("DELETE FROM regulars WHERE key = ?", (key,)).rowcount
            base.execute("DELETE FROM proofs WHERE key = ?", (key,))
            if gone:
                base.execute("INSERT OR REPLACE INTO forgotten VALUES (?, ?)", (hash_of(key), now))
        if gone:
            with self._lock:
                self._base.execute("VACUUM")  # what is deleted is not left on the disk
        return bool(gone)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()


def open_regulars(path: Path) -> Regulars:
    """Those of a file; of one that cannot be used nothing, as nothing here may stop play."""
    try:
        return Regulars(path)
    except (sqlite3.Error, OSError) as error:
        logger.warning("%s cannot be used, so nobody is remembered: %s", path, error)
        return Regulars()


def _gone_s(base: sqlite3.Connection, key: str) -> float:
    row = base.execute("SELECT t FROM forgotten WHERE hash = ?", (hash_of(key),)).fetchone()
    return 0.0 if row is None else float(row[0])


# People's sums in the logs, by rule set: hands, wins, points; a fold of the hands played.
#
# A person is known by name (`kept.key_of`): whoever said it when sitting down, or whom the settings
# list. Who has none is nobody.

_UNNAMED = re.compile(r"Seat [1-4]|")
QUARTER = 1 / 4  # of the hands that are won falls to each of four equals


@dataclass(slots=True)
class PersonTally:
    """Somebody's sums under one rule set.

    Attributes:
        hands: played to their end, with or without a winner.
        won_by_all: of them, in which somebody won.
        drawn: wins with a tile that the winner drew.
        gave: hands that another won on this player's tile.
        best: the most that one hand brought.
    """

    hands: int = 0
    won_by_all: int = 0
    wins: int = 0
    drawn: int = 0
    gave: int = 0
    points: int = 0
    best: int = 0

    @property
    def chance(self) -> float:
        """So many wins an equal of the others would have."""
        return QUARTER * self.won_by_all

    @property
    def spread(self) -> float:
        """One standard deviation of that."""
        return sqrt(QUARTER * (1 - QUARTER) * self.won_by_all)


@dataclass(frozen=True, slots=True)
class PlayedBy:
    """A hand with those who played it, by person: the keys of their names; empty for nobody."""

    hand: PlayedHand
    keys: tuple[str, str, str, str]


def played_by(hands: Iterable[PlayedHand], listed: Names) -> list[PlayedBy]:
    """The players of each hand that was not given up, by the names that were valid then.

    Args:
        listed: as the settings name them, for who has not said another.
    """
    found = []
    for hand in hands:
        if hand.end != "abandoned":
            a, b, c, d = (
                "" if _UNNAMED.fullmatch(name) else key_of(name)
                for name in called(hand.names, listed)
            )
            found.append(PlayedBy(hand, (a, b, c, d)))
    return found


def tallies(played: Iterable[PlayedBy], of: Regular) -> Mapping[str, PersonTally]:
    """By rule set, the most played first."""
    found: dict[str, PersonTally] = {}
    for each in played:
        hand = each.hand
        if of.key not in each.keys or hand.ended_s <= of.since:
            continue
        me, own = each.keys.index(of.key), found.setdefault(hand.rules, PersonTally())
        gains = hand.transfers[me]
        own.hands += 1
        own.won_by_all += len(hand.winners)
        own.points += gains + hand.penalties[me]
        own.gave += sum(giver == me for giver, _ in hand.given)
        if me in hand.winners:
            own.wins += 1
            own.drawn += all(winner != me for _, winner in hand.given)
            own.best = max(own.best, gains)
    return dict(sorted(found.items(), key=lambda item: -item[1].hands))


def games(
    played: Iterable[PlayedBy], known: Sequence[Regular]
) -> list[tuple[tuple[str, ...], list[int]]]:
    """The players and points of each game: a game ends where people or points do.

    Of four whose names are all known; who was deleted, or never kept, has played as somebody else.
    """
    since = {each.key: each.since for each in known}
    found: list[tuple[tuple[str, ...], list[int]]] = []
    last: tuple[object, ...] = ()
    for each in played:
        hand = each.hand
        if "" in each.keys or len(set(each.keys)) < len(each.keys):
            last = ()
            continue
        players = tuple(
            key if since.get(key, hand.ended_s) < hand.ended_s else f"\0{key}" for key in each.keys
        )
        same = (players, hand.rules)
        if same != last or hand.begun_with is not None:
            found.append((players, [0, 0, 0, 0]))
        last = same
        for person in SEATS:
            found[-1][1][person] += hand.transfers[person] + hand.penalties[person]
    return found


NOBODY: Names = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody with what the logs say.

    Attributes:
        tallies: (rule set's id, what was done under it).
        course: the rating after each game; empty without a game, or without the library for it.
        uncounted: earlier hands under the name, which nobody has said were this player's.
    """

    regular: Regular
    tallies: tuple[tuple[str, PersonTally], ...]
    course: tuple[float, ...]
    uncounted: int = 0


class RegularsService:
    """One table's; any thread.

    Args:
        kept: what is kept of people.
        log: the table's own; other logs in its folder are earlier evenings. None: there are none.
    """

    def __init__(self, kept: Regulars, log: Path | None = None) -> None:
        self.kept = kept
        self._log = log
        self._read: dict[tuple[Path, int, int], tuple[str, list[PlayedBy]]] = {}

    def known(self, entries: Sequence[Entry], listed: Names) -> list[Known]:
        """Everybody who is kept, by name.

        Args:
            entries: of the table's own log.
            listed: by person, the names that the settings have for who has not said another.
        """
        played = [*self._earlier(_sign_of(entries)), *played_by(played_hands(entries), listed)]
        played.sort(key=lambda each: each.hand.ended_s)
        regulars = self.kept.all()
        rated: dict[str, list[float]] = {}
        if can_rate():
            from table_assist.record.ratings import courses

            rated = courses(games(played, regulars))
        return [
            Known(
                each,
                tuple(tallies(played, each).items()),
                tuple(rated.get(each.key, ())),
                sum(
                    each.key in one.keys and from_s < one.hand.ended_s <= each.since
                    for from_s in [self.kept.gone_s(each.name)]  # asks the file: once for each
                    for one in played
                ),
            )
            for each in regulars
        ]

    def _earlier(self, own: str) -> Iterator[PlayedBy]:
        """The hands of other logs beside the table's own; a copy of a log is no other log."""
        if self._log is None:
            return
        seen = {own}
        for path in sorted(self._log.parent.glob("*.sqlite")):
            if path.name == self._log.name or ".sqlite." in path.name:
                continue  # what lies beside a log is none
            sign, hands = self._of(path)
            if sign not in seen:
                seen.add(sign)
                yield from hands

    def _of(self, path: Path) -> tuple[str, list[PlayedBy]]:
        """How a log is known, and its hands; nothing of a file that is none, or is written now."""
        try:
            found = path.stat()
            key = path, found.st_mtime_ns, found.st_size
            if key not in self._read:
                entries = read_log(path)
                self._read[key] = _sign_of(entries), played_by(played_hands(entries), NOBODY)
        except (OSError, StoreError, ValueError) as error:
            logger.debug("%s is no earlier evening: %s", path, error)
            return "", []
        return self._read[key]


def _sign_of(entries: Sequence[Entry]) -> str:
    """The seal of the first entry, by which a log is known."""
    return seal_after("", entry_to_json(entries[0])) if entries else ""


def can_rate() -> bool:
    """Whether the library for ratings is here; it comes with a club's."""
    return find_spec("openskill") is not None
