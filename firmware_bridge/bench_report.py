"""The measurements in words, each beside its limit."""

import platform
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from firmware_bridge.events import DiceReport, Dome, EventContent, Key, KeyPressed, TrayWeighed
from firmware_bridge.frames import BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.messages import (
    MS_MODULUS,
    BoardSnapshot,
    Event,
    Inputs,
    parse,
    parse_answer,
    parse_order,
    to_frame,
)
from firmware_bridge.receiver import BoardClock

# The bridge's own measurements: noise, damage, speed and clocks.
#
# Everything comes from a seed, so a figure can be had again.

BOOT_ID = "A1B2C3D4"
SETTLED_S = 300.0  # what a clock is compared for before its errors count
CHUNK = 64  # bytes that a link reads at once, at 115200 baud
EVENTS: tuple[EventContent, ...] = (
    KeyPressed(2, Key.WIN),
    DiceReport(3, (6, 1)),
    Dome(open=True),
    TrayWeighed(1, -51_230),
)
# Bytes that mean something to the decoder, more often than others.
TELLING = b"$$$***,,,\r\n\n\n#0123456789ABCDEFEVSTHIOKNO+-._" + bytes(range(256))


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """The decoder's counts for inputs without sense; none of them raised anything.

    Attributes:
        frames: pieces that passed the checksum: those that were left whole, above all.
        bad: pieces that were counted and dropped.
    """

    inputs: int
    frames: int
    bad: int


@dataclass(frozen=True, slots=True)
class Damaged:
    """The fate of messages on a line with damages of one kind.

    Attributes:
        lost: messages that did not arrive.
        wrong: frames that arrived and were not sent.
    """

    kind: str
    messages: int
    damages: int
    lost: int
    wrong: int

    @property
    def lost_per_damage(self) -> float:
        """0 without damages."""
        return self.lost / max(1, self.damages)


@dataclass(frozen=True, slots=True)
class DecoderSpeed:
    """Messages in a second of one core's time."""

    decoded: float
    parsed: float


@dataclass(frozen=True, slots=True)
class Clocks:
    """A simulated board's clock against the host's, in seconds; the first minutes left out.

    Attributes:
        worst_s: the largest error of an event's time.
        stated_s: the largest error that was stated.
        broken: how often the error was larger than the stated one.
    """

    ppm: float
    hours: float
    worst_s: float
    stated_s: float
    broken: int


def messages(first: int, number: int) -> list[bytes]:
    """Lines as a board sends them: snapshots and events in turn."""
    lines = []
    for seq in range(first, first + number):
        head = (seq % 65536, BOOT_ID, 10 * seq % MS_MODULUS)
        content = EVENTS[seq // 2 % len(EVENTS)]
        message = (
            Event(*head, content) if seq % 2 else BoardSnapshot(*head, 0, Inputs(seq % 4096), 0, 0)
        )
        lines.append(encode(to_frame(message)))
    return lines


def fuzz(inputs: int, seed: int = 1) -> Fuzzed:
    """Feed random bytes and broken lines, and read every frame that comes of them.

    Raises:
        AssertionError: the frames depend on the chunking.
    """
    source = random.Random(seed)
    lines = messages(0, 64)
    whole, halves = FrameDecoder(), FrameDecoder()
    found: list[Frame | BadFrame] = []
    again: list[Frame | BadFrame] = []
    frames = bad = 0
    for number in range(inputs):
        data = _nonsense(source, lines, number % 4)
        cut = source.randrange(len(data) + 1)
        found += whole.feed(data)
        again += halves.feed(data[:cut]) + halves.feed(data[cut:])
        # A frame without its line end may come with a later chunk, but it comes.
        settled = min(len(found), len(again))
        assert found[:settled] == again[:settled], f"input {number} depends on its chunking"
        for piece in found[:settled]:
            if isinstance(piece, BadFrame):
                bad += 1
            else:
                frames += 1
                parse(piece), parse_answer(piece), parse_order(piece)
        del found[:settled], again[:settled]
    return Fuzzed(inputs, frames, bad)


def _nonsense(source: random.Random, lines: list[bytes], kind: int) -> bytes:
    if kind == 0:
        return source.randbytes(source.randrange(60))
    if kind == 1:
        return bytes(source.choices(TELLING, k=source.randrange(40)))
    line = source.choice(lines)
    if kind == 2:
        return line[: source.randrange(len(line))] + source.choice(lines)
    return _flip_bit(source, _replace_burst(source, line, source.randrange(len(line))), 0)


Damage = Callable[[random.Random, bytes, int], bytes]


def _flip_bit(source: random.Random, data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << source.randrange(8)]) + data[at + 1 :]


def _replace_burst(source: random.Random, data: bytes, at: int) -> bytes:
    return data[:at] + source.randbytes(len(data[at : at + 8])) + data[at + 8 :]


DAMAGES: dict[str, Damage] = {
    "a bit flipped": _flip_bit,
    "a byte replaced": lambda source, data, at: data[:at] + source.randbytes(1) + data[at + 1 :],
    "a byte lost": lambda source, data, at: data[:at] + data[at + 1 :],
    "a byte inserted": lambda source, data, at: data[:at] + source.randbytes(1) + data[at:],
    "8 bytes replaced": _replace_burst,
    "8 bytes lost": lambda source, data, at: data[:at] + data[at + 8 :],
}
# One damage in so many messages: damages do not meet, so that what each costs can be counted.
BLOCK = 20


