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
)
from table_assist.game.fold import replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import Irregularity, irregularities
from table_assist.game.rulings import offences
from table_assist.game.start import hand_started
from table_assist.game.state import TableState
from table_assist.record.log import Entry, Source, entry_from_json, entry_to_json
from table_assist.rules.profile import parse_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles


def classical(*events: Event) -> TableState:
    return replay([HandStarted(1, "classical", 0, 60, dead=16), *events])


def discarded_out_of_turn(*events: Event) -> TableState:
    return classical(*events, IrregularityNoted(2, "discard_out_of_turn"))


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
def test_what_a_book_names_itself_is_noted_under_its_name_alone(rules: RuleSet) -> None:
    known, own = offences(rules), rules.id == "classical"
    assert {"discard_out_of_turn", "call_forbidden"} <= known
    assert ("long_hand" in known, "fourteen_tiles_after_discard" in known) == (not own, own)


def test_calls_that_a_rule_forbids_are_flagged_though_no_hand_is_known() -> None:
    def wrong(rules: str, left: int, *events: Event) -> tuple[str, ...]:
        *before, last = events
        return irregularities(replay([HandStarted(1, rules, 0, left, 14), *before]), last)

    kong = KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.M5)  # CC-33
    assert wrong("changchun", 12, kong) == ("call_forbidden",)
    assert wrong("changchun", 13, kong) == ()
    turned = IndicatorTurned(Tile.M4, 5), Discarded(0, Tile.M5)  # TJ-17, TJ-21
    for kind, tiles in ((MeldKind.CHOW, "567m"), (MeldKind.PUNG, "555m")):
        claimed = Claimed(1, kind, parse_tiles(tiles), 0)
        assert wrong("tianjin", 60, *turned, claimed) == ("call_forbidden",)


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
