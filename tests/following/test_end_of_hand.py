"""How a hand ends: laid-down hands, wins, the last tile, and whose the winning tile was."""

from dataclasses import replace

import pytest

from firmware_bridge.events import Dome, Key, KeyPressed
from table_assist.contract.commands import Answer
from table_assist.following.infer import step
from table_assist.game.events import (
    Claimed,
    Discarded,
    HandLaidDown,
    HandShown,
    HandStarted,
    LastTilePassed,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import melds, river, shown, tile
from tests.stages.seen_play import Table, events, see, started

# -- the end ---------------------------------------------------------------------------------------


def test_the_hands_of_those_who_have_not_won_are_laid_down_where_they_count() -> None:
    win = HandShown(1, parse_tiles("123m 567p 111s 555s 88p"), Tile.M1, False)
    text = "19m19p19s ESWNCFP"
    for rules, expected in (
        ("classical", [HandLaidDown(2, tuple(sorted(parse_tiles(text))))]),
        ("wanzhou", []),
    ):
        state = replay([Discarded(0, Tile.M1), WinDeclared(1), win], started(rules))
        lying = river(0, "1m"), shown(1, "23m 567p 111s 555s 88p"), shown(2, text)
        assert events(state, *lying) == expected, rules
        *hand, last = lying[-1]
        ghost = replace(last, pictures=900)  # what was seen before it where it lies
        assert events(state, *lying[:2], [*hand, ghost]) == expected
        assert events(state, *lying[:2], [*hand[:5], *hand[6:], ghost, last]) == []


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


def test_a_hand_that_does_not_win_is_looked_at_longer() -> None:
    """One tile of a self-drawn hand is still in the hand that lays it down."""
    state = replay([Discarded(0, Tile.M9), WinDeclared(1)], started("changsha"))
    part = "123m 567p 111s 555s 8p"
    assert events(state, river(0, "9m"), shown(1, part, pictures=4)) == []
    (event,) = events(state, river(0, "9m"), shown(1, part, apart="8p", pictures=4))
    assert isinstance(event, HandShown)
    assert event.self_drawn


@pytest.mark.parametrize("read_as", [Tile.BACK, Tile.UNKNOWN, Tile.M9])
def test_a_chip_on_the_rim_holds_no_won_hand_back(read_as: Tile) -> None:
    """It has lain where melds may: the hand must not wait for it, but for a meld being laid."""
    state = replay([Discarded(0, Tile.M9), WinDeclared(1)], started("changsha"))
    hand = shown(1, "123m 567p 111s 555s 8p", apart="8p", pictures=20)
    chip = [tile(read_as, 288, 300, 2, pictures=200)]
    (event,) = events(state, river(0, "9m"), hand, chip)
    assert isinstance(event, HandShown)
    laid = [tile(Tile.M9, r, 300, 2, pictures=4) for r in (288, 262)]
    assert events(state, river(0, "9m"), hand, laid) == []


WON = "123m567p111s55s88p"  # waits for 5s and 8p


def won_on_five_bamboo(winner: int, *since: Claimed) -> TableState:
    """Seat 0 has discarded 5s, and a seat has declared a win: only seat 1 could have drawn."""
    return replay([Discarded(0, Tile.S5), *since, WinDeclared(winner)], started("changsha"))


@pytest.mark.parametrize("winner", [1, 2])
def test_a_discard_that_lies_among_the_winners_tiles_was_not_drawn(winner: int) -> None:
    state = won_on_five_bamboo(winner)
    for lying in (shown(winner, WON, apart="5s"), shown(winner, WON + "5s"), shown(winner, WON)):
        left = river(0, "5s") if len(lying) == 13 else []
        (event,) = events(state, left, lying)
        assert isinstance(event, HandShown)
        assert (event.winning_tile, event.self_drawn) == (Tile.S5, False)
        assert len(event.concealed) == 14


def test_a_discard_that_is_just_being_missed_may_have_been_taken() -> None:
    """The hand is seen in two pictures; that a tile is gone is sure only later."""
    lying = [replace(tile, age_s=0.03) for tile in river(0, "5s")]
    assert events(won_on_five_bamboo(1), lying, shown(1, WON, apart="5s")) == []


def test_a_tile_like_the_discard_that_still_lies_was_drawn() -> None:
    (event,) = events(won_on_five_bamboo(1), river(0, "5s"), shown(1, WON, apart="5s"))
    assert isinstance(event, HandShown)
    assert (event.winning_tile, event.self_drawn) == (Tile.S5, True)


def test_a_tile_too_many_that_nobody_can_read_is_no_drawn_one_out_of_turn() -> None:
    lying = shown(2, WON, apart="?", pictures=9)
    (event,) = events(won_on_five_bamboo(2), river(0, "5s"), lying)
    assert event == HandShown(2, tuple(sorted(parse_tiles(WON + "5s"))), Tile.S5, False)


@pytest.mark.parametrize(("d", "is_hand"), [(325, True), (300, False)])
def test_a_winners_hand_may_lie_in_two_rows_and_what_lies_as_melds_do_is_none_of_it(
    d: int, is_hand: bool
) -> None:
    second = [tile(face, 26.5 * i - 254, d, 1) for i, face in enumerate(parse_tiles("11s555s88p"))]
    found = events(won_on_five_bamboo(1), river(0, "5s"), shown(1, "123m567p1s"), second)
    hand = HandShown(1, tuple(sorted(parse_tiles(WON + "5s"))), Tile.UNKNOWN, True)
    assert found == ([hand] if is_hand else [])


@pytest.mark.parametrize("r", [-254, 180])
def test_a_second_row_of_three_lies_apart_from_the_melds(r: int) -> None:
    claim = Claimed(1, MeldKind.PUNG, parse_tiles("111m"), 0)
    played = claim, Discarded(1, Tile.P9), Discarded(2, Tile.S5), WinDeclared(1)
    lying = *river(1, "9p"), *river(2, "5s"), *melds(1, "111m"), *shown(1, "123m567p5s")
    second = [tile(face, 26.5 * i + r, 325, 1) for i, face in enumerate(parse_tiles("234p"))]
    found = events(replay([Discarded(0, Tile.M1), *played], started("changsha")), lying, second)
    hand = HandShown(1, tuple(sorted(parse_tiles("123m567p234p55s"))), Tile.S5, False)
    assert found == ([hand] if r < 0 else [])


@pytest.mark.parametrize("r", [150, 92])
def test_unread_things_too_many_beside_an_open_hand_are_none_of_it(r: float) -> None:
    """Nearer to a read tile than another tile's place, it may be one."""
    lying = shown(1, WON, apart="5s", pictures=9)
    things = [tile(Tile.UNKNOWN, each, 370, 1) for each in (r, r + 26)]
    found = events(won_on_five_bamboo(1), river(0, "5s"), lying, things)
    assert [type(event) for event in found] == ([HandShown] if r == 150 else [])


CLAIM = Claimed(2, MeldKind.PUNG, (Tile.S5,) * 3, 0)


@pytest.mark.parametrize(
    ("winner", "apart", "since"),
    [(2, "5s", []), (2, "8p", []), (1, "8p", [CLAIM]), (0, "5s", []), (0, "?", []), (0, "", [])],
)
def test_a_hand_that_was_neither_drawn_nor_given_up_is_asked_about_and_not_recorded(
    winner: int, apart: str, since: list[Claimed]
) -> None:
    """A discard was missed, perhaps the one that was won: it was settled as self-drawn."""
    lying = melds(2, "555s") if since else river(0, "5s")
    inferred = see(
        won_on_five_bamboo(winner, *since), lying, shown(winner, WON, apart=apart, pictures=9)
    )
    assert inferred.proposed == ()
    (doubt,) = inferred.doubts
    assert doubt.blocks
    assert "missing on record" in doubt.text.en


def test_where_the_river_is_hidden_nobody_knows_yet_whether_the_discard_was_taken() -> None:
    state = won_on_five_bamboo(1)
    hidden = (OccludedZone(Zone(ZoneKind.RIVER, 0), 0.0, WhyUnseen.HIDDEN),)
    for pictures, ways in ((4, []), (40, [(True, False)])):
        tiles = tuple(shown(1, WON, apart="5s", pictures=pictures))
        found = step(state, Observation(0.0, tiles, (), unavailable=hidden)).proposed
        assert [
            (each.event.self_drawn, each.otherwise.self_drawn)
            for each in found
            if isinstance(each.event, HandShown) and isinstance(each.otherwise, HandShown)
        ] == ways
        assert len(found) == len(ways)
