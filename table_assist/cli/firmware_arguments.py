"""The options of ``firmware``: putting it on a board, trying it, and looking at a board's line."""

import argparse
from pathlib import Path

from table_assist.cli.shared_arguments import add_language, positive

# The commands of `python -m firmware_bridge`: it reads its options itself.
PASSED_ON = {
    "ports": "list the serial ports of this computer",
    "monitor": "show what a board says, as it says it",
    "record": "the same, and write it to a file",
    "replay": "make a port that plays a recording",
    "simulate": "make a port with a virtual board behind it",
    "bench": "measure the decoder and the clock; takes minutes",
}
PARTS = ("keys", "dice", "wall", "dome")


def add_firmware(parser: argparse.ArgumentParser) -> None:
    """``firmware`` and what it does."""
    kinds = parser.add_subparsers(dest="firmware", required=True, metavar="WHAT")
    flash = kinds.add_parser("flash", help="write the program to an Uno or a Nano")
    _add_port(flash)
    flash.add_argument("--baud", type=int, help="of the bootloader; default: 115200, then 57600")
    flash.add_argument("--avrdude", type=Path, metavar="FILE", help="default: the one in PATH")
    flash.add_argument("--dry-run", action="store_true", help="say what would be run, and end")
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
