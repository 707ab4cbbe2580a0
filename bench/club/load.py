"""`python -m bench club`: many simulated tables, real hub processes, one database.

Every table makes entries at its own pace and sends them; a viewer watches the hall. Hubs may be
killed, and tables may come with entries that nobody has yet. At the end the database is read: every
acknowledged entry must be there, once, with its seal.
"""

import argparse
import asyncio
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sqlalchemy import select
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bench import report
from table_assist.club import wire
from table_assist.club.hub.database import entries, hub_key, logs, open_base, reading
from table_assist.club.hub.desk import ask_in, let_in
from table_assist.game.events import Discarded, Event
from table_assist.record.log import Entry, Source, entry_to_json
from table_assist.record.seal import seal_after
from table_assist.tiles.tile import Tile
from table_assist.trust.installation import InstallationKey, key_of_secret, new_secret

CALLED_AGAIN_S = 0.2  # a table whose hub does not answer calls again
HUB_ANSWER_S = 20.0
MOST_ANSWER = 200_000  # bytes
EVERY_S = 1.0  # from entry to entry of a table
LINE_ERRORS = (OSError, EOFError, ValueError, WebSocketException)
TILES = [tile for tile in Tile if tile is not Tile.UNKNOWN]


@dataclass(slots=True)
class LoadTable:
    """One table: it has a key and a sealed log that grows, and sends it over an open line.

    All speak in one event loop: a thousand of them cost this process little beside the hub.
    """

    number: int
    epoch: str
    hubs: list[tuple[str, int]]  # of every hub process; when one does not answer, the next
    random: Random
    hub: str = ""  # the hub's public key
    key: InstallationKey = field(default_factory=lambda: key_of_secret(new_secret()))
    rows: list[wire.Row] = field(default_factory=list)
    due: list[float | None] = field(default_factory=list)  # when each was made; None: before
    # Of each live entry: when it was made, and how long until it was acknowledged.
    waits: list[tuple[float, float]] = field(default_factory=list)
    acknowledged: int = 0  # the highest number that the hub has answered
    batches: int = 0
    _turn: int = 0
    _room: int = wire.MOST_BATCH_BYTES
    _line: ClientConnection | None = None
    _secured: wire.SecuredLine | None = None

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

    async def play(self, seconds: float, now: Callable[[], float]) -> None:
        """Make an entry now and then, and send, until all is acknowledged after the last one."""
        begun = now()
        due = begun + self.random.random() * EVERY_S
        while now() < begun + seconds or self.acknowledged < len(self.rows):
            while due <= now() and due < begun + seconds:
                self.make(due)
                due += EVERY_S
            if self.acknowledged < len(self.rows):
                try:
                    await self.send(now)
                except LINE_ERRORS:
                    await self.call_the_next()
            else:
                await asyncio.sleep(max(0.0, min(due, begun + seconds) - now()))
        await self.hang_up()

    async def send(self, now: Callable[[], float]) -> None:
        """One batch of what the hub has not acknowledged."""
        after, room, rows = self.acknowledged, self._room - 1000, list[wire.Row]()
        for seal, line in self.rows[after : after + wire.rows_in(self._room)]:
            room -= len(line) + len(seal) + 32
            if room < 0:
                break
            rows.append((seal, line))
        self._turn += 1
        view = {"hand": 1, "scores": [0, 0, 0, 0], "made": time.time(), "names": ["", "", "", ""]}
        batch = wire.Batch(self.epoch, self._turn, after, tuple(rows), view)
        async with asyncio.timeout(HUB_ANSWER_S):
            if self._line is None or self._secured is None:
                await self.open()
            assert self._line is not None
            assert self._secured is not None
            await self._line.send(self._secured.sends.packed(wire.batch_bytes(batch)))
            content = self._secured.takes.opened(await self._line.recv(decode=False))
        if content is None:
            raise ValueError("an answer with another code")
        answer = wire.read_answer(content)
        self.batches += 1
        self._room = answer.room
        if answer.said is wire.HubReply.TURN:
            self._turn = answer.turn
            return
        if answer.said not in (wire.HubReply.KEPT, wire.HubReply.GAP):
            raise ValueError(f"table {self.number}: the hub says {answer.said}")
        at = now()
        due = self.due[after : answer.have]
        self.waits += [(made, at - made) for made in due if made is not None]
        self.acknowledged = answer.have
        self.hear(answer)

    def hear(self, answer: wire.BatchAnswer) -> None:
        """The hub's other messages; this one does as it is told by nobody."""

    async def open(self) -> None:
        """Open its line."""
        host, port = self.hubs[0]
        self._line = await connect(
            f"ws://{host}:{port}{wire.PATH}", compression=None, ping_interval=None,
            max_size=MOST_ANSWER, close_timeout=1, proxy=None,
        )  # fmt: skip
        calling = wire.call(self.key, self.hub)
        await self._line.send(calling.hello())
        self._secured = calling.heard(await self._line.recv(decode=False))

    async def call_the_next(self) -> None:
        """This hub does not answer: go to another."""
        self._room = wire.MOST_BATCH_BYTES
        await self.hang_up()
        self.hubs.append(self.hubs.pop(0))
        await asyncio.sleep(CALLED_AGAIN_S * (1 + self.random.random()))

    async def hang_up(self) -> None:
        """Close the connection."""
        line, self._line, self._secured = self._line, None, None
        if line is not None:
            await line.close()


