"""Bluetooth dice: a throw is told once, and only when every die shows a face it was thrown on."""

import queue
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from types import ModuleType

import bleak
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.events import DiceReport
from firmware_bridge.receiver import Reading
from firmware_bridge.sources.dice_set import THROW_S, DiceSet, Die, DieMotion
from firmware_bridge.sources.radio_dice import RadioDice, follow_godice, follow_pixels
from tests.stages.fake_dice import ONE, ROLLING, SIX, FakeRadio

PATIENCE_S = 20.0


def dice_set() -> DiceSet:
    return DiceSet(("red", "blue"), side=2)


def throw(dice: DiceSet, name: str, value: int, at_s: float = 0.0) -> DiceReport | None:
    assert dice.move(name, DieMotion.ROLLING, None, at_s) is None
    return dice.move(name, DieMotion.SETTLED, value, at_s + 1)


def test_a_throw_is_told_when_the_last_die_has_settled() -> None:
    dice = dice_set()
    assert throw(dice, "blue", 5) is None
    assert throw(dice, "red", 3) == DiceReport(2, (3, 5))
    assert throw(dice, "red", 4, 20.0) is None
    assert throw(dice, "blue", 1, 21.0) == DiceReport(2, (4, 1))


@pytest.mark.parametrize("motion", [DieMotion.CROOKED, DieMotion.HANDLED, DieMotion.UNKNOWN])
def test_a_die_that_does_not_lie_as_thrown_has_no_value(motion: DieMotion) -> None:
    dice = dice_set()
    throw(dice, "blue", 5)
    dice.move("red", DieMotion.ROLLING, None, 1.0)
    assert dice.move("red", motion, 6, 2.0) is None
    assert dice.dice[0] == Die("red", motion)
    # Pushed until it lies flat: now it shows what was thrown.
    assert dice.move("red", DieMotion.SETTLED, 6, 4.0) == DiceReport(2, (6, 5))


def test_a_die_turned_over_by_hand_is_no_throw() -> None:
    dice = dice_set()
    throw(dice, "blue", 5)
    assert dice.move("red", DieMotion.SETTLED, 6, 1.0) is None
    assert throw(dice, "red", 6) == DiceReport(2, (6, 5))
    assert dice.move("red", DieMotion.SETTLED, 1, 3.0) is None
    assert dice.move("blue", DieMotion.SETTLED, 1, 3.0) is None


def test_a_die_pushed_by_the_other_counts_as_it_lies_at_last() -> None:
    dice = dice_set()
    throw(dice, "blue", 5)
    dice.move("red", DieMotion.ROLLING, None, 1.0)
    dice.move("blue", DieMotion.SETTLED, 2, 1.2)
    assert dice.move("red", DieMotion.SETTLED, 6, 2.0) == DiceReport(2, (6, 2))


def test_dice_thrown_at_different_times_are_no_throw() -> None:
    dice = dice_set()
    throw(dice, "blue", 5, 0.0)
    assert throw(dice, "red", 3, THROW_S + 1) is None
    assert throw(dice, "blue", 1, THROW_S + 3) == DiceReport(2, (3, 1))


@pytest.mark.parametrize("value", [0, 7, -1, None])
def test_a_face_that_no_die_has_is_no_value(value: int | None) -> None:
    dice = dice_set()
    throw(dice, "blue", 5)
    dice.move("red", DieMotion.ROLLING, None, 0.0)
    assert dice.move("red", DieMotion.SETTLED, value, 1.0) is None
    assert dice.dice[0].motion is DieMotion.UNKNOWN


def test_a_lost_die_shows_nothing_and_must_be_thrown_anew() -> None:
    dice = dice_set()
    dice.connect("red", is_connected=True)
    dice.tell_battery("red", 81)
    throw(dice, "red", 4)
    dice.connect("red", is_connected=False)
    assert dice.dice[0] == Die("red", battery=81)
    assert throw(dice, "blue", 5) is None
    assert dice.move("red", DieMotion.SETTLED, 4, 2.0) is None


@given(
    st.lists(
        st.tuples(st.sampled_from(["red", "blue"]), st.sampled_from(DieMotion), st.integers(-1, 8)),
        max_size=40,
    )
)
def test_no_throw_without_two_dice_that_rolled_and_lie(
    moves: list[tuple[str, DieMotion, int]],
) -> None:
    dice, rolled = dice_set(), set[str]()
    for at_s, (name, motion, value) in enumerate(moves):
        thrown = dice.move(name, motion, value, at_s / 10)
        rolled |= {name} if motion is DieMotion.ROLLING else set()
        if thrown is not None:
            assert rolled == {"red", "blue"}
            assert thrown.values == tuple(die.value for die in dice.dice)
            assert all(die.motion is DieMotion.SETTLED for die in dice.dice)
            rolled = set()


