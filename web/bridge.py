"""Between the server's event loop and the Flask app's threads.

A request takes a thread only when all of it is here, and gives it back before its answer is sent:
who sends or reads slowly costs a task, not a thread. A live view takes no thread at all: the app
hands it over (`LIVE`), and the loop runs it. Strangers have threads of their own, so that this
machine and the phones that were let in are answered whatever strangers ask for.
"""

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Protocol

from web.access.limits import REQUEST_LIMIT, Asker
from web.sockets import Connections, HostPort

Environ = dict[str, Any]
Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]
Talk = Callable[[Message, Receive, Send], Awaitable[None]]

LIVE = "table.live"  # in the environ: called by the app with a live view that the loop is to run
BODY_S = 10.0  # a request's body comes within so long,
SLOWEST = 20_000  # or at so many bytes a second
ANSWER_PIECE = 1 << 18  # bytes of an answer that a thread makes at once
MOST_BODIES = 1 << 28  # bytes of long bodies that are being read, of all senders together
IN_MEMORY = 1 << 18  # bytes of a body; what is longer waits in a file

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RequestWork:
    """How much is done at once.

    Attributes:
        open_threads, kept_threads: for strangers; for this machine and who was let in.
        of_sender: requests of one stranger at once; a browser asks for six things.
        of_strangers: of all strangers together.
        door: a path that has threads and limits of its own, whatever strangers ask for elsewhere.
        door_threads, of_door: for it: threads, and requests at once.
        door_bytes: of a request there; like any other long body they count for `MOST_BODIES`.
    """

    open_threads: int = 6
    kept_threads: int = 12
    of_sender: int = 16
    of_strangers: int = 256
    door: str = ""
    door_threads: int = 1
    of_door: int = 0
    door_bytes: int = REQUEST_LIMIT


class LiveView(Protocol):
    """A view that goes on."""

    def messages(self) -> AsyncIterator[str]:
        """Its parts, as they come."""
        ...

    def close(self) -> None:
        """Give its place back; any number of times."""
        ...


