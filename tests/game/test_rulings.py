"""What goes against the rules of play: it is on record, with what the rule set says it costs."""

import pytest

from table_assist.game.course import next_step
from table_assist.game.events import (
    Claimed,
    Discarded,
    Drew,
    Event,
    HandStarted,
    IndicatorTurned,
    IrregularityNoted,
    KongDeclared,
    Penalised,
    ReadyDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import Irregularity, irregularities
from table_assist.game.rulings import events_of, seen
from table_assist.game.start import hand_started
from table_assist.game.state import TableState
from table_assist.record.log import Entry, Source, entry_from_json, entry_to_json
from table_assist.rules.profile import parse_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.rulings import ruling_of

HANDS = tuple(
    parse_tiles(text)
    for text in ("123456789m 12345p", "123456789s 1234p", "123456789m 6789p", "123456789s 6789p")
)
COMMON = (
    "false_win",
    "long_hand",
    "short_hand",
    "drawn_out_of_turn",
    "discard_out_of_turn",
    "wrong_set_grounded",
    "claim_too_late",
    "ready_hand_changed",
    "call_forbidden",
    "wall_tile_exposed",
)


def hand(*events: Event) -> TableState:
    return replay([HandStarted(1, "changsha", 0, 55, hands=HANDS), *events])


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
@pytest.mark.parametrize("id", COMMON)
def test_every_rule_set_says_what_it_costs_or_leaves_it_to_the_referee(
    rules: RuleSet, id: str
) -> None:
    ruling = ruling_of(rules, id, seat=2, dealer=0)
    assert ruling.said or ruling.follows.en == "The rules say nothing: the referee decides."
    assert not ruling.said or "referee" not in ruling.follows.en
    assert sum(ruling.transfers) == 0


def test_an_agreed_penalty_for_a_false_win_goes_to_each_other_seat() -> None:
    options = {"false_win_penalty": "custom", "false_win_amount": 5}
    rules = find_rules("changsha").with_options(options)
    ruling = ruling_of(rules, "false_win", seat=1, dealer=0)
    assert ruling.transfers == (5, -15, 5, 5)
    noted, penalised = events_of(ruling, 1)
    assert noted == IrregularityNoted(1, "false_win", None)
    assert isinstance(penalised, Penalised)
    assert hand(noted, penalised).scores == (5, -15, 5, 5)


def classical(*events: Event) -> TableState:
    return replay([HandStarted(1, "classical", 0, 60, dead=16), *events])


def discarded_out_of_turn(*events: Event) -> TableState:
    ruling = ruling_of(find_rules("classical"), "discard_out_of_turn", seat=2, dealer=0)
    return classical(*events, *events_of(ruling, 2))


def test_cl_52_who_discarded_out_of_turn_neither_draws_nor_chows() -> None:
    rules = find_rules("classical")
    state = discarded_out_of_turn(Discarded(0, Tile.S1))
    state = replay([Drew(1, Tile.M9), Discarded(1, Tile.M9)], state)
    assert next_step(rules, state).words.en == "Seat 3 draws."
    chow = Claimed(2, MeldKind.CHOW, parse_tiles("789m"), 1)
    assert irregularities(state, chow) == (Irregularity.CALL_FORBIDDEN,)
    pung = Claimed(2, MeldKind.PUNG, parse_tiles("999m"), 1)
    assert irregularities(state, pung) == ()


def test_cl_52_a_pung_before_the_lost_turn_does_not_use_it_up() -> None:
    state = discarded_out_of_turn(Discarded(0, Tile.S1))
    pung = Claimed(0, MeldKind.PUNG, parse_tiles("999m"), 1)
    state = replay(
        [Discarded(1, Tile.M9), pung, Discarded(0, Tile.P1), Discarded(1, Tile.P2)], state
    )
    assert state.turn == 3


def test_of_two_tiles_discarded_the_first_is_the_discard_and_the_second_goes_back() -> None:
    before = classical(Discarded(0, Tile.S1), Discarded(1, Tile.M5))
    state = replay([Discarded(1, Tile.P9), IrregularityNoted(1, "two_tiles_discarded")], before)
    second = Claimed(3, MeldKind.PUNG, parse_tiles("999p"), 1)
    first = Claimed(3, MeldKind.PUNG, parse_tiles("555m"), 1)
    assert irregularities(state, second) == (Irregularity.NOTHING_TO_CLAIM,)
    assert irregularities(state, first) == ()
    assert (state.wall, state.seats) == (before.wall, before.seats)


def test_a_discard_out_of_turn_happened_and_is_named() -> None:
    state = hand(Discarded(0, Tile.P5))
    early = Discarded(2, Tile.M1)
    assert seen(state, early) == ("discard_out_of_turn",)
    assert replay([early], state).seats[2].river == (Tile.M1,)


def test_who_draws_twice_has_a_long_hand_after_the_discard() -> None:
    state = hand(Discarded(0, Tile.P5), Drew(1, Tile.S1))
    again = Drew(1, Tile.S2)
    assert seen(state, again) == ("drawn_out_of_turn",)
    assert seen(replay([again], state), Discarded(1, Tile.S2)) == ("long_hand",)


def test_a_claim_after_the_next_draw_is_too_late() -> None:
    state = hand(Discarded(0, Tile.P5), Drew(1, Tile.S1))
    assert "claim_too_late" in seen(state, Claimed(3, MeldKind.PUNG, parse_tiles("555p"), 0))


def test_nothing_is_named_where_nothing_is_wrong() -> None:
    state = hand(Discarded(0, Tile.P5))
    assert seen(state, Drew(1, Tile.S1)) == ()
    assert seen(replay([Drew(1, Tile.S1)], state), Discarded(1, Tile.S1)) == ()


def unknown(rules: str, left: int, *events: Event) -> TableState:
    return replay([HandStarted(1, rules, 0, left, 14), *events])


def test_cc_33_a_kong_among_the_last_twelve_is_named_though_no_hand_is_known() -> None:
    kong = KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.M5)
    assert seen(unknown("changchun", 12), kong) == ("call_forbidden",)
    assert seen(unknown("changchun", 13), kong) == ()


