"""Ratings of players by openskill (Plackett and Luce): a round at a table is a game of four.

A rating is a guess with its doubt; what is shown is the guess less three times the doubt, so that
who has played little stands low and not high.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

from table_assist.club.standing import Stretch


@dataclass(frozen=True, slots=True)
class Rated:
    """A player.

    Attributes:
        shown: in points of openskill, near 0 for who is new; 25 and more for the strong.
    """

    player: int
    shown: float
    games: int


def ratings(stretches: Iterable[Stretch]) -> list[Rated]:
    """Of everybody who was seated by the club and played; the best first.

    Args:
        stretches: of all logs; they are taken in the order in which they ended.
    """
    model = PlackettLuce()
    known: dict[int, PlackettLuceRating] = {}
    games: dict[int, int] = {}
    played = [each for each in stretches if each.session and each.hands]
    for each in sorted(played, key=lambda one: (one.ended_t, one.players)):
        teams = [[known.get(player) or model.rating()] for player in each.players]
        points = [float(moved) for moved in each.points]
        for player, (new,) in zip(each.players, model.rate(teams, scores=points), strict=True):
            known[player] = new
            games[player] = games.get(player, 0) + 1
    found = [Rated(player, rating.ordinal(), games[player]) for player, rating in known.items()]
    return sorted(found, key=lambda each: (-each.shown, each.player))
