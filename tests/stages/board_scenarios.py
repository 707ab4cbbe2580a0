"""What happens at a board, as scenarios: moved inputs, orders, and what must come of it."""

from collections.abc import Callable
from dataclasses import dataclass

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
    read_event,
)
from firmware_bridge.frames import BadFrame, Frame, FrameDecoder, encode
from tests.stages.simavr import SteppedBoard

WATCHDOG_WAIT_MS = 4000


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a transcript.

    Attributes:
        text: what was sent, normalised and without its time.
        board_ms: the time in it; None for an answer.
    """

    text: str
    board_ms: int | None


class Table:
    """A board and its host, in stepped time."""

    def __init__(self, board: SteppedBoard) -> None:
        self.board = board
        self.transcript: list[Line] = []
        self.boot_ids: list[str] = []
        self._decoder = FrameDecoder()
        self.greeted()

    def greeted(self, within_ms: int = 1000) -> None:
        """Run until a start's greeting has come: from there on, boards keep the same time."""
        known = len(self.boot_ids)
        until_us = self.board.now_us + within_ms * 1000
        while len(self.boot_ids) == known:
            assert self.board.now_us < until_us, "no greeting has come"
            self._take(self.board.run(1, to_line_end=True))

    def run(self, milliseconds: int) -> None:
        self._take(self.board.run(milliseconds))

    def run_acknowledging(self, milliseconds: int) -> None:
        """As a host does: every event is acknowledged when it comes."""
        until_us = self.board.now_us + milliseconds * 1000
        while (left_us := until_us - self.board.now_us) > 0:
            count = len(self.transcript)
            self._take(self.board.run(left_us / 1000, to_line_end=True))
            for line in self.transcript[count:]:
                if line.text.startswith("EV,"):
                    seq = int(line.text.split(",")[1])
                    self.board.send(encode(Frame("AK", seq, (self.boot_ids[-1],))))

    def say(self, *frames: Frame) -> None:
        self.raw(b"".join(encode(frame) for frame in frames))

    def raw(self, data: bytes, run_ms: int = 30) -> None:
        self.board.send(data)
        self.run(run_ms)

    def acknowledge(self, seq: int) -> None:
        self.say(Frame("AK", seq, (self.boot_ids[-1],)))

    def tap(self, name: str, *, hold_ms: int = 30) -> None:
        self.board.set(name, is_active=True)
        self.run(hold_ms)
        self.board.set(name, is_active=False)
        self.run(60)

    def tap_key(self, seat: int, *keys: Key, hold_ms: int = 30) -> None:
        self.board.hold(seat, *keys)
        self.run(hold_ms)
        self.board.hold(seat)
        self.run(60)

    def said(self, kind: str) -> list[str]:
        return [line.text for line in self.transcript if line.text.startswith(kind)]

    def events(self) -> list[EventContent]:
        """All events, repetitions included."""
        found = []
        for text in self.said("EV"):
            _, _, _, kind, *fields = text.split(",")
            found.append(read_event(kind, tuple(fields)))
        return found

    def last_snapshot(self) -> list[str]:
        """Pending, inputs, bad lines and overruns."""
        return self.said("ST")[-1].split(",")[3:]

    def _take(self, data: bytes) -> None:
        for frame in self._decoder.feed(data):
            assert not isinstance(frame, BadFrame), frame
            self.transcript.append(self._line(frame))

    def _line(self, frame: Frame) -> Line:
        if frame.type not in ("HI", "EV", "ST"):
            return Line(",".join((frame.type, str(frame.seq), *frame.fields)), None)
        boot_id, board_ms, *fields = frame.fields
        if boot_id not in self.boot_ids:
            self.boot_ids.append(boot_id)
        if frame.type == "HI":
            fields[2] = "FIRMWARE"
        start = f"start {self.boot_ids.index(boot_id)}"
        return Line(",".join((frame.type, str(frame.seq), start, *fields)), int(board_ms))


def every_key_of_every_keypad(table: Table) -> None:
    pressed: list[EventContent] = []
    for seat in range(4):
        for key in Key:
            table.tap_key(seat, key)
            pressed.append(KeyPressed(seat, key))
            table.acknowledge(len(pressed))
    assert table.events() == pressed


def dice_and_lift_keys(table: Table) -> None:
    names = [f"dice{side}" for side in range(4)] + ["liftkey0", "liftkey1"]
    for number, name in enumerate(names, 1):
        table.tap(name)
        table.acknowledge(number)
    dice = [DiceReport(side) for side in range(4)]
    assert table.events() == [*dice, LiftKeyPressed(0), LiftKeyPressed(1)]


