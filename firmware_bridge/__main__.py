"""Looking at a board without any other program: ``python -m firmware_bridge monitor PORT``."""

import argparse
import math
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from firmware_bridge.bench_report import report
from firmware_bridge.console import CommandError, help_lines, obey
from firmware_bridge.frames import BadFrame, FrameDecoder
from firmware_bridge.link import Link, LinkItem
from firmware_bridge.ports import find_ports
from firmware_bridge.pseudo_terminal import open_line
from firmware_bridge.receiver import Reading
from firmware_bridge.recording import LineRecorder, LineRecordingError, play, read_chunks
from firmware_bridge.screen import Screen
from firmware_bridge.simulator import VirtualBoard
from firmware_bridge.view import Narrator, describe_health

STATUS_S = 0.5  # how often the status line is renewed


def main(arguments: list[str] | None = None, called: str = "python -m firmware_bridge") -> int:
    """Run a command; the exit code is 2 when it cannot be done, 1 when a limit is broken."""
    options = _parser(called).parse_args(arguments)
    try:
        run: Callable[[argparse.Namespace], int | None] = options.run
        return run(options) or 0
    except KeyboardInterrupt:
        return 0
    except LineRecordingError as error:
        print(f"{options.file}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename} cannot be used: {error.strerror}.", file=sys.stderr)
        return 2


def _parser(called: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=called, description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    ports = commands.add_parser("ports", help="list the serial ports of this computer")
    ports.set_defaults(run=_ports)

    monitor = commands.add_parser("monitor", help="show what a board says, as it says it")
    monitor.set_defaults(run=_monitor, file=None)
    record = commands.add_parser("record", help="the same, and write it to a file")
    record.set_defaults(run=_monitor)
    for command in (monitor, record):
        command.add_argument("port", help="a device, or any pyserial URL")
        command.add_argument("--baud", type=int, default=115200)
        command.add_argument("--seconds", type=float, help="end after so long")
    record.add_argument("file", type=Path)

    simulate = commands.add_parser("simulate", help="make a port with a virtual board behind it")
    simulate.set_defaults(run=_simulate)
    simulate.add_argument("--seed", type=int, default=0, help="of the damage that is ordered")

    bench = commands.add_parser("bench", help="measure the decoder and the clock; takes minutes")
    bench.set_defaults(run=_bench)
    bench.add_argument("--inputs", type=int, default=10_000_000, help="of nonsense")
    bench.add_argument("--messages", type=int, default=1_200_000, help="to be damaged")
    bench.add_argument("--hours", type=float, default=24.0, help="of stepped time for the clock")

    replay = commands.add_parser("replay", help="make a port that plays a recording")
    replay.set_defaults(run=_replay)
    replay.add_argument("file", type=Path)
    replay.add_argument("--speed", type=_speed, default=1.0, help="2 plays twice as fast")
    return parser


def _speed(text: str) -> float:
    if not 0.01 <= float(text) <= 1000:
        raise ValueError
    return float(text)


def _ports(options: argparse.Namespace) -> None:
    found = find_ports()
    for port in found:
        print(f"{port.path}  {port.usb_id or '-':9}  {port.usb_serial or '-'}  {port.description}")
    if not found:
        print("There is no serial port. Is the board plugged in?")


def _monitor(options: argparse.Namespace) -> None:
    if options.file is None:
        _watch(options, None)
        return
    with options.file.open("w", encoding="ascii") as file:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        print(f"# recorded {now} from {options.port!a}, {options.baud} baud", file=file)
        recorder = LineRecorder(lambda line: print(line, file=file, flush=True))
        _watch(options, recorder)
        recorder.flush()


def _watch(options: argparse.Namespace, recorder: LineRecorder | None) -> None:
    view = Narrator()
    decoder = FrameDecoder()
    started_s = time.monotonic()
    screen = Screen(sys.stdout)

    def show(item: LinkItem | BadFrame) -> None:
        clock = datetime.now().strftime("%H:%M:%S.%f")[:-3]
        for line in view.lines(item):
            screen.print(f"{clock}{line}")

    def watch(data: bytes) -> None:
        for frame in decoder.feed(data):
            if isinstance(frame, BadFrame):
                show(frame)
        if recorder is not None:
            recorder.take(time.monotonic() - started_s, data)

    def deliver(item: LinkItem) -> None:
        show(item)
        if isinstance(item, Reading):
            link.acknowledge(item)

    link = Link(options.port, deliver, baud=options.baud, watch=watch)
    link.start()
    try:
        _show_status(screen, lambda: describe_health(link.health), options.seconds)
    finally:
        health = link.health
        link.stop()
        screen.end(f"The end: {describe_health(health)}.")


def _show_status(screen: Screen, status: Callable[[], str], seconds: float | None) -> None:
    ends_s = math.inf if seconds is None else time.monotonic() + seconds
    while (left_s := ends_s - time.monotonic()) > 0:
        screen.status(status())
        time.sleep(min(left_s, STATUS_S))


def _replay(options: argparse.Namespace) -> None:
    with options.file.open(encoding="ascii", errors="replace") as file:
        chunks = list(read_chunks(file))
    with tempfile.TemporaryDirectory(prefix="replay-") as folder:
        path = str(Path(folder) / "port")
        terminal = open_line(path)
        try:
            print(f"Open {terminal.url}; the recording begins when it is spoken to.", flush=True)
            play(chunks, terminal, speed=options.speed)
            # Closing the port would take away what is not read yet.
            print("The recording is over; the port stays until you interrupt.", flush=True)
            while True:
                time.sleep(1.0)  # woken again and again: a signal may have reached another thread
        finally:
            terminal.close()


def _simulate(options: argparse.Namespace) -> None:
    with VirtualBoard(seed=options.seed) as board:
        print(f"A board is at {board.port}. Commands come from here; help lists them.", flush=True)
        for line in sys.stdin:
            match line.strip():
                case "quit":
                    return
                case "help":
                    print("\n".join([*help_lines(), "quit"]), flush=True)
                case command:
                    _obey(board, command)


def _obey(board: VirtualBoard, command: str) -> None:
    port = board.port
    try:
        obey(board, command)
    except CommandError as error:
        print(error, flush=True)
    if board.port != port:
        print(f"The board is at {board.port}.", flush=True)


def _bench(options: argparse.Namespace) -> int:
    kept = True
    for line in report(inputs=options.inputs, messages=options.messages, hours=options.hours):
        print("" if line.is_kept else "BROKEN  ", line.text, sep="", flush=True)
        kept = kept and line.is_kept
    return 0 if kept else 1


if __name__ == "__main__":
    # Told to end by either signal, it gives the port back first.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
