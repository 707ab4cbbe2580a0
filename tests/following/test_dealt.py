"""From the dice to the first discard: throws, flowers, eggs, hands that are shown."""

from dataclasses import replace

from table_assist.contract.commands import StartHand
from table_assist.contract.snapshot import SourceHealth
from table_assist.game.events import (
    BonusLaid,
    DiceRolled,
    HandStarted,
    StartingHandShown,
    Throw,
)
from table_assist.record.log import Source
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import shown
from tests.stages.seen_play import Table, flowers

# -- dice ------------------------------------------------------------------------------------------


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
