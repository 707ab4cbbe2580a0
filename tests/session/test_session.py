"""The one writer: signals, pictures and people become a record; nothing is silently wrong."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from firmware_bridge.events import DiceRolled as BoardDice
from firmware_bridge.events import Dome, Fault, Key, KeyPressed, WallReady
from firmware_bridge.messages import Hello
from firmware_bridge.receiver import EventsLost
from table_assist.contract.commands import Answer, Command, DeclareWin, EndHand, StartHand, Undo
from table_assist.contract.health import SourceHealth
from table_assist.game.events import (
    Answered,
    Asked,
    BirdTurned,
    BoardSaid,
    Discarded,
    HandAbandoned,
    HandShown,
    HandStarted,
    Settled,
    WinRefused,
)
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.store import Store, StoreError
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.tiles import Tile, parse_tiles
from table_assist.twin.scene import Scene
from table_assist.vision.table.observe import Observation
from table_assist.words import Words
from tests.following.test_infer import river, shown, tile
from tests.stages.both_languages import english
from tests.stages.perfect_eyes import NAMES, PerfectTable, evening, observation

RULES = find_rules("changsha")


def session(rules: RuleSet = RULES) -> Session:
    return Session(plain_profile(rules), NAMES, Record(None, lambda: 1.0), now=lambda: 1.0)


def hear(table: Session, *contents: object) -> None:
    for content in contents:
        table.process(BoardSignal(content))  # type: ignore[arg-type]


def command(table: Session, what: Command) -> str | None:
    """As `submit`, without the writer's thread; a refusal in English."""
    worker = threading.Thread(target=lambda: replies.append(table.submit(what)))
    replies: list[Words | None] = []
    worker.start()
    while worker.is_alive():
        table.drain()
    return english(replies[0]) or None


def record(table: Session) -> Record:
    return table._record


# -- whole evenings with perfect eyes --------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_with_perfect_eyes_the_record_is_the_truth(seed: int) -> None:
    table = PerfectTable(RULES)
    truth = []
    for step in evening(RULES, seed, hands=4):
        table.follow(step)
        truth += step.events
    got = [event for _, event in table.record.counting if not isinstance(event, BoardSaid)]
    assert [e for e in got if isinstance(e, Asked)] == []
    for true, recorded in zip(truth, got, strict=True):
        if isinstance(true, Settled):
            assert isinstance(recorded, Settled)
            assert (true.transfers, set(true.winners)) == (
                recorded.transfers,
                set(recorded.winners),
            )
        elif isinstance(true, HandStarted):
            assert isinstance(recorded, HandStarted)
            assert (true.hand, true.rules, true.dealer, true.wall_left) == (
                recorded.hand,
                recorded.rules,
                recorded.dealer,
                recorded.wall_left,
            )
        else:
            assert true == recorded


@pytest.mark.slow
def test_after_a_crash_at_any_step_the_hand_goes_on_where_it_was(tmp_path: Path) -> None:
    """Every step is followed by a new program that reads the log of the one before."""
    truth = []
    before = Scene()
    for step in evening(RULES, 3, hands=1):
        with Store(tmp_path / "log.sqlite") as store:
            table = PerfectTable(RULES, Record(store, lambda: 0.0))
            table.look(before)
            table.follow(step)
            truth += step.events
        before = step.scene
    settled = [e for e in truth if isinstance(e, Settled)]
    assert table.record.state.scores == (settled[0].transfers if settled else (0, 0, 0, 0))
    discards = [e for e in truth if isinstance(e, Discarded)]
    assert [e for _, e in table.record.counting if isinstance(e, Discarded)] == discards


# -- the board -------------------------------------------------------------------------------------


def test_the_dice_start_the_hand_of_who_pressed_their_key() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(2, (3, 4)))
    state = table.snapshot.state
    assert (state.phase, state.dealer, state.hand, state.wall_left) == (Phase.PLAYING, 2, 1, 55)


def test_dice_of_somebody_else_than_the_dealer_are_asked_about() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(2, (3, 4)))
    record(table).append(Settled((1,), (0, 1, -1, 0), 1), Source.RULES)
    hear(table, Dome(True), WallReady(), BoardDice(0, (1, 1)))
    (question,) = table.snapshot.state.questions
    assert "{0} rolled the dice" in question.text.en
    assert table.snapshot.state.dealer == 1
    assert command(table, Answer(question.question, "yes")) is None
    assert table.snapshot.state.dealer == 0
    assert table.snapshot.state.questions == ()


