"""Every figure of the pages is of a result that its command wrote."""

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs.test_docs import PAGES, ROOT
from tests.stages.repository_tool import tool_named

# Its figures are not in docs/figures yet.
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
RESULTS = re.compile(r"<!-- figures: .*?<!-- end of figures -->", re.DOTALL)
# Not "below 99.9 %": that is a limit.
SHARE = r"(?<!elow )\b\d+\.\d+ %|\b\d[\d,]* of \d[\d,]*\b"
MEASURED = re.compile(rf"{SHARE}|\b20\d\d-\d\d-\d\d\b|\bmedian\b|\bload \d|\bEPYC\b")


def figures_in_text(text: str) -> list[str]:
    """What looks measured outside of code and of the tables of results."""
    return MEASURED.findall(CODE.sub("", RESULTS.sub("", text)))


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return tool_named("figures")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_tables_are_those_of_the_results(tool: ModuleType, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == tool.filled(text, page), "write them anew: python tools/figures.py"


def test_every_figure_is_on_the_page_and_says_where_it_is_from(tool: ModuleType) -> None:
    page = (ROOT / "docs" / "FIGURES.md").read_text(encoding="utf-8")
    every = tool.figures()
    assert len(every) > 20
    for figure in every:
        assert (figure.sentence in page) is figure.is_todays, figure.name
        assert figure.date, figure.name
        assert figure.made_with, figure.name


def test_a_figure_of_earlier_networks_or_rates_is_not_printed(tool: ModuleType) -> None:
    """Its numbers stand nowhere; README names neither it nor one that was typed."""
    for of in ("networks", "rates"):
        assert tool.is_todays([of], {of: tool.digest(of)})
        assert not tool.is_todays([of], {of: "000000000000"})
        assert not tool.is_todays([of, "table_assist/rules"], {})
    assert tool.is_todays(["table_assist/rules"], {})
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for figure in tool.figures():
        if not (figure.is_todays and figure.commit):
            assert figure.sentence not in readme
            assert figure.what not in readme


def test_networks_and_rates_are_known_by_what_they_hold(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another limit or another rate is another digest; another date is not."""
    manifest = tool.NETWORKS.read_text(encoding="utf-8")
    first = tool.digest("networks"), tool.digest("rates")
    monkeypatch.setattr(tool, "NETWORKS", tmp_path / "manifest.toml")
    tool.NETWORKS.write_text(re.sub(r"(?m)^date = .*$", "date = 2000-01-01", manifest))
    assert tool.digest("networks") == first[0]
    tool.NETWORKS.write_text(re.sub(r"(?m)^whole = .*$", "whole = 0.5", manifest))
    assert tool.digest("networks") != first[0]
    monkeypatch.setattr(tool, "RATES", [tmp_path / "manifest.toml"])
    assert tool.digest("rates") != first[1]


def test_every_table_is_on_a_page_and_says_where_it_is_from(tool: ModuleType) -> None:
    pages = [page.read_text(encoding="utf-8") for page in PAGES]
    every = tool.tables()
    assert every
    for table in every:
        assert any(f"figures: {table.name} " in page for page in pages), table.name
        assert table.command, table.name
        assert table.date, table.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_figure_in_the_text_is_refused(page: Path) -> None:
    """What was measured stands in a table that is made of the results."""
    assert not figures_in_text(page.read_text(encoding="utf-8"))


def test_a_sentence_refuses_a_number_that_no_result_has(tool: ModuleType) -> None:
    figure = replace(tool.figures()[0], says="{nobody_measured_this} right")
    with pytest.raises(KeyError):
        _ = figure.sentence


def test_measuring_keeps_what_the_command_says(tool: ModuleType) -> None:
    """Keys of its JSON, or the groups of a regular expression, with thousands."""
    told = json.dumps({"all": {"right": 0.5}, "words": "of 1,200 and 34"})
    command = shlex.join(["python", "-c", f"print({told!r})"])
    figure = replace(
        tool.figures()[0],
        command=command,
        take={"right": "all.right", "sum": r"/of ([\d,]+) and (\d+)/"},
        results={"right": 0.1},
    )
    kept = tool.measure(figure)
    assert kept["results"] == {"right": 0.5, "sum": 1234}
    assert len(str(kept["commit"])) == 40


def test_readmes_figures_are_measured_where_they_were_not(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Begun again it goes on: what is of this program already is not measured twice."""
    times = tmp_path / "times"
    first = replace(
        tool.figures()[0], name="first", readme=1, says="{n}", depends=("rates",), made_of={},
        take={"n": "n"}, results={"n": 0},
        command=f"""echo >> {times}; echo words; echo '{{"n": 2}}'""",
    )  # fmt: skip
    monkeypatch.setattr(tool, "KEPT_FIGURES", tmp_path)
    monkeypatch.setattr(tool, "PAGES", [])
    monkeypatch.setattr(tool, "figures", lambda: every)
    every = [
        first,
        replace(first, name="second", commit="a", made_of={"rates": tool.digest("rates")}),
    ]
    for _ in range(2):
        assert tool.main(["readme"]) == 0
        kept = json.loads((tmp_path / "first.json").read_text())
        every[0] = tool.Figure("first", **kept)
    assert kept["results"] == {"n": 2}
    assert times.read_text() == "\n"
    assert not (tmp_path / "second.json").exists()


def test_a_figure_that_says_not_where_its_numbers_stand_keeps_its_results(tool: ModuleType) -> None:
    figure = replace(tool.figures()[0], name="typed", command="false", take={})
    with pytest.raises(SystemExit, match="typed: say by `take`"):
        tool.measure(figure)
