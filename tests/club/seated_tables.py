"""Simulated tables that obey: their logs say who sat there when points moved, and are the truth."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from websockets.exceptions import WebSocketException

from bench.club.load import LoadTable
from table_assist.club.orders import Order, OrderKind
from table_assist.club.wire import BatchAnswer
from table_assist.game.events import HandStarted, Settled

Credit = tuple[int, int]  # session, player
EVERY_S = 1.0


@dataclass(slots=True)
class SeatedTable(LoadTable):
    """Plays hands of two entries; who sits there is known from signed orders.

    Attributes:
        club: the hub's public key.
        points: by session and player, as this log has them.
        names: of players, as this table was told.
    """

    club: str = ""
    points: Counter[Credit] = field(default_factory=Counter)
    names: dict[int, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    is_given_up: bool = False
    _hand: int = 0
    _next: tuple[int, tuple[int, ...]] = (0, ())
    _now: tuple[int, tuple[int, ...]] = (0, ())
    _done: set[str] = field(default_factory=set)

    def make(self, due: float | None) -> None:
        """A hand begins, or is settled."""
        self._hand += 1
        if self._hand % 2:
            self._now = self._next
            self.write(HandStarted(self._hand // 2 + 1, "changsha", 0, 55), due)
            return
        winner, worth = self.random.randrange(4), self.random.randint(1, 30)
        moved = [3 * worth if seat == winner else -worth for seat in range(4)]
        session, players = self._now
        for player, points in zip(players, moved, strict=False):
            self.points[session, player] += points
        self.write(Settled((winner,), (moved[0], moved[1], moved[2], moved[3]), 0), due)

    def hear(self, answer: BatchAnswer) -> None:
        """What the hub holds must be this log; and its orders are obeyed, each once."""
        if answer.have and self.rows[answer.have - 1][0] != answer.seal:
            self.faults.append(f"the hub holds another entry {answer.have}")
        for order in answer.orders:
            if order.key not in self._done and order.is_by(self.club, self.key.public):
                self._done.add(order.key)
                self._obey(order)

    def _obey(self, order: Order) -> None:
        if order.kind is OrderKind.SEATS:
            players = tuple(order.content["players"])
            self._next = (order.content["session"], players)
            self.names |= zip(players, order.content["names"], strict=True)
        self.write(order.as_event(), time.monotonic())

    @property
    def _is_behind(self) -> bool:
        return self.acknowledged < len(self.rows) and not self.is_given_up

    async def play_until(self, is_over: threading.Event) -> None:
        """An entry about every second; at the end everything is acknowledged."""
        while not is_over.is_set() or self._is_behind:
            if not is_over.is_set():
                self.make(time.monotonic())
            try:
                await self.send(time.monotonic)
            except (OSError, EOFError, WebSocketException):
                await self.call_the_next()
            except ValueError as error:
                if "the hub says" in str(error):
                    self.faults.append(str(error))
                await self.call_the_next()
            await asyncio.sleep(EVERY_S * (0.5 + self.random.random()))
        await self.hang_up()


class Playing:
    """All tables, in a thread of their own."""

    def __init__(self, tables: Sequence[SeatedTable]) -> None:
        self._tables = tables
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()), daemon=True)
        self._thread.start()

    async def _play(self) -> None:
        await asyncio.gather(*(table.play_until(self._is_over) for table in self._tables))

    def all_go_on(self, most_s: float) -> float:
        """Seconds until every table has had acknowledged what it has made until now.

        Raises:
            AssertionError: some have not.
        """
        begun, wanted = time.monotonic(), [len(table.rows) for table in self._tables]
        while any(
            table.acknowledged < many for table, many in zip(self._tables, wanted, strict=True)
        ):
            late = [
                (table.number, table.acknowledged, many)
                for table, many in zip(self._tables, wanted, strict=True)
                if table.acknowledged < many
            ]
            assert time.monotonic() < begun + most_s, f"these tables are not taken: {late}"
            time.sleep(0.05)
        return time.monotonic() - begun

    def give_up(self) -> None:
        """Play no more, whatever is acknowledged."""
        for table in self._tables:
            table.is_given_up = True
        self._is_over.set()

    def end(self) -> None:
        """Play no more, and have everything acknowledged."""
        self._is_over.set()
        self._thread.join(120)
        assert not self._thread.is_alive(), "the tables come to no end"
