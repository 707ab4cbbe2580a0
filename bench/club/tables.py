"""Simulated tables: each has a key and a sealed log that grows, and sends it as a real one does.

They speak over sockets of their own in one event loop, so that a thousand of them cost this process
little beside the hub: a request for each batch, or an open line.
"""

import asyncio
import base64
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from table_assist.club.frames import FrameKind, Frames, accept_of, frame
from table_assist.club.open_line import PATH, SecuredLine, call
from table_assist.club.wire import (
    MOST_BYTES,
    SIGNATURE,
    UP,
    Batch,
    BatchAnswer,
    HubReply,
    Row,
    batch_bytes,
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
TILES = [tile for tile in Tile if tile is not Tile.UNKNOWN]


@dataclass(slots=True)
class LoadTable:
    """One table.

    Attributes:
        hubs: (host, port) of every hub process; when one does not answer, the next is called.
        hub: the hub's public key, for a table that keeps a line open; empty: a request a batch.
        due: of each entry that is not acknowledged, when it was made; None for one of before.
        waits_s: of each acknowledged entry that was made live: how long that took.
        acknowledged_at: of each of these: when it was made, and how long that took.
        acknowledged: the highest number that the hub has answered.
    """

    number: int
    epoch: str
    hubs: list[tuple[str, int]]
    random: Random
    hub: str = ""
    key: InstallationKey = field(default_factory=lambda: key_of_secret(new_secret()))
    rows: list[Row] = field(default_factory=list)
    due: list[float | None] = field(default_factory=list)
    waits_s: list[float] = field(default_factory=list)
    acknowledged_at: list[tuple[float, float]] = field(default_factory=list)
    acknowledged: int = 0
    requests: int = 0
    refused: int = 0
    _turn: int = 0
    _room: int = MOST_BYTES
    _ready: list[tuple[bytes, str]] = field(default_factory=list)
    _line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
    _secured: SecuredLine | None = None
    _frames: Frames = field(default_factory=lambda: Frames(MOST_ANSWER, of_client=False))

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

    def prepare(self, count: int) -> None:
        """Make batches of one entry each, signed, so that a flood costs this process little."""
        for turn in range(1, count + 1):
            self.make(None)
            body = batch_bytes(Batch(self.epoch, turn, turn - 1, (self.rows[-1],), _view()))
            self._ready.append((body, "" if self.hub else self._signature(body)))

    async def flood(self, seconds: float, now: Callable[[], float], most: int = 0) -> None:
        """Send them, each as soon as the one before is acknowledged.

        Args:
            most: until so many are; 0 for all that were made ready.
        """
        until, most = now() + seconds, most or len(self._ready)
        while now() < until and self.acknowledged < most:
            body, signature = self._ready[self.acknowledged]
            begun = now()
            try:
                answer = read_answer(await self._ask(body, signature))
            except (OSError, EOFError, TimeoutError, ValueError):
                await self.call_the_next()
                continue
            self.requests += 1
            if answer.said not in (HubReply.KEPT, HubReply.TURN):
                raise ValueError(f"table {self.number}: the hub says {answer.said}")
            self.acknowledged += 1  # of a turn that came before the answer was lost, too
            self.waits_s.append(now() - begun)
        self.hang_up()

    def forget(self) -> None:
        """Count from here."""
        self.waits_s, self.requests = [], 0

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
                except (OSError, EOFError, TimeoutError, ValueError):
                    await self.call_the_next()
            else:
                await asyncio.sleep(max(0.0, min(due, begun + seconds) - now()))
        self.hang_up()

    async def send(self, now: Callable[[], float]) -> None:
        """One batch of what the hub has not acknowledged."""
        after, room, rows = self.acknowledged, self._room - 1000, list[Row]()
        for seal, line in self.rows[after : after + rows_in(self._room)]:
            room -= len(line) + len(seal) + 32
            if room < 0:
                break
            rows.append((seal, line))
        self._turn += 1
        body = batch_bytes(Batch(self.epoch, self._turn, after, tuple(rows), _view()))
        signature = "" if self.hub else self._signature(body)
        answer = read_answer(await self._ask(body, signature))
        self.requests += 1
        self._room = answer.room
        if answer.said is HubReply.TURN:
            self._turn = answer.turn
            return
        if answer.said not in (HubReply.KEPT, HubReply.GAP):
            self.refused += 1
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

    def _signature(self, body: bytes) -> str:
        return self.key.sign(UP, body).decode()

    async def _ask(self, body: bytes, signature: str) -> bytes:
        async with asyncio.timeout(WAIT_S):
            if self._line is None:
                self._line = await asyncio.open_connection(*self.hubs[0])
                if self.hub:
                    await self._open_line(*self._line)
            if self._secured is None:
                return await self._requested(*self._line, body, signature)
            got = await self._said(*self._line, self._secured.sends.packed(body))
            content = self._secured.takes.opened(got)
        if content is None:
            raise ValueError("an answer with another code")
        return content

    async def _open_line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        writer.write(
            f"GET {PATH} HTTP/1.1\r\nHost: {self.hubs[0][0]}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        if " 101 " not in head.split("\r\n", 1)[0] or accept_of(key) not in head:
            raise ValueError(head[:30])
        calling = call(self.key, self.hub)
        self._secured = calling.heard(await self._said(reader, writer, calling.hello()))

    async def _said(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, message: bytes
    ) -> bytes:
        writer.write(frame(message, mask=secrets.token_bytes(4)))
        while (found := self._frames.next()) is None:
            part = await reader.read(1 << 16)
            if not part:
                raise EOFError("the hub hangs up")
            self._frames.feed(part)
        if found[0] is FrameKind.CLOSE:
            raise EOFError("the hub hangs up")
        return found[1]

    async def _requested(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        body: bytes,
        signature: str,
    ) -> bytes:
        writer.write(
            f"POST /api/uplink HTTP/1.1\r\nHost: {self.hubs[0][0]}\r\n"
            f"Content-Length: {len(body)}\r\n{SIGNATURE}: {signature}\r\n\r\n".encode()
            + body
        )
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        lengths = [each for each in head.split("\r\n") if each.startswith("content-length")]
        if not lengths:  # the server itself refuses, and hangs up
            raise ValueError(head[:30])
        got = await reader.readexactly(int(lengths[0].split(":")[1]))
        if " 200 " not in head.split("\r\n", 1)[0]:
            raise ValueError(f"{head[:30]} {got[:100]!r}")
        return got

    async def call_the_next(self) -> None:
        """This hub does not answer: go to another."""
        self._room = MOST_BYTES
        self.hang_up()
        self.hubs.append(self.hubs.pop(0))
        await asyncio.sleep(AGAIN_S * (1 + self.random.random()))

    def hang_up(self) -> None:
        """Close the connection."""
        if self._line is not None:
            self._line[1].close()
            self._line = self._secured = None
            self._frames = Frames(MOST_ANSWER, of_client=False)


def _view() -> dict[str, Any]:
    return {"hand": 1, "scores": [0, 0, 0, 0], "made": time.time(), "names": ["", "", "", ""]}
