"""The measurements in words, each beside its limit."""

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from firmware_bridge.bench import BLOCK, DAMAGES, clocks, damage, fuzz, speed

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
    yield from _speed()
    for ppm in (100.0, -100.0):
        yield _clocks(ppm, hours)
    for kind in DAMAGES:
        yield _damage(kind, messages // len(DAMAGES))
    fuzzed = fuzz(inputs)
    yield ReportLine(
        f"nonsense         {fuzzed.inputs:,} inputs, whole and cut in two: nothing raised; "
        f"{fuzzed.bad:,} pieces dropped, {fuzzed.frames:,} with a right checksum"
    )


def _speed() -> Iterator[ReportLine]:
    measured = speed()
    is_kept = measured.decoded >= LEAST_DECODED
    yield ReportLine(f"decode           {measured.decoded:,.0f} messages/s on one core", is_kept)
    yield ReportLine(f"decode and read  {measured.parsed:,.0f} messages/s")


def _clocks(ppm: float, hours: float) -> ReportLine:
    measured = clocks(ppm, hours, seed=int(ppm) + 1000)
    text = (
        f"clock {ppm:+4.0f} ppm   {hours:g} h: an event's time is right to "
        f"{measured.worst_s * 1000:.1f} ms; at most {measured.stated_s * 1000:.1f} ms stated, "
        f"{measured.broken} times too little"
    )
    return ReportLine(text, measured.worst_s <= WORST_CLOCK_S and not measured.broken)


def _damage(kind: str, messages: int) -> ReportLine:
    measured = damage(kind, messages)
    text = (
        f"{kind:16} {measured.messages:,} messages, one damage in {BLOCK}: "
        f"{measured.lost_per_damage:.3f} lost for each, {measured.wrong} wrongly accepted"
    )
    return ReportLine(text, measured.wrong == 0 and measured.lost_per_damage <= MOST_LOST)
