"""A live view of a board in words, one line for each thing that happens."""

from dataclasses import dataclass
from typing import assert_never

from firmware_bridge import events
from firmware_bridge.frames import BadFrame
from firmware_bridge.link import LinkDown, LinkHealth, LinkItem, LinkUp
from firmware_bridge.messages import (
    DOME_BIT,
    LIFT_BIT,
    LIFT_KEY_BIT,
    TRAY_BIT,
    WALL_BIT,
    BoardSnapshot,
    Hello,
    Inputs,
    OrderDone,
    dice_key_bit,
    key_bit,
)
from firmware_bridge.receiver import TRUSTED_SPAN_S, EventsLost, Reading

# The faults of docs/PROTOCOL.md; {} stands for the digit at the end.
FAULT_WORDS = {
    "STUCK-K": "a key of seat {} has been pressed for more than 30 seconds",
    "STUCK-D": "the dice key of side {} has been pressed for more than 30 seconds",
    "STUCK-L": "lift key {} has been pressed for more than 30 seconds",
    "LADDER-": "the voltage of seat {}'s keypad belongs to no key",
    "TRAY-": "the converter of seat {}'s tray is silent",
    "EEPROM": "the memory that counts the board's starts is broken",
    "WATCHDOG": "the board restarted because its program had stopped",
    "BROWNOUT": "the board restarted because its supply had dropped",
}


@dataclass
class Narrator:
    """Puts items into words; remembers the last snapshot, to tell only what has changed."""

    _inputs: Inputs | None = None
    _trouble: tuple[int, int] = (0, 0)
    _boot_id: str = ""

    def lines(self, item: LinkItem | BadFrame) -> list[str]:
        """The lines to show for an item; none when it tells nothing new."""
        match item:
            case LinkUp(board):
                self._boot_id = board.boot_id
                return [_line("up", describe_board(board))]
            case LinkDown(reason):
                return [_line("down", reason)]
            case OrderDone(order, problem, took_s):
                said = problem or f"taken after {took_s * 1000:.1f} ms"
                return [_line("order", f"{type(order).__name__}: {said}")]
            case BadFrame(reason, raw):
                return [_line("bad", f"{reason}: {raw.decode('latin-1')!a}")]
            case Reading(content=BoardSnapshot() as snapshot):
                found = []
                if snapshot.inputs != self._inputs:
                    found.append(_line("inputs", describe_change(self._inputs, snapshot.inputs)))
                    self._inputs = snapshot.inputs
                trouble = (snapshot.bad_lines, snapshot.overruns)
                if trouble != self._trouble:
                    self._trouble = trouble
                    words = (
                        f"the board has received {trouble[0]} bad lines and lost {trouble[1]} bytes"
                    )
                    found.append(_line("line", words))
                return found
            case Reading(content=Hello() as board):
                if board.boot_id == self._boot_id:
                    return []
                self._boot_id = board.boot_id
                return [_line("start", f"the board restarted: {describe_board(board)}")]
            case Reading():
                late = f"  ({item.age_s:.1f} s ago)" if item.age_s >= 1 else ""
                what, words = describe(item.content)
                return [_line(what, words + late, str(item.seq))]
            case _:
                assert_never(item)


def describe_board(board: Hello) -> str:
    """The board in one line."""
    return (
        f"{board.firmware}, boot {board.boot_id}, protocol {board.protocol}, "
        f"tells {' '.join(board.capabilities) or 'nothing'}"
    )


def describe_inputs(inputs: Inputs) -> str:
    """The inputs that are pressed, up, open or there.

    >>> describe_inputs(Inputs(1 << 6 | 1 << 20))
    'seat 1 kong, wall ready'
    """
    return ", ".join(_names(inputs)) or "nothing"