def lifts_dome_and_wall(table: Table) -> None:
    for number, name in enumerate(["lift0", "lift1", "lift2", "lift3", "dome", "wall"], 1):
        table.board.set(name, is_active=True)
        table.run(220)
        table.acknowledge(number)
    table.run(600)
    assert table.last_snapshot()[1] == "03F00000"
    for name in ("lift2", "dome", "wall"):
        table.board.set(name, is_active=False)
    table.run(200)
    table.acknowledge(8)
    table.run(1100)
    assert table.last_snapshot()[1] == "02C00000"
    up = [LiftMoved(side, True) for side in range(4)]
    assert table.events() == [*up, Dome(True), WallReady(), LiftMoved(2, False), Dome(False)]


def a_bouncing_sensor(table: Table) -> None:
    table.board.bounce("wall", is_active=True, changes=31, period_us=4000)
    table.run(400)
    table.acknowledge(1)
    table.board.bounce("dice3", is_active=True, changes=7, period_us=1000)
    table.run(100)
    table.acknowledge(2)
    table.board.bounce("dice3", is_active=False, changes=9, period_us=2000)
    table.run(200)
    assert table.events() == [WallReady(), DiceReport(3)]


def damaged_lines(table: Table) -> None:
    table.raw(b"$PI,1*0000\r\n")
    table.raw(b"noise\r\n$half$PI,2*0000\r\n")
    table.raw(encode(Frame("PI", 3))[:7] + b"\n")
    table.raw(b"# a line for people\r\n")
    table.raw(b"x" * 60 + b"\n")
    table.raw(b"$" * 20 + encode(Frame("PI", 4)))
    table.raw(b"\xff\x00\xfe\n")
    table.run(500)
    assert table.said("OK") == ["OK,4"]
    assert table.last_snapshot()[2] not in ("0", "1")


def score_trays(table: Table) -> None:
    table.run(110)  # between two snapshots there is time for what a converter may be late
    for seat, weight, run_ms in (
        (0, 5000, 1500),
        (3, -8388608, 1450),
        (0, 5900, 1500),
        (0, 30_000, 1600),
    ):
        table.board.weigh(seat, weight)
        table.run_acknowledging(run_ms)
    assert table.last_snapshot()[1] == "90000000"
    table.board.weigh(3, None)
    table.run_acknowledging(3000)
    assert table.last_snapshot()[1] == "10000000"
    # 5900 is less than counts as a change.
    weighed = [TrayWeighed(0, 5000), TrayWeighed(3, -8388608), TrayWeighed(0, 30_000)]
    assert table.events() == [*weighed, Fault("TRAY-3")]


def a_power_cut(table: Table) -> None:
    table.tap("dice0")
    table.board.set("dome", is_active=True)
    table.board.hold(2, Key.WIN)
    table.run(100)
    table.board.power(is_on=False)
    table.run(200)
    table.board.power(is_on=True)
    table.greeted()
    table.run(1200)
    # What stood at the start is no event, and what was kept is gone.
    assert table.last_snapshot()[:2] == ["0", "00200200"]
    table.board.hold(2)
    table.run(100)
    table.tap_key(2, Key.WIN)
    assert table.said("EV")[-1] == "EV,1,start 1,KEY,2,WIN"


def the_reset_button(table: Table) -> None:
    table.tap("dice0")
    table.board.reset()
    table.greeted()
    table.run(600)
    assert table.last_snapshot()[0] == "0"


def a_program_that_hangs(table: Table) -> None:
    table.tap("dice0")
    table.acknowledge(1)
    table.board.hang()
    table.greeted(WATCHDOG_WAIT_MS)
    table.run(100)
    assert table.said("EV")[-1] == "EV,1,start 1,FAULT,WATCHDOG"
    table.acknowledge(1)
    table.run(600)


def after_49_days(table: Table) -> None:
    """The board's time goes around its 32 bits."""
    table.board.skip((1 << 32) - 2000)
    table.run(100)
    table.transcript.clear()  # in how many jumps it went, is the test's affair
    table.say(Frame("RQ", 1))
    table.run(500)
    table.tap("dice0")
    table.run(2200)
    table.acknowledge(1)
    table.run(1000)
    times = [line.board_ms for line in table.transcript if line.board_ms is not None]
    assert max(times) > (1 << 32) - 1000
    assert times[-1] < 10_000


SCENARIOS: list[Callable[[Table], None]] = [
    every_key_of_every_keypad,
    dice_and_lift_keys,
    lifts_dome_and_wall,
    a_bouncing_sensor,
    damaged_lines,
    score_trays,
    a_power_cut,
    the_reset_button,
    a_program_that_hangs,
    after_49_days,
]