P95_S = 0.5
BESIDE_S = 3.0  # after late tables came
SHARES_TOLD = {"median": 0.5, "95 of 100": 0.95, "longest": 1.0}


def _share(values: Sequence[float], part: float) -> float:
    """The value that so great a part does not exceed; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


def _within(waits_s: Sequence[float]) -> str:
    return ", ".join(
        f"{name} {1000 * _share(waits_s, x):.0f} ms" for name, x in SHARES_TOLD.items()
    )


@dataclass(slots=True)
class Hub:
    """A process as an operator starts it; started again on its port after it was killed."""

    base: str
    port: int
    kills: int = 0
    process: "subprocess.Popen[str] | None" = field(default=None, repr=False)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        env = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, text=True, env=env)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if "The club" not in said:
            raise RuntimeError(f"the hub on port {self.port} does not start: {said}")

    def command(self) -> list[str]:
        """By which it is started."""
        given = ["club", "--base", self.base, "--port", str(self.port)]
        return [sys.executable, "-m", "table_assist", *given]

    def kill(self) -> None:
        """As a power cut."""
        self._end(signal.SIGKILL)
        self.kills += 1

    def stop(self) -> None:
        """As an operator."""
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)
            self.process.communicate()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def run(wanted: argparse.Namespace) -> int:
    """Simulate it, and tell; 1 where entries are lost, doubled, or acknowledged late."""
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        where = wanted.base or str(Path(folder) / "club.sqlite")
        hubs = [Hub(where, _free_port()) for _ in range(wanted.hubs)]
        try:
            for hub in hubs:
                hub.start()
            return _measured(wanted, where, hubs)
        finally:
            for hub in hubs:
                hub.stop()


def _measured(wanted: argparse.Namespace, where: str, hubs: list[Hub]) -> int:
    base, tables = open_base(where), list[LoadTable]()
    key, places = hub_key(base).public, [("127.0.0.1", hub.port) for hub in hubs]
    for number in range(wanted.tables):
        first, random = number % len(places), Random(f"{wanted.seed} {number}")
        own = places[first:] + places[:first]
        table = LoadTable(number, secrets.token_hex(16), own, random, key)
        if not wanted.late or number < wanted.late:
            for _ in range(wanted.backlog):
                table.make(None)
        ask_in(base, table.key.public, f"CODE-{number}")
        let_in(base, f"CODE-{number}", f"Table {number + 1}")
        tables.append(table)
    base.dispose()
    killing = threading.Thread(target=_kill, args=(wanted, hubs), daemon=True)
    killing.start()
    begun, views = asyncio.run(_play(wanted, tables, hubs[-1].port))
    seconds = time.monotonic() - begun
    killing.join()
    waits = [wait for table in tables for _, wait in table.waits]
    lost, doubled = compared(where, tables)
    row = {
        "tables": wanted.tables,
        "hubs": wanted.hubs,
        "entries": sum(table.acknowledged for table in tables),
        "batches": sum(table.batches for table in tables),
        "seconds": round(seconds, 1),
        "acknowledged": _within(waits),
        "on a page": _within(views),
        "kills": sum(hub.kills for hub in hubs),
        "lost": lost,
        "doubled": doubled,
    }
    if wanted.late:  # of tables that came with a backlog while others played
        at = begun + wanted.seconds / 2
        found = [pair for table in tables[wanted.late :] for pair in table.waits]
        first_s = max(table.waits[0][1] for table in tables[: wanted.late])
        row["first live entry"] = f"{first_s:.2f} s"
        row["others before"] = _within([wait for due, wait in found if due < at - 1.0])
        row["beside"] = _within([wait for due, wait in found if at <= due < at + BESIDE_S])
    report(row, as_json=False)
    is_late = not (wanted.kills or wanted.backlog) and _share(waits, 0.95) > P95_S
    return int(bool(lost or doubled or is_late))


async def _play(
    wanted: argparse.Namespace, tables: list[LoadTable], port: int
) -> tuple[float, list[float]]:
    if not wanted.kills:  # they are here before the evening begins
        for at in range(wanted.late, len(tables), 50):
            await asyncio.gather(*(table.open() for table in tables[at : at + 50]))
    begun, views = time.monotonic(), list[float]()

    async def plays(table: LoadTable) -> None:
        seconds = wanted.seconds
        if table.number < wanted.late:
            seconds /= 2
            await asyncio.sleep(seconds)
        await table.play(seconds, time.monotonic)

    watching = asyncio.create_task(_watch(port, views))
    await asyncio.gather(*map(plays, tables))
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    return begun, views


async def _watch(port: int, delays: list[float]) -> None:
    """A page that watches the hall: how old each view is when it comes."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
            try:
                writer.write(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                while line := await reader.readline():
                    if line.startswith(b'data: {"tables"'):
                        now = time.time()
                        seen = [row["view"].get("made") for row in json.loads(line[6:])["tables"]]
                        delays += [now - made for made in seen if made is not None]
            finally:
                writer.close()
        await asyncio.sleep(0.2)  # a page comes again by itself


def _kill(wanted: argparse.Namespace, hubs: list[Hub]) -> None:
    """Kill at moments that are spread over the whole time; a killed hub starts beside the load."""
    random, begun = Random(wanted.seed), time.monotonic()
    starting: dict[int, threading.Thread] = {}
    for moment in sorted(random.random() * wanted.seconds for _ in range(wanted.kills)):
        time.sleep(max(0.0, begun + moment - time.monotonic()))
        hub = random.choice(hubs)
        if hub.port in starting:
            starting[hub.port].join()
        hub.kill()
        starting[hub.port] = threading.Thread(target=hub.start)
        starting[hub.port].start()
    for each in starting.values():
        each.join()


def compared(where: str, tables: list[LoadTable]) -> tuple[int, int]:
    """Of the acknowledged entries: how many the database lacks, and how many it has too many."""
    base, every = open_base(where), select(entries.c.seq, entries.c.seal, entries.c.line)
    lost = doubled = 0
    for table in tables:
        own_log = logs.c.epoch == table.epoch
        with reading(base) as connection:
            rows = connection.execute(every.join(logs, logs.c.id == entries.c.log).where(own_log))
            found = [(seq, seal, line) for seq, seal, line in rows]
        own = {(seq, seal, line) for seq, (seal, line) in enumerate(table.rows, start=1)}
        acknowledged = {row for row in own if row[0] <= table.acknowledged}
        lost += len(acknowledged - set(found))
        doubled += len(found) - len({seq for seq, _, _ in found}) + len(set(found) - own)
    base.dispose()
    return lost, doubled
