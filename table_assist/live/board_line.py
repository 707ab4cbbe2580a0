"""The line to what tells keys, dice and wall: a serial board, or what a package brings instead.

What kind it is is a setting; to the session all of them are one board.
"""

import os
import threading
import time
from collections.abc import Callable
from typing import Protocol

from firmware_bridge.events import EventContent
from firmware_bridge.frames import SEQ_MODULUS, encode
from firmware_bridge.health import LinkStatus
from firmware_bridge.link import Link, LinkItem, LinkTiming
from firmware_bridge.messages import MS_MODULUS, PROTOCOL, Event, Hello, Message, to_frame
from firmware_bridge.receiver import Reading
from firmware_bridge.sources import SERIAL, SourceError, find_source
from table_assist.contract.health import SourceHealth
from table_assist.languages.board_words import board_words
from table_assist.languages.words import NOTHING, Words
from table_assist.settings.config import BoardConfig, ConfigError

Deliver = Callable[[LinkItem], None]
# Sees what arrives as a board's bytes, for a recording.
Watch = Callable[[bytes], None]

NO_BOARD = SourceHealth("board", "none", Words("No board is set up.", "未设置电路板。"))
_STATUS = {
    LinkStatus.CONNECTED: "live",
    LinkStatus.CONNECTING: "stale",
    LinkStatus.LOST: "lost",
    LinkStatus.NONE: "none",
}


class BoardLine(Protocol):
    """A thread that hears what the board says."""

    def start(self) -> None:
        """Begin to listen."""

    def stop(self) -> None:
        """Give the line back and end the thread."""

    def acknowledge(self, reading: Reading) -> None:
        """This event, and all before it, are stored."""

    def health(self, now_s: float) -> SourceHealth:
        """How the line is.

        Args:
            now_s: seconds since the epoch.
        """


def board_line(config: BoardConfig, deliver: Deliver, watch: Watch | None) -> BoardLine | None:
    """The line that the settings name; None for a table without a board.

    Raises:
        ConfigError: no installed package brings this kind of board.
    """
    if config.kind != SERIAL:
        return OtherBoard(config, deliver, watch)
    return SerialBoard(config, deliver, watch) if config.port else None


class SerialBoard:
    """A board at a serial port: what it says is kept by it until it is acknowledged."""

    def __init__(self, config: BoardConfig, deliver: Deliver, watch: Watch | None) -> None:
        self._link = Link(
            config.port.whole,
            deliver,
            baud=config.baud,
            timing=LinkTiming(silent_s=config.silent_s),
            watch=watch,
            say=config.port.hide,
        )

    def start(self) -> None:
        """As the protocol, as with all below."""
        self._link.start()

    def stop(self) -> None:
        """End it."""
        self._link.stop()

    def acknowledge(self, reading: Reading) -> None:
        """Tell the board."""
        self._link.acknowledge(reading)

    def health(self, now_s: float) -> SourceHealth:
        """How the link is."""
        health = self._link.health
        last_t = None if health.age_s is None else now_s - health.age_s
        status, counters = _STATUS[health.status], health.counters
        counted = (("good", counters.good), ("bad", counters.bad), ("unknown", counters.unknown))
        said = NOTHING if status == "live" else board_words(health.message)
        return SourceHealth("board", status, said, last_t, counted)


class OtherBoard:
    """A source that is no board; its events are numbered as a board's that starts with it."""

    def __init__(self, config: BoardConfig, deliver: Deliver, watch: Watch | None) -> None:
        try:
            self._source = find_source(config.kind)(config.port.whole, self._hear)
        except SourceError as error:
            raise ConfigError(f"board.kind: {error}", "board.kind") from error
        self._kind = config.kind
        self._deliver = deliver
        self._watch = watch
        self._lock = threading.Lock()
        self._boot_id = os.urandom(4).hex().upper()
        self._started_s = time.monotonic()
        self._heard, self._last_t = 0, 0.0

    def start(self) -> None:
        """As the protocol, as with all below."""
        self._source.start()

    def stop(self) -> None:
        """End it."""
        self._source.stop()

    def acknowledge(self, reading: Reading) -> None:
        """Nobody waits for it."""

    def health(self, now_s: float) -> SourceHealth:
        """As the source says."""
        condition = self._source.condition()
        with self._lock:
            counted, last_t = (("good", self._heard),), self._last_t or None
        status = "live" if condition.is_good else "stale"
        says = NOTHING if condition.is_good else Words(condition.en, condition.zh)
        tells_dice = self._source.tells_dice
        return SourceHealth("board", status, says, last_t, counted, tells_dice=tells_dice)

    def _hear(self, event: EventContent) -> None:
        with self._lock:
            self._heard, self._last_t = self._heard + 1, time.time()
            seq, received_s = self._heard % SEQ_MODULUS, self._last_t
        board_ms = int(1000 * (time.monotonic() - self._started_s)) % MS_MODULUS
        said: list[tuple[Message, Hello | EventContent]] = [
            (Event(seq, self._boot_id, board_ms, event), event)
        ]
        if seq == 1:
            hello = Hello(seq, self._boot_id, board_ms, 1, PROTOCOL, self._kind, ())
            said.insert(0, (hello, hello))
        for message, content in said:
            if self._watch is not None:
                self._watch(encode(to_frame(message)))
            self._deliver(Reading(content, self._boot_id, seq, board_ms, received_s))
