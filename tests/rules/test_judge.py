"""The judge beside the golden cases: unread tiles, invariants, contradictions, many wild tiles."""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.game.events import Discarded, HandTold
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import SEATS, TableState
from table_assist.game.win import circumstances, counted_left, discard_round, wall_after
from table_assist.languages.words import Words
from table_assist.rules.by_hand.typed import JudgedHand, TypedHand, answer
from table_assist.rules.judge import judge
from table_assist.rules.options import Options
from table_assist.rules.play_rules import LosingHand
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.rules.shown_hand_validity import discarder_refusals, fact_refusals
from table_assist.rules.win import Condition, Pattern
from table_assist.tiles.divide import Division, divide
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import SUITED, Tile, format_tiles, parse_tile, parse_tiles
from tests.stages.course_table import parse_meld
from tests.stages.evenings import IDS, evening
from tests.stages.told import that_fit
from tests.stages.web_fakes import Evening, opened

# The judge: all refusals, the best reading, unread tiles, money that adds up.

CHANGSHA = find_rules("changsha")
CHOW = parse_meld("chow", "123m")
HAND = "456p 789s 234s 55p"


def shown(text: str = HAND, *melds: Meld, tile: str = "4s", **changes: object) -> ShownHand:
    """Seat 1 wins on seat 2's discard; seat 0 deals."""
    if not melds and len(parse_tiles(text)) < 13:
        melds = (CHOW,)
    hand = ShownHand(
        concealed=parse_tiles(text),
        winning_tile=parse_tile(tile),
        winner=1,
        dealer=0,
        melds=melds,
        discarder=2,
    )
    return replace(hand, **changes)  # type: ignore[arg-type]


def refusals(hand: ShownHand, rules: RuleSet = CHANGSHA) -> list[str]:
    return [refusal.id for refusal in judge(rules, hand).refusals]


# Unread tiles


def test_completions_are_the_faces_that_win_and_what_they_pay() -> None:
    hand = shown("345m 456m 678m 2m ?", tile="3m")
    found = judge(CHANGSHA, hand).completions
    by_trying = {}
    for face in SUITED:
        verdict = judge(CHANGSHA, replace(hand, concealed=(*hand.concealed[:-1], face)))
        if verdict.valid:
            by_trying[(face,)] = (verdict.total, verdict.payments)
    assert {each.tiles: (each.total, each.payments) for each in found} == by_trying
    assert by_trying


@pytest.mark.parametrize("unread", ["?", "#"])
def test_an_unread_winning_tile_may_be_any_that_fits(unread: str) -> None:
    hand = shown(f"456p 789s 23s 55p {unread}", tile=unread)
    found = judge(CHANGSHA, hand).completions
    assert [(format_tiles(each.tiles), str(each.winning_tile)) for each in found] == [
        ("1s", "1s"),
        ("4s", "4s"),
    ]


# Invariants over random hands

tiles = st.sampled_from(SUITED)
melds = st.builds(
    Meld, st.sampled_from(list(MeldKind)), st.lists(tiles, max_size=5).map(tuple)
) | tiles.map(lambda tile: Meld(MeldKind.PUNG, (tile,) * 3))
anything = st.builds(
    ShownHand,
    concealed=st.lists(st.sampled_from(list(Tile)) | tiles, max_size=15).map(tuple),
    winning_tile=st.sampled_from(list(Tile)),
    winner=st.just(1),
    dealer=st.integers(0, 3),
    melds=st.lists(melds, max_size=5).map(tuple),
    self_drawn=st.booleans(),
    discarder=st.sampled_from([None, 0, 2, 3]),
    circumstances=st.frozensets(st.sampled_from(list(Circumstance)), max_size=3),
    birds=st.none() | st.lists(st.sampled_from(list(Tile)), max_size=3).map(tuple),
)


