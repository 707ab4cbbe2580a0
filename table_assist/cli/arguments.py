"""The options of the command line."""

import argparse
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from table_assist.cli.shared_arguments import (
    ShowVersion,
    add_config,
    add_firmware,
    add_flag,
    add_json,
    add_language,
    add_no_recovery,
    add_overlay,
    add_own_page,
    add_profile,
    add_rules,
    add_server,
    add_set,
    add_settings,
    count,
    positive,
    seat,
    tile,
)

# Two examples at the end of every command's help; a test runs each as it stands.
#
# The files that they name are those that a first evening leaves behind: `hand.jpg`, `table.toml`,
# `table-assist.sqlite`, a recording in `evening/`.

# By command; of `firmware` by what it does.
COMMAND_EXAMPLES: dict[str, tuple[str, str]] = {
    "run": ("run --config table.toml", "run --config table.toml --record kept"),
    "score": ("score", "score --rules tianjin --names 'Ann, Bo, Chen, Du'"),
    "club": ("club --base club.sqlite", "club --director Ann"),
    "demo": ("demo --rules tianjin", "demo --camera oblique --seed 3"),
    "trial": ("trial --config table.toml", "trial --config table.toml --acts hand --folder tried"),
    "read": ("read hand.jpg", "read hand.jpg --json --overlay seen.png"),
    "check": ("check hand.jpg --rules changsha", "check hand.jpg --discarder 2 --lang zh"),
    "enrol": ("enrol --list", "enrol home hand.jpg --yes"),
    "calibrate": (
        "calibrate --config table.toml --picture table.jpg --yes",
        "calibrate --config table.toml --yes",
    ),
    "replay": ("replay evening", "replay evening --anyway --json"),
    "export": (
        "export table-assist.sqlite",
        "export table-assist.sqlite --format log --config table.toml",
    ),
    "backup": (
        "backup --config table.toml",
        "backup evening.tablebackup --config table.toml --evidence",
    ),
    "restore": ("restore old.tablebackup", "restore old.tablebackup --to elsewhere"),
    "dispute": (
        "dispute 1 dispute.zip --config table.toml",
        "dispute 1 first-hand.zip --config table.toml",
    ),
    "verify": ("verify old-dispute.zip", "verify old-dispute.zip --lang zh"),
    "pictures": (
        "pictures --config table.toml",
        "pictures --config table.toml --forget-hand 1",
    ),
    "password": ("password --config table.toml", "password --config cellar.toml"),
    "doctor": ("doctor", "doctor --config table.toml --lang zh"),
    "rules": ("rules", "rules changsha --format markdown"),
    "judge": (
        "judge --rules changsha --self-drawn '123m 456m 789s 555p 88s'",
        "judge --rules changsha '123m 456m 789s 555p 8s' --lang zh",
    ),
    "completion": ("completion bash", "completion zsh"),
    "firmware flash": ("firmware flash --dry-run --port /dev/ttyUSB0", "firmware flash"),
    "firmware test": (
        "firmware test --parts wall --seconds 1",
        "firmware test --port /dev/ttyUSB0 --parts dome --seconds 1",
    ),
}


def add_examples(
    parser: argparse.ArgumentParser, examples: Mapping[str, Sequence[str]], name: str = ""
) -> None:
    """Put them at the end of the help of every command below a parser."""
    told = examples.get(name)
    if told is not None:
        program = parser.prog.removesuffix(f" {name}")
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        lines = "\n".join(f"  {program} {line}" for line in dict.fromkeys(told))
        parser.epilog = f"examples:\n{lines}"
    for below, command in commands_of(parser).items():
        add_examples(command, examples, f"{name} {below}".strip())


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a parser by their names."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found.update(action.choices)
    return found


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of one call; `command` names what to do.

    Raises:
        SystemExit: they cannot be understood; argparse has said why.
    """
    return build_parser().parse_args(arguments)


class Parser(argparse.ArgumentParser):
    """Says of a word that is none of the choices which one was probably meant."""

    def error(self, message: str) -> NoReturn:
        """As argparse's own, with what was probably meant."""
        found = _NO_CHOICE.search(message)
        if found is not None:
            choices = re.findall(r"[\w-]+", found["choices"])
            near = get_close_matches(found["said"].lower(), choices, n=1)
            meant = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(choices)}"
            message = f"there is no {found['what'].lower()} {found['said']}{meant}"
        super().error(message)


