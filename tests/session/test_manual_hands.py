"""Hands that nobody followed: told by people, judged, settled only by a person's word."""

from dataclasses import replace

import pytest

from table_assist.contract.commands import (
    Answer,
    BeginGame,
    RaiseObjection,
    Settle,
    TellBirds,
    TellDraw,
    TellHand,
    TellOpening,
    Undo,
)
from table_assist.game.events import HandStarted, HandTold, WallExhausted
from table_assist.game.fold import replay
from table_assist.game.side_payments import side_payments
from table_assist.game.state import Phase
from table_assist.game.told_facts import FactKind, facts_to_ask
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.shown import Circumstance
from table_assist.session.command_handler import CommandHandler
from table_assist.session.session import Session
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
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


def test_nothing_that_was_told_is_accepted_by_time_alone() -> None:
    now = [0.0]
    session = Session(
        plain_profile(find_rules("wanzhou")),
        NAMES,
        Record(None, lambda: now[0]),
        now=lambda: now[0],
        settle_after_s=0.0,
    )
    session.put_command(TellHand(WIN, dealer=0))
    session.drain()
    for _ in range(50):
        now[0] += 10.0
        session.process(None)
    assert session.snapshot.state.phase is Phase.SHOWING
    session.put_command(Settle())
    session.drain()
    assert session.snapshot.state.phase is Phase.SETTLED
    assert session.snapshot.state.scores[1] > 0


def test_a_settled_evening_goes_on_with_the_dealer_whom_the_rules_name() -> None:
    handler = handler_of("changsha")
    obey(handler, BeginGame(100))
    assert obey(handler, TellHand(WIN, dealer=0)) is None
    assert obey(handler, TellBirds(parse_tiles("1m9p"))) is None
    assert obey(handler, Settle()) is None
    state = handler.record.state
    assert sum(state.scores) == 400
    assert state.dealer_next == 1
    refused = obey(handler, TellHand(WIN, dealer=3))
    assert refused == f"{NAMES[1]} deals the next hand by the rules."
    assert obey(handler, TellHand(WIN)) is None
    assert handler.record.state.dealer == 1


def test_a_hand_told_again_takes_the_place_of_the_first_telling(handler: CommandHandler) -> None:
    obey(handler, TellHand(told(1, "123m456m789s123p55s", "1m"), dealer=0))
    assert obey(handler, TellHand(WIN)) is None
    assert [hand.winning_tile for hand in handler.record.state.shown] == [parse_tile("3p")]
    seq = handler.record.seq
    told_at = [seq for seq, event in handler.record.counting if event == WIN]
    assert obey(handler, Undo(told_at[0])) is None
    assert handler.record.seq > seq
    assert [hand.winning_tile for hand in handler.record.state.shown] == [parse_tile("1m")]


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        (told(1, "123m456m789s123p5?s".replace("5?s", "5s") + "?", "3p"), "not named"),
        (told(1, "123m456m789s123p55s", "9p"), "is not in the hand"),
        (told(1, "123m456m789s123p55s", "3p", discarder=1), "own discard"),
        (told(1, "123m456m789s123p55s", "3p", discarder=7), "no seat 7"),
        (told(1, "EEE456m789s123p55s", "3p"), "no tile E"),
        (told(1, "", None), "no tile in the hand"),
    ],
)
def test_what_cannot_be_is_refused_and_leaves_nothing(hand: HandTold, why: str) -> None:
    handler = handler_of("changsha")
    assert why in str(obey(handler, TellHand(hand, dealer=0)))
    assert handler.record.seq == 0


DEALT = parse_tiles("123m456m789s123p5s")


@pytest.mark.parametrize(
    ("rules", "before", "command", "why"),
    [
        ("wanzhou", None, TellOpening(1, DEALT, dealer=0), "No dealt hand scores in these rules"),
        ("changsha", None, TellOpening(4, DEALT, dealer=0), "no seat 4"),
        ("changsha", None, TellOpening(1, DEALT, dealer=0), "scores nothing"),
        ("changsha", None, TellOpening(1, parse_tiles("E"), dealer=0), "no tile E"),
        ("changsha", None, TellBirds((Tile.M1,)), "No win is shown"),
        ("wanzhou", WIN, TellBirds((Tile.M1,)), "No win is shown"),
        ("changsha", WIN, TellBirds((Tile.M1,) * 9), "are still to be turned"),
        ("changsha", WIN, TellBirds((Tile.EAST,)), "no tile E"),
        ("changsha", WIN, TellDraw(), "A win is declared in this hand"),
        ("changsha", WIN, TellDraw(dealer=2), "is dealt by Ann, not by Chen"),
        ("changsha", None, TellDraw(dealer=0, last_drawer=5), "no seat 5"),
    ],
)
def test_what_the_hand_has_no_place_for_is_refused_and_leaves_nothing(
    rules: str, before: HandTold | None, command: object, why: str
) -> None:
    handler = handler_of(rules)
    if before is not None:
        assert obey(handler, TellHand(before, dealer=0)) is None
    seq = handler.record.seq
    assert why in str(obey(handler, command))
    assert handler.record.seq == seq


