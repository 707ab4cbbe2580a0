"""What a board makes of its inputs: a level counts when it has lasted, and faults are said once."""

import re
from pathlib import Path

import pytest

import firmware_bridge.sensors as sensors
from firmware_bridge.board import KEPT_EVENTS
from firmware_bridge.events import (
    DiceReport,
    Dome,
    EventContent,
    Fault,
    Key,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    WallReady,
)
from firmware_bridge.frames import Frame, FrameDecoder, encode
from firmware_bridge.messages import BoardSnapshot, Event, Hello, Inputs, Message, parse
from firmware_bridge.orders import Accepted, Ping, Reset, order_frame, parse_answer
from tests.stages.stepped_board import WATCHDOG_MS, SteppedVirtualBoard

DEVICE = Path(sensors.__file__).parent / "device" / "core"


class Bench:
    """A stepped board and what it says; an event is taken once, by its number."""

    def __init__(self, **options: int) -> None:
        self.board = SteppedVirtualBoard(**options)  # type: ignore[arg-type]
        self.inputs = Inputs()
        self._decoder = FrameDecoder()
        self._seen: set[tuple[str, int]] = set()
        self.run(100)

    def run(self, milliseconds: int) -> list[tuple[int, EventContent]]:
        """The events of this time, each with the board's time."""
        new = []
        for message in self.messages(milliseconds):
            if isinstance(message, BoardSnapshot):
                self.inputs = message.inputs
            if isinstance(message, Event) and (message.boot_id, message.seq) not in self._seen:
                self._seen.add((message.boot_id, message.seq))
                new.append((message.board_ms, message.content))
        return new

    def said(self, milliseconds: int) -> list[EventContent]:
        return [content for _, content in self.run(milliseconds)]

    def messages(self, milliseconds: int) -> list[Message]:
        found = self._decoder.feed(self.board.run(milliseconds))
        frames = [frame for frame in found if isinstance(frame, Frame)]
        messages = [parse(frame) for frame in frames]
        return [
            message for message in messages if isinstance(message, Hello | Event | BoardSnapshot)
        ]


@pytest.mark.parametrize(
    ("name", "closed", "opened"),
    [
        ("dice2", DiceReport(2), None),
        ("liftkey1", LiftKeyPressed(1), None),
        ("lift3", LiftMoved(3, up=True), LiftMoved(3, up=False)),
        ("wall", WallReady(), None),
        ("dome", Dome(open=True), Dome(open=False)),
    ],
)
def test_a_switch_says_what_it_does(
    name: str, closed: EventContent, opened: EventContent | None
) -> None:
    bench = Bench()
    bench.board.set(name, is_active=True)
    assert bench.said(1000) == [closed]
    bench.board.set(name, is_active=False)
    assert bench.said(1000) == ([] if opened is None else [opened])


@pytest.mark.parametrize(("name", "lasts_ms"), [("dice0", 8), ("dome", 50), ("wall", 150)])
def test_a_level_counts_when_it_has_lasted(name: str, lasts_ms: int) -> None:
    bench = Bench()
    bench.board.set(name, is_active=True)
    bench.run(lasts_ms - 2)
    bench.board.set(name, is_active=False)
    assert bench.said(700) == []
    pressed_ms = bench.board.now_us // 1000
    bench.board.set(name, is_active=True)
    ((board_ms, _),) = bench.run(700)
    assert board_ms == pressed_ms + lasts_ms


@pytest.mark.parametrize("changes", [2, 3, 8, 21])
def test_a_bouncing_key_is_pressed_once(changes: int) -> None:
    bench = Bench()
    for is_active, expected in ((True, [DiceReport(1)]), (False, []), (True, [DiceReport(1)])):
        bench.board.bounce("dice1", is_active=is_active, changes=changes, period_us=1500)
        assert bench.said(200) == expected


def test_a_sensor_that_trembles_for_ever_says_nothing() -> None:
    bench = Bench()
    bench.board.bounce("wall", is_active=True, changes=200, period_us=20_000)
    assert bench.said(4000) == []
    assert bench.said(300) == [WallReady()]


@pytest.mark.parametrize("seat", range(4))
def test_each_key_of_a_keypad_is_known(seat: int) -> None:
    bench = Bench()
    for key in Key:
        bench.board.hold(seat, key)
        assert bench.said(600) == [KeyPressed(seat, key)]
        assert bench.inputs.key(seat, key)
        bench.board.hold(seat)
        assert bench.said(600) == []
        assert bench.inputs == Inputs()


def test_two_keys_together_are_a_fault_of_the_ladder_and_no_key() -> None:
    bench = Bench()
    bench.board.hold(2, Key.WIN, Key.PASS)
    assert bench.said(90) == []
    assert bench.said(1000) == [Fault("LADDER-2")]
    bench.board.hold(2)
    assert bench.said(500) == []
    bench.board.hold(2, Key.KONG, Key.WIN)
    assert bench.said(500) == []  # the fault stands until the voltage is good for a second
    bench.board.hold(2)
    bench.said(1500)
    bench.board.hold(2, Key.KONG, Key.PASS)
    assert bench.said(500) == [Fault("LADDER-2")]


def test_the_ready_key_hides_the_others() -> None:
    bench = Bench()
    bench.board.hold(0, Key.READY, Key.WIN)
    assert bench.said(500) == [KeyPressed(0, Key.READY)]