def test_tj_17_tj_21_a_chow_and_a_wild_tile_claimed_are_named() -> None:
    state = unknown("tianjin", 60, IndicatorTurned(Tile.M4, 5), Discarded(0, Tile.M5))
    for kind, tiles in ((MeldKind.CHOW, "567m"), (MeldKind.PUNG, "555m")):
        assert seen(state, Claimed(1, kind, parse_tiles(tiles), 0)) == ("call_forbidden",)


def test_cc_26_cl_28_a_ready_hand_that_claims_is_changed() -> None:
    pung = Claimed(0, MeldKind.PUNG, parse_tiles("555m"), 1)
    for rules, named in (
        ("changchun", ("call_forbidden", "ready_hand_changed")),
        ("classical", ("ready_hand_changed",)),
    ):
        ready = unknown(rules, 60, ReadyDeclared(0), Discarded(0, Tile.M1), Discarded(1, Tile.M5))
        assert seen(ready, pung) == named


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("double discard", "two_tiles_discarded"),
        ("discard-before-draw", "discard_before_drawing"),
        ("too_many_tiles", "fourteen_tiles_after_discard"),
    ],
)
def test_a_penalty_is_found_by_the_plain_name_that_a_person_would_look_for(
    name: str, id: str
) -> None:
    rules = find_rules("classical")
    assert rules.irregularities is not None
    called = [each.id for each in rules.irregularities(rules.chosen) if each.is_called(name)]
    assert called == [id]


def test_no_plain_name_belongs_to_two_irregularities() -> None:
    rules = find_rules("classical")
    assert rules.irregularities is not None
    known = rules.irregularities(rules.chosen)
    names = [name for each in known for name in (each.id, *each.aliases)]
    assert len(names) == len(set(names))


HOUSE = parse_profile(
    {
        "id": "house",
        "name": "House",
        "rules": "tianjin",
        "options": {"heavenly_base": "highest_single", "wild_discard_allowed": True},
    }
)


def started() -> HandStarted:
    return hand_started(HOUSE, TableState(), 2)


def test_the_profile_its_hash_and_what_differs_stand_in_the_hand() -> None:
    event = started()
    assert (event.rules, event.profile, event.hash) == ("tianjin", "house", HOUSE.hash)
    assert event.options == (("heavenly_base", "highest_single"),)


def test_an_old_hand_is_judged_by_its_own_options() -> None:
    line = entry_to_json(Entry(1, 0.0, Source.PERSON, started()))
    event = entry_from_json(line).event
    assert isinstance(event, HandStarted)
    state = replay([event])
    assert rules_in_force(state).chosen == HOUSE.rules.chosen


def test_the_wall_of_a_new_hand_is_the_rule_sets() -> None:
    assert (started().wall_left, started().dead) == (83, 0)
