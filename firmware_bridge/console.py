"""A virtual board moved by typed commands: what a person writes at ``simulate``."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from firmware_bridge.events import (
    LIFT_KEYS,
    SIDES,
    WEIGHT_MAX,
    WEIGHT_MIN,
    EventContent,
    Key,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    UnreadableEvent,
    read_event,
)
from firmware_bridge.faults import LineFault
from firmware_bridge.simulator import VirtualBoard

MOST_FRAMES = 10_000


class CommandError(Exception):
    """A command that cannot be obeyed; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that can be typed.

    Attributes:
        usage: the words, those to be replaced in capitals.
        says: what it does.
        obey: does it with the words after the first; a ``ValueError`` says why they do not fit.
    """

    usage: str
    says: str
    obey: Callable[[VirtualBoard, list[str]], None]


def obey(board: VirtualBoard, line: str) -> None:
    """Do what a line says; an empty one says nothing.

    Raises:
        CommandError: it is no command, or its words do not fit.
    """
    words = line.split()
    if not words:
        return
    command = COMMANDS.get(words[0])
    if command is None:
        raise CommandError(f"There is no command '{words[0]}'; help lists them.")
    try:
        command.obey(board, words[1:])
    except ValueError as error:
        raise CommandError(f"It is written '{command.usage}': {error}.") from error


def help_lines() -> list[str]:
    """Every command with what it does."""
    width = max(len(command.usage) for command in COMMANDS.values())
    return [f"{command.usage:{width}}  {command.says}" for command in COMMANDS.values()]


def _dice(board: VirtualBoard, words: list[str]) -> None:
    board.happen(_event("DICE", words))


def _key(board: VirtualBoard, words: list[str]) -> None:
    seat, key = _words(words, 2)
    if key not in list(Key):
        raise ValueError(f"there is no key '{key}'; there are {', '.join(Key)}")
    board.press(_place(seat, SIDES), Key(key))


def _lift_key(board: VirtualBoard, words: list[str]) -> None:
    (key,) = _words(words, 1)
    board.happen(LiftKeyPressed(_place(key, LIFT_KEYS)))


def _lift(board: VirtualBoard, words: list[str]) -> None:
    side, level = _words(words, 2)
    board.happen(LiftMoved(_place(side, SIDES), up=_is(level, "up", "down")))


def _dome(board: VirtualBoard, words: list[str]) -> None:
    (level,) = _words(words, 1)
    board.dome(open=_is(level, "open", "closed"))


def _tray(board: VirtualBoard, words: list[str]) -> None:
    seat, weight = _words(words, 2)
    raw = _number(weight)
    if not WEIGHT_MIN <= raw <= WEIGHT_MAX:
        raise ValueError(f"{raw} does not fit into the 24 bits of a tray's converter")
    board.happen(TrayWeighed(_place(seat, SIDES), raw))


def _is(word: str, on: str, off: str) -> bool:
    if word not in (on, off):
        raise ValueError(f"'{word}' is neither {on} nor {off}")
    return word == on


def _place(word: str, places: int) -> int:
    place = _number(word)
    if not 0 <= place < places:
        raise ValueError(f"there is no {place}; there are 0 to {places - 1}")
    return place


def _fault(board: VirtualBoard, words: list[str]) -> None:
    board.happen(_event("FAULT", words))


def _event(kind: str, words: list[str]) -> EventContent:
    content = read_event(kind, tuple(words))
    if isinstance(content, UnreadableEvent):
        raise ValueError(content.reason)
    return content


def _harm(fault: LineFault, board: VirtualBoard, words: list[str]) -> None:
    board.harm(fault, _count(words))


def _harm_orders(board: VirtualBoard, words: list[str]) -> None:
    if not words or words[0] not in list(LineFault):
        raise ValueError(f"a fault is one of {', '.join(LineFault)}")
    board.harm_orders(LineFault(words[0]), _count(words[1:]))


def _count(words: list[str]) -> int:
    count = _number(words[0]) if words else 1
    if not 1 <= count <= MOST_FRAMES:
        raise ValueError(f"{count} is not a number from 1 to {MOST_FRAMES}")
    return count


def _slow(board: VirtualBoard, words: list[str]) -> None:
    (speed,) = _words(words, 1)
    board.slow(None if speed == "off" else max(1.0, _number(speed)))


def _plug(board: VirtualBoard, words: list[str]) -> None:
    name = words[0] if words else None
    if name is not None and ("/" in name or name in (".", "..")):
        raise ValueError(f"'{name}' is no name of a port")
    board.replug(under=name)


def _words(words: list[str], count: int) -> list[str]:
    if len(words) != count:
        raise ValueError(f"there are {len(words)} words after the first, not {count}")
    return words


def _number(word: str) -> int:
    if not word.removeprefix("-").isdecimal() or len(word) > 9:
        raise ValueError(f"'{word}' is no number")
    return int(word)


_LINE_FAULTS = {
    LineFault.DROP: "lose the next lines from the board",
    LineFault.GARBLE: "flip bits in them",
    LineFault.NOISE: "put random bytes in front of them",
    LineFault.DUPLICATE: "send them twice",
    LineFault.REORDER: "let the line after them overtake them",
    LineFault.HALF: "send half of them, without a line end",
}

COMMANDS: dict[str, Command] = {
    command.usage.split()[0]: command
    for command in (
        Command("key SEAT KEY", f"press a key of a keypad: {', '.join(Key)}", _key),
        Command(
            "dice SIDE [DIE ...]", "press a dice key; with dice, if the board reads them", _dice
        ),
        Command("liftkey KEY", "press a lift key", _lift_key),
        Command("lift SIDE up|down", "move a wall lift", _lift),
        Command("wall", "the next wall comes up", lambda board, words: board.wall_ready()),
        Command("dome open|closed", "move the dome", _dome),
        Command("tray SEAT WEIGHT", "load a score tray", _tray),
        Command("fault NAME", "let the board find a fault, such as WATCHDOG", _fault),
        *(
            Command(f"{fault} [COUNT]", says, partial(_harm, fault))
            for fault, says in _LINE_FAULTS.items()
        ),
        Command("orders FAULT [COUNT]", "do that to the lines to the board", _harm_orders),
        Command("silent", "send nothing any more", lambda board, words: board.go_silent()),
        Command("speak", "send again", lambda board, words: board.go_silent(is_silent=False)),
        Command("slow BYTES|off", "send so many bytes in a second", _slow),
        Command("reset", "press the board's reset button", lambda board, words: board.reset()),
        Command("unplug", "pull the plug", lambda board, words: board.unplug()),
        Command("plug [NAME]", "plug in, perhaps under another name", _plug),
    )
}
