"""The options of the command line."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from table_assist.tiles import Tile, parse_tile


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of one call; `command` names what to do.

    Raises:
        SystemExit: they cannot be understood; argparse has said why.
    """
    parser = argparse.ArgumentParser(
        prog="table-assist", description="Camera, board, rules and ledger for a real mahjong table."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_run(commands.add_parser("run", help="follow a real table"))
    _add_score(commands.add_parser("score", help="keep the score by photographs, with phones"))
    _add_setup(commands.add_parser("setup", help="set a table up in the browser, then follow it"))
    _add_record(commands.add_parser("record", help="follow a real table and keep it all"))
    _add_demo(commands.add_parser("demo", help="follow a simulated table"))
    _add_read(commands.add_parser("read", help="name the tiles in pictures"))
    _add_check(commands.add_parser("check", help="judge the hand in a photograph"))
    _add_enrol(commands.add_parser("enrol", help="make your own tile set known"))
    _add_calibrate(commands.add_parser("calibrate", help="show where the table's corners are"))
    _add_evaluate(commands.add_parser("evaluate", help="measure the reader on labelled pictures"))
    _add_replay(commands.add_parser("replay", help="follow a recording again and compare"))
    _add_bundle(commands.add_parser("bundle", help="pack what others need to see a fault"))
    _add_export(commands.add_parser("export", help="the hands of a log, for other programs"))
    _add_backup(commands.add_parser("backup", help="pack log, settings and what belongs to them"))
    _add_restore(commands.add_parser("restore", help="put a backup back"))
    _add_dispute(commands.add_parser("dispute", help="pack one hand with all that speaks for it"))
    _add_verify(commands.add_parser("verify", help="judge a dispute's file again"))
    _add_pictures(commands.add_parser("pictures", help="tell of kept pictures, and delete them"))
    _add_password(commands.add_parser("password", help="choose the admin's password"))
    _add_doctor(commands.add_parser("doctor", help="examine camera, board, settings, record"))
    _add_bench(commands.add_parser("bench", help="measure this machine's speed"))
    _add_cases(commands.add_parser("cases", help="run worked examples of the rules"))
    _add_rules(commands.add_parser("rules", help="print a rule sheet"))
    _add_judge(commands.add_parser("judge", help="judge a typed hand, or say what it waits for"))
    return parser.parse_args(arguments)


def _add_run(parser: argparse.ArgumentParser) -> None:
    _add_settings(parser)
    parser.add_argument("--record", type=Path, metavar="DIR", help="keep everything for a replay")
    _add_no_recovery(parser)
    _add_server(parser)


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", metavar="ID", default="changsha", help="the rule set's id")
    parser.add_argument("--names", default="", help="of the players, with commas between them")
    parser.add_argument(
        "--config",
        type=Path,
        default=Path("score.toml"),
        metavar="FILE",
        help="the evening's settings; score.toml if not said, made if not there",
    )
    _add_server(parser, host="0.0.0.0")


def _add_setup(parser: argparse.ArgumentParser) -> None:
    _add_settings(parser)
    _add_server(parser)


def _add_record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="DIR", help="where it is kept, for a replay")
    parser.add_argument("--config", type=Path, required=True, help="the table's TOML file")
    _add_no_recovery(parser)
    _add_server(parser)


def _add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        default=Path("table.toml"),
        metavar="FILE",
        help="the table's settings; table.toml if not said, set up if not there",
    )


def _add_no_recovery(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-recovery",
        action="store_true",
        help="end with exit code 2 where something is wrong, instead of a page to repair it",
    )


def _add_demo(parser: argparse.ArgumentParser) -> None:
    _add_server(parser)
    parser.add_argument("--seed", type=int, default=1, help="which evening is played")
    parser.add_argument("--speed", type=_positive, default=1.0, help="1 is as fast as people")
    parser.add_argument("--faces", type=Path, help="a folder of tile faces to play with")
    _add_set(parser)
    parser.add_argument("--rules", metavar="ID", default="changsha", help="the rule set's id")
    parser.add_argument(
        "--camera", choices=("overhead", "4k", "oblique"), default="overhead", help="where it hangs"
    )
    parser.add_argument("--heap", action="store_true", help="discards are thrown into the middle")
    parser.add_argument("--headless", action="store_true", help="no dashboard, as fast as it can")
    parser.add_argument("--hands", type=int, default=4, help="headless: how many hands")
    parser.add_argument("--json", action="store_true", help="headless: one JSON line a hand")


