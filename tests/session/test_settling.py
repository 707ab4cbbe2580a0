"""A settlement is shown for a while before it counts; whatever is doubtful waits for people."""

import threading

import pytest

from firmware_bridge.events import DiceRolled as BoardDice
from firmware_bridge.events import Dome, Key, KeyPressed, WallReady
from table_assist.contract.change import Change
from table_assist.contract.commands import Answer, Command, Correct, Settle
from table_assist.contract.health import SourceHealth
from table_assist.game.doubt import Doubt
from table_assist.game.events import BirdTurned, Discarded, HandShown, Settled
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import FAULT, Session
from table_assist.tiles import Tile, parse_tiles
from table_assist.words import Words
from tests.stages.both_languages import english

NAMES = ("Ann", "Bo", "Chen", "Du")
BO_WINS = (-7, 19, -6, -6)


class Table:
    """A session whose clock the test winds, with its birds still to be turned."""

    def __init__(self, settle_after_s: float = 8.0) -> None:
        self.t = 100.0
        self.record = Record(None, lambda: self.t)
        self.session = Session(
            plain_profile(find_rules("changsha")),
            NAMES,
            self.record,
            now=lambda: self.t,
            settle_after_s=settle_after_s,
        )
        self.hear(WallReady(), BoardDice(0, (1, 2)))
        self.see(Discarded(0, Tile.M1))
        self.hear(KeyPressed(1, Key.WIN))
        self.hand = self.see(
            HandShown(1, parse_tiles("234m 567p 111s 555s 88p"), Tile.P8, True),
            BirdTurned(Tile.M3),
        )

    def hear(self, *contents: object) -> None:
        for content in contents:
            self.session.process(BoardSignal(content))  # type: ignore[arg-type]

    def see(self, *events: object) -> int:
        for event in events:
            seq = self.record.append(event, Source.CAMERA)  # type: ignore[arg-type]
        self.session.process(SourceHealth("camera", "live", last_t=self.t))
        return seq

    def wait(self, seconds: float) -> None:
        self.t += seconds
        self.session.process(None)

    def say(self, command: Command) -> Words | None:
        replies: list[Words | None] = []
        worker = threading.Thread(target=lambda: replies.append(self.session.submit(command)))
        worker.start()
        while worker.is_alive():
            self.session.drain()
        return replies[0]

    @property
    def is_settled(self) -> bool:
        return self.session.snapshot.state.phase is Phase.SETTLED


@pytest.fixture
def table() -> Table:
    """All is known of Bo's win, and eight seconds are left to object."""
    made = Table()
    made.see(BirdTurned(Tile.M4))
    return made


def test_a_settlement_is_shown_first_and_counts_by_itself_in_time(table: Table) -> None:
    assert table.session.snapshot.settles_at == 108.0
    table.wait(7.9)
    assert not table.is_settled
    version = table.session.version
    table.wait(0.1)
    assert table.is_settled
    assert table.session.version == version + 1
    assert (table.session.snapshot.settles_at, table.record.state.scores) == (None, BO_WINS)


def test_while_birds_are_missing_no_time_runs() -> None:
    table = Table()
    table.wait(1000.0)
    assert (table.is_settled, table.session.snapshot.settles_at) == (False, None)


def test_without_a_delay_it_counts_at_once() -> None:
    table = Table(settle_after_s=0.0)
    table.see(BirdTurned(Tile.M4))
    assert table.is_settled


def test_a_person_accepts_it_at_once(table: Table) -> None:
    assert table.say(Settle()) is None
    assert table.is_settled


def test_a_change_starts_the_time_anew(table: Table) -> None:
    table.wait(5.0)
    assert table.say(Correct(table.hand, BirdTurned(Tile.M2))) is None
    assert table.session.snapshot.settles_at == 113.0
    table.wait(7.0)
    assert not table.is_settled
    table.wait(1.0)
    assert table.record.state.scores == (-14, 38, -12, -12)


def test_what_the_board_says_beside_the_game_starts_nothing_anew(table: Table) -> None:
    table.wait(5.0)
    table.hear(KeyPressed(2, Key.KONG))
    assert table.session.snapshot.settles_at == 108.0


