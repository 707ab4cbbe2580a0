"""The rule sheet: nothing that a rule set has is missing, in any form, and a page that prints."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from table_assist.cli.main import main
from table_assist.languages.words import Words
from table_assist.rules.options import Law, in_force
from table_assist.rules.profile import parse_profile, plain_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.names import Sheet, SheetRow, allowed_text
from table_assist.rules.sheet.printed import Form, print_list, print_sheet
from table_assist.rules.sheet.sheet import make_sheet, named_in

EVERY = pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
CHANGSHA = find_rules("changsha")


class Text(HTMLParser):
    """What a page says, each cell on a line of its own, and where it would fetch from."""

    def __init__(self) -> None:
        super().__init__()
        self.said = ""
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.said += "\n" if tag in ("td", "th", "h1", "h2", "p", "br") else ""
        self.fetched += [str(value) for name, value in attrs if name in ("src", "href", "srcset")]
        assert tag not in ("script", "link", "img", "iframe", "base")

    def handle_data(self, data: str) -> None:
        self.said += data


def squeezed(text: str) -> str:
    """Without the blanks and marks that a form puts between."""
    return re.sub(r"[\s\\]", "", text)


def page_text(page: str) -> str:
    text = Text()
    text.feed(page)
    assert text.fetched == []
    return text.said


def said(sheet: Sheet, form: Form) -> str:
    printed = print_sheet(sheet, form)
    return squeezed(page_text(printed) if form is Form.HTML else printed)


def row(sheet: Sheet, section: str, id: str) -> SheetRow:
    (found,) = (
        row for part in sheet.sections if part.id == section for row in part.rows if row.id == id
    )
    return found


def parts_of(rules: RuleSet) -> list[str]:
    """Everything that must stand in the sheet, as it must stand there at the options in force."""
    ready, named_here = rules.ready, named_in(rules)
    named = [(each.id, each.names, each.source) for each in rules.patterns]
    shapes = [each for each in rules.shapes if in_force(each.only_if, rules.chosen)]
    named += [(each.id, each.names, each.source) for each in (*shapes, *rules.opening)]
    named += [(id, names, "") for id, names in (rules.eggs.names.items() if rules.eggs else ())]
    asked = [*rules.conditions, *rules.claim_conditions]
    asked += [*ready.on_completion, *ready.on_hand] if ready else []
    named += [
        (each.id, each.words, each.source) for each in asked if in_force(each.only_if, rules.chosen)
    ]
    irregular = rules.irregularities(rules.chosen) if rules.irregularities else ()
    named += [(each.id, each.words, each.source) for each in irregular]
    named += [(each.name, each.words, each.source) for each in rules.options]
    named += [(each.number, each.say(named_here, rules.chosen), each.source) for each in rules.laws]
    named.append((rules.id, rules.names, ""))
    texts = [text for id, words, source in named for text in (id, words.en, words.zh, source)]
    return texts + [allowed_text(option, option.default) for option in rules.options]


@EVERY
@pytest.mark.parametrize("form", list(Form))
def test_everything_that_a_rule_set_has_stands_in_its_sheet(rules: RuleSet, form: Form) -> None:
    printed = said(make_sheet(plain_profile(rules)), form)
    missing = [part for part in parts_of(rules) if squeezed(part) not in printed]
    assert not missing


def test_options_that_differ_are_marked_with_their_default() -> None:
    profile = parse_profile(
        {
            "id": "river",
            "name": "River Club <b>&",
            "rules": "changsha",
            "options": {"bird_origin": "winner", "false_win_amount": 8},
        }
    )
    sheet = make_sheet(profile)
    changed = row(sheet, "options", "bird_origin")
    assert changed.is_changed
    assert changed.value == Words("from the winner", "从赢家")
    assert Words("By default: from the dealer.", "默认：从庄家。") in changed.words
    assert not row(sheet, "options", "bird_source").is_changed
    assert "bird_origin, false_win_amount" in sheet.lead[1].en
    assert profile.hash in sheet.lead[0].en
    page = print_sheet(sheet, Form.HTML)
    assert "<b>" not in page
    assert "River Club <b>&" in page_text(page)
    text = print_sheet(sheet, Form.TEXT)
    assert "* bird_origin = from the winner 从赢家    [dealer | ▸winner]" in text


def test_what_is_not_from_the_document_is_marked() -> None:
    sheet = make_sheet(plain_profile(find_rules("classical")))
    assert row(sheet, "patterns", "red_dragon").is_ours
    assert row(sheet, "options", "going_out_points").is_ours
    assert row(sheet, "options", "special_nine_gates").is_ours
    assert not row(sheet, "patterns", "limit_first_discard").is_ours
    assert not row(sheet, "options", "limit").is_ours
    assert row(make_sheet(plain_profile(CHANGSHA)), "options", "false_win_penalty").is_ours
    assert "† red_dragon" in print_sheet(sheet, Form.TEXT)


def test_a_law_stands_beside_what_it_explains_and_says_what_is_chosen() -> None:
    laws = (
        Law("X-01", Words("Birds are counted {bird_origin}.", "{bird_origin}数鸟。"), "A"),
        Law(
            "X-02",
            Words("One suit.", "一色。"),
            "B",
            explains="full_flush",
            only_if=("instant_wins", False),
        ),
    )
    rules = replace(CHANGSHA, laws=laws)
    sheet = make_sheet(plain_profile(rules))
    alone = row(sheet, "laws", "X-01")
    assert alone.words == (Words("Birds are counted from the dealer.", "从庄家数鸟。"),)
    flush = row(sheet, "patterns", "full_flush")
    assert flush.is_off
    assert flush.source.startswith("X-02; ")
    assert [words.en for words in flush.words[:2]] == ["One suit.", "Not played."]
    assert row(sheet, "options", "instant_wins").source.endswith("; X-02")
    played = make_sheet(plain_profile(rules.with_options({"instant_wins": False})))
    assert not row(played, "patterns", "full_flush").is_off


@pytest.mark.parametrize(
    "law",
    [
        Law("X-01", Words("", ""), "", explains="no_such_pattern"),
        Law("X-01", Words("", ""), "", options=("no_such_option",)),
        Law("X-01", Words("", ""), "", only_if=("no_such_option", True)),
    ],
)
def test_a_law_about_nothing_is_refused_at_start(law: Law) -> None:
    with pytest.raises(ValueError, match=r"X-01.*no_such"):
        replace(CHANGSHA, laws=(law,))
    with pytest.raises(ValueError, match="twice"):
        replace(CHANGSHA, laws=(Law("X", Words("", ""), ""), Law("X", Words("", ""), "")))


@EVERY
def test_text_fits_a_hundred_columns(rules: RuleSet) -> None:
    text = print_sheet(make_sheet(plain_profile(rules)), Form.TEXT)
    assert max(map(len, text.splitlines())) <= 100


@EVERY
def test_markdown_tables_have_as_many_cells_in_every_row(rules: RuleSet) -> None:
    lines = print_sheet(make_sheet(plain_profile(rules)), Form.MARKDOWN).splitlines()
    tables: list[list[int]] = [[]]
    for line in lines:
        if line.startswith("|"):
            tables[-1].append(len(re.findall(r"(?<!\\)\|", line)))
        elif tables[-1]:
            tables.append([])
    assert len(tables) > 4
    assert all(len(set(table)) <= 1 for table in tables)


def test_markdown_takes_nothing_for_a_mark() -> None:
    profile = parse_profile({"id": "a", "name": "*a* [b](c) | d", "rules": "changsha"})
    assert print_sheet(make_sheet(profile), Form.MARKDOWN).startswith(
        "# \\*a\\* \\[b\\](c) \\| d: Changsha 长沙麻将"
    )


@EVERY
def test_the_page_fits_the_width_of_a4(browser: Browser, rules: RuleSet) -> None:
    page = browser.new_page(viewport={"width": 703, "height": 1000})  # 186 mm at 96 dots an inch
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.emulate_media(media="print")
    page.set_content(print_sheet(make_sheet(plain_profile(rules)), Form.HTML))
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    assert [url for url in asked if not url.startswith("about:")] == []
    assert page.locator("section#patterns tbody tr").count() == len(rules.patterns)
    assert page.locator("section#options tbody tr").count() == len(rules.options)
    page.close()


def test_without_an_id_the_rule_sets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [rules.id for rules in rule_sets()]
    assert all(rules.names.zh in line for rules, line in zip(rule_sets(), lines, strict=True))
    assert print_list(rule_sets()[:1]) in "\n".join(lines)


def test_the_command_takes_a_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "house.toml"
    path.write_text('id = "h"\nname = "House"\nrules = "wanzhou"\noptions.chow_claims = true\n')
    assert main(["rules", "--profile", str(path)]) == 0
    assert "* chow_claims = chows are claimed from the player before" in capsys.readouterr().out
    assert main(["rules", "tianjin", "--profile", str(path)]) == 2
    assert main(["rules", "shanghai"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 2
    assert all(line.startswith("table-assist: ") for line in errors)


def numbers(prefix: str, last: int, **parts: str) -> list[str]:
    """``X-01`` to the last, where some are told in parts alone, or with parts besides."""
    found = []
    for number in range(1, last + 1):
        letters = parts.get(f"n{number}", " ")
        found += [f"{prefix}-{number:02}{letter}".strip() for letter in letters]
    return found


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("changchun", numbers("CC", 50, n11="abcdefg", n29=" a", n42="abcdefghi", n48=" a")),
        ("changsha", numbers("CS", 32, n21="abcdefghijklm", n29="abcde")),
        ("wanzhou", numbers("WZ", 30, n21="abc", n26="abcdefghijk")),
        ("tianjin", numbers("TJ", 39, n27="abcd", n31="abcdef")),
        (
            "classical",
            numbers("CL", 75, n27=" a", n65=" a", n75=" abcdefghijklmnopqrstABCDEFGHIJKL"),
        ),
    ],
)
def test_every_numbered_rule_has_a_line(id: str, expected: list[str]) -> None:
    assert [law.number for law in find_rules(id).laws] == expected


@EVERY
def test_every_option_bears_on_a_rule(rules: RuleSet) -> None:
    named = {name for law in rules.laws for name in law.bearing}
    assert {option.name for option in rules.options} == named


def test_what_the_options_leave_out_is_marked() -> None:
    classical = find_rules("classical")
    sheet = make_sheet(plain_profile(classical))
    assert row(sheet, "patterns", "limit_imperial_jade").is_off
    assert not row(sheet, "patterns", "limit_nine_gates").is_off
    assert row(sheet, "laws", "CL-65a").is_off
    assert not row(sheet, "patterns", "original_hand").is_ours
    other = {"game_variant": "one_double", "special_imperial_jade": True, "special_moon": False}
    sheet = make_sheet(plain_profile(classical.with_options(other)))
    assert not row(sheet, "conditions", "one_double").is_off
    assert not row(sheet, "patterns", "limit_imperial_jade").is_off
    assert row(sheet, "patterns", "limit_moon").is_off
    assert "✗ limit_moon" in print_sheet(sheet, Form.TEXT).replace("† ", "")
    no_start = plain_profile(CHANGSHA.with_options({"instant_wins": False}))
    assert row(make_sheet(no_start), "laws", "CS-29a").is_off
