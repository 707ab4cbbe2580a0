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
    TrayWeighed,
    WallReady,
)
from firmware_bridge.health import LinkHealth, LinkStatus
from firmware_bridge.link import Link, LinkItem
from firmware_bridge.messages import PROTOCOL, BoardSnapshot, Inputs
from firmware_bridge.ports import FoundPort, find_ports
from firmware_bridge.receiver import Reading
from firmware_bridge.sources import SourceError, find_source
from firmware_bridge.view import describe_board, describe_fault
from table_assist.health.finding import Finding, State, as_said
from table_assist.languages.board_words import board_words
from table_assist.languages.words import NONE, Words, joined, same
from table_assist.settings.config import BoardConfig
from table_assist.trust.address import Address

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
            changed = [] if before is None else _changed(before, content.inputs)
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


def _changed(before: Inputs, now: Inputs) -> list[str]:
    """The inputs whose levels differ between two snapshots."""
    was, levels = _levels(before), _levels(now)
    return [name for name in levels if levels[name] != was[name]]


def _levels(inputs: Inputs) -> dict[str, bool]:
    levels = {f"seat {s} {key}": inputs.key(s, key) for s in range(SIDES) for key in Key}
    levels |= {f"dice key {side}": inputs.dice_key(side) for side in range(SIDES)}
    levels |= {f"lift key {key}": inputs.lift_key(key) for key in range(LIFT_KEYS)}
    levels |= {f"lift {side}": inputs.lift_up(side) for side in range(SIDES)}
    levels |= {f"tray {seat}": inputs.tray_present(seat) for seat in range(SIDES)}
    return levels | {"wall ready": inputs.wall_ready, "dome": inputs.dome_open}


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
    found = ports()
    listed = ", ".join(f"{port.path} ({port.description or 'no name'})" for port in found)
    if configured:
        says = Words(
            "The settings name {configured}; there are: {said}.",
            "设置指定 {configured}；现有串口：{said}。",
            configured=configured,
            said=same(listed) if listed else NONE,
        )
        return configured, Finding("port", State.GOOD, says)
    usb = [port for port in found if port.usb_id is not None]
    if len(usb) == 1:
        named = f"usb:{usb[0].usb_id}"
        says = Words(
            "{path} is the only USB port ({named}).",
            "{path} 是唯一的 USB 串口（{named}）。",
            path=usb[0].path,
            named=named,
        )
        keep = Words(
            'Write port = "{named}" under [board] to keep it.',
            '在 [board] 下写 port = "{named}" 即可固定使用它。',
            named=named,
        )
        return Address(usb[0].path), Finding("port", State.DOUBT, says, keep)
    if usb:
        return Address(), Finding(
            "port",
            State.DOUBT,
            Words(
                "There are several USB ports: {listed}.",
                "有多个 USB 串口：{listed}。",
                listed=listed,
            ),
            Words(
                'Name the board\'s: port = "..." under [board], or --port.',
                '请指明电路板的串口：在 [board] 下写 port = "..."，或用 --port。',
            ),
        )
    return Address(), Finding(
        "port",
        State.DOUBT,
        Words(
            "There is no USB port; others: {said}.",
            "没有 USB 串口；其他串口：{said}。",
            said=same(listed) if listed else NONE,
        ),
        Words(
            "Plug the board in with a cable that carries data, or go on without a board.",
            "请用能传数据的线接上电路板，或不用电路板继续。",
        ),
    )


