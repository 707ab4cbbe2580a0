"""The pictures of the wiring in the page: those of the docs, with labels in either language."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from table_assist.upkeep.table_service import Mode
from tests.stages.keeping_table import SETTINGS, run_table
from web.answers import bare_app
from web.setup.wiring import _LABEL, PICTURES, blueprint, described, drawing, in_chinese, is_known

BOARD = Path(__file__).parents[2] / "docs" / "board"
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def test_every_picture_of_the_docs_is_in_the_page() -> None:
    assert sorted(PICTURES) == sorted(path.stem for path in BOARD.glob("*.svg"))


@pytest.mark.parametrize("name", PICTURES)
def test_every_label_is_known_and_chinese_where_it_has_words(name: str) -> None:
    labels = [found[2] for found in _LABEL.finditer(drawing(name, chinese=False))]
    assert len(labels) > 10
    assert [label for label in labels if not is_known(label)] == []
    for label in labels:
        if re.search(r"[a-z]{3}", label):
            assert CHINESE.search(in_chinese(label)), label
    drawn = drawing(name, chinese=True)
    assert len(_LABEL.findall(drawn)) == len(labels)
    assert drawing(name, chinese=False) == (BOARD / f"{name}.svg").read_text(encoding="utf-8")


def test_no_other_file_is_served() -> None:
    app = bare_app()
    app.register_blueprint(blueprint)
    for name in ("nothing", "..%2FBOARD", "..", "overview%00"):
        assert app.test_client().get(f"/setup/wiring/{name}.svg").status_code == 404
    answer = app.test_client().get("/setup/wiring/tap.svg?lang=zh")
    assert "光耦" in answer.get_data(as_text=True)
    assert "sandbox" in answer.headers["Content-Security-Policy"]


def test_what_a_picture_shows_is_said_in_both_languages() -> None:
    for name, said in described():
        assert len(said.en) > 60, name
        assert CHINESE.search(said.zh)


@pytest.mark.slow
def test_the_boards_step_shows_them_when_it_is_asked(browser: Browser, tmp_path: Path) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text(SETTINGS, encoding="utf-8")
    with run_table(settings, Mode.SETUP) as site:
        page = browser.new_context(locale="en-GB").new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(site.url + "setup")
        page.locator("#steps [data-step=board]").click()
        assert not [url for url in asked if "wiring" in url], "nobody asked for them yet"
        page.locator(".wiring summary").click()
        for name in PICTURES:
            image = page.locator(f".wiring img.en[src*='{name}.svg']")
            image.scroll_into_view_if_needed()
            expect(image).to_be_visible()
            page.wait_for_function(
                "(i) => i.complete && i.naturalWidth > 300", arg=image.element_handle()
            )
        out = Path(__file__).parents[2] / "build" / "screenshots"
        out.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=out / "wiring.png", full_page=True)
        page.locator("#language").select_option("zh")
        expect(page.locator(".wiring img.en").first).to_be_hidden()
        expect(page.locator(".wiring img.zh").first).to_be_visible()
        page.context.close()
