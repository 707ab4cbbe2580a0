"""What is settled, what waits, and what a settlement that was taken back pays."""

import pytest

from table_assist.contract.commands import Answer, Settle, StartHand, TellBirds
from table_assist.contract.snapshot import SourceHealth
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    HandShown,
    Settled,
)
from table_assist.game.people import giver
from table_assist.game.state import Phase
from table_assist.record.log import Source
from table_assist.session.books import asked_of
from table_assist.session.questions import (
    about_corrected,
    about_surplus_birds,
)
from table_assist.session.session import WITHOUT_A_PERSON
from table_assist.tiles.tile import Tile, parse_tiles
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


# -- what must never be silently wrong -------------------------------------------------------------


@pytest.mark.parametrize("turned", ["2m 6m", "2m 5m", "2m ?"])
def test_birds_that_a_player_told_settle_unasked_once_they_are_seen_so(turned: str) -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    told = TellBirds(parse_tiles("2m 6m"))
    assert table._handler.execute(told, giver("Bo", 1, "b0b0")) is None
    lying = [*river(0, "1m"), *shown(1, "234m 567p 111s 555s 8p", apart="8p")]
    where = ((-20, 0), (25, 0))
    birds = [tile(each, 30, *at) for each, at in zip(parse_tiles(turned), where, strict=True)]
    table.process(Observation(0.0, lying))
    assert table.snapshot.state.phase is Phase.SHOWING, "it waits for all payers"
    table.process(Observation(1.0, (*lying, *birds)))
    is_so = turned == "2m 6m"
    assert (table.snapshot.state.phase is Phase.SETTLED) is is_so


def test_a_tile_that_a_player_named_settles_unasked_once_it_is_read_so() -> None:
    table = session()
    shown_hand(table, "34m 567p 111s 555s 88p ?")
    (asked,) = table.snapshot.state.questions
    for seat in (1, 0):
        named = Answer(asked.question, "2m", seat)
        assert table._handler.execute(named, giver("x", seat, "a")) is None
    turn_birds(table, Tile.M3, Tile.M4)
    assert table.snapshot.state.phase is Phase.SHOWING, "it waits for all payers"
    lying = [*river(0, "1m"), *shown(1, "234m 567p 111s 555s 8p", apart="8p")]
    birds = [tile(Tile.M3, 30, -20, 0), tile(Tile.M4, 30, 25, 0)]
    table.process(Observation(1.0, (*lying, *birds)))
    assert table.snapshot.state.phase is Phase.SETTLED


@pytest.mark.parametrize(
    "doubt",
    [
        about_corrected(1, HandShown(1, parse_tiles("234m 567p 111s 555s 88p"), Tile.P8, True)),
        about_surplus_birds(1),
    ],
    ids=lambda doubt: str(doubt.question),
)
def test_what_is_shown_can_be_refused_as_well_as_let_stand(doubt: Doubt) -> None:
    for answer, hands in (("yes", 1), ("no", 0)):
        table = session()
        shown_hand(table, "234m 567p 111s 555s 88p")
        record(table).append(asked_of(doubt), Source.RULES)
        assert command(table, Answer(doubt.question, answer)) is None
        assert len(table.snapshot.state.shown) == hands
        assert not any(q.question == doubt.question for q in table.snapshot.state.questions)


def test_the_verdict_stays_on_view_after_the_settlement() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    turn_birds(table, Tile.M3, Tile.M4)
    table.process(SourceHealth("camera", "live", last_t=99.0))
    assert table.snapshot.settlement is not None
    assert table.snapshot.settlement.payments == (-7, 19, -6, -6)