def source_finding(config: BoardConfig, patience_s: float = SOURCE_S) -> Finding:
    """Whether what stands for the board answers; asked for so long at most."""
    try:
        source = find_source(config.kind)(config.port.whole, lambda event: None)
    except SourceError as error:
        return Finding("board", State.BAD, as_said(f"board.kind: {error}"))
    source.start()
    try:
        ends_s = time.monotonic() + patience_s
        while not (now := source.condition()).is_good and time.monotonic() < ends_s:
            time.sleep(0.05)
    finally:
        source.stop()
    if now.is_good:
        return Finding("board", State.GOOD, Words(now.en, now.zh))
    advice = Words(
        "Check its power and its cable, or wake the dice.", "请检查电源和连线，或唤醒骰子。"
    )
    return Finding("board", State.BAD, Words(now.en, now.zh), advice)


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
        say = Address(self.port).hide
        self._link = Link(self.port, self._items.put, baud=self.baud, say=say)
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
        while time.monotonic() < deadline and not self._is_decided():
            self._listen(0.05)
        health = self.health
        if health.board is None or health.status is not LinkStatus.CONNECTED:
            return [
                Finding(
                    "board",
                    State.BAD,
                    board_words(health.message),
                    _help(health),
                )
            ]
        board = health.board
        self._keeps = board.pending > 0
        self.ticks = SensorTicks(sensors_of(board.capabilities))
        self._listen(LISTEN_S)
        said = describe_board(board)
        found = [Finding("board", State.GOOD, as_said(f"{self.health.path}: {said}"))]
        if board.protocol != PROTOCOL:
            found.append(_foreign(board.protocol))
        return [*found, *self._line_findings(board.pending), *map(_fault, self._faults)]

    def _is_decided(self) -> bool:
        health = self.health
        return health.board is not None or health.status is LinkStatus.LOST

    def _line_findings(self, pending: int) -> Iterator[Finding]:
        counters = self.health.counters
        there, back = counters.bad, self._snapshot.bad_lines if self._snapshot else 0
        lost = self._snapshot.overruns if self._snapshot else 0
        if there + back > USUAL or lost:
            yield Finding(
                "line",
                State.DOUBT,
                Words(
                    "{there} damaged lines came, {back} were damaged on the way to the board, "
                    "which lost {lost} bytes.",
                    "收到 {there} 行损坏的数据，发往电路板途中损坏 {back} 行，丢失 {lost} 字节。",
                    there=there,
                    back=back,
                    lost=lost,
                ),
                Words(
                    "Try another cable or port, and keep the cable away from motors.",
                    "请换一根线或一个接口，并让线远离电机。",
                ),
            )
        else:
            says = Words(
                "{good} lines came, {there} were damaged.",
                "收到 {good} 行数据，损坏 {there} 行。",
                good=counters.good,
                there=there,
            )
            yield Finding("line", State.GOOD, says)
        if pending:
            yield Finding(
                "events",
                State.DOUBT,
                Words(
                    "{pending} events wait on the board to be stored.",
                    "电路板上有 {pending} 个事件等待保存。",
                    pending=pending,
                ),
                Words(
                    "Start the table once (table-assist run), then examine the sensors.",
                    "请先启动一次牌桌（table-assist run），再检查传感器。",
                ),
            )

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
            if isinstance(item, Reading):
                changed += self._take(item)

    def _take(self, reading: Reading) -> list[str]:
        match reading.content:
            case BoardSnapshot() as snapshot:
                self._snapshot = snapshot
            case Fault(kind):
                self._faults.append(kind)
            case _:
                pass
        if reading.is_event and not self._keeps and self._link is not None:
            self._link.acknowledge(reading)
        return [] if self.ticks is None else self.ticks.note(reading)

    def sensor_finding(self) -> Finding:
        """Which sensors have been seen to change."""
        assert self.ticks is not None
        seen, missing = len(self.ticks.seen), self.ticks.missing
        if not missing:
            return Finding(
                "sensors",
                State.GOOD,
                Words(
                    "All {seen} have been seen to change.", "全部 {seen} 个都动过了。", seen=seen
                ),
            )
        return Finding(
            "sensors",
            State.DOUBT,
            Words(
                "{seen} of {count} have been seen to change; not yet: {names}.",
                "{count} 个中有 {seen} 个动过；尚未动过：{names}。",
                seen=seen,
                count=len(self.ticks.names),
                names=joined(map(same, missing)),
            ),
            Words(
                "Press or move each of them; one that never changes is wired wrongly or broken.",
                "请把它们逐个按一下或动一下；始终不变的是接错线或坏了。",
            ),
        )


def _foreign(protocol: int) -> Finding:
    return Finding(
        "version",
        State.BAD,
        Words(
            "The board speaks protocol {protocol}, this program speaks {protocol_2}.",
            "电路板使用协议 {protocol}，本程序使用协议 {protocol_2}。",
            protocol=protocol,
            protocol_2=PROTOCOL,
        ),
        Words(
            "Flash the firmware that came with this program (docs/BOARD.md).",
            "请烧录随本程序提供的固件（docs/BOARD.md）。",
        ),
    )


def _fault(kind: str) -> Finding:
    return Finding(
        "fault",
        State.BAD,
        Words(
            "The board reports {describe_fault}.",
            "控制板报告故障：{describe_fault}。",
            describe_fault=Words(describe_fault(kind), kind),
        ),
        Words("See docs/BOARD.md.", "见 docs/BOARD.md。"),
    )


def _help(health: LinkHealth) -> Words:
    said = health.message
    if "may not be opened" in said or "in use" in said or "not there" in said:
        return Words(
            "Close the other program, plug the board in, or follow the sentence above.",
            "请关闭占用它的程序，接上电路板，或按上一句处理。",
        )
    return Words(
        "Check cable, port and speed; press the reset button, or flash it again.",
        "请检查线缆、串口和速率；按电路板的复位键；必要时重新烧录。",
    )
