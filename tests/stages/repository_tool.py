"""A program of `tools/`, which is no package, as a module."""

import asyncio
import socket
import sys
import threading
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

TOOLS = Path(__file__).parents[2] / "tools"


def tool_named(name: str) -> ModuleType:
    """`tools/NAME.py`, loaded; it finds the others beside it."""
    if str(TOOLS) not in sys.path:
        sys.path.append(str(TOOLS))
    spec = spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


_HELD: list[socket.socket] = []


def free_port() -> int:
    """Nobody is given it by chance before: it stays bound here, which hinders no server."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    _HELD.append(held)
    return int(held.getsockname()[1])


class Forwarder:
    """Passes connections on to a port of this machine.

    Attributes:
        port: where they come.
    """

    def __init__(self, to: int) -> None:
        self.port = free_port()
        self._to = to
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.mend()

    def cut(self) -> None:
        """End every connection, and take no new one."""
        self._wait(self._cut())

    def mend(self) -> None:
        """Take connections again."""
        self._wait(self._mend())

    def close(self) -> None:
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, what: "asyncio.Future[None] | object") -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result(10)  # type: ignore[arg-type]

    async def _cut(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for each in list(self._open):
            each.transport.abort()

    async def _mend(self) -> None:
        if self._server is None:
            self._server = await asyncio.start_server(self._passed, "127.0.0.1", self.port)

    async def _passed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        with suppress(OSError):
            there, back = await asyncio.open_connection("127.0.0.1", self._to)
            self._open.add(back)
            await asyncio.gather(self._flow(reader, back), self._flow(there, writer))
            self._open.discard(back)
        writer.close()
        self._open.discard(writer)

    async def _flow(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while part := await reader.read(65536):
                writer.write(part)
                await writer.drain()
        writer.close()
