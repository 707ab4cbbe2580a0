"""The hub in a browser: a table is let in, calls a referee, and stands in the hall as it plays."""

import os
import re
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect

from table_assist.club.hub.database import open_base
from table_assist.club.hub.people import take_players
from table_assist.club.orders import kept_orders
from table_assist.club.sending import free_until
from table_assist.club.uplink import ClubService
from table_assist.game.events import (
    Drew,
    End,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    Settled,
    WinRefused,
)
from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import EndHand, Rule, StartHand
from table_assist.record.log import Retracted, Source
from table_assist.record.record import Record
from table_assist.record.snapshot import has_secret, is_about_treasure
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.session import Session
from table_assist.settings.config import Config, LogConfig
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from tests.stages.club_table import season
from tests.stages.evenings import RULE_SETS, played
from tests.stages.visitor import violations
from web import create_app
from web.club.app import close_club_app, create_club_app
from web.pages.club_page import hall_view
from web.pages.dispute_page import packed_for_club
from web.serve import Serving, serve

CSV = "number,name\n1,Ann\n2,Bo\n3,Chen\n4,Du\n"


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[tuple[Flask, Serving]]:
    app = create_club_app(open_base(str(tmp_path / "club.sqlite")))
    serving = serve(app, port=0)
    yield app, serving
    serving.close()
    close_club_app(app)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[LiveTable, Serving]]:
    config = Config(log=LogConfig(str(tmp_path / "log.sqlite")))
    live = LiveTable(config, camera=None, reader=None)
    desk = ClubService(
        live, tmp_path / "table.club.json", hall_view, partial(packed_for_club, live)
    )
    serving = serve(create_app(live, club=desk), port=0)
    live.start()
    desk.start()
    yield live, serving
    desk.stop()
    serving.close()
    live.stop()


def faultless(page: Page) -> None:
    found = violations(page)
    assert [each["id"] for each in found] == []


