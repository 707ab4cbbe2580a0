"""From the dice to the first discard: throws, flowers, eggs, hands that are shown."""

from table_assist.game.events import DiceRolled, Throw
from table_assist.record.commands import StartHand
from table_assist.record.log import Source
from table_assist.record.snapshot import SourceHealth
from table_assist.vision.table.dice import SeenDie
from tests.stages.seen_play import Table


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
