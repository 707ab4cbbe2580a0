"""From the dice to the first discard: throws, flowers, eggs, hands that are shown."""

from dataclasses import replace

import pytest

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Key, KeyPressed, WallReady
from table_assist.contract.commands import StartHand
from table_assist.contract.snapshot import SourceHealth
from table_assist.game.events import (
    BonusLaid,
    DealerChosen,
    DiceRolled,
    Discarded,
    EggAppended,
    EggLaid,
    HandStarted,
    IndicatorTurned,
    StartingHandShown,
    Throw,
    TilesExchanged,
    WallBuilt,
)
from table_assist.game.fold import replay
from table_assist.game.state import Phase
from table_assist.record.log import Source
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import melds, river, shown
from tests.stages.seen_play import Table, events, flowers, see, started

# -- dice ------------------------------------------------------------------------------------------


def test_dice_mean_what_the_next_step_says() -> None:
    table = Table("wanzhou")
    table.hear(BoardDice(2, (3, 4)))
    assert table.last(DiceRolled) == DiceRolled(2, (3, 4), Throw.DEALER)
    dealer = table.last(DealerChosen)
    assert isinstance(dealer, DealerChosen)
    table.hear(WallReady(), BoardDice(dealer.seat, (1, 5)))
    assert table.last(DiceRolled) == DiceRolled(dealer.seat, (1, 5), Throw.BREAK)
    assert table.state.phase is Phase.PLAYING
    table.hear(BoardDice(dealer.seat, (4,)))
    assert table.last(DiceRolled) == DiceRolled(dealer.seat, (4,), Throw.EXCHANGE)
    passed_to = find_rules("wanzhou").exchange.passed_to  # type: ignore[union-attr]
    expected = TilesExchanged(passed_to(4, find_rules("wanzhou").chosen))
    assert table.last(TilesExchanged) == expected


def test_two_dice_for_the_exchange_are_asked_about() -> None:
    table = Table("wanzhou")
    table.put(DealerChosen(0), WallBuilt())
    table.hear(BoardDice(0, (1, 5)), BoardDice(0, (4, 2)))
    assert table.last(TilesExchanged) is None
    assert table.asked == ["hand-1-exchange-4 2"]


def test_a_wall_opened_by_two_throws_is_dealt_after_the_second() -> None:
    table = Table("classical")
    table.put(DealerChosen(1), WallBuilt())
    table.hear(BoardDice(1, (2, 3)))
    assert table.state.phase is Phase.WALL_READY
    table.hear(BoardDice(1, (6, 6)))
    assert [dice.throw for dice in table.state.throws] == [Throw.BREAK, Throw.SECOND_BREAK]
    assert (table.state.phase, table.state.dealer) == (Phase.PLAYING, 1)


def test_the_treasure_is_a_secret_with_the_column_of_the_dice() -> None:
    table = Table("changchun")
    table.put(DealerChosen(0), WallBuilt())
    table.hear(BoardDice(0, (2, 2)), KeyPressed(0, Key.READY))
    table.look(river(0, "1m"))
    table.hear(BoardDice(0, (3, 1)))
    assert table.last(IndicatorTurned) == IndicatorTurned(Tile.UNKNOWN, 4)
    pushed = [replace(river(0, "1m", pictures=3)[0], x_mm=0, y_mm=0, zone=Zone(ZoneKind.BIRDS))]
    table.look(pushed)
    assert table.last(IndicatorTurned) == IndicatorTurned(Tile.UNKNOWN, 4), "a pushed discard"
    table.look(river(0, "1m"), [replace(pushed[0], tile=Tile.S7)])
    assert table.last(IndicatorTurned) == IndicatorTurned(Tile.S7, 4)


def test_dice_that_only_the_camera_sees_are_thrown_when_they_have_moved() -> None:
    table = Table("wanzhou")
    table.session.process(SourceHealth("board", "none"))
    table.look(dice=(SeenDie(5, -30, 10),))
    table.say(StartHand(0))
    for _ in range(6):
        table.look(dice=(SeenDie(5, -30, 10),))
    assert table.last(DiceRolled) is None  # it has lain there since before
    for _ in range(6):
        table.look(dice=(SeenDie(5, -30, 50),))
    assert table.last(DiceRolled) == DiceRolled(0, (5,), Throw.EXCHANGE)
    assert table.record.entries[-1].source is Source.CAMERA


