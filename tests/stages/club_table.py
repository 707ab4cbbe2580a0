"""A table for a club without threads, and a hub that it speaks to without a network."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine, insert, select

from table_assist.club.calling import CallError, HubLine, Membership, MembershipFile, code_of
from table_assist.club.hub.database import TABLE_IN, orders, plans, tables
from table_assist.club.hub.desk import let_in, order_in
from table_assist.club.hub.intake import Sent, take
from table_assist.club.hub.people import all_players, begin_session, publish, take_players
from table_assist.club.hub.seats import accept
from table_assist.club.orders import Order, OrderKind, order_words
from table_assist.club.seating import drawn
from table_assist.club.uplink import Uplink
from table_assist.club.wire import SIGNATURE_HEADER, Batch
from table_assist.game.events import Attested, Event, WallBuilt
from table_assist.languages.words import Words
from table_assist.record.commands import Command
from table_assist.record.log import Entry, Source, entry_to_json
from table_assist.record.record import Record
from table_assist.record.seal import seal_after
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.record.store import Store
from table_assist.rules.profile import Profile, plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.session import Session
from table_assist.trust.installation import InstallationKey, key_of_secret, new_secret
from tests.stages.evenings import RULE_SETS, played
from tests.stages.repository_tool import free_port

NAMES = ("Ann", "Bo", "Chen", "Du")


class HallLine(HubLine):
    """Calls an app in this process.

    Attributes:
        fault: raised once by the next call: `before` or `after` the hub has taken it.
    """

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.fault = ""
        self.sent: list[tuple[bytes, bytes]] = []

    def ask(
        self, path: str, body: bytes | None = None, signature: bytes = b""
    ) -> tuple[str, bytes]:
        fault, self.fault = self.fault, ""
        if fault == "before":
            raise CallError("lost", "丢失")
        if body is not None:
            self.sent.append((body, signature))
        ask = self.client.get if body is None else self.client.post
        answer = ask(path, data=body, headers={SIGNATURE_HEADER: signature.decode()})
        if fault == "after":
            raise CallError("lost", "丢失")
        if answer.status_code != 200:
            raise CallError(f"{answer.status_code} {answer.text}", "")
        return answer.headers[SIGNATURE_HEADER], answer.data

    def upgraded(self, path: str) -> None:
        """An app without a server has no open lines."""

    def close(self) -> None:
        pass


class ClubTable:
    """A real session over a real log, fed with events, one at a time."""

    def __init__(self, path: Path, rules: str = "changsha", key: InstallationKey | None = None):
        self.path = path
        self.rules = rules
        self.key = key or key_of_secret(new_secret())
        self.t = 1_700_000_000.0
        self.profile: Profile | None = None  # another than that of the rules
        self.open()

    def open(self) -> None:
        self.store = Store(self.path)
        self.record = Record(self.store, lambda: self.t)
        profile = self.profile or plain_profile(find_rules(self.rules))
        self.session = Session(
            profile, NAMES, self.record, now=lambda: self.t, attested_words=order_words
        )
        self.health: SourceHealth | None = None

    def close(self) -> None:
        self.store.close()

    def tell(self, *events: Event) -> None:
        for event in events:
            self.t += 1
            self.record.append(event, Source.RULES)
        self.record.save()
        self.session._publish()  # nothing came through its inbox

    def play(self, seed: int, hands: int = 1) -> None:
        first = len(self.record.history)
        every = played(self.rules, seed, first + hands)
        begun = [n for n, event in enumerate(every) if type(event).__name__ == "WallBuilt"]
        self.tell(*every[begun[first] if first else 0 :])

    # -- what the uplink needs

    @property
    def snapshot(self) -> Snapshot:
        return self.session.snapshot

    @property
    def version(self) -> int:
        return self.session.version

    @property
    def profile_hash(self) -> str:
        return self.session.profile.hash

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        return self.session.wait(after, timeout_s)

    def entries(self) -> Sequence[Entry]:
        return self.session.entries()

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        self.session.put_command(command, by, key)
        self.session.drain()
        return None

    def vouch(self, said: Attested) -> None:
        self.session.put(said)
        self.session.drain()

    def tell_health(self, health: SourceHealth) -> None:
        self.health = health


def view(snapshot: Snapshot) -> dict[str, object]:
    return {"hand": snapshot.state.hand, "scores": list(snapshot.state.scores)}


def joined(table: ClubTable, app: Flask, name: str = "Table 1") -> Uplink:
    """The table's uplink, let in by its code."""
    hub = app.extensions["hub_key"].public
    membership = Membership("http://hall", hub, salt=secrets.token_hex(8))
    uplink = uplink_of(table, app, membership)
    uplink.turn()
    assert let_in(app.extensions["base"], code_of(hub, "", table.key.public, membership.salt), name)
    uplink.turn()
    assert uplink.membership.is_in
    return uplink


