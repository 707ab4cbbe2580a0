"""The rules' answers: a verdict on one hand, a settlement of all that won."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from table_assist.languages.words import Words
from table_assist.tiles.divide import Division
from table_assist.tiles.tile import Tile, Tiles

# The points that move between the four seats; positive receives, the sum is zero.
Transfers = tuple[int, int, int, int]
NO_TRANSFERS: Transfers = (0, 0, 0, 0)


@cache
def book_data(name: str) -> dict[str, Any]:
    """What a file in ``sets/`` holds."""
    return tomllib.loads((Path(__file__).parent / "sets" / name).read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Counted:
    """A pattern met, and what it counts."""

    id: str
    names: Words
    value: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """One requirement that a hand fails.

    Attributes:
        id: ``unknown_tile``, ``tile_set``, ``tile_count``, ``tile_limit``, ``winning_tile``,
            ``discarder``, ``meld_invalid``, ``chow_meld``, ``wild_tiles``, ``wild_in_meld``,
            ``structure`` or a condition's id.
        words: what is wrong, with the tiles.
    """

    id: str
    words: Words

    @classmethod
    def of(cls, which: str, **given: object) -> "Refusal":
        """The refusal of that name in ``sets/common.toml``, its words filled in."""
        en, zh = book_data("common.toml")["refused"][which]
        return cls(which.partition("-")[0], Words(en, zh, **given))


@dataclass(frozen=True, slots=True)
class Completion:
    """Faces of the unread tiles that would make the hand a win.

    Attributes:
        tiles: a face for each unread tile: those in hand (ascending), in melds, among the birds.
        winning_tile: the winning tile, if that is one of them.
    """

    tiles: Tiles
    winning_tile: Tile
    total: int
    payments: Transfers
    patterns: tuple[Counted, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of a verdict.

    Attributes:
        refusals: every failed requirement, the most basic first; empty for a valid hand.
        steps: the arithmetic in words.
        division: the reading that pays best.
    """

    refusals: tuple[Refusal, ...] = ()
    steps: tuple[Words, ...] = ()
    division: Division | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a shown hand wins, and what it is paid; else everything that is wrong with it.

    The words are found when somebody asks for them, which most verdicts never meet.

    Attributes:
        explain: what there is to say about it; the same whenever it is called.
        patterns: what counts, in the rule set's order.
        total: what one payer owes when nothing that lies between payer and winner applies.
        payments: by seat, positive receives, sum zero; for this hand alone.
        figures: the numbers behind the total, such as ``bird_multiplier``.
        completions: for a hand with unread tiles, each way to a win.
    """

    valid: bool
    explain: Callable[[], Explanation] = field(compare=False, repr=False)
    patterns: tuple[Counted, ...] = ()
    total: int = 0
    payments: Transfers = NO_TRANSFERS
    figures: Mapping[str, int] = field(default_factory=dict)
    completions: tuple[Completion, ...] = ()

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Every failed requirement, the most basic first; empty for a valid hand."""
        return () if self.valid else self.explain().refusals

    @property
    def steps(self) -> tuple[Words, ...]:
        """The arithmetic in words."""
        return self.explain().steps if self.valid else ()

    @property
    def division(self) -> Division | None:
        """The reading that pays best."""
        return self.explain().division if self.valid else None


def refused(
    refusals: tuple[Refusal, ...],
    figures: Mapping[str, int] | None = None,
    completions: tuple[Completion, ...] = (),
) -> Verdict:
    """The verdict on a hand that is no win for these reasons."""
    explanation = Explanation(refusals)
    return Verdict(False, lambda: explanation, figures=figures or {}, completions=completions)


@dataclass(frozen=True, slots=True)
class Birds:
    """The tiles turned after a win, and the seats that they name.

    Attributes:
        hits: how many of them count for this winner.
        factors: by which each seat's payment is multiplied: the multiplier, unless a rule says
            otherwise.
    """

    tiles: Tiles
    seats: tuple[int, ...]
    hits: int
    multiplier: int
    factors: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Settlement:
    """The payments for the hands shown on one tile, together.

    Attributes:
        verdicts: by seat, of every hand shown.
        winners: the seats that are paid, the nearest after the discarder first.
        birds: by winner, where the rules turn tiles and some were turned.
        steps: the arithmetic in words, winner after winner.
    """

    payments: Transfers
    verdicts: Mapping[int, Verdict]
    winners: tuple[int, ...]
    birds: Mapping[int, Birds]
    steps: tuple[Words, ...] = ()

    @property
    def totals(self) -> dict[int, int]:
        """Each winner's worth, as in its verdict."""
        return {seat: self.verdicts[seat].total for seat in self.winners}


@dataclass(frozen=True, slots=True)
class StartingHand:
    """The payment for a dealt hand before play.

    Attributes:
        wins: what scores in it, in the rule set's order.
        refusals: why nothing can be said of it; then there are no wins.
        birds_drawn: whether tiles are turned for it.
        hand_continues: whether the hand is played on with the same tiles.
    """

    wins: tuple[Counted, ...]
    payments: Transfers
    refusals: tuple[Refusal, ...] = ()
    steps: tuple[Words, ...] = ()
    birds_drawn: bool = False
    hand_continues: bool = True
