"""``python -m firmware_bridge soak``: long runs that say what holds, and how fast it is."""

import argparse
import sys
import time
from collections import Counter
from dataclasses import asdict

from firmware_bridge.simavr import SimavrError, build
from firmware_bridge.soak.day import DayReport, FirmwareBoard, QuickBoard, run_day
from firmware_bridge.soak.events import run_events
from firmware_bridge.soak.ledger import SoakError
from firmware_bridge.soak.realtime import run_in_real_time


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its kinds."""
    soak = commands.add_parser("soak", help="run board and bridge for long, without hardware")
    kinds = soak.add_subparsers(required=True, metavar="KIND")

    events = kinds.add_parser("events", help="the firmware under damage, resets and unplugging")
    events.set_defaults(run=_run, soak=_events)
    events.add_argument("--count", type=int, default=10_000)
    events.add_argument("--seed", type=int, default=1)

    real = kinds.add_parser(
        "realtime", help="how fast a key press, an unplug and a replug are seen"
    )
    real.set_defaults(run=_run, soak=_real_time)
    real.add_argument("--presses", type=int, default=1000)
    real.add_argument("--plugs", type=int, default=100)
    real.add_argument("--bootloader-ms", type=int, default=0, help="after each reset")
    real.add_argument("--resets-on-open", action="store_true", help="as without the capacitor")

    day = kinds.add_parser("day", help="a day of board time: memory, clocks, counters")
    day.set_defaults(run=_run, soak=_day)
    day.add_argument("--hours", type=float, default=24.0, help="with the virtual board")
    day.add_argument("--firmware-hours", type=float, default=1.0, help="with the real firmware")


def _run(options: argparse.Namespace) -> None:
    try:
        build()
        began_s = time.monotonic()
        options.soak(options)
        print(f"It took {time.monotonic() - began_s:.0f} s.")
    except (SimavrError, SoakError) as error:
        print(error, file=sys.stderr)
        sys.exit(1)


def _events(options: argparse.Namespace) -> None:
    report = run_events(options.count, seed=options.seed)
    for name, number in asdict(report.totals).items():
        print(f"{name:12}{number:8}")
    print(f"board time  {report.board_s:8.0f} s")
    print(f"lines damaged: {_counts(report.damaged)}")
    print(f"troubles: {_counts(report.troubles)}; line given up {report.reopenings} times")
    print(f"the receiver counted {report.counters}")


def _real_time(options: argparse.Namespace) -> None:
    report = run_in_real_time(
        options.presses,
        options.plugs,
        resets_on_open=options.resets_on_open,
        bootloader_ms=options.bootloader_ms,
    )
    for name, times_s in asdict(report).items():
        if times_s:
            print(f"{name:10} {_times(times_s)}")


def _day(options: argparse.Namespace) -> None:
    # More than 65,536 events in 24 hours.
    report = run_day(QuickBoard(), hours=options.hours, between_ms=1250)
    _print_day(f"virtual board, {options.hours:g} h", report)
    with FirmwareBoard() as board:
        report = run_day(board, hours=options.firmware_hours, between_ms=1250)
    _print_day(f"firmware, {options.firmware_hours:g} h", report)


def _print_day(title: str, report: DayReport) -> None:
    print(f"{title}: {report.events} events, each once and in order")
    print(f"  clocks agree to {report.worst_s * 1000:.2f} ms ({report.settled} events)")
    print(f"  board time went around: {report.wrapped}; numbers: {report.numbers_wrapped}")
    print(f"  memory from {report.rss_kib[0]} to {report.rss_kib[-1]} KiB: {report.rss_kib}")
    print(f"  the receiver counted {report.counters}")


def _times(times_s: tuple[float, ...]) -> str:
    ordered = sorted(times_s)
    parts = {"median": 0.5, "p99": 0.99, "max": 1.0}
    shown = [
        f"{name} {ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1000:.1f} ms"
        for name, part in parts.items()
    ]
    return f"{len(ordered)} times: {', '.join(shown)}"


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counter.items()))
