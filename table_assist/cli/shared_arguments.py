"""Options that several commands share, so that one name means one thing everywhere."""

import argparse
import tomllib
from collections.abc import Sequence
from pathlib import Path

from table_assist.languages.catalogue import LANGUAGES
from table_assist.tiles.tile import Tile, parse_tile


class ShowVersion(argparse.Action):
    """``--version``: tells and ends, without loading the rest of the program."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """Version, commit, and each network by the beginning of its sha256 and its date."""
        from table_assist.parts import VERSION, commit
        from table_assist.vision.reading.weights import WEIGHTS, WEIGHTS_MANIFEST

        print(f"table-assist {VERSION}\ncommit {commit() or 'unknown'}")
        try:
            manifest = tomllib.loads((WEIGHTS / WEIGHTS_MANIFEST).read_text(encoding="utf-8"))
            for name in ("detector", "recogniser"):
                network = manifest[name]
                print(f"{name} {network['sha256'][:12]} of {network['date']}")
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(f"networks unknown: {error}")
        parser.exit()


def add_settings(parser: argparse.ArgumentParser) -> None:
    """``--config`` of a command that sets the table up where there are no settings."""
    parser.add_argument(
        "--config",
        type=Path,
        default=Path("table.toml"),
        metavar="FILE",
        help="the table's settings; default table.toml; set up if it does not exist",
    )


def add_flag(parser: argparse._ActionsContainer, name: str, what: str) -> None:
    """An option without a value; not given, it is false."""
    parser.add_argument(name, action="store_true", help=what)


def add_config(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """``--config`` of a command that reads the settings."""
    parser.add_argument("--config", type=Path, required=required, help="the table's TOML file")


def add_language(parser: argparse.ArgumentParser) -> None:
    """``--lang``."""
    parser.add_argument("--lang", choices=tuple(LANGUAGES), default="en")


def add_json(parser: argparse.ArgumentParser, what: str = "one JSON object") -> None:
    """``--json``."""
    add_flag(parser, "--json", what)


def add_rules(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """``--rules`` of a command that plays or judges by one rule set."""
    said = f"the rule set's id; default {default}" if default else "the rule set's id"
    parser.add_argument("--rules", metavar="ID", default=default, help=said)


def add_every_rules(parser: argparse.ArgumentParser) -> None:
    """``--rules`` of a command that measures one rule set after the other."""
    parser.add_argument("--rules", action="append", metavar="ID", help="default: every rule set")


def add_no_recovery(parser: argparse.ArgumentParser) -> None:
    """``--no-recovery``."""
    add_flag(
        parser,
        "--no-recovery",
        "if something is wrong, end with exit code 2 instead of a page to repair it",
    )


def add_overlay(parser: argparse.ArgumentParser) -> None:
    """``--overlay``."""
    parser.add_argument(
        "--overlay", type=Path, metavar="OUT", help="write the picture with what was read"
    )


def add_own_page(parser: argparse.ArgumentParser) -> None:
    """``--host`` and ``--port`` of a command that shows a page on this machine alone."""
    parser.add_argument(
        "--host", default="127.0.0.1", help="an address that only this machine can reach"
    )
    parser.add_argument("--port", type=int, default=0, help="default: a free one")


def add_profile(parser: argparse.ArgumentParser) -> None:
    """``--profile``."""
    parser.add_argument("--profile", type=Path, metavar="FILE", help="the house's TOML file")


def add_set(parser: argparse.ArgumentParser) -> None:
    """``--set``."""
    parser.add_argument("--set", metavar="NAME", help="a tile set that 'enrol' has learnt")


def add_server(parser: argparse.ArgumentParser, host: str = "127.0.0.1") -> None:
    """Where the pages are, and who may come there."""
    parser.add_argument(
        "--host", default=host, help=f"0.0.0.0 lets phones ask to join; default {host}"
    )
    parser.add_argument("--port", type=int, default=8000)
    tls = parser.add_argument_group("TLS in the table's network")
    add_flag(tls, "--tls", "encrypt, with a certificate made here")
    tls.add_argument("--tls-port", type=int, default=8443)
    tls.add_argument(
        "--certificate", type=Path, metavar="FILE", help="encrypt with this certificate"
    )
    tls.add_argument("--key", type=Path, metavar="FILE", help="the key of that certificate")
    add_flag(tls, "--hsts", "tell browsers to use TLS only from now on")
    trust = parser.add_argument_group("a proxy in front")
    trust.add_argument(
        "--public-url", default="", metavar="URL", help="such as https://table.example"
    )
    trust.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="a proxy that passes requests on, such as 127.0.0.1",
    )
    trust.add_argument(
        "--framed-by",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="a page of this origin may show the television, such as http://homeassistant.local:8123",
    )
    add_flag(trust, "--no-local-admin", "the admin needs the password even at the machine itself")


def seat(text: str) -> int:
    """A seat, 0 to 3."""
    if text not in ("0", "1", "2", "3"):
        raise argparse.ArgumentTypeError(f"a seat is 0, 1, 2 or 3, not {text!r}")
    return int(text)


def tile(text: str) -> Tile:
    """A tile's name."""
    try:
        return parse_tile(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def count(text: str) -> int:
    """A number from 0 to 999999."""
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise argparse.ArgumentTypeError(f"it must be a number from 0 to 999999, not {text!r}")
    return int(text)


def positive(text: str) -> float:
    """A number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"it must be a number above 0, not {text!r}")
    return value


# The commands of `python -m firmware_bridge`: it reads its options itself.
PASSED_ON = {
    "ports": "list the serial ports of this computer",
    "monitor": "show what a board says, as it says it",
}
PARTS = ("keys", "dice", "wall", "dome")


def add_firmware(parser: argparse.ArgumentParser) -> None:
    """``firmware`` and what it does."""
    kinds = parser.add_subparsers(dest="firmware", required=True, metavar="WHAT")
    flash = kinds.add_parser("flash", help="write the program to an Uno or a Nano")
    _add_port(flash)
    flash.add_argument("--baud", type=int, help="of the bootloader; default: 115200, then 57600")
    flash.add_argument("--avrdude", type=Path, metavar="FILE", help="default: the one in PATH")
    add_flag(flash, "--dry-run", "say what would be run, and end")
    test = kinds.add_parser("test", help="ask for each key in turn")
    _add_port(test)
    test.add_argument("--baud", type=int, default=115200)
    test.add_argument(
        "--parts", nargs="+", choices=PARTS, default=PARTS, help="what is wired; default: all"
    )
    test.add_argument(
        "--seconds", type=positive, default=30.0, help="how long to wait for each; default 30"
    )
    for name, what in PASSED_ON.items():
        # No option begins with NUL: all of them are passed on as they are.
        passed = kinds.add_parser(name, help=what, add_help=False, prefix_chars="\0")
        passed.add_argument("rest", nargs="*")


def _add_port(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", default="", help="such as /dev/ttyUSB0 or COM3; default: the only board there is"
    )
    add_language(parser)