def test_a_signal_delivered_again_after_a_crash_is_recorded_once(tmp_path: Path) -> None:
    """The program ended before it could acknowledge: the board sends its last events again."""
    acknowledged: list[str] = []
    for _ in range(2):
        with Store(tmp_path / "log.sqlite") as store:
            table = Session(
                plain_profile(RULES), NAMES, Record(store, lambda: 1.0), now=lambda: 1.0
            )
            for content, origin in (
                (WallReady(), "board A 1"),
                (BoardDice(0, (1, 2)), "board A 2"),
            ):
                table.process(BoardSignal(content, origin, lambda o=origin: acknowledged.append(o)))
            assert table.snapshot.state.hand == 1
    assert acknowledged == ["board A 1", "board A 2"] * 2


def test_a_board_that_counts_anew_under_its_old_name_is_heard(tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        table = Session(plain_profile(RULES), NAMES, Record(store, lambda: 1.0), now=lambda: 1.0)
        table.process(BoardSignal(WallReady(), "board A 1"))
        table.process(BoardSignal(BoardDice(0, (1, 2)), "board A 2"))
        table.process(BoardSignal(KeyPressed(3, Key.WIN), "board A 1"))
        assert table.snapshot.state.declared == (3,)


def no_space(entries: object) -> None:
    raise StoreError("the log cannot be written: no space")


def test_a_signal_is_acknowledged_only_when_it_is_on_disk(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    with Store(tmp_path / "log.sqlite") as store:
        table = Session(plain_profile(RULES), NAMES, Record(store, lambda: 1.0), now=lambda: 1.0)
        store.append = no_space  # type: ignore[method-assign]
        table.process(BoardSignal(WallReady(), "a", lambda: acknowledged.append("a")))
        assert acknowledged == []
        assert {h.name: h.status for h in table.snapshot.health}["log"] == "lost"
        assert table.snapshot.state.phase is Phase.WALL_READY


def test_a_key_between_hands_is_a_notice_with_the_name() -> None:
    table = session()
    hear(table, KeyPressed(1, Key.WIN))
    assert table.snapshot.notices == (
        Words("Bo pressed win while no hand was running.", "没有进行中的牌局，Bo 却按了“和”键。"),
    )


def test_a_fault_of_the_board_is_told() -> None:
    table = session()
    hear(table, Fault("LADDER2"))
    assert "LADDER2" in table.snapshot.notices[0].en


def test_lost_signals_are_asked_about() -> None:
    table = session()
    hear(table, EventsLost(3))
    assert "lost 3" in table.snapshot.state.questions[0].text.en


def test_a_dome_that_opens_in_a_hand_is_asked_about_and_a_new_wall_ends_it() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(0, (1, 2)), Dome(True))
    assert table.snapshot.state.phase is Phase.PLAYING
    assert [str(q.question) for q in table.snapshot.state.questions] == ["hand-1-ended"]
    hear(table, WallReady())
    state = table.snapshot.state
    assert state.phase is Phase.WALL_READY
    assert [str(q.question) for q in state.questions] == ["hand-1-ended", "hand-1-unsettled"]


def test_yes_to_the_abandoned_hand_abandons_it() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(0, (1, 2)), Dome(True))
    command(table, Answer(QuestionId.parse("hand-1-ended"), "yes"))
    assert isinstance(record(table).counting[-2][1], HandAbandoned)
    assert table.snapshot.state.phase is Phase.SETTLED


# -- people ----------------------------------------------------------------------------------------


def test_answers_to_nothing_and_wrong_answers_are_refused_in_words() -> None:
    table = session()
    assert "not open" in (command(table, Answer(QuestionId.parse("no-such"), "yes")) or "")
    hear(table, EventsLost(1))
    question = table.snapshot.state.questions[0].question
    assert "not a choice" in (command(table, Answer(question, "maybe")) or "")


def test_an_answered_tile_takes_the_unknowns_place() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    seq = record(table).append(Discarded(0, Tile.UNKNOWN), Source.CAMERA)
    asked = Asked(QuestionId.parse("which"), Words("?", "?"), ("7s", "9s"), about=seq)
    record(table).append(asked, Source.RULES)
    assert command(table, Answer(QuestionId.parse("which"), "9s")) is None
    assert table.snapshot.state.seats[0].river == (Tile.S9,)


def test_an_entry_can_be_taken_back_once() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    seq = record(table).append(Discarded(0, Tile.M1), Source.CAMERA)
    assert command(table, Undo(seq)) is None
    assert table.snapshot.state.seats[0].river == ()
    assert "does not count" in (command(table, Undo(seq)) or "")
    assert "does not count" in (command(table, Undo(999)) or "")


