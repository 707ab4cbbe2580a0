"""`python -m bench WHAT`: what developers measure, in a checkout; the wheel does not have it."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from table_assist.cli.arguments import Parser, add_examples
from table_assist.cli.errors import USER_ERRORS, sentence
from table_assist.cli.shared_arguments import add_every_rules, add_json, count, positive

MODES = ("begun", "hands", "measure", "record", "replay", "calibrate", "disturbed")
RECORDED = ("record", "replay", "calibrate")  # modes of one module
EXAMPLES = {
    "cases": ("cases mine.jsonl", "cases mine.jsonl --json"),
    "hands": ("hands --hands 3", "hands --rules tianjin --hands 3 --seed 7"),
    "eyes": ("eyes --runs 1", "eyes --runs 1 --threads 1 --json"),
    "calibration": ("calibration --tables 1", "calibration --tables 2"),
    "tables": ("tables --pictures photos", "tables --pictures photos --half held"),
    "live": (
        "live --hands 1 --rules changsha",
        "live begun --hands 1 --rules wanzhou",
        "live --hands 1 --noise clumsy --json",
    ),
    "club": ("club --tables 3 --seconds 2", "club --tables 3 --seconds 3 --hubs 2 --kills 1"),
}


def build_parser() -> argparse.ArgumentParser:
    """All measurements with their options, words and examples."""
    parser = Parser(prog="python -m bench", description="Measure the program, in a checkout.")
    benches = parser.add_subparsers(dest="bench", required=True, metavar="WHAT")

    def add(name: str, about: str, module: str = "") -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = benches.add_parser(name, help=about)
        added.set_defaults(module=module or f"bench.{name}")
        return added

    cases = add("cases", "run worked examples of the rules", "bench.cases.run")
    cases.add_argument("files", type=Path, nargs="+", metavar="FILE", help="JSON lines")
    add_json(cases, "one JSON line a case")
    hands = add("hands", "bots play whole hands; every event is checked")
    add_every_rules(hands)
    hands.add_argument("--hands", type=int, default=1000, help="hands of each (default 1000)")
    hands.add_argument("--seed", default="bench", help="another seed plays other hands")
    eyes = add("eyes", "how long reading pictures takes", "bench.reading")
    _numbers(eyes, runs=(5, "the best counts"), threads=(None, "default: one per core"))
    add_json(eyes)
    tables = add("calibration", "finding the table in pictures")
    _numbers(tables, tables=(60, "simulated ones"))
    real = add("tables", "finding the table in photographs of real ones")
    real.add_argument("--pictures", type=Path, required=True, metavar="DIR", help="where they lie")
    real.add_argument("--half", choices=("worked", "held"), help="default: both")
    live = add("live", "simulated evenings, followed without help")
    live.add_argument("mode", nargs="?", default="hands", choices=MODES)
    add_every_rules(live)
    live.add_argument("--hands", type=count, metavar="N", help="hands of each")
    live.add_argument("--most", type=count, metavar="N", help="disturbed: faults of each hand")
    live.add_argument("--eyes", choices=("modelled", "real"), default="modelled")
    live.add_argument("--noise", choices=("default", "clumsy", "harsh"), default="default")
    live.add_argument("--seed", type=int, default=1, help="another seed plays other evenings")
    looks = ("usual", "world", "held-out")
    live.add_argument("--looks", choices=looks, default="usual", help="which tables")
    for option, about in (
        ("--faces", "real eyes: other faces, or many sets"),
        ("--folder", "recorded hands: where they are; begun: photographs"),
        ("--invented", "record: tile sets that nobody has made"),
    ):
        live.add_argument(option, type=Path, metavar="DIR", help=about)
    live.add_argument("--kind", action="append", metavar="KIND", help="recorded: only these tables")
    add_json(live, "one JSON object a hand and rule set")
    club = add("club", "many simulated tables at a club's hub", "bench.club.load")
    _numbers(
        club, tables=(50, "simulated ones"), hubs=(1, "hub processes"),
        backlog=(0, "entries each table comes with"),
        late=(0, "only so many tables have the backlog, and come in the middle of the time"),
        kills=(0, "hubs killed at random moments"), seed=(1, "of the moments"),
    )  # fmt: skip
    club.add_argument("--seconds", type=positive, default=20.0, metavar="S")
    club.add_argument("--base", default="", metavar="WHERE", help="default: a new file")
    add_examples(parser, EXAMPLES)
    return parser


def _numbers(parser: argparse.ArgumentParser, **options: tuple[int | None, str]) -> None:
    """Options that take a number: its default, and what it means."""
    for name, (default, about) in options.items():
        parser.add_argument(f"--{name}", type=count, default=default, metavar="N", help=about)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; returns the exit code: 0 all holds, 1 something does not, 2 cannot be done."""
    options = build_parser().parse_args(arguments)
    module = options.module
    if options.bench == "live":
        module = f"bench.live.{'recorded' if options.mode in RECORDED else options.mode}"
    try:
        return int(import_module(module).run(options))
    except USER_ERRORS as error:
        print("bench:", sentence(error, "en"), file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