# -- flowers, eggs, dealt hands --------------------------------------------------------------------


def test_flowers_and_seasons_are_laid_at_the_left_of_the_row() -> None:
    state = started("classical")
    assert events(state, flowers(2, "1f3q")) == [BonusLaid(2, parse_tiles("1f3q"))]
    state = replay([BonusLaid(2, parse_tiles("1f"))], state)
    assert events(state, flowers(2, "1f")) == []
    assert events(state, flowers(2, "1f3q")) == [BonusLaid(2, parse_tiles("3q"))]


def test_an_unread_flower_is_a_flower() -> None:
    state = replay([BonusLaid(2, parse_tiles("1f"))], started("classical"))
    assert events(state, flowers(2, "1f?")) == [BonusLaid(2, (Tile.UNKNOWN,))]


def test_a_flower_that_is_read_later_is_filled_in_unasked() -> None:
    table = Table("classical")
    table.put(HandStarted(1, "classical", 0, 55), BonusLaid(2, parse_tiles("1f")))
    table.put(BonusLaid(2, (Tile.UNKNOWN,)))
    table.look(flowers(2, "1f3q4q"))
    assert table.state.seats[2].bonus == parse_tiles("1f3q4q")
    laid = [event for _, event in table.record.counting if isinstance(event, BonusLaid)]
    assert laid == [BonusLaid(2, parse_tiles(each)) for each in ("1f", "3q", "4q")]
    assert table.asked == []


def test_a_flower_is_filled_in_only_where_no_other_may_lie_there_unseen() -> None:
    """The one that was not read may be gone from sight when another is laid."""
    unread = replay([BonusLaid(2, parse_tiles("?3q"))], started("classical"))
    for lying, is_told in (
        (flowers(2, "1f3q"), True),
        (flowers(2, "1f"), False),
        (flowers(2, "?3q"), False),
        (flowers(2, "?3q1f"), False),
        (flowers(2, "1f2f"), False),
        ([tile for tile in flowers(2, "?3q1f") if tile.tile.is_face], False),
        (flowers(2, "??3q1f")[2:], False),
        ([replace(tile, is_clear=False) for tile in flowers(2, "1f3q", pictures=4)], False),
    ):
        assert bool(see(unread, lying).flowers) is is_told


def test_a_flower_drawn_in_play_counts_its_draw_and_its_replacement() -> None:
    state = replay([Discarded(0, Tile.M1)], started("classical"))
    left = state.wall_left
    (laid, thrown) = events(state, river(0, "1m"), flowers(1, "2f"), river(1, "E"))
    assert (laid, thrown) == (BonusLaid(1, (Tile.FLOWER2,)), Discarded(1, Tile.EAST))
    told = replay([laid, thrown], state)
    assert left - told.wall_left in (1, 2)  # the replacement may come from the box
    assert told.hand_size(1) == 13


def test_a_face_that_the_set_has_not_is_unread() -> None:
    state = started("changsha")
    assert events(state, river(0, "E")) == [Discarded(0, Tile.UNKNOWN)]


def test_an_egg_is_laid_from_the_dealt_hand_and_grows() -> None:
    state = started("changchun")
    egg = EggLaid(2, tuple(sorted(parse_tiles("CFP"))))
    assert events(state, melds(2, "CFP")) == [egg]
    state = replay([egg, Discarded(0, Tile.M1), Discarded(1, Tile.M2)], state)
    others = river(0, "1m"), river(1, "2m")
    assert events(state, *others, melds(2, "CFPC")) == [EggAppended(2, 0, Tile.RED)]
    assert events(state, *others, melds(2, "CFPCF")) == [
        EggAppended(2, 0, Tile.RED),
        EggAppended(2, 0, Tile.GREEN),
    ]


@pytest.mark.parametrize("apart_mm", [0, 5])
def test_tiles_of_an_egg_need_not_touch(apart_mm: float) -> None:
    egg, state = EggLaid(2, tuple(sorted(parse_tiles("19m19p")))), started("changchun")
    *four, last = melds(2, "91p91m1m")
    x, y = last.x_mm + apart_mm, last.y_mm  # away from the others, as seat 2 lies
    lying = [*four[:3], replace(four[3], x_mm=four[3].x_mm + apart_mm)]
    assert events(state, lying) == [egg]
    state = replay([egg, Discarded(0, Tile.M1), Discarded(1, Tile.M2)], state)
    seen = events(state, river(0, "1m"), river(1, "2m"), [*four, replace(last, x_mm=x, y_mm=y)])
    assert seen == [EggAppended(2, 0, Tile.M1)]


