"""The decoder and the receiver under damage: any number of spoilt inputs, from a seed.

An input is some real lines, spoilt as wires and strangers spoil them. It must never raise, never
yield a frame that would not be written so, and never depend on how it is cut into chunks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from firmware_bridge.events import DiceReport, EventContent, Key, KeyPressed, WallReady
from firmware_bridge.frames import MAX_LINE, BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.messages import PROTOCOL, Event, Hello, to_frame
from firmware_bridge.receiver import Receiver

BOOT = "A1B2C3D4"


@dataclass(frozen=True, slots=True)
class Damage:
    """The fate of the inputs.

    Attributes:
        good: frames that were read.
        changed: of them, those that were in no line as it was sent: a checksum of 16 bits lets
            one in 65,536 spoilt lines pass.
    """

    inputs: int
    good: int
    bad: int
    changed: int

    @property
    def line(self) -> str:
        """For people."""
        return (
            f"{self.inputs} damaged inputs: nothing raised, nothing read otherwise in other "
            f"chunks; {self.good} frames read, {self.bad} dropped, {self.changed} passed the "
            "checksum by chance"
        )


def lines() -> list[bytes]:
    """Lines as boards send them, greeting first."""
    greeting = Hello(0, BOOT, 1, 0, PROTOCOL, "virtual-1", ("KEY",))
    contents: list[EventContent] = [KeyPressed(2, Key.WIN), DiceReport(1, (3, 5)), WallReady()]
    events = [Event(seq, BOOT, 40 * seq, each) for seq, each in enumerate(contents, start=1)]
    return [encode(to_frame(greeting)), *(encode(to_frame(each)) for each in events)]


def bench_damage(inputs: int, seed: int) -> Damage:
    """Feed so many damaged inputs.

    Raises:
        AssertionError: an input was read in one way or the other, depending on its chunks.
    """
    random, sent = Random(seed), lines()
    known = {line.strip() for line in sent}
    good = bad = changed = 0
    receiver = Receiver()
    for number in range(inputs):
        data = spoilt(random, random.choice(sent) + random.choice(sent))
        found = FrameDecoder().feed(data + b"\n")
        for each in found:
            if isinstance(each, BadFrame):
                bad += 1
                assert len(each.raw) <= 2 * MAX_LINE, each
                continue
            good += 1
            changed += encode(each).strip() not in known
        _check_chunks(data, found, random.randrange(len(data) + 1))
        if not number % 1000:
            receiver = Receiver()  # one that has not seen everything yet
        for _ in receiver.feed(data, now_s=number * 0.01, received_s=number * 0.01):
            pass
    return Damage(inputs, good, bad, changed)


def _check_chunks(data: bytes, found: list[Frame | BadFrame], cut: int) -> None:
    decoder = FrameDecoder()
    again = decoder.feed(data[:cut]) + decoder.feed(data[cut:] + b"\n")
    frames = [each for each in found if isinstance(each, Frame)]
    assert [each for each in again if isinstance(each, Frame)] == frames, (data, cut)


def spoilt(random: Random, data: bytes) -> bytes:
    """The bytes after one to three kinds of damage."""
    for _ in range(random.randint(1, 3)):
        data = random.choice(_KINDS)(random, data)
    return data


def _flip(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) or 1)
    return (
        data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :] if data else b""
    )


def _drop(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + data[at + random.randint(1, 8) :]


def _insert(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.randbytes(random.randint(1, 12)) + data[at:]


def _repeat(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + data[max(0, at - random.randint(1, 40)) :]


def _marks(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice((b"$", b"*", b"\n", b"\r", b"#", b",", b"\x00")) + data[at:]


def _swamp(random: Random, data: bytes) -> bytes:
    return data + random.choice((b"$x", b"x", b"#", b"\xff")) * random.randint(1, 120)


_KINDS: tuple[Callable[[Random, bytes], bytes], ...] = (
    _flip,
    _drop,
    _insert,
    _repeat,
    _marks,
    _swamp,
)