@settings(max_examples=300)
@given(anything, st.sampled_from(rule_sets()))
def test_no_hand_brings_the_judge_down(hand: ShownHand, rules: RuleSet) -> None:
    verdict = judge(rules, hand)
    assert verdict.valid == (not verdict.refusals)
    assert sum(verdict.payments) == 0
    assert all(refusal.words.en and refusal.words.zh for refusal in verdict.refusals)


told = st.lists(
    st.sampled_from(
        ["last_tile", "after_kong", "after_kong_discard", "robbing_kong", "first_turn"]
    ),
    max_size=2,
    unique=True,
)


@st.composite
def wins(draw: st.DrawFn) -> ShownHand:
    """Hands that win: sets and a General pair, or seven pairs."""
    text, tile = draw(
        st.sampled_from(
            [
                (HAND, "4s"),
                ("345m 456m 678m 22m", "3m"),
                ("111p 444p 777s 999m 33s", "3s"),
                ("11m 33m 44p 66p 77s 9999s", "9s"),
                ("11m 33m 44p 66p 77s 88s 99s", "1m"),
                ("22588m 258p 288s 555s", "2m"),
            ]
        )
    )
    concealed = parse_tiles(text)
    discarder = draw(st.sampled_from([None, 0, 2, 3]))
    melds = (CHOW,) if len(concealed) == 11 else ()
    held = [*concealed, *(each for meld in melds for each in meld.tiles)].count(parse_tile(tile))
    return ShownHand(
        concealed=concealed,
        winning_tile=parse_tile(tile),
        winner=1,
        dealer=draw(st.integers(0, 3)),
        melds=melds,
        self_drawn=discarder is None,
        discarder=discarder,
        circumstances=frozenset(
            map(
                Circumstance,
                that_fit(draw(told), self_drawn=discarder is None, held=held),
            )
        ),
        birds=draw(st.none() | st.sampled_from([parse_tiles("2p 3p"), parse_tiles("1p 8p")])),
    )


@given(wins(), st.integers(1, 3))
def test_turning_the_table_turns_the_payments(hand: ShownHand, turn: int) -> None:
    def on(seat: int) -> int:
        return (seat + turn) % 4

    turned = replace(
        hand,
        winner=on(hand.winner),
        dealer=on(hand.dealer),
        discarder=None if hand.discarder is None else on(hand.discarder),
    )
    before, after = judge(CHANGSHA, hand), judge(CHANGSHA, turned)
    assert before.valid
    assert [after.payments[on(seat)] for seat in range(4)] == list(before.payments)
    assert (after.total, after.patterns) == (before.total, before.patterns)


