"""A hand keeps the rules under which it was played."""

from table_assist.game.events import HandStarted
from table_assist.game.fold import replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.start import hand_started
from table_assist.game.state import TableState
from table_assist.record.log import Entry, Source, entry_from_json, entry_to_json
from table_assist.rules.profile import parse_profile

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
