"""Dice that nobody throws: what `godice` hears of its radio."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace

PATIENCE_S = 20.0
# As a GoDice says it: rolling, and a face by the way that gravity pulls.
ROLLING = b"R"
ONE, SIX = b"S\xc0\x00\x00", b"S\x40\x00\x00"


class FakeRadio:
    """What bleak's client is to `godice`: a connection that the test speaks through."""

    clients: "dict[str, FakeRadio]" = {}  # noqa: RUF012 - one air for all

    def __init__(
        self, address: str, *, timeout: int, disconnected_callback: Callable[[object], None]
    ) -> None:
        self._lose = disconnected_callback
        self._hear: Callable[[object, bytearray], object] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.services = SimpleNamespace(get_characteristic=lambda uuid: uuid)
        self.clients[address] = self

    async def connect(self) -> None:
        self._loop = asyncio.get_running_loop()

    async def disconnect(self) -> None:
        pass

    async def start_notify(self, characteristic: str, hear: Callable[..., object]) -> None:
        self._hear = hear

    async def write_gatt_char(self, characteristic: str, data: bytearray) -> None:
        if data == bytearray([3]):
            await self._hear(None, bytearray(b"Bat\x51"))  # type: ignore[misc]

    def says(self, data: bytes) -> None:
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(
            self._hear(None, bytearray(data)),  # type: ignore[arg-type, misc]
            self._loop,
        ).result(PATIENCE_S)

    def vanishes(self) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._lose, self)
