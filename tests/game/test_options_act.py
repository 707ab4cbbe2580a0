"""Options that are worth no points: what they change of a hand's course, each by its section."""

from random import Random

import pytest

from bench.hands import check
from table_assist.game.course import Act, next_step
from table_assist.game.events import (
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    EggLaid,
    HandShown,
    HandStarted,
    IndicatorTurned,
    IrregularityNoted,
    KongDeclared,
    ReadyDeclared,
    Throw,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.irregular import Irregularity, irregularities
from table_assist.game.outcome import end_of_hand, exhausted_event
from table_assist.game.places import columns_left, indicator, next_tile
from table_assist.game.ready import is_locked, is_ready
from table_assist.game.start import hand_started
from table_assist.game.state import TableState
from table_assist.rules import wall
from table_assist.rules.calls import Call, Claim, Offer, award, refuse
from table_assist.rules.profile import plain_profile
from table_assist.rules.reckoning import false_win
from table_assist.rules.registry import find_rules
from table_assist.rules.rounds import DeadHand
from table_assist.rules.shown import Circumstance
from table_assist.rules.tile_orientation import LyingTile
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from table_assist.twin.play.hand import play_hand
from tests.stages.course_table import DULL as DULL_DEALER
from tests.stages.course_table import dealt, then
from tests.stages.rulings import ruling_of

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


@pytest.mark.parametrize(("column", "left", "dead"), [(7, 69, 13), (8, 68, 14), (12, 68, 14)])
def test_cc_29_the_indicator_leaves_the_wall_where_it_lay(
    column: int, left: int, dead: int
) -> None:
    """The dead wall is the last seven stacks; beyond them the live wall has a tile less."""
    before = ready_in_changchun()
    was, columns = indicator(before, column), columns_left(before)
    state = then(before, IndicatorTurned(Tile.UNKNOWN, column))
    assert (state.wall.left, state.wall.dead) == (left, dead)
    now = indicator(state, column)
    assert was is not None
    assert now is not None
    assert (was.place, was.layer, now.layer) == (now.place, "top", "bottom")
    assert columns_left(state) == columns


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


def test_cc_29_what_it_was_is_told_of_the_same_tile() -> None:
    state = then(ready_in_changchun(), IndicatorTurned(Tile.UNKNOWN, 9))
    told = then(state, IndicatorTurned(Tile.P4, 9))
    assert told.wall == state.wall
    assert [each.tile for each in told.indicators] == [Tile.P4]
    assert told.treasures == (Tile.P5,)
    strange = then(state, IndicatorTurned(Tile.FLOWER3, 9))  # as a referee may have put on record
    assert strange.treasures == ()


def test_cc_31_a_column_counts_as_long_as_it_holds_a_tile() -> None:
    state = then(ready_in_changchun(), IndicatorTurned(Tile.UNKNOWN, 1), Drew(2))
    kong = then(state, KongDeclared(2, MeldKind.KONG_CONCEALED, Tile.M9), Drew(2))
    # The replacement is what was left of the last stack.
    assert columns_left(kong) == columns_left(state) - 1


# --- Changchun > Calling Tiles: "Every time a kong is declared, add two tiles to the dead wall"


@pytest.mark.parametrize(
    ("grows", "source", "left", "dead"),
    [
        ("kongs", "tail", 68, 14),
        ("kongs_and_eggs", "tail", 67, 15),
        ("kongs_and_eggs", "front", 66, 16),
    ],
)
def test_cc_17_an_egg_of_four_adds_to_the_dead_wall_where_that_is_agreed(
    grows: str, source: str, left: int, dead: int
) -> None:
    options = {"dead_wall_grows": grows, "kong_replacement_source": source}
    state = dealt("changchun", options=options)  # type: ignore[arg-type]
    state = then(state, EggLaid(0, T("ESWN")))
    assert (state.wall.left, state.wall.dead) == (left, dead)


@pytest.mark.parametrize(
    ("pick", "last"), [("two_in_row", [0, 0, 1, 2, 3]), ("first_and_fifth", [0, 1, 2, 3, 0])]
)
def test_cc_09_who_gets_the_last_tiles_of_the_deal(pick: str, last: list[int]) -> None:
    rules = find_rules("changchun").with_options({"last_deal_pick": pick})
    assert list(wall.dealt_in_order(rules, 0)[-5:]) == last


def test_cl_24_east_takes_the_first_and_the_third_top_tile() -> None:
    assert wall.dealt_in_order(find_rules("classical"), 2)[-5:] == (2, 3, 0, 1, 2)


# --- Classical


def classical(**options: bool | int | str) -> TableState:
    return replay(
        [
            DealerChosen(0),
            WallBuilt(),
            HandStarted(1, "classical", 0, 75, 16, options=tuple(options.items())),
        ]
    )


def test_discards_2_the_hand_is_over_when_all_hands_are_dead() -> None:
    state = classical()
    for seat in range(4):
        assert next_step(find_rules("classical"), state).act is not Act.NOBODY_WINS
        noted = IrregularityNoted(seat, "fourteen_tiles_after_discard", DeadHand.LONG)
        state = then(state, noted, Discarded(seat, Tile.M1))
    step = next_step(find_rules("classical"), state)
    assert step.act is Act.NOBODY_WINS
    assert step.words.en == "All hands are dead: the hand is drawn."
    ended = then(state, exhausted_event(end_of_hand(state)))
    assert ended.scores == (0, 0, 0, 0)


def test_irregularities_4_a_turn_is_forfeited_only_by_whose_turn_it_is() -> None:
    """Classical: "if it is the turn of the player in error he shall forfeit his turn"."""
    wrong = "discard_placed_among_concealed_tiles"
    state = then(classical(), Discarded(0, Tile.M1))
    assert then(state, IrregularityNoted(1, wrong)).turn == 2
    assert then(state, IrregularityNoted(3, wrong)).turn == 1
    rules = find_rules("classical")
    for on_turn in (True, False):
        ruling = ruling_of(rules, wrong, seat=1, dealer=0, on_turn=on_turn)
        assert ruling.consequences["turn_forfeited"] is on_turn
        assert ruling.consequences["tile_returned"] is True


def test_ending_a_round_1_and_2_a_hand_that_waits_is_announced_or_may_not_be() -> None:
    def declared(**options: bool) -> tuple[TableState, bool]:
        state = classical(**options)
        for seat in (0, 1, 2, 3):
            state = then(state, Drew(seat), Discarded(seat, Tile.EAST))
        flagged = irregularities(state, ReadyDeclared(0)) == (Irregularity.READY_FORBIDDEN,)
        return then(state, ReadyDeclared(0), Discarded(0, Tile.SOUTH)), flagged

    _, flagged = declared()
    assert flagged
    state, flagged = declared(announce_fishing=True)
    assert not flagged
    # It is an announcement, and no Standing Hand: it locks nothing and pays nothing.
    assert not is_ready(state, 0)
    assert not is_locked(state, 0)


@pytest.mark.parametrize("exposure", ["at_once", "before_next_claim_or_draw"])
def test_the_chow_2_the_set_is_exposed_at_once_or_before_the_next_claim_or_draw(
    exposure: str,
) -> None:
    hidden = Claimed(1, MeldKind.CHOW, (Tile.UNKNOWN, Tile.M4, Tile.UNKNOWN), 0)
    state = then(classical(chow_exposure=exposure), Discarded(0, Tile.M4))
    assert irregularities(state, hidden) == ()
    state = then(state, hidden)
    late = irregularities(state, Discarded(1, Tile.EAST))
    assert (late == ()) is (exposure != "at_once")
    state = then(state, Discarded(1, Tile.EAST), Drew(2), Discarded(2, Tile.EAST))
    owed = (Irregularity.CHOW_NOT_EXPOSED,)
    assert irregularities(state, Claimed(1, MeldKind.PUNG, T("EEE"), 2)) == owed
    state = then(state, Drew(3), Discarded(3, Tile.M9), Drew(0), Discarded(0, Tile.M9))
    assert irregularities(state, Drew(1)) == owed


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


@pytest.mark.parametrize("id", ["changchun", "changsha", "wanzhou", "tianjin"])
@pytest.mark.parametrize("points", [0, 50, 100, 777])
def test_initial_points_are_what_the_first_hand_begins_from(id: str, points: int) -> None:
    rules = find_rules(id).with_options({"starting_points": points})
    state = replay([DealerChosen(0), WallBuilt(), DiceRolled(0, (3, 4), Throw.BREAK)])
    state = then(state, hand_started(plain_profile(rules), state, 0))
    assert state.scores == (points,) * 4
    assert state.game.points == points
    _, ended = play_hand(rules, TableState(), Random(f"{id} points"), watch=check)
    assert sum(ended.scores) == 4 * points
    _, after = play_hand(rules, ended, Random(f"{id} more"), watch=check)
    assert sum(after.scores) == 4 * points


def test_tj_25_a_false_win_costs_the_amount_that_is_agreed() -> None:
    options = {"false_win_penalty": "custom", "false_win_amount": 7}
    rules = find_rules("tianjin").with_options(options)
    assert false_win(rules, seat=2, dealer=0).transfers == (7, 7, -21, 7)


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


# --- Found by 10,000 hands of the differential


def test_a_hand_that_is_whole_after_a_claim_has_drawn_nothing() -> None:
    """Changsha: a player chows, and what is left are sets and a pair: that is no self-drawn win."""
    state = dealt("changsha", wall_left=20)
    state = then(state, Discarded(0, Tile.M8), Claimed(1, MeldKind.CHOW, T("789m"), 0))
    hand = T("123p 456p 789s 55s")
    state = then(state, WinDeclared(1), HandShown(1, hand, Tile.S5, self_drawn=True))
    verdict = end_of_hand(state).verdicts[1]
    assert [refusal.id for refusal in verdict.refusals][:1] == ["nothing_drawn"]


def test_lucky_eggs_what_replaced_a_tile_of_an_egg_was_not_dealt() -> None:
    """Changchun > Restriction: a second egg with the replacement of the first is none."""
    state = dealt("changchun", DULL_DEALER, "19m 19p 19s 1s ESWN CC 3m")
    state = then(state, EggLaid(1, T("ESWN")), Drew(1, Tile.WHITE))
    assert irregularities(state, EggLaid(1, T("19m1p1s"))) == ()
    hand = state.seats[1].concealed
    assert hand is not None
    assert hand[-1] is Tile.WHITE
    assert irregularities(state, EggLaid(1, T("1m1pCP"))) == (Irregularity.EGG_FORBIDDEN,)
