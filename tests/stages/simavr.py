"""The real firmware without hardware: a simulated chip in a process of its own.

The process is the harness of ``tests/firmware_bridge/simavr``, which is linked with simavr. It ends
when this program does, because its standard input ends then.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from playwright.sync_api import Browser, BrowserContext

from bench.board import DEVICE, built
from firmware_bridge.events import Key
from firmware_bridge.frames import BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.messages import (
    Acknowledge,
    BoardSnapshot,
    Event,
    Hello,
    Message,
    acknowledge_frame,
    parse,
)

FIRMWARE = DEVICE / "build" / "uno_retrofit.elf"
SIMAVR = Path(__file__).parents[1] / "firmware_bridge" / "simavr"
HARNESS = SIMAVR / "build" / "harness"
# Of hexadecimal digits in one command; the harness takes lines of 8 KiB.
MOST_BYTES = 2048


class SimavrError(Exception):
    """The firmware cannot be run, or has crashed; the message is one sentence."""


def build() -> None:
    """Build firmware and harness, if their sources are newer.

    Raises:
        SimavrError: a tool is missing or the build fails.
    """
    for folder in (DEVICE, SIMAVR):
        try:
            made = subprocess.run(["make", "-C", str(folder)], capture_output=True, text=True)
        except OSError as error:
            raise SimavrError(f"make cannot be run: {error.strerror}.") from error
        if made.returncode != 0:
            last = (made.stderr.strip() or made.stdout.strip()).splitlines()[-1]
            raise SimavrError(f"make -C {folder} failed: {last}")


class SimulatedBoard:
    """The table's side of a simulated board: its inputs, power and reset. A context manager.

    Attributes:
        process: the harness.
    """

    def __init__(self, options: Iterable[str] = (), firmware: Path = FIRMWARE) -> None:
        command = [str(HARNESS), *options, str(firmware)]
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except OSError as error:
            raise SimavrError(
                f"{HARNESS} cannot be run ({error.strerror}): run make -C {HARNESS.parents[1]}."
            ) from error
        try:
            self._answer("starting")
        except SimavrError:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process. May be called again."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.close()
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def kill(self) -> None:
        """End the process as a pulled plug does: at once."""
        self.process.kill()
        self.close()

    def command(self, text: str) -> str:
        """Give the harness a command; what it answers after ``ok``.

        Raises:
            SimavrError: it cannot do that, or has ended.
        """
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(text + "\n")
        except OSError as error:
            raise SimavrError(f"The harness has ended before '{text}'.") from error
        return self._answer(text)

    def set(self, name: str, *, is_active: bool) -> None:
        """Close or open a switch: ``dice0-3 liftkey0-1 lift0-3 wall dome``."""
        self.command(f"set {name} {int(is_active)}")

    def bounce(self, name: str, *, is_active: bool, changes: int, period_us: int) -> None:
        """Let a switch change so often, beginning now and ending at the level."""
        self.command(f"bounce {name} {int(is_active)} {changes} {period_us}")

    def hold(self, seat: int, *keys: Key) -> None:
        """Hold these keys of a keypad down, and no others."""
        self.command(f"key {seat} {'+'.join(keys) or 'none'}")

    def weigh(self, seat: int, raw: int | None) -> None:
        """Let a score tray weigh so many counts, 24 bits with sign; None takes its sensor off."""
        self.command(f"tray {seat} {'absent' if raw is None else raw}")

    def reset(self) -> None:
        """Press the reset button."""
        self.command("reset")

    def power(self, *, is_on: bool) -> None:
        """Switch the supply; what was in RAM is lost."""
        self.command(f"power {'on' if is_on else 'off'}")

    def hang(self, *, is_deaf: bool = False) -> None:
        """Let the firmware hang where it is until the watchdog barks; deaf: without interrupts."""
        self.command("hang deaf" if is_deaf else "hang")

    def state(self) -> dict[str, str]:
        """The harness's own view: resets, watchdog interrupts, LED and others, by name."""
        return dict(word.split("=") for word in self.command("state").split())

    def _answer(self, asked: str) -> str:
        assert self.process.stdout is not None
        answer = self.process.stdout.readline().strip()
        if answer == "ok" or answer.startswith("ok "):
            return answer[3:]
        if not answer:
            raise SimavrError(f"The harness ended at '{asked}'.")
        raise SimavrError(f"The harness answers: {answer.removeprefix('error ')}.")


