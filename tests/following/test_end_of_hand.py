"""How a hand ends: laid-down hands, wins, the last tile, and whose the winning tile was."""

from firmware_bridge.events import Dome, Key, KeyPressed
from table_assist.contract.commands import Answer
from table_assist.game.events import (
    Discarded,
    HandShown,
    HandStarted,
    LastTilePassed,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.tiles.tile import Tile, parse_tiles
from tests.following.test_infer import river, shown
from tests.stages.seen_play import Table

# -- the end ---------------------------------------------------------------------------------------


def test_what_still_lies_face_down_is_asked_for_only_after_a_while() -> None:
    table = Table("classical")
    table.put(HandStarted(1, "classical", 0, 75))
    win = HandShown(1, parse_tiles("123m 567p 111s 555s 88p"), Tile.M1, False)
    table.put(Discarded(0, Tile.M1), WinDeclared(1), win)
    lying = river(0, "1m"), shown(1, "23m 567p 111s 555s 88p")
    table.look(*lying)
    assert table.asked == []
    table.look_for(9, *lying)
    assert [("open" in asked) for asked in table.asked] == [True]


def test_an_empty_wall_is_a_drawn_hand_once_all_is_known_that_is_paid() -> None:
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 0), Discarded(0, Tile.M1))
    table.hear(Dome(True))
    assert isinstance(table.record.counting[-1][1], WallExhausted)


def test_the_pass_key_leaves_the_last_tile_to_the_next() -> None:
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 1), Discarded(0, Tile.M1))
    for seat in (1, 2, 3, 0):
        table.hear(KeyPressed(seat, Key.PASS))
    passed = [e for _, e in table.record.counting if isinstance(e, LastTilePassed)]
    assert [event.seat for event in passed] == [1, 2, 3, 0]
    table.hear(Dome(True))
    assert isinstance(table.record.counting[-1][1], WallExhausted)


def test_a_win_key_faster_than_the_camera_follows_what_was_done_before_it() -> None:
    """Bo's own discard, a round earlier, is seen only when Bo has declared a win."""
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 55), Discarded(0, Tile.M1))
    table.hear(KeyPressed(1, Key.WIN))
    table.look(river(0, "1m"), river(1, "2m"), river(2, "3m"))
    order = [type(event) for _, event in table.record.counting[-3:]]
    assert order == [Discarded, Discarded, WinDeclared]
    assert table.state.declared == (1,)
    assert table.state.last_discard == (2, Tile.M3)


def test_a_declared_win_that_is_not_shown_and_played_on_is_asked_about() -> None:
    """In Classical a false win kills the hand: nothing may be settled before somebody says."""
    table = Table("classical")
    table.put(HandStarted(1, "classical", 0, 80), Discarded(0, Tile.M1))
    table.look_for(2, river(0, "1m"))
    table.hear(KeyPressed(1, Key.WIN))
    table.look_for(5, river(0, "1m"))
    table.look_for(5, river(0, "1m"), river(1, "2m"))
    (asked,) = table.state.questions
    assert asked.blocks
    assert table.state.declared == ()
    table.say(Answer(asked.question, "yes"))
    assert table.state.noted
    assert table.last(WinRefused) == WinRefused(1, ("hand_not_shown",))
    assert table.state.questions == ()
