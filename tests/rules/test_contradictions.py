"""What bots' evenings never show together is refused; what they show never is."""

from dataclasses import replace

import pytest

from table_assist.game.events import Discarded, HandTold
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import SEATS, TableState
from table_assist.game.win import circumstances, counted_left, discard_round, wall_after
from table_assist.rules.by_hand.typed import JudgedHand, TypedHand, answer
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.rules.shown_hand_validity import discarder_refusals, fact_refusals
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.simulated_evenings import IDS, evening
from tests.stages.web_fakes import Evening, opened

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
