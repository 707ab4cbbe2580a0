"""Batches that come at the same time are committed together: one wait for the disk for all."""

import queue
import threading
from concurrent.futures import Future

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from table_assist.club.hub.intake import Sent, take
from table_assist.club.wire import Answer

MOST = 256  # batches of one transaction
Waiting = tuple[Sent, "Future[Answer]"]


class Collector:
    """One thread writes what many bring.

    Args:
        engine: the hub's database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._inbox: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="intake", daemon=True)
        self._thread.start()

    def take(self, sent: Sent, timeout_s: float = 30.0) -> Answer:
        """Bring a batch, and wait for what is said to it.

        Raises:
            SQLAlchemyError: nothing of it was stored.
            TimeoutError: whether it was is not known.
        """
        waiting: Future[Answer] = Future()
        self._inbox.put((sent, waiting))
        return waiting.result(timeout_s)

    def close(self) -> None:
        """Write what has come, and end."""
        self._inbox.put(None)
        self._thread.join()

    def _run(self) -> None:
        is_over = False
        while not is_over:
            got = [self._inbox.get()]
            while len(got) < MOST and not self._inbox.empty():
                got.append(self._inbox.get())
            together = [each for each in got if each is not None]
            is_over = len(together) < len(got)
            if together:
                self._write(together)

    def _write(self, together: list[Waiting]) -> None:
        try:
            answers = take(self._engine, [sent for sent, _ in together])
        except Exception as error:  # a fault of ours must not leave them waiting
            if len(together) > 1 and not isinstance(error, OperationalError):
                for each in together:  # one of them spoils it for all
                    self._write([each])
                return
            for _, waiting in together:
                waiting.set_exception(error)
            return
        for (_, waiting), answer in zip(together, answers, strict=True):
            waiting.set_result(answer)