def describe_change(before: Inputs | None, after: Inputs) -> str:
    """The inputs that have come and gone; all of them at the first look.

    >>> describe_change(Inputs(1 << 20), Inputs(1 << 6))
    '+ seat 1 kong, - wall ready'
    """
    if before is None:
        return describe_inputs(after)
    come = [f"+ {name}" for name in _names(Inputs(after.bits & ~before.bits))]
    gone = [f"- {name}" for name in _names(Inputs(before.bits & ~after.bits))]
    return ", ".join(come + gone)


def describe_health(health: LinkHealth) -> str:
    """The link in one line: its status, how old the last line is, what was counted, the clock."""
    counters = health.counters
    words = [str(health.status)]
    if health.ages.line_s is not None:
        words.append(f"last line {health.ages.line_s:.1f} s ago")
    words.append(f"{counters.good} lines, {counters.bad} bad, {counters.lost} events lost")
    if health.connects > 1 or counters.restarts:
        words.append(f"found {health.connects} times, {counters.restarts} restarts")
    if health.clock is not None and health.clock.span_s >= TRUSTED_SPAN_S:
        words.append(f"clock {-health.clock.drift * 1e6:+.0f} ppm")
    return "; ".join(words)


def _names(inputs: Inputs) -> list[str]:
    sides = range(events.SIDES)
    names = [
        f"seat {seat} {key}"
        for seat in sides
        for key in events.Key
        if inputs.has(key_bit(seat, key))
    ]
    names += [f"dice key {side}" for side in sides if inputs.has(dice_key_bit(side))]
    names += ["wall ready"] if inputs.has(WALL_BIT) else []
    names += ["dome open"] if inputs.has(DOME_BIT) else []
    names += [f"lift {side} up" for side in sides if inputs.has(LIFT_BIT + side)]
    names += [
        f"lift key {key}" for key in range(events.LIFT_KEYS) if inputs.has(LIFT_KEY_BIT + key)
    ]
    return names + [f"tray {seat}" for seat in sides if inputs.has(TRAY_BIT + seat)]


def _line(what: str, words: str, seq: str = "") -> str:
    return f"{seq:>5}  {what:6}  {words}"


def describe(content: events.EventContent | EventsLost | Hello | BoardSnapshot) -> tuple[str, str]:
    """The thing in a word, and what it says.

    >>> describe(events.KeyPressed(2, events.Key.WIN))
    ('key', 'seat 2: win')
    """
    match content:
        case EventsLost(count):
            return "lost", f"{count} events, which the board could not keep"
        case Hello():
            return "start", describe_board(content)
        case BoardSnapshot():
            return "inputs", describe_inputs(content.inputs)
        case events.DiceReport(side, values):
            shown = " and ".join(map(str, values)) or "dice that it cannot read"
            return "dice", f"side {side}: {shown}"
        case events.WallReady():
            return "wall", "ready"
        case events.Dome(is_open):
            return "dome", "open" if is_open else "closed"
        case events.KeyPressed(seat, key):
            return "key", f"seat {seat}: {key}"
        case events.LiftMoved(side, is_up):
            return "lift", f"side {side}: {'up' if is_up else 'down'}"
        case events.LiftKeyPressed(lift_key):
            return "key", f"lift key {lift_key}"
        case events.TrayWeighed(seat, raw):
            return "tray", f"seat {seat}: {raw} counts"
        case events.Fault(kind):
            return "fault", describe_fault(kind)
        case events.UnreadableEvent(_, fields, reason):
            return "?", f"{reason} ({','.join(fields)})"
        case _:
            assert_never(content)


def describe_fault(kind: str) -> str:
    """The board's word for a fault, and what it means where that is known.

    >>> describe_fault("STUCK-K2")
    'STUCK-K2: a key of seat 2 has been pressed for more than 30 seconds'
    """
    name = kind[:-1] if kind[-1:].isdecimal() else kind
    words = FAULT_WORDS.get(name)
    return kind if words is None else f"{kind}: {words.format(kind[-1])}"
