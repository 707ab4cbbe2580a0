"""Changchun beside the golden cases: what is paid in words, and what is no egg, throw or wall."""

import pytest

from table_assist.rules.judge import judge
from table_assist.rules.reckoning import pay_laid
from table_assist.rules.registry import find_rules
from table_assist.rules.settlement import Laid, LaidIn, LaidKind
from table_assist.rules.shown import Circumstance, ReadyHand, ShownHand
from table_assist.rules.waiting import declare_ready
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.course_table import parse_meld

CHANGCHUN = find_rules("changchun")
PUNG = parse_meld("pung", "555p")


def test_the_arithmetic_is_told_step_by_step() -> None:
    shown = ShownHand(
        concealed=parse_tiles("123m 99m 234s 678p"),
        winning_tile=Tile.P7,
        winner=1,
        dealer=0,
        melds=(PUNG,),
        self_drawn=True,
        circumstances=frozenset({Circumstance.READY_DECLARED}),
        treasures=(Tile.P7,),
    )
    assert [step.en for step in judge(CHANGCHUN, shown).steps] == [
        "Multipliers: Clamp Win × 2, Self-Draw × 2, Treasure Tile Win × 2, "
        "Straight to the Treasure × 2, Treasure Inside Treasure × 8.",
        "The hand is worth 1 × 2 × 128 = 256.",
        "Seat 0 pays seat 1: 1 × 2 × 128 × 2 = 512.",
        "Seat 2 pays seat 1: 1 × 2 × 128 = 256.",
        "Seat 3 pays seat 1: 1 × 2 × 128 = 256.",
    ]
    assert all(step.zh for step in judge(CHANGCHUN, shown).steps)


def test_the_cap_is_told() -> None:
    shown = ShownHand(
        concealed=parse_tiles("222m 333m 444m 77p"),
        winning_tile=Tile.P7,
        winner=1,
        dealer=0,
        melds=(parse_meld("pung", "999s"),),
        discarder=0,
        circumstances=frozenset({Circumstance.READY_DECLARED}),
        treasures=(Tile.P7,),
    )
    assert judge(CHANGCHUN, shown).steps[-1].en.endswith("1 × 2 × 256 × 2 = 1024, at most 1000.")
    whole = CHANGCHUN.with_options({"cap_scope": "winner_total"})
    assert judge(whole, shown).payments == (-1000, 1000, 0, 0)


def test_nobody_pays_a_part_of_a_point() -> None:
    """A third of the cap is rounded down, so the winner gets 999."""
    shown = ShownHand(
        concealed=parse_tiles("222m 333m 444m 77p"),
        winning_tile=Tile.P7,
        winner=0,
        dealer=0,
        melds=(parse_meld("pung", "999s"),),
        self_drawn=True,
        circumstances=frozenset({Circumstance.READY_DECLARED}),
        treasures=(Tile.P7,),
    )
    whole = CHANGCHUN.with_options({"cap_scope": "winner_total"})
    assert judge(whole, shown).payments == (999, -333, -333, -333)


@pytest.mark.parametrize(
    ("tiles", "supplements", "words"),
    [
        ("CCF", "", "CCF is no lucky egg"),
        ("CFP", "E", "no lucky egg"),
        ("CFP", "CCCC", "five times"),
    ],
)
def test_what_is_no_egg_is_not_paid(tiles: str, supplements: str, words: str) -> None:
    egg = Laid(
        LaidKind.LUCKY_EGG, 1, tiles=parse_tiles(tiles), supplements=parse_tiles(supplements)
    )
    with pytest.raises(ValueError, match=words.replace("CCF", "C C F")):
        pay_laid(CHANGCHUN, [egg], LaidIn(0))


@pytest.mark.parametrize(
    ("concealed", "refusal"),
    [
        ("123m 99m 234s 6p ?", "unknown_tile"),
        ("123m 99m 234s 6p 1f", "tile_set"),
        ("123m 99m 234s 678p", "tile_count"),
        ("123m 99m 234s 55p", "tile_limit"),
    ],
)
def test_a_ready_hand_is_one_of_tiles_first(concealed: str, refusal: str) -> None:
    verdict = declare_ready(CHANGCHUN, ReadyHand(parse_tiles(concealed), (PUNG,)))
    assert [each.id for each in verdict.refusals] == [refusal]
    assert not verdict.ready


def test_an_unread_egg_is_not_called_wrong() -> None:
    """A supplement that nobody could read leaves the verdict open."""
    shown = ShownHand(
        concealed=parse_tiles("123m 55s 678p"),
        winning_tile=Tile.P8,
        winner=1,
        dealer=0,
        melds=(parse_meld("lucky_egg", "CFP", "?"), parse_meld("pung", "444s")),
        discarder=2,
    )
    verdict = judge(CHANGCHUN, shown)
    assert [each.id for each in verdict.refusals] == ["unknown_tile"]
    assert {completion.tiles for completion in verdict.completions} == {
        (Tile.RED,),
        (Tile.GREEN,),
        (Tile.WHITE,),
    }


@pytest.mark.parametrize("must_open", [False, True])
def test_cc_25_the_treasure_pays_nobody_who_could_not_have_declared_ready(must_open: bool) -> None:
    shown = ShownHand(
        concealed=parse_tiles("123m 999m 234s 678p 99p"),
        winning_tile=Tile.P7,
        winner=1,
        dealer=0,
        self_drawn=True,
        circumstances=frozenset({Circumstance.READY_DECLARED}),
        treasures=(Tile.P7,),
    )
    verdict = judge(CHANGCHUN.with_options({"ready_requires_open": must_open}), shown)
    assert verdict.valid
    assert ("treasure_tile_win" in {each.id for each in verdict.patterns}) is not must_open
