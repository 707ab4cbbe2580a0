"""What is stored is acknowledged once, over crashes; orders are answered."""

import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.board import Board, LineFault
from firmware_bridge import link
from firmware_bridge.events import DiceReport, Key, KeyPressed
from firmware_bridge.frames import Frame, FrameDecoder, encode
from firmware_bridge.link import LinkDown, LinkStatus, LinkUp
from firmware_bridge.messages import (
    PROTOCOL,
    Accepted,
    BoardSnapshot,
    Hello,
    Order,
    OrderDone,
    OrdersInFlight,
    Ping,
    Refused,
    Reset,
    StatusRequest,
    acknowledge_frame,
    order_frame,
    to_frame,
)
from firmware_bridge.receiver import Position, Reading, Receiver
from tests.stages.linked_board import QUICK, VirtualBoard, linked, wait_until
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
            self._coming += [b"", encode(Frame("OK", frame.seq)) + told]
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


def test_a_refused_order_ends_with_the_boards_reason() -> None:
    orders = OrdersInFlight()
    orders.put(Ping())
    orders.due(1.0)
    assert orders.finish(Refused(1, "TYPE"), 1.5) == [
        OrderDone(Ping(), "The board refuses the order: TYPE.", 0.5)
    ]
    assert orders.finish(Refused(1, "TYPE"), 1.6) == []


def test_no_order_outlives_its_connection() -> None:
    orders = OrdersInFlight()
    for _ in range(3):
        orders.put(Ping())
    orders.due(0.0)
    assert [done.took_s for done in orders.give_up("gone", 0.5)] == [0.5, 0.5, 0.0]
    assert orders.due(1.0) == []


def test_the_links_own_question_takes_a_place_and_tells_nobody() -> None:
    orders = OrdersInFlight()
    assert orders.ask_greeting(0.0) == Frame("RQ", 1)
    orders.put(Ping())
    orders.put(Ping())
    assert orders.due(0.0) == [Frame("PI", 2)]
    assert not orders.has_room
    assert orders.finish(Accepted(1), 0.1) == []
    assert orders.due(0.1) == [Frame("PI", 3)]
    orders.finish(Accepted(2), 0.2)
    assert orders.ask_greeting(0.2) == Frame("RQ", 4)
    assert orders.expire(9.0, 20.0) == []


BYTES_PER_MS = 11  # of the wire


class SlowWire:
    """The virtual board at the end of a wire, in steps of a millisecond."""

    def __init__(self) -> None:
        self.board, self.now_ms = Board(0xA1B2, 0), 0
        self._arriving = self._sending = b""

    def run_a_millisecond(self) -> bytes:
        self.now_ms += 1
        self.board.receive(self._arriving[:BYTES_PER_MS])
        self._arriving = self._arriving[BYTES_PER_MS:]
        if not self._sending:
            self._sending = self.board.step(self.now_ms) or b""
        sent, self._sending = self._sending[:BYTES_PER_MS], self._sending[BYTES_PER_MS:]
        return sent

    def send(self, data: bytes) -> None:
        self._arriving += data


class Crowd:
    """A hurried host at a board with a buffer of 64 bytes, in steps of a millisecond.

    The board is stricter than the firmware: it reads nothing at all while it sends a line.
    """

    def __init__(self) -> None:
        self.wire = SlowWire()
        self.receiver = Receiver()
        self.orders = OrdersInFlight()
        self.done: list[OrderDone] = []
        self.stored: list[Reading] = []
        self.snapshot: BoardSnapshot | None = None

    def run(self, milliseconds: int) -> None:
        for _ in range(milliseconds):
            data = self.wire.run_a_millisecond()
            now_s = self.wire.now_ms / 1000
            for item in self.receiver.feed(data, now_s=now_s, received_s=now_s):
                if not isinstance(item, Reading):
                    self.done += self.orders.finish(item, now_s)
                elif isinstance(item.content, BoardSnapshot):
                    self.snapshot = item.content
                elif item.is_event:
                    self.receiver.stored(item)
                    self.stored.append(item)
            self.done += self.orders.expire(now_s, 1.0)
            frames = self.orders.due(now_s) if self.receiver.board else []
            if self.receiver.wants_greeting and self.orders.has_room:
                frames.append(self.orders.ask_greeting(now_s))
            if self.orders.may_acknowledge(now_s):
                acknowledgement = self.receiver.take_acknowledgement()
                if acknowledgement is not None:
                    self.orders.acknowledged(now_s)
                    frames.append(acknowledge_frame(acknowledgement))
            self.wire.send(b"".join(map(encode, frames)))


@settings(max_examples=40)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("order"), st.sampled_from([Ping(), StatusRequest()])),
            st.tuples(st.just("press"), st.integers(0, 3)),
            st.tuples(st.just("wait"), st.integers(1, 40)),
        ),
        max_size=60,
    )
)
def test_a_buffer_of_64_bytes_never_overruns(script: list[tuple[str, object]]) -> None:
    crowd = Crowd()
    crowd.run(100)
    pressed = asked = 0
    for action, argument in script:
        match action:
            case "order":
                crowd.orders.put(argument)  # type: ignore[arg-type]
                asked += 1
            case "press":
                crowd.wire.board.happen(DiceReport(argument), crowd.wire.now_ms)  # type: ignore[arg-type]
                pressed += 1
            case _:
                crowd.run(argument)  # type: ignore[arg-type]
    crowd.run(3000)
    assert crowd.snapshot is not None
    assert (crowd.snapshot.overruns, crowd.snapshot.bad_lines) == (0, 0)
    assert [done.problem for done in crowd.done] == [None] * asked
    lost = sum(getattr(reading.content, "count", 0) for reading in crowd.stored)
    told = [reading for reading in crowd.stored if isinstance(reading.content, DiceReport)]
    assert len(told) + lost == pressed


def test_orders_streamed_past_the_rule_do_overrun_it() -> None:
    """The same crowd without the rule: the measure can fail."""
    crowd = Crowd()
    crowd.run(100)
    lines = [encode(order_frame(StatusRequest(), number)) for number in range(20)]
    crowd.wire.send(b"".join(lines))
    crowd.run(1000)
    assert crowd.snapshot is not None
    assert crowd.snapshot.overruns > 0