@pytest.fixture
def windows(browser: Browser) -> Iterator[list[Page]]:
    """A context each: a page behind another is drawn once a second, and a click waits for two."""
    contexts = [browser.new_context() for _ in range(4)]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def test_a_table_joins_a_club_plays_and_calls_a_referee(
    windows: list[Page], hub: tuple[Flask, Serving], table: tuple[LiveTable, Serving]
) -> None:
    (app, club), (live, own) = hub, table
    base = app.extensions["base"]
    at_table, desk, hall, seats = windows
    complaints: list[str] = []
    for page in windows:
        page.on("pageerror", lambda error: complaints.append(str(error)))
    at_table.goto(f"{own.url}club?lang=en")
    at_table.get_by_label("The hub's address").fill(club.url)
    at_table.get_by_role("button", name="Join").click()
    code = at_table.locator("#code")
    expect(code).to_have_text(re.compile(r"^\w{5}-\w{5}$"))
    faultless(at_table)
    desk.goto(f"{club.url}desk?lang=en")
    expect(desk.locator("#asks")).to_contain_text("ask to be let in: 1")
    desk.get_by_label("The code on its page").fill(code.inner_text())
    desk.locator("form[data-to=let-in]").get_by_label("Its name").fill("Table 7")
    desk.get_by_role("button", name="Let in").first.click()
    expect(desk.locator("#tables-list")).to_contain_text("Table 7")
    hall.goto(f"{club.url}?lang=en")
    expect(hall.locator("#tables")).to_contain_text("Table 7")

    take_players(base, CSV)
    desk.locator("form[data-to=session]").get_by_label("Its name").fill("Monday")
    desk.get_by_role("button", name="Begin").click()
    expect(desk.locator("#sessions")).to_contain_text("Monday")
    for seat, name in enumerate(("Ann", "Bo", "Chen", "Du")):
        desk.get_by_label(f"Seat {seat + 1}").select_option(label=name)
    desk.locator("#seats button").click()
    expect(desk.locator("#told")).to_have_text("Done.")
    desk.get_by_role("button", name="Show to everybody").click()
    expect(at_table.locator("#have")).to_contain_text("entries are there")
    until = time.monotonic() + 15
    while not kept_orders(live.entries()):
        assert time.monotonic() < until, "the seats have not come down"
        time.sleep(0.05)
    late = Words("late", "迟到")
    assert live.submit(Rule(1, "", (4, -12, 4, 4), late), "Ann (referee)") is None
    assert live.submit(StartHand(0), "Ann (referee)") is None
    at_table.get_by_label("Why (may be left empty)").fill("a false win")
    at_table.locator("#call button").click()
    scores = hall.locator("#standing tbody")
    expect(scores).to_contain_text("Ann")
    expect(hall.locator("#tables li.called")).to_contain_text("hand 1")
    signed = [f"{each:+d}".replace("-", "−") for each in live.snapshot.state.scores]
    for points in signed:  # the ruling may come up a moment after the seats
        expect(scores).to_contain_text(points)
    expect(desk.locator("#calls")).to_contain_text("a false win")
    desk.get_by_role("button", name="I go").click()
    expect(desk.locator("#calls")).to_contain_text("goes")
    desk.locator("#calls").get_by_role("button", name="Done").click()
    expect(desk.locator("#no-calls")).to_be_visible()
    expect(at_table.locator("#call")).to_be_visible()
    rule = desk.locator("form[data-to=ruling]")
    rule.locator("[name=transfers]").fill("8 -8 0 0")
    rule.locator("[name=reason]").fill("a late claim")
    rule.get_by_role("button").click()
    correct = desk.locator("form[data-to=correct]")
    correct.locator("[name=points]").fill("-2")
    correct.locator("[name=reason]").fill("left early")
    correct.get_by_role("button").click()
    act = desk.locator("#acts li").filter(has_text="Ann -2: left early").first
    act.get_by_role("button", name="Undo").click()
    expect(desk.locator("#acts del")).to_contain_text("Ann -2: left early")
    desk.locator("form[data-to='clock/start']").get_by_role("button").click()
    expect(hall.locator("#clock p")).to_contain_text("59:")
    desk.locator("#clock-run").click()
    expect(hall.locator("#clock p")).to_contain_text("stands")
    assert live.submit(EndHand(), "Ann (referee)") is None  # what is ruled in a hand waits for it
    expect(scores).to_contain_text("+12")
    desk.locator("#draw input[name=rounds]").fill("2")
    desk.get_by_role("button", name="Propose").click()
    expect(desk.locator("#defects")).to_contain_text("winds uneven by 0")
    desk.get_by_role("button", name="Accept").click()
    expect(desk.locator("#planned")).to_contain_text("Seat round 2")
    desk.get_by_role("button", name="Ask every table").click()
    expect(desk.locator("#stands .good")).to_have_text("agrees with its log", timeout=10_000)
    desk.get_by_role("button", name="Finish the round").click()
    expect(desk.locator("#ends")).to_contain_text("every table agreed")
    desk.get_by_label("Rule profile").select_option(label="Tianjin")
    desk.get_by_role("button", name="All tables play by it").click()
    expect(desk.locator("#alarms")).to_contain_text("another rule profile", timeout=10_000)
    expect(desk.locator("#profile-now")).to_contain_text("All tables play by Tianjin")
    desk.get_by_label("A line a table").fill("round,east,south,west,north\n3,1,2,3,4\n")
    desk.get_by_role("button", name="Check it").click()
    expect(desk.locator("#proposal li")).to_have_text("Ann, Bo, Chen, Du")
    expect(desk.locator("#plan .cell")).to_contain_text("alarm", timeout=10_000)
    desk.get_by_role("button", name="Move tables").click()
    desk.get_by_role("button", name="Table 7, row 1").click()
    desk.get_by_role("button", name="row 2, column 2").click()
    expect(desk.get_by_role("button", name="Table 7, row 2, column 2")).to_be_visible()
    faultless(desk)
    desk.get_by_role("button", name="Done moving").click()
    expect(hall.locator("#plan .alarm")).to_contain_text("Table 7", timeout=10_000)
    desk.get_by_role("button", name="Have it sent").click()
    desk.locator("#files").get_by_role("link", name="Open").click(timeout=15_000)
    expect(desk.locator("[data-mark=ok]")).to_contain_text("Table 7's own key", timeout=30_000)
    expect(desk.locator("[data-mark=NO]")).to_be_hidden()
    faultless(desk)
    with desk.context.expect_page() as opened:
        desk.get_by_role("link", name="The hand as it was recorded").click()
    expect(opened.value.locator("h1")).to_contain_text("1")
    desk.go_back()
    desk.get_by_role("button", name="Check", exact=True).click()
    expect(desk.locator("#rows .good").first).to_be_visible()
    expect(desk.locator("#rows .bad")).to_have_count(0)
    seats.goto(f"{club.url}seating?lang=zh&theme=dark")
    expect(seats.locator("#rounds")).to_contain_text("第 2 轮")
    for page in (desk, hall, seats):
        faultless(page)
    assert complaints == []


