"""Ratings of a club's players: a round at a table is a game of four (`regulars.ratings`)."""

from collections.abc import Iterable
from dataclasses import dataclass

from table_assist.club.standing import PlayedStretch
from table_assist.regulars.ratings import courses


@dataclass(frozen=True, slots=True)
class RatingStep:
    """A rating after a round."""

    session: int
    round: int
    shown: float


@dataclass(frozen=True, slots=True)
class Rated:
    """A player.

    Attributes:
        shown: in points of openskill, near 0 for who is new; 25 and more for the strong.
        course: round after round.
    """

    player: int
    shown: float
    course: tuple[RatingStep, ...]

    @property
    def games(self) -> int:
        """How many rounds it rests on."""
        return len(self.course)


def ratings(stretches: Iterable[PlayedStretch]) -> list[Rated]:
    """Of everybody who was seated by the club and played; the best first.

    Args:
        stretches: of all logs. They are taken by the numbers of session and round; in one round as
            their log has them. A table's clock orders nothing.
    """
    played = [each for each in stretches if each.session and each.hands]
    played.sort(key=lambda one: (one.session, one.round))
    steps: dict[int, list[RatingStep]] = {}
    shown = courses((each.players, each.points) for each in played)
    for each in played:
        for player in each.players:
            own = steps.setdefault(player, [])
            own.append(RatingStep(each.session, each.round, shown[player][len(own)]))
    found = [Rated(player, own[-1].shown, tuple(own)) for player, own in steps.items()]
    return sorted(found, key=lambda each: (-each.shown, each.player))
