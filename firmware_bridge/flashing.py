"""Putting the firmware on a board with avrdude, its greeting afterwards, and a test of its keys.

Pure decisions are here (which port, which file, what avrdude is told, what its answer means);
`table_assist.cli.firmware` talks with the person.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.events import SIDES, DiceReport, Dome, EventContent, Key, KeyPressed, WallReady
from firmware_bridge.link import Link, LinkItem, LinkUp
from firmware_bridge.ports import FoundPort

HEX = Path(__file__).parent / "device" / "uno_retrofit.hex"
# Of HEX; a test compares it, and `make -C firmware_bridge/device check` the hex with its sources.
SHA256 = "4071c5810235dadbfea30816299891cc0dcd69f6e192db78f3b9ddda128f8b7e"
# The makers of the USB side of an Uno, a Nano or their copies, by the vendor's and product's
# number.
KNOWN = {
    "2341:0043": "Arduino Uno",
    "2341:0001": "Arduino Uno",
    "2341:0243": "Arduino Uno",
    "2a03:0043": "Arduino Uno",
    "1a86:7523": "Nano or a copy of the Uno (CH340)",
    "1a86:5523": "Nano or a copy of the Uno (CH341)",
    "0403:6001": "Nano (FT232)",
    "10c4:ea60": "a board with CP2102",
}
BAUDS = (115200, 57600)  # Uno and Nano; a Nano with the old bootloader
FLASH_S = 120.0
GREETING_S = 15.0
_SILENT = re.compile(r"not in sync|stk500_getsync|not responding|timeout", re.IGNORECASE)


class FlashError(Exception):
    """The firmware is not on the board; the message is one sentence with what to do."""


@dataclass(frozen=True, slots=True)
class Avrdude:
    """The program that writes to the chip.

    Attributes:
        path: None where it is not installed.
    """

    path: str | None

    def command(self, port: str, baud: int, file: Path) -> list[str]:
        """The command that writes the file and reads it back to compare."""
        assert self.path is not None
        written = f"flash:w:{file}:i"
        return [
            self.path, "-p", "atmega328p", "-c", "arduino", "-P", port, "-b", str(baud), "-D",
            "-U", written,
        ]  # fmt: skip


def find_avrdude() -> Avrdude:
    """Where it is installed here."""
    return Avrdude(shutil.which("avrdude"))


def how_to_get_avrdude(platform: str = sys.platform) -> str:
    """One sentence for whoever lacks it."""
    how = {
        "win32": "install it with: winget install AVRDudes.AVRDUDE",
        "darwin": "install it with: brew install avrdude",
    }.get(platform, "install it with: sudo apt install avrdude")
    return f"avrdude writes the program to the board and is not here: {how}"


def check_hex(file: Path = HEX) -> str:
    """The file's fingerprint, if it is the one that belongs to this program.

    Raises:
        FlashError: it is missing or another.
    """
    try:
        found = hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise FlashError(f"The firmware {file} cannot be read: {error.strerror}.") from error
    if found != SHA256:
        raise FlashError(
            f"The firmware {file} is not ours: its sha256 begins with {found[:12]}, "
            f"ours with {SHA256[:12]}. Install table-assist again."
        )
    return found


def choose_port(named: str, found: tuple[FoundPort, ...]) -> str:
    """The port to write to: what was named, or the only board.

    Raises:
        FlashError: there is none, or several could be meant.
    """
    if named:
        return named
    boards = [port for port in found if port.usb_id in KNOWN]
    usb = [port for port in found if port.usb_id is not None]
    meant = boards or usb
    if not meant:
        raise FlashError("No board is on USB: plug it in, or name its port with --port.")
    if len(meant) > 1:
        listed = ", ".join(f"{port.path} ({told(port)})" for port in meant)
        raise FlashError(f"Several boards could be meant: {listed}; name one with --port.")
    return meant[0].path


def told(port: FoundPort) -> str:
    """The port's kind, as far as its numbers say."""
    return KNOWN.get(port.usb_id or "", port.description or "unknown")


