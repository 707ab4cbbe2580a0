"""Bought sensors on a Modbus line, through pymodbus: extra ``modbus``.

A device that is asked for its inputs fifty times a second is a board's inputs: what a level must
last to count, and what is a fault, is in ``sensors``.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pymodbus.client import ModbusSerialClient, ModbusTcpClient
from pymodbus.exceptions import ModbusException

from firmware_bridge.events import EventContent, Fault, Key
from firmware_bridge.receiver import Reading
from firmware_bridge.sensors import Sensors
from firmware_bridge.sources.modbus_map import (
    MOST_BITS,
    InputTable,
    MappedInput,
    ModbusMap,
    SeatKey,
)
from firmware_bridge.sources.numbered import Numbered

logger = logging.getLogger(__name__)

POLL_S = 0.02
ANSWER_S = 0.3
# A unit that does not answer for so long is a fault, said once until it answers again.
SILENT_MS = 2000


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring bits that one question asks for."""

    unit: int
    table: InputTable
    address: int
    count: int


class ModbusInputs:
    """The devices' bits as events. No line, no clock; milliseconds of any steady one.

    Nothing is said before every unit has answered: what they show first is taken as given.
    """

    def __init__(self, inputs: tuple[MappedInput, ...]) -> None:
        self._inputs = inputs
        self._sensors = Sensors()
        self._held: dict[int, frozenset[Key]] = {}
        self._answered_ms: dict[int, int] = {}
        self._silent: set[int] = set()
        self._units = {one.unit for one in inputs}
        self._is_running = False

    @property
    def silent(self) -> frozenset[int]:
        """Units that do not answer, or have not answered yet."""
        return frozenset(self._silent | (self._units - set(self._answered_ms)))

    def take(self, block: Block, bits: list[bool], now_ms: int) -> None:
        """Note an answer."""
        self._answered_ms[block.unit] = now_ms
        self._silent.discard(block.unit)
        for one in self._inputs:
            at = one.address - block.address
            if (one.unit, one.table) == (block.unit, block.table) and 0 <= at < len(bits):
                self._move(one.sensor, bits[at] != one.inverted, now_ms)

    def step(self, now_ms: int, asked_ms: int | None = None) -> Iterator[EventContent]:
        """The events up to now.

        Args:
            asked_ms: when the devices were asked last, if that was before: none is silent
                because this machine stood still since.
        """
        asked_ms = now_ms if asked_ms is None else asked_ms
        if not self._is_running:
            if set(self._answered_ms) < self._units:
                return
            self._is_running = True
            self._sensors.restart(now_ms)
        for _, content in self._sensors.step(now_ms):
            yield content
        for unit, answered_ms in self._answered_ms.items():
            if unit not in self._silent and asked_ms - answered_ms >= SILENT_MS:
                self._silent.add(unit)
                yield Fault(f"MODBUS-{unit}")

    def _move(self, sensor: str | SeatKey, is_active: bool, now_ms: int) -> None:
        if isinstance(sensor, str):
            self._sensors.set(sensor, now_ms, is_active=is_active)
            return
        held = self._held.get(sensor.seat, frozenset()) - {sensor.key}
        held |= {sensor.key} if is_active else frozenset()
        if held != self._held.get(sensor.seat, frozenset()):
            self._held[sensor.seat] = held
            self._sensors.hold(sensor.seat, held, now_ms)


def blocks(inputs: tuple[MappedInput, ...]) -> tuple[Block, ...]:
    """The fewest questions: one for each table of each unit, unless its inputs lie far apart."""
    found: list[Block] = []
    for one in sorted(inputs, key=lambda one: (one.unit, one.table, one.address)):
        last = found[-1] if found else None
        count = one.address - last.address + 1 if last else 0
        if last and (last.unit, last.table) == (one.unit, one.table) and count <= MOST_BITS:
            found[-1] = Block(last.unit, last.table, last.address, count)
        else:
            found.append(Block(one.unit, one.table, one.address, 1))
    return tuple(found)


class ModbusSource:
    """A Modbus line that is asked again and again; events go to ``deliver``, on its own thread."""

    def __init__(self, mapped: ModbusMap, deliver: Callable[[Reading], None]) -> None:
        self._map = mapped
        self._deliver = deliver
        self._blocks = blocks(mapped.inputs)
        self._inputs = ModbusInputs(mapped.inputs)
        self._numbered = Numbered(steady=time.monotonic, wall_clock=time.time)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="modbus", daemon=True)

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def stop(self) -> None:
        """Give the line back."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def silent(self) -> frozenset[int]:
        """Units that do not answer. From any thread."""
        return self._inputs.silent

    def _run(self) -> None:
        client = open_client(self._map)
        try:
            while not self._stop.wait(POLL_S):
                asked_ms = _now_ms()
                for block in self._blocks:
                    bits = _ask(client, block)
                    if bits is not None:
                        self._inputs.take(block, bits, _now_ms())
                self._tell(asked_ms)
        finally:
            client.close()

    def _tell(self, asked_ms: int) -> None:
        for content in self._inputs.step(_now_ms(), asked_ms):
            try:
                self._deliver(self._numbered.reading(content))
            except Exception:
                logger.exception("The program could not take %s", content)


def open_client(mapped: ModbusMap) -> ModbusSerialClient | ModbusTcpClient:
    """The line's client; it connects when it is asked."""
    if mapped.port.startswith("tcp://"):
        host, _, port = mapped.port.removeprefix("tcp://").rpartition(":")
        return ModbusTcpClient(host, port=int(port), timeout=ANSWER_S, retries=0)
    return ModbusSerialClient(
        mapped.port, baudrate=mapped.baud, parity=mapped.parity, timeout=ANSWER_S, retries=0
    )


def _ask(client: ModbusSerialClient | ModbusTcpClient, block: Block) -> list[bool] | None:
    """The bits of a block; None where nobody answers, or answers that there are none."""
    try:
        if not client.connected and not client.connect():
            return None
        if block.table is InputTable.COILS:
            answer = client.read_coils(block.address, count=block.count, device_id=block.unit)
        else:
            answer = client.read_discrete_inputs(
                block.address, count=block.count, device_id=block.unit
            )
    except (ModbusException, OSError) as error:
        logger.debug("unit %d does not answer: %s", block.unit, error)
        return None
    return None if answer.isError() else list(answer.bits[: block.count])


def _now_ms() -> int:
    return int(time.monotonic() * 1000)