class SteppedBoard(SimulatedBoard):
    """The firmware in stepped time: it runs only while ``run`` does, the same way every time.

    Attributes:
        now_us: microseconds since the start of the harness, those without power included.
    """

    def __init__(
        self,
        *,
        seed: int = 1,
        eeprom: Path | None = None,
        millis: int | None = None,
        firmware: Path = FIRMWARE,
    ) -> None:
        """Switch the power on.

        Args:
            seed: of the noise on the inputs, and of what is in RAM.
            eeprom: a file that keeps the EEPROM.
            millis: what Arduino's millisecond counter starts from, instead of 0.
            firmware: the ELF file.
        """
        options = ["--seed", str(seed)]
        options += [] if eeprom is None else ["--eeprom", str(eeprom)]
        options += [] if millis is None else ["--millis", str(millis)]
        self.now_us = 0
        self._unread = b""
        super().__init__(options, firmware)

    def run(self, milliseconds: float, *, to_line_end: bool = False) -> bytes:
        """Let the firmware run; what it has sent since the last call.

        Args:
            milliseconds: of the board's time.
            to_line_end: stop earlier if it sends a line end.
        """
        words = self.command(f"run {milliseconds:.3f}{' line' if to_line_end else ''}").split()
        self.now_us = int(words[0])
        unread, self._unread = self._unread, b""
        return unread + bytes.fromhex(words[1] if len(words) > 1 else "")

    def skip(self, milliseconds: int) -> None:
        """Let Arduino's millisecond counter jump forward, as if the board had run for so long.

        It goes in jumps of less than half the counter's range. Inputs must be at rest: the times
        of contacts have 16 bits.
        """
        while milliseconds > 0:
            jump = min(milliseconds, 1 << 30)
            self.command(f"skip {jump}")
            milliseconds -= jump
            self._unread = self.run(1)

    def send(self, data: bytes) -> None:
        """Put bytes on the line to the board; they arrive at the line's speed."""
        for begin in range(0, len(data), MOST_BYTES):
            self.command(f"rx {data[begin : begin + MOST_BYTES].hex()}")


class BoardOnPort:
    """The firmware in real time, behind a pseudo-terminal at ``port``. A context manager.

    Attributes:
        port: the path to open; stays the same when the board is unplugged and plugged in again.
        board: the table's side; None while it is unplugged.
    """

    def __init__(
        self,
        *,
        resets_on_open: bool = False,
        bootloader_ms: int = 0,
        seed: int = 1,
        firmware: Path = FIRMWARE,
    ) -> None:
        """Prepare; entering the context plugs in.

        Args:
            resets_on_open: as an Arduino without the capacitor does.
            bootloader_ms: how long the bootloader waits after a reset.
            seed: of the noise on the inputs.
            firmware: the ELF file.
        """
        self._folder = Path(tempfile.mkdtemp(prefix="simavr-board-"))
        self.port = str(self._folder / "port")
        self.board: SimulatedBoard | None = None
        self._firmware = firmware
        self._options = ["--port", self.port, "--eeprom", str(self._folder / "eeprom")]
        self._options += ["--seed", str(seed), "--bootloader-ms", str(bootloader_ms)]
        self._options += ["--reset-on-open"] if resets_on_open else []

    def __enter__(self) -> Self:
        try:
            self.plug_in()
        except SimavrError:
            shutil.rmtree(self._folder)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.board is not None:
            self.board.close()
        shutil.rmtree(self._folder)

    def plug_in(self) -> None:
        """Start the harness; the port is there when this returns."""
        self.board = SimulatedBoard(self._options, self._firmware)

    def unplug(self) -> None:
        """Kill the harness: an open port fails, and its path is gone."""
        assert self.board is not None
        self.board.kill()
        self.board = None
        Path(self.port).unlink(missing_ok=True)


# Switch inputs, as in docs/BOARD.md.
DICE_KEY, LIFT_KEY, LIFT, WALL, DOME = 0, 4, 6, 10, 11
NO_KEY = 1023  # a keypad's voltage
# How long an input must be steady, in milliseconds.
PRESSED, RELEASED, LIMIT_SWITCH, WALL_READY, WALL_GONE = 8, 40, 50, 150, 500


