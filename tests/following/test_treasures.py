"""The turned tile and the treasure, as the camera comes to see them."""

from dataclasses import replace

from firmware_bridge.events import DiceReport as BoardDice
from table_assist.following.indicators import ELSEWHERE_PICTURES, stack_mm
from table_assist.game.events import (
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    Event,
    HandShown,
    IndicatorTurned,
    ReadyDeclared,
    Throw,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.rules.registry import find_rules
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from table_assist.vision.table.observation import SeenTile
from tests.following.test_infer import melds, river, shown, tile
from tests.stages.seen_play import Table, events, see, started

# -- the wall --------------------------------------------------------------------------------------


def in_wall(face: str, seat: int = 0, stack: int = 3) -> list[SeenTile]:
    x, y = stack_mm((17, 17, 17, 17), seat, stack)
    return [tile(parse_tile(face), x, -y, 0)]


def standing(stacks: int) -> list[SeenTile]:
    return [back for n in range(stacks) for back in in_wall("#", n // 14, 1 + n % 14)]


def test_the_turned_tile_is_seen_in_the_wall() -> None:
    state = replay([DiceRolled(0, (2, 3), Throw.INDICATOR)], started("tianjin"))
    assert events(state, in_wall("4p")) == [IndicatorTurned(Tile.P4, 5)]
    assert events(started("changsha"), in_wall("4p")) == []


def test_an_unread_turned_tile_is_filled_in_and_asked_about_only_once_a_win_rests_on_it() -> None:
    table = Table("tianjin")
    table.put(DealerChosen(0), WallBuilt())
    table.hear(BoardDice(0, (2, 3)), BoardDice(0, (2, 2)))
    table.look(in_wall("?"))
    assert table.last(IndicatorTurned) == IndicatorTurned(Tile.UNKNOWN, 4)
    assert table.asked == []
    table.look(in_wall("4p"))
    assert table.last(IndicatorTurned) == IndicatorTurned(Tile.P4, 4)
    assert table.asked == []


def test_what_is_unread_in_the_wall_is_the_turned_tile_only_where_the_dice_say() -> None:
    """From low above the camera sees the side of the last stack before a gap, and of all tiles."""
    thrown = [DiceRolled(0, (2, 3), Throw.BREAK), DiceRolled(0, (2, 2), Throw.INDICATOR)]
    dealt = replay(thrown[:1], started("tianjin"))
    side, there = in_wall("?", 1, 9), in_wall("4p", 0, 2)
    assert events(dealt, side, in_wall("2s", 1, 9)) == [], "the dice come first"
    state = replay(thrown[1:], dealt)
    assert events(state, side) == []
    assert events(state, in_wall("2s", 1, 9)) == []
    assert events(state, side, there) == [IndicatorTurned(Tile.P4, 4)]
    assert events(state, in_wall("2s", 1, 9), in_wall("?", 0, 2)) == [
        IndicatorTurned(Tile.UNKNOWN, 4)
    ]
    begun = replay([Discarded(0, Tile.M1)], state)
    long = [replace(tile, pictures=ELSEWHERE_PICTURES) for tile in in_wall("2s", 1, 9)]
    assert events(begun, river(0, "1m"), long) == [IndicatorTurned(Tile.S2, 4)]


def test_the_turned_tile_is_seen_farther_out_by_a_camera_askew() -> None:
    thrown = [DiceRolled(0, (2, 3), Throw.BREAK), DiceRolled(0, (2, 2), Throw.INDICATOR)]
    state = replay(thrown, started("tianjin"))
    (lying,) = in_wall("?", 0, 2)
    assert events(state, [replace(lying, y_mm=lying.y_mm - 45)]) == [
        IndicatorTurned(Tile.UNKNOWN, 4)
    ]


def treasure_state(*after: Event) -> TableState:
    first = [ReadyDeclared(0), Discarded(0, Tile.M1), DiceRolled(0, (1, 2), Throw.INDICATOR)]
    return replay([*first, IndicatorTurned(Tile.UNKNOWN, 3), *after], started("changchun"))


def test_a_treasure_turned_up_is_known_from_then_on() -> None:
    found = see(treasure_state(), river(0, "1m"), in_wall("4p"))
    assert found.revealed is not None
    assert (found.revealed.number, found.revealed.tile) == (0, Tile.P4)
    assert found.proposed == ()


def test_a_treasure_that_cannot_be_read_is_kept_for_weighing_once_a_win_is_declared() -> None:
    lying = [tile(Tile.UNKNOWN, 30, 24, 0, pictures=ELSEWHERE_PICTURES)]
    assert see(treasure_state(), river(0, "1m"), lying).revealed is None
    found = see(treasure_state(WinDeclared(1)), river(0, "1m"), lying).revealed
    assert found is not None
    assert (found.number, found.tile, found.unread) == (0, Tile.UNKNOWN, lying[0])


def test_a_thing_elsewhere_in_the_wall_is_no_treasure_and_hides_none() -> None:
    broken = replay([DiceRolled(0, (2, 3), Throw.BREAK)], treasure_state())
    elsewhere = in_wall("8p", 2, 9)
    assert see(broken, elsewhere).revealed is None
    found = see(broken, elsewhere, [tile(Tile.P4, 30, 24, 0)]).revealed
    assert found is not None
    assert (found.number, found.tile) == (0, Tile.P4)


def test_one_tile_turned_up_is_the_treasure_in_force_and_not_the_one_before_it_too() -> None:
    again = DiceRolled(0, (2, 2), Throw.INDICATOR)
    lying = river(0, "1m"), in_wall("4p")
    secret = treasure_state(again, IndicatorTurned(Tile.UNKNOWN, 4))
    found = see(secret, *lying).revealed
    assert found is not None
    assert (found.number, found.tile) == (1, Tile.P4)
    told = treasure_state(again, IndicatorTurned(Tile.P4, 4))
    assert see(told, *lying).revealed is None


def test_a_hand_won_by_the_treasure_alone_is_a_rush() -> None:
    """Thirteen tiles that wait for the treasure, and a last discard that is of no use to them."""
    # A hand must be open to be declared ready (CC-25).
    before = [Claimed(0, MeldKind.PUNG, parse_tiles("111p"), 3), ReadyDeclared(0)]
    ready = [*before, Discarded(0, Tile.M1), DiceRolled(0, (1, 2), Throw.INDICATOR)]
    won = [IndicatorTurned(Tile.UNKNOWN, 3), Discarded(1, Tile.EAST), WinDeclared(0)]
    state = replay([*ready, *won], started("changchun"))
    hand = "123m 456m 789s 4s"
    named = find_rules("changchun").treasure
    assert named is not None
    turned = next(
        face
        for face in Tile
        if face.is_suited and named.named_by(face, find_rules("changchun").chosen) == (Tile.S4,)
    )
    lying = river(0, "1m"), river(1, "E"), melds(0, "111p"), shown(0, hand)
    assert events(state, *lying) == []  # the treasure is still a secret, and it decides
    (event,) = events(state, *lying, in_wall(str(turned)))
    expected = tuple(sorted((*parse_tiles(hand), Tile.S4)))
    assert event == HandShown(0, expected, Tile.S4, self_drawn=False, rush=True)
