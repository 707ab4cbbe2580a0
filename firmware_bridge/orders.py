"""Orders to the board, and its answers (docs/PROTOCOL.md, "To the board").

An order's line has at most ORDER_LINE bytes, so that a small board needs a small buffer.
"""

from dataclasses import dataclass
from typing import assert_never

from firmware_bridge.frames import Frame
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
