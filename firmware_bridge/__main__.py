"""Looking at a board without any other program: ``python -m firmware_bridge monitor PORT``."""

import argparse
import math
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TextIO

from firmware_bridge import events
from firmware_bridge.frames import BadFrame, FrameDecoder
from firmware_bridge.link import Link, LinkItem
from firmware_bridge.ports import find_ports
from firmware_bridge.receiver import Reading
from firmware_bridge.simulator import VirtualBoard
from firmware_bridge.view import Narrator, describe_health

# A virtual board moved by typed commands: what a person writes at ``simulate``.


class CommandError(Exception):
    """A command that cannot be obeyed; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that can be typed.

    Attributes:
        usage: the words, those to be replaced in capitals.
        says: what it does.
        obey: does it with the words after the first; a ``ValueError`` says why they do not fit.
    """

    usage: str
    says: str
    obey: Callable[[VirtualBoard, list[str]], None]


def obey(board: VirtualBoard, line: str) -> None:
    """Do what a line says; an empty one says nothing.

    Raises:
        CommandError: it is no command, or its words do not fit.
    """
    words = line.split()
    if not words:
        return
    command = COMMANDS.get(words[0])
    if command is None:
        raise CommandError(f"There is no command '{words[0]}'; help lists them.")
    try:
        command.obey(board, words[1:])
    except ValueError as error:
        raise CommandError(f"It is written '{command.usage}': {error}.") from error


def help_lines() -> list[str]:
    """Every command with what it does."""
    width = max(len(command.usage) for command in COMMANDS.values())
    return [f"{command.usage:{width}}  {command.says}" for command in COMMANDS.values()]


def _key(board: VirtualBoard, words: list[str]) -> None:
    seat, key = _words(words, 2)
    if key not in list(events.Key):
        raise ValueError(f"there is no key '{key}'; there are {', '.join(events.Key)}")
    board.press(_place(seat, events.SIDES), events.Key(key))


def _lift_key(board: VirtualBoard, words: list[str]) -> None:
    (key,) = _words(words, 1)
    board.happen(events.LiftKeyPressed(_place(key, events.LIFT_KEYS)))


def _lift(board: VirtualBoard, words: list[str]) -> None:
    side, level = _words(words, 2)
    board.happen(events.LiftMoved(_place(side, events.SIDES), up=_is(level, "up", "down")))


def _dome(board: VirtualBoard, words: list[str]) -> None:
    (level,) = _words(words, 1)
    board.happen(events.Dome(open=_is(level, "open", "closed")))


def _tray(board: VirtualBoard, words: list[str]) -> None:
    seat, weight = _words(words, 2)
    raw = _number(weight)
    if not events.WEIGHT_MIN <= raw <= events.WEIGHT_MAX:
        raise ValueError(f"{raw} does not fit into the 24 bits of a tray's converter")
    board.happen(events.TrayWeighed(_place(seat, events.SIDES), raw))


def _is(word: str, on: str, off: str) -> bool:
    if word not in (on, off):
        raise ValueError(f"'{word}' is neither {on} nor {off}")
    return word == on


def _place(word: str, places: int) -> int:
    place = _number(word)
    if not 0 <= place < places:
        raise ValueError(f"there is no {place}; there are 0 to {places - 1}")
    return place


def _event(kind: str, words: list[str]) -> events.EventContent:
    content = events.read_event(kind, tuple(words))
    if isinstance(content, events.UnreadableEvent):
        raise ValueError(content.reason)
    return content


def _plug(board: VirtualBoard, words: list[str]) -> None:
    name = words[0] if words else None
    if name is not None and ("/" in name or name in (".", "..")):
        raise ValueError(f"'{name}' is no name of a port")
    board.replug(under=name)


def _words(words: list[str], count: int) -> list[str]:
    if len(words) != count:
        raise ValueError(f"there are {len(words)} words after the first, not {count}")
    return words


def _number(word: str) -> int:
    if not word.removeprefix("-").isdecimal() or len(word) > 9:
        raise ValueError(f"'{word}' is no number")
    return int(word)