@dataclass(slots=True)
class Bridge:
    """One app, as the server calls it.

    Args:
        app: the WSGI app.
        asker: who makes a request; called in the loop, so it must not wait for anything.
        body_limit: bytes of a body that may come to a path.
        dead_s: who takes nothing of an answer for so long is gone.
        work: how much is done at once.
        talk: a connection that stays open (WebSocket), from its request to its end.
    """

    app: Callable[..., Iterable[bytes]]
    asker: Callable[[Environ], Asker]
    body_limit: Callable[[Environ, Asker], int]
    connections: Connections
    dead_s: float
    work: RequestWork = RequestWork()
    talk: Talk | None = None
    _open: ThreadPoolExecutor = field(init=False)
    _kept: ThreadPoolExecutor = field(init=False)
    _door: ThreadPoolExecutor = field(init=False)
    _at_door: int = 0
    _asking: dict[str, int] = field(default_factory=dict)  # requests of each stranger
    _bodies: int = 0

    def __post_init__(self) -> None:
        self._open = ThreadPoolExecutor(self.work.open_threads, "web-open")
        self._kept = ThreadPoolExecutor(self.work.kept_threads, "web-kept")
        self._door = ThreadPoolExecutor(self.work.door_threads, "web-door")

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "websocket":
            await self._line(scope, receive, send)
            return
        address: HostPort = tuple((scope["client"] or ("", 0))[:2])
        self.connections.ask(address)
        try:
            await self._answer(scope, receive, send)
        except (_Gone, TimeoutError):
            pass  # nobody is there: the server ends the connection
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
        finally:
            self.connections.answer(address)

    async def _line(self, scope: Message, receive: Receive, send: Send) -> None:
        """A connection that stays open holds an idle place until it speaks."""
        address: HostPort = tuple((scope["client"] or ("", 0))[:2])

        async def hear() -> Message:
            message = await receive()
            self.connections.ask(address)
            return message

        async def say(message: Message) -> None:
            await send(message)
            self.connections.answer(address)

        if self.talk is not None:
            await self.talk(scope, hear, say)

    def close(self) -> None:
        """Begin nothing any more."""
        self._open.shutdown(wait=False, cancel_futures=True)
        self._kept.shutdown(wait=False, cancel_futures=True)
        self._door.shutdown(wait=False, cancel_futures=True)

    async def _answer(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        environ = environ_of(scope)
        at_door = self.work.door and environ["PATH_INFO"] == self.work.door
        asker = _AT_DOOR if at_door else self.asker(environ)
        if not self._enter(asker):
            await _refuse(send, 503, "Too many requests at once: try again in a moment.")
            return
        try:
            with SpooledTemporaryFile(IN_MEMORY) as body:
                # Bytes of this body; a command's has its place however much others send
                own = self.work.door_bytes if asker.is_at_door else self.body_limit(environ, asker)
                refused = await self._taken(
                    receive,
                    (own if own <= REQUEST_LIMIT else min(own, MOST_BODIES - self._bodies)),
                    body,
                )
                if refused is not None:
                    await _refuse(send, *refused)
                    return
                environ["wsgi.input"] = body
                environ["CONTENT_LENGTH"] = str(body.tell())
                environ.pop("HTTP_TRANSFER_ENCODING", None)  # it is undone already
                body.seek(0)
                call = _Call(self.app, environ)
                await self._in_thread(asker, call.begin)
        finally:
            self._leave(asker)
        try:
            await self._send(call, asker, receive, send)
        finally:
            if not call.is_closed:
                await self._in_thread(asker, call.close)

    def _enter(self, asker: Asker) -> bool:
        if asker.is_at_door:
            self._at_door += 1
            if self._at_door <= self.work.of_door:
                return True
            self._at_door -= 1
            return False
        if asker.is_kept:
            return True
        asking = self._asking.get(asker.sender, 0)
        if asking >= self.work.of_sender or sum(self._asking.values()) >= self.work.of_strangers:
            return False
        self._asking[asker.sender] = asking + 1
        return True

    def _leave(self, asker: Asker) -> None:
        if asker.is_at_door:
            self._at_door -= 1
            return
        if asker.is_kept:
            return
        self._asking[asker.sender] -= 1
        if not self._asking[asker.sender]:
            del self._asking[asker.sender]

    async def _taken(self, receive: Receive, limit: int, to: IO[bytes]) -> tuple[int, str] | None:
        """Take the whole body; status and sentence where that cannot be."""
        got = 0
        try:
            async with asyncio.timeout(BODY_S) as clock:
                until = clock.when() or 0.0
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _Gone
                    part = message.get("body", b"")
                    got += len(part)
                    self._bodies += len(part)
                    clock.reschedule(until + got / SLOWEST)
                    if got > limit:
                        return 413, "What was sent is too large."
                    to.write(part)
                    if not message.get("more_body"):
                        return None
        except TimeoutError:
            return 408, "What was sent did not come to its end in time."
        finally:
            self._bodies -= got

    async def _in_thread(self, asker: Asker, work: Callable[[], Any]) -> Any:
        pool = self._kept if asker.is_kept else self._open
        if asker.is_at_door:
            pool = self._door
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work)
        except RuntimeError as error:  # the pool is shut down: so is the server
            raise _Gone from error

    async def _send(self, call: "_Call", asker: Asker, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": call.status, "headers": call.headers}
        await send(start)
        if call.live is not None:
            await self._send_live(call.live, receive, send)
            return
        piece = call.first
        while True:
            more = not call.is_done
            async with asyncio.timeout(self.dead_s):
                await send({"type": "http.response.body", "body": piece, "more_body": more})
            if not more:
                return
            piece = await self._in_thread(asker, call.piece)

    async def _send_live(self, live: LiveView, receive: Receive, send: Send) -> None:
        """Send a live view until it ends, or nobody is there any more."""

        async def go_on() -> None:
            async for message in live.messages():
                part = {"type": "http.response.body", "body": message.encode(), "more_body": True}
                async with asyncio.timeout(self.dead_s):
                    await send(part)

        sending = asyncio.create_task(go_on())
        leaving = asyncio.create_task(_disconnected(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
                await send({"type": "http.response.body", "body": b""})
        finally:
            for each in (sending, leaving):
                each.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)


_AT_DOOR = Asker("", is_kept=False, is_at_door=True)


class _Gone(Exception):  # noqa: N818 - it is no error: people leave
    """Nobody is there to be answered."""


class _Call:
    """One call of the app; in one thread at a time."""

    def __init__(self, app: Callable[..., Iterable[bytes]], environ: Environ) -> None:
        self._app, self._environ = app, environ
        self._answer: Iterable[bytes] = ()
        self._parts: Iterator[bytes] = iter(())
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self.live: LiveView | None = None
        self.first = b""
        self.is_done = False
        self.is_closed = False

    def begin(self) -> None:
        """Call the app, and take the first piece of its answer; mostly that is all of it."""
        self._environ[LIVE] = self._take_live
        self._answer = self._app(self._environ, self._start)
        if self.live is not None:  # what comes has no length
            self.headers = [each for each in self.headers if each[0] != b"content-length"]
        self._parts = iter(self._answer)
        if self.live is None:
            self.first = self.piece()
            if self.is_done:
                self.close()

    def piece(self) -> bytes:
        """The next piece; sets `is_done` with the last."""
        got = bytearray()
        for part in self._parts:
            got += part
            if len(got) >= ANSWER_PIECE:
                return bytes(got)
        self.is_done = True
        return bytes(got)

    def close(self) -> None:
        """The app may clean up."""
        self.is_closed = True
        if self.live is not None:
            self.live.close()
        close = getattr(self._answer, "close", None)
        if close is not None:
            close()

    def _take_live(self, live: LiveView) -> None:
        self.live = live

    def _start(
        self, status: str, headers: list[tuple[str, str]], exc_info: object = None
    ) -> Callable[[bytes], object]:
        self.status = int(status.split(" ", 1)[0])
        self.headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
        ]
        return lambda _: None  # WSGI's old way to write; Flask does not


def environ_of(scope: MutableMapping[str, Any]) -> Environ:
    """A request's head as WSGI has it (PEP 3333).

    A header with ``_`` in its name is left out: it would pass for the one with ``-``.
    """
    server = scope.get("server") or ("", 0)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode("utf-8", "surrogateescape").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "REQUEST_URI": scope.get("raw_path", b"").decode("latin-1"),
        "SERVER_NAME": str(server[0]),
        "SERVER_PORT": str(server[1] or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope["client"] or ("", 0))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": _Errors(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        if b"_" in raw_name:
            continue
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
        value = raw_value.decode("latin-1")
        joint = "; " if name == "COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    return environ


class _Errors(io.TextIOBase):
    """The app's words on its own faults go into the log."""

    def write(self, text: str) -> int:
        if text.strip():
            log.error("%s", text.rstrip())
        return len(text)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse(send: Send, status: int, sentence: str) -> None:
    """Answer without the app."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    if status == 503:
        headers.append((b"retry-after", b"2"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence.encode()})
