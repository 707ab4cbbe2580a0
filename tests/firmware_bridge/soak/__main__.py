"""`python -m tests.firmware_bridge.soak`: the firmware for long, without hardware."""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import asdict

from tests.firmware_bridge.soak.events import run_events
from tests.firmware_bridge.soak.ledger import SoakError
from tests.firmware_bridge.soak.realtime import run_in_real_time
from tests.stages.simavr import SimavrError, build


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.firmware_bridge.soak")
    kinds = parser.add_subparsers(required=True, metavar="KIND")
    events = kinds.add_parser("events", help="under damage, resets and unplugging")
    events.set_defaults(soak=_events)
    events.add_argument("--count", type=int, default=10_000)
    events.add_argument("--seed", type=int, default=1)
    real = kinds.add_parser("realtime", help="how fast a key press and a plug are seen")
    real.set_defaults(soak=_real_time)
    real.add_argument("--presses", type=int, default=1000)
    real.add_argument("--plugs", type=int, default=100)
    real.add_argument("--bootloader-ms", type=int, default=0, help="after each reset")
    real.add_argument("--resets-on-open", action="store_true", help="as without the capacitor")
    options = vars(parser.parse_args(arguments))
    soak = options.pop("soak")
    try:
        build()
        soak(options)
    except (SimavrError, SoakError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _events(options: Mapping[str, int]) -> None:
    report = run_events(options["count"], seed=options["seed"])
    for name, number in asdict(report.totals).items():
        print(f"{name:12}{number:8}")
    print(f"board time  {report.board_s:8.0f} s")
    print(f"lines damaged: {dict(report.damaged)}")
    print(f"troubles: {dict(report.troubles)}; line given up {report.reopenings} times")
    print(f"the receiver counted {report.counters}")


def _real_time(options: Mapping[str, int]) -> None:
    report = run_in_real_time(**options)
    for name, times_s in asdict(report).items():
        ordered = sorted(times_s)
        shown = (
            f"{what} {ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1000:.1f} ms"
            for what, part in (("median", 0.5), ("p99", 0.99), ("max", 1.0))
            if ordered
        )
        print(f"{name:10} {len(ordered)} times: {', '.join(shown)}")


if __name__ == "__main__":
    sys.exit(main())
