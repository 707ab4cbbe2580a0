"""The enrolment page: what it answers, whom it trusts, and a real browser that corrects a tile."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Route, expect

from table_assist.languages.words import Words
from table_assist.tiles.tile import parse_tiles
from table_assist.upkeep.setup.enrol import Enrolment, enrol
from table_assist.vision.enrolment import files as enrol_files
from table_assist.vision.enrolment.report import EnrolReport
from table_assist.vision.enrolment.review import REVIEW_END_S, Review, ReviewedThing, ReviewStage
from table_assist.vision.pictures.picture import save_picture
from table_assist.vision.reading.recognise import LABELS
from tests.stages.dealt import lay_rows
from tests.stages.keeping_table import wait_for
from web.serve import Serving, serve
from web.setup.enrol import create_enrol_app

PHONE, DESK = (390, 844), (1280, 800)


def item(label: str, *, sure: bool = True, kind: int = 0, picture: int = 0) -> ReviewedThing:
    return ReviewedThing(picture, label, sure, False, (label, "9m"), kind)


def review_of(*items: ReviewedThing) -> Review:
    return Review(
        "home",
        items,
        pictures=("a.jpg",),
        labels=LABELS,
        crops=[b"crop"] * len(items),
        shown=[b"whole"],
    )


@pytest.fixture
def review() -> Review:
    return review_of(item("1m"), item("2m", sure=False, kind=1), item("2m", sure=False, kind=1))


@pytest.fixture
def client(review: Review) -> FlaskClient:
    return create_enrol_app(review).test_client()


def post(client: FlaskClient, path: str, content: object) -> tuple[int, dict[str, object]]:
    token = client.application.config["TABLE_TOKEN"]
    answer = client.post(path, json=content, headers={"X-Table-Token": token})
    return answer.status_code, answer.get_json()


def test_nothing_changes_once_learning_has_begun(review: Review) -> None:
    assert not review.wait_finished(0)
    assert review.finish() is None
    assert review.wait_finished(0)
    assert review.view.stage is ReviewStage.LEARNING
    assert review.correct([0], "9m") is not None
    assert review.confirm([1]) is not None
    assert review.finish() is not None
    assert review.view.items[0].label == "1m"


def test_nothing_named_cannot_be_learnt() -> None:
    review = review_of(item("1m", sure=False))
    refused = review.finish()
    assert refused is not None
    assert "No tile is named yet" in refused.en
    assert review.view.stage is ReviewStage.REVIEW


def test_the_end_waits_for_the_page_and_no_longer(review: Review) -> None:
    review.seen()
    started = time.monotonic()
    review.end(ReviewStage.DONE, [Words("done", "完成")])
    assert time.monotonic() - started < REVIEW_END_S / 2
    assert review.view.progress == 1


def test_the_page_and_everything_on_it_is_served(client: FlaskClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert not re.search(r"https?://", page.get_data(as_text=True))
    state = client.get("/api/enrol").get_json()
    assert (state["name"], state["stage"], len(state["items"])) == ("home", "review", 3)
    assert client.get("/crop/2.jpg").data == b"crop"
    assert client.get("/picture/0.jpg").data == b"whole"
    assert client.get("/crop/3.jpg").status_code == 404
    assert client.get("/picture/1.jpg").status_code == 404


def test_a_command_without_the_pages_token_is_refused(client: FlaskClient) -> None:
    for path in ("label", "right", "done", "seen"):
        assert client.post(f"/api/enrol/{path}", json={}).status_code == 403
    assert client.get("/", headers={"Host": "elsewhere.example"}).status_code == 421


@pytest.mark.parametrize(
    "content",
    [
        [],
        {},
        {"items": 0, "label": "1m"},
        {"items": ["0"], "label": "1m"},
        {"items": [True], "label": "1m"},
        {"items": [0], "label": 3},
        {"items": [0]},
    ],
)
def test_a_command_that_is_none_is_told_so(client: FlaskClient, content: object) -> None:
    status, answer = post(client, "/api/enrol/label", content)
    assert status == 400
    assert answer["error"]["en"]  # type: ignore[index]


def test_a_correction_that_cannot_be_is_answered_in_both_languages(client: FlaskClient) -> None:
    status, answer = post(client, "/api/enrol/label", {"items": [7], "label": "1m"})
    assert (status, answer) == (
        409,
        {"error": {"en": "There is no such tile.", "zh": "没有这张牌。"}},
    )


@dataclass
class Visit:
    """A page, and what it complained of."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)


