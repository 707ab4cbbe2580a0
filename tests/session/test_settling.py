"""What is settled, what waits, and what a settlement that was taken back pays."""

import pytest

from table_assist.game.events import Settled
from table_assist.game.state import Phase
from table_assist.record.commands import Settle, StartHand
from table_assist.record.snapshot import SourceHealth
from table_assist.session.session import WITHOUT_A_PERSON
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import Observation
from tests.following.test_infer import river, shown, tile
from tests.stages.plain_session import command, record, session, shown_hand, turn_birds


def test_a_win_waits_for_its_birds() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    snapshot = table.snapshot
    assert snapshot.state.phase is Phase.SHOWING
    assert [(seat, verdict.valid) for seat, verdict in snapshot.verdicts] == [(1, True)]


@pytest.mark.parametrize("accepts", [StartHand(0), Settle()])
def test_a_settlement_that_is_not_sure_is_accepted_by_who_goes_on_and_keeps_its_sureness(
    accepts: StartHand | Settle,
) -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    birds = [tile(face, 30, d, 0, confidence=0.98) for face, d in ((Tile.M3, -20), (Tile.M4, 25))]
    lying = [*river(0, "1m"), *shown(1, "234m 567p 111s 555s 8p", apart="8p"), *birds]
    for _ in range(3):
        table.process(Observation(0.0, tuple(lying)))
    found = table.snapshot.sureness
    assert found is not None
    assert table.snapshot.state.phase is Phase.SHOWING
    command(table, accepts)
    (entry,) = (each for each in record(table).entries if isinstance(each.event, Settled))
    assert 0.9 < entry.confidence == found.probability < WITHOUT_A_PERSON


def test_the_verdict_stays_on_view_after_the_settlement() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    turn_birds(table, Tile.M3, Tile.M4)
    table.process(SourceHealth("camera", "live", last_t=99.0))
    assert table.snapshot.settlement is not None
    assert table.snapshot.settlement.payments == (-7, 19, -6, -6)
