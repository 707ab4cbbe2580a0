"""Readings of sources that are no board: numbered like a board's events."""

import os
from collections.abc import Callable

from firmware_bridge.events import EventContent
from firmware_bridge.frames import SEQ_MODULUS
from firmware_bridge.messages import MS_MODULUS
from firmware_bridge.receiver import Reading


class Numbered:
    """Gives each event its number, under a boot id that no other start has.

    Such a source keeps nothing: what the program does not store is not said again.
    """

    def __init__(
        self,
        *,
        steady: Callable[[], float],
        wall_clock: Callable[[], float],
        boot_id: str | None = None,
    ) -> None:
        self.boot_id = boot_id or os.urandom(4).hex().upper()
        self._steady = steady
        self._wall_clock = wall_clock
        self._started_s = steady()
        self._seq = 0

    def reading(self, content: EventContent) -> Reading:
        """The reading of an event that happens now."""
        self._seq = (self._seq + 1) % SEQ_MODULUS
        board_ms = int(1000 * (self._steady() - self._started_s)) % MS_MODULUS
        return Reading(content, self.boot_id, self._seq, board_ms, self._wall_clock())