@pytest.fixture
def visit(browser: Browser) -> Visit:
    context = browser.new_context(locale="en-GB", viewport={"width": PHONE[0], "height": PHONE[1]})
    here = Visit(context.new_page())
    here.page.set_default_timeout(30_000)
    here.page.on("pageerror", lambda error: here.complaints.append(str(error)))
    here.page.on("console", lambda message: here.complaints.append(message.text))
    here.page.on(
        "request",
        lambda request: None if "//127.0.0.1:" in request.url else here.foreign.append(request.url),
    )
    return here


@pytest.fixture
def served() -> Iterator[list[Serving]]:
    servers: list[Serving] = []
    yield servers
    for serving in servers:
        serving.close()


@dataclass
class Running:
    """The command `enrol` in a thread of its own, and what it said."""

    wanted: Enrolment
    lines: list[str] = field(default_factory=list)
    reports: list[EnrolReport] = field(default_factory=list)
    at: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        self.reports.append(enrol(self.wanted, self.say))

    def say(self, line: Words) -> None:
        assert line.zh != line.en
        self.lines.append(line.en)
        if "http://" in line.en:
            self.at.set()

    @property
    def url(self) -> str:
        assert self.at.wait(200)
        return next(m[0] for line in self.lines if (m := re.search(r"http://\S+", line)))


def test_one_tap_names_a_tile_anew_and_a_wrong_name_is_told_and_not_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, visit: Visit
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    pictures = []
    for number in range(3):
        path = tmp_path / f"{number}.png"
        save_picture(path, lay_rows([parse_tiles("456789m")] * 2, seed=number))
        pictures.append(path)
    started = time.process_time()  # of this process: neither the browser's nor other work's
    running = Running(Enrolment("home", pictures=tuple(pictures)))
    thread = threading.Thread(target=running.run)
    thread.start()
    page = visit.page
    page.goto(running.url)
    expect(page.locator("[data-face='6m'] .crop")).to_have_count(6)
    page.locator("[data-face='6m'] .crop").nth(5).click()
    page.locator("#palette .choices [data-label='1s']").click()
    expect(page.locator("[data-face='1s'] .crop.confirmed")).to_have_count(1)
    expect(page.locator("[data-face='6m'] .crop")).to_have_count(5)
    page.locator("#done").click()
    expect(page.locator("#ending-title")).to_have_text("home is known now", timeout=200_000)
    expect(page.locator("#lines li").first).to_have_text("35 tiles of 6 faces from 3 pictures.")
    told = page.locator("#lines li", has_text="looks like your")
    expect(told.get_by_role("img")).to_have_count(2)
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    thread.join(timeout=30)
    assert not thread.is_alive()
    assert time.process_time() - started < 60
    counts = dict(running.reports[0].counts)
    assert (counts["6m"], "1s" in counts) == (5, False)
    folder = enrol_files.sets_folder()
    labels = [LABELS[each.label] for each in enrol_files.load_samples("home", folder)]
    assert (labels.count("1s"), labels.count("6m")) == (1, 5)  # kept: it is told again next time
    assert (visit.complaints, visit.foreign) == ([], [])


