"""Messages from the board and orders to it: frames to typed ones and back (docs/PROTOCOL.md).

A field out of its range is never clamped: the message becomes a value that says what is wrong.
"""

import queue
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from firmware_bridge.events import SIDES, EventContent, Key, read_event, read_number, write_event
from firmware_bridge.frames import SEQ_MODULUS, Frame

PROTOCOL = 1
# The board's millisecond counter has 32 bits and goes on from 0 after 49.7 days.
MS_MODULUS = 1 << 32
COUNTER_MAX = 65535
WALL_BIT = 20
DOME_BIT = 21
LIFT_BIT = 22  # and one for each further side
LIFT_KEY_BIT = 26  # and one more
TRAY_BIT = 28  # and one for each further seat

_EIGHT_DIGITS = re.compile(r"[0-9A-F]{8}")


@dataclass(frozen=True, slots=True)
class Inputs:
    """The levels of the board's inputs.

    Attributes:
        bits: keys 0-15, dice keys 16-19, wall 20, dome 21, lifts 22-25, lift keys 26-27,
            trays 28-31.
    """

    bits: int = 0

    def has(self, bit: int) -> bool:
        """Whether the key is held, the wall ready, the dome open, the lift up or the tray there."""
        return bool(self.bits >> bit & 1)


def key_bit(seat: int, key: Key) -> int:
    """The number of a key's bit in ``Inputs.bits``."""
    return len(Key) * seat + list(Key).index(key)


def dice_key_bit(side: int) -> int:
    """The number of a dice key's bit in ``Inputs.bits``."""
    return len(Key) * SIDES + side


@dataclass(frozen=True, slots=True)
class Hello:
    """``HI``: which board this is; sent at its start and when asked.

    Attributes:
        seq: the last event's number; 0 before the first event.
        boot_id: eight hexadecimal digits, another value at every start of every board.
        board_ms: milliseconds since the board's start, modulo 2**32.
        pending: how many events, up to and including ``seq``, wait for an acknowledgement.
        firmware: name and version, as the board gives them.
        capabilities: the kinds of event that it can send.
    """

    seq: int
    boot_id: str
    board_ms: int
    pending: int
    protocol: int
    firmware: str
    capabilities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """``EV``: something happened; sent again until it is acknowledged.

    Attributes:
        seq: 1 for the first event of a boot, then one more each, modulo 2**16.
        board_ms: when it happened, by the board's clock.
    """

    seq: int
    boot_id: str
    board_ms: int
    content: EventContent


@dataclass(frozen=True, slots=True)
class BoardSnapshot:
    """``ST``: the whole state, twice a second; what was lost on the line shows here.

    Attributes:
        seq: as in ``Hello``, and so are ``boot_id``, ``board_ms`` and ``pending``.
        bad_lines: damaged or unknown orders that the board has received; stays at 65535.
        overruns: bytes that its receive buffer had no room for; stays at 65535.
    """

    seq: int
    boot_id: str
    board_ms: int
    pending: int
    inputs: Inputs
    bad_lines: int = 0
    overruns: int = 0


@dataclass(frozen=True, slots=True)
class BadMessage:
    """An undamaged frame of a known type with a field that is out of range."""

    reason: str
    frame: Frame


@dataclass(frozen=True, slots=True)
class UnknownMessage:
    """A frame of a type that this version does not know."""

    frame: Frame


Message = Hello | Event | BoardSnapshot


def parse(frame: Frame) -> Message | BadMessage | UnknownMessage:
    """Read a frame from the board. Never raises."""
    reader = _READERS.get(frame.type)
    if reader is None:
        return UnknownMessage(frame)
    try:
        return reader(frame)
    except ValueError as error:
        return BadMessage(str(error), frame)


def to_frame(message: Message) -> Frame:
    """The frame that ``parse`` reads as this message."""
    head = (message.boot_id, str(message.board_ms))
    match message:
        case Hello(pending=pending, protocol=protocol, firmware=firmware):
            capabilities = "+".join(message.capabilities)
            fields = (*head, str(pending), str(protocol), firmware, capabilities)
            return Frame("HI", message.seq, fields)
        case Event(content=content):
            return Frame("EV", message.seq, (*head, *write_event(content)))
        case BoardSnapshot(pending=pending, inputs=inputs, bad_lines=bad_lines, overruns=overruns):
            counters = (str(bad_lines), str(overruns))
            return Frame("ST", message.seq, (*head, str(pending), f"{inputs.bits:08X}", *counters))


def read_boot_id(text: str) -> str:
    """Check a boot id.

    Raises:
        ValueError: it is not eight hexadecimal digits.
    """
    if not _EIGHT_DIGITS.fullmatch(text):
        raise ValueError(f"the boot id is '{text}', not eight digits 0-9, A-F")
    return text


def _hello(frame: Frame) -> Hello:
    boot_id, ms, pending, protocol, firmware, capabilities, *_ = _at_least(frame, 6)
    if not 1 <= len(firmware) <= 16:
        raise ValueError(f"the firmware's name has {len(firmware)} characters, not 1 to 16")
    return Hello(
        seq=frame.seq,
        boot_id=read_boot_id(boot_id),
        board_ms=_board_ms(ms),
        pending=read_number(pending, 0, 255, "pending"),
        protocol=read_number(protocol, 1, 255, "protocol"),
        firmware=firmware,
        capabilities=tuple(kind for kind in capabilities.split("+") if kind),
    )


def _event(frame: Frame) -> Event:
    boot_id, ms, kind, *fields = _at_least(frame, 3)
    return Event(
        seq=frame.seq,
        boot_id=read_boot_id(boot_id),
        board_ms=_board_ms(ms),
        content=read_event(kind, tuple(fields)),
    )


def _snapshot(frame: Frame) -> BoardSnapshot:
    boot_id, ms, pending, inputs, bad_lines, overruns, *_ = _at_least(frame, 6)
    if not _EIGHT_DIGITS.fullmatch(inputs):
        raise ValueError(f"the inputs are '{inputs}', not eight digits 0-9, A-F")
    return BoardSnapshot(
        seq=frame.seq,
        boot_id=read_boot_id(boot_id),
        board_ms=_board_ms(ms),
        pending=read_number(pending, 0, 255, "pending"),
        inputs=Inputs(int(inputs, 16)),
        bad_lines=read_number(bad_lines, 0, COUNTER_MAX, "bad lines"),
        overruns=read_number(overruns, 0, COUNTER_MAX, "overruns"),
    )


def _at_least(frame: Frame, count: int) -> tuple[str, ...]:
    # HI and ST may grow fields at their end in later versions: those are not looked at.
    if len(frame.fields) < count:
        raise ValueError(f"{frame.type} has {len(frame.fields)} fields, not {count}")
    return frame.fields


def _board_ms(text: str) -> int:
    return read_number(text, 0, MS_MODULUS - 1, "board time")


_READERS: dict[str, Callable[[Frame], Message]] = {"HI": _hello, "EV": _event, "ST": _snapshot}


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