def test_a_table_without_a_board_is_followed_by_what_people_say() -> None:
    table = session()
    assert "no hand is running" in (command(table, DeclareWin(1)) or "")
    assert command(table, StartHand(3)) is None
    state = table.snapshot.state
    assert (state.phase, state.dealer, state.wall_left) == (Phase.PLAYING, 3, 55)
    assert "still running" in (command(table, StartHand(0)) or "")
    assert command(table, DeclareWin(1)) is None
    assert "Bo has already declared" in (command(table, DeclareWin(1)) or "")
    assert table.snapshot.state.declared == (1,)
    assert command(table, EndHand()) is None
    assert table.snapshot.state.phase is Phase.SETTLED
    assert command(table, EndHand()) is not None


def shown_hand(table: Session, tiles: str, winning: str = "8p") -> None:
    """Bo shows a self-drawn hand."""
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    record(table).append(Discarded(0, Tile.M1), Source.CAMERA)
    hear(table, KeyPressed(1, Key.WIN))
    shown = HandShown(1, parse_tiles(tiles), parse_tiles(winning)[0], True)
    record(table).append(shown, Source.CAMERA)
    table.process(SourceHealth("camera", "live"))


def test_a_hand_that_does_not_win_is_refused_only_by_a_person() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 556s 88p")
    (question,) = table.snapshot.state.questions
    assert "does not win" in question.text.en
    assert "{1}" in question.text.en
    assert table.snapshot.state.phase is Phase.SHOWING
    command(table, Answer(question.question, "yes"))
    assert table.snapshot.state.phase is Phase.PLAYING
    assert table.snapshot.state.refused == (WinRefused(1, ("structure",)),)


def test_a_refused_win_costs_what_the_house_agreed() -> None:
    agreed = {"false_win_penalty": "custom", "false_win_amount": 5}
    table = session(RULES.with_options(agreed))
    shown_hand(table, "234m 567p 111s 556s 88p")
    command(table, Answer(table.snapshot.state.questions[0].question, "yes"))
    assert table.snapshot.state.scores == (5, -15, 5, 5)
    assert table.snapshot.state.phase is Phase.PLAYING


def test_a_win_waits_for_its_birds() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    snapshot = table.snapshot
    assert snapshot.state.phase is Phase.SHOWING
    assert [(seat, verdict.valid) for seat, verdict in snapshot.verdicts] == [(1, True)]


def test_a_settlement_taken_back_is_not_made_again_unasked() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    record(table).append(BirdTurned(Tile.M3), Source.CAMERA)
    record(table).append(BirdTurned(Tile.M3), Source.CAMERA)
    table.process(SourceHealth("camera", "live"))
    settled = record(table).seq
    # Won on the first tile drawn: a Big Win of 6, 7 from the dealer (CS-21k, CS-23).
    assert table.snapshot.state.scores == (-7, 19, -6, -6)
    assert command(table, Undo(settled)) is None
    assert table.snapshot.state.scores == (0, 0, 0, 0)
    (question,) = table.snapshot.state.questions
    assert command(table, Answer(question.question, "yes")) is None
    assert table.snapshot.state.scores == (-7, 19, -6, -6)


# -- readers ---------------------------------------------------------------------------------------


def test_a_covered_table_is_told_as_covered() -> None:
    table = PerfectTable(RULES)
    steps = list(evening(RULES, 1, hands=1))
    table.session.process(SourceHealth("camera", "live"))
    for step in steps[:30]:
        table.follow(step)
    before = table.record.seq
    table.look(Scene(), 5)
    assert {h.name: h.status for h in table.session.snapshot.health}["camera"] == "covered"
    assert table.record.seq == before
    table.look(steps[29].scene, 3)
    assert {h.name: h.status for h in table.session.snapshot.health}["camera"] == "live"


def test_readers_wait_for_news_and_get_none_without() -> None:
    table = session()
    version = table.version
    assert table.wait(version, 0.01) is None
    hear(table, WallReady())
    snapshot = table.wait(version, 0.01)
    assert snapshot is not None
    assert snapshot.state.phase is Phase.WALL_READY


def test_an_unchanged_table_publishes_nothing() -> None:
    table = session()
    hear(table, WallReady())
    version = table.version
    table.process(observation(Scene()))
    assert table.version == version


def test_started_hands_are_told_with_their_dice() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(3, (2, 5)))
    kinds = [type(entry.event).__name__ for entry in table.snapshot.entries]
    assert kinds == ["WallBuilt", "DiceRolled", "HandStarted"]
    assert isinstance(table.snapshot.entries[-1].event, HandStarted)


# -- what must never be silently wrong -------------------------------------------------------------