@given(wins(), st.permutations([0, 1, 2]), st.randoms(use_true_random=False))
def test_neither_the_order_of_tiles_nor_the_names_of_suits_matter(
    hand: ShownHand, suits: list[int], random: Random
) -> None:
    def dressed(tile: Tile) -> Tile:
        return Tile(9 * suits[tile // 9] + tile % 9)

    changed = replace(
        hand,
        concealed=tuple(
            dressed(tile) for tile in random.sample(hand.concealed, len(hand.concealed))
        ),
        winning_tile=dressed(hand.winning_tile),
        melds=tuple(Meld(meld.kind, tuple(map(dressed, meld.tiles))) for meld in hand.melds),
        birds=None if hand.birds is None else tuple(map(dressed, hand.birds)),
    )
    before, after = judge(CHANGSHA, hand), judge(CHANGSHA, changed)
    assert (before.payments, before.patterns) == (after.payments, after.patterns)


# What a rule set is


def test_a_rule_set_with_a_slip_is_refused_at_once() -> None:
    pattern = CHANGSHA.patterns[0]
    with pytest.raises(ValueError, match="has the pattern 'small_win' twice"):
        replace(CHANGSHA, patterns=(*CHANGSHA.patterns, pattern))
    with pytest.raises(ValueError, match="implies 'smal_win', which is none"):
        replace(CHANGSHA, patterns=(pattern, replace(pattern, id="x", implies=("smal_win",))))
    with pytest.raises(ValueError, match="its own default"):
        replace(CHANGSHA.options[0], default="nobody")


def test_a_condition_on_tiles_alone_is_tried_without_a_reading() -> None:
    """Both the shape and such a condition are refused; one that needs a reading is not tried."""
    words = Words("No bamboo.", "缺条。")
    rules = replace(
        CHANGSHA,
        laws=(),
        conditions=(
            Condition(
                "bamboo", lambda win: any(t.suit == "s" for t in win.tiles), words, "", False
            ),
            Condition("reading", lambda win: len(win.sets) == 4, words, ""),
        ),
    )
    assert refusals(shown("147m 258m 14p 258p", tile="1m"), rules) == ["structure", "bamboo"]


def test_the_winning_tile_fills_one_part_where_the_rules_ask() -> None:
    """3m completes the chow or the pung, not both; the better place counts."""
    pung = Pattern(
        "fills_pung",
        Words("", ""),
        1,
        lambda win: win.filled is not None and win.filled.is_triplet,
        "",
        ("small_win",),
    )
    rules = replace(CHANGSHA, patterns=(*CHANGSHA.patterns, pung), places_winning_tile=True)
    hand = shown("123m 333m 456p 789s 55p", tile="3m")
    assert "fills_pung" in [each.id for each in judge(rules, hand).patterns]
    other = replace(hand, winning_tile=parse_tile("2m"))
    assert "fills_pung" not in [each.id for each in judge(rules, other).patterns]


def test_the_registry_knows_every_module_and_names_them() -> None:
    assert [rules.id for rules in rule_sets()] == sorted(rules.id for rules in rule_sets())
    with pytest.raises(ValueError, match=r"no rule set x; there are changchun, changsha"):
        find_rules("x")


def test_options_are_checked_and_kept() -> None:
    changed = CHANGSHA.with_options({"bird_origin": "winner"}).with_options(
        {"multiple_winners": "closest"}
    )
    assert changed.chosen["bird_origin"] == "winner"
    assert CHANGSHA.chosen["bird_origin"] == "dealer"
    with pytest.raises(ValueError, match=r"'bird_origin' of changsha cannot be 'me'; it is one of"):
        CHANGSHA.with_options({"bird_origin": "me"})
    with pytest.raises(ValueError, match="a whole number from 0 to 1000"):
        CHANGSHA.with_options({"false_win_amount": -1})
    with pytest.raises(ValueError, match="no option 'birds' in changsha; there are"):
        CHANGSHA.with_options({"birds": 2})


WON = "123m 456m 789s 555p 88s"


@pytest.mark.parametrize("rules", IDS)
def test_no_fact_of_a_bot_s_win_contradicts_another(rules: str) -> None:
    state, game, seen = TableState(), 1, 0
    for step in evening(rules):
        if step.game != game:
            state, game = TableState(), step.game
        for event in step.events:
            state = apply(state, event)
            seats = [] if state.holder is None else [(state.holder, True)]
            if isinstance(event, Discarded):
                seats += [(seat, False) for seat in SEATS if seat != event.seat]
            for seat, is_drawn in seats if state.is_running else []:
                shown = ShownHand(
                    (),
                    Tile.UNKNOWN,
                    seat,
                    state.dealer,
                    state.seats[seat].melds,
                    is_drawn,
                    None if is_drawn else state.given_up and state.given_up[0],
                    circumstances(state, seat, self_drawn=is_drawn),
                    counted_left(state, wall_after(state, seat, self_drawn=is_drawn)),
                    discard_round=discard_round(state, seat if is_drawn else None),
                    bonus=state.seats[seat].bonus,
                    is_said=True,
                )
                assert not list(fact_refusals(rules_in_force(state), shown)), (event, shown)
                found = [each.id for each in discarder_refusals(shown.situation)]
                assert "contradiction" not in found, (event, shown)
                seen += 1
    assert seen > 500


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"birds": "1m5m", "wall_remaining": 0, "flags": ("last_tile",)}, "2 birds from a wall"),
        ({"flags": ("last_tile",), "wall_remaining": 8}, "yet 8 are left"),
        (
            {"flags": ("after_kong_concealed", "after_kong_added")},
            "the replacement after the concealed kong and",
        ),
        ({"flags": ("last_tile", "first_turn")}, "cannot be of the first turn and the last"),
        ({"flags": ("after_kong",)}, "no such kong lies there"),
        ({"flags": ("last_tile", "last_tile_was_kong_replacement")}, "no such kong lies there"),
        ({"flags": ("ready_declared",)}, "Ready: not in these rules"),
        ({"flags": ("after_bonus",)}, "a flower, yet none lies there"),
        ({"flags": ("first_turn",), "discard_round": 2}, "not in round 2"),
        ({"flags": ("first_turn",), "self_drawn": False, "discarder": 1}, "the dealer's first"),
        ({"wall_remaining": 3, "discard_round": 4}, "within the first rounds"),
    ],
)
def test_facts_that_the_game_cannot_give_together_are_refused(
    said: dict[str, object], why: str
) -> None:
    won = {"tiles": WON, "winning_tile": "3m", "self_drawn": True}
    typed = TypedHand(**won | said)  # type: ignore[arg-type]
    judged = answer(find_rules("changsha"), typed)
    assert isinstance(judged, JudgedHand)
    assert why in " ".join(each.words.en for each in judged.verdict.refusals)


