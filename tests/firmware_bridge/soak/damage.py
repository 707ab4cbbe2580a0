"""A line that damages at random what it carries; the same seed damages the same way."""

import random
from collections import Counter

from firmware_bridge.faults import FaultyLine, LineFault

BURST = "burst"  # up to eight bytes in a row are others
BURST_BYTES = 8


class RandomDamage:
    """Carries bytes in one direction.

    Attributes:
        is_cut: nothing arrives.
        done: how often it did what.
    """

    def __init__(self, seed: int, share: float) -> None:
        """Damage this share of the lines."""
        self.is_cut = False
        self.done: Counter[str] = Counter()
        self._share = share
        self._random = random.Random(seed)
        self._line = FaultyLine(seed)
        self._begun = b""

    def carry(self, data: bytes) -> bytes:
        """The bytes that arrive; a line arrives when its end is sent."""
        *lines, self._begun = (self._begun + data).split(b"\n")
        arriving = b"".join(self._carry_line(line + b"\n") for line in lines)
        return b"" if self.is_cut else arriving

    def heal(self) -> None:
        """Damage nothing any more."""
        self._share = 0.0

    def _carry_line(self, line: bytes) -> bytes:
        if self._random.random() >= self._share:
            return self._line.carry(line)
        fault = self._random.choice([*LineFault, BURST])
        self.done[fault] += 1
        if fault == BURST:
            size = self._random.randint(2, BURST_BYTES)
            begin = self._random.randrange(len(line))
            damaged = bytearray(line)
            for place in range(begin, min(begin + size, len(line))):
                damaged[place] = self._random.randrange(256)
            return self._line.carry(bytes(damaged))
        self._line.harm(LineFault(fault))
        return self._line.carry(line)