def test_a_hand_is_not_taken_for_won_on_a_tile_before_the_last() -> None:
    """Chen's discard is steady together with the hand of Du who wins on it."""
    table = session()
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    record(table).append(Discarded(0, Tile.M1), Source.CAMERA)
    record(table).append(Discarded(1, Tile.S5), Source.CAMERA)
    hear(table, KeyPressed(3, Key.WIN))
    lying = [*river(0, "1m"), *river(1, "5s"), *river(2, "1m"), *shown(3, "23m 567p 111s 555s 88p")]
    table.process(Observation(0.0, tuple(lying)))
    (hand,) = table.snapshot.state.shown
    assert record(table).state.last_discard == (2, Tile.M1)
    assert hand.winning_tile is Tile.M1


def test_a_discard_seen_after_the_hand_was_shown_holds_the_settlement() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    late = [*river(0, "1m"), *river(2, "9p"), *shown(1, "234m 567p 111s 555s 8p", apart="8p")]
    birds = [tile(Tile.M3, 30, -20, 0), tile(Tile.M4, 30, 25, 0)]
    for _ in range(3):
        table.process(Observation(0.0, (*late, *birds)))
    assert table.snapshot.state.phase is Phase.SHOWING
    assert [str(q.question) for q in table.snapshot.state.questions] == ["hand-1-late-2-1"]
    command(table, Answer(QuestionId.parse("hand-1-late-2-1"), "yes"))
    assert table.snapshot.state.phase is Phase.SETTLED


def test_open_doubts_about_the_hand_hold_its_settlement() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    seq = record(table).seq
    doubtful = Asked(
        QuestionId.parse("hand-1-irregular-9"), Words("?", "?"), ("yes", "no"), about=seq
    )
    record(table).append(doubtful, Source.RULES)
    turn_birds(table, Tile.M3, Tile.M4)
    assert table.snapshot.state.phase is Phase.SHOWING
    command(table, Answer(QuestionId.parse("hand-1-irregular-9"), "yes"))
    assert table.snapshot.state.phase is Phase.SETTLED


def turn_birds(table: Session, *tiles: Tile) -> None:
    for turned in tiles:
        record(table).append(BirdTurned(turned), Source.CAMERA)
    table.process(SourceHealth("camera", "live", last_t=float(record(table).seq)))


def test_birds_seen_otherwise_than_recorded_are_asked_about() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    record(table).append(BirdTurned(Tile.M2), Source.CAMERA)
    lying = [*river(0, "1m"), *shown(1, "234m 567p 111s 555s 8p", apart="8p")]
    birds = [tile(Tile.M3, 30, -20, 0), tile(Tile.M4, 30, 25, 0)]
    for _ in range(3):
        table.process(Observation(0.0, (*lying, *birds)))
    assert table.snapshot.state.phase is Phase.SHOWING
    assert any("birds" in str(q.question) for q in table.snapshot.state.questions)


def test_a_question_whose_ground_is_gone_goes_away_and_pays_nothing() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 556s 88p")
    (question,) = table.snapshot.state.questions
    right = HandShown(1, parse_tiles("234m 567p 111s 555s 88p"), Tile.P8, True)
    record(table).append(right, Source.CAMERA)
    turn_birds(table, Tile.M3, Tile.M4)
    assert table.snapshot.state.questions == ()
    assert table.snapshot.state.phase is Phase.SETTLED
    assert "not open" in (command(table, Answer(question.question, "yes")) or "")


def test_a_settlement_made_again_pays_what_is_shown_now() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    wrong = record(table).append(BirdTurned(Tile.M2), Source.CAMERA)
    turn_birds(table, Tile.M3)
    settled = record(table).seq
    # The 2m names Bo: his payments are doubled (CS-26, CS-27).
    assert table.snapshot.state.scores == (-14, 38, -12, -12)
    assert command(table, Undo(settled)) is None
    (stale,) = table.snapshot.state.questions
    assert command(table, Undo(wrong)) is None
    assert table.snapshot.state.questions == ()
    turn_birds(table, Tile.M4)
    assert "not open" in (command(table, Answer(stale.question, "yes")) or "")
    (question,) = table.snapshot.state.questions
    assert command(table, Answer(question.question, "yes")) is None
    assert table.snapshot.state.scores == (-7, 19, -6, -6)


def test_an_answer_taken_back_opens_its_question_again() -> None:
    table = session()
    hear(table, EventsLost(1))
    question = table.snapshot.state.questions[0].question
    command(table, Answer(question, "yes"))
    assert table.snapshot.state.questions == ()
    assert command(table, Undo(record(table).seq)) is None
    assert [asked.question for asked in table.snapshot.state.questions] == [question]


