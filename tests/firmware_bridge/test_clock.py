"""The board's clock and the host's: offset and drift from messages that come late, never early."""

import random
from collections.abc import Callable

import pytest

from firmware_bridge.clock import GROUP, BoardClock
from firmware_bridge.messages import MS_MODULUS

SNAPSHOT_S = 0.5
WIRE_S = 55 / 11520  # a snapshot's bytes


def usb_adapter(source: random.Random) -> float:
    """What an adapter that looks every 16 ms does, on a computer that is busy now and then."""
    busy_s = 0.3 if source.random() < 0.01 else 0.0
    return 0.0003 + source.uniform(0, 0.016) + source.expovariate(500) + busy_s


class Pair:
    """A board whose clock runs slow by `drift`, and the host that listens to its snapshots."""

    def __init__(self, drift: float, *, start_ms: int = 0, seed: int = 0) -> None:
        self.clock = BoardClock()
        self.drift = drift
        self.board_s, self.host_s = start_ms / 1000, 1000.0
        self.source = random.Random(seed)

    def run(
        self, snapshots: int, delay_s: Callable[[random.Random], float] = usb_adapter
    ) -> tuple[float, float]:
        """The largest error of an event's time, and the largest excess over the stated error."""
        worst_s = excess_s = 0.0
        for number in range(snapshots):
            self.board_s += SNAPSHOT_S
            self.host_s += SNAPSHOT_S * (1 + self.drift)
            arrives_s = self.host_s + WIRE_S + delay_s(self.source)
            self.clock.observe(self._ms(self.board_s), arrives_s, WIRE_S)
            if number % 16 == 0:
                ago_s = self.source.choice((0.0, 0.4, 30.0))
                now_s = self.host_s + 0.02
                event_ms = self._ms(self.board_s - ago_s)
                truth_s = self.host_s - ago_s * (1 + self.drift)
                error_s = abs(now_s - self.clock.age_s(event_ms, now_s) - truth_s)
                worst_s = max(worst_s, error_s)
                excess_s = max(excess_s, error_s - self.clock.error_s(event_ms))
        return worst_s, excess_s

    @staticmethod
    def _ms(board_s: float) -> int:
        return int(board_s * 1000) % MS_MODULUS


def test_from_the_first_message_on_the_stated_error_holds() -> None:
    for seed in range(20):
        pair = Pair(random.Random(seed).uniform(-1e-4, 1e-4), seed=seed)
        pair.run(4)
        _, excess_s = pair.run(400, lambda source: source.uniform(0, 0.016))
        assert excess_s <= 0.016  # no better than one message can tell


def test_a_late_message_does_not_make_the_clock_late() -> None:
    clock = BoardClock()
    clock.observe(1000, 1.0)
    clock.observe(2000, 2.4)  # the host was busy
    assert clock.age_s(2000, 2.5) == pytest.approx(0.5, abs=0.01)


def test_a_host_that_slept_is_followed_from_its_first_message_on() -> None:
    """A steady clock stands still in a sleeping computer, so messages seem to come early."""
    pair = Pair(1e-4)
    pair.run(2400)
    pair.board_s += 7200
    pair.host_s += 0.5
    pair.run(1)
    worst_s, excess_s = pair.run(240)
    assert worst_s < 0.25  # half a minute before, with an unknown drift
    assert excess_s < 0.016
    assert pair.run(240)[0] < 0.005


def test_a_board_that_loses_time_is_not_believed() -> None:
    """Its messages seem to come late; the stated error says so as soon as all of them do."""
    pair = Pair(0.0)
    pair.run(2400)
    pair.host_s += 0.2
    pair.run(4 * GROUP)
    assert pair.clock.error_s(pair._ms(pair.board_s)) > 0.19
    pair.run(80 * GROUP)
    worst_s, _ = pair.run(100)
    assert worst_s < 0.005


def test_memory_of_the_clock_is_flat() -> None:
    pair = Pair(0.0)
    pair.run(200 * GROUP)
    assert len(pair.clock._best) == 60
    assert len(pair.clock._recent) < 2 * GROUP
