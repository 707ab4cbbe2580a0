"""What a phone has kept is compared at the hub; whoever changed a hand there is found out."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask
from playwright.sync_api import Browser, expect
from sqlalchemy import select, update

from table_assist.club.hub.database import commands, entries, open_base
from table_assist.club.hub.desk import all_acts
from table_assist.club.hub.ledger import Chains, Ledger
from table_assist.club.hub.people import all_players, all_sessions, begin_session, take_players
from table_assist.record.seal import seal_after
from tests.stages.club_table import ClubTable, joined, sent_up, uplink_of
from tests.stages.visitor import Visitor
from web.club.app import close_club_app, create_club_app
from web.serve import serve


def says(app: Flask, table: ClubTable, seq: int, seal: str) -> str:
    first = table.store.rows_after(0, 1)[0][2][:16]
    answer = app.test_client().get(f"/api/seals/{table.key.public}/{first}/{seq}/{seal}")
    assert answer.status_code == 200
    return str(answer.get_json()["says"])


def played(app: Flask, folder: Path) -> ClubTable:
    table = ClubTable(folder / "table.sqlite")
    uplink = joined(table, app)
    table.play(1, hands=2)
    sent_up(uplink)
    return table


def test_the_hub_says_whether_it_holds_what_the_phone_saw(app: Flask, tmp_path: Path) -> None:
    table = played(app, tmp_path)
    rows = table.store.rows_after(0, 10_000)
    seq, _, seal = rows[-1]
    assert says(app, table, seq, seal[:16]) == says(app, table, seq, seal) == "agrees"
    assert says(app, table, seq, "0" * 16) == "differs"
    assert says(app, table, seq + 1, seal[:16]) == "unknown"
    other = ClubTable(tmp_path / "other.sqlite")
    other.play(1)
    assert says(app, other, 1, seal[:16]) == "unknown"
    for wrong in ("xyz", "g" * 16, "%" * 16, seal[:15]):
        path = f"/api/seals/{table.key.public}/{'0' * 16}/{seq}/{wrong}"
        assert app.test_client().get(path).status_code == 400


def test_a_hand_that_the_operator_changed_agrees_no_more(app: Flask, tmp_path: Path) -> None:
    table, base = played(app, tmp_path), app.extensions["base"]
    seq, _, seal = table.store.rows_after(0, 10_000)[-1]
    now = [0.0]
    app.extensions["chains"] = Chains(base, lambda: now[0])
    assert says(app, table, seq, seal[:16]) == "agrees"
    now[0] += 61
    with base.begin() as connection:  # one line alone, its seal left as it was
        line = connection.execute(select(entries.c.line).where(entries.c.seq == 9)).scalar_one()
        forged = line.replace('"t":17', '"t":18')
        assert forged != line
        connection.execute(update(entries).where(entries.c.seq == 9).values(line=forged))
    assert says(app, table, seq, seal[:16]) == "differs"
    with base.begin() as connection:  # and every seal after it
        query = select(entries.c.seq, entries.c.line).order_by(entries.c.seq)
        chain = ""
        for number, text in connection.execute(query).all():
            chain = seal_after(chain, text)
            own = entries.c.seq == number
            connection.execute(update(entries).where(own).values(seal=chain))
    assert says(app, table, seq, seal[:16]) == "differs"
    assert says(app, table, 8, table.store.rows_after(7, 1)[0][2][:16]) == "agrees", (
        "what lies before"
    )


def test_a_log_that_was_restored_agrees_as_an_old_one(app: Flask, tmp_path: Path) -> None:
    table = ClubTable(tmp_path / "table.sqlite")
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    uplink.stop()
    table.close()
    saved = table.path.read_bytes()
    table.open()
    table.play(1)
    kept = table.store.rows_after(0, 10_000)[-1]
    again = uplink_of(table, app)
    sent_up(again)
    again.stop()
    table.close()
    for end in ("-wal", "-shm"):
        table.path.with_name(table.path.name + end).unlink(missing_ok=True)
    table.path.write_bytes(saved)
    table.open()
    table.play(2)
    sent_up(uplink_of(table, app))
    assert says(app, table, kept[0], kept[2][:16]) == "old"


def test_the_page_compares_what_stands_behind_the_address(browser: Browser, tmp_path: Path) -> None:
    app = create_club_app(open_base(str(tmp_path / "club.sqlite")))
    table = played(app, tmp_path)
    serving = serve(app, port=0)
    rows = table.store.rows_after(0, 10_000)
    first, (seq, _, seal) = rows[0][2][:16], rows[-1]
    page = browser.new_page(viewport={"width": 390, "height": 844})
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    seals = f"2-{seq}-{seal[:16]},1-{seq - 5}-{'0' * 16},3-{seq + 9}-{seal[:16]}"
    page.goto(f"{serving.url}seals?lang=en#table={table.key.public}&log={first}&seals={seals}")
    rows_shown = page.locator("#rows li")
    expect(rows_shown.nth(0)).to_contain_text("agrees")
    expect(rows_shown.nth(1)).to_contain_text("DOES NOT AGREE")
    expect(rows_shown.nth(2)).to_contain_text("not here")
    expect(page.locator("#told")).to_have_text("1 of 3 seals DO NOT AGREE.")
    assert not [url for url in sent if "#" in url]
    page.close()
    serving.close()
    close_club_app(app)


def post(client: Visitor, path: str, key: str, **body: object) -> tuple[int, dict[str, object]]:
    answer = client.post(f"/api/desk/{path}", body, **{"Idempotency-Key": key})
    return answer.status_code, answer.json


@pytest.fixture
def ten(app: Flask) -> dict[str, object]:
    """A correction of ten points."""
    base = app.extensions["base"]
    take_players(base, "name,number\nAnna,1\n")
    session, (anna,) = begin_session(base, "Monday"), all_players(base)
    return {"session": session, "player": anna.id, "points": 10, "reason": "once"}


def points(app: Flask, ten: dict[str, object]) -> list[int]:
    return [
        each.points for each in Ledger(app.extensions["base"]).standing(int(str(ten["session"])))
    ]


def test_it_is_done_once_at_whichever_hub_it_comes(
    app: Flask, where: str, ten: dict[str, object]
) -> None:
    other, key = create_club_app(open_base(where)), uuid4().hex
    clients = [Visitor(app), Visitor(app), Visitor(other)]
    said = [post(each, "correct", key, **ten) for each in clients]
    assert said == [(200, {"done": True}), *[(200, {"done": True, "before": True})] * 2]
    assert points(app, ten) == [10]
    assert post(clients[2], "correct", uuid4().hex, **ten) == (200, {"done": True})
    assert post(clients[2], "correct", key, **{**ten, "points": 5}) == (200, {"done": True})
    assert points(app, ten) == [25]
    close_club_app(other)


def test_many_at_the_same_time_are_one(app: Flask, ten: dict[str, object]) -> None:
    key = uuid4().hex
    with ThreadPoolExecutor(6) as pool:
        said = [
            each.result()
            for each in [pool.submit(post, Visitor(app), "correct", key, **ten) for _ in range(6)]
        ]
    assert points(app, ten) == [10]
    assert {status for status, _ in said} <= {200, 409}
    assert [answer for _, answer in said].count({"done": True}) == 1


def test_the_answer_is_that_of_the_first_time(app: Flask) -> None:
    client, key = Visitor(app), uuid4().hex
    _, first = post(client, "session", key, name="Monday")
    assert post(client, "session", key, name="Monday") == (200, first | {"before": True})
    assert len(all_sessions(app.extensions["base"])) == 1


def test_what_was_refused_may_be_tried_again(app: Flask, ten: dict[str, object]) -> None:
    client, key = Visitor(app), uuid4().hex
    nobody = {**ten, "player": 7}
    assert [post(client, "correct", key, **nobody)[0] for _ in range(2)] == [409, 409]
    assert post(client, "correct", "short", **ten)[0] == 400
    assert points(app, ten) == []


def test_a_command_whose_end_nobody_knows_is_not_done_again(
    app: Flask, ten: dict[str, object]
) -> None:
    """The process died after the commit and before the answer."""
    client, key, base = Visitor(app), uuid4().hex, app.extensions["base"]
    post(client, "correct", key, **ten)
    with base.begin() as connection:
        connection.execute(update(commands).values(answer=""))
    status, said = post(client, "correct", key, **ten)
    assert (status, "list of acts" in str(said)) == (409, True)
    assert points(app, ten) == [10]


def test_a_command_that_was_cut_off_is_not_done_again_by_itself(
    app: Flask, ten: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it was done, people look up."""
    client, key, before = Visitor(app), uuid4().hex, len(all_acts(app.extensions["base"]))

    def die(*_: object) -> None:
        raise RuntimeError("cut off")

    app.testing = False
    with monkeypatch.context() as patch:
        patch.setattr("table_assist.club.hub.desk._row", die)
        assert post(client, "correct", key, **ten)[0] == 500
    status, said = post(client, "correct", key, **ten)
    assert (status, "list of acts" in str(said)) == (409, True)
    assert (points(app, ten), len(all_acts(app.extensions["base"]))) == ([], before)
