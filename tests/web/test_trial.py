"""The trial's page in a real browser: a phone, both languages, the keyboard alone, speech."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from table_assist.record.log import Entry
from table_assist.upkeep.table_service import Mode
from table_assist.upkeep.trial.courses import TrialAct
from table_assist.upkeep.trial.service import STEP_S, TRIAL_LOG, TrialWanted
from tests.stages.drawn_hands import serious
from tests.stages.keeping_table import SETTINGS, Site, run_table, wait_for
from tests.stages.simavr import PATIENCE_MS, device
from tests.stages.trial_person import script
from web.language import page_words

PHONE = (390, 844)
# Stands where the browser's voice does, and keeps what it was to say.
VOICE = """
window.heard = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  cancel() {}, speak(said) { window.heard.push([said.lang, said.text]); },
}});
"""
ACTS = (TrialAct.TROUBLE,)
STEPS = len(script("wanzhou", acts=ACTS).steps)


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "table" / "table.toml"
    path.parent.mkdir()
    path.write_text(f'{SETTINGS}\n[rules]\nid = "wanzhou"\n', encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture(params=["en-GB", "zh-CN"])
def phone(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    with device(browser, PHONE, request.param, touched=True) as context:
        context.add_init_script(VOICE)
        yield context


def opened(context: BrowserContext, site: Site) -> Page:
    page = context.new_page()
    page.goto(f"{site.url}trial")
    return page


def entries(site: Site) -> tuple[Entry, ...]:
    """Of the followed table's own log."""
    wait_for(lambda: site.modes.table_service.running is not None)
    running = site.modes.table_service.running
    assert running is not None
    return running.table.entries()


def at_step(step: int) -> re.Pattern[str]:
    return re.compile(rf"^(Step|第) {step} ")


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_whole_trial_by_the_keyboard_alone_on_a_phone(
    settings: Path, phone: BrowserContext
) -> None:
    wanted = TrialWanted(ACTS, seed=1)
    with run_table(settings, Mode.TRIAL, trial=wanted) as site:
        page = opened(phone, site)
        language = "zh" if page.evaluate("document.documentElement.lang").startswith("zh") else "en"
        expect(page.locator("#says")).not_to_be_empty()
        assert serious(page) == []
        page.locator("#done").focus()
        for number in range(1, STEPS):
            page.keyboard.press("Enter")
            left = max(1, round(STEP_S * (STEPS - number) / 60))
            words = getattr(page_words("frame", "trial")["step"], language)
            count = words.format(step=number + 1, steps=STEPS, minutes=left)
            expect(page.locator("#count")).to_have_text(count, timeout=PATIENCE_MS)
            assert fits(page)
        page.keyboard.press("Enter")
        expect(page.locator("#verdict")).not_to_be_empty(timeout=PATIENCE_MS)
        assert serious(page) == []
        assert fits(page)
        heard = page.evaluate("window.heard")
        assert len(heard) == STEPS, "each step is said once"
        assert {voice for voice, _ in heard} == {"zh-CN" if language == "zh" else "en-GB"}
        steps = script("wanzhou", acts=ACTS).steps
        names = ("Ana", "Ben", "陈德", "Dai")
        first = getattr(steps[0].says, language).replace("{0}", names[0])
        assert heard[0][1] == first
        assert page.request.get(f"{site.url}trial/report.html").ok


def test_pause_back_skip_and_otherwise(settings: Path, phone: BrowserContext) -> None:
    with run_table(settings, Mode.TRIAL, trial=TrialWanted((TrialAct.TROUBLE,), seed=1)) as site:
        page = opened(phone, site)
        page.locator("#pause").click()
        expect(page.locator("#done")).to_be_disabled()
        expect(page.locator("#paused")).to_be_visible()
        page.locator("#pause").click()
        expect(page.locator("#done")).to_be_enabled()
        for what, step in (("skip", 2), ("back", 1), ("otherwise", 2), ("skip", 3)):
            page.locator(f"[data-do={what}]").click()
            expect(page.locator("#count")).to_have_text(at_step(step))
        size = page.evaluate("parseFloat(getComputedStyle(says).fontSize)")
        assert size >= 27, "read from a metre and a half"
        is_chinese = page.evaluate("document.documentElement.lang").startswith("zh")
        page.locator("#language").select_option("en" if is_chinese else "zh")
        voices = page.evaluate("window.heard.map((each) => each[0])")
        assert set(voices) == {"en-GB", "zh-CN"}
        page.locator("#end").click()
        page.locator("#end").click()
        expect(page.locator("#verdict")).to_be_visible(timeout=PATIENCE_MS)


def test_from_a_followed_table_into_a_trial_and_back(settings: Path, browser: Browser) -> None:
    """The table's own log and scores stay as they are, and the trial goes on where it was."""
    with device(browser, PHONE, "en-GB") as context, run_table(settings) as site:
        site.do("api/start", {"seat": 0})
        before = entries(site)
        page = context.new_page()
        page.goto(f"{site.url}admin")
        page.locator("a[href='/trial']").click()
        page.locator("[value=hand]").uncheck()
        page.locator("#begin").click()
        expect(page.locator("#says")).to_be_visible(timeout=PATIENCE_MS)
        assert site.modes.table_service.mode is Mode.TRIAL
        page.locator("#done").click()
        expect(page.locator("#count")).to_have_text(at_step(2))
        site.become(Mode.TABLE, "api/trial/leave", {})
        assert entries(site) == before, "and so the scores"
        (kept,) = (settings.parent / "trials").iterdir()
        assert TRIAL_LOG in {path.name for path in kept.iterdir()}
        site.become(Mode.TRIAL, "api/trial/begin", {"acts": ["hand"]})
        assert site.get("api/trial")["step"] == 1, "it goes on where it was"