# As argparse words it: "argument COMMAND: invalid choice: 'runn' (choose from 'run', 'score')".
_NO_CHOICE = re.compile(
    r"argument (?P<what>\S+): invalid choice: '(?P<said>.*)' \(choose from (?P<choices>.*)\)"
)


def build_parser() -> argparse.ArgumentParser:
    """All commands with their options, words and examples."""
    parser = Parser(
        prog="table-assist", description="Camera, board, rules and ledger for a real mahjong table."
    )
    parser.add_argument(
        "--version", action=ShowVersion, nargs=0, help="say the version, its commit and networks"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="set a table up in the browser, and follow it")
    add_settings(run)
    run.add_argument("--record", type=Path, metavar="DIR", help="keep everything for a replay")
    add_no_recovery(run)
    add_server(run)
    _add_score(commands.add_parser("score", help="keep the score by photographs, with phones"))
    _add_club(commands.add_parser("club", help="the hub of a club: many tables, one standing"))
    _add_demo(commands.add_parser("demo", help="follow a simulated table"))
    trial = commands.add_parser("trial", help="ten minutes at your table: how well will it go?")
    add_settings(trial)
    trial.add_argument(
        "--acts", nargs="+", choices=("hand", "trouble"), default=[], help="default: both"
    )
    trial.add_argument(
        "--folder", type=Path, metavar="DIR", help="where it is kept, and gone on with"
    )
    add_server(trial)
    read = commands.add_parser("read", help="name the tiles in pictures")
    read.add_argument("pictures", type=Path, nargs="+", metavar="PICTURE")
    add_set(read)
    add_json(read, "one JSON object a picture")
    add_overlay(read)
    _add_check(commands.add_parser("check", help="judge the hand in a photograph"))
    _add_enrol(commands.add_parser("enrol", help="make your own tile set known"))
    calibrate = commands.add_parser("calibrate", help="find the table's corners in the picture")
    add_config(calibrate)
    calibrate.add_argument("--picture", type=Path, help="a picture instead of the camera")
    add_flag(calibrate, "--yes", "ask nothing: keep sure corners")
    add_own_page(calibrate)
    replay = commands.add_parser("replay", help="follow a recording again and compare")
    replay.add_argument("folder", type=Path, metavar="DIR", help="what 'run --record' has kept")
    add_flag(replay, "--anyway", "even with other eyes or rules")
    add_json(replay)
    _add_export(commands.add_parser("export", help="write the hands of a log for other programs"))
    backup = commands.add_parser("backup", help="pack log, settings and what belongs to them")
    backup.add_argument("file", type=Path, nargs="?", metavar="FILE", help="default: named by time")
    add_config(backup)
    add_flag(backup, "--evidence", "with the pictures of doubts too")
    _add_restore(commands.add_parser("restore", help="put a backup back"))
    dispute = commands.add_parser("dispute", help="pack one hand with all its evidence")
    dispute.add_argument("hand", type=int, help="the hand's number")
    dispute.add_argument("file", type=Path, metavar="FILE", help="the ZIP archive to write")
    add_config(dispute)
    verify = commands.add_parser("verify", help="judge the file of a dispute again")
    verify.add_argument("file", type=Path, metavar="FILE", help="a file that `dispute` wrote")
    verify.add_argument("--seal", default="", help="letters of the hand's seal, as noted")
    add_language(verify)
    pictures = commands.add_parser("pictures", help="list the kept pictures, and delete them")
    add_config(pictures)
    forget = pictures.add_mutually_exclusive_group()
    forget.add_argument("--forget-day", metavar="DAY", help="delete one evening's, as 2026-11-22")
    forget.add_argument("--forget-hand", type=int, metavar="N", help="delete those of one hand")
    add_flag(forget, "--forget-all", "delete all of them")
    add_config(commands.add_parser("password", help="choose the admin's password"))
    doctor = commands.add_parser("doctor", help="examine camera, board, settings, record")
    add_config(doctor, required=False)
    doctor.add_argument("--port", default="", help="default: the port of the settings")
    add_language(doctor)
    doctor.add_argument(
        "--seconds",
        type=float,
        help="how long to watch the sensors; default at a terminal 60, elsewhere 0",
    )
    add_json(doctor)
    add_firmware(commands.add_parser("firmware", help="put the program on a board, and try it"))
    rules = commands.add_parser("rules", help="print a rule sheet")
    rules.add_argument("id", nargs="?", metavar="ID", help="without it, all are listed")
    add_profile(rules)
    rules.add_argument("--format", choices=("text", "markdown", "html"), default="text")
    _add_judge(commands.add_parser("judge", help="judge a typed hand, or say what it waits for"))
    commands.add_parser("completion", help="print what your shell completes with").add_argument(
        "shell", choices=("bash", "zsh", "fish", "tcsh")
    )
    add_examples(parser, COMMAND_EXAMPLES)
    return parser