def flash(
    avrdude: Avrdude, port: str, baud: int | None, say: Callable[[str], None], file: Path = HEX
) -> None:
    """Write and verify; both speeds are tried where none is named.

    Raises:
        FlashError: it is not on the board.
    """
    if avrdude.path is None:
        raise FlashError(how_to_get_avrdude() + ".")
    answer = ""
    for speed in BAUDS if baud is None else (baud,):
        say(f"Writing at {speed} baud ...")
        done = _run(avrdude.command(port, speed, file))
        answer = f"{done.stdout}\n{done.stderr}".strip()
        if done.returncode == 0:
            return
        if not _SILENT.search(answer):
            break
    if _SILENT.search(answer):
        raise FlashError(
            f"The board at {port} does not answer its bootloader. Take the 10 µF capacitor at "
            "RESET out, close other programs that use the port, and try again."
        )
    # The line that says why; its last one is only polite
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    told = [line for line in lines if "error" in line.lower() or "can't" in line]
    reason = (told or lines or ["without a word"])[0].removeprefix("avrdude ")
    raise FlashError(f"avrdude failed: {reason}")


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=FLASH_S
        )
    except subprocess.TimeoutExpired as error:
        raise FlashError(f"avrdude did not end within {FLASH_S:.0f} s.") from error
    except OSError as error:
        raise FlashError(f"{command[0]} cannot be run: {error.strerror}.") from error


def await_greeting(port: str) -> LinkUp:
    """Open the line as the program does, and wait until the board says what it is.

    Raises:
        FlashError: it does not.
    """
    greeted = threading.Event()
    heard: list[LinkUp] = []

    def hear(item: LinkItem) -> None:
        if isinstance(item, LinkUp):
            heard.append(item)
            greeted.set()

    link = Link(port, hear)
    link.start()
    try:
        greeted.wait(GREETING_S)
    finally:
        link.stop()
    if not heard:
        raise FlashError(
            f"The board at {port} is written but did not greet within {GREETING_S:.0f} s: press "
            "its reset key, then run: table-assist firmware test"
        )
    return heard[0]


PARTS = ("keys", "dice", "wall", "dome")


@dataclass(frozen=True, slots=True)
class KeyStep:
    """One thing that somebody is asked to do, and what the board then says."""

    asks: str
    wanted: EventContent

    def is_met(self, content: EventContent) -> bool:
        """Whether this is what was asked for; dice may show anything."""
        if isinstance(content, DiceReport) and isinstance(self.wanted, DiceReport):
            return content.side == self.wanted.side
        return content == self.wanted


def steps(parts: Iterable[str] = PARTS) -> tuple[KeyStep, ...]:
    """The steps, in the order in which one walks around the table."""
    wanted = set(parts)
    asked: list[KeyStep] = []
    for side in range(SIDES):
        if "keys" in wanted:
            asked += [
                KeyStep(f"Press {key.upper()} at seat {side}.", KeyPressed(side, key))
                for key in Key
            ]
        if "dice" in wanted:
            asked.append(KeyStep(f"Press the dice key of side {side}.", DiceReport(side)))
    if "wall" in wanted:
        asked.append(KeyStep("Let the table push up a wall.", WallReady()))
    if "dome" in wanted:
        asked += [
            KeyStep("Open the dome.", Dome(open=True)),
            KeyStep("Close it.", Dome(open=False)),
        ]
    return tuple(asked)


@dataclass(slots=True)
class KeyTest:
    """Where the test is; what is heard goes in, sentences come out.

    Attributes:
        missing: what was asked for and not heard.
    """

    left: list[KeyStep]
    missing: list[KeyStep]
    heard: int = 0

    @classmethod
    def of(cls, parts: Iterable[str] = PARTS) -> "KeyTest":
        """A test from its beginning."""
        return cls(list(steps(parts)), [])

    @property
    def asks(self) -> str | None:
        """The request of the present step; None at the end."""
        return self.left[0].asks if self.left else None

    def hear(self, content: object) -> str | None:
        """The sentence on a reading, or None where it matters to no step."""
        if not self.left or not isinstance(content, DiceReport | KeyPressed | WallReady | Dome):
            return None
        if self.left[0].is_met(content):
            self.left.pop(0)
            self.heard += 1
            return "heard"
        return f"the board said instead: {said(content)}; compare the wiring (docs/BOARD.md)"

    def skip(self) -> None:
        """Nobody did it, or nothing came."""
        self.missing.append(self.left.pop(0))


def said(content: DiceReport | KeyPressed | WallReady | Dome) -> str:
    """The event in words."""
    match content:
        case KeyPressed(seat, key):
            return f"{key.upper()} at seat {seat}"
        case DiceReport(side):
            return f"the dice key of side {side}"
        case Dome(is_open):
            return f"the dome is {'open' if is_open else 'closed'}"
        case WallReady():
            return "the wall is ready"
