"""Bots play whole hands of every rule set; what must hold is checked after every event."""

import os
from random import Random

import pytest

from bench.hands import BrokenError, check, play_many
from table_assist.game.events import Discarded, Drew, Event, HandStarted
from table_assist.game.fold import apply
from table_assist.game.state import TableState
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from table_assist.twin.play.deck import Deck
from table_assist.twin.play.hand import play_hand

HANDS = int(os.environ.get("TABLE_ASSIST_HANDS", "12"))  # more by `python -m bench hands`
IDS = [rules.id for rules in rule_sets()]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_hands_of_each_rule_set_keep_every_invariant() -> None:
    for id in IDS:
        tally = play_many(id, HANDS, "suite")
        assert tally.hands == HANDS
        assert tally.winners[1] > 0, f"nobody has won a hand of {id}"
        assert tally.winners[0] > 0, f"no hand of {id} was drawn"


def kinds_of(rules: str, hands: int, wanted: set[str]) -> set[str]:
    """The kinds of events in hands of bots; no more hands than have them all."""
    found: set[str] = set()
    for number in range(0, hands, 10):
        if not wanted <= found:
            found |= set(play_many(rules, 10, f"kinds {number}").events)
    return found


@pytest.mark.parametrize(
    ("rules", "special"),
    [
        ("changchun", {"EggLaid", "EggAppended", "ReadyDeclared", "IndicatorTurned"}),
        ("changsha", {"LastTilePassed", "BirdTurned", "KongDeclared"}),
        ("wanzhou", {"TilesExchanged", "ReadyDeclared", "KongDeclared"}),
        ("tianjin", {"AntesPlaced", "IndicatorTurned", "KongDeclared"}),
        ("classical", {"BonusLaid", "HandLaidDown"}),
    ],
)
def test_the_bots_do_what_only_their_rule_set_has(rules: str, special: set[str]) -> None:
    assert special <= kinds_of(rules, 60, special)


def test_a_tile_too_many_is_noticed() -> None:
    rules = find_rules("changsha")
    _, _, deck, started = start_of_hand(rules)
    doubled = apply(started, Discarded(started.dealer, held(started, started.dealer)[0]))
    extra = apply(doubled, Drew(doubled.turn, held(started, started.dealer)[1]))
    with pytest.raises(BrokenError, match="too many"):
        check(deck, doubled, Drew(doubled.turn), extra)


def test_an_event_that_the_rules_forbid_is_noticed() -> None:
    _, _, deck, state = start_of_hand(find_rules("tianjin"))
    other = (state.dealer + 1) % 4
    wrong = Discarded(other, held(state, other)[0])
    with pytest.raises(BrokenError, match="flagged"):
        check(deck, state, wrong, apply(state, wrong))


def held(state: TableState, seat: int) -> tuple[Tile, ...]:
    tiles = state.seats[seat].concealed
    assert tiles is not None
    return tiles


def start_of_hand(rules: RuleSet) -> tuple[TableState, Event, Deck, TableState]:
    """The first state of a hand in which somebody may discard, and its wall."""
    seen: list[tuple[TableState, Event, Deck, TableState]] = []

    def watch(deck: Deck, before: TableState, event: Event, after: TableState) -> None:
        if not seen and isinstance(event, HandStarted):
            copy = Deck(deck.rest)
            seen.append((before, event, copy, after))

    play_hand(rules, TableState(), Random(1), watch=watch)
    return seen[0]
