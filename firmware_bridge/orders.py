"""Orders to the board, and its answers (docs/PROTOCOL.md, "To the board").

An order's line has at most ORDER_LINE bytes, so that a small board needs a small buffer.
"""

import queue
from dataclasses import dataclass
from typing import assert_never

from firmware_bridge.frames import SEQ_MODULUS, Frame
from firmware_bridge.messages import UnknownMessage, read_boot_id

ORDER_LINE = 32


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """``AK``: every event of this boot up to and including ``seq`` is stored; not answered."""

    seq: int
    boot_id: str


@dataclass(frozen=True, slots=True)
class Ping:
    """``PI``: answer, and do nothing else."""


@dataclass(frozen=True, slots=True)
class StatusRequest:
    """``RQ``: answer, then send ``HI`` and ``ST``."""


@dataclass(frozen=True, slots=True)
class Reset:
    """``RS``: answer, then start anew, with a new boot id; events that wait are lost."""


Order = Ping | StatusRequest | Reset


@dataclass(frozen=True, slots=True)
class Accepted:
    """``OK``: the board takes the order with this number."""

    seq: int


@dataclass(frozen=True, slots=True)
class Refused:
    """``NO``: the board does not; the reason is the board's word, such as ``TYPE``."""

    seq: int
    reason: str


Answer = Accepted | Refused
_TYPES: dict[str, Order] = {"PI": Ping(), "RQ": StatusRequest(), "RS": Reset()}


def order_frame(order: Order, seq: int) -> Frame:
    """The frame of an order; ``seq`` is the host's number, which the answer repeats."""
    match order:
        case Ping():
            return Frame("PI", seq)
        case StatusRequest():
            return Frame("RQ", seq)
        case Reset():
            return Frame("RS", seq)
        case _:
            assert_never(order)


def acknowledge_frame(acknowledge: Acknowledge) -> Frame:
    """The frame of an acknowledgement."""
    return Frame("AK", acknowledge.seq, (acknowledge.boot_id,))


def parse_order(frame: Frame) -> Order | Acknowledge | UnknownMessage:
    """Read what the host sent, as a board does. Never raises."""
    if frame.type == "AK" and len(frame.fields) == 1:
        try:
            return Acknowledge(frame.seq, read_boot_id(frame.fields[0]))
        except ValueError:
            return UnknownMessage(frame)
    return _TYPES.get(frame.type, UnknownMessage(frame))


def answer_frame(answer: Answer) -> Frame:
    """The frame of an answer."""
    match answer:
        case Accepted(seq):
            return Frame("OK", seq)
        case Refused(seq, reason):
            return Frame("NO", seq, (reason,))
        case _:
            assert_never(answer)


def parse_answer(frame: Frame) -> Answer | UnknownMessage:
    """Read the board's answer to an order. Never raises."""
    match frame:
        case Frame("OK", seq):
            return Accepted(seq)
        case Frame("NO", seq, (reason, *_)):
            return Refused(seq, reason)
        case _:
            return UnknownMessage(frame)


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
