"""What is stored is acknowledged once, over crashes; orders are answered."""

import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware_bridge import link
from firmware_bridge.events import Key, KeyPressed
from firmware_bridge.faults import LineFault
from firmware_bridge.frames import Frame, FrameDecoder, encode
from firmware_bridge.link import LinkDown, LinkStatus, LinkUp
from firmware_bridge.messages import PROTOCOL, BoardSnapshot, Hello, to_frame
from firmware_bridge.orders import (
    Accepted,
    Order,
    OrderDone,
    Ping,
    Reset,
    StatusRequest,
    answer_frame,
)
from firmware_bridge.receiver import Position, Reading
from firmware_bridge.simulator import VirtualBoard
from tests.stages.linked_board import QUICK, linked, wait_until
from tests.stages.linked_board import board as board


def test_what_was_not_stored_before_a_crash_comes_to_the_next_link(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.press(0, Key.READY)
        stored = host.next_event()
        host.stores = False
        board.press(1, Key.WIN)
        assert host.next_events(1) == [KeyPressed(1, Key.WIN)]
    with linked(board.port, resume=Position(stored.boot_id, stored.seq)) as host:
        board.press(2, Key.PASS)
        assert host.next_events(2) == [KeyPressed(1, Key.WIN), KeyPressed(2, Key.PASS)]
        assert host.no_more_events()


def test_what_was_stored_but_not_acknowledged_is_not_repeated(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        host.stores = False
        board.press(0, Key.READY)
        stored = host.next_event()
    with linked(board.port, resume=Position(stored.boot_id, stored.seq)) as host:
        host.next(LinkUp)
        board.press(1, Key.WIN)
        assert host.next_events(1) == [KeyPressed(1, Key.WIN)]
        assert host.no_more_events()


def test_what_the_program_could_not_take_comes_again(
    board: VirtualBoard, caplog: pytest.LogCaptureFixture
) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        host.refusals = 2
        board.press(0, Key.READY)
        board.press(0, Key.WIN)
        assert host.next_events(2) == [KeyPressed(0, Key.READY), KeyPressed(0, Key.WIN)]
        assert host.no_more_events()
        assert host.link.health.failures == 2
    assert "disk full" in caplog.text


def test_a_stopping_link_still_acknowledges(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.press(0, Key.READY)
        assert host.next_events(1)
    with linked(board.port) as host:
        host.next(LinkUp)
        assert host.no_more_events()


def test_orders_are_answered_two_at_a_time(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        for _ in range(10):
            host.link.order(Ping())
        for _ in range(10):
            done = host.next(OrderDone)
            assert (done.order, done.problem) == (Ping(), None)
            assert done.took_s > 0
        while not isinstance(snapshot := host.next(Reading).content, BoardSnapshot):
            pass
        assert snapshot.overruns == 0


def test_an_order_without_an_answer_ends(board: VirtualBoard) -> None:
    with linked(board.port, timing=replace(QUICK, answer_s=1.0)) as host:
        host.next(LinkUp)
        board.harm_orders(LineFault.DROP)
        host.link.order(StatusRequest())
        done = host.next(OrderDone)
        assert done.problem == "The board did not answer within 1 s."


class StandstillPort:
    """Has answered what it is asked by the time that the machine goes on; it stood long still."""

    dtr = True

    def __init__(self) -> None:
        self.now_s = 0.0
        self._coming: list[bytes] = []
        self._orders = FrameDecoder()

    @property
    def in_waiting(self) -> int:
        return sum(map(len, self._coming[:1]))

    def read(self, size: int) -> bytes:
        time.sleep(0.001)
        if not self._coming:
            return b""
        came = self._coming.pop(0)
        self.now_s += 0.0 if came else 100.0  # just when nothing had come yet
        return came

    def write(self, data: bytes) -> int:
        hello = Hello(0, "A1B2C3D4", 1, 0, PROTOCOL, "virtual-1", ("KEY",))
        for frame in self._orders.feed(data):
            assert isinstance(frame, Frame)
            told = encode(to_frame(hello)) if frame.type == "RQ" else b""
            self._coming += [b"", encode(answer_frame(Accepted(frame.seq))) + told]
        return len(data)

    def close(self) -> None:
        pass


def test_what_came_while_the_machine_stood_still_came_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    port = StandstillPort()
    clock = SimpleNamespace(monotonic=lambda: port.now_s, time=time.time)
    monkeypatch.setattr(link, "time", clock)
    with linked("net://x", open_port=lambda *_: port) as host:
        host.next(LinkUp)
        host.link.order(Ping())
        assert host.next(OrderDone).problem is None
        assert port.now_s >= 200.0
        assert host.link.health.connects == 1
        assert host.link.health.status is LinkStatus.CONNECTED


def test_an_order_resets_the_board(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        first = board.boot_id
        host.link.order(Reset())
        assert host.next(OrderDone)
        wait_until(lambda: board.boot_id != first)
        board.press(0, Key.WIN)
        assert host.next_events(1) == [KeyPressed(0, Key.WIN)]


@pytest.mark.parametrize("order", [Ping(), Reset()])
def test_an_order_to_no_board_ends_at_once(order: Order, tmp_path: Path) -> None:
    with linked(str(tmp_path / "missing")) as host:
        host.next(LinkDown)
        host.link.order(order)
        done = host.next(OrderDone)
        assert done.problem == "The board is not connected."
