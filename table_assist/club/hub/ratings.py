"""Ratings of players by openskill (Plackett and Luce): a round at a table is a game of four.

A rating is a guess with its doubt; what is shown is the guess less three times the doubt, so that
who has played little stands low and not high.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from openskill.models import PlackettLuce

from table_assist.club.standing import Stretch

MODEL = PlackettLuce()
REMEMBERED = 1 << 15  # games: while one table plays, those before it are not reckoned again
Guess = tuple[float, float]  # mu, sigma


@dataclass(frozen=True, slots=True)
class Step:
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
    course: tuple[Step, ...]

    @property
    def games(self) -> int:
        """How many rounds it rests on."""
        return len(self.course)


def ratings(stretches: Iterable[Stretch]) -> list[Rated]:
    """Of everybody who was seated by the club and played; the best first.

    Args:
        stretches: of all logs. They are taken by the numbers of session and round; in one round as
            their log has them. A table's clock orders nothing.
    """
    new = MODEL.rating()
    known: dict[int, Guess] = {}
    course: dict[int, list[Step]] = {}
    played = [each for each in stretches if each.session and each.hands]
    for each in sorted(played, key=lambda one: (one.session, one.round)):
        before = tuple(known.get(player, (new.mu, new.sigma)) for player in each.players)
        for player, guess in zip(each.players, _after(before, tuple(each.points)), strict=True):
            known[player] = guess
            shown = guess[0] - 3 * guess[1]
            course.setdefault(player, []).append(Step(each.session, each.round, shown))
    found = [Rated(player, steps[-1].shown, tuple(steps)) for player, steps in course.items()]
    return sorted(found, key=lambda each: (-each.shown, each.player))


@lru_cache(maxsize=REMEMBERED)
def _after(before: tuple[Guess, ...], points: tuple[int, ...]) -> tuple[Guess, ...]:
    """The guesses of those who played, after a game."""
    teams = [[MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    rated = MODEL.rate(teams, scores=[float(each) for each in points])
    return tuple((one.mu, one.sigma) for (one,) in rated)
