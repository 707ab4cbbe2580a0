"""A live view of a board in words, one line for each thing that happens."""

from dataclasses import dataclass
from typing import assert_never

from firmware_bridge.events import (
    SIDES,
    DiceRolled,
    Dome,
    Fault,
    Key,
    KeyPressed,
    UnreadableEvent,
    WallReady,
)
from firmware_bridge.frames import BadFrame
from firmware_bridge.inflight import OrderDone
from firmware_bridge.link import Item, LinkDown, LinkUp
from firmware_bridge.messages import Hello, Inputs, Snapshot
from firmware_bridge.receiver import EventsLost, Reading


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
    wall = "wall ready" if inputs.wall_ready else "wall not ready"
    dome = "dome open" if inputs.dome_open else "dome closed"
    return ", ".join([wall, dome] + ([f"held: {', '.join(held)}"] if held else []))


def _describe_reading(reading: Reading) -> str:
    late = f"  ({reading.age_s:.1f} s ago)" if reading.age_s >= 1 else ""
    return f"{reading.seq:<6}  {_describe(reading)}{late}"


def _describe(reading: Reading) -> str:
    content = reading.content
    match content:
        case DiceRolled(side, values):
            dice = " and ".join(str(value) for value in values) or "dice that it cannot read"
            return f"dice    side {side}: {dice}"
        case WallReady():
            return "wall    ready"
        case Dome(is_open):
            return f"dome    {'open' if is_open else 'closed'}"
        case KeyPressed(seat, key):
            return f"key     seat {seat}: {key}"
        case Fault(kind):
            return f"fault   {kind}"
        case UnreadableEvent(_, fields, reason):
            return f"?       {reason} ({','.join(fields)})"
        case EventsLost(count):
            return f"lost    {count} events, which the board could not keep"
        case Hello():
            return f"start   {describe_board(content)}"
        case Snapshot():
            return f"inputs  {describe_inputs(content.inputs)}"
        case _:
            assert_never(content)
