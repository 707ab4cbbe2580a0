"""The nearest bigger hand: a win with one other set or pair; none that is nearer pays more."""

from collections import Counter
from dataclasses import replace

import pytest

from table_assist.game.hand_worth import nearest_bigger
from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ShownHand
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles

HANDS = (
    ("123m456m678m222m55s", "5s"),
    ("123m456m789m222s55m", "5m"),
    ("111m222m333p234p55s", "5s"),
    ("1122334455667m7m", "7m"),
    ("222m555p888s234s88p", "8p"),
    ("1155m2288p33s66s99s", "9s"),
)
ALL = ("changsha", "classical", "wanzhou", "tianjin", "changchun")


def hand(tiles: str, winning: str) -> ShownHand:
    return ShownHand(parse_tiles(tiles), parse_tile(winning), 1, 0, self_drawn=True)


def test_one_other_pair_makes_it_one_suit() -> None:
    rules = find_rules("changsha")
    shown = hand("123m456m678m222m55s", "2m")
    found = nearest_bigger(rules, shown)
    assert found is not None
    assert found.out == parse_tiles("55s")
    assert {tile.suit for tile in found.shown.concealed} == {Tile.M1.suit}
    assert "full_flush" in {each.id for each in found.verdict.patterns}


def less_far(rules: RuleSet, shown: ShownHand, tiles: int) -> list[int]:
    """What every win pays that differs in at most so many tiles; for one tile: all are tried."""
    paid, rest = [], list(shown.concealed)
    rest.remove(shown.winning_tile)
    for at in range(len(rest) * (tiles == 1)):
        for tile in rules.kinds:
            other = (*rest[:at], *rest[at + 1 :], tile, shown.winning_tile)
            if max(Counter(other).values()) <= 4:
                verdict = judge(rules, replace(shown, concealed=other))
                paid.append(verdict.payments[shown.winner] if verdict.valid else 0)
    return paid


@pytest.mark.parametrize("rules_id", ALL)
@pytest.mark.parametrize(("tiles", "winning"), HANDS)
def test_it_wins_and_pays_more_and_nothing_one_tile_away_does(
    rules_id: str, tiles: str, winning: str
) -> None:
    rules, shown = find_rules(rules_id), hand(tiles, winning)
    now, found = judge(rules, shown), nearest_bigger(rules, shown)
    if found is None:
        best = max(less_far(rules, shown, 1), default=0)
        assert not now.valid or best <= now.payments[1]
        return
    assert judge(rules, found.shown).payments[1] > now.payments[1]
    gone = Counter(shown.concealed) - Counter(found.shown.concealed)
    assert tuple(sorted(gone.elements())) == found.out
    assert shown.winning_tile in found.shown.concealed
    if len(found.out) > 1:
        assert max(less_far(rules, shown, 1)) <= now.payments[1]


def test_what_lies_open_four_times_cannot_come() -> None:
    rules, shown = find_rules("changsha"), hand("123m456m678m222m55s", "2m")
    found = nearest_bigger(rules, shown)
    assert found is not None
    again = nearest_bigger(rules, shown, found.instead[:1] * 4)
    assert again is None or found.instead[0] not in again.instead


def test_an_unread_tile_is_not_guessed() -> None:
    shown = hand("123m456m678m222m55s", "2m")
    unread = replace(shown, concealed=(Tile.UNKNOWN, *shown.concealed[1:]))
    assert nearest_bigger(find_rules("changsha"), unread) is None
