"""What is against the rules and what it costs; a hand keeps the rules it began with."""

import pytest

from table_assist.game.events import Event, HandStarted, IndicatorTurned
from table_assist.game.fold import replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.rulings import after_refusal, offences, penalty_event
from table_assist.game.start import hand_started
from table_assist.game.state import TableState
from table_assist.record.log import Entry, Source, entry_from_json, entry_to_json
from table_assist.rules.options import OptionValue
from table_assist.rules.profile import parse_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from tests.stages.web_fakes import antes, discards, ended, kong, shown, start, told


def classical(*events: Event) -> TableState:
    return replay([HandStarted(1, "classical", 0, 60, dead=16), *events])


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
def test_what_a_book_names_itself_is_noted_under_its_name_alone(rules: RuleSet) -> None:
    known, own = offences(rules), rules.id == "classical"
    assert {"discard_out_of_turn", "call_forbidden"} <= known
    assert ("long_hand" in known, "fourteen_tiles_after_discard" in known) == (not own, own)


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


@pytest.mark.parametrize(
    ("rules", "options", "moved"),
    [
        ("changsha", {}, None),
        ("changsha", {"false_win_penalty": "custom", "false_win_amount": 5}, (5, -15, 5, 5)),
        ("tianjin", {"false_win_penalty": "pay_minimum_to_each"}, (2, -6, 2, 2)),
        ("tianjin", {"false_win_penalty": "dead_hand"}, None),
        ("classical", {}, None),
    ],
)
def test_a_false_win_costs_what_the_house_agreed(
    rules: str, options: dict[str, OptionValue], moved: tuple[int, int, int, int] | None
) -> None:
    penalty = penalty_event(told(start(rules, 0, None, **options)), 1)
    assert (None if penalty is None else penalty.transfers) == moved


@pytest.mark.parametrize(
    ("rules", "options", "noted"),
    [
        ("wanzhou", {}, None),
        ("tianjin", {}, None),
        ("tianjin", {"false_win_penalty": "dead_hand"}, "false_win"),
        ("classical", {}, "false_mahjong_exposed"),
    ],
)
def test_a_false_win_kills_the_hand_where_the_rules_say_so(
    rules: str, options: dict[str, OptionValue], noted: str | None
) -> None:
    state = told(start(rules, 0, None, **options))
    state = replay(after_refusal(state, 2), state)
    assert [each.irregularity for each in state.noted] == ([] if noted is None else [noted])
    assert [seat.dead is not None for seat in state.seats] == [
        False,
        False,
        noted is not None,
        False,
    ]


WILD = IndicatorTurned(Tile.S3, 5)
PURE_DRAGON = "111m 123p 456p 789p 55s"
EVERYTHING_PAID = (
    antes(True, 0, 1, 0, 0),
    start("tianjin"),
    WILD,
    discards(0, "E E E E W"),
    kong(1, "kong_concealed", "9m"),
    discards(1, "1s"),
    shown(2, PURE_DRAGON, "6p", drawn=True),
)


def test_every_part_of_the_sum_is_named_in_both_languages() -> None:
    steps = ended(*EVERYTHING_PAID).steps
    english = " ".join(step.en for step in steps)
    for part in ("first tile", "Concealed kong 9999m of seat 1", "hand of seat 2", "seat 0 -32"):
        assert part in english
    assert all(step.en and step.zh for step in steps)