def _add_read(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pictures", type=Path, nargs="+", metavar="PICTURE")
    _add_set(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a picture")
    parser.add_argument("--overlay", type=Path, metavar="OUT", help="draw what was read")


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photo", type=Path)
    _add_set(parser)
    parser.add_argument("--rules", metavar="ID", help="the rule set's id; changsha if not said")
    _add_profile(parser)
    parser.add_argument("--winner", type=_seat, default=0, metavar="SEAT", help="0-3")
    parser.add_argument("--dealer", type=_seat, default=0, metavar="SEAT", help="0-3")
    parser.add_argument(
        "--discarder", type=_seat, metavar="SEAT", help="who discarded the winning tile"
    )
    parser.add_argument("--winning-tile", type=_tile, metavar="TILE", help="if it lies not apart")
    parser.add_argument("--lang", choices=("en", "zh"), default="en")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--overlay", type=Path, metavar="OUT", help="draw what was read")


def _add_evaluate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="pictures with YOLO labels")
    _add_set(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--gallery", type=Path, metavar="FILE.html", help="show the failures")
    parser.add_argument("--partial", action="store_true", help="not every tile is labelled")
    parser.add_argument("--empty", action="store_true", help="the pictures show no tiles at all")
    parser.add_argument(
        "--spoil", metavar="KIND=AMOUNT", help="make the pictures worse first, as in shrink=0.5"
    )


def _add_enrol(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="what the set is called")
    parser.add_argument("pictures", type=Path, nargs="*", metavar="PICTURE", help="three will do")
    parser.add_argument("--labelled", type=Path, metavar="DIR", help="images/ and labels/ (YOLO)")
    parser.add_argument("--yes", action="store_true", help="accept what is read for sure")
    parser.add_argument("--replace", action="store_true", help="learn a known set anew")
    parser.add_argument("--again", action="store_true", help="add pictures to a known set")
    parser.add_argument("--list", action="store_true", help="tell which sets are known")
    parser.add_argument("--forget", action="store_true", help="delete the set")
    parser.add_argument("--host", default="127.0.0.1", help="an address of this machine alone")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")


def _add_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="what 'run --record' has kept")
    parser.add_argument("--anyway", action="store_true", help="with other eyes or rules too")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def _add_bundle(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", type=Path, metavar="OUT.zip")
    parser.add_argument("--config", type=Path, required=True, help="the table's TOML file")
    parser.add_argument("--recording", type=Path, metavar="DIR", help="if not the newest beside it")


def _add_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="named by time if not")
    parser.add_argument("--config", type=Path, required=True, help="the table's TOML file")
    parser.add_argument("--evidence", action="store_true", help="with the pictures kept of doubts")


def _add_restore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="what 'backup' has made")
    parser.add_argument("--to", type=Path, metavar="DIR", help="without it, tell what is inside")
    parser.add_argument("--force", action="store_true", help="move what is there aside first")
    parser.add_argument(
        "--take",
        action="append",
        default=[],
        metavar="KEY",
        help="take a device or path such as camera.source from another installation's backup",
    )


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", type=Path, metavar="LOG", help="the table's log file")
    parser.add_argument("--format", choices=("json", "csv"), default="json")
    parser.add_argument("--config", type=Path, help="the table's TOML file, for the names")


def _add_calibrate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, required=True, help="the table's TOML file")
    parser.add_argument("--picture", type=Path, help="a picture's file instead of the camera")
    parser.add_argument("--yes", action="store_true", help="accept corners that are found for sure")
    parser.add_argument("--host", default="127.0.0.1", help="an address of this machine alone")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")


def _add_dispute(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("hand", type=int, help="its number")
    parser.add_argument("file", type=Path, metavar="FILE", help="the ZIP archive to write")
    parser.add_argument("--config", type=Path, required=True, help="the table's TOML file")


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="as `dispute` wrote it")
    parser.add_argument("--seal", default="", help="letters of the hand's seal, as noted then")
    parser.add_argument("--lang", choices=("en", "zh"), default="en")


def _add_pictures(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, required=True, help="the table's TOML file")
    forget = parser.add_mutually_exclusive_group()
    forget.add_argument("--forget-day", metavar="DAY", help="an evening's, as 2026-11-22")
    forget.add_argument("--forget-hand", type=int, metavar="N", help="one hand's")
    forget.add_argument("--forget-all", action="store_true", help="all of them")


