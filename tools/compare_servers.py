"""How servers carry 200 live views beside 1,000 idle connections: what the choice was made by.

``python tools/compare_servers.py uvicorn`` (or another of SERVERS; each must be installed, and only
the chosen one is a dependency). The application is the same small one for all: a page, and a
stream of server-sent events of the dashboard's size. Servers for WSGI give each stream a thread,
those for ASGI a task. The viewers are in a process of their own; all of it on the loopback.
"""

import argparse
import asyncio
import json
import multiprocessing
import resource
import selectors
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

VIEW = "x" * 12_000  # bytes of a followed table's view in mid-hand
HOST = "127.0.0.1"
EVENT_EVERY_S = 0.25
PAGE_EVERY_S = 0.05
THREADS = 216  # a WSGI server's: one for each stream, and eight


class Ticker:
    """What is streamed: a number that goes up, and who waits for it."""

    def __init__(self) -> None:
        self.version = 0
        self._changed = threading.Condition()
        self._waiting: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    def tick(self) -> None:
        """The next number."""
        with self._changed:
            self.version += 1
            self._changed.notify_all()
            waiting = list(self._waiting.items())
        loops: dict[asyncio.AbstractEventLoop, list[asyncio.Event]] = {}
        for event, loop in waiting:
            loops.setdefault(loop, []).append(event)
        for loop, events in loops.items():
            loop.call_soon_threadsafe(lambda events=events: [each.set() for each in events])

    def messages(self) -> Iterator[bytes]:
        """For a thread."""
        seen = -1
        while True:
            with self._changed:
                if self.version == seen:
                    self._changed.wait(0.5)
                new, seen = self.version != seen, self.version
            if new:
                yield _message(seen)

    async def amessages(self) -> AsyncIterator[bytes]:
        """For a task."""
        changed, seen = asyncio.Event(), -1
        changed.set()
        self._waiting[changed] = asyncio.get_running_loop()
        try:
            while True:
                await changed.wait()
                changed.clear()
                if seen != self.version:
                    seen = self.version
                    yield _message(seen)
        finally:
            del self._waiting[changed]


def _message(version: int) -> bytes:
    return f"id: v.{version}.\nevent: view\ndata: {VIEW}\n\n".encode()


TICKER = Ticker()


def wsgi(environ: dict[str, Any], start: Callable[..., Any]) -> Any:
    """The application for WSGI servers."""
    if environ["PATH_INFO"] == "/api/stream":
        start("200 OK", [("Content-Type", "text/event-stream")])
        return TICKER.messages()
    start("200 OK", [("Content-Type", "text/html"), ("Content-Length", "2000")])
    return [b"p" * 2000]


async def asgi(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """The application for ASGI servers."""
    if scope["type"] != "http":
        return
    kind = b"text/event-stream" if scope["path"] == "/api/stream" else b"text/html"
    head = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]}
    await send(head)
    if scope["path"] == "/api/stream":
        async for message in TICKER.amessages():
            await send({"type": "http.response.body", "body": message, "more_body": True})
    await send({"type": "http.response.body", "body": b"p" * 2000})


def _waitress(listening: socket.socket) -> None:
    from waitress.server import create_server

    create_server(
        wsgi, sockets=[listening], threads=THREADS, connection_limit=3000, asyncore_use_poll=True
    ).run()


def _cheroot(listening: socket.socket) -> None:
    from cheroot.wsgi import Server

    port = listening.getsockname()[1]
    listening.close()
    server = Server((HOST, port), wsgi, numthreads=THREADS, request_queue_size=1024, timeout=5)
    server.start()


def _gevent(listening: socket.socket) -> None:
    import gevent
    from gevent.pywsgi import WSGIServer

    def app(environ: dict[str, Any], start: Callable[..., Any]) -> Any:
        if environ["PATH_INFO"] != "/api/stream":
            return wsgi(environ, start)
        start("200 OK", [("Content-Type", "text/event-stream")])
        return messages()

    def messages() -> Iterator[bytes]:
        seen = -1
        while True:  # without gevent's patches, which this process's other threads rule out
            if seen != TICKER.version:
                seen = TICKER.version
                yield _message(seen)
            gevent.sleep(0.02)

    listening.setblocking(False)
    WSGIServer(listening, app, log=None).serve_forever()


def _hypercorn(listening: socket.socket) -> None:
    from hypercorn.asyncio import serve
    from hypercorn.config import Config

    config = Config()
    config.bind = [f"fd://{listening.fileno()}"]
    config.keep_alive_timeout = 5
    asyncio.run(serve(asgi, config, shutdown_trigger=asyncio.Event().wait))


def _uvicorn(listening: socket.socket, http: str = "h11") -> None:
    import uvicorn

    config = uvicorn.Config(asgi, http=http, lifespan="off", log_level="warning", ws="none")
    uvicorn.Server(config).run(sockets=[listening])


