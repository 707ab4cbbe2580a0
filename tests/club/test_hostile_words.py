"""What a table or stranger says that no database holds: refused or made harmless, on both of them.

PostgreSQL knows no NUL, no driver takes half a character, and JSON has no Infinity; one such word
must not spoil what other tables send at the same time, nor the pages of all.
"""

import json
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table_assist.club.hub import intake
from table_assist.club.hub.desk import MOST_OF_KIND, given_orders, hall, open_alarms
from table_assist.club.hub.intake import MOST_LOGS, Collector, Sent, take
from table_assist.club.orders import OrderKind, kept_order
from table_assist.club.sending import FILE
from table_assist.club.uplink import Uplink
from table_assist.club.wire import (
    SIGNATURE,
    UP,
    Batch,
    BatchAnswer,
    HubReply,
    batch_bytes,
    read_answer,
)
from table_assist.game.events import Attested
from table_assist.record.log import Entry, Source, entry_to_json
from table_assist.record.seal import seal_after
from table_assist.trust.installation import InstallationKey, key_of_secret, new_secret
from tests.stages.club_table import ClubTable, give_order, joined

HALF = '{"hash":"\\ud800"}'  # JSON that can be read, and nowhere written


class Liar:
    """A table that was let in, whose program writes what it likes."""

    def __init__(self, app: Flask, folder: Path, name: str) -> None:
        self.table = ClubTable(folder / f"{name}.sqlite")
        self.uplink: Uplink = joined(self.table, app, name)
        self.client: FlaskClient = app.test_client()
        self.turn, self.epoch = 1000, self.uplink.membership.epoch
        (self.id,) = (each.id for each in hall(app.extensions["base"]) if each.name == name)

    @property
    def key(self) -> InstallationKey:
        return self.table.key

    def batch(self, *lines: str, epoch: str = "") -> Batch:
        rows, seal = list[tuple[str, str]](), ""
        for line in lines:
            seal = seal_after(seal, line)
            rows.append((seal, line))
        self.turn += 1
        return Batch(epoch or self.epoch, self.turn, 0, tuple(rows))

    def send(self, *lines: str, epoch: str = "") -> tuple[int, bytes]:
        return posted(self.client, UP, self.key, batch_bytes(self.batch(*lines, epoch=epoch)))


def posted(
    client: FlaskClient, purpose: str, key: InstallationKey, body: bytes
) -> tuple[int, bytes]:
    path = {UP: "/api/uplink", FILE: "/api/uplink/file"}[purpose]
    answer = client.post(path, data=body, headers={SIGNATURE: key.sign(purpose, body).decode()})
    return answer.status_code, answer.data


def line(*fields: str, seq: int = 1, t: float = 1.0) -> str:
    return entry_to_json(Entry(seq, t, Source.RULES, Attested("club", fields)))


def profile(key: str, wanted: str, own: str, refused: str = "another") -> tuple[str, ...]:
    return key, "profile", wanted, "Ada", "", refused, own


@pytest.mark.parametrize("order", ["\0", "\ud800", "e" * 30_000, "E" * 32, "", None, ["e" * 32]])
def test_a_strangers_piece_of_a_file_is_refused(order: object, app: Flask) -> None:
    head = json.dumps({"order": order, "digest": "a" * 64, "size": 9, "at": 0}).encode()
    stranger = key_of_secret(new_secret())
    assert posted(app.test_client(), FILE, stranger, head + b"\nabc")[0] == 400


def test_no_word_in_an_order_is_more_than_the_database_takes(tmp_path: Path, app: Flask) -> None:
    base, key = app.extensions["base"], app.extensions["hub_key"]
    liar = Liar(app, tmp_path, "Liar")
    give_order(base, key, [liar.id], OrderKind.MESSAGE, {"en": "x", "zh": "x"}, "Ada")
    (given,) = given_orders(base)
    lines = [
        line(given.key, "message", "{}", "", "", "\0no" + "x" * 9000),
        line(*profile("a" * 32, '{"hash":"\\u00001"}', '{"hash":"\\u00002"}'), seq=2),
        line(*profile("b" * 32, HALF, HALF), seq=3),
        line(*profile("c" * 32, "{}", '{"hash":NaN}'), seq=4),
        line(*profile("\0" * 32, "{}", "{}"), seq=5),
        line(*profile("d" * 32, "[" * 5000, "{}"), seq=6),
    ]
    assert liar.send(*lines)[0] == 200
    (given,) = given_orders(base)
    assert (given.seq, given.refused) == (1, "no" + "x" * 398)
    assert [row.told for row in open_alarms(base)] == ["2 ≠ 1"]


