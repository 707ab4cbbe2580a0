"""What the pages of the documentation name is there, and the drawing shows today's imports."""

import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.stages.repository_tool import tool_named
from web.club.hall_pages import PLAIN

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for folder in (ROOT, ROOT / "docs", ROOT / "models", ROOT / "web" / "static" / "tiles")
    for path in folder.glob("*.md")
)
TOP = ("table_assist", "firmware_bridge", "web", "models", "tests", "tools", "docs")
# Where a path that the page gives in short may begin.
FROM = (ROOT, ROOT / "table_assist")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
MOST_WORDS = 25_000
PART = re.compile(r"\]\(([^)#\s]*)#([^)]+)\)")
NAMED = re.compile(r"`([a-z_]+(?:/[A-Za-z0-9_.-]+)+/?)`")


def names(page: Path) -> list[str]:
    """The files and folders of ours that a page names in code type."""
    inside = {path.name for path in (ROOT / "table_assist").iterdir() if path.is_dir()}
    return [
        name
        for name in NAMED.findall(page.read_text(encoding="utf-8"))
        if name.split("/")[0] in {*TOP, *inside} and not re.search(r"/build/|NAME", name)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert "://" in target or (page.parent / target).exists(), target


def headings(page: Path) -> set[str]:
    """What a link to a part of the page may name: headings as GitHub and its like write them."""
    titles = re.findall(r"^#+ (.+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_part_of_a_page_leads_to_a_heading(page: Path) -> None:
    for target, part in PART.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert part in headings(page.parent / target if target else page), (target, part)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    for name in names(page):
        assert any((base / name).exists() for base in FROM), name


def test_all_pages_together_can_be_read_in_an_evening() -> None:
    words = sum(len(page.read_text(encoding="utf-8").split()) for page in PAGES)
    assert words <= MOST_WORDS, f"{words} words: say less, or leave to the code what it says"


def test_each_promise_of_the_safety_page_names_its_test() -> None:
    """In itself, or before its list; but for what is said not to be so."""
    page, before = (ROOT / "docs" / "SAFETY.md").read_text(encoding="utf-8"), ""
    for paragraph in page[page.index("## ") :].split("\n\n"):
        is_list = re.match(r"- |\d\. ", paragraph) is not None
        for said in re.split(r"\n(?=- |\d\. )", paragraph):
            is_promise = not said.startswith(("#", "    ", "**Not", "- **Not"))
            whole = said + before * is_list
            assert "`tests/" in whole or not is_promise or said.endswith(":"), said
        before = paragraph if paragraph.endswith(":") else ""


def test_pages_do_name_files() -> None:
    assert sum(len(names(page)) for page in PAGES) > 80


def test_the_index_has_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    linked = {(ROOT / "docs" / target).resolve() for target in LINK.findall(index)}
    assert {page for page in PAGES if page.parent == ROOT / "docs"} - linked == {
        ROOT / "docs" / "README.md"
    }


def test_the_dashboards_page_has_every_address_that_shows_a_page() -> None:
    page = (ROOT / "docs" / "DASHBOARD.md").read_text(encoding="utf-8")
    told = {address.split("/")[1] for address in re.findall(r"^- `(/\S*)`", page, re.MULTILINE)}
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "web").rglob("*.py")]
    routes = {
        route
        for source in sources
        if 'url_prefix="/api"' not in source
        for route in re.findall(r'@blueprint\.get\("/([^"]*)"\)', source)
    }
    pages = {route.split("/")[0] for route in routes if not re.search(r"^api/|\.", route)} | {
        *PLAIN
    }
    assert len(pages) > 12
    assert told == pages


@pytest.fixture(scope="module")
def drawn() -> ModuleType:
    return tool_named("draw_architecture")


def test_the_drawing_shows_todays_imports(drawn: ModuleType) -> None:
    kept = (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8")
    assert kept == drawn.drawing(), "draw it anew: python tools/draw_architecture.py"


def test_the_ways_on_the_page_are_those_of_the_drawing(drawn: ModuleType) -> None:
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for name, (_, steps) in drawn.WAYS.items():
        told = page.partition(f"## The way of {name} ")[2].partition("\n## ")[0]
        first = [re.search(r"`([^`]+)`", line) for line in re.findall(r"^\d+\. .*", told, re.M)]
        assert [f"{match[1]}" for match in first if match] == [
            step.removeprefix("table_assist/") for step in steps
        ]