def test_no_bird_can_be_turned_from_an_empty_wall() -> None:
    typed = TypedHand(WON, winning_tile="3m", self_drawn=True, wall_remaining=0)
    judged = answer(find_rules("changsha"), typed)
    assert isinstance(judged, JudgedHand)
    assert judged.good
    assert not judged.before_birds
    flagged = TypedHand(
        WON, winning_tile="3m", self_drawn=True, wall_remaining=0, flags=("last_tile",)
    )
    as_said = answer(find_rules("changsha"), flagged)
    assert isinstance(as_said, JudgedHand)
    assert judged.verdict.total == as_said.verdict.total


@pytest.mark.parametrize(
    ("said", "left", "why"),
    [
        ((Circumstance.FIRST_TURN,), 0, "of the first turn and the last of the wall"),
        ((Circumstance.AFTER_KONG_ADDED,), 9, "no such kong lies there"),
        ((Circumstance.SACRED_DISCARD,), 9, "self-drawn and such as the winner discarded"),
        ((Circumstance.LAST_TILE,), 9, "yet 9 are left"),
    ],
)
def test_what_a_phone_tells_is_refused_as_what_is_typed(
    said: tuple[Circumstance, ...], left: int, why: str
) -> None:
    hand = HandTold(0, parse_tiles(WON), winning_tile=Tile.M3, circumstances=said, wall_left=left)
    state = apply(opened(Evening()).state, hand)
    refused = end_of_hand(state).verdicts[0].refusals
    assert why in " ".join(each.words.en for each in refused)


def test_a_told_win_on_another_s_last_discard_is_of_the_round_that_is_told() -> None:
    hand = HandTold(
        0, parse_tiles(WON), winning_tile=Tile.M3, discarder=2, wall_left=0, discard_round=8
    )
    state = apply(opened(Evening()).state, hand)
    assert end_of_hand(state).verdicts[0].valid


def test_the_last_tile_leaves_the_dead_wall_where_it_is_counted() -> None:
    typed = TypedHand(WON, winning_tile="3m", self_drawn=True, wall_remaining=14)
    said = replace(typed, flags=("last_tile",))
    for base, is_refused in (("physical", False), ("live", True)):
        rules = find_rules("changchun").with_options({"end_count_base": base})
        verdict = answer(rules, said).verdict  # type: ignore[union-attr]
        assert ("contradiction" in {each.id for each in verdict.refusals}) is is_refused


