"""Bought sensors that nobody bought: pymodbus's own server behind a real serial line."""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pymodbus.pdu import ModbusPDU
from pymodbus.server import ModbusSerialServer
from pymodbus.simulator import DataType, SimData, SimDevice

from firmware_bridge.pseudo_terminal import PseudoTerminal


class FakeSensors:
    """Bought sensors at one end of a serial line: pymodbus's own server, unit 1, bits 0 to 7.

    Attributes:
        port: the other end of the line.
        bits: what the next question is answered with.
    """

    def __init__(self, folder: Path) -> None:
        self.bits = [False] * 8
        self.port = str(folder / "host")
        self._near = PseudoTerminal(self.port)
        self._far = PseudoTerminal(str(folder / "device"))
        self._stop = threading.Event()
        self._is_cut = False
        self._threads = [
            threading.Thread(target=self._carry),
            threading.Thread(target=lambda: asyncio.run(self._serve(folder / "device"))),
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self._near.close()
        self._far.close()

    def cut(self, *, is_cut: bool) -> None:
        """Cut the line, or mend it."""
        self._is_cut = is_cut

    def _carry(self) -> None:
        while not self._stop.wait(0.001):
            for source, target in ((self._near, self._far), (self._far, self._near)):
                data = source.read(1000)
                if data and not self._is_cut:
                    target.write(data)

    async def _serve(self, port: Path) -> None:
        bits = [SimData(0, values=[False] * 16, datatype=DataType.BITS)]
        registers = [SimData(0, values=0, datatype=DataType.REGISTERS)]
        device = SimDevice(1, simdata=(bits, bits, registers, registers))
        server = ModbusSerialServer(device, port=os.fspath(port), trace_pdu=self._answer)
        serving = asyncio.create_task(server.serve_forever())
        while not self._stop.is_set():
            await asyncio.sleep(0.01)
        await server.shutdown()
        await asyncio.gather(serving, return_exceptions=True)

    def _answer(self, is_sending: bool, pdu: ModbusPDU) -> ModbusPDU:
        if is_sending and pdu.function_code == 2:
            pdu.bits = list(self.bits)
        return pdu


@contextmanager
def sensors(folder: Path) -> Iterator[FakeSensors]:
    device = FakeSensors(folder)
    device.start()
    try:
        yield device
    finally:
        device.stop()
