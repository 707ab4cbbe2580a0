"""All that a table knows of the people who come again: what is kept, and what its logs say."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import sqrt
from pathlib import Path

from table_assist.game.people import Names, called
from table_assist.game.state import SEATS
from table_assist.record.export import read_log
from table_assist.record.history import PlayedHand, played_hands
from table_assist.record.log import Entry, entry_to_json
from table_assist.record.seal import seal_after
from table_assist.record.store import StoreError
from table_assist.regulars.kept import Regular, Regulars, key_of

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


logger = logging.getLogger(__name__)
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
        rated = _rated(games(played, regulars))
        return [
            Known(
                each,
                tuple(tallies(played, each).items()),
                tuple(rated.get(each.key, ())),
                self._uncounted(each, played),
            )
            for each in regulars
        ]

    def _uncounted(self, regular: Regular, played: Sequence[PlayedBy]) -> int:
        from_s = self.kept.gone_s(regular.name)
        return sum(
            regular.key in each.keys and from_s < each.hand.ended_s <= regular.since
            for each in played
        )

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


def _rated(played: list[tuple[tuple[str, ...], list[int]]]) -> dict[str, list[float]]:
    if not can_rate():
        return {}
    from table_assist.regulars.ratings import courses

    return courses(played)
