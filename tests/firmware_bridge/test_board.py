"""The board's half of the protocol, pass by pass, and the limits of a small microcontroller."""

import pytest

from firmware_bridge.events import Dome, Key, KeyPressed, WallReady
from firmware_bridge.frames import BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.messages import BoardSnapshot, Event, Hello, parse
from firmware_bridge.orders import (
    Accepted,
    Acknowledge,
    Order,
    Ping,
    Refused,
    Reset,
    StatusRequest,
    acknowledge_frame,
    order_frame,
    parse_answer,
)
from firmware_bridge.simulator import HELD_MS, KEPT_EVENTS, Board, BoardTiming

BOOT = "A1B2C3D4"


def frames(board: Board, now_ms: int) -> list[Frame]:
    """All that the board has to say at this moment."""
    said: list[Frame] = []
    while (line := board.step(now_ms)) is not None:
        for frame in FrameDecoder().feed(line):
            assert not isinstance(frame, BadFrame)
            said.append(frame)
    return said


def types(board: Board, now_ms: int) -> list[str]:
    return [frame.type for frame in frames(board, now_ms)]


def started(now_ms: int = 0) -> Board:
    board = Board(BOOT, now_ms)
    assert types(board, now_ms) == ["HI", "ST"]
    return board


def give(board: Board, order: Order | Acknowledge, seq: int = 1) -> None:
    is_acknowledge = isinstance(order, Acknowledge)
    board.receive(encode(acknowledge_frame(order) if is_acknowledge else order_frame(order, seq)))


def test_a_board_greets_at_its_start() -> None:
    hello, snapshot = (parse(frame) for frame in frames(Board(BOOT, 0), 7))
    assert isinstance(hello, Hello)
    assert (hello.seq, hello.boot_id, hello.board_ms, hello.pending) == (0, BOOT, 7, 0)
    assert isinstance(snapshot, BoardSnapshot)


def test_an_event_is_sent_at_once_and_every_quarter_second_until_acknowledged() -> None:
    board = started()
    board.happen(WallReady(), 100)
    said = [now_ms for now_ms in range(100, 1000, 10) if "EV" in types(board, now_ms)]
    assert said == [100, 350, 600, 850]
    give(board, Acknowledge(1, BOOT))
    assert "EV" not in types(board, 1100)


def test_new_events_do_not_put_off_the_repetition_of_older_ones() -> None:
    """Players press twenty times a second, and the first event was lost on the line."""
    board = started()
    said = []
    for now_ms in range(0, 1001, 10):
        if now_ms % 50 == 0:
            board.happen(WallReady(), now_ms)
        said += [(now_ms, frame.seq) for frame in frames(board, now_ms) if frame.type == "EV"]
    assert [now_ms for now_ms, seq in said if seq == 1] == [0, 250, 500, 750, 1000]


def test_one_acknowledgement_speaks_for_all_before_it() -> None:
    board = started()
    for _ in range(3):
        board.happen(WallReady(), 0)
    frames(board, 0)
    give(board, Acknowledge(2, BOOT))
    assert [(frame.type, frame.seq) for frame in frames(board, 250)] == [("EV", 3)]


@pytest.mark.parametrize(
    "order", [Acknowledge(1, "A1B2C3D5"), Acknowledge(2, BOOT), Acknowledge(0, BOOT)]
)
def test_an_acknowledgement_of_another_boot_or_number_is_ignored(order: Acknowledge) -> None:
    board = started()
    board.happen(WallReady(), 0)
    frames(board, 0)
    give(board, order)
    assert types(board, 250) == ["EV"]


def test_a_full_board_keeps_the_newest() -> None:
    board = started()
    for _ in range(KEPT_EVENTS + 2):
        board.happen(WallReady(), 0)
    assert [frame.seq for frame in frames(board, 0)] == list(range(3, KEPT_EVENTS + 3))


def test_orders_are_answered_with_their_own_number() -> None:
    board = started()
    give(board, Ping(), 41)
    give(board, StatusRequest(), 42)
    said = frames(board, 10)
    assert [parse_answer(frame) for frame in said[:2]] == [Accepted(41), Accepted(42)]
    assert [frame.type for frame in said[2:]] == ["HI", "ST"]


def test_an_unknown_order_is_refused_and_a_damaged_one_counted() -> None:
    board = started()
    board.receive(encode(Frame("XX", 9)) + b"$PI,1*0000\r\n" + b"z" * 20 + b"\n")
    assert [parse_answer(frame) for frame in frames(board, 0)] == [Refused(9, "TYPE")]
    (snapshot,) = [parse(frame) for frame in frames(board, 500)]
    assert isinstance(snapshot, BoardSnapshot)
    assert snapshot.bad_lines == 3


def test_a_reset_is_answered_before_it_happens() -> None:
    board = started()
    give(board, Reset(), 5)
    line = board.step(10)
    assert line is not None
    assert line.startswith(b"$OK,5*")
    assert board.wants_restart
    assert board.restarted(20).boot_id == "A1B2C3D5"


def test_a_restart_loses_what_was_kept_and_counts_from_one() -> None:
    board = started()
    board.happen(WallReady(), 0)
    board = Board("A1B2FFFF", 0).restarted(1000)
    assert board.boot_id == "A1B20000"
    assert types(board, 1000) == ["HI", "ST"]
    board.happen(WallReady(), 1200)
    (event,) = [parse(frame) for frame in frames(board, 1200)]
    assert event == Event(1, "A1B20000", 200, WallReady())


def test_a_snapshot_shows_levels_and_held_keys() -> None:
    board = Board(BOOT, 0, BoardTiming(snapshot_ms=10))
    frames(board, 0)
    board.happen(KeyPressed(3, Key.PASS), 0)
    board.happen(WallReady(), 0)

    def inputs(now_ms: int) -> BoardSnapshot:
        (snapshot,) = [
            message
            for message in (parse(frame) for frame in frames(board, now_ms))
            if isinstance(message, BoardSnapshot)
        ]
        return snapshot

    assert inputs(10).inputs.key(3, Key.PASS)
    assert inputs(10 + 10).inputs.wall_ready
    assert not inputs(HELD_MS + 10).inputs.key(3, Key.PASS)
    board.happen(Dome(open=True), 200)
    opened = inputs(210).inputs
    assert opened.dome_open
    assert not opened.wall_ready
    board.happen(Dome(open=False), 220)
    assert not inputs(230).inputs.dome_open