NAMES = ("Ann", "Bo", "Chen", "Du")


class Told:
    """A session that is told events, and what may leave after each."""

    def __init__(self, rules: str) -> None:
        self.record = Record(None, lambda: 1.0)
        self.session = Session(plain_profile(find_rules(rules)), NAMES, self.record, now=lambda: 1)

    def tell(self, event: object) -> int:
        self.record.append(event, Source.RULES)  # type: ignore[arg-type]
        self.session._publish()
        return free_until(self.session.snapshot, self.record.entries)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_of_a_hand_in_play_only_what_lies_open_leaves(rules: str) -> None:
    told, most = Told(rules), 0
    for event in played(rules, 5, 4):
        most = max(most, told.tell(event))
        snapshot = told.session.snapshot
        if not (snapshot.state.is_running or has_secret(snapshot)):
            assert most == snapshot.seq
            continue
        begun = max(e.seq for e in told.record.entries if isinstance(e.event, HandStarted))
        for entry in told.record.entries[begun:most]:
            hidden = isinstance(entry.event, IndicatorTurned | WinRefused) or (
                isinstance(entry.event, KongDeclared)
                and entry.event.kind is MeldKind.KONG_CONCEALED
            )
            assert not hidden, f"{entry.event} has left in play"
            assert not is_about_treasure(entry.event)
    assert most > 50


def test_a_hidden_treasure_stays_until_the_next_deal() -> None:
    """Also when the hand ends without a winner, and when that is taken back."""
    for seed in range(40):
        events = played("changchun", seed, 1)
        turned = [n for n, event in enumerate(events) if isinstance(event, IndicatorTurned)]
        ends = [n for n, event in enumerate(events) if isinstance(event, End)]
        won = any(isinstance(event, Settled) and event.winners for event in events)
        if turned and not won and ends:
            break
    else:
        raise AssertionError("no hand of them ends with a hidden treasure")
    told = Told("changchun")
    frees = [told.tell(event) for event in events[: ends[0] + 1]]
    assert max(frees) <= turned[0]
    assert told.tell(Retracted(ends[0] + 1)) <= turned[0]


def test_a_deal_that_the_program_knows_stays_until_the_hand_is_over() -> None:
    told = Told("changsha")
    hands = ((Tile.EAST,) * 13,) * 4
    before = told.tell(HandStarted(1, "changsha", 0, 55, hands=hands))
    assert before == 0
    told = Told("changsha")
    assert told.tell(HandStarted(1, "changsha", 0, 55)) == 1
    assert told.tell(Drew(0, Tile.EAST)) == 1
    assert told.tell(Drew(0)) == 1, "what comes after a secret waits with it"


SOON_S = 0.3


def answered_s(client: FlaskClient, path: str) -> float:
    begun = time.perf_counter()
    assert client.get(path).status_code == 200
    return time.perf_counter() - begun


@pytest.mark.usefixtures("counted")
def test_pages_of_a_season_answer_soon(app: Flask) -> None:
    count, rounds, hands = map(int, os.environ.get("TABLE_ASSIST_SEASON", "5x2x2").split("x"))
    made, client = season(app, count, rounds, hands), app.test_client()
    took: dict[str, float] = {}
    for name, path in (
        ("first of all", f"/api/standings/{made.session}"),
        ("standings", f"/api/standings/{made.session}"),
        ("ratings, first", "/api/ratings"),
        ("ratings", "/api/ratings"),
        ("player", "/api/player/1"),
        ("seating", f"/api/seating/{made.session}"),
        ("hall", "/api/hall"),
    ):
        took[name] = min(answered_s(client, path) for _ in range(1 if "first" in name else 3))
    told = ", ".join(f"{name} {1000 * s:.0f} ms" for name, s in took.items())
    print(f"{app.extensions['base'].dialect.name}: {made.entries} entries: {told}")
    late = {name: s for name, s in took.items() if "first" not in name and s > SOON_S}
    assert late == {}