@pytest.mark.parametrize(("likely", "is_put"), [(Tile.GREEN, True), (Tile.S4, False)])
def test_an_unread_tile_at_an_egg_is_what_may_be_put_there_or_nothing(
    likely: Tile, is_put: bool
) -> None:
    """Whichever of them it is, it is worth the same."""
    egg = EggLaid(2, tuple(sorted(parse_tiles("CFP"))))
    state = replay([egg, Discarded(0, Tile.M1), Discarded(1, Tile.M2)], started("changchun"))
    *three, last = melds(2, "CFP?")
    unread = replace(last, candidates=((likely, 0.7), (Tile.S6, 0.2), (Tile.S8, 0.05)))
    seen = events(state, river(0, "1m"), river(1, "2m"), [*three, unread])
    assert seen == ([EggAppended(2, 0, likely)] if is_put else [])


def test_a_dealt_hand_that_is_shown_and_taken_back_is_recorded_once() -> None:
    text = "222m 555m 2p4p6p8p 2s4s6s"
    state = started("changsha")
    lying = shown(1, text)
    event = StartingHandShown(1, tuple(sorted(parse_tiles(text))))
    assert events(state, lying) == [event]
    assert events(replay([event], state), lying) == []
    thrown = replay([Discarded(0, Tile.M9)], state)
    assert events(thrown, river(0, "9m"), lying) == [event]  # the seat has not moved yet
    moved = replay([Discarded(1, Tile.P1)], thrown)
    assert events(moved, river(0, "9m"), river(1, "1p"), lying) == []


def test_a_dealt_hand_that_is_read_better_while_it_lies_there_is_put_right_unasked() -> None:
    text, table = "222m 555m 2p4p6p8p 2s4s6s", Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 55))
    read = shown(1, text)
    unread = [replace(read[0], tile=Tile.UNKNOWN, candidates=((Tile.M3, 0.5),)), *read[1:]]
    assert table.session.attention.wanted == frozenset()
    table.look(unread)
    (recorded,) = table.state.openings
    assert Tile.UNKNOWN in recorded.tiles
    assert table.asked
    assert table.session.attention.wanted == {Zone(ZoneKind.HAND, 1)}, "it is read afresh"
    table.look(read)
    assert table.state.openings == (StartingHandShown(1, tuple(sorted(parse_tiles(text)))),)
    assert table.asked == []
    assert table.session.attention.wanted == frozenset()


def test_an_unread_tile_of_a_dealt_hand_that_pays_by_it_is_what_it_likely_is() -> None:
    text = "222m 555m 2p4p6p8p 2s4s6s"
    event = StartingHandShown(1, tuple(sorted(parse_tiles(text))))
    for share, is_named in ((0.8, True), (0.1, False)):
        read = shown(1, text)
        shares = ((Tile.M2, share), (Tile.M3, 0.9 - share))
        lying = [replace(read[0], tile=Tile.UNKNOWN, candidates=shares), *read[1:]]
        (found,) = events(started("changsha"), lying)
        assert (found == event) == is_named


def test_another_hand_is_no_better_reading_of_a_dealt_one() -> None:
    """What is read must hold all that was read before, and a person's word stands."""
    faces = parse_tiles("222m 555m 2p4p6p8p 2s4s6s")
    known = StartingHandShown(1, tuple(sorted((*faces[1:], Tile.UNKNOWN))))
    state = replay([known], started("changsha"))
    for text, is_better in (
        ("222m 555m 2p4p6p8p 2s4s6s", True),
        ("922m 555m 2p4p6p8p 2s4s6s", True),
        ("222m 555m 2p4p6p9p 2s4s6s", False),
        ("333m 555m 2p4p6p8p 2s4s6s", False),
    ):
        assert bool(see(state, shown(1, text)).lying) is is_better
    begun = replay([Discarded(0, Tile.M9), Discarded(1, Tile.P1)], state)
    lying = see(begun, river(0, "9m"), river(1, "1p"), shown(1, "222m 555m 2p4p6p8p 2s4s6s")).lying
    assert lying == ()