def _add_password(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, required=True, help="the table's TOML file")


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, help="the table's TOML file")
    parser.add_argument("--port", default="", help="the board's port, if not the settings'")
    parser.add_argument("--lang", choices=("en", "zh"), default="en")
    parser.add_argument(
        "--seconds",
        type=float,
        help="watch the sensors for so long; at a terminal 60 if not said, else not at all",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")


def _add_bench(parser: argparse.ArgumentParser) -> None:
    benches = parser.add_subparsers(dest="bench", required=True, metavar="WHAT")
    hands = benches.add_parser("hands", help="bots play whole hands, every event is checked")
    hands.add_argument("--rules", action="append", metavar="ID", help="default: every rule set")
    hands.add_argument("--hands", type=int, default=1000, help="hands of each (default 1000)")
    hands.add_argument("--seed", default="bench", help="another seed plays other hands")
    judge = benches.add_parser("rules", help="verdicts per second, beside other calculators")
    judge.add_argument("--rules", action="append", metavar="ID", help="default: every rule set")
    judge.add_argument("--hands", type=int, default=5000, help="hands of each (default 5000)")
    judge.add_argument("--json", action="store_true", help="one JSON line a measurement")
    benches.add_parser("perft", help="count complete hands in two ways")
    eyes = benches.add_parser("eyes", help="reading pictures")
    eyes.add_argument(
        "--runs", type=_count, default=5, metavar="N", help="of each; the best counts"
    )
    eyes.add_argument("--threads", type=_count, metavar="N", help="one per core if not said")
    eyes.add_argument("--json", action="store_true", help="one JSON object")
    tables = benches.add_parser("calibration", help="finding the table in pictures")
    tables.add_argument("--tables", type=_count, default=60, metavar="N", help="simulated ones")
    tables.add_argument("--photos", type=Path, metavar="DIR", help="pictures without a whole table")
    _add_bench_live(benches.add_parser("live", help="simulated evenings, followed without help"))
    _add_bench_secrecy(benches.add_parser("secrecy", help="search all bytes for the treasure"))
    decoder = benches.add_parser("decoder", help="spoilt lines of a board: nothing is guessed")
    decoder.add_argument("--inputs", type=int, default=10_000_000, metavar="N")
    decoder.add_argument("--seed", type=int, default=1)
    _add_bench_load(benches.add_parser("load", help="how long an event takes to live viewers"))


def _add_bench_secrecy(secrecy: argparse.ArgumentParser) -> None:
    secrecy.add_argument("--hands", type=_count, default=40, metavar="N")
    secrecy.add_argument("--first-seed", type=int, default=0, metavar="N")
    secrecy.add_argument(
        "--every", type=_count, default=1, metavar="N", help="ask for everything in every Nth hand"
    )
    secrecy.add_argument(
        "--stride", type=_count, default=1, metavar="N", help="show so many changes at once"
    )


def _add_bench_load(load: argparse.ArgumentParser) -> None:
    load.add_argument("--viewers", type=_count, default=50, metavar="N")
    load.add_argument("--dead", type=int, default=3, metavar="N", help="viewers that never read")
    load.add_argument(
        "--idle", type=int, default=0, metavar="N", help="connections that never say anything"
    )
    load.add_argument("--events", type=_count, default=120, metavar="N")


def _add_bench_live(live: argparse.ArgumentParser) -> None:
    modes = ("hands", "measure", "faults", "kill", "soak", "nothing", "speed")
    live.add_argument("mode", nargs="?", default="hands", choices=modes)
    live.add_argument("--rules", action="append", metavar="ID", help="default: every rule set")
    live.add_argument("--hands", type=_count, default=500, metavar="N", help="hands of each")
    live.add_argument("--eyes", choices=("modelled", "real"), default="modelled")
    live.add_argument("--noise", choices=("default", "harsh"), default="default")
    live.add_argument("--seed", type=int, default=1, help="another seed plays other evenings")
    live.add_argument("--faces", type=Path, metavar="DIR", help="real eyes: other tile faces")
    looks = ("usual", "world", "held-out")
    live.add_argument("--looks", choices=looks, default="usual", help="real eyes: which tables")
    _add_set(live)
    live.add_argument(
        "--pages", type=Path, metavar="DIR", help="real eyes: a page for each of them"
    )
    live.add_argument("--all", action="store_true", help="tell of every hand that was not right")
    live.add_argument("--hours", type=_positive, default=8.0, help="soak: how long is played")
    live.add_argument("--kills", type=int, default=1000, metavar="N", help="kill: how often")
    live.add_argument("--power", action="store_true", help="kill: each is a power cut")
    live.add_argument("--json", action="store_true", help="one JSON object a hand and rule set")


def _add_cases(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--json", action="store_true", help="one JSON line a case")


def _add_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="a rule set; without, all are listed")
    _add_profile(parser)
    parser.add_argument("--format", choices=("text", "markdown", "html"), default="text")


def _add_judge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("hand", metavar="HAND", help="its tiles with the winning one; ? is unread")
    parser.add_argument("--rules", metavar="ID", help="the rule set's id")
    _add_profile(parser)
    parser.add_argument("--melds", default="", help="as in 'pung 555p; chow 123m'")
    parser.add_argument("--winning-tile", metavar="TILE", help="which of the tiles came last")
    won = parser.add_mutually_exclusive_group()
    won.add_argument("--self-drawn", action="store_true", help="the winning tile was drawn")
    won.add_argument("--discarder", type=_seat, metavar="SEAT", help="who discarded it, 0-3")
    parser.add_argument(
        "--winner", type=_seat, default=0, metavar="SEAT", help="0-3; 0 if not said"
    )
    parser.add_argument(
        "--dealer", type=_seat, default=0, metavar="SEAT", help="0-3; 0 if not said"
    )
    parser.add_argument("--flag", nargs="+", action="extend", default=[], help="as robbing_kong")
    parser.add_argument("--birds", metavar="TILES", help="turned after the win")
    parser.add_argument("--wild", default="", metavar="TILES", help="the kinds that are wild")
    parser.add_argument("--treasure", default="", metavar="TILES", help="the treasure in force")
    parser.add_argument("--bonus", default="", metavar="TILES", help="flowers and seasons laid out")
    parser.add_argument("--prevailing", metavar="WIND", help="the wind of the round")
    parser.add_argument("--wall-remaining", type=_count, metavar="N", help="tiles left to draw")
    parser.add_argument("--discard-round", type=_count, metavar="N", help="counts from 1")
    parser.add_argument("--double-down", action="store_true", help="the dealer doubled")
    parser.add_argument(
        "--challenge", type=_seat, nargs="+", action="extend", default=[], metavar="SEAT"
    )
    parser.add_argument("--seen", default="", metavar="TILES", help="ready help: open elsewhere")
    parser.add_argument("--lang", choices=("en", "zh"), default="en")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def _add_profile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", type=Path, metavar="FILE", help="the house's TOML file")


def _add_set(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--set", metavar="NAME", help="the tile set, known by 'enrol'")


def _add_server(parser: argparse.ArgumentParser, host: str = "127.0.0.1") -> None:
    parser.add_argument("--host", default=host, help=f"0.0.0.0 lets phones in; default {host}")
    parser.add_argument("--port", type=int, default=8000)
    tls = parser.add_argument_group("TLS in the table's network")
    tls.add_argument("--tls", action="store_true", help="with certificates made on this machine")
    tls.add_argument("--tls-port", type=int, default=8443)
    tls.add_argument("--certificate", type=Path, metavar="FILE", help="TLS with this one instead")
    tls.add_argument("--key", type=Path, metavar="FILE", help="the certificate's")
    tls.add_argument("--hsts", action="store_true", help="browsers never go back from TLS")
    trust = parser.add_argument_group("a proxy in front")
    trust.add_argument("--public-url", default="", metavar="URL", help="as https://table.example")
    trust.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="passes others' requests on, as 127.0.0.1",
    )
    trust.add_argument(
        "--no-local-admin",
        action="store_true",
        help="at the machine itself, too, the admin comes in by the password",
    )


def _seat(text: str) -> int:
    if text not in ("0", "1", "2", "3"):
        raise argparse.ArgumentTypeError(f"a seat is 0, 1, 2 or 3, not {text!r}")
    return int(text)


def _tile(text: str) -> Tile:
    try:
        return parse_tile(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise argparse.ArgumentTypeError(f"it must be a number from 0 to 999, not {text!r}")
    return int(text)


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"it must be a number above 0, not {text!r}")
    return value
