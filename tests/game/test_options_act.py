"""Options that are worth no points: what they change of a hand's course, each by its section."""

from random import Random

import pytest

from bench.hands import check
from table_assist.game.course import next_step
from table_assist.game.events import (
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    ReadyDeclared,
    Throw,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.places import columns_left, indicator, next_tile
from table_assist.game.start import hand_started
from table_assist.game.state import TableState
from table_assist.game.step import Act
from table_assist.rules import wall
from table_assist.rules.calls import award, refuse
from table_assist.rules.play_rules import LyingTile
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import Call, Circumstance, Claim, Offer
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from table_assist.twin.play.hand import play_hand
from tests.stages.course_table import then

T = parse_tiles


def ready_in_changchun() -> TableState:
    """Seat 1 has laid a pung and declared ready; the dice are on the table."""
    return replay(
        [
            DealerChosen(0),
            WallBuilt(),
            DiceRolled(0, (3, 4), Throw.BREAK),
            HandStarted(1, "changchun", 0, 69, 14),
            Discarded(0, Tile.P5),
            Claimed(1, MeldKind.PUNG, T("555p"), 0),
            ReadyDeclared(1),
            Discarded(1, Tile.EAST),
        ]
    )


# --- Changchun > Revealing the Treasure Tile: "place it facedown to the side"


def test_cc_29_who_comes_to_that_stack_draws_the_tile_below() -> None:
    state = then(ready_in_changchun(), IndicatorTurned(Tile.UNKNOWN, 12))
    hole = indicator(ready_in_changchun(), 12)
    assert hole is not None
    drawn = []
    while state.wall_left:
        drawn.append(next_tile(state))
        state = then(state, Drew(state.turn), Discarded(state.turn, Tile.UNKNOWN))
    assert hole not in drawn
    assert len(set(drawn)) == 68


def test_cc_31_a_column_counts_as_long_as_it_holds_a_tile() -> None:
    state = then(ready_in_changchun(), IndicatorTurned(Tile.UNKNOWN, 1), Drew(2))
    kong = then(state, KongDeclared(2, MeldKind.KONG_CONCEALED, Tile.M9), Drew(2))
    # The replacement is what was left of the last stack.
    assert columns_left(kong) == columns_left(state) - 1


# --- Changchun > Calling Tiles: "Every time a kong is declared, add two tiles to the dead wall"


@pytest.mark.parametrize(
    ("pick", "last"), [("two_in_row", [0, 0, 1, 2, 3]), ("first_and_fifth", [0, 1, 2, 3, 0])]
)
def test_cc_09_who_gets_the_last_tiles_of_the_deal(pick: str, last: list[int]) -> None:
    rules = find_rules("changchun").with_options({"last_deal_pick": pick})
    assert list(wall.dealt_in_order(rules, 0)[-5:]) == last


# --- Classical


def classical(**options: bool | int | str) -> TableState:
    return replay(
        [
            DealerChosen(0),
            WallBuilt(),
            HandStarted(1, "classical", 0, 75, 16, options=tuple(options.items())),
        ]
    )


def test_starting_with_cards_there_is_no_wall_but_heaps() -> None:
    rules = find_rules("classical").with_options({"equipment": "cards"})
    profile = plain_profile(rules)
    state = replay([DealerChosen(0)])
    assert "heap" in next_step(rules, state).words.en
    state = then(state, WallBuilt(), DiceRolled(0, (3, 3), Throw.BREAK))
    step = next_step(rules, state)
    assert step.act is Act.DEAL  # one throw names the heap, and no second one opens a wall
    assert step.words.en.startswith("6: cut the heap of seat 1")
    state = then(state, hand_started(profile, state, 0))
    assert next_tile(state) is None
    # Loose cards are made up from the bottom: the pack shrinks, fourteen stay out of play.
    kong = then(state, KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.M1), Drew(0))
    assert (state.wall.left, kong.wall.left, kong.wall.dead) == (77, 76, 14)


def test_starting_with_cards_hands_are_played_to_their_end() -> None:
    rules = find_rules("classical").with_options({"equipment": "cards", "draw_point": "all_drawn"})
    for number in range(3):
        play_hand(rules, TableState(), Random(f"cards {number}"), watch=check)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("deal_by", "own_hands", ""),
        ("deal_by", "east_deals", "The dealer hands the tiles out."),
        ("concealed_marking", "middle_turned", "the middle tile is turned over"),
        ("concealed_marking", "one_on_two", "one tile on two"),
    ],
)
def test_dealing_and_ending_a_round_7_8_the_step_says_how(
    option: str, value: str, words: str
) -> None:
    rules = find_rules("classical").with_options({option: value})
    state = replay(
        [
            DealerChosen(0),
            WallBuilt(),
            DiceRolled(0, (3, 3), Throw.BREAK),
            DiceRolled(1, (2, 2), Throw.SECOND_BREAK),
        ]
    )
    if option == "concealed_marking":
        state = then(classical(concealed_marking=value), WinDeclared(0))
    said = next_step(rules, state).words.en
    assert words in said
    assert ("hands the tiles out" in said) is (value == "east_deals")


def test_the_kong_1_and_discards_1_what_lies_face_down() -> None:
    kong = Meld(MeldKind.KONG_EXPOSED, T("5555p"))
    rules = find_rules("classical")
    assert rules.lying(rules.chosen) == LyingTile(marked=rules.lying(rules.chosen).marked)
    rules = rules.with_options(
        {"kong_from_discard_mark": "claimed_tile_down", "discard_face": "down"}
    )
    lying = rules.lying(rules.chosen)
    assert lying.faces(kong) == (*T("555p"), Tile.BACK)
    assert lying.discards_down


# --- All four city books


@pytest.mark.parametrize(
    ("call", "hand"), [(Call.PUNG, "55p"), (Call.KONG, "555p"), (Call.CHOW, "46p")]
)
@pytest.mark.parametrize("told", ["wall", "claim"])
def test_the_bottom_of_the_ocean_the_last_discard_is_only_won(
    call: Call, hand: str, told: str
) -> None:
    """Changsha: the rules of calls refuse by themselves what the offer at the table refuses."""
    rules = find_rules("changsha")
    offer = Offer(parse_tile("5p"), 0, 0, wall_remaining=0 if told == "wall" else None)
    said = frozenset({Circumstance.LAST_TILE}) if told == "claim" else frozenset()
    claim = Claim(1, call, T(hand), circumstances=said)
    refused = refuse(rules, offer, claim)
    assert refused is not None
    assert refused.id == "no_call_after_last_tile"
    assert award(rules, offer, [claim]).refused == ((claim, refused),)
