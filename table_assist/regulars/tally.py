"""People's sums in the logs, by rule set: hands, wins, points; a fold of the hands played.

A person is known by name (`kept.key_of`): whoever said it when sitting down, or whom the settings
list. Who has none is nobody.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from table_assist.game.people import Names, called
from table_assist.game.state import SEATS
from table_assist.record.history import PlayedHand
from table_assist.regulars.kept import Regular, key_of

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
