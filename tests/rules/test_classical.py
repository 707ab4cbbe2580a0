"""Chinese Classical beside the golden cases: the words, the winds, what cannot be."""

import pytest

from bench.cases.run import run_case
from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules
from table_assist.rules.rounds import HandValues, RoundNext, RoundResult
from table_assist.rules.sets.classical.limits import SPECIAL_HANDS
from table_assist.rules.shown import ShownHand
from table_assist.tiles.melds import parse_meld
from table_assist.tiles.tile import Tile, parse_tiles

CLASSICAL = find_rules("classical")


def answer(kind: str, **given: object) -> dict[str, object]:
    case = {"id": "a", "ruleset": "classical", "kind": kind, "given": given, "expect": {"x": 1}}
    return dict(run_case(case).got)


def shown(concealed: str, tile: Tile, *melds: tuple[str, str]) -> ShownHand:
    return ShownHand(
        concealed=parse_tiles(concealed),
        winning_tile=tile,
        winner=1,
        dealer=0,
        melds=tuple(parse_meld(*meld) for meld in melds),
        discarder=2,
    )


def test_points_and_doubles_are_told_step_by_step() -> None:
    verdict = judge(CLASSICAL, shown("222s 99s 678p", Tile.P8, ("pung", "PPP"), ("chow", "123m")))
    assert [step.en for step in verdict.steps] == [
        "Points: going out 20 + sets 8 = 28.",
        "Doubles: Pung of White Dragons 1. 28 × 2^1 = 56.",
        "Seat 0 pays seat 1: 56 × 2 = 112.",
        "Seat 2 pays seat 1: 56.",
        "Seat 3 pays seat 1: 56.",
    ]
    assert all(step.zh for step in verdict.steps)


def test_the_limit_is_told() -> None:
    small = CLASSICAL.with_options({"limit": 50})
    hand = shown("222s 99s 678p", Tile.P8, ("pung", "PPP"), ("chow", "123m"))
    assert judge(small, hand).steps[1].en.endswith("28 × 2^1 = 56, limit 50.")
    orphans = shown("119m 19p 19s ESWNCFP", Tile.M1)
    assert judge(small, orphans).steps[0].en == "Limit hand (Thirteen Unique Wonders): 50."


def test_what_is_not_from_the_document_says_so() -> None:
    ours = [pattern for pattern in CLASSICAL.patterns if "not in the document" in pattern.source]
    named = {"limit_heavenly_blessing", "limit_first_discard"}
    assert {pattern.id for pattern in CLASSICAL.patterns} - {each.id for each in ours} == named


def test_every_special_hand_is_an_option() -> None:
    options = {option.name: option for option in CLASSICAL.options}
    for special in SPECIAL_HANDS:
        assert options[special.option].default is special.played
        assert set(options[special.option].values) == {True, False}


def test_a_whole_game_without_luck_takes_sixteen_hands() -> None:
    """Each seat is East once under each wind."""
    assert CLASSICAL.next_round is not None
    now, played = RoundNext(2, Tile.EAST), []
    while now.east is not None:
        played.append((now.east, now.prevailing))
        winner = (now.east + 2) % 4
        now = CLASSICAL.next_round(
            RoundResult(now.east, 2, now.prevailing, winner), CLASSICAL.chosen
        )
    assert len(set(played)) == len(played) == 16
    assert [str(wind) for _, wind in played[::4]] == ["E", "S", "W", "N"]
    assert now.game_over


@pytest.mark.parametrize(
    ("held", "order"),
    [({"1": "1f 2q", "0": "3f"}, [1, 1, 0]), ([0, 3], [3, 0]), ({}, [])],
)
def test_dealt_bonus_tiles_are_replaced_in_turn_from_east(held: object, order: list[int]) -> None:
    assert answer("deal", east=1, bonus_held=held) == {"draw_order": order}


def test_a_dead_hand_at_a_draw_pays_nothing() -> None:
    assert CLASSICAL.settle_values is not None
    hands = HandValues((9, 9, 9, 9), None, 0)
    assert CLASSICAL.settle_values(hands, CLASSICAL.chosen).transfers == (0, 0, 0, 0)
