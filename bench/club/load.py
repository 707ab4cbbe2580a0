"""`python -m bench club`: many simulated tables, real hub processes, one database.

Every table makes entries at its own pace and sends them; a viewer watches the hall. Hubs may be
killed in mid-load, and tables may come with hours of entries that nobody has yet. At the end the
database is read: every acknowledged entry must be there, once, with its seal.
"""

import asyncio
import json
import secrets
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from bench.club.beside import server_processor_s
from bench.club.came import Came, Late, WantedLoad
from bench.club.hubs import Hub, free_port
from bench.club.stored import stored_logs, stored_rows
from bench.club.tables import LoadTable
from table_assist.club.hub.base import hub_key, open_base
from table_assist.club.hub.desk import ask_in, let_in

LONGEST_S = 60.0
BESIDE_S = 3.0  # after late tables came
FLOOD_EACH_S = 60  # batches of a table that are made ready, for a second


def run_club(wanted: WantedLoad) -> Came:
    """Simulate it.

    Raises:
        HubError: the database cannot be used.
    """
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        where = wanted.base or str(Path(folder) / "club.sqlite")
        hubs = [Hub(where, free_port()) for _ in range(wanted.hubs)]
        try:
            for hub in hubs:
                hub.start()
            return _measured(wanted, where, hubs)
        finally:
            for hub in hubs:
                hub.stop()


def _measured(wanted: WantedLoad, where: str, hubs: list[Hub]) -> Came:
    base = open_base(where)
    tables = [_table(wanted, number, hubs) for number in range(wanted.tables)]
    key = hub_key(base).public
    for table in tables:
        table.hub = "" if wanted.requests else key
        if wanted.flood:
            table.prepare(round(wanted.seconds * FLOOD_EACH_S))
        ask_in(base, table.key.public, f"CODE-{table.number}")
        let_in(base, f"CODE-{table.number}", f"Table {table.number + 1}")
    base.dispose()
    if wanted.flood:  # a log begins once: that is not what is measured
        asyncio.run(_first(tables))
    before, server = sum(hub.processor_s for hub in hubs), _server_s(where)
    killer = threading.Thread(target=_kill, args=(wanted, hubs), daemon=True)
    killer.start()
    is_over, memory = threading.Event(), list[float]()
    watcher = threading.Thread(target=_weigh, args=(hubs, is_over, memory), daemon=True)
    watcher.start()
    begun = time.monotonic()
    views, caught = asyncio.run(_play(wanted, tables, hubs[-1].port))
    seconds = time.monotonic() - begun
    killer.join()
    is_over.set()
    watcher.join()
    used, server = sum(hub.processor_s for hub in hubs) - before, _server_s(where) - server
    lost, doubled = compared(where, tables)
    return Came(
        wanted,
        tuple(wait for table in tables for wait in table.waits_s),
        tuple(views),
        seconds,
        caught,
        sum(table.acknowledged for table in tables),
        sum(table.requests for table in tables),
        sum(hub.kills for hub in hubs),
        lost,
        doubled,
        used,
        server,
        tuple(memory),
        _late(wanted, tables, begun) if wanted.late else None,
    )


def _server_s(where: str) -> float:
    return server_processor_s(where) if where.startswith("postgresql://") else 0.0


def _late(wanted: WantedLoad, tables: list[LoadTable], begun: float) -> Late:
    at = begun + wanted.seconds / 2
    late, others = tables[: wanted.late], tables[wanted.late :]
    found = [pair for table in others for pair in table.acknowledged_at]
    return Late(
        tuple(table.waits_s[0] for table in late),
        tuple(wait for due, wait in found if due < at - 1.0),
        tuple(wait for due, wait in found if at <= due < at + BESIDE_S),
    )


def _table(wanted: WantedLoad, number: int, hubs: list[Hub]) -> LoadTable:
    places = [("127.0.0.1", hub.port) for hub in hubs]
    first = number % len(places)
    random = Random(f"{wanted.seed} {number}")
    table = LoadTable(number, secrets.token_hex(16), places[first:] + places[:first], random)
    if not wanted.late or number < wanted.late:
        for _ in range(wanted.backlog):
            table.make(None)
    return table


async def _play(
    wanted: WantedLoad, tables: list[LoadTable], port: int
) -> tuple[list[float], float]:
    begun, views = time.monotonic(), list[float]()
    watching = asyncio.create_task(_watch(port, views))
    catching = asyncio.create_task(_caught_up(wanted, tables))
    await asyncio.gather(*(_table_plays(wanted, table) for table in tables))
    caught = await catching - begun
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    return views, caught if wanted.backlog else 0.0


async def _table_plays(wanted: WantedLoad, table: LoadTable) -> None:
    if wanted.flood:
        await table.flood(wanted.seconds, time.monotonic)
        return
    seconds = wanted.seconds
    if table.number < wanted.late:
        await asyncio.sleep(seconds / 2)
        seconds /= 2
    await table.play(seconds, wanted.every_s, time.monotonic)


async def _first(tables: list[LoadTable]) -> None:
    await asyncio.gather(*(table.flood(LONGEST_S, time.monotonic, 1) for table in tables))
    for table in tables:
        table.forget()


async def _caught_up(wanted: WantedLoad, tables: list[LoadTable]) -> float:
    while any(table.acknowledged < wanted.backlog for table in tables[: wanted.late or None]):
        await asyncio.sleep(0.1)
    return time.monotonic()


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


def _kill(wanted: WantedLoad, hubs: list[Hub]) -> None:
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


def _weigh(hubs: list[Hub], is_over: threading.Event, memory: list[float]) -> None:
    while not is_over.wait(1.0):
        memory.append(max(hub.memory_mb for hub in hubs))


def compared(where: str, tables: list[LoadTable]) -> tuple[int, int]:
    """Of the acknowledged entries: how many the database lacks, and how many it has too many."""
    base = open_base(where)
    logs: dict[str, list[int]] = {}
    for id, _, epoch, _ in stored_logs(base):
        logs.setdefault(epoch, []).append(id)
    lost = doubled = 0
    for table in tables:
        found = [row for id in logs.get(table.epoch, ()) for row in stored_rows(base, id)]
        own = {(seq, seal, line) for seq, (seal, line) in enumerate(table.rows, start=1)}
        acknowledged = {row for row in own if row[0] <= table.acknowledged}
        lost += len(acknowledged - set(found))
        doubled += len(found) - len({seq for seq, _, _ in found}) + len(set(found) - own)
    base.dispose()
    return lost, doubled