def until(is_true: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + PATIENCE_S
    while not is_true():
        assert time.monotonic() < ends_s, "it never became true"
        time.sleep(0.005)


def test_godice_are_heard_through_their_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bleak, "BleakClient", FakeRadio)
    air = FakeRadio.clients
    readings: queue.SimpleQueue[Reading] = queue.SimpleQueue()
    dice = RadioDice(
        {"AA:01": follow_godice, "AA:02": follow_godice}, readings.put, side=1, retry_s=0.05
    )
    dice.start()
    try:
        until(lambda: all(die.is_connected and die.battery == 0x51 for die in dice.dice))
        for address, face in (("AA:01", SIX), ("AA:02", b"T" + ONE)):
            air[address].says(ROLLING)
            air[address].says(face)
        assert readings.empty()  # one leans
        assert [die.motion for die in dice.dice] == [DieMotion.SETTLED, DieMotion.CROOKED]
        air["AA:02"].says(b"M" + ONE)
        reading = readings.get(timeout=PATIENCE_S)
        assert reading.content == DiceReport(1, (6, 1))
        assert (reading.seq, reading.is_event) == (1, True)
        air["AA:01"].says(b"F" + ONE)
        assert dice.dice[0].value is None
        first = air["AA:01"]
        first.vanishes()
        until(lambda: air["AA:01"] is not first and dice.dice[0].is_connected)
    finally:
        dice.stop()
    assert not any(die.is_connected for die in dice.dice)


class FakeEvent:
    """An `aioevents.Event`, as far as it is used: handlers are told whose event it is."""

    def __init__(self) -> None:
        self._handlers: list[Callable[..., object]] = []

    def handler(self, handle: Callable[..., object]) -> Callable[..., object]:
        self._handlers.append(handle)
        return handle

    def trigger(self, *told: object) -> None:
        for handle in self._handlers:
            handle(self, *told)


@dataclass
class Told:
    """A `nat20.RollState` or `nat20.BatteryLevel`."""

    state: int = 0
    face: int = 0
    level: int = 0


class FakePixel:
    """A `nat20.Pixel`, and the result of a scan that is one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.got_roll_state, self.disconnected = FakeEvent(), FakeEvent()
        self.is_connected = False

    def hydrate(self) -> "FakePixel":
        return self

    async def connect(self) -> None:
        self.is_connected = True

    async def disconnect(self) -> None:
        self.is_connected = False

    async def get_battery_level(self) -> Told:
        return Told(level=64)


def test_pixels_are_heard_through_their_package(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = {name: FakePixel(name) for name in ("other", "east", "west")}

    async def scan_for_dice() -> AsyncIterator[FakePixel]:
        for pixel in pixels.values():
            yield pixel

    package = ModuleType("nat20")
    package.scan_for_dice = scan_for_dice  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nat20", package)
    readings: queue.SimpleQueue[Reading] = queue.SimpleQueue()
    dice = RadioDice({"east": follow_pixels, "west": follow_pixels}, readings.put, retry_s=0.05)
    dice.start()
    try:
        until(lambda: all(die.battery == 64 for die in dice.dice))
        for name, face in (("east", 0), ("west", 5)):
            pixels[name].got_roll_state.trigger(Told(state=3))
            pixels[name].got_roll_state.trigger(Told(state=4, face=face))
        assert readings.empty()  # both lean
        pixels["east"].got_roll_state.trigger(Told(state=1, face=0))
        pixels["west"].got_roll_state.trigger(Told(state=1, face=5))
        assert readings.get(timeout=PATIENCE_S).content == DiceReport(0, (1, 6))
        pixels["west"].got_roll_state.trigger(Told(state=5, face=2))
        assert dice.dice[1].motion is DieMotion.UNKNOWN  # laid down, not thrown
    finally:
        dice.stop()
    assert not pixels["east"].is_connected


def test_a_die_out_of_reach_is_looked_for_again() -> None:
    tries: queue.SimpleQueue[str] = queue.SimpleQueue()

    async def fail(name: str, hearer: object) -> None:
        tries.put(name)
        raise OSError("no radio")

    dice = RadioDice({"red": fail}, lambda reading: None, retry_s=0.01)
    dice.start()
    assert [tries.get(timeout=PATIENCE_S) for _ in range(3)] == ["red"] * 3
    dice.stop()


def test_a_throw_that_the_program_cannot_take_does_not_end_the_dice(
    caplog: pytest.LogCaptureFixture,
) -> None:
    moved: queue.SimpleQueue[bool] = queue.SimpleQueue()

    async def play(name: str, hearer: object) -> None:
        hearer.move(DieMotion.ROLLING, None)  # type: ignore[attr-defined]
        hearer.move(DieMotion.SETTLED, 3)  # type: ignore[attr-defined]
        moved.put(True)

    def refuse(reading: Reading) -> None:
        raise OSError("disk full")

    dice = RadioDice({"red": play}, refuse, retry_s=0.01)
    dice.start()
    assert [moved.get(timeout=PATIENCE_S) for _ in range(2)] == [True, True]
    dice.stop()
    assert "disk full" in caplog.text
