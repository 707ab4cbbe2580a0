"""A command of the desk that comes again under its key is done once."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import update

from table_assist.club.hub.database import commands, open_base
from table_assist.club.hub.desk import all_acts
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import all_players, all_sessions, begin_session, take_players
from web.club.app import close_club_app, create_club_app


def post(client: FlaskClient, path: str, key: str, **body: object) -> tuple[int, dict[str, object]]:
    page = client.get("/desk").get_data(as_text=True)
    token = page.split('name="table-token" content="')[1].split('"')[0]
    headers = {"X-Table-Token": token, "Idempotency-Key": key}
    answer = client.post(f"/api/desk/{path}", json=body, headers=headers)
    return answer.status_code, answer.get_json()


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
    clients = [app.test_client(), app.test_client(), other.test_client()]
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
            for each in [
                pool.submit(post, app.test_client(), "correct", key, **ten) for _ in range(6)
            ]
        ]
    assert points(app, ten) == [10]
    assert {status for status, _ in said} <= {200, 409}
    assert [answer for _, answer in said].count({"done": True}) == 1


def test_the_answer_is_that_of_the_first_time(app: Flask) -> None:
    client, key = app.test_client(), uuid4().hex
    _, first = post(client, "session", key, name="Monday")
    assert post(client, "session", key, name="Monday") == (200, first | {"before": True})
    assert len(all_sessions(app.extensions["base"])) == 1


def test_what_was_refused_may_be_tried_again(app: Flask, ten: dict[str, object]) -> None:
    client, key = app.test_client(), uuid4().hex
    nobody = {**ten, "player": 7}
    assert [post(client, "correct", key, **nobody)[0] for _ in range(2)] == [409, 409]
    assert post(client, "correct", "short", **ten)[0] == 400
    assert points(app, ten) == []


def test_a_command_whose_end_nobody_knows_is_not_done_again(
    app: Flask, ten: dict[str, object]
) -> None:
    """The process died after the commit and before the answer."""
    client, key, base = app.test_client(), uuid4().hex, app.extensions["base"]
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
    client, key, before = app.test_client(), uuid4().hex, len(all_acts(app.extensions["base"]))

    def die(*_: object) -> None:
        raise RuntimeError("cut off")

    app.testing = False
    with monkeypatch.context() as patch:
        patch.setattr("table_assist.club.hub.desk._row", die)
        assert post(client, "correct", key, **ten)[0] == 500
    status, said = post(client, "correct", key, **ten)
    assert (status, "list of acts" in str(said)) == (409, True)
    assert (points(app, ten), len(all_acts(app.extensions["base"]))) == ([], before)
