"""A club that has played: real hands at many tables, seated by the hub, stored as if sent up."""

import json
import secrets
from dataclasses import dataclass
from itertools import pairwise

from flask import Flask
from sqlalchemy import insert, select

from table_assist.club.hub.database import IN, orders, plans, tables
from table_assist.club.hub.intake import Sent, take
from table_assist.club.hub.people import all_players, begin_session, publish, take_players
from table_assist.club.hub.seats import accept
from table_assist.club.orders import Order, OrderKind
from table_assist.club.seating import drawn
from table_assist.club.wire import Batch
from table_assist.game.events import Event, WallBuilt
from table_assist.record.log import Entry, Source, entry_to_json
from table_assist.record.seal import seal_after
from table_assist.trust.installation import key_of_secret, new_secret
from tests.stages.evenings import RULE_SETS, played

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
            "key": key, "name": name, "state": IN, "code": "", "turn": 0, "seen": 0.0,
            "changed": 0, "view": "{}",
        }  # fmt: skip
        connection.execute(insert(tables).values(**row))
        table = connection.execute(select(tables.c.id).where(tables.c.key == key)).scalar_one()
        for order in given:
            row = {
                "key": order.key, "table_id": table, "order": json.dumps(order.as_row()), "at": 0.0,
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
