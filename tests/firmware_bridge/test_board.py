"""The board's half of the protocol, pass by pass, and the limits of a small microcontroller."""

import pytest

from firmware_bridge.events import WallReady
from firmware_bridge.frames import BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.orders import Acknowledge, Order, acknowledge_frame, order_frame
from firmware_bridge.simulator import Board

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


@pytest.mark.parametrize(
    "order", [Acknowledge(1, "A1B2C3D5"), Acknowledge(2, BOOT), Acknowledge(0, BOOT)]
)
def test_an_acknowledgement_of_another_boot_or_number_is_ignored(order: Acknowledge) -> None:
    board = started()
    board.happen(WallReady(), 0)
    frames(board, 0)
    give(board, order)
    assert types(board, 250) == ["EV"]