# Tianjin beside single hands: antes, chase, wild tiles, and hands completed with many of them.

TIANJIN = find_rules("tianjin")
WILDS = parse_tiles("34s")


# Hands with many wild tiles

hands = st.integers(0, 2).flatmap(
    lambda melds: st.tuples(
        st.just(4 - melds),
        st.lists(
            st.sampled_from([*SUITED[:9], Tile.P2, Tile.P3, Tile.EAST]),
            min_size=14 - 3 * melds - 7,
            max_size=14 - 3 * melds,
        ).filter(lambda tiles: max(Counter(tiles).values()) <= 4),
    )
)


def every_division(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    held = [tile for tile in shown.concealed if tile not in shown.wilds]
    return divide(held, 4 - len(shown.melds), len(shown.concealed) - len(held))


@settings(max_examples=60)
@given(hands)
def test_no_division_pays_more_than_the_one_found(hand: tuple[int, list[Tile]]) -> None:
    """Up to seven wild tiles, too many to put every face in the place of each."""
    sets, tiles = hand
    melds = (parse_meld("pung", "WWW"), parse_meld("pung", "NNN"))[: 4 - sets]
    concealed = (*tiles, *parse_tiles("3334444s"))[: 14 - 3 * len(melds)]
    shown = ShownHand(concealed, concealed[0], 1, 0, melds, True, wilds=WILDS)
    listed = replace(TIANJIN, shapes=(replace(TIANJIN.shapes[0], divide=every_division),))
    best, found = judge(listed, shown), judge(TIANJIN, shown)
    refused = {refusal.id for refusal in best.refusals}
    assert ("structure" in refused) == ("structure" in {each.id for each in found.refusals})
    if best.valid:
        assert found.valid
        assert found.total >= best.total


# Chinese Classical beside the golden cases: the words, the winds, what cannot be.

RULES = find_rules("classical")
WINDS = (Tile.EAST, Tile.SOUTH, Tile.WEST, Tile.NORTH)


def value(hand: LosingHand, bouquet: int = 1) -> int:
    rules = RULES.with_options({"bouquet_doubles": bouquet})
    assert rules.lost_value is not None
    return rules.lost_value(hand, rules.chosen).value


def hand(
    concealed: str,
    *melds: str,
    bonus: str = "",
    seat: int = 2,
    east: int = 0,
    prevailing: Tile = Tile.EAST,
) -> LosingHand:
    laid = tuple(parse_meld(*meld.split(maxsplit=1)) for meld in melds)
    return LosingHand(parse_tiles(concealed), laid, parse_tiles(bonus), seat, east, prevailing)


def test_a_bouquet_doubles_as_often_as_was_agreed() -> None:
    flowers = hand("147m 258p 369s ESFN", bonus="1f2f3f4f")
    assert [value(flowers, bouquet) for bouquet in (1, 2, 3)] == [64, 128, 256]


def test_the_steps_name_what_counts_in_both_languages() -> None:
    assert RULES.lost_value is not None
    steps = RULES.lost_value(hand("CCC 258p 369s 147m 9p", bonus="3f"), RULES.chosen).steps
    english = " ".join(step.en for step in steps)
    for part in ("seat 2", "sets 8", "flowers 4", "Red Dragons 1", "12 × 2^2 = 48"):
        assert part in english
    assert all(step.zh for step in steps)


def test_the_own_wind_is_counted_from_east() -> None:
    for seat, east in product(range(4), repeat=2):
        own = WINDS[(seat - east) % 4]
        losing = LosingHand((own,) * 3, (), (), seat, east, WINDS[(WINDS.index(own) + 1) % 4])
        assert value(losing) == 8 * 2
