"""What the board says: taken once, acknowledged when it is on disk, told when it is odd."""

from pathlib import Path

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Key, KeyPressed, WallReady
from firmware_bridge.messages import Hello
from table_assist.game.events import BoardSaid
from table_assist.game.state import Phase
from table_assist.record.record import Record
from table_assist.record.store import Store, StoreError
from table_assist.rules.profile import plain_profile
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from tests.stages.plain_session import RULES, heard, record, session
from tests.stages.recorded_table import NAMES


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