def test_half_a_character_or_no_number_is_no_order() -> None:
    for fields in (profile("a" * 32, HALF, "{}"), profile("a" * 32, "{}", '{"hash":Infinity}')):
        assert kept_order(Entry(1, 1.0, Source.RULES, Attested("club", fields))) is None


@pytest.mark.parametrize("t", ["Infinity", "-Infinity", "NaN", "1e999"])
def test_an_entry_with_no_number_is_not_taken(t: str, tmp_path: Path, app: Flask) -> None:
    """It went into the pages of the players who sat there, which then could not be made."""
    liar = Liar(app, tmp_path, "Liar")
    true = line("a" * 32, "message", "{}", "", "", "")
    status, said = liar.send(true.replace('"t":1.0', f'"t":{t}'))
    assert status == 400, said
    assert liar.send(true)[0] == 200


def test_one_that_spoils_a_common_transaction_spoils_its_own_alone(
    tmp_path: Path, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, liar = Liar(app, tmp_path, "Honest"), Liar(app, tmp_path, "Liar")

    def spoilt(engine: Any, sent: Any) -> list[BatchAnswer]:
        if any(each.table == liar.key.public for each in sent):
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "half a character")
        return take(engine, sent)

    monkeypatch.setattr(intake, "take", spoilt)
    collector: Collector = app.extensions["collector"]
    sent = [Sent(each.key.public, each.batch()) for each in (honest, liar, honest)]
    waiting = [(each, Future[BatchAnswer]()) for each in sent]
    collector._write(waiting)
    said = [each.exception() or each.result().said for _, each in waiting]
    assert said[::2] == [HubReply.KEPT, HubReply.KEPT]
    assert isinstance(said[1], UnicodeEncodeError)


def test_alarms_of_one_table_do_not_hide_those_of_others(tmp_path: Path, app: Flask) -> None:
    base = app.extensions["base"]
    honest, liar = Liar(app, tmp_path, "Honest"), Liar(app, tmp_path, "Liar")
    told = [line(*profile(f"{n:032x}", "{}", f'{{"hash":"{n:08}"}}'), seq=n) for n in range(1, 101)]
    assert liar.send(*told)[0] == 200
    assert honest.send(line(*profile("a" * 32, "{}", '{"hash":"2"}')))[0] == 200
    names = [row.name for row in open_alarms(base)]
    assert (names.count("Liar"), names.count("Honest")) == (MOST_OF_KIND, 1)


def test_a_table_begins_so_many_logs_a_day(
    tmp_path: Path, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    liar = Liar(app, tmp_path, "Liar")
    monkeypatch.setattr("table_assist.club.hub.intake.MOST_LOGS", 5)
    said = [
        read_answer(liar.send(line("a" * 32, "x", "", "", "", "", t=n), epoch=f"{n:032x}")[1]).said
        for n in range(1, 9)
    ]
    assert said == [HubReply.KEPT] * 5 + [HubReply.OLD] * 3
    assert "> 5" in {row.told for row in open_alarms(app.extensions["base"])}
    monkeypatch.setattr("table_assist.club.hub.intake.DAY_S", 0.0)
    assert (
        read_answer(liar.send(line("b" * 32, "x", "", "", "", ""), epoch="f" * 32)[1]).said
        == "kept"
    )
    assert MOST_LOGS >= 100


@pytest.mark.parametrize(
    "path", ["/desk/file/{}", "/api/desk/rounds/{}", "/api/picture/{}.jpg", "/api/standings/{}"]
)
def test_a_number_that_no_database_holds_is_no_address(path: str, app: Flask) -> None:
    for number in (1 << 53, 1 << 63, 10**40):
        assert app.test_client().get(path.format(number)).status_code == 404
