"""The board, examined: is there a port, does a board speak on it, which one, how well."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from firmware_bridge.events import (
    LIFT_KEYS,
    SIDES,
    DiceReport,
    Dome,
    Fault,
    Key,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    SourceError,
    TrayWeighed,
    WallReady,
    find_source,
)
from firmware_bridge.link import Link, LinkHealth, LinkItem, LinkStatus
from firmware_bridge.messages import (
    DOME_BIT,
    LIFT_BIT,
    LIFT_KEY_BIT,
    PROTOCOL,
    TRAY_BIT,
    WALL_BIT,
    BoardSnapshot,
    Inputs,
    dice_key_bit,
    key_bit,
)
from firmware_bridge.ports import FoundPort, find_ports
from firmware_bridge.receiver import Reading
from firmware_bridge.view import describe_board, describe_fault
from table_assist.health.checks import Finding, found
from table_assist.languages.board_words import board_words
from table_assist.languages.words import NONE, Words, joined, same
from table_assist.settings.config import BoardConfig
from table_assist.trust.installation import Address

# Which of the board's sensors have been seen to change, so that a person can try them all.

# The events that show each kind of sensor, in the order in which a person would try it.
_SENSORS: dict[str, tuple[str, ...]] = {
    "KEY": tuple(f"seat {seat} {key}" for seat in range(SIDES) for key in Key),
    "DICE": tuple(f"dice key {side}" for side in range(SIDES)),
    "LIFTKEY": tuple(f"lift key {key}" for key in range(LIFT_KEYS)),
    "LIFT": tuple(f"lift {side}" for side in range(SIDES)),
    "WALL": ("wall ready",),
    "DOME": ("dome",),
    "TRAY": tuple(f"tray {seat}" for seat in range(SIDES)),
}


def sensors_of(capabilities: Iterable[str]) -> tuple[str, ...]:
    """The names of the sensors that a board with these kinds of event has.

    >>> sensors_of(("WALL", "FAULT"))
    ('wall ready',)
    """
    told = set(capabilities)
    return tuple(name for kind, names in _SENSORS.items() if kind in told for name in names)


@dataclass(slots=True)
class SensorTicks:
    """Notes which sensors have changed.

    Attributes:
        names: those that the board has.
        seen: those that have changed, in that order.
    """

    names: tuple[str, ...]
    seen: list[str] = field(default_factory=list)
    _before: Inputs | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """The sensors that have not been seen to change."""
        return tuple(name for name in self.names if name not in self.seen)

    def note(self, reading: Reading) -> list[str]:
        """The sensors that changed for the first time by this reading."""
        content = reading.content
        if isinstance(content, BoardSnapshot):
            before, self._before = self._before, content.inputs
            was, levels = _levels(before or content.inputs), _levels(content.inputs)
            changed = [name for name in levels if levels[name] != was[name]]
        else:
            changed = _told(content)
        new = [name for name in changed if name in self.names and name not in self.seen]
        self.seen += new
        return new


def _told(content: object) -> list[str]:
    match content:
        case KeyPressed(seat, key):
            return [f"seat {seat} {key}"]
        case DiceReport(side):
            return [f"dice key {side}"]
        case LiftKeyPressed(key):
            return [f"lift key {key}"]
        case LiftMoved(side):
            return [f"lift {side}"]
        case WallReady():
            return ["wall ready"]
        case Dome():
            return ["dome"]
        case TrayWeighed(seat):
            return [f"tray {seat}"]
        case _:
            return []


def _levels(inputs: Inputs) -> dict[str, bool]:
    levels = {f"seat {s} {key}": inputs.has(key_bit(s, key)) for s in range(SIDES) for key in Key}
    levels |= {f"dice key {side}": inputs.has(dice_key_bit(side)) for side in range(SIDES)}
    levels |= {f"lift key {key}": inputs.has(LIFT_KEY_BIT + key) for key in range(LIFT_KEYS)}
    levels |= {f"lift {side}": inputs.has(LIFT_BIT + side) for side in range(SIDES)}
    levels |= {f"tray {seat}": inputs.has(TRAY_BIT + seat) for seat in range(SIDES)}
    return levels | {"wall ready": inputs.has(WALL_BIT), "dome": inputs.has(DOME_BIT)}


# A board needs up to two seconds to start after its port is opened, and speaks twice a second.
FIRST_WORD_S = 6.0
SOURCE_S = 4.0  # sensors answer at once; dice are looked for
LISTEN_S = 1.6
# Lines cut in half when the port is opened.
USUAL = 2


def find_port(
    configured: Address, ports: Callable[[], tuple[FoundPort, ...]] = find_ports
) -> tuple[Address, Finding]:
    """The port to examine, empty if there is none, and what is to be said of it."""
    there = ports()
    listed = ", ".join(f"{port.path} ({port.description or 'no name'})" for port in there)
    said = same(listed) if listed else NONE
    if configured:
        return configured, found("port.named", port=configured, listed=said)
    usb = [port for port in there if port.usb_id is not None]
    if len(usb) == 1:
        only = usb[0]
        return Address(only.path), found("port.only", path=only.path, port=f"usb:{only.usb_id}")
    return Address(), found("port.several" if usb else "port.none", listed=said)


def source_finding(config: BoardConfig) -> Finding:
    """Whether what stands for the board answers; asked for so long at most."""
    try:
        source = find_source(config.kind)(config.port.whole, lambda event: None)
    except SourceError as error:
        return found("board.no_source", trouble=f"board.kind: {error}".rstrip("."))
    source.start()
    try:
        ends_s = time.monotonic() + SOURCE_S
        while not (now := source.condition()).is_good and time.monotonic() < ends_s:
            time.sleep(0.05)
    finally:
        source.stop()
    name = "board.source" if now.is_good else "board.source_bad"
    return found(name, trouble=Words(now.en, now.zh))


@dataclass(slots=True)
class BoardExam:
    """One board at one port; a context manager.

    What waits on the board to be stored is left there, so that no event of a hand is lost.

    Attributes:
        ticks: the sensors that have been seen to change; none before the board has spoken.
    """

    port: str
    baud: int = 115200
    ticks: SensorTicks | None = None
    _items: SimpleQueue[LinkItem] = field(default_factory=SimpleQueue)
    _link: Link | None = None
    _faults: list[str] = field(default_factory=list)
    _snapshot: BoardSnapshot | None = None
    _keeps: bool = True

    def __enter__(self) -> "BoardExam":
        self._link = Link(self.port, self._items.put, baud=self.baud, say=Address(self.port).hide)
        self._link.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._link is not None:
            self._link.stop()

    @property
    def health(self) -> LinkHealth:
        """The link now."""
        assert self._link is not None
        return self._link.health

    def findings(self) -> list[Finding]:
        """Wait for the board's first words and say what it is and how it is."""
        deadline = time.monotonic() + FIRST_WORD_S
        health = self.health
        while time.monotonic() < deadline:
            if health.board is not None or health.status is LinkStatus.LOST:
                break
            self._listen(0.05)
            health = self.health
        if health.board is None or health.status is not LinkStatus.CONNECTED:
            said = health.message
            closed = any(why in said for why in ("may not be opened", "in use", "not there"))
            name = "board.closed" if closed else "board.mute"
            return [found(name, trouble=board_words(said))]
        board = health.board
        self._keeps = board.pending > 0
        self.ticks = SensorTicks(sensors_of(board.capabilities))
        self._listen(LISTEN_S)
        described = f"{self.health.path}: {describe_board(board)}".rstrip(".")
        told = [found("board.known", trouble=described)]
        if board.protocol != PROTOCOL:
            told.append(found("version.foreign", theirs=board.protocol, ours=PROTOCOL))
        counters = self.health.counters
        there, back = counters.bad, self._snapshot.bad_lines if self._snapshot else 0
        lost = self._snapshot.overruns if self._snapshot else 0
        name = "line.damaged" if there + back > USUAL or lost else "line.fine"
        told.append(found(name, there=there, back=back, lost=lost, good=counters.good))
        if board.pending:
            told.append(found("events.wait", pending=board.pending))
        return told + [
            found("fault.told", fault=Words(describe_fault(kind), kind)) for kind in self._faults
        ]

    def watch(self, seconds: float) -> Iterator[str]:
        """Say which sensor has changed for the first time, as it happens, for so long."""
        assert self.ticks is not None
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.ticks.missing:
            yield from self._listen(min(0.1, max(0.0, end - time.monotonic())))

    def _listen(self, seconds: float) -> list[str]:
        """Take in what comes for so long; the sensors that changed for the first time.

        What has come when the time is over is taken in, too: the machine may have stood still.
        """
        changed: list[str] = []
        end = time.monotonic() + seconds
        while True:
            try:
                item = self._items.get(timeout=max(0.0, end - time.monotonic()))
            except Empty:
                return changed
            if not isinstance(item, Reading):
                continue
            if isinstance(item.content, BoardSnapshot):
                self._snapshot = item.content
            if isinstance(item.content, Fault):
                self._faults.append(item.content.kind)
            if item.is_event and not self._keeps and self._link is not None:
                self._link.acknowledge(item)
            changed += [] if self.ticks is None else self.ticks.note(item)

    def sensor_finding(self) -> Finding:
        """Which sensors have been seen to change."""
        assert self.ticks is not None
        seen, missing = len(self.ticks.seen), self.ticks.missing
        if not missing:
            return found("sensors.all", seen=seen)
        names = joined(map(same, missing))
        return found("sensors.some", seen=seen, count=len(self.ticks.names), names=names)
