"""The tables' door, in the server's own loop: a batch takes no thread and no Flask.

Only what is in order is answered here. Whatever is not (a signature, a batch that cannot be read,
another method) goes on to the app, which says in a sentence what is wrong, and counts it.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.collector import Collector
from table_assist.club.hub.intake import Sent
from table_assist.club.wire import (
    DOWN,
    ROOMY_BYTES,
    SIGNATURE,
    UP,
    BatchAnswer,
    WireError,
    answer_bytes,
    read_batch,
)
from table_assist.trust.installation import InstallationKey, signer_of
from web.answers import refusal_answer
from web.club import uplink_api
from web.serving.bridge import Reply

LONG = 4_000  # bytes of a body whose reading would keep the others in the loop waiting
WAIT_S = 30.0
MOST_SIGNATURE = 400
_HEADER = f"HTTP_{SIGNATURE.upper().replace('-', '_')}"

Come = Callable[["Future[BatchAnswer]"], None]


class Door:
    """Takes batches; in one loop.

    Args:
        app: the hub, to which goes what is not answered here.

    Attributes:
        readers: a thread that reads what is long.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._collector: Collector = app.extensions["collector"]
        self._key: InstallationKey = app.extensions["hub_key"]
        self.readers = ThreadPoolExecutor(1, "door")
        self._done: deque[tuple[Come, Future[BatchAnswer]]] = deque()
        self._lock = threading.Lock()

    async def __call__(self, environ: Mapping[str, Any], body: bytes) -> Reply | None:
        """The answer to a batch; None where the app is to say what is wrong."""
        is_plain = environ["wsgi.url_scheme"] != "https" and self._app.config.get("TABLE_TLS")
        if environ["REQUEST_METHOD"] != "POST" or is_plain:
            return None
        loop, signature = asyncio.get_running_loop(), environ.get(_HEADER, "")
        if len(body) < LONG:
            sent = _read(signature, body)
        else:
            sent = await loop.run_in_executor(self.readers, _read, signature, body)
        if sent is None:
            return None
        try:
            async with asyncio.timeout(WAIT_S):
                answer = await self._taken(sent, loop)
        except (SQLAlchemyError, TimeoutError) as error:
            uplink_api.say_no_database(error)
            return Reply(503, {}, refusal_answer(uplink_api.NO_DATABASE, 503).get_data())
        down = answer_bytes(answer)
        return Reply(200, {SIGNATURE: self._key.sign(DOWN, down).decode()}, down)

    def close(self) -> None:
        """Read nothing any more."""
        self.readers.shutdown(wait=False, cancel_futures=True)

    async def _taken(self, sent: Sent, loop: asyncio.AbstractEventLoop) -> BatchAnswer:
        own: asyncio.Future[BatchAnswer] = loop.create_future()

        def come(answer: "Future[BatchAnswer]") -> None:
            if own.done():
                return
            error = answer.exception()
            if error is None:
                own.set_result(answer.result())
            else:
                own.set_exception(error)

        self.bring(sent, loop, come)
        return await own

    def bring(self, sent: Sent, loop: asyncio.AbstractEventLoop, come: Come) -> None:
        """Have a batch taken; what is said to it comes in the loop."""

        def tell(answer: "Future[BatchAnswer]") -> None:
            """In the collector's thread: the loop is woken once for all that is told together."""
            with self._lock:
                self._done.append((come, answer))
                is_first = len(self._done) == 1
            if is_first:
                with suppress(RuntimeError):  # the server has ended, and with it who waits
                    loop.call_soon_threadsafe(self._tell)

        self._collector.bring(sent).add_done_callback(tell)

    def _tell(self) -> None:
        while self._done:
            come, answer = self._done.popleft()
            come(answer)


def _read(signature: str, body: bytes) -> Sent | None:
    """The batch; None where its signature does not fit, or it is none."""
    if len(signature) >= MOST_SIGNATURE or len(body) > ROOMY_BYTES:
        return None
    table = signer_of(signature.encode(), UP, body)
    try:
        return Sent(table, read_batch(body)) if table else None
    except WireError:
        return None
