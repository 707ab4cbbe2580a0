"""The course of a hand in Tianjin: first dealer, stakes, the turned wild tile."""

from table_assist.game.allowed import own_choices
from table_assist.game.course import Act, next_step
from table_assist.game.events import (
    AntesPlaced,
    DealerChosen,
    DiceRolled,
    Discarded,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    Throw,
    WallBuilt,
)
from table_assist.game.fold import replay
from table_assist.game.offered import offered_choices
from table_assist.game.places import replacement_tile
from table_assist.rules.offer import Call
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import Replaces
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import SUITED, Tile
from table_assist.twin.play.deck import Deck
from tests.stages.course_table import DULL, dealt, then

RULES = find_rules("tianjin")


def test_tj_09_the_dice_name_the_first_dealer() -> None:
    state = replay([DiceRolled(1, (3, 2), Throw.DEALER)])
    step = next_step(RULES, state)
    assert (step.act, step.seats, step.words.en) == (
        Act.CHOOSE_DEALER,
        (1,),
        "5: seat 1 deals first.",
    )


def test_tj_04_stakes_are_asked_for_before_the_wall_is_built() -> None:
    state = replay([DealerChosen(0)])
    assert next_step(RULES, state).act is Act.PLACE_ANTES
    placed = then(state, AntesPlaced(False, (0, 0, 0, 0)))
    assert next_step(RULES, placed).act is Act.BUILD_WALL
    # A table that does without goes on.
    assert next_step(RULES, then(state, WallBuilt())).act is Act.ROLL_TO_BREAK


def test_tj_19_the_turned_tile_stays_and_replacements_go_round_it() -> None:
    state = replay(
        [
            *(WallBuilt(), DiceRolled(0, (3, 2), Throw.BREAK), HandStarted(1, "tianjin", 0, 83)),
            *(DiceRolled(2, (1, 1), Throw.INDICATOR), IndicatorTurned(Tile.M5, 2)),
        ]
    )
    stacks = []
    for tile in (Tile.P1, Tile.P2, Tile.P3):
        spot = replacement_tile(state, Replaces.KONG)
        assert spot is not None
        stacks.append((spot.place.stack, spot.layer))
        state = then(state, KongDeclared(0, MeldKind.KONG_CONCEALED, tile))
    # Stack 5 lies behind the turned tile's stack 4; what comes next lies before it.
    assert stacks == [(5, "top"), (5, "bottom"), (3, "top")]
    deck = Deck(SUITED)
    turned = deck.look(2)
    deck.keep(2)
    assert turned not in [deck.draw_tail() for _ in range(10)]


def test_a_wild_tile_nobody_could_read_leaves_wins_and_claims_open() -> None:
    won = "123m 456m 789m 123p 55s"
    state = dealt("tianjin", won, DULL, "147m 258p 369s EEE N")
    state = then(state, IndicatorTurned(Tile.UNKNOWN, 5))
    assert not any(choice.call is Call.WIN for choice in own_choices(state))
    assert offered_choices(then(state, Discarded(0, Tile.S5)), 2) == ()
