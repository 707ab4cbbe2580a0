"""The server in front of the app, over real sockets."""

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask

from table_assist.words import Words
from tests.stages.web_fakes import (
    FakeTable,
    empty_snapshot,
    opened,
)
from web import create_app
from web.serve import PENDING_LIMIT, PortUnavailableError, Serving, serve


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(opened().snapshot())


@pytest.fixture
def app(table: FakeTable) -> Flask:
    return create_app(table)


@pytest.fixture
def serving(app: Flask) -> Iterator[Serving]:
    running = serve(app, port=0, dead_viewer_s=1)
    yield running
    running.close()


def connect(serving: Serving, path: str = "/api/stream") -> socket.socket:
    viewer = socket.create_connection(("127.0.0.1", serving.port), timeout=10)
    viewer.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return viewer


def read_until(viewer: socket.socket, what: bytes) -> bytes:
    got = b""
    while what not in got:
        part = viewer.recv(65536)
        assert part, f"the stream ended before {what!r}"
        got += part
    return got


def wait_for(condition, timeout_s: float = 10.0) -> bool:
    end = time.monotonic() + timeout_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(condition())


def test_the_page_is_served_at_the_url(serving: Serving) -> None:
    assert serving.url == f"http://127.0.0.1:{serving.port}/"
    connection = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=10)
    connection.request("GET", "/")
    reply = connection.getresponse()
    assert reply.status == 200
    assert b"table-token" in reply.read()
    assert reply.getheader("Server") is None
    connection.close()


def test_a_taken_port_is_one_sentence(app: Flask, serving: Serving) -> None:
    with pytest.raises(PortUnavailableError) as caught:
        serve(app, port=serving.port)
    assert str(caught.value) == (
        f"cannot serve the dashboard on 127.0.0.1 port {serving.port}: "
        "address already in use; choose another with --port"
    )


@pytest.mark.parametrize(
    ("host", "port"), [("203.0.113.7", 0), ("127.0.0.1", 70000), ("no host", 0)]
)
def test_an_address_that_is_none_is_one_sentence(app: Flask, host: str, port: int) -> None:
    with pytest.raises(PortUnavailableError, match="cannot serve the dashboard on"):
        serve(app, host, port)


def test_a_change_reaches_the_viewer_at_once(serving: Serving, table: FakeTable) -> None:
    viewer = connect(serving)
    read_until(viewer, b"event: view")
    delays = []
    for hand in range(20):
        changed = empty_snapshot()
        published = time.monotonic()
        table.publish(replace(changed, state=replace(changed.state, hand=hand)))
        read_until(viewer, b'"hand":%d,' % hand)
        delays.append(time.monotonic() - published)
    viewer.close()
    assert sorted(delays)[10] < 0.1


def test_a_viewer_that_leaves_is_noticed(app: Flask, serving: Serving) -> None:
    viewers = app.extensions["viewers"]
    viewer = connect(serving)
    read_until(viewer, b"event: view")
    assert viewers.count == 1
    viewer.close()
    assert wait_for(lambda: viewers.count == 0, 5)


def test_a_viewer_that_takes_nothing_is_ended(
    app: Flask, serving: Serving, table: FakeTable
) -> None:
    viewers = app.extensions["viewers"]
    viewer = socket.socket()
    viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    viewer.connect(("127.0.0.1", serving.port))
    viewer.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert wait_for(lambda: viewers.count == 1)
    end, number = time.monotonic() + 20, 0
    while viewers.count and time.monotonic() < end:
        number += 1
        heavy = (Words(f"{number} " + "x" * (PENDING_LIMIT // 4), ""),)
        table.publish(replace(empty_snapshot(), notices=heavy))
        time.sleep(0.05)
    assert viewers.count == 0
    viewer.close()


def test_viewers_at_the_limit_leave_threads_for_everybody_else(
    app: Flask, serving: Serving
) -> None:
    viewers = app.extensions["viewers"]
    live = [connect(serving) for _ in range(viewers.limit)]
    for viewer in live:
        read_until(viewer, b"event: view")
    refused = connect(serving)
    assert b"503" in read_until(refused, b"\r\n")
    other = connect(serving, "/api/table")
    assert b"200 OK" in read_until(other, b"\r\n")
    for each in (*live, refused, other):
        each.close()
    assert wait_for(lambda: viewers.count == 0)


def test_closing_ends_viewers_and_frees_the_port(app: Flask) -> None:
    running = serve(app, port=0)
    viewer = connect(running)
    read_until(viewer, b"event: view")
    running.close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", running.port), timeout=5)
    assert wait_for(lambda: app.extensions["viewers"].count == 0)
    assert not [thread for thread in threading.enumerate() if thread.name == "web"]
    again = serve(app, port=running.port)
    again.close()
    again.close()
    viewer.close()
