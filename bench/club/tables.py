"""Simulated tables: each has a key and a sealed log that grows, and sends it over an open line.

They speak in one event loop, so that a thousand of them cost this process little beside the hub.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from table_assist.club.wire import (
    MOST_BYTES,
    PATH,
    Batch,
    BatchAnswer,
    HubReply,
    Row,
    SecuredLine,
    batch_bytes,
    call,
    read_answer,
    rows_in,
)
from table_assist.game.events import Discarded, Event
from table_assist.record.log import Entry, Source, entry_to_json
from table_assist.record.seal import seal_after
from table_assist.tiles.tile import Tile
from table_assist.trust.installation import InstallationKey, key_of_secret, new_secret

AGAIN_S = 0.2  # a table whose hub does not answer calls again
WAIT_S = 20.0
MOST_ANSWER = 200_000  # bytes
FAULTS = (OSError, EOFError, ValueError, WebSocketException)
TILES = [tile for tile in Tile if tile is not Tile.UNKNOWN]


@dataclass(slots=True)
class LoadTable:
    """One table."""

    number: int
    epoch: str
    hubs: list[tuple[str, int]]  # of every hub process; when one does not answer, the next
    random: Random
    hub: str = ""  # the hub's public key
    key: InstallationKey = field(default_factory=lambda: key_of_secret(new_secret()))
    rows: list[Row] = field(default_factory=list)
    due: list[float | None] = field(default_factory=list)  # when each was made; None: before
    waits_s: list[float] = field(default_factory=list)  # until each live entry was acknowledged
    acknowledged_at: list[tuple[float, float]] = field(default_factory=list)  # made, wait
    acknowledged: int = 0  # the highest number that the hub has answered
    batches: int = 0
    _turn: int = 0
    _room: int = MOST_BYTES
    _line: ClientConnection | None = None
    _secured: SecuredLine | None = None

    def make(self, due: float | None) -> None:
        """Another entry of the log."""
        self.write(Discarded(len(self.rows) % 4, self.random.choice(TILES)), due)

    def write(self, event: Event, due: float | None) -> None:
        """The same of this event."""
        seq = len(self.rows) + 1
        line = entry_to_json(Entry(seq, float(seq), Source.CAMERA, event, 0.97))
        before = self.rows[-1][0] if self.rows else ""
        self.rows.append((seal_after(before, line), line))
        self.due.append(due)

    async def play(self, seconds: float, every_s: float, now: Callable[[], float]) -> None:
        """Make an entry now and then, and send, until all is acknowledged after the last one."""
        begun = now()
        due = begun + self.random.random() * every_s
        while now() < begun + seconds or self.acknowledged < len(self.rows):
            while due <= now() and due < begun + seconds:
                self.make(due)
                due += every_s
            if self.acknowledged < len(self.rows):
                try:
                    await self.send(now)
                except FAULTS:
                    await self.call_the_next()
            else:
                await asyncio.sleep(max(0.0, min(due, begun + seconds) - now()))
        await self.hang_up()

    async def send(self, now: Callable[[], float]) -> None:
        """One batch of what the hub has not acknowledged."""
        after, room, rows = self.acknowledged, self._room - 1000, list[Row]()
        for seal, line in self.rows[after : after + rows_in(self._room)]:
            room -= len(line) + len(seal) + 32
            if room < 0:
                break
            rows.append((seal, line))
        self._turn += 1
        view = {"hand": 1, "scores": [0, 0, 0, 0], "made": time.time(), "names": ["", "", "", ""]}
        batch = Batch(self.epoch, self._turn, after, tuple(rows), view)
        answer = read_answer(await self._ask(batch_bytes(batch)))
        self.batches += 1
        self._room = answer.room
        if answer.said is HubReply.TURN:
            self._turn = answer.turn
            return
        if answer.said not in (HubReply.KEPT, HubReply.GAP):
            raise ValueError(f"table {self.number}: the hub says {answer.said}")
        at = now()
        for due in self.due[after : answer.have]:
            if due is not None:
                self.waits_s.append(at - due)
                self.acknowledged_at.append((due, at - due))
        self.acknowledged = answer.have
        self.hear(answer)

    def hear(self, answer: BatchAnswer) -> None:
        """The hub's other messages; this one does as it is told by nobody."""

    async def _ask(self, body: bytes) -> bytes:
        async with asyncio.timeout(WAIT_S):
            if self._line is None or self._secured is None:
                await self.open()
            assert self._line is not None
            assert self._secured is not None
            await self._line.send(self._secured.sends.packed(body))
            content = self._secured.takes.opened(await self._line.recv(decode=False))
        if content is None:
            raise ValueError("an answer with another code")
        return content

    async def open(self) -> None:
        """Open its line."""
        host, port = self.hubs[0]
        self._line = await connect(
            f"ws://{host}:{port}{PATH}", compression=None, ping_interval=None,
            max_size=MOST_ANSWER, close_timeout=1, proxy=None,
        )  # fmt: skip
        calling = call(self.key, self.hub)
        await self._line.send(calling.hello())
        self._secured = calling.heard(await self._line.recv(decode=False))

    async def call_the_next(self) -> None:
        """This hub does not answer: go to another."""
        self._room = MOST_BYTES
        await self.hang_up()
        self.hubs.append(self.hubs.pop(0))
        await asyncio.sleep(AGAIN_S * (1 + self.random.random()))

    async def hang_up(self) -> None:
        """Close the connection."""
        line, self._line, self._secured = self._line, None, None
        if line is not None:
            await line.close()