@pytest.mark.slow
def test_who_gives_up_keeps_nothing(tmp_path: Path) -> None:
    picture = tmp_path / "1.png"
    save_picture(picture, lay_rows([parse_tiles("456m")]))
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path / "data")}
    with subprocess.Popen(
        [sys.executable, "-m", "table_assist", "enrol", "home", str(picture)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while "http://" not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=200) == 1
        assert process.stderr.read() == "Given up; nothing was learnt.\n"
    assert not (tmp_path / "data").exists()


def test_a_doubtful_kind_is_confirmed_or_corrected_as_one(
    visit: Visit, served: list[Serving]
) -> None:
    review = review_of(
        *[item("3p", sure=False, kind=4) for _ in range(3)],
        *[item("5s", sure=False, kind=5) for _ in range(2)],
        *[item("7s") for _ in range(5)],
    )
    served.append(serve(create_enrol_app(review), port=0))
    page = visit.page
    page.goto(served[0].url)
    expect(page.locator(".doubts > li")).to_have_count(2)
    expect(page.locator("#left")).to_have_text("2 to look at")
    expect(page.locator("[data-face='7s'] .warn")).to_have_text("5 in one picture")
    page.locator(".doubts .guess").first.click()
    expect(page.locator("[data-face='3p'] .crop.confirmed")).to_have_count(3)
    page.locator(".doubts [aria-label='9 characters']").click()
    expect(page.locator("[data-face='9m'] .crop.confirmed")).to_have_count(2)
    expect(page.locator("#left")).to_have_text("All clear")
    page.locator("#language").click()
    expect(page.locator("#left")).to_have_text("没有疑问")
    assert [each.label for each in review.view.items[:5]] == ["3p", "3p", "3p", "9m", "9m"]


def test_answers_come_one_after_the_other_so_that_the_last_shows_all(
    visit: Visit, served: list[Serving]
) -> None:
    review = review_of(item("3p", sure=False, kind=4), item("5s", sure=False, kind=5))
    served.append(serve(create_enrol_app(review), port=0))
    page = visit.page
    page.goto(served[0].url)
    asked: list[Route] = []
    page.route("**/api/enrol/label", lambda route: asked.append(route))
    for at in (0, 1):
        page.locator(".doubts .guess").nth(at).click()
    page.wait_for_timeout(200)
    for at in (0, 1):
        wait_for(lambda at=at: page.evaluate("true") and len(asked) > at)
        assert len(asked) == at + 1, "the second waits for the first"
        asked[at].continue_()
    expect(page.locator("#left")).to_have_text("All clear")


def test_the_page_is_worked_by_keyboard_and_fits_a_phone(
    visit: Visit, served: list[Serving]
) -> None:
    review = review_of(*[item("3p") for _ in range(4)], item("5s", sure=False, kind=5))
    served.append(serve(create_enrol_app(review), port=0))
    page = visit.page
    page.goto(served[0].url)
    page.locator("[data-face='3p'] .crop").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#palette")).to_be_visible()
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(overflow) <= 0
    assert page.locator("#palette .choices button").count() == 42
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()
    assert review.view.items[0].label == "3p"
    unnamed = "[...document.querySelectorAll('button')].filter((b) => !(b.ariaLabel || b.innerText)"
    assert page.evaluate(f"{unnamed} && b.checkVisibility()).length") == 0


def test_what_could_not_be_learnt_is_told_on_the_page(visit: Visit, served: list[Serving]) -> None:
    review = review_of(item("1m"))
    served.append(serve(create_enrol_app(review), port=0))
    visit.page.goto(served[0].url)
    expect(visit.page.locator("[data-face='1m']")).to_be_visible()
    visit.page.locator("#done").click()
    expect(visit.page.locator("#ending-title")).to_have_text("Learning your tiles")
    review.advance(0.5)
    expect(visit.page.locator("#progress")).to_have_js_property("value", 0.5)
    review.end(ReviewStage.FAILED, [Words("The disk is full.", "磁盘已满。")])
    expect(visit.page.locator("#ending-title")).to_have_text("It could not be learnt")
    expect(visit.page.locator("#lines")).to_have_text("The disk is full.")
