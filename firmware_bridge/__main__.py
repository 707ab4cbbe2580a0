"""Looking at a board without any other program: ``python -m firmware_bridge monitor PORT``."""

import argparse
import math
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import TextIO

from firmware_bridge.frames import BadFrame, FrameDecoder
from firmware_bridge.link import Link, LinkItem
from firmware_bridge.ports import find_ports
from firmware_bridge.receiver import Reading
from firmware_bridge.view import Narrator, describe_health

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


if __name__ == "__main__":
    # Told to end by either signal, it gives the port back first.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