class NativeBoard:
    """A board at its start. Use it as a context: at the end its program must have no complaint.

    Attributes:
        sent: what the board has sent, with the millisecond.
        lights: when its light went on (True) and off.
    """

    def __init__(self, program: str = "board") -> None:
        self.sent: list[tuple[int, bytes]] = []
        self.lights: list[tuple[int, bool]] = []
        self._seen: set[tuple[str, int]] = set()
        self._process = subprocess.Popen(
            [built() / program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _, complaint = self._process.communicate(timeout=30)
        if error is None:
            assert (self._process.returncode, complaint) == (0, "")

    def do(self, command: str) -> list[str]:
        """Give a command of the native program; its answer, less what the board sent."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        answer = []
        while (line := self._process.stdout.readline()) != ".\n":
            assert line, self._process.communicate(timeout=30)[1]
            name, *words = line.split()
            if name == "sent":
                self.sent.append((int(words[0]), bytes.fromhex(words[1])))
            elif name == "light":
                self.lights.append((int(words[0]), words[1] == "1"))
            else:
                answer.append(line.rstrip("\n"))
        return answer

    def start(self, at_ms: int = 0, cause: str = "") -> Hello:
        """Power on, reset or restart; returns the board's greeting."""
        self.do(f"start {at_ms} {cause}")
        hello, snapshot = self.messages()
        assert isinstance(hello, Hello)
        assert isinstance(snapshot, BoardSnapshot)
        return hello

    def run(self, milliseconds: int) -> list[Message]:
        """Let time pass; what the board said in it."""
        self.do(f"run {milliseconds}")
        return self.messages()

    def events(self, milliseconds: int) -> list[str]:
        """Let time pass; the events in it, in words, without repetitions: ``["KEY,2,WIN"]``."""
        self.do(f"run {milliseconds}")
        events = [frame for frame in self.frames() if frame.type == "EV"]
        new = {
            (frame.fields[0], frame.seq): ",".join(frame.fields[2:])
            for frame in events
            if (frame.fields[0], frame.seq) not in self._seen
        }
        self._seen.update(new)
        return list(new.values())

    def frames(self) -> list[Frame]:
        """What the board has sent since the last look: nothing of it may be damaged."""
        found = FrameDecoder().feed(b"".join(data for _, data in self.sent))
        self.sent = []
        frames = [frame for frame in found if not isinstance(frame, BadFrame)]
        assert frames == found
        return frames

    def messages(self) -> list[Message]:
        """The same, as messages; answers to orders are left out."""
        messages = (parse(frame) for frame in self.frames())
        return [
            message for message in messages if isinstance(message, Hello | Event | BoardSnapshot)
        ]

    def snapshot(self) -> BoardSnapshot:
        """Let time pass up to the next snapshot."""
        for message in self.run(500):
            if isinstance(message, BoardSnapshot):
                last = message
        return last

    def receive(self, *lines: bytes) -> list[Frame]:
        """Lines arrive at once; what the board answers."""
        self.do(f"receive {b''.join(lines).hex()}")
        return self.frames()

    def acknowledge(self, seq: int, boot_id: str) -> list[Frame]:
        """The host acknowledges an event."""
        return self.receive(encode(acknowledge_frame(Acknowledge(seq, boot_id))))


@pytest.fixture
def board() -> Iterator[NativeBoard]:
    with NativeBoard() as board:
        yield board


PATIENCE_MS = 30_000


@contextmanager
def device(
    browser: Browser, size: tuple[int, int], locale: str, *, touched: bool = False
) -> Iterator[BrowserContext]:
    """A browser's context of its own, on a phone if it is touched.

    Inside an event of Playwright's nothing may be raised: it would end the connection to the
    browser for all tests after it.
    """
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        locale=locale,
        accept_downloads=True,
        has_touch=touched,
        is_mobile=touched,
    )
    context.set_default_timeout(PATIENCE_MS)
    failures: list[str] = []
    context.on("weberror", lambda error: failures.append(str(error.error)))
    yield context
    context.close()
    assert failures == []
