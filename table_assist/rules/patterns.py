"""Predicates over one reading of a hand that more than one rule set uses."""

from table_assist.hand.divide import SETS_AND_PAIR, SEVEN_PAIRS
from table_assist.rules.ruleset import Win


def sets_and_pair(win: Win) -> bool:
    """Read as four sets and a pair."""
    return win.division.shape == SETS_AND_PAIR


def seven_pairs(win: Win) -> bool:
    """Read as seven pairs."""
    return win.division.shape == SEVEN_PAIRS


def all_pungs(win: Win) -> bool:
    """Four sets, all of them pungs or kongs."""
    return sets_and_pair(win) and all(part.is_triplet for part in win.sets)


def full_flush(win: Win) -> bool:
    """Every tile of one suit."""
    suits = {tile.suit for tile in win.tiles}
    return len(suits) == 1 and win.tiles[0].is_suited


def fully_claimed(win: Win) -> bool:
    """Four melds, each made with another player's tile: one tile was left in hand."""
    return len(win.shown.melds) == 4 and all(meld.kind.is_claimed for meld in win.shown.melds)


def fours_in_pairs(win: Win) -> int:
    """How many kinds fill two of the seven pairs."""
    faces = [pair.tiles for pair in win.pairs]
    return sum(faces.count(face) == 2 for face in set(faces))
