"""Batches that come at the same time are committed together: one wait for the disk for all."""

import queue
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from table_assist.club.hub.intake import Sent, take_free
from table_assist.club.wire import BatchAnswer

MOST = 256  # batches of one transaction
AGAIN_S = 0.05  # until a table is tried again that another process holds
FAULT_S = 10.0  # tables that were not taken come again sooner, or have gone to another hub
HELD_S = 5.0  # and for how long: a hub that was stopped in a transaction loses it sooner


class HeldError(TimeoutError):
    """Another process holds the table; nothing was stored."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    sent: Sent
    answer: "Future[BatchAnswer]" = field(default_factory=Future)
    since_s: float = field(default_factory=time.monotonic)


class Collector:
    """One thread writes what many bring.

    Args:
        engine: the hub's database.

    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._fault, self._fault_at = "", 0.0
        self._inbox: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._held: list[_Waiting] = []
        self._thread = threading.Thread(target=self._run, name="intake", daemon=True)
        self._thread.start()

    def submit(self, sent: Sent, timeout_s: float = 30.0) -> BatchAnswer:
        """Bring a batch, and wait for what is said to it.

        Raises:
            SQLAlchemyError: nothing of it was stored.
            TimeoutError: whether it was is not known.
        """
        return self.bring(sent).result(timeout_s)

    def bring(self, sent: Sent) -> "Future[BatchAnswer]":
        """The same without waiting; what is said comes in the collector's own thread."""
        waiting = _Waiting(sent)
        self._inbox.put(waiting)
        return waiting.answer

    @property
    def fault(self) -> str:
        """Why the database took nothing a moment ago; empty where it does."""
        return self._fault if time.monotonic() < self._fault_at + FAULT_S else ""

    def close(self) -> None:
        """Write what has come, and end."""
        self._inbox.put(None)
        self._thread.join()

    def _run(self) -> None:
        is_over = False
        while not is_over:
            got = self._next()
            while len(got) < MOST and not self._inbox.empty():
                got.append(self._inbox.get())
            together = [each for each in got if each is not None]
            is_over = len(together) < len(got)
            together, self._held = together + self._held, []
            if together:
                self._write(together)

    def _next(self) -> list[_Waiting | None]:
        """The next ones; nothing where it is time to try those again that are held."""
        try:
            return [self._inbox.get(timeout=AGAIN_S if self._held else None)]
        except queue.Empty:
            return []

    def _write(self, together: list[_Waiting]) -> None:
        try:
            answers = take_free(self._engine, [each.sent for each in together])
        except Exception as error:  # a fault of ours must not leave them waiting
            if len(together) > 1 and not isinstance(error, OperationalError):
                for each in together:  # one of them spoils it for all
                    self._write([each])
                return
            self._fault, self._fault_at = reason(error), time.monotonic()
            for each in together:
                each.answer.set_exception(error)
            return
        self._fault = ""
        for each, answer in zip(together, answers, strict=True):
            if answer is not None:
                each.answer.set_result(answer)
            elif time.monotonic() - each.since_s < HELD_S:
                self._held.append(each)
            else:
                each.answer.set_exception(HeldError("another process holds the table"))


def reason(error: Exception) -> str:
    """A database's error in one line."""
    said = str(getattr(error, "orig", None) or error).strip().splitlines()
    return said[0] if said else repr(error)
