"""A line that damages what it carries, on command: each fault hits the next frames, in order."""

import random
from collections import deque
from enum import StrEnum


class LineFault(StrEnum):
    """Damage to one frame on its way."""

    DROP = "drop"
    GARBLE = "garble"  # one to three bits flipped, anywhere in the line
    NOISE = "noise"  # up to 40 random bytes in front of it
    DUPLICATE = "duplicate"
    REORDER = "reorder"  # it arrives after the next frame
    HALF = "half"  # the rest of the line, and its end, are missing


class FaultyLine:
    """Carries lines; does to each what was ordered, if anything. The damage comes from the seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._script: deque[LineFault] = deque()
        self._held = b""

    def harm(self, fault: LineFault, frames: int = 1) -> None:
        """Order a fault for as many frames, after those that are ordered already."""
        self._script.extend([fault] * frames)

    def carry(self, line: bytes) -> bytes:
        """The bytes that arrive when this line is sent."""
        fault = self._script.popleft() if self._script else None
        if fault is LineFault.REORDER:
            arriving, self._held = self._held, line
            return arriving
        arriving, self._held = self._damage(line, fault) + self._held, b""
        return arriving

    def _damage(self, line: bytes, fault: LineFault | None) -> bytes:
        match fault:
            case LineFault.DROP:
                return b""
            case LineFault.GARBLE:
                damaged = bytearray(line)
                for _ in range(self._random.randint(1, 3)):
                    damaged[self._random.randrange(len(line))] ^= 1 << self._random.randrange(8)
                return bytes(damaged)
            case LineFault.NOISE:
                return self._random.randbytes(self._random.randint(1, 40)) + line
            case LineFault.DUPLICATE:
                return line + line
            case LineFault.HALF:
                return line[: self._random.randrange(1, len(line) - 2)]
            case _:
                return line
