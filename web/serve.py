"""The server in front of the app: waitress, with a thread for every live viewer."""

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from waitress.server import create_server

from web.api.stream import VIEWER_LIMIT

OTHER_THREADS = 8  # for pages, pictures and commands while every viewer's place is taken
PENDING_LIMIT = 1 << 20  # bytes unsent to one viewer before it is only waited for
DEAD_VIEWER_S = 20  # a viewer that takes nothing for so long is gone


class PortUnavailableError(OSError):
    """The address cannot be listened on."""


@dataclass(slots=True)
class Serving:
    """A running server.

    Attributes:
        url: where a browser on this machine finds the dashboard.
    """

    url: str
    port: int
    _server: Any = field(repr=False)
    _sockets: dict[int, Any] = field(repr=False)
    _stopping: threading.Event = field(default_factory=threading.Event, repr=False)
    _thread: threading.Thread | None = field(default=None, repr=False)

    def start(self) -> None:
        """Begin to answer, in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening, end every viewer and wait until that is done."""
        self._stopping.set()
        if self._thread is not None and self._thread.is_alive():
            with suppress(OSError):  # the loop may have ended by itself just now
                self._server.pull_trigger()
            self._thread.join(timeout=10)

    def _run(self) -> None:
        server = self._server
        while not self._stopping.is_set():
            server.asyncore.loop(timeout=1, use_poll=True, map=self._sockets, count=1)
        for channel in list(server.active_channels.values()):
            channel.handle_close()
        server.task_dispatcher.shutdown()  # the streams' threads may still pull the trigger
        server.asyncore.close_all(self._sockets)


def serve(
    app: Flask, host: str = "127.0.0.1", port: int = 8000, *, dead_viewer_s: float = DEAD_VIEWER_S
) -> Serving:
    """Serve the app from a thread of its own; port 0 takes a free one.

    Raises:
        PortUnavailableError: the port is taken, or the address is not this machine's.
    """
    listening = _listen(host, port, dead_viewer_s)
    port = int(listening.getsockname()[1])
    sockets: dict[int, Any] = {}
    server = create_server(
        app,
        map=sockets,
        sockets=[listening],
        threads=VIEWER_LIMIT + OTHER_THREADS,
        connection_limit=4 * VIEWER_LIMIT,
        channel_request_lookahead=1,  # so that a viewer who leaves is noticed at once
        outbuf_high_watermark=PENDING_LIMIT,
        max_request_header_size=16384,
        max_request_body_size=65536,
        log_socket_errors=False,  # phones leave without a word all evening
        ident="",
        clear_untrusted_proxy_headers=False,  # they show that a request is not the local machine's
    )
    shown = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    serving = Serving(
        f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/", port, server, sockets
    )
    serving.start()
    return serving


def _listen(host: str, port: int, dead_viewer_s: float) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted connections inherit it
            milliseconds = round(dead_viewer_s * 1000)
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
        listening.bind((host, port))
        listening.listen(128)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise PortUnavailableError(
            f"cannot serve the dashboard on {host} port {port}: {reason.lower()}; "
            "choose another with --port"
        ) from error
    return listening