SERVERS: dict[str, Callable[[socket.socket], None]] = {
    "waitress": _waitress,
    "cheroot": _cheroot,
    "gevent": _gevent,
    "hypercorn": _hypercorn,
    "uvicorn": _uvicorn,
    "uvicorn-httptools": lambda listening: _uvicorn(listening, "httptools"),
}


def _serve(name: str, listening: socket.socket, pipe: Connection, events: int) -> None:
    threading.Thread(target=SERVERS[name], args=(listening,), daemon=True).start()
    pipe.recv()  # the viewers are in
    started = time.process_time()
    ticked = []
    for _ in range(events):
        ticked.append(time.monotonic())
        TICKER.tick()
        time.sleep(EVENT_EVERY_S)
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = (time.process_time() - started) / events
    pipe.send((ticked, cpu, used.ru_maxrss / 1024, threading.active_count()))
    pipe.recv()


def _open(port: int, request: bytes) -> socket.socket:
    made = socket.create_connection((HOST, port), 30)
    made.sendall(request)
    return made


class Viewers:
    """Reads all streams, holds idle connections open, and asks for a page now and then."""

    def __init__(self, port: int, streams: int, idle: int) -> None:
        self.port = port
        self.arrived: list[dict[int, float]] = [{} for _ in range(streams)]
        self.pages: list[float] = []
        self.lost = 0
        self._tails = [b""] * streams
        self._chosen = selectors.DefaultSelector()
        for number in range(streams):
            stream = _open(port, b"GET /api/stream HTTP/1.1\r\nHost: here\r\n\r\n")
            self._chosen.register(stream, selectors.EVENT_READ, number)
        for _ in range(idle):
            self._idle()

    def _idle(self) -> None:
        self._chosen.register(_open(self.port, b""), selectors.EVENT_READ, None)

    def read(self, until: float) -> None:
        """Go on until then."""
        next_page = time.monotonic()
        while (now := time.monotonic()) < until:
            if now >= next_page:
                self._page()
                next_page = now + PAGE_EVERY_S
            for key, _ in self._chosen.select(0.01):
                self._one(key)

    def _one(self, key: selectors.SelectorKey) -> None:
        content = b""
        with suppress(OSError):
            content = key.fileobj.recv(1 << 20)  # type: ignore[union-attr]
        if not content:
            self._chosen.unregister(key.fileobj)
            key.fileobj.close()  # type: ignore[union-attr]
            if key.data is None:
                self._idle()
            else:
                self.lost += 1
            return
        if key.data is None:
            return  # a server that says why it ends an idle connection
        now, number = time.monotonic(), key.data
        content = self._tails[number] + content
        for line in content.split(b"\n")[:-1]:
            if line.startswith(b"id: v."):
                self.arrived[number].setdefault(int(line.split(b".")[1]), now)
        self._tails[number] = content[-40:].split(b"\n")[-1]

    def _page(self) -> None:
        started = time.monotonic()
        page = _open(self.port, b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        page.settimeout(10)
        with suppress(OSError), page:
            while page.recv(1 << 16):
                pass
        self.pages.append(time.monotonic() - started)


def _share(values: list[float], part: float) -> float:
    ordered = sorted(values) or [float("nan")]
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def measure(name: str, streams: int, idle: int, events: int) -> dict[str, object]:
    """One server's figures; delays in milliseconds."""
    listening = socket.create_server((HOST, 0), backlog=1024)
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    child = context.Process(target=_serve, args=(name, listening, there, events), daemon=True)
    child.start()
    port = listening.getsockname()[1]
    listening.close()
    time.sleep(2)
    try:
        viewers = Viewers(port, streams, idle)
        viewers.read(time.monotonic() + 2)
        here.send("in")
        viewers.read(time.monotonic() + events * EVENT_EVERY_S + 2)
        ticked, cpu, memory, threads = here.recv()
    finally:
        child.kill()
    delays = [
        seen[number] - at
        for number, at in enumerate(ticked, 1)
        for seen in viewers.arrived
        if number in seen
    ]
    return {
        "server": name,
        "streams": streams,
        "idle": idle,
        "delivered": round(len(delays) / (streams * events), 3),
        "lost streams": viewers.lost,
        "view ms, median": round(_share(delays, 0.5)),
        "view ms, p95": round(_share(delays, 0.95)),
        "page ms, median": round(_share(viewers.pages, 0.5)),
        "page ms, p95": round(_share(viewers.pages, 0.95)),
        "processor ms an event": round(cpu * 1000),
        "MiB": round(memory),
        "threads": threads,
    }


def main() -> int:
    """Measure the servers that were named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("servers", nargs="*", default=list(SERVERS))
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--idle", type=int, default=1000)
    parser.add_argument("--events", type=int, default=60)
    options = parser.parse_args()
    for name in options.servers:
        found = measure(name, options.streams, options.idle, options.events)
        sys.stdout.write(f"{json.dumps(found)}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
