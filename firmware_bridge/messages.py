"""Messages from the board: frames to typed messages and back (docs/PROTOCOL.md).

A field out of its range is never clamped: the message becomes a value that says what is wrong.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.events import SIDES, EventContent, Key, read_event, read_number, write_event
from firmware_bridge.frames import Frame

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

    def key(self, seat: int, key: Key) -> bool:
        """Whether the key is held down."""
        return self._has(key_bit(seat, key))

    def dice_key(self, side: int) -> bool:
        """Whether the dice key is held down."""
        return self._has(dice_key_bit(side))

    @property
    def wall_ready(self) -> bool:
        """The wall-ready sensor."""
        return self._has(WALL_BIT)

    @property
    def dome_open(self) -> bool:
        """The dome switch."""
        return self._has(DOME_BIT)

    def lift_up(self, side: int) -> bool:
        """Whether the plate that lifts the side's wall is at its upper end."""
        return self._has(LIFT_BIT + side)

    def lift_key(self, key: int) -> bool:
        """Whether the console's lift key is held down."""
        return self._has(LIFT_KEY_BIT + key)

    def tray_present(self, seat: int) -> bool:
        """Whether the seat has a score tray that weighs."""
        return self._has(TRAY_BIT + seat)

    def _has(self, bit: int) -> bool:
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
        pending=_pending(pending),
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
        pending=_pending(pending),
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


def _pending(text: str) -> int:
    return read_number(text, 0, 255, "pending")


_READERS: dict[str, Callable[[Frame], Message]] = {"HI": _hello, "EV": _event, "ST": _snapshot}