def test_a_doubt_stops_the_time_and_a_person_accepts_all_the_same(table: Table) -> None:
    table.session._clerk.ask(Doubt(QuestionId.parse("hand-1-odd"), Words("Odd?", "怪？")))
    table.wait(100.0)
    assert (table.is_settled, table.session.snapshot.settles_at) == (False, None)
    assert table.say(Answer(QuestionId.parse("hand-1-odd"), "yes")) is None
    assert table.session.snapshot.settles_at == 208.0
    table.session._clerk.ask(Doubt(QuestionId.parse("hand-1-odder"), Words("Odder?", "更怪？")))
    table.wait(100.0)
    assert table.say(Settle()) is None
    assert table.is_settled


@pytest.mark.parametrize("content", [WallReady(), Dome(True), BoardDice(1, (3, 4))])
def test_who_clears_the_table_has_accepted_what_was_shown(table: Table, content: object) -> None:
    table.hear(content)
    assert table.record.history[0] == (1, BO_WINS, BO_WINS)
    assert not [q for q in table.record.state.questions if "ended" in str(q.question)]


def test_a_settlement_that_was_never_accepted_survives_the_programs_end(table: Table) -> None:
    """The hand goes on being shown after a restart: its time begins anew."""
    again = Table.__new__(Table)
    again.t, again.record = 500.0, Record(None, lambda: 500.0, table.record.entries)
    again.session = Session(
        plain_profile(find_rules("changsha")),
        NAMES,
        again.record,
        now=lambda: again.t,
        settle_after_s=8.0,
    )
    again.wait(0.0)
    assert again.session.snapshot.settles_at == 508.0


def test_the_running_session_lets_time_pass_by_itself() -> None:
    """Nothing comes in from anywhere, and yet the settlement is accepted."""
    table = Table(settle_after_s=0.05)
    table.see(BirdTurned(Tile.M4))
    assert not table.is_settled
    stop = threading.Event()
    writer = threading.Thread(target=table.session.run, args=(stop,))
    version = table.session.version
    table.t += 1.0
    writer.start()
    assert table.session.wait(version, 30.0) is not None
    stop.set()
    writer.join()
    assert table.is_settled


def test_a_preview_is_asked_of_the_running_session_and_changes_nothing(table: Table) -> None:
    stop = threading.Event()
    writer = threading.Thread(target=table.session.run, args=(stop,))
    writer.start()
    seq, version = table.record.seq, table.session.version
    change = table.session.preview(Correct(table.hand, BirdTurned(Tile.M2)))
    refused = table.session.preview(Correct(9999, BirdTurned(Tile.M2)))
    stop.set()
    writer.join()
    assert isinstance(change, Change)
    (hand,) = change.hands
    assert (hand.hand, hand.before, hand.after) == (1, BO_WINS, (-14, 38, -12, -12))
    assert change.scores_after == (0, 0, 0, 0)  # nothing is accepted yet
    assert isinstance(refused, Words)
    assert english(refused) == "entry 9999 does not count (any more), so it cannot be corrected"
    assert (table.record.seq, table.session.version) == (seq, version)


def test_a_command_that_meets_a_fault_leaves_nothing_behind(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The correction and the settlement that follows from it are one: both or none."""

    def fault(*_: object, **__: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr("table_assist.session.clerk.settle_again", fault)
    seq, state = table.record.seq, table.record.state
    replies: list[Words | None] = []
    command = Correct(table.hand, BirdTurned(Tile.M2))
    worker = threading.Thread(target=lambda: replies.append(table.session.submit(command)))
    worker.start()
    stop = threading.Event()
    writer = threading.Thread(target=table.session.run, args=(stop,))
    writer.start()
    worker.join(30.0)
    stop.set()
    writer.join()
    assert replies == [FAULT]
    assert (table.record.seq, table.record.state) == (seq, state)


def test_everything_that_was_written_down_can_be_read(table: Table) -> None:
    entries = table.session.entries()
    assert [entry.seq for entry in entries] == list(range(1, table.record.seq + 1))
    assert not any(isinstance(entry.event, Settled) for entry in entries)
