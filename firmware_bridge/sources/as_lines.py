"""A source that is no board, as a program that knows boards hears it: greeting, lines."""

from dataclasses import replace

from firmware_bridge.events import UnreadableEvent
from firmware_bridge.frames import encode
from firmware_bridge.messages import PROTOCOL, BoardSnapshot, Event, Hello, to_frame
from firmware_bridge.receiver import EventsLost, Reading

# How the sources call themselves where a board names its firmware.
MODBUS, RADIO_DICE = "modbus-sensors", "radio-dice"


def greeting(first: Reading, firmware: str) -> Reading:
    """The greeting that a board would have sent before the first event of a start."""
    hello = Hello(first.seq, first.boot_id, first.board_ms, 1, PROTOCOL, firmware, ())
    return replace(first, content=hello)


def as_line(reading: Reading) -> bytes:
    """The line that a receiver reads as this greeting or event; none for what no source says."""
    content = reading.content
    if isinstance(content, EventsLost | UnreadableEvent | BoardSnapshot):
        return b""
    if isinstance(content, Hello):
        return encode(to_frame(content))
    return encode(to_frame(Event(reading.seq, reading.boot_id, reading.board_ms, content)))
