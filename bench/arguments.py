"""The options of ``bench``."""

import argparse
from pathlib import Path

from table_assist.cli.shared_arguments import (
    add_every_rules,
    add_json,
    add_set,
    count,
    positive,
)

MOST_TILT_DEG = 45.0
MOST_TIMES = 1.17  # larger tiles find no room: as `twin/fit.py`


def add_bench(parser: argparse.ArgumentParser) -> None:
    """``bench`` and what it measures."""
    benches = parser.add_subparsers(dest="bench", required=True, metavar="WHAT")
    hands = benches.add_parser("hands", help="bots play whole hands; every event is checked")
    add_every_rules(hands)
    hands.add_argument("--hands", type=int, default=1000, help="hands of each (default 1000)")
    hands.add_argument("--seed", default="bench", help="another seed plays other hands")
    judge = benches.add_parser("rules", help="verdicts per second, beside other calculators")
    add_every_rules(judge)
    judge.add_argument("--hands", type=int, default=5000, help="hands of each (default 5000)")
    add_json(judge, "one JSON line a measurement")
    benches.add_parser("perft", help="count complete hands in two ways")
    eyes = benches.add_parser("eyes", help="reading pictures")
    eyes.add_argument(
        "--runs", type=count, default=5, metavar="N", help="how many runs; the best counts"
    )
    eyes.add_argument("--threads", type=count, metavar="N", help="default: one per core")
    add_json(eyes)
    tables = benches.add_parser("calibration", help="finding the table in pictures")
    tables.add_argument(
        "--tables", type=count, default=60, metavar="N", help="how many simulated tables"
    )
    tables.add_argument("--photos", type=Path, metavar="DIR", help="pictures without a whole table")
    phones = benches.add_parser("phones", help="two phones over one table")
    phones.add_argument("--tables", type=count, default=10, metavar="N", help="simulated ones")
    phones.add_argument("--first", type=int, default=0, metavar="SEED", help="of the first table")
    _add_bench_live(benches.add_parser("live", help="simulated evenings, followed without help"))
    _add_bench_secrecy(benches.add_parser("secrecy", help="search all bytes for the treasure"))
    log = benches.add_parser("log", help="check every seal of a long log")
    log.add_argument("--entries", type=count, default=100_000, metavar="N")
    log.add_argument("--seed", type=int, default=2026)
    decoder = benches.add_parser(
        "decoder", help="damage the lines of a board; nothing may be guessed"
    )
    decoder.add_argument("--inputs", type=int, default=10_000_000, metavar="N")
    decoder.add_argument("--seed", type=int, default=1)
    _add_bench_club(benches.add_parser("club", help="many simulated tables at a club's hub"))
    _add_bench_load(benches.add_parser("load", help="how long an event takes to reach live pages"))


def _add_bench_secrecy(secrecy: argparse.ArgumentParser) -> None:
    secrecy.add_argument("--hands", type=count, default=40, metavar="N")
    secrecy.add_argument("--first-seed", type=int, default=0, metavar="N")
    secrecy.add_argument(
        "--every", type=count, default=1, metavar="N", help="ask for everything in every Nth hand"
    )
    secrecy.add_argument(
        "--stride", type=count, default=1, metavar="N", help="how many changes to show at once"
    )


def _add_bench_club(club: argparse.ArgumentParser) -> None:
    club.add_argument("--tables", type=count, default=50, metavar="N")
    club.add_argument("--seconds", type=positive, default=20.0, metavar="S")
    club.add_argument(
        "--every", type=positive, default=1.0, metavar="S", help="from entry to entry of a table"
    )
    club.add_argument("--hubs", type=count, default=1, metavar="N", help="hub processes")
    club.add_argument(
        "--backlog", type=count, default=0, metavar="N", help="entries each table comes with"
    )
    club.add_argument(
        "--late",
        type=count,
        default=0,
        metavar="N",
        help="only so many tables have the backlog, and come in the middle of the time",
    )
    club.add_argument(
        "--flood", action="store_true", help="each entry is made as soon as the last is kept"
    )
    club.add_argument(
        "--requests", action="store_true", help="tables send a request a batch, and keep no line"
    )
    club.add_argument(
        "--beside", action="store_true", help="what PostgreSQL takes alone, before and after"
    )
    club.add_argument(
        "--kills", type=count, default=0, metavar="N", help="hubs killed at random moments"
    )
    club.add_argument("--base", default="", metavar="WHERE", help="default: a new file")
    club.add_argument("--seed", type=int, default=1)


def _add_bench_load(load: argparse.ArgumentParser) -> None:
    load.add_argument("--viewers", type=count, default=50, metavar="N")
    load.add_argument("--dead", type=int, default=3, metavar="N", help="viewers that never read")
    load.add_argument(
        "--idle", type=int, default=0, metavar="N", help="connections that never say anything"
    )
    load.add_argument("--events", type=count, default=120, metavar="N")


def _add_bench_live(live: argparse.ArgumentParser) -> None:
    modes = (
        "hands", "measure", "faults", "kill", "soak", "nothing", "speed", "record", "replay",
        "calibrate", "believe", "fit_belief",
    )  # fmt: skip
    live.add_argument("mode", nargs="?", default="hands", choices=modes)
    add_every_rules(live)
    live.add_argument("--hands", type=count, metavar="N", help="hands of each")
    live.add_argument("--eyes", choices=("modelled", "real"), default="modelled")
    live.add_argument("--noise", choices=("default", "clumsy", "harsh"), default="default")
    live.add_argument("--seed", type=int, default=1, help="another seed plays other evenings")
    live.add_argument(
        "--faces", type=Path, metavar="DIR", help="real eyes: other faces, or many sets"
    )
    looks = ("usual", "world", "held-out")
    live.add_argument("--looks", choices=looks, default="usual", help="which tables")
    live.add_argument(
        "--tilt", type=_askew, metavar="DEG", help="real eyes: the camera looks askew, 0 to 45"
    )
    live.add_argument(
        "--tiles", type=_times, metavar="TIMES", help="tiles so many times as large, 0.5 to 1.17"
    )
    add_set(live)
    live.add_argument(
        "--pages", type=Path, metavar="DIR", help="real eyes: a page for each of them"
    )
    live.add_argument("--all", action="store_true", help="report every hand that was not right")
    live.add_argument("--hours", type=positive, default=8.0, help="soak: how long to play")
    live.add_argument("--kills", type=int, default=1000, metavar="N", help="kill: how often")
    live.add_argument("--power", action="store_true", help="kill: each is a power cut")
    _add_corpus(live)
    add_json(live, "one JSON object a hand and rule set")


def _add_corpus(live: argparse.ArgumentParser) -> None:
    live.add_argument("--folder", type=Path, metavar="DIR", help="record, replay: where hands are")
    live.add_argument(
        "--corpus", choices=("first", "unseen"), default="first", help="record: whose seeds"
    )
    live.add_argument(
        "--kind", action="append", metavar="KIND", help="record, replay: only these tables"
    )
    live.add_argument(
        "--invented", type=Path, metavar="DIR", help="record: tile sets that nobody has made"
    )
    live.add_argument(
        "--final", action="store_true", help="replay: the corpus kept for the final measurement"
    )


def _askew(text: str) -> float:
    """A tilt in degrees."""
    return _between(text, 0.0, MOST_TILT_DEG, " degrees")


def _times(text: str) -> float:
    """How large tiles are."""
    return _between(text, 0.5, MOST_TIMES, " times")


def _between(text: str, least: float, most: float, unit: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(
            f"it must be from {least:g} to {most:g}{unit}, not {text!r}"
        )
    return value
