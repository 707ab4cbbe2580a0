"""Hands that nobody followed: told by people, judged, settled only by a person's word."""

import pytest

from table_assist.game.events import HandStarted, HandTold
from table_assist.game.fold import replay
from table_assist.game.side_payments import side_payments
from table_assist.game.state import Phase
from table_assist.game.told_facts import FactKind, facts_to_ask
from table_assist.record.commands import TellHand, TellOpening
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.shown import Circumstance
from table_assist.session.command_handler import CommandHandler
from table_assist.tiles.tile import parse_tile, parse_tiles
from tests.stages.course_table import parse_meld
from tests.stages.evenings import NAMES

IDS = [rules.id for rules in rule_sets()]


def told(seat: int, tiles: str, wins_on: str | None, **said: object) -> HandTold:
    winning = None if wins_on is None else parse_tile(wins_on)
    return HandTold(seat, parse_tiles(tiles), winning_tile=winning, **said)  # type: ignore[arg-type]


@pytest.fixture(params=IDS)
def handler(request: pytest.FixtureRequest) -> CommandHandler:
    return handler_of(request.param)


def handler_of(rules: str) -> CommandHandler:
    return CommandHandler(plain_profile(find_rules(rules)), NAMES, Record(None, lambda: 0.0))


def obey(handler: CommandHandler, command: object) -> str | None:
    refused = handler.execute(command)  # type: ignore[arg-type]
    handler.conclude()
    return None if refused is None else str(refused)


WIN = told(1, "123m456m789s123p55s", "3p")


def test_only_what_changes_the_payment_is_asked() -> None:
    state = replay([HandStarted(1, "changsha", 0, 55)])
    drawn = {fact.name or fact.kind for fact in facts_to_ask(state, WIN)}
    assert drawn == {Circumstance.FIRST_TURN, FactKind.WALL_LEFT}
    kong = told(1, "123m456m789s55s", "5s", melds=(parse_meld("kong_concealed", "1111p"),))
    asked = {fact.name for fact in facts_to_ask(state, kong)}
    assert Circumstance.AFTER_KONG_CONCEALED in asked
    assert Circumstance.FIRST_TURN not in asked


def test_a_kong_is_told_when_it_is_laid_and_is_paid_once_with_the_win() -> None:
    handler = handler_of("wanzhou")
    kong = told(1, "", None, melds=(parse_meld("kong_concealed", "1111p"),), claimed_from=(None,))
    assert obey(handler, TellHand(kong, dealer=0)) is None
    state = handler.record.state
    assert state.phase is Phase.PLAYING
    assert not state.laid_down, "the hand itself stays hidden"
    due = side_payments(handler.rules, state, (), over=True).laid
    assert due[1] > 0 == sum(due)
    win = told(1, "123m456m789s55s", "5s", melds=kong.melds, claimed_from=(None,))
    assert obey(handler, TellHand(win)) is None
    assert side_payments(handler.rules, handler.record.state, (1,), over=True).laid == due


def test_a_dealt_hand_that_scores_is_told_and_paid() -> None:
    handler = handler_of("changsha")
    four_alike = parse_tiles("1111m 246p 379s 258s")
    assert obey(handler, TellOpening(2, four_alike, dealer=0)) is None
    paid = side_payments(handler.rules, handler.record.state, (), over=True).opening
    assert paid[2] > 0 == sum(paid)
    assert "any more" in str(obey(handler, TellOpening(2, four_alike)))