def test_the_same_hand_declared_again_after_it_was_refused_is_refused_by_a_person_again() -> None:
    handler = handler_of("changsha")
    false = told(1, "258m28p567s123s456p", "2p")
    for giver in (0, None):
        obey(handler, TellHand(replace(false, discarder=giver), dealer=0))
        (asked,) = handler.record.state.questions
        assert obey(handler, Answer(asked.question, "yes")) is None
    assert len(handler.record.state.refused) == 2
    assert obey(handler, TellDraw(last_drawer=0)) is None


def test_a_drawn_hand_asks_who_drew_last_where_that_decides_the_deal() -> None:
    handler = handler_of("changsha")
    assert "who drew" in str(obey(handler, TellDraw(dealer=2))).lower()
    assert obey(handler, TellDraw(last_drawer=3, dealer=2)) is None
    event = handler.record.counting[-1][1]
    assert isinstance(event, WallExhausted)
    assert event.dealer_next == 3


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


def test_an_objection_holds_the_hand_until_a_person_has_answered(handler: CommandHandler) -> None:
    assert "object" in str(obey(handler, RaiseObjection(2))), "nothing is shown yet"
    assert obey(handler, TellHand(WIN, dealer=0)) is None
    if handler.rules.birds is not None:
        obey(handler, TellBirds(parse_tiles("19p")))
    assert obey(handler, RaiseObjection(2)) is None
    assert "already" in str(obey(handler, RaiseObjection(2)))
    assert handler.outcome.settled is None
    assert f"{NAMES[2]} objects" in str(obey(handler, Settle()))
    (asked,) = [q for q in handler.record.state.questions if q.question.kind.name == "OBJECTION"]
    assert handler.execute(Answer(asked.question, "yes"), "Bo (scorer)") is None
    handler.conclude()
    assert "answered" in str(obey(handler, RaiseObjection(2))), "the same thing is not asked twice"
    last = handler.record.entries[-1]
    assert last.by == "Bo (scorer)"
    if handler.rules.id in ("changsha", "wanzhou"):  # in the others it is no win, or more is shown
        assert obey(handler, Settle()) is None


def test_a_hand_that_was_told_anew_may_be_objected_to_anew() -> None:
    handler = handler_of("wanzhou")
    obey(handler, TellHand(WIN, dealer=0))
    obey(handler, RaiseObjection(2))
    obey(handler, TellHand(told(1, "123m456m789s123p55s", "1p")))
    assert obey(handler, RaiseObjection(2)) is None


def test_a_dealt_hand_that_scores_is_told_and_paid() -> None:
    handler = handler_of("changsha")
    four_alike = parse_tiles("1111m 246p 379s 258s")
    assert obey(handler, TellOpening(2, four_alike, dealer=0)) is None
    paid = side_payments(handler.rules, handler.record.state, (), over=True).opening
    assert paid[2] > 0 == sum(paid)
    assert "any more" in str(obey(handler, TellOpening(2, four_alike)))


def test_birds_are_due_as_far_as_the_told_wall_reaches() -> None:
    handler = handler_of("changsha")
    win = told(1, "123m456m789s123p55s", "3p", discarder=2, wall_left=1)
    assert obey(handler, TellHand(win, dealer=0)) is None
    assert "1 are still" in str(obey(handler, TellBirds(parse_tiles("19p"))))
    assert obey(handler, TellBirds(parse_tiles("1p"))) is None
    assert obey(handler, Settle()) is None


def test_only_an_egg_is_broken() -> None:
    hand = told(1, "", None, melds=(parse_meld("kong_added", "1111p"),), broken=(0,))
    assert "Only an egg" in str(obey(handler_of("changchun"), TellHand(hand, dealer=0)))


def test_the_chase_of_a_drawn_hand_is_told_and_what_was_laid_is_kept() -> None:
    handler = handler_of("tianjin")
    kong = told(0, "", None, melds=(parse_meld("kong_added", "1111p"),), claimed_from=(None,))
    assert obey(handler, TellHand(kong, dealer=0)) is None
    assert obey(handler, TellDraw(last_drawer=1, chased=True)) is None
    event = handler.record.counting[-1][1]
    assert isinstance(event, WallExhausted)
    assert event.transfers == (0, 0, 0, 0), "a kong of 3 and a chase of 3"