def uplink_of(table: ClubTable, app: Flask, membership: Membership | None = None) -> Uplink:
    """As after a start of the program."""
    file = MembershipFile(table.path.with_suffix(".club.json"))
    found = membership or file.read()
    assert found is not None
    uplink = Uplink(table, file, found, table.key, view, line=HallLine(app))
    uplink._check_log()
    return uplink


def sent_up(uplink: Uplink) -> None:
    """Turn until there is no more to send."""
    for _ in range(100):
        if not uplink.turn():
            return
    raise AssertionError("it never ends")


def give_order(
    base: Engine,
    key: InstallationKey,
    to: Sequence[int],
    kind: OrderKind,
    content: Mapping[str, Any],
    by: str,
    *,
    once: str = "",
) -> None:
    """The hub has tables do something."""
    with base.begin() as connection:
        order_in(connection, key, to, kind, content, by, once=once)


AT_ONCE = 400  # entries of a batch


@dataclass(frozen=True, slots=True)
class Season:
    """What was filled in.

    Attributes:
        keys: the tables' public keys, in the order of their names.
        entries: all of them together.
    """

    session: int
    keys: tuple[str, ...]
    entries: int


def season(
    app: Flask, count: int = 2, rounds: int = 2, hands: int = 3, name: str = "Spring", seed: int = 1
) -> Season:
    """A session of so many tables; the hub holds all of it and has published it."""
    base, hub = app.extensions["base"], app.extensions["hub_key"]
    take_players(
        base, "number,name\n" + "".join(f"{n},Player {n}\n" for n in range(1, 4 * count + 1))
    )
    session = begin_session(base, name)
    people = {row.id: row.name for row in all_players(base)}
    plan = drawn(sorted(people)[: 4 * count], rounds, str(seed))
    accept(base, session, 1, plan, "Ada")
    with base.begin() as connection:
        connection.execute(plans.update().values(seated=1.0))
    keys, entries = [], 0
    for table in range(count):
        key = key_of_secret(new_secret()).public
        lines, given = list[str](), list[Order]()
        every = _rounds(RULE_SETS[table % len(RULE_SETS)], seed + table % 3, rounds, hands)
        for number, events in enumerate(every):
            players = list(plan[number][table])
            content = {
                "session": session, "round": number + 1, "players": players,
                "names": [people[each] for each in players],
            }  # fmt: skip
            order = Order(secrets.token_hex(16), OrderKind.SEATS, content, "Ada").signed(hub, key)
            given.append(order)
            _write(lines, [order.as_event()], 1.7e9 + 3600 * number)
            _write(lines, events, 1.7e9 + 3600 * number + 60)
        _store(app, key, f"Table {table + 1}", lines, given)
        keys.append(key)
        entries += len(lines)
    publish(base, session, public=True)
    return Season(session, tuple(keys), entries)


def _rounds(rules: str, seed: int, rounds: int, hands: int) -> list[list[Event]]:
    """The hands of an evening, so many for each round."""
    every = played(rules, seed, rounds * hands)[:-1]
    begun = [n for n, event in enumerate(every) if isinstance(event, WallBuilt)]
    starts = [0, *(begun[min(n * hands, len(begun) - 1)] for n in range(1, rounds)), len(every)]
    return [list(every[a:b]) for a, b in pairwise(starts)]


def _write(lines: list[str], events: list[Event], t: float) -> None:
    for n, event in enumerate(events):
        lines.append(entry_to_json(Entry(len(lines) + 1, t + n, Source.RULES, event)))


def _store(app: Flask, key: str, name: str, lines: list[str], given: list[Order]) -> None:
    base, epoch, seal = app.extensions["base"], secrets.token_hex(16), ""
    with base.begin() as connection:
        row = {
            "key": key, "name": name, "state": TABLE_IN, "code": "", "turn": 0, "seen": 0.0,
            "changed": 0, "view": "{}",
        }  # fmt: skip
        connection.execute(insert(tables).values(**row))
        table = connection.execute(select(tables.c.id).where(tables.c.key == key)).scalar_one()
        for order in given:
            row = {
                "key": order.key, "table_id": table, "order": json.dumps(asdict(order)), "at": 0.0,
                "seq": 0, "refused": "", "kind": order.kind,
            }  # fmt: skip
            connection.execute(insert(orders).values(**row))
    rows = []
    for line in lines:
        seal = seal_after(seal, line)
        rows.append((seal, line))
    view = {"hand": 1, "scores": [4, 0, -4, 0], "names": ["Ann", "Bo", "陈", "Du"], "wall": 40}
    for turn, at in enumerate(range(0, len(rows), AT_ONCE), start=1):
        part = tuple(rows[at : at + AT_ONCE])
        (answer,) = take(base, [Sent(key, Batch(epoch, turn, at, part, view))])
        assert answer.have == at + len(part)


