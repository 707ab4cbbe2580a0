"""What anybody may see of a club: players, standings of many sessions, ratings; on paper too."""

import re
import time
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect
from sqlalchemy import update

from table_assist.club.acts import ActKind
from table_assist.club.hub.database import open_base, tables
from table_assist.club.hub.desk import all_acts
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import correct, publish, take_players
from tests.stages.club_table import season
from tests.stages.on_paper import SCRIPTS, on_paper
from tests.stages.visitor import page_token, violations
from web.club.app import close_club_app, create_club_app
from web.club.shared import csv_answer
from web.serve import serve

pytestmark = pytest.mark.usefixtures("counted")


def stranger(app: Flask) -> FlaskClient:
    """Somebody in the network, who is nobody at the hub."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = "192.0.2.7"
    return client


def test_standings_of_sessions_together_are_the_sum_of_each(app: Flask) -> None:
    client = app.test_client()
    one, two = season(app, seed=1), season(app, seed=2, name="Summer")
    post(client, "series", {"name": "Cup", "sessions": [one.session, two.session]})
    post(client, "season", {"name": "2026", "first": "2000-01-01", "last": "2099-12-31"})
    apart = [client.get(f"/api/standings/{each.session}").get_json() for each in (one, two)]
    points = {row["player"]: row["points"] for row in apart[0]["players"]}
    for row in apart[1]["players"]:
        points[row["player"]] += row["points"]
    for series in client.get("/api/series").get_json()["series"]:
        together = client.get(f"/api/series/{series['id']}").get_json()
        assert {row["player"]: row["points"] for row in together["players"]} == points
        assert together["sum"] == 0
        text = client.get(f"/api/series/{series['id']}.csv").get_data(as_text=True)
        assert text.count("\n") == 1 + len(points)
    correct(app.extensions["base"], one.session, 1, -5, "late", "Ada")
    assert client.get("/api/series/1").get_json()["sum"] == -5
    made = next(act for act in all_acts(app.extensions["base"], [ActKind.SERIES]))
    post(client, "undo", {"act": made.id})
    assert client.get("/api/series/1").status_code == 404


def test_wrong_days_and_unknown_sessions_make_no_season(app: Flask) -> None:
    client = app.test_client()
    for path, body, status in (
        ("season", {"name": "x", "first": "2026-02-30", "last": "2026-03-01"}, 409),
        ("season", {"name": "x", "first": "2026-03-02", "last": "2026-03-01"}, 409),
        ("series", {"name": "x", "sessions": [99]}, 409),
        ("series", {"name": "x", "sessions": []}, 409),
    ):
        assert post(client, path, body, status)
    assert client.get("/api/series").get_json() == {"series": []}


def test_what_is_held_back_and_who_is_hidden_no_stranger_sees(app: Flask) -> None:
    base, client = app.extensions["base"], stranger(app)
    made = season(app)
    take_players(base, "number,name,hidden\n1,Player 1,yes\n")
    secret = "Player 1"
    seen = client.get("/api/hall").get_json()["tables"][0]["view"]["names"]
    take_players(base, f"number,name,hidden\nx7,{seen[1]},yes\n")
    with base.begin() as connection:  # the table speaks again
        connection.execute(update(tables).values(changed=int(time.time() * 1000)))
    for path in ("/api/hall", "/api/table/1"):
        answer = client.get(path).get_data(as_text=True)
        assert seen[1] not in answer, path
        assert "x7" in answer, path
    pages = [
        f"/api/standings/{made.session}", f"/api/standings/{made.session}.csv", "/api/ratings",
        "/api/ratings.csv", "/api/players", "/api/players.csv", f"/api/seating/{made.session}",
        f"/api/seating/{made.session}.csv", "/api/series", "/api/sessions.csv",
        *(f"/api/player/{n}{end}" for n in range(1, 9) for end in ("", ".csv")),
    ]  # fmt: skip
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200, page
        assert secret not in answer.get_data(as_text=True), page
    assert secret in app.test_client().get("/api/player/1").get_data(as_text=True)
    publish(base, made.session, public=False)
    own = client.get("/api/player/2").get_json()
    assert (own["rounds"], own["won"], own["sessions"], own["rating"]) == ([], [], [], None)
    assert client.get(f"/api/standings/{made.session}").status_code == 404
    assert client.get(f"/print/standings/{made.session}").status_code == 404
    assert client.get("/player/99").status_code == 404


def test_a_players_page_adds_up_with_the_standings(app: Flask) -> None:
    client, made = app.test_client(), season(app, 3, 3, 3)
    places = client.get(f"/api/standings/{made.session}").get_json()["players"]
    wins = given = 0
    for place in places:
        own = client.get(f"/api/player/{place['player']}").get_json()
        assert sum(each["points"] for each in own["rounds"]) == place["points"]
        assert len(own["won"]) == place["wins"] == own["luck"]["wins"]["count"]
        assert max((each["points"] for each in own["best"]), default=0) == place["best"]
        assert own["rating"]["games"] == len(own["rating"]["course"]) == 3
        assert all(each["paid"] and each["tiles"] and each["worth"] for each in own["won"])
        wins += len(own["won"])
        given += own["luck"]["given"]["count"]
    hands = [
        w
        for log in Ledger(app.extensions["base"]).logs()
        for s in log.told.stretches
        for w in s.won
    ]
    assert wins == len(hands)
    assert given == sum(each.giver is not None for each in hands)
    rows = client.get(f"/api/player/{places[0]['player']}.csv").get_data(as_text=True)
    assert rows.count("\n") == 1 + places[0]["wins"]


def test_paper_has_every_name_of_every_script(app: Flask, browser: Browser) -> None:
    client, made = app.test_client(), season(app)
    rows = "".join(f"{number},{name}\n" for number, name in enumerate(SCRIPTS, 1))
    take_players(app.extensions["base"], f"number,name\n{rows}")
    serving = serve(app, port=0)
    page = browser.new_page(locale="zh-CN")
    for place, shown in (
        (f"standings/{made.session}", SCRIPTS),
        (f"seating/{made.session}", SCRIPTS),
        (f"player/1/{made.session}", SCRIPTS[:1]),
    ):
        assert client.get(f"/print/{place}").status_code == 200
        page.goto(f"{serving.url}print/{place}")
        paper = on_paper(page)
        assert len(paper) == 1
        for name in shown:
            assert name.replace(" ", "") in paper[0], (place, name)
    page.close()
    serving.close()


def test_a_name_is_no_formula_in_a_spreadsheet() -> None:
    text = csv_answer(("a",), [("=1+1",), ("",), (-3,)]).get_data(as_text=True)
    assert text == '\ufeffa\r\n\'=1+1\r\n""\r\n-3\r\n'


def test_the_description_names_every_route_and_nothing_else(app: Flask) -> None:
    described = app.test_client().get("/api/openapi.json").get_json()["paths"]
    there: dict[str, set[str]] = {}
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/"):
            path = re.sub("<[a-z]+:", "{", rule.rule).replace("<", "{").replace(">", "}")
            there.setdefault(path, set()).update(rule.methods or ())
    assert {path: set(each) for path, each in described.items()} == {
        path: {m.lower() for m in each - {"HEAD", "OPTIONS"}} for path, each in there.items()
    }
    for path, operations in described.items():
        for operation in operations.values():
            assert operation["summary"], path
    lists = {path for path in there if "desk" not in path and "uplink" not in path}
    # One figure, what never ends, what has just ended, and the answer to one question.
    alone = {"/api/clock", "/api/stream", "/api/results", "/api/seals/{table}/{log}/{seq}/{seal}"}
    listed = {path[:-4] for path in lists if path.endswith(".csv")}
    assert {path for path in lists if "." not in path} - listed <= alone


def post(client: FlaskClient, path: str, body: dict[str, object], status: int = 200) -> object:
    token = page_token(client.get("/desk").text)
    answer = client.post(f"/api/desk/{path}", json=body, headers={"X-Table-Token": token})
    assert answer.status_code == status, answer.get_data(as_text=True)
    return answer.get_json()


@pytest.mark.slow
def test_every_page_reads_on_a_phone_and_on_a_desk(browser: Browser, tmp_path: Path) -> None:
    app = create_club_app(open_base(str(tmp_path / "club.sqlite")))
    made = season(app, 2, 2, 4)
    serving = serve(app, port=0)
    complaints: list[str] = []
    try:
        desk = browser.new_page()
        desk.on("pageerror", lambda error: complaints.append(str(error)))
        desk.goto(f"{serving.url}desk?lang=en")
        together = desk.locator("#together")
        together.get_by_label("First day").fill("2020-01-01")
        together.get_by_label("Last day").fill("2099-01-01")
        together.locator("form[data-to=season] [name=name]").fill("Year")
        together.get_by_role("button", name="Make a season").click()
        expect(together.locator("ul")).to_contain_text("Year (1)")
        together.locator("#tournament [name=name]").fill("Cup")
        together.get_by_label("Spring").check()
        together.get_by_role("button", name="Make a tournament").click()
        expect(together.locator("ul")).to_contain_text("Cup (1)")
        desk.locator("#acts li", has_text="Cup made of").get_by_role("button").click()
        expect(together.locator("ul li")).to_have_count(1)
        desk.close()
        best = Ledger(app.extensions["base"]).standing(made.session)[0]
        for width, language, theme in ((390, "zh", "light"), (1280, "en", "dark")):
            page = browser.new_page(viewport={"width": width, "height": 844})
            page.on("pageerror", lambda error: complaints.append(str(error)))
            for path, place in (
                ("standings?series=1", "#standing"),
                ("ratings", "#rated"),
                ("seating", "#rounds"),
                (f"player/{best.player}", "#rounds"),
            ):
                page.goto(f"{serving.url}{path}{'&' if '?' in path else '?'}lang={language}")
                page.emulate_media(color_scheme="light" if theme == "light" else "dark")
                expect(page.locator(place)).to_contain_text(
                    "Spring" if "player" in path else "Player"
                )
                assert violations(page) == [], path
                assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            expect(page.locator("#best li").first).to_contain_text(f"+{best.best}")
            expect(page.locator("#sessions")).to_contain_text("Year")
            assert page.locator("#best .tile").count() >= 13
            page.close()
        assert complaints == []
    finally:
        serving.close()
        close_club_app(app)
