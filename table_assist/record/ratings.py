"""Ratings by openskill (Plackett and Luce): what four played together is a game.

A rating is a guess with its doubt; what is shown is the guess less three times the doubt, so that
who has played little stands low and not high.
"""

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from openskill.models import PlackettLuce

MODEL = PlackettLuce()
REMEMBERED = 1 << 15  # games: while one table plays, those before it are not reckoned again
Guess = tuple[float, float]  # mu, sigma
Player = TypeVar("Player", bound=Hashable)


def courses(games: Iterable[tuple[Sequence[Player], Sequence[int]]]) -> dict[Player, list[float]]:
    """Everybody's rating after each game that was played, in points of openskill.

    Near 0 for who is new; 25 and more for the strong.

    Args:
        games: who played, and everybody's points; in order.
    """
    new = MODEL.rating()
    known: dict[Player, Guess] = {}
    found: dict[Player, list[float]] = {}
    for players, points in games:
        before = tuple(known.get(player, (new.mu, new.sigma)) for player in players)
        for player, guess in zip(players, _after(before, tuple(points)), strict=True):
            known[player] = guess
            found.setdefault(player, []).append(guess[0] - 3 * guess[1])
    return found


@lru_cache(maxsize=REMEMBERED)
def _after(before: tuple[Guess, ...], points: tuple[int, ...]) -> tuple[Guess, ...]:
    """The guesses of those who played, after a game."""
    teams = [[MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    rated = MODEL.rate(teams, scores=[float(each) for each in points])
    return tuple((one.mu, one.sigma) for (one,) in rated)