def _add_score(parser: argparse.ArgumentParser) -> None:
    add_rules(parser, "changsha")
    parser.add_argument("--names", default="", help="the players' names, with commas between them")
    parser.add_argument(
        "--config",
        type=Path,
        default=Path("score.toml"),
        metavar="FILE",
        help="the evening's settings; default score.toml; made if it does not exist",
    )
    add_server(parser, host="0.0.0.0")


def _add_club(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "do",
        nargs="?",
        choices=("serve", "doctor"),
        default="serve",
        help="doctor: what is wrong with databases, clocks, certificate, standby and backups",
    )
    parser.add_argument(
        "--backups", type=Path, metavar="DIR", help="doctor: where backups lie, beside archives"
    )
    parser.add_argument(
        "--base",
        default="club.sqlite",
        metavar="WHERE",
        help="a file, or postgresql://USER@HOST,HOST/NAME; default club.sqlite",
    )
    staff = parser.add_mutually_exclusive_group()
    staff.add_argument("--director", metavar="NAME", help="print a link that lets a director in")
    staff.add_argument("--referee", metavar="NAME", help="print a link that lets a referee in")
    add_flag(staff, "--everybody-out", "end what links have opened, and all links")
    staff.add_argument("--archive", type=Path, metavar="FILE", help="write all of it as JSON Lines")
    staff.add_argument("--rebuild", type=Path, metavar="FILE", help="fill an empty hub from it")
    add_server(parser)


def _add_demo(parser: argparse.ArgumentParser) -> None:
    add_server(parser)
    parser.add_argument("--seed", type=int, default=1, help="another seed plays another evening")
    parser.add_argument("--speed", type=positive, default=1.0, help="1 is as fast as people play")
    parser.add_argument("--faces", type=Path, help="a folder of tile faces to play with")
    add_set(parser)
    add_rules(parser, "changsha")
    parser.add_argument(
        "--camera",
        choices=("overhead", "4k", "oblique"),
        default="overhead",
        help="where the camera hangs",
    )
    add_flag(parser, "--heap", "discards lie in the middle, not in rows")


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photo", type=Path)
    add_set(parser)
    parser.add_argument("--rules", metavar="ID", help="the rule set's id; changsha if not said")
    add_profile(parser)
    parser.add_argument("--winner", type=seat, default=0, metavar="SEAT", help="0-3")
    parser.add_argument("--dealer", type=seat, default=0, metavar="SEAT", help="0-3")
    parser.add_argument(
        "--discarder", type=seat, metavar="SEAT", help="who discarded the winning tile"
    )
    parser.add_argument(
        "--winning-tile", type=tile, metavar="TILE", help="if it does not lie apart"
    )
    add_language(parser)
    add_json(parser)
    add_overlay(parser)


