"""One request to an address of the settings comes to an end, whatever answers."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from table_assist.trust import post as posting
from table_assist.trust.post import NoAnswerError, post


@contextmanager
def dripping(head: bytes, drop: bytes) -> Iterator[str]:
    """Somebody who begins an answer and goes on with it for ever, a little at a time."""
    is_over = threading.Event()

    def answer() -> None:
        line, _ = listener.accept()
        with suppress(OSError), line:
            line.sendall(head)
            while not is_over.wait(0.05):
                line.sendall(drop)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            is_over.set()
            thread.join()


@pytest.mark.parametrize(
    ("head", "drop"),
    [
        (b"HTTP/1.1 2", b"0"),
        (b"HTTP/1.1 200 OK\r\nA: ", b"x"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"x"),
        (b"HTTP/1.1 307 No\r\nLocation: ", b"/"),
    ],
)
def test_an_answer_that_drips_ends(
    head: bytes, drop: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "LONGEST_S", 0.4)
    begun = time.monotonic()
    with dripping(head, drop) as url, pytest.raises(NoAnswerError):
        post(url, b"x", {}, wait_s=5)
    assert time.monotonic() - begun < 15  # it would go on for ever, or as long as it may elsewhere
