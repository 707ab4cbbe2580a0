"""The server in front of the app, over real sockets."""

import http.client
import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask, request
from hypothesis import given
from hypothesis import strategies as st

from table_assist.languages.words import Words
from tests.stages.repository_tool import free_port
from tests.stages.web_fakes import FakeTable, empty_snapshot
from web import create_app
from web.access import guard
from web.access.limits import REQUEST_LIMIT
from web.access.roles import LOCAL_VIEWER, Role, Viewer
from web.access.trust import parse_trust
from web.api.stream import OWN_VIEWS, Viewers
from web.bridge import RequestWork
from web.serve import PortUnavailableError, Serving, serve
from web.sockets import Connections, PlaceLimits, Places, listen


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
    assert min(delays) < 0.1  # a machine that stalls delays some of them, looking now and then all


def test_the_body_of_an_answer_does_not_wait_for_its_head() -> None:
    """Nagle's algorithm would hold it until the head is confirmed: 40 ms for each answer."""
    connections = Connections(Places(), lambda address: False)
    with (
        listen("127.0.0.1", 0, connections, dead_s=1) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


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
        heavy = (Words(f"{number} " + "x" * (1 << 18), ""),)
        table.publish(replace(empty_snapshot(), notices=heavy))
        time.sleep(0.05)
    assert viewers.count == 0
    viewer.close()


ATTACKER = "127.0.0.66"  # for connections a sender like any in the network


def silent(serving: Serving, count: int, source: str = ATTACKER) -> list[socket.socket]:
    """Connections that never say a word."""
    address = ("127.0.0.1", serving.port)
    return [socket.create_connection(address, 10, (source, 0)) for _ in range(count)]


def is_answered(serving: Serving, path: str = "/api/table") -> bool:
    viewer = connect(serving, path)
    try:
        return b"200 OK" in read_until(viewer, b"\r\n")
    finally:
        viewer.close()


def is_open(idle: socket.socket) -> bool:
    idle.setblocking(False)
    try:
        return bool(idle.recv(1))
    except BlockingIOError:
        return True
    except OSError:
        return False


def readable(sockets: list[socket.socket]) -> list[socket.socket]:
    return select.select(sockets, [], [], 0)[0]


def close_all(*sockets: socket.socket) -> None:
    for each in sockets:
        each.close()


def test_silent_connections_of_one_sender_keep_nobody_out(app: Flask) -> None:
    running = serve(app, port=0)
    idle = silent(running, 600)  # 262 were enough
    assert is_answered(running)
    assert running.connections.count <= PlaceLimits().sender + 1
    assert wait_for(lambda: sum(is_open(each) for each in idle) <= PlaceLimits().sender)
    running.close()
    close_all(*idle)


def test_silent_connections_of_many_senders_keep_nobody_out(app: Flask) -> None:
    running = serve(app, port=0, limits=PlaceLimits(total=60, kept=20, sender=10))
    idle = [each for n in range(12) for each in silent(running, 10, f"127.0.0.{70 + n}")]
    phone = socket.create_connection(("127.0.0.1", running.port), 10, ("127.0.0.200", 0))
    phone.sendall(b"GET /api/table HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert b"200 OK" in read_until(phone, b"\r\n")
    assert is_answered(running)
    assert running.connections.count <= 60
    running.close()
    close_all(phone, *idle)


def test_who_says_half_a_head_is_ended(app: Flask) -> None:
    running = serve(app, port=0, limits=PlaceLimits(first_s=0.3, idle_s=0.3))
    slow, again = silent(running, 1)[0], connect(running, "/api/table")
    slow.sendall(b"GET / HTTP/1.1\r\nHost: ")
    read_until(again, b"}")
    again.sendall(b"G")  # after an answer, too
    assert wait_for(lambda: not is_open(slow) and not is_open(again), 5)
    assert wait_for(lambda: running.connections.count == 0)
    running.close()
    close_all(slow, again)


def test_live_views_of_one_sender_leave_places_for_all_others(table: FakeTable) -> None:
    trust = parse_trust("http://127.0.0.1", ["127.0.0.3"], local_admin=True)
    running = serve(create_app(table, trust=trust), port=0)
    address = ("127.0.0.1", running.port)

    def stream(sender: str) -> tuple[socket.socket, bytes]:
        viewer = socket.create_connection(address, 10, ("127.0.0.3", 0))
        head = f"Host: 127.0.0.1\r\nX-Forwarded-For: {sender}"
        viewer.sendall(f"GET /api/stream HTTP/1.1\r\n{head}\r\n\r\n".encode())
        return viewer, read_until(viewer, b"\r\n")

    greedy = [stream("192.0.2.66") for _ in range(64)]  # took every place
    answered = Counter(answer.split()[1] for _, answer in greedy)
    assert answered == {b"200": OWN_VIEWS, b"503": 64 - OWN_VIEWS}
    other, answer = stream("192.0.2.7")
    assert b"200 OK" in answer
    local = connect(running)
    read_until(local, b"event: view")
    running.close()
    close_all(other, local, *(each for each, _ in greedy))


def test_strangers_in_every_place_leave_those_of_machine_and_phones(table: FakeTable) -> None:
    viewers = Viewers(table, limit=20)
    stranger, phone = Viewer(Role.TELEVISION), Viewer(Role.SEAT, 1, "Ana", "d1")
    taken = [viewers.enter(stranger, f"192.0.2.{n}") for n in range(20)]
    assert taken.count(None) == 10
    assert viewers.enter(phone, "192.0.2.30") is None
    assert viewers.enter(LOCAL_VIEWER, "127.0.0.1") is None
    for n, full in enumerate(taken):
        if not full:
            viewers.leave(stranger, f"192.0.2.{n}")
    assert viewers.count == 2
    assert viewers.enter(stranger, "192.0.2.66") is None


def test_requests_that_wait_take_no_thread_from_the_machine_itself(table: FakeTable) -> None:
    trust = parse_trust("http://127.0.0.1", ["127.0.0.3"], local_admin=True)
    app = create_app(table, trust=trust)
    hold = threading.Event()

    def wait() -> str:
        hold.wait(20)
        return "done"

    wait.__dict__["required_role"] = Role.TELEVISION
    app.add_url_rule("/wait", "wait", wait)
    running = serve(app, port=0)
    address = ("127.0.0.1", running.port)
    waiting = [socket.create_connection(address, 10, ("127.0.0.3", 0)) for _ in range(40)]
    for each in waiting:
        each.sendall(b"GET /wait HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert is_answered(running)
    assert wait_for(lambda: len(readable(waiting)) == 40 - RequestWork().of_sender), "all are here"
    hold.set()
    answers = [read_until(each, b"\r\n") for each in waiting]
    assert sum(b"200 OK" in answer for answer in answers) == RequestWork().of_sender
    assert sum(b"503" in answer for answer in answers) == 40 - RequestWork().of_sender
    running.close()
    close_all(*waiting)


def test_who_looks_on_does_not_keep_the_tables_of_a_club_waiting(app: Flask) -> None:
    hold, held = threading.Event(), threading.Semaphore(0)

    def wait() -> str:
        held.release()
        hold.wait(20)
        return "done"

    for path in ("/wait", "/door"):
        app.add_url_rule(path, path, wait)
    wait.__dict__["required_role"] = Role.TELEVISION
    work = RequestWork(of_sender=30, of_strangers=30, door="/door", door_threads=2, of_door=3)
    running = serve(app, port=0, work=work)
    address = ("127.0.0.1", running.port)

    def asking(path: str, count: int) -> list[socket.socket]:
        made = [socket.create_connection(address, 10, (ATTACKER, 0)) for _ in range(count)]
        for each in made:
            each.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        return made

    lookers = asking("/wait", 30)
    for _ in range(work.open_threads):
        assert held.acquire(timeout=10)
    tables = asking("/door", 4)
    for _ in range(work.door_threads):
        assert held.acquire(timeout=10), "a table waits for those who look on"
    (refused,), _, _ = select.select(tables, [], [], 10)  # more than may wait there
    assert b"503" in read_until(refused, b"\r\n")
    hold.set()
    answers = [read_until(each, b"\r\n") for each in (*lookers, *tables) if each is not refused]
    assert all(b"200 OK" in answer for answer in answers)
    running.close()
    close_all(*lookers, *tables)


def test_a_body_that_drips_takes_no_thread(app: Flask) -> None:
    before = threading.enumerate()  # another server's may be on their way out
    running = serve(app, port=0)
    head = b"POST /api/undo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 400\r\n\r\n{"
    dripping = silent(running, 40)
    for each in dripping:
        each.sendall(head)
    assert is_answered(running)
    begun = [thread for thread in threading.enumerate() if thread not in before]
    assert not [thread for thread in begun if thread.name.startswith("web-open")]
    running.close()
    close_all(*dripping)


def test_a_body_that_does_not_come_is_said_to_be_late(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is no fault of ours: neither 500 nor a line in the program's log."""
    monkeypatch.setattr("web.bridge.BODY_S", 0.2)
    (sender,) = silent(serving, 1)
    sender.sendall(b"POST /api/settle HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{")
    assert b" 408 " in read_until(sender, b"in time.").split(b"\r\n")[0]
    sender.close()


def test_a_body_that_is_too_large_is_refused_before_it_is_here(serving: Serving) -> None:
    sender = socket.create_connection(("127.0.0.1", serving.port), 10)
    sender.sendall(b"POST /api/undo HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000\r\n\r\n")
    sender.sendall(b"x" * (REQUEST_LIMIT + 1))
    assert b"413" in read_until(sender, b"\r\n")
    sender.close()


def test_a_photograph_comes_from_who_was_let_in_and_from_nobody_else(table: FakeTable) -> None:
    trust = parse_trust("http://127.0.0.1", ["127.0.0.3"], local_admin=True)
    app = create_app(table, trust=trust)

    @guard.up_to(2_000_000)
    def take() -> str:
        return str(len(request.get_data()))

    take.__dict__["required_role"] = Role.TELEVISION
    app.add_url_rule("/take", "take", take, methods=["POST"])
    running = serve(app, port=0)

    def send(source: str, size: int) -> bytes:
        sender = socket.create_connection(("127.0.0.1", running.port), 10, (source, 0))
        head = f"POST /take HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {size}\r\n\r\n"
        sender.sendall(head.encode() + b"x" * min(size, 1_000_000))
        answer = read_until(sender, b"\r\n")
        sender.close()
        return answer

    assert b"200 OK" in send("127.0.0.1", 1_000_000)
    assert b"413" in send("127.0.0.3", 100_000)
    running.close()


@given(
    st.lists(
        st.tuples(st.sampled_from(["open", "ask", "answer", "close", "wait"]), st.integers(0, 40)),
        max_size=200,
    )
)
def test_places_keep_their_limits_whatever_happens(steps: list[tuple[str, int]]) -> None:
    clock = [0.0]
    limits = PlaceLimits(total=12, sender=4, kept=3, first_s=1, idle_s=2)
    places = Places(limits, lambda: clock[0])
    held: dict[int, int] = {}  # connection to sender; sender 0 is this machine
    for what, n in steps:
        if what == "open" and n not in held:
            to_close = places.open(n, str(n % 5), is_own=n % 5 == 0)
            for each in to_close:
                held.pop(each, None)
            if n not in to_close:
                held[n] = n % 5
        elif what == "wait":
            clock[0] += n / 20
            for each in places.overdue():
                places.close(each)
                held.pop(each)
        elif what == "close":
            held.pop(n, None)
            places.close(n)
        elif what in ("ask", "answer"):
            getattr(places, what)(n)
        assert places.count == len(held) <= limits.total
        network = [sender for sender in held.values() if sender]
        assert len(network) <= limits.total - limits.kept
        assert all(network.count(sender) <= limits.sender for sender in network)
    for n in list(held):
        places.close(n)
    assert places.count == 0
    assert places == Places(limits, places.now)


def test_closing_ends_viewers_and_frees_the_port(app: Flask) -> None:
    running = serve(app, port=free_port())
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
