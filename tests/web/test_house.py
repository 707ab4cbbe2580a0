"""A house's rules in a real browser: chosen, shown at hands, printed, passed on."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from table_assist.rules.profile import load_profile, parse_profile, profile_text, read_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.config import load_config
from table_assist.settings.edit import profile_of
from tests.stages.drawn_hands import serious
from tests.stages.keeping_table import SETTINGS, Site, run_table
from tests.stages.on_paper import on_paper
from tests.stages.simavr import PATIENCE_MS, device

EVERY = pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
PHONE, DESK = (390, 844), (1280, 800)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    path = tmp_path / "table" / "table.toml"
    path.parent.mkdir()
    path.write_text(SETTINGS, encoding="utf-8")
    return path


@pytest.fixture
def site(settings: Path) -> Iterator[Site]:
    with run_table(settings) as running:
        yield running


@pytest.fixture
def desk(browser: Browser) -> Iterator[BrowserContext]:
    with device(browser, DESK, "en-GB") as context:
        yield context


def opened(context: BrowserContext, site: Site, rules: str = "") -> Page:
    page = context.new_page()
    page.goto(f"{site.url}/rules")
    expect(page.locator("#rows li").first).to_be_visible(timeout=PATIENCE_MS)
    if rules:
        page.select_option("#set", rules)
        expect(page.locator("#rows li")).to_have_count(len(find_rules(rules).options))
    return page


def changed(rules: RuleSet) -> dict[str, object]:
    """Another value for every option that has one."""
    return {
        option.name: 37 if isinstance(option.values, range) else option.values[-1]
        for option in rules.options
        if option.values[-1] != option.default
    }


@pytest.mark.parametrize(("size", "locale"), [(DESK, "zh-CN"), (PHONE, "en-GB")])
def test_every_option_is_there_with_its_sentence_and_its_hand(
    site: Site, browser: Browser, size: tuple[int, int], locale: str
) -> None:
    with device(browser, size, locale) as context:
        for rules in rule_sets():
            page = opened(context, site, rules.id)
            for option in rules.options:
                said = option.words.zh if locale == "zh-CN" else option.words.en
                row = page.locator(f".rule:has(#rule_{option.name})")
                expect(row.locator("> label")).to_have_text(said)
                assert row.locator(".shown dl div").count() >= (0 if option.unseen else 2)
                assert row.locator(".unseen").count() == bool(option.unseen)
            wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            assert wide[0] <= wide[1]
            page.close()
        page = opened(context, site, "changchun")
        assert serious(page) == []


def test_a_choice_is_marked_and_the_hand_says_what_it_pays(
    site: Site, desk: BrowserContext
) -> None:
    page = opened(desk, site, "changchun")
    row = page.locator(".rule:has(#rule_clamp_definition)")
    expect(row.locator(".chosen dd")).to_have_text("A win: seat 2 pays 4 (Clamp Win).")
    page.select_option("#rule_clamp_definition", label="as the hand's only wait")
    expect(row.locator(".chosen dd")).to_have_text("A win: seat 2 pays 1.")
    expect(row.locator("small")).to_have_text("by the book: in any reading of the hand")
    expect(page.locator("#changed")).to_contain_text("1 of 37 rules differ")
    expect(page.locator("#rule_clamp_definition")).to_be_focused()
    page.fill("#rule_base_score", "3")
    page.locator("#rule_base_score").blur()
    expect(page.locator("#changed")).to_contain_text("2 of 37 rules differ")


def choose(page: Page, name: str) -> None:
    page.fill("#name", name)
    page.keyboard.press("Tab")
    page.select_option("#rule_bird_origin", label="from the winner")
    expect(page.locator("#code")).to_have_attribute("alt", re.compile('bird_origin = "winner"'))
    expect(page.locator("#code")).to_have_attribute("alt", re.compile(name))


def test_a_profile_goes_out_as_a_file_and_comes_in_again(
    site: Site, desk: BrowserContext, tmp_path: Path
) -> None:
    page = opened(desk, site, "changsha")
    choose(page, "River Club 河畔")
    with page.expect_download() as download:
        page.click("#save")
    path = tmp_path / "house.toml"
    download.value.save_as(path)
    profile = load_profile(path)
    assert (profile.id, profile.name) == ("river-club", "River Club 河畔")
    assert profile.rules.chosen["bird_origin"] == "winner"
    other = opened(desk, site, "tianjin")
    other.set_input_files("#open", path)
    expect(other.locator("#told")).to_have_text("Opened: River Club 河畔.")
    expect(other.locator("#set")).to_have_value("changsha")
    expect(other.locator("#name")).to_have_value("River Club 河畔")
    assert other.locator("#code").get_attribute("alt") == path.read_text(encoding="utf-8")


def test_a_profile_goes_out_as_a_code_and_comes_in_from_its_photograph(
    site: Site, desk: BrowserContext, tmp_path: Path
) -> None:
    page = opened(desk, site, "changsha")
    choose(page, "河畔")
    expect(page.locator("#code")).to_have_js_property("complete", value=True)
    path = tmp_path / "code.png"
    page.locator("#code").screenshot(path=path)
    other = opened(desk, site, "tianjin")
    other.set_input_files("#scan", path)
    expect(other.locator("#told")).to_have_text("Opened: 河畔.", timeout=PATIENCE_MS)
    expect(other.locator("#rule_bird_origin")).to_have_value("1")


def test_what_is_no_profile_is_refused_in_a_sentence(
    site: Site, desk: BrowserContext, tmp_path: Path
) -> None:
    page = opened(desk, site)
    wrong, blank = tmp_path / "wrong.toml", tmp_path / "blank.png"
    wrong.write_text('id = "a"\nname = "A"\nrules = "shanghai"\n')
    page.set_input_files("#open", wrong)
    expect(page.locator("#told")).to_contain_text("shanghai")
    page.screenshot(path=blank, clip={"x": 0, "y": 0, "width": 300, "height": 40})
    page.set_input_files("#scan", blank)
    expect(page.locator("#told")).to_contain_text("picture", timeout=PATIENCE_MS)


def test_the_rules_are_used_at_the_table_once_what_changes_was_seen(
    site: Site, settings: Path, desk: BrowserContext
) -> None:
    page = opened(desk, site, "changsha")
    choose(page, "River Club")
    before = settings.read_text(encoding="utf-8")
    page.click("#use")
    expect(page.locator("#diff")).to_contain_text('+name = "River Club"')
    assert settings.read_text(encoding="utf-8") == before
    page.click("#write")
    expect(page.locator("#told")).to_have_text(
        "Written. They count when the table is started again."
    )
    profile = profile_of(load_config(settings))
    assert (profile.id, profile.name) == ("river-club", "River Club")
    assert profile.rules.chosen["bird_origin"] == "winner"
    page.reload()
    expect(page.locator("#name")).to_have_value("River Club")


@EVERY
def test_a_profile_written_and_read_is_the_same(rules: RuleSet) -> None:
    profile = parse_profile(
        {"id": "x", "name": 'A "B" \\ 河', "rules": rules.id, "options": changed(rules)}
    )
    again = read_profile(profile_text(profile))
    assert (again.id, again.name, again.hash) == (profile.id, profile.name, profile.hash)


@EVERY
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_sheet_on_the_wall_has_two_pages_at_most(
    rules: RuleSet, language: str, site: Site, desk: BrowserContext
) -> None:
    page = desk.new_page()
    for options in ({}, changed(rules)):
        table = {"id": "house", "name": "河畔 Łódź Club", "rules": rules.id, "options": options}
        text = quote(profile_text(parse_profile(table)))
        page.goto(f"{site.url}/rules/sheet?lang={language}&profile={text}")
        paper = on_paper(page)
        assert 1 <= len(paper) <= 2
        assert "河畔ŁódźClub" in paper[0]


def test_the_page_offers_the_sheet_in_both_languages(site: Site, desk: BrowserContext) -> None:
    page = opened(desk, site, "wanzhou")
    for language, said in (("en", "Rule set"), ("zh", "规则")):
        address = page.locator(f"#print_{language}").get_attribute("href")
        assert said in page.request.get(f"{site.url}{address}").text()
    assert json.loads(page.request.get(f"{site.url}/api/house").text())["rules"] == "changsha"
