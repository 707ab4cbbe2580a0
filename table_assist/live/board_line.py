"""The line to what tells keys, dice and wall: a serial board, bought sensors, or radio dice.

What kind it is is a setting; to the session all of them are one board.
"""

import threading
from collections.abc import Callable
from typing import Protocol

from firmware_bridge.health import LinkStatus
from firmware_bridge.link import Link, LinkItem, LinkTiming
from firmware_bridge.receiver import Reading
from firmware_bridge.sources.as_lines import MODBUS, RADIO_DICE, as_line, greeting
from firmware_bridge.sources.choose import (
    MakeSource,
)
from table_assist.contract.health import SourceHealth
from table_assist.languages.board_words import board_words
from table_assist.languages.words import NOTHING, Words
from table_assist.settings.board_source import source_of
from table_assist.settings.config import BoardConfig

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
        ConfigError: a kind of board that lacks what it needs.
    """
    if config.kind == "serial":
        return SerialBoard(config, deliver, watch) if config.port else None
    make, tells_dice = source_of(config)
    return OtherBoard(make, config.kind, deliver, watch, tells_dice=tells_dice)


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
    """Sensors or dice that keep nothing: what is said while nobody listens is not said again."""

    def __init__(
        self,
        make: MakeSource,
        kind: str,
        deliver: Deliver,
        watch: Watch | None,
        *,
        tells_dice: bool,
    ) -> None:
        self._deliver = deliver
        self._watch = watch
        self._firmware = RADIO_DICE if kind == "dice" else MODBUS
        self._tells_dice = tells_dice
        self._lock = threading.Lock()
        self._heard, self._last_t = 0, 0.0
        self._source, self._condition = make(self._hear)

    def start(self) -> None:
        """As the protocol, as with all below."""
        self._source.start()

    def stop(self) -> None:
        """End it."""
        self._source.stop()

    def acknowledge(self, reading: Reading) -> None:
        """Nobody waits for it."""

    def health(self, now_s: float) -> SourceHealth:
        """Whether every unit answers, or every die is in reach."""
        condition = self._condition()
        with self._lock:
            counted, last_t = (("good", self._heard),), self._last_t or None
        status = "live" if condition.is_good else "stale"
        says = NOTHING if condition.is_good else Words(condition.en, condition.zh)
        return SourceHealth("board", status, says, last_t, counted, tells_dice=self._tells_dice)

    def _hear(self, reading: Reading) -> None:
        with self._lock:
            is_first = not self._heard
            self._heard, self._last_t = self._heard + 1, reading.received_s
        said = (greeting(reading, self._firmware), reading) if is_first else (reading,)
        for each in said:
            if self._watch is not None:
                self._watch(as_line(each))
            self._deliver(each)