def damage(kind: str, number: int, seed: int = 1) -> Damaged:
    """Send messages in blocks, with one damage somewhere in each block."""
    source = random.Random(f"{seed} {kind}")
    decoder = FrameDecoder()
    lost = wrong = damages = 0
    for first in range(0, number, BLOCK):
        lines = messages(first, min(BLOCK, number - first))
        data = b"".join(lines)
        # Not in the last line: what a damage does there is seen in the next block.
        at = source.randrange(len(data) - len(lines[-1])) if len(lines) > 1 else 0
        found = decoder.feed(DAMAGES[kind](source, data, at))
        arrived = {encode(frame) for frame in found if isinstance(frame, Frame)}
        lost += len(set(lines) - arrived)
        wrong += len(arrived - set(lines))
        damages += 1
    return Damaged(kind, number, damages, lost, wrong)


def speed(number: int = 40_000, rounds: int = 5) -> DecoderSpeed:
    """Decode, and decode and parse, in chunks as a link reads them; the best of some rounds."""
    data = b"".join(messages(0, number))
    chunks = [data[at : at + CHUNK] for at in range(0, len(data), CHUNK)]
    decoded = min(_seconds(chunks, lambda frame: None) for _ in range(rounds))
    parsed = min(_seconds(chunks, parse) for _ in range(rounds))
    return DecoderSpeed(number / decoded, number / parsed)


def _seconds(chunks: list[bytes], take: Callable[[Frame], object]) -> float:
    decoder = FrameDecoder()
    started_s = time.process_time()
    for chunk in chunks:
        for frame in decoder.feed(chunk):
            if isinstance(frame, Frame):
                take(frame)
    return time.process_time() - started_s


def clocks(ppm: float, hours: float, seed: int = 1) -> Clocks:
    """A board whose clock is off by so much sends snapshots through a USB adapter, in stepped time.

    The adapter looks every 16 ms, the host is 2 ms late in the mean and 300 ms once in a hundred
    times; events are asked for that happened now, 0.4 s and 30 s ago.
    """
    source = random.Random(seed)
    clock = BoardClock()
    wire_s = 55 / 11520
    worst_s = stated_s = 0.0
    broken = 0
    for number in range(int(hours * 7200) + 1):  # twice a second
        board_s = number / 2
        host_s = 1000.0 + board_s * (1 + ppm * 1e-6)
        busy_s = 0.3 if source.random() < 0.01 else 0.0
        delay_s = 0.0003 + source.uniform(0, 0.016) + source.expovariate(500) + busy_s
        clock.observe(int(board_s * 1000) % MS_MODULUS, host_s + wire_s + delay_s, wire_s)
        if board_s < SETTLED_S:
            continue
        ago_s = source.choice((0.0, 0.4, 30.0))
        event_ms = int((board_s - ago_s) * 1000) % MS_MODULUS
        now_s = host_s + 0.02
        happened_s = now_s - clock.age_s(event_ms, now_s)
        error_s = abs(happened_s - (host_s - ago_s * (1 + ppm * 1e-6)))
        worst_s, stated_s = max(worst_s, error_s), max(stated_s, clock.error_s(event_ms))
        broken += error_s > clock.error_s(event_ms)
    return Clocks(ppm, hours, worst_s, stated_s, broken)


# The promised bounds.
MOST_LOST = 1.3  # messages for each damage
LEAST_DECODED = 400_000  # messages in a second
WORST_CLOCK_S = 0.005


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One line of the report; `is_kept` is false where a limit is broken."""

    text: str
    is_kept: bool = True


def report(*, inputs: int, messages: int, hours: float) -> Iterator[ReportLine]:
    """Measure one thing after the other.

    Args:
        inputs: pieces of nonsense for the decoder.
        messages: to be sent through damages of all kinds.
        hours: of stepped time for the clocks.

    Raises:
        Exception: the decoder met an input that it cannot bear.
    """
    now = datetime.now(UTC).strftime("%Y-%m-%d")
    yield ReportLine(f"{now}, {platform.machine()}, Python {platform.python_version()}")
    measured = speed()
    is_kept = measured.decoded >= LEAST_DECODED
    yield ReportLine(f"decode           {measured.decoded:,.0f} messages/s on one core", is_kept)
    yield ReportLine(f"decode and read  {measured.parsed:,.0f} messages/s")
    for ppm in (100.0, -100.0):
        timed = clocks(ppm, hours, seed=int(ppm) + 1000)
        text = (
            f"clock {ppm:+4.0f} ppm   {hours:g} h: an event's time is right to "
            f"{timed.worst_s * 1000:.1f} ms; at most {timed.stated_s * 1000:.1f} ms stated, "
            f"{timed.broken} times too little"
        )
        yield ReportLine(text, timed.worst_s <= WORST_CLOCK_S and not timed.broken)
    for kind in DAMAGES:
        harmed = damage(kind, messages // len(DAMAGES))
        text = (
            f"{kind:16} {harmed.messages:,} messages, one damage in {BLOCK}: "
            f"{harmed.lost_per_damage:.3f} lost for each, {harmed.wrong} wrongly accepted"
        )
        yield ReportLine(text, harmed.wrong == 0 and harmed.lost_per_damage <= MOST_LOST)
    fuzzed = fuzz(inputs)
    yield ReportLine(
        f"nonsense         {fuzzed.inputs:,} inputs, whole and cut in two: nothing raised; "
        f"{fuzzed.bad:,} pieces dropped, {fuzzed.frames:,} with a right checksum"
    )
