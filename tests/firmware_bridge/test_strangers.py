"""What is at the other end and is no board of ours: said in one sentence, and no memory filled."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from firmware_bridge.events import Key, KeyPressed
from firmware_bridge.frames import SEQ_MODULUS, encode
from firmware_bridge.link import Link, LinkDown, LinkItem, LinkStatus
from firmware_bridge.messages import PROTOCOL, Event, Hello, to_frame
from firmware_bridge.receiver import MOST_UNSTORED, Reading, Receiver
from tests.stages.linked_board import QUICK, linked, wait_until
from tests.stages.linked_board import board as board

SOON_LOST = replace(QUICK, silent_s=0.8)


def test_a_port_that_echoes_is_no_board() -> None:
    with linked("loop://", timing=SOON_LOST) as host:
        assert host.next(LinkDown) == LinkDown(
            "What is on loop:// sends lines, but does not say that it is a board."
        )


@contextmanager
def scripted_port(*said: bytes) -> Iterator[str]:
    """A TCP port that says the same bytes to everyone, again and again."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        is_over = threading.Event()

        def serve() -> None:
            while not is_over.is_set():
                try:
                    connection, _ = server.accept()
                except TimeoutError:
                    continue
                with connection:
                    while not is_over.wait(0.05):
                        try:
                            connection.sendall(b"".join(said))
                        except OSError:
                            break

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"socket://127.0.0.1:{server.getsockname()[1]}"
        finally:
            is_over.set()
            thread.join()


def test_another_speed_or_device_is_said() -> None:
    with scripted_port(b"\x80\xff\x13\x0a") as url, linked(url, timing=SOON_LOST) as host:
        assert host.next(LinkDown) == LinkDown(
            f"What is on {url} sends bytes that cannot be read: "
            "is it the board, and is its speed 115200?"
        )


def test_nothing_at_the_other_end_is_said() -> None:
    with scripted_port() as url, linked(url, timing=SOON_LOST) as host:
        assert host.next(LinkDown) == LinkDown(f"Nothing answers on {url}: is it the board's port?")


def test_a_newer_protocol_is_said_and_its_events_are_left() -> None:
    hello = encode(to_frame(Hello(0, "A1B2C3D4", 5, 0, 2, "future-2", ("KEY",))))
    with scripted_port(hello) as url, linked(url) as host:
        down = host.next(LinkDown)
        assert down.reason == (
            f"The board on {url} (future-2) speaks protocol 2, this program speaks 1: "
            "update the older of the two."
        )


HELLO = Hello(0, "A1B2C3D4", 1, 0, PROTOCOL, "virtual-1", ("KEY",))


def pressed(seq: int) -> Event:
    return Event(seq, HELLO.boot_id, 1, KeyPressed(0, Key.WIN))


class FloodingPort:
    """A board that heeds nothing: as many signals as are read, or greetings without end."""

    def __init__(self, *, restarts: bool = False) -> None:
        self.opened = self.sent = 0
        self._restarts = restarts

    def open(self, url: str, baud: int, poll_s: float) -> "FloodingPort":
        self.opened += 1
        self._begun = False
        return self

    @property
    def in_waiting(self) -> int:
        return 1 << 16

    def read(self, size: int = 1) -> bytes:
        lines = b"" if self._begun else self._hello("A1B2C3D4")
        self._begun = True
        while len(lines) < 8192:
            self.sent += 1
            if self._restarts:
                lines += self._hello(f"{self.sent:08X}")
            else:
                event = pressed(self.sent % SEQ_MODULUS)
                lines += encode(to_frame(event))
        return lines

    def _hello(self, boot_id: str) -> bytes:
        return encode(to_frame(replace(HELLO, boot_id=boot_id)))

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("restarts", [False, True])
def test_a_board_that_never_waits_fills_no_memory_is_told_and_can_be_stopped(
    restarts: bool,
) -> None:
    port = FloodingPort(restarts=restarts)
    items: list[LinkItem] = []
    timing = replace(QUICK, longest_wait_s=30.0)
    link = Link("/dev/null", items.append, timing=timing, open_port=port.open)  # stores nothing
    link.start()
    wait_until(lambda: link.health.status is LinkStatus.LOST)
    said = "restarts without end" if restarts else "without waiting for acknowledgements"
    assert said in link.health.message
    time.sleep(0.1)
    assert port.opened == 1
    assert len(items) < 2 * MOST_UNSTORED  # 69,000 and more, before
    started = time.monotonic()
    link.stop()
    assert time.monotonic() - started < 5
    assert LinkDown(link_reason(items)) in items


def link_reason(items: list[LinkItem]) -> str:
    return next(item.reason for item in items if isinstance(item, LinkDown))


def test_what_is_stored_makes_room_for_what_comes_next() -> None:
    receiver = Receiver()
    taken: list[Reading] = []

    def send(first: int, count: int) -> None:
        for seq in range(first, first + count):
            frame = to_frame(pressed(seq))
            for item in receiver.feed(encode(frame), now_s=1.0, received_s=1.0):
                assert isinstance(item, Reading)
                taken.append(item)

    list(receiver.feed(encode(to_frame(HELLO)), now_s=0.0, received_s=0.0))
    send(1, MOST_UNSTORED + 10)
    assert len(taken) == MOST_UNSTORED
    assert receiver.counters.overrun == 1  # the others are early
    receiver.stored(taken[99])
    send(MOST_UNSTORED + 1, 200)
    assert [each.seq for each in taken] == list(range(1, MOST_UNSTORED + 101))