def _add_enrol(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="what the set is called")
    parser.add_argument(
        "pictures", type=Path, nargs="*", metavar="PICTURE", help="three are enough"
    )
    parser.add_argument(
        "--labelled", type=Path, metavar="DIR", help="learn images/ and labels/ (YOLO)"
    )
    add_flag(parser, "--yes", "ask nothing: learn what is sure")
    add_flag(parser, "--replace", "learn a known set anew")
    add_flag(parser, "--again", "add pictures to a known set")
    add_flag(parser, "--list", "list the known sets")
    add_flag(parser, "--forget", "delete the set")
    add_own_page(parser)


def _add_restore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="what 'backup' has made")
    parser.add_argument("--to", type=Path, metavar="DIR", help="without it, say what is inside")
    add_flag(parser, "--force", "first move aside what is there")
    parser.add_argument(
        "--take",
        action="append",
        default=[],
        metavar="KEY",
        help="take a device or path such as camera.source from another installation's backup",
    )


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "log",
        type=Path,
        metavar="LOG",
        help="the table's log, or what '--format log' wrote",
    )
    parser.add_argument(
        "--format",
        choices=("json", "csv", "payments", "log", "html"),
        default="json",
        help="a line a hand as json or csv; payments: who pays whom how much at the end; log: "
        "every entry with its seal (docs/LOG.md); html: a "
        "page that shows every hand step by step, to be sent to somebody",
    )
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="of the html page")
    add_flag(parser, "--check", "LOG is what '--format log' wrote: check every line")
    parser.add_argument("--config", type=Path, help="the table's TOML file, for the names")


def _add_judge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "tiles", metavar="HAND", help="the tiles, with the winning one; ? is unread"
    )
    add_rules(parser)
    add_profile(parser)
    parser.add_argument("--melds", default="", help="such as 'pung 555p; chow 123m'")
    parser.add_argument("--winning-tile", metavar="TILE", help="which of the tiles came last")
    won = parser.add_mutually_exclusive_group()
    add_flag(won, "--self-drawn", "the winning tile was drawn")
    won.add_argument("--discarder", type=seat, metavar="SEAT", help="who discarded it, 0-3")
    parser.add_argument("--winner", type=seat, default=0, metavar="SEAT", help="0-3; 0 if not said")
    parser.add_argument("--dealer", type=seat, default=0, metavar="SEAT", help="0-3; 0 if not said")
    parser.add_argument(
        "--flag", nargs="+", action="extend", default=[], dest="flags", help="such as robbing_kong"
    )
    parser.add_argument("--birds", metavar="TILES", help="the birds turned after the win")
    parser.add_argument(
        "--wild", default="", dest="wilds", metavar="TILES", help="the kinds that are wild"
    )
    parser.add_argument(
        "--treasure", default="", dest="treasures", metavar="TILES", help="the treasure in force"
    )
    parser.add_argument("--bonus", default="", metavar="TILES", help="flowers and seasons laid out")
    parser.add_argument("--prevailing", metavar="WIND", help="the wind of the round")
    parser.add_argument("--wall-remaining", type=count, metavar="N", help="tiles left to draw")
    parser.add_argument("--discard-round", type=count, metavar="N", help="of the discard, from 1")
    add_flag(parser, "--double-down", "the dealer doubled")
    parser.add_argument(
        "--challenge",
        type=seat,
        nargs="+",
        action="extend",
        default=[],
        dest="challenges",
        metavar="SEAT",
    )
    parser.add_argument(
        "--seen", default="", metavar="TILES", help="tiles open elsewhere, for the waits"
    )
    add_language(parser)
    add_json(parser)
