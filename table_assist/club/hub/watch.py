"""The watch over database servers, hub processes and clocks: a look every few seconds.

It is told at the desk from this process's memory: where nothing can be written, no alarm can be
written either.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.base import fence_of
from table_assist.club.hub.fence import SeenServer
from table_assist.club.hub.pulse import Pulse
from table_assist.languages.words import Words

EVERY_S = 2.0  # between looks at servers
BEAT_S = 1.5  # between signs of life: one that is missing twice is told
CLOSE_S = 5.0
APART_S = 2.0  # clocks that differ by more are told


class Watch:
    """Looks; nothing to see of servers where the database is a file.

    Args:
        fault_of_intake: why the database takes no entries now; empty while it does.
    """

    def __init__(self, base: Engine, fault_of_intake: Callable[[], str] = lambda: "") -> None:
        self._base = base
        self._fence = fence_of(base)
        self._fault_of_intake = fault_of_intake
        self._seen: tuple[Words, ...] = ()
        self._pulse: Pulse | None = None
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    @property
    def wrong(self) -> tuple[Words, ...]:
        """The faults of the last look, the gravest first."""
        fault = self._fault_of_intake()
        intake = Words(
            "The database does not take what tables send: {fault}",
            "数据库无法保存牌桌上传的内容：{fault}",
            fault=fault,
        )
        missing = self._pulse.missing if self._pulse is not None else ()
        return (*((intake,) if fault else ()), *self._seen, *missing)

    def start(self, name: str) -> None:
        """Look in threads of its own from now on.

        Args:
            name: of this hub, for the others.
        """
        if self._fence is None:
            return
        self._pulse = Pulse(self._base, name)
        # A server that is frozen keeps whoever writes; looking must go on.
        for do, every_s in ((self.check, EVERY_S), (self._beat, BEAT_S)):
            given = (do, every_s)
            thread = threading.Thread(target=self._run, args=given, name="watch", daemon=True)
            thread.start()
            self._threads.append(thread)

    def close(self) -> None:
        """End."""
        self._stop.set()
        for each in self._threads:
            each.join(CLOSE_S)
        if self._pulse is not None:
            with suppress(SQLAlchemyError):
                self._pulse.end()

    def check(self) -> None:
        """Look once."""
        if self._fence is not None:
            seen = self._fence.inspect()
            self._seen = tuple(faults(seen, self._fence.newest, time.time()))

    def _beat(self) -> None:
        if self._pulse is not None:
            with suppress(SQLAlchemyError):
                self._pulse.beat()

    def _run(self, do: Callable[[], None], every_s: float) -> None:
        do()  # a hub that stops a moment after its start is missed, too
        while not self._stop.wait(every_s):
            do()


def faults(seen: Sequence[SeenServer], newest: int, now_s: float) -> Iterator[Words]:
    """The faults.

    Args:
        newest: the timeline that counts.
        now_s: this machine's clock.
    """
    now = [each for each in seen if each.timeline and each.timeline == newest]
    if not now:
        yield Words(
            "No database server of the club may be written: tables play on, and wait.",
            "没有可写入的俱乐部数据库服务器：牌局照常，数据等待上传。",
        )
    yield from _split(seen, now, newest)
    for each in now:
        if each.wants_standby and not each.standbys:
            yield Words(
                "{name} waits with every commit for a standby, and there is none: nothing is "
                "stored until one is back.",
                "{name} 每次提交都等待备用服务器，而现在没有：备用服务器恢复前无法保存。",
                name=each.name,
            )
        if abs(apart := now_s - each.now_s) > APART_S:
            yield Words(
                "This hub's clock is {apart} s apart from that of {name}: set it.",
                "本中心的时钟与 {name} 相差 {apart} 秒：请校准。",
                apart=f"{apart:+.0f}",
                name=each.name,
            )
    for each in seen:
        if not each.answers:
            yield Words("{name} does not answer.", "{name} 没有应答。", name=each.name)


def _split(seen: Sequence[SeenServer], now: Sequence[SeenServer], newest: int) -> Iterator[Words]:
    for each in seen:
        if 0 < each.timeline < newest:
            yield Words(
                "{name} was left for a newer server, and may be written still: stop it, and "
                "make it a standby. This hub does not use it.",
                "{name} 已被新的主服务器取代，但仍可写入：请停止它并改为备用服务器。本中心不再"
                "使用它。",
                name=each.name,
            )
    if len(now) > 1:
        names = ", ".join(each.name for each in now)
        yield Words(
            "{names} may be written, all of them: stop all but one.",
            "{names} 同时可写入：请只保留一台。",
            names=names,
        )
