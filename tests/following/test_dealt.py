"""From the dice to the first discard: throws, flowers, eggs, hands that are shown."""

from dataclasses import replace

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Key, KeyPressed, WallReady
from table_assist.contract.commands import StartHand
from table_assist.contract.snapshot import SourceHealth
from table_assist.game.events import (
    BonusLaid,
    DealerChosen,
    DiceRolled,
    HandStarted,
    IndicatorTurned,
    StartingHandShown,
    Throw,
    TilesExchanged,
    WallBuilt,
)
from table_assist.game.state import Phase
from table_assist.record.log import Source
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import river, shown
from tests.stages.seen_play import Table, flowers

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


def test_a_flower_that_is_read_later_is_filled_in_unasked() -> None:
    table = Table("classical")
    table.put(HandStarted(1, "classical", 0, 55), BonusLaid(2, parse_tiles("1f")))
    table.put(BonusLaid(2, (Tile.UNKNOWN,)))
    table.look(flowers(2, "1f3q4q"))
    assert table.state.seats[2].bonus == parse_tiles("1f3q4q")
    laid = [event for _, event in table.record.counting if isinstance(event, BonusLaid)]
    assert laid == [BonusLaid(2, parse_tiles(each)) for each in ("1f", "3q", "4q")]
    assert table.asked == []


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