COMMANDS: dict[str, Command] = {
    command.usage.split()[0]: command
    for command in (
        Command("key SEAT KEY", f"press a key of a keypad: {', '.join(events.Key)}", _key),
        Command(
            "dice SIDE [DIE ...]",
            "press a dice key; with dice, if the board reads them",
            lambda board, words: board.happen(_event("DICE", words)),
        ),
        Command("liftkey KEY", "press a lift key", _lift_key),
        Command("lift SIDE up|down", "move a wall lift", _lift),
        Command(
            "wall", "the next wall comes up", lambda board, words: board.happen(events.WallReady())
        ),
        Command("dome open|closed", "move the dome", _dome),
        Command("tray SEAT WEIGHT", "load a score tray", _tray),
        Command(
            "fault NAME",
            "let the board find a fault, such as WATCHDOG",
            lambda board, words: board.happen(_event("FAULT", words)),
        ),
        Command("silent", "send nothing any more", lambda board, words: board.go_silent()),
        Command("speak", "send again", lambda board, words: board.go_silent(is_silent=False)),
        Command("reset", "press the board's reset button", lambda board, words: board.reset()),
        Command("unplug", "pull the plug", lambda board, words: board.unplug()),
        Command("plug [NAME]", "plug in, perhaps under another name", _plug),
    )
}


# Lines that scroll above one that stays: the monitor's output.

CLEAR = "\r\x1b[K"


class Screen:
    """Prints lines, and keeps a status line below them if the output is a terminal.

    May be used from any thread.
    """

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._is_terminal = output.isatty()
        self._status = ""
        self._lock = threading.Lock()

    def print(self, line: str) -> None:
        """Show a line for good."""
        with self._lock:
            if self._is_terminal:
                self._write(f"{CLEAR}{line}\n{self._status}")
            else:
                self._write(f"{line}\n")

    def status(self, line: str) -> None:
        """Show a line until the next status; only on a terminal, and only what fits."""
        with self._lock:
            self._status = line[: shutil.get_terminal_size().columns - 1]
            if self._is_terminal:
                self._write(f"{CLEAR}{self._status}")

    def end(self, line: str) -> None:
        """Replace the status by a last line."""
        with self._lock:
            self._status = ""
        self.print(line)

    def _write(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()


STATUS_S = 0.5  # how often the status line is renewed


def main(arguments: list[str] | None = None, called: str = "python -m firmware_bridge") -> int:
    """Run a command; the exit code is 2 when it cannot be done, 1 when a limit is broken."""
    parser = argparse.ArgumentParser(prog=called, description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    ports = commands.add_parser("ports", help="list the serial ports of this computer")
    ports.set_defaults(run=_ports)
    monitor = commands.add_parser("monitor", help="show what a board says, as it says it")
    monitor.set_defaults(run=_monitor)
    monitor.add_argument("port", help="a device, or any pyserial URL")
    monitor.add_argument("--baud", type=int, default=115200)
    monitor.add_argument("--seconds", type=float, help="end after so long")
    simulate = commands.add_parser("simulate", help="make a port with a virtual board behind it")
    simulate.set_defaults(run=_simulate)
    options = parser.parse_args(arguments)
    try:
        run: Callable[[argparse.Namespace], int | None] = options.run
        return run(options) or 0
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        print(f"{error.filename} cannot be used: {error.strerror}.", file=sys.stderr)
        return 2


def _ports(options: argparse.Namespace) -> None:
    found = find_ports()
    for port in found:
        print(f"{port.path}  {port.usb_id or '-':9}  {port.usb_serial or '-'}  {port.description}")
    if not found:
        print("There is no serial port. Is the board plugged in?")


def _monitor(options: argparse.Namespace) -> None:
    view = Narrator()
    decoder = FrameDecoder()
    screen = Screen(sys.stdout)

    def show(item: LinkItem | BadFrame) -> None:
        clock = datetime.now().strftime("%H:%M:%S.%f")[:-3]
        for line in view.lines(item):
            screen.print(f"{clock}{line}")

    def watch(data: bytes) -> None:
        for frame in decoder.feed(data):
            if isinstance(frame, BadFrame):
                show(frame)

    def deliver(item: LinkItem) -> None:
        show(item)
        if isinstance(item, Reading):
            link.acknowledge(item)

    link = Link(options.port, deliver, baud=options.baud, watch=watch)
    link.start()
    try:
        ends_s = math.inf if options.seconds is None else time.monotonic() + options.seconds
        while (left_s := ends_s - time.monotonic()) > 0:
            screen.status(describe_health(link.health))
            time.sleep(min(left_s, STATUS_S))
    finally:
        health = link.health
        link.stop()
        screen.end(f"The end: {describe_health(health)}.")


def _simulate(options: argparse.Namespace) -> None:
    with VirtualBoard() as board:
        print(f"A board is at {board.port}. Commands come from here; help lists them.", flush=True)
        for line in sys.stdin:
            match line.strip():
                case "quit":
                    return
                case "help":
                    print("\n".join([*help_lines(), "quit"]), flush=True)
                case command:
                    port = board.port
                    try:
                        obey(board, command)
                    except CommandError as error:
                        print(error, flush=True)
                    if board.port != port:
                        print(f"The board is at {board.port}.", flush=True)


if __name__ == "__main__":
    # Told to end by either signal, it gives the port back first.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
