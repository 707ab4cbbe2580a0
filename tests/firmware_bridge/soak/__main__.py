"""`python -m tests.firmware_bridge.soak`: the firmware under damage, resets and unplugging."""

import argparse
import sys
from dataclasses import asdict

from tests.firmware_bridge.soak.events import run_events
from tests.firmware_bridge.soak.ledger import SoakError
from tests.stages.simavr import SimavrError, build


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.firmware_bridge.soak")
    parser.add_argument("--count", type=int, default=10_000, help="events")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    try:
        build()
        report = run_events(options.count, seed=options.seed)
    except (SimavrError, SoakError) as error:
        print(error, file=sys.stderr)
        return 1
    for name, number in asdict(report.totals).items():
        print(f"{name:12}{number:8}")
    print(f"board time  {report.board_s:8.0f} s")
    print(f"lines damaged: {dict(report.damaged)}")
    print(f"troubles: {dict(report.troubles)}; line given up {report.reopenings} times")
    print(f"the receiver counted {report.counters}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
