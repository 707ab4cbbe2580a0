"""Predicates over one reading of a hand that more than one rule set uses."""

from table_assist.rules.options import Options
from table_assist.rules.shown import ShownHand
from table_assist.rules.win import Win
from table_assist.tiles.counts import kinds_of
from table_assist.tiles.divide import (
    NO_TRIPLETS,
    PAIRS,
    SETS_AND_PAIR,
    SEVEN_PAIRS,
    Division,
    divide_counted,
    pairs_counted,
)
from table_assist.tiles.tile import HONOURS, SUITED

# Every kind that is not of the suit.
_OTHER_THAN = tuple(
    kinds_of(tile for tile in SUITED + HONOURS if tile.suit != suit) for suit in "mps"
)


def any_tiles(win: Win) -> bool:
    """Any tiles do: only how the win came about counts."""
    return True


def no_tiles(win: Win) -> bool:
    """None: whether it is met is a matter of how the win came about."""
    return False


def four_sets_in(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    """Every way to read four sets and a pair."""
    return divide_counted(counts)


def seven_pairs_in(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    """Every way to read seven pairs; beside melds there is none."""
    return () if shown.melds else pairs_counted(counts)


def sets_and_pair(win: Win) -> bool:
    """Read as four sets and a pair."""
    return win.division.shape == SETS_AND_PAIR


def seven_pairs(win: Win) -> bool:
    """Read as seven pairs."""
    return win.division.shape == SEVEN_PAIRS


def dragon_pairs(win: Win) -> bool:
    """Read as seven pairs, of which two are alike."""
    return seven_pairs(win) and fours_in_pairs(win) > 0


def all_pungs(win: Win) -> bool:
    """Four sets, all of them pungs or kongs."""
    return not win.parts & NO_TRIPLETS and win.division.shape == SETS_AND_PAIR


def full_flush(win: Win) -> bool:
    """Every tile of one suit."""
    kinds = win.kinds
    characters, dots, bamboo = _OTHER_THAN
    return not (kinds & characters and kinds & dots and kinds & bamboo)


def fully_claimed(win: Win) -> bool:
    """Four melds, each made with another player's tile: one tile was left in hand."""
    return len(win.shown.melds) == 4 and all(meld.kind.is_claimed for meld in win.shown.melds)


def fours_in_pairs(win: Win) -> int:
    """How many kinds fill two of the seven pairs."""
    return 7 - (win.parts >> PAIRS).bit_count()
