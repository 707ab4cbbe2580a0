"""The server in front of the app: uvicorn's event loop in a thread of its own.

Of five servers it kept 200 live views beside 1,000 silent connections best. Limits are kept where
connections are accepted (`web.sockets`) and where requests take threads
(`web.bridge`), so that they hold for TLS too.
"""

import asyncio
import logging
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field

import uvicorn
from flask import Flask

from table_assist.languages.words import UserError
from web.access.limits import asker_of, body_limit_of, is_proxy
from web.access.roles import Secured
from web.authority import Tls
from web.bridge import Bridge, RequestWork
from web.sockets import Connections, Listening, PlaceLimits, Places, listen

HEAD_LIMIT = 16384  # bytes of a request's head
DEAD_VIEWER_S = 20.0  # a viewer that takes nothing for so long is gone
SWEEP_S = 0.5
SERVER_LEAVE_S = 1  # for answers under way, when the server ends


class PortUnavailableError(UserError, OSError):
    """The address cannot be listened on."""


@dataclass(slots=True)
class Serving:
    """A running server.

    Attributes:
        url: where a browser on this machine finds the dashboard.
        connections: who is connected.
    """

    url: str
    port: int
    connections: Connections
    _app: Flask = field(repr=False)
    _bridge: Bridge = field(repr=False)
    _servers: tuple[tuple[uvicorn.Server, Listening], ...] = field(repr=False)
    tls_url: str = ""
    _thread: threading.Thread | None = field(default=None, repr=False)

    def start(self) -> None:
        """Begin to answer, in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening, end every viewer and wait until that is done."""
        for server, _ in self._servers:
            server.should_exit = True
        viewers = self._app.extensions.get("viewers")
        if viewers is not None:
            viewers.end_all()
        if self._thread is not None and self._thread.is_alive():
            self._thread.join(timeout=10)
        self._bridge.close()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        sweeping = asyncio.create_task(self._sweep())
        try:
            await asyncio.gather(
                *(server.serve(sockets=[listening]) for server, listening in self._servers)
            )
        finally:
            sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await sweeping
            # End what is still connected, so that nothing is left when the loop ends
            for server, _ in self._servers:
                for each in list(server.server_state.connections):
                    each.transport.abort()
            self.connections.end_all()
            until = time.monotonic() + SERVER_LEAVE_S
            while self.connections.count and time.monotonic() < until:
                await asyncio.sleep(0.01)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            self.connections.sweep()


def serve(
    app: Flask,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    tls: Tls | None = None,
    tls_port: int = 8443,
    hsts: bool = False,
    limits: PlaceLimits | None = None,
    dead_viewer_s: float = DEAD_VIEWER_S,
    work: RequestWork | None = None,
) -> Serving:
    """Serve the app from a thread of its own; port 0 takes a free one.

    With TLS there are two ports: who comes to the first from the network is led to the other.

    Raises:
        PortUnavailableError: a port is taken, or the address is not this machine's.
    """
    limits = limits or PlaceLimits()
    _raise_file_limit(2 * limits.total)
    connections = Connections(Places(limits), lambda address: is_proxy(app, address))
    listening = [_listen(host, port, connections, dead_viewer_s, "--port")]
    ports = [int(listening[0].getsockname()[1])]
    app.config.pop("TABLE_TLS", None)
    if tls is not None:
        try:
            listening.append(_listen(host, tls_port, connections, dead_viewer_s, "--tls-port"))
        except PortUnavailableError:
            listening[0].close()
            raise
        ports.append(int(listening[1].getsockname()[1]))
        app.config["TABLE_TLS"] = Secured(
            ports[1], ports[0], tls.authority, tls.fingerprint, hsts=hsts
        )
    bridge = Bridge(
        app,
        lambda environ: asker_of(app, environ),
        lambda environ, asker: body_limit_of(app, environ, asker),
        connections,
        dead_viewer_s,
        work or RequestWork(),
        app.extensions.get("talk"),
    )
    most = app.config.get("LINE_BYTES", 0)  # of a message over a connection that stays open
    contexts = [None, tls.context if tls is not None else None]
    servers = tuple(
        (_server(bridge, context, most), each)
        for context, each in zip(contexts, listening, strict=False)
    )
    shown = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    name = f"[{shown}]" if ":" in shown else shown
    tls_url = f"https://{name}:{ports[1]}/" if tls is not None else ""
    url = f"http://{name}:{ports[0]}/"
    serving = Serving(url, ports[0], connections, app, bridge, servers, tls_url)
    serving.start()
    return serving


def _listen(
    host: str, port: int, connections: Connections, dead_s: float, option: str
) -> Listening:
    try:
        return listen(host, port, connections, dead_s=dead_s)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PortUnavailableError(
            f"cannot serve the dashboard on {host} port {port}: {reason.lower()}; "
            f"choose another with {option}"
        ) from error


def _server(bridge: Bridge, tls: ssl.SSLContext | None, most: int) -> uvicorn.Server:
    config = uvicorn.Config(
        bridge,
        http="h11",
        ws="none" if bridge.talk is None else "websockets-sansio",
        ws_max_size=most,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level=logging.CRITICAL,  # phones leave without a word all evening; faults are our own
        access_log=False,
        server_header=False,
        proxy_headers=False,  # `web.access.trust` decides whom to believe
        backlog=1024,
        timeout_keep_alive=3600,  # `Places` is stricter
        timeout_graceful_shutdown=SERVER_LEAVE_S,
        h11_max_incomplete_event_size=HEAD_LIMIT,
        ssl_context_factory=None if tls is None else lambda *_: tls,
    )
    return uvicorn.Server(config)


def _raise_file_limit(wanted: int) -> None:
    """Every connection is an open file; many systems begin with 1,024 or 256."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
