"""The board's half of the protocol, pass by pass, and the limits of a small microcontroller."""

import pytest

from firmware_bridge.events import Dome, Key, KeyPressed, WallReady
from firmware_bridge.frames import BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.messages import BoardSnapshot, parse
from firmware_bridge.orders import (
    Acknowledge,
    Order,
    acknowledge_frame,
    order_frame,
)
from firmware_bridge.simulator import HELD_MS, Board, BoardTiming

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


def test_new_events_do_not_put_off_the_repetition_of_older_ones() -> None:
    """Players press twenty times a second, and the first event was lost on the line."""
    board = started()
    said = []
    for now_ms in range(0, 1001, 10):
        if now_ms % 50 == 0:
            board.happen(WallReady(), now_ms)
        said += [(now_ms, frame.seq) for frame in frames(board, now_ms) if frame.type == "EV"]
    assert [now_ms for now_ms, seq in said if seq == 1] == [0, 250, 500, 750, 1000]


@pytest.mark.parametrize(
    "order", [Acknowledge(1, "A1B2C3D5"), Acknowledge(2, BOOT), Acknowledge(0, BOOT)]
)
def test_an_acknowledgement_of_another_boot_or_number_is_ignored(order: Acknowledge) -> None:
    board = started()
    board.happen(WallReady(), 0)
    frames(board, 0)
    give(board, order)
    assert types(board, 250) == ["EV"]


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
