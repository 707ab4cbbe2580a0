"""The last discard: taken back for another one, laid astray, or on its way to who claimed it."""

from dataclasses import replace

import pytest

from table_assist.game.events import (
    HandStarted,
    WinDeclared,
)
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import river, shown, tile
from tests.stages.seen_play import Table

ANN = river(0, "1m")
YOUNG = 3  # pictures: surely read, and not for long


def table_after_a_discard(rules: str = "changsha", **options: object) -> Table:
    table = Table(rules, **options)
    table.put(HandStarted(1, rules, 0, 55, options=tuple(options.items())))
    table.look_for(1.0, ANN)
    table.look_for(1.0, ANN, river(1, "2m"))
    assert table.state.last_discard == (1, Tile.M2)
    return table


def test_a_discard_that_was_lifted_and_replaced_is_put_right_and_told() -> None:
    table = table_after_a_discard()
    table.look_for(1.0, ANN)
    table.look(ANN, river(1, "7s", pictures=YOUNG))
    assert table.state.seats[1].river == (Tile.S7,)
    assert table.asked == []
    said = table.session.snapshot.notices[-1]
    assert said.en == "Bo took 2m back and discarded 7s."
    assert said.zh == "Bo 收回二万，改打七条。"
    table.look(ANN, river(1, "7s"), river(2, "9p"))
    assert table.state.last_discard == (2, Tile.P9)


def test_what_a_hand_lies_over_was_not_lifted() -> None:
    table = table_after_a_discard()
    hidden = (OccludedZone(Zone(ZoneKind.RIVER, 1), 0.0, WhyUnseen.HIDDEN),)
    for _ in range(4):
        table.t += 0.5
        table.session.process(Observation(table.t, tuple(ANN), unavailable=hidden))
    table.look(ANN, river(1, "7s", pictures=YOUNG))
    assert table.state.seats[1].river == (Tile.M2,)


@pytest.mark.parametrize("may", ["never", "until_claimed"])
def test_where_the_rules_let_nobody_recall_a_discard_people_are_told_and_asked_when_it_is_won(
    may: str,
) -> None:
    """Classical > Irregularities 6."""
    table, is_forbidden = table_after_a_discard("classical", discard_takeback=may), may == "never"
    table.look_for(1.0, ANN)
    table.look(ANN, river(1, "7s", pictures=YOUNG))
    assert table.state.seats[1].river == (Tile.S7,)
    assert ("forbid" in table.session.snapshot.notices[-1].en) == is_forbidden
    assert table.asked == []
    table.put(WinDeclared(2))
    table.look_for(4.0, ANN, shown(2, "123m567p111s55p88s", apart="7s"))
    assert any("instead of" in each.text.en for each in table.state.questions) == is_forbidden


def astray(face: Tile, id: int = 0) -> list[SeenTile]:
    """In the third row before Bo, who has begun the first one."""
    return [replace(tile(face, -65, 169, 1), id=id)]
