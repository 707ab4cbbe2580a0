"""Bytes on their way to the board, never more than its 64 bytes of buffer. No port, no clock.

A board may be sending its longest line, which takes 8.3 ms, before it reads on behind an order. By
then two orders (16 bytes each) and one acknowledgement (25 bytes) may have come: 57 bytes.
"""

import queue
from dataclasses import dataclass

from firmware_bridge.frames import SEQ_MODULUS, Frame
from firmware_bridge.orders import Accepted, Answer, Order, Refused, StatusRequest, order_frame

IN_FLIGHT = 2
# One acknowledgement speaks for all events before it, so that none is lost by waiting.
ACKNOWLEDGE_EVERY_S = 0.02


@dataclass(frozen=True, slots=True)
class OrderDone:
    """The outcome of an order.

    Attributes:
        problem: None when the board took it; else one sentence.
        took_s: from sending to the answer; 0 if it was never sent.
    """

    order: Order
    problem: str | None
    took_s: float


@dataclass(frozen=True, slots=True)
class _Sent:
    order: Order
    at_s: float
    is_own: bool  # the link's own question for the greeting: nobody waits for its end


class OrdersInFlight:
    """Numbers orders, holds back the third, and matches the answers.

    ``put`` may be called from any thread; everything else from one.
    """

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self._sent: dict[int, _Sent] = {}
        self._seq = 0
        self._acknowledged_s = float("-inf")

    def put(self, order: Order) -> None:
        """Let an order wait for its turn."""
        self._waiting.put(order)

    @property
    def has_room(self) -> bool:
        """Whether one more order may be sent now."""
        return len(self._sent) < IN_FLIGHT

    def ask_greeting(self, now_s: float) -> Frame:
        """The link's own question who the board is; only where there is room."""
        return self._send(StatusRequest(), now_s, is_own=True)

    def may_acknowledge(self, now_s: float) -> bool:
        """Whether there is room for an acknowledgement."""
        return now_s - self._acknowledged_s >= ACKNOWLEDGE_EVERY_S

    def acknowledged(self, now_s: float) -> None:
        """Note that one was sent."""
        self._acknowledged_s = now_s

    def due(self, now_s: float) -> list[Frame]:
        """The frames to be sent now."""
        frames = []
        while self.has_room and not self._waiting.empty():
            frames.append(self._send(self._waiting.get(), now_s, is_own=False))
        return frames

    def finish(self, answer: Answer, now_s: float) -> list[OrderDone]:
        """Match an answer; an answer to no order is dropped."""
        match answer:
            case Accepted(seq):
                return self._end(seq, None, now_s)
            case Refused(seq, reason):
                return self._end(seq, f"The board refuses the order: {reason}.", now_s)

    def expire(self, now_s: float, answer_s: float) -> list[OrderDone]:
        """Give up the orders that have waited longer than answer_s for their answer."""
        late = [seq for seq, sent in self._sent.items() if now_s - sent.at_s > answer_s]
        problem = f"The board did not answer within {answer_s:g} s."
        return [done for seq in late for done in self._end(seq, problem, now_s)]

    def give_up(self, problem: str, now_s: float) -> list[OrderDone]:
        """Give up all orders, those that wait too: none may act on a later connection."""
        ended = [done for seq in list(self._sent) for done in self._end(seq, problem, now_s)]
        while not self._waiting.empty():
            ended.append(OrderDone(self._waiting.get(), problem, 0.0))
        return ended

    def _send(self, order: Order, now_s: float, *, is_own: bool) -> Frame:
        self._seq = (self._seq + 1) % SEQ_MODULUS
        self._sent[self._seq] = _Sent(order, now_s, is_own)
        return order_frame(order, self._seq)

    def _end(self, seq: int, problem: str | None, now_s: float) -> list[OrderDone]:
        sent = self._sent.pop(seq, None)
        if sent is None or sent.is_own:
            return []
        return [OrderDone(sent.order, problem, now_s - sent.at_s)]
