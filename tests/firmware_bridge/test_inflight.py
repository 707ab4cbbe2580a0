"""Orders in flight: at most two, each with one end."""

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.events import DiceReport
from firmware_bridge.frames import Frame, encode
from firmware_bridge.messages import BoardSnapshot
from firmware_bridge.orders import (
    Accepted,
    OrderDone,
    OrdersInFlight,
    Ping,
    Refused,
    StatusRequest,
    acknowledge_frame,
    order_frame,
)
from firmware_bridge.receiver import Reading, Receiver
from firmware_bridge.simulator import Board


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
        self.board, self.now_ms = Board("A1B2C3D4", 0), 0
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


@settings(max_examples=40, deadline=None)
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