def test_a_second_key_beside_a_held_one_does_not_press_the_first_again() -> None:
    bench = Bench()
    bench.board.hold(1, Key.WIN)
    assert bench.said(200) == [KeyPressed(1, Key.WIN)]
    bench.board.hold(1, Key.WIN, Key.PASS)
    bench.said(80)
    bench.board.hold(1, Key.WIN)
    assert bench.said(200) == []


def test_a_stuck_key_is_said_once_until_it_is_free() -> None:
    bench = Bench()
    for _ in range(2):
        bench.board.hold(3, Key.PASS)
        bench.board.set("dice2", is_active=True)
        bench.board.set("liftkey0", is_active=True)
        assert bench.said(29_000) == [DiceReport(2), LiftKeyPressed(0), KeyPressed(3, Key.PASS)]
        faults = [Fault("STUCK-D2"), Fault("STUCK-L0"), Fault("STUCK-K3")]
        assert bench.said(1100) == faults
        assert bench.said(40_000) == []
        bench.board.hold(3)
        bench.board.set("dice2", is_active=False)
        bench.board.set("liftkey0", is_active=False)
        bench.run(100)


def test_a_tray_says_a_new_weight_when_it_has_settled() -> None:
    bench = Bench()
    bench.board.weigh(1, -52_000)
    assert bench.said(1000) == [TrayWeighed(1, -52_000)]
    assert bench.inputs.tray_present(1)
    assert not bench.inputs.tray_present(0)
    for raw in (-40_000, -30_000):
        bench.board.weigh(1, raw)
        bench.run(200)
    bench.board.weigh(1, -20_000)
    assert bench.said(1000) == [TrayWeighed(1, -20_000)]
    bench.board.weigh(1, -20_900)  # nobody put a stick there
    assert bench.said(1000) == []


def test_a_silent_tray_is_a_fault_and_comes_back() -> None:
    bench = Bench()
    bench.board.weigh(2, 1000)
    bench.run(1000)
    bench.board.weigh(2, None)
    assert bench.said(1900) == []
    assert bench.said(600) == [Fault("TRAY-2")]
    assert not bench.inputs.tray_present(2)
    bench.board.weigh(2, 1000)
    assert bench.said(1000) == [TrayWeighed(2, 1000)]


def test_what_stands_at_the_start_is_no_event() -> None:
    bench = Bench()
    bench.board.set("wall", is_active=True)
    bench.board.hold(0, Key.WIN)
    bench.run(1000)
    bench.board.reset()
    assert bench.said(1000) == []
    assert bench.inputs.wall_ready
    bench.board.set("wall", is_active=False)
    bench.run(600)
    bench.board.set("wall", is_active=True)
    assert bench.said(600) == [WallReady()]


def test_a_board_without_power_is_silent_and_starts_anew() -> None:
    bench = Bench()
    first = bench.board.boot_id
    bench.board.power(is_on=False)
    assert bench.board.run(2000) == b""
    bench.board.power(is_on=True)
    (hello, *_) = bench.messages(100)
    assert isinstance(hello, Hello)
    assert hello.boot_id != first


def test_a_hanging_board_is_restarted_by_its_watchdog_and_says_so() -> None:
    bench = Bench()
    bench.board.hang()
    assert bench.board.run(WATCHDOG_MS - 1) == b""
    assert bench.said(500) == [Fault("WATCHDOG")]


def test_stepped_orders_are_answered_and_the_counter_may_start_anywhere() -> None:
    bench = Bench(millis=2**32 - 500)
    bench.board.skip(1 << 16)
    bench.board.send(encode(order_frame(Ping(), 5)) + encode(order_frame(Reset(), 6)))
    found = FrameDecoder().feed(bench.board.run(50, to_line_end=True) + bench.board.run(50))
    answers = [parse_answer(frame) for frame in found if isinstance(frame, Frame)]
    assert answers[:2] == [Accepted(5), Accepted(6)]
    assert isinstance(parse(found[2]), Hello)  # type: ignore[arg-type]


def test_what_a_table_does_not_have_is_said() -> None:
    board = SteppedVirtualBoard()
    with pytest.raises(ValueError, match="no switch 'lift4'; there are dice0, dice1"):
        board.set("lift4", is_active=True)
    with pytest.raises(ValueError, match="no switch 'keys'"):
        board.bounce("keys", is_active=True, changes=2, period_us=5)
    with pytest.raises(ValueError, match="no seat 4"):
        board.hold(4, Key.WIN)
    with pytest.raises(ValueError, match="no seat -1"):
        board.weigh(-1, 5)


def test_the_times_are_those_of_the_firmware() -> None:
    text = (DEVICE / "profile.h").read_text() + (DEVICE / "events.h").read_text()
    found = re.findall(r"(?:#define|enum \{) (\w+)(?: =)? ([0-9]+)\b", text)
    firmware = {name: int(value) for name, value in found}
    assert (firmware["KEY_RELEASED_MS"], firmware["KEY_PRESSED_MS"]) == sensors.KEY_MS
    assert (firmware["LIMIT_SWITCH_MS"],) * 2 == sensors.LIMIT_SWITCH_MS
    assert (firmware["WALL_GONE_MS"], firmware["WALL_READY_MS"]) == sensors.WALL_MS
    assert 100 * firmware["TRAY_READINGS"] == sensors.TRAY_SETTLES_MS
    assert firmware["KEPT_EVENTS"] == KEPT_EVENTS
    for name in ("STUCK_MS", "LADDER_BETWEEN_MS", "LADDER_GOOD_MS", "TRAY_NEW", "TRAY_SILENT_MS"):
        assert getattr(sensors, name) == firmware[name]
