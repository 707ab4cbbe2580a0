"""A live view of a board in words, one line for each thing that happens."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from firmware_bridge.events import (
    LIFT_KEYS,
    SIDES,
    DiceRolled,
    Dome,
    EventContent,
    Fault,
    Key,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    UnreadableEvent,
    WallReady,
)
from firmware_bridge.frames import BadFrame
from firmware_bridge.inflight import OrderDone
from firmware_bridge.link import Item, LinkDown, LinkUp
from firmware_bridge.messages import Hello, Inputs, Snapshot
from firmware_bridge.receiver import EventsLost, Reading

# The faults of docs/PROTOCOL.md; {} stands for the digit at the end.
FAULTS = {
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
class View:
    """Puts items into words; remembers the last snapshot, to tell only what has changed."""

    _inputs: Inputs | None = None
    _trouble: tuple[int, int] = (0, 0)

    def lines(self, item: Item | BadFrame) -> list[str]:
        """The lines to show for an item; none when a snapshot tells nothing new."""
        match item:
            case LinkUp(board):
                return [f"up      {describe_board(board)}"]
            case LinkDown(reason):
                return [f"down    {reason}"]
            case OrderDone(order, problem, took_s):
                return [f"order   {order} {problem or f'taken after {took_s * 1000:.1f} ms'}"]
            case BadFrame(reason, raw):
                return [f"bad     {reason}: {raw!r}"]
            case Reading(content=Snapshot() as snapshot):
                return self._snapshot_lines(snapshot)
            case Reading():
                return [_describe_reading(item)]
            case _:
                assert_never(item)

    def _snapshot_lines(self, snapshot: Snapshot) -> list[str]:
        found = []
        if snapshot.inputs != self._inputs:
            self._inputs = snapshot.inputs
            found.append(f"inputs  {describe_inputs(snapshot.inputs)}")
        trouble = (snapshot.bad_lines, snapshot.overruns)
        if trouble != self._trouble:
            self._trouble = trouble
            found.append(
                f"line    the board has received {snapshot.bad_lines} bad lines "
                f"and lost {snapshot.overruns} bytes"
            )
        return found


def describe_board(board: Hello) -> str:
    """Who is there, in one line."""
    return (
        f"{board.firmware}, boot {board.boot_id}, protocol {board.protocol}, "
        f"tells {' '.join(board.capabilities) or 'nothing'}"
    )


def describe_inputs(inputs: Inputs) -> str:
    """The levels in words.

    >>> describe_inputs(Inputs(1 << 6 | 1 << 20))
    'wall ready, dome closed, held: seat 1 kong'
    """
    held = [f"dice key {side}" for side in range(SIDES) if inputs.dice_key(side)]
    held += [f"seat {seat} {key}" for seat in range(SIDES) for key in Key if inputs.key(seat, key)]
    held += [f"lift key {key}" for key in range(LIFT_KEYS) if inputs.lift_key(key)]
    wall = "wall ready" if inputs.wall_ready else "wall not ready"
    dome = "dome open" if inputs.dome_open else "dome closed"
    found = [wall, dome]
    found += _numbered("lifts up", inputs.lift_up) + _numbered("trays", inputs.tray_present)
    return ", ".join(found + ([f"held: {', '.join(held)}"] if held else []))


def _numbered(name: str, has: Callable[[int], bool]) -> list[str]:
    numbers = [str(number) for number in range(SIDES) if has(number)]
    return [f"{name} {' '.join(numbers)}"] if numbers else []


def _describe_reading(reading: Reading) -> str:
    late = f"  ({reading.age_s:.1f} s ago)" if reading.age_s >= 1 else ""
    return f"{reading.seq:<6}  {_describe(reading)}{late}"


def _describe(reading: Reading) -> str:
    content = reading.content
    match content:
        case EventsLost(count):
            return f"lost    {count} events, which the board could not keep"
        case Hello():
            return f"start   {describe_board(content)}"
        case Snapshot():
            return f"inputs  {describe_inputs(content.inputs)}"
        case _:
            return describe_event(content)


def describe_event(content: EventContent) -> str:
    """What happened: the thing, and after it what it did.

    >>> describe_event(KeyPressed(2, Key.WIN))
    'key     seat 2: win'
    """
    match content:
        case DiceRolled(side, values):
            return f"dice    side {side}: {_dice(values)}"
        case WallReady():
            return "wall    ready"
        case Dome(is_open):
            return f"dome    {'open' if is_open else 'closed'}"
        case KeyPressed(seat, key):
            return f"key     seat {seat}: {key}"
        case LiftMoved(side, is_up):
            return f"lift    side {side}: {'up' if is_up else 'down'}"
        case LiftKeyPressed(lift_key):
            return f"key     lift key {lift_key}"
        case TrayWeighed(seat, raw):
            return f"tray    seat {seat}: {raw} counts"
        case Fault(kind):
            return f"fault   {describe_fault(kind)}"
        case UnreadableEvent(_, fields, reason):
            return f"?       {reason} ({','.join(fields)})"
        case _:
            assert_never(content)


def describe_fault(kind: str) -> str:
    """The board's word for a fault, and what it means where that is known.

    >>> describe_fault("STUCK-K2")
    'STUCK-K2: a key of seat 2 has been pressed for more than 30 seconds'
    """
    name = kind[:-1] if kind[-1:].isdecimal() else kind
    words = FAULTS.get(name)
    return kind if words is None else f"{kind}: {words.format(kind[-1])}"


def _dice(values: tuple[int, ...]) -> str:
    return " and ".join(str(value) for value in values) or "dice that it cannot read"
