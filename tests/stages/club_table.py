"""A table for a club without threads, and a hub that it speaks to without a network."""

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine

from table_assist.club.calling import CallError, HubLine, Membership, MembershipFile, code_of
from table_assist.club.hub.desk import let_in, order_in
from table_assist.club.orders import OrderKind, order_words
from table_assist.club.uplink import Uplink
from table_assist.club.wire import SIGNATURE
from table_assist.contract.commands import Command
from table_assist.contract.snapshot import Snapshot, SourceHealth
from table_assist.game.events import Attested, Event
from table_assist.languages.words import Words
from table_assist.record.log import Entry, Source
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.rules.profile import Profile, plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.session import Session
from table_assist.trust.installation import InstallationKey, key_of_secret, new_secret
from tests.stages.evenings import played

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
        answer = ask(path, data=body, headers={SIGNATURE: signature.decode()})
        if fault == "after":
            raise CallError("lost", "丢失")
        if answer.status_code != 200:
            raise CallError(f"{answer.status_code} {answer.text}", "")
        return answer.headers[SIGNATURE], answer.data

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