def programs() -> Path:
    """Where Debian puts its programs; the newest version's."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.fail("no PostgreSQL: apt-get install postgresql")
    return found[-1].parent


@dataclass
class Cluster:
    """One server. It refuses root, so it runs as another user where the tests run as root."""

    folder: Path
    port: int

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, program: str, *arguments: str) -> str:
        return subprocess.run(
            [*_as_nobody(), str(programs() / program), *arguments],
            check=True, capture_output=True, text=True, cwd=self.folder,
        ).stdout  # fmt: skip

    def start(self, *options: str) -> None:
        given = f"-p {self.port} -k {self.folder} -h 127.0.0.1 {' '.join(options)}"
        log = str(self.folder / "log")
        self.run("pg_ctl", "-D", str(self.data), "-w", "-l", log, "-o", given, "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "-m", "fast", "-w", "stop")

    def kill(self) -> None:
        """As a power cut of its machine."""
        every = self._processes()
        for each in every:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        until = time.monotonic() + 10
        while any(Path(f"/proc/{each}").exists() for each in every):
            assert time.monotonic() < until
            time.sleep(0.01)
        (self.data / "postmaster.pid").unlink()

    def freeze(self) -> None:
        """All of it stands still, and its connections stay open."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """It goes on."""
        self._signal(signal.SIGCONT)

    def limit_files(self, size: int | None) -> None:
        """No file may grow beyond so many bytes, as on a full disk; None: any may."""
        limit = "unlimited" if size is None else str(size)
        for each in self._processes():  # by their own user: root in a container may not
            given = ["prlimit", "--pid", str(each), f"--fsize={limit}:"]
            subprocess.run([*_as_nobody(), *given], check=False, stderr=subprocess.DEVNULL)

    def say(self, *statements: str) -> None:
        """As its administrator."""
        with psycopg.connect(self.address(), autocommit=True) as line:
            for each in statements:
                line.execute(each)

    def copy_to(self, data: Path, *options: str) -> None:
        """A base backup; with `-R` it starts as a standby of this one."""
        self.run(
            "pg_basebackup", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres",
            "-D", str(data), "-X", "stream", "-c", "fast", *options,
        )  # fmt: skip

    def take_back(self, copied: Path) -> None:
        """A copy's files are its own again."""
        subprocess.run(
            [*_as_nobody(), "cp", "-a", str(copied), str(self.data)], check=True, cwd=self.folder
        )

    @property
    def is_up(self) -> bool:
        """Whether it was started, and neither stopped nor killed."""
        return (self.data / "postmaster.pid").exists()

    def _processes(self) -> list[int]:
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout
        return [pid, *[int(each) for each in found.split()]]

    def _signal(self, number: int) -> None:
        for each in self._processes():
            with suppress(ProcessLookupError):
                os.kill(each, number)

    def promote(self) -> None:
        """Of a standby: it is the primary from now on."""
        self.run("pg_ctl", "-D", str(self.data), "-w", "promote")

    def address(self, base: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{base}"


def _as_nobody() -> list[str]:
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


@contextmanager
def new_cluster(*options: str) -> Iterator[Cluster]:
    """An empty server, which is started; without options it does not wait for the disk.

    It lies in memory where there is such a folder: to remove its files from a disk took longer
    than all of its tests.
    """
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    cluster = Cluster(Path(tempfile.mkdtemp(prefix="table-assist-pg-", dir=memory)), free_port())
    try:
        if os.geteuid() == 0:
            shutil.chown(cluster.folder, "postgres", "postgres")
        cluster.run(
            "initdb", "-D", str(cluster.data), "-U", "postgres", "-A", "trust", "-E", "UTF8",
            "--locale=C", "-N", "--wal-segsize=1",
        )  # fmt: skip
        cluster.start(*(options or ("-c fsync=off",)))
        yield cluster
    finally:
        if (cluster.data / "postmaster.pid").exists():
            cluster.stop()
        shutil.rmtree(cluster.folder, ignore_errors=True)


PAIR = (
    "-c wal_level=replica -c max_wal_senders=4 -c wal_keep_size=64MB "
    "-c synchronous_standby_names=* -c synchronous_commit=on"
)


@contextmanager
def replicated() -> Iterator[tuple[Cluster, Cluster]]:
    """A primary, and a standby that has everything before a commit is told."""
    with new_cluster() as primary:
        primary.stop()
        with (primary.data / "pg_hba.conf").open("a") as rules:
            rules.write("host replication postgres 127.0.0.1/32 trust\n")
        primary.start()
        standby = Cluster(primary.folder.with_name(f"{primary.folder.name}-2"), free_port())
        standby.folder.mkdir(mode=0o700)
        try:
            shutil.chown(standby.folder, *(primary.folder.owner(), primary.folder.group()))
            primary.copy_to(standby.data, "-R")
            standby.start()
            primary.stop()
            primary.start(PAIR)
            yield primary, standby
        finally:
            if (standby.data / "postmaster.pid").exists():
                standby.stop()
            shutil.rmtree(standby.folder, ignore_errors=True)


def address_of(primary: Cluster, standby: Cluster) -> str:
    """Of both: whichever may write is used."""
    return f"postgresql://postgres@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/postgres"