def test_two_unread_tiles_of_a_hand_are_asked_for_one_after_the_other() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 8p?", "?")
    for answer in ("8p", "8p"):
        (question,) = table.snapshot.state.questions
        assert command(table, Answer(question.question, answer)) is None
    (hand,) = table.snapshot.state.shown
    assert (hand.winning_tile, hand.concealed.count(Tile.UNKNOWN)) == (Tile.P8, 0)
    turn_birds(table, Tile.M3, Tile.M4)
    assert table.snapshot.state.phase is Phase.SETTLED


def test_an_unread_bird_is_asked_for_and_refuses_nothing() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    turn_birds(table, Tile.UNKNOWN, Tile.M3)
    (question,) = table.snapshot.state.questions
    assert "bird" in question.text.en
    assert command(table, Answer(question.question, "4m")) is None
    assert table.snapshot.state.scores == (-7, 19, -6, -6)


def test_a_rejected_discard_is_asked_for_not_recorded_again() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    table.process(Observation(0.0, tuple(river(0, "1m"))))
    assert command(table, Undo(record(table).seq)) is None
    for _ in range(3):
        table.process(Observation(0.0, tuple(river(0, "1m"))))
    assert table.snapshot.state.seats[0].river == (Tile.UNKNOWN,)
    (question,) = table.snapshot.state.questions
    assert "What did {0} discard" in question.text.en
    assert command(table, Answer(question.question, "7m")) is None
    assert table.snapshot.state.seats[0].river == (Tile.M7,)


def test_what_a_person_corrected_the_camera_does_not_overrule() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 55s? 88p")
    (question,) = table.snapshot.state.questions
    command(table, Answer(question.question, "5s"))
    lying = [*river(0, "1m"), *shown(1, "234m 567p 111s 556s 8p", apart="8p")]
    table.process(Observation(0.0, tuple(lying)))
    (hand,) = table.snapshot.state.shown
    assert hand.concealed.count(Tile.S5) == 3
    assert ["corrected" in str(q.question) for q in table.snapshot.state.questions] == [True]


def test_the_verdict_stays_on_view_after_the_settlement() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    turn_birds(table, Tile.M3, Tile.M4)
    table.process(SourceHealth("camera", "live", last_t=99.0))
    assert table.snapshot.settlement is not None
    assert table.snapshot.settlement.payments == (-7, 19, -6, -6)


def test_of_two_people_who_answer_at_once_one_is_heard_and_one_is_told() -> None:
    table = session()
    hear(table, EventsLost(1))
    question = table.snapshot.state.questions[0].question
    stop = threading.Event()
    writer = threading.Thread(target=table.run, args=(stop,))
    writer.start()
    with ThreadPoolExecutor(2) as people:
        replies = list(people.map(lambda _: table.submit(Answer(question, "yes")), range(2)))
    stop.set()
    writer.join()
    assert replies.count(None) == 1
    assert any("not open" in reply.en for reply in replies if reply is not None)
    answered = [event for _, event in record(table).counting if isinstance(event, Answered)]
    assert len(answered) == 1


# -- what the board says beside the game -----------------------------------------------------------


def heard(table: Session, content: object, origin: str = "") -> None:
    table.process(BoardSignal(content, origin))  # type: ignore[arg-type]


def test_what_says_nothing_of_the_game_is_kept_as_evidence_before_it_is_acknowledged() -> None:
    table = session()
    for content, origin in ((WallReady(), "board A 1"), (BoardDice(0, (3, 4)), "board A 2")):
        heard(table, content, origin)
    stored: list[int] = []
    kong = KeyPressed(2, Key.KONG)
    table.process(BoardSignal(kong, "board A 3", lambda: stored.append(record(table).seq)))
    last = record(table).entries[-1]
    assert (last.event, last.origin) == (BoardSaid("KEY", ("2", "KONG")), "board A 3")
    assert stored == [last.seq]


def greeting(boot_id: str) -> Hello:
    return Hello(0, boot_id, 0, 0, 1, "test", ())


def test_a_board_that_restarts_in_a_hand_is_a_doubt_and_its_first_greeting_is_none() -> None:
    table = session()
    heard(table, greeting("A"))
    heard(table, WallReady(), "board A 1")
    heard(table, greeting("B"))  # between two hands nothing can be missing
    heard(table, BoardDice(0, (3, 4)), "board B 1")
    heard(table, greeting("B"))
    assert record(table).state.questions == ()
    heard(table, greeting("C"))
    (asked,) = record(table).state.questions
    assert "restarted during hand 1" in asked.text.en
