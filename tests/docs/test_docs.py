"""What the pages of the documentation name is there, and the drawing shows today's imports."""

import argparse
import contextlib
import io
import json
import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from bench import __main__ as bench
from table_assist.cli.arguments import build_parser, parse_arguments
from table_assist.settings.config import Config, load_config
from table_assist.settings.edit import rules_of, watcher_of
from table_assist.vision.reading.read import open_reader
from web.club.hall_pages import PLAIN_PAGES

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
        *PLAIN_PAGES
    }
    assert len(pages) > 12
    assert told == pages


CODE = re.compile(r"^```\w*\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"^(?:\.venv/bin/)?(table-assist|python -m bench) (.+)", re.MULTILINE)
MODULE = re.compile(r"python (?:-m ([\w.]+)|(models/\w+\.py))(.*)")
MAKE = re.compile(r"(?:^|&& )make(?: -C (\S+))?(?: ([a-z]+))?", re.MULTILINE)
PARSERS = {"table-assist": build_parser, "python -m bench": bench.build_parser}
# The options that several commands share.
MANY_HANDS = "tests.stages.evenings"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
OURS = ("table_assist", "bench", "firmware_bridge", "models", "tests", "tools")


def told(pattern: re.Pattern[str]) -> list[tuple[str, re.Match[str]]]:
    """Where code of the pages, in blocks and lines, or a command of a figure has the pattern."""
    code = [
        (page.name, block or word)
        for page in PAGES
        for block, word in CODE.findall(page.read_text(encoding="utf-8"))
    ]
    for path in sorted((ROOT / "docs" / "figures").glob("*.json")):
        commands = json.loads(path.read_text(encoding="utf-8")).get("command", "")
        code.extend((path.name, command) for command in re.split(r" && |; (?:do )?", commands))
    return [(page, match) for page, text in code for match in pattern.finditer(text)]


def typed(line: str) -> list[str]:
    """The words of a command, without its remark and the marks of what may be left out."""
    line = re.split(r"\s+#|\s{3,}|\s>\s", line)[0]
    return shlex.split(re.sub(r"[\[\]]", "", line).replace("…", "X"))


def sources() -> dict[str, str]:
    """The text of our programs by the path of the file."""
    return {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for folder in OURS
        for path in (ROOT / folder).rglob("*.py")
        if path.name != Path(__file__).name
    }


@pytest.mark.parametrize(
    ("program", "command"), sorted({match.groups() for _, match in told(PROGRAM)})
)
def test_the_program_understands_it(
    program: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page may name a command without what it needs; nothing else may be wrong with it."""
    fine = True
    try:
        PARSERS[program]().parse_args(typed(command))
    except SystemExit as ended:
        fine = ended.code == 0 or "are required" in capsys.readouterr().err
    assert fine


def test_its_options_are_written_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """argparse takes the beginning of an option too; a page says the whole of it."""
    whole = {"--help"}
    add = argparse._ActionsContainer.add_argument

    def noting(self: argparse._ActionsContainer, *names: str, **how: object) -> argparse.Action:
        whole.update(names)
        return add(self, *names, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(argparse._ActionsContainer, "add_argument", noting)
    for build in PARSERS.values():
        build()
    commands = told(PROGRAM)
    assert len(commands) > 80
    for page, match in commands:
        assert whole.issuperset(OPTION.findall(match[2])), (page, match[0])


def test_every_module_that_is_run_is_there_and_has_the_options() -> None:
    of_path = sources()
    seen = 0
    for page, match in told(MODULE):
        name = (match[1] or match[2].removesuffix(".py")).replace(".", "/")
        if name.partition("/")[0] not in OURS or name == "bench":
            continue
        files = [path for path in of_path if path == f"{name}.py" or path.startswith(f"{name}/")]
        assert {f"{name}.py", f"{name}/__main__.py"}.intersection(files), (page, match[0])
        text = "".join(of_path[path] for path in files)
        if MANY_HANDS in text:
            text += of_path[f"{MANY_HANDS.replace('.', '/')}.py"]
        for option in OPTION.findall(match[3]):
            assert f'"{option}"' in text, (page, match[0])
        command = re.match(r" ([a-z]+)", match[3]) if name == "firmware_bridge" else None
        assert command is None or f'"{command[1]}"' in text, (page, match[0])
        seen += 1
    assert seen > 20


def test_every_option_that_a_page_names_is_an_option_of_ours() -> None:
    text = "".join(sources().values())
    for page in PAGES:
        for option in OPTION.findall(page.read_text(encoding="utf-8")):
            assert f'"{option}"' in text or option == "--help", (page.name, option)


def test_every_target_of_make_is_there() -> None:
    targets = [(page, match[1] or "", match[2]) for page, match in told(MAKE) if match[2]]
    assert len(targets) > 12
    for page, folder, target in targets:
        makefile = (ROOT / folder / "Makefile").read_text(encoding="utf-8")
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), (page, folder, target)


README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\.venv/bin/table-assist (.+?)(?:\s+#.*)?$", README, re.MULTILINE)


def test_the_readme_names_commands() -> None:
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_readme_is_understood(command: str) -> None:
    assert parse_arguments(shlex.split(command)).command == command.split()[0]


def test_the_example_settings_are_a_table() -> None:
    config = load_config(ROOT / "docs" / "table.example.toml")
    assert rules_of(config).id == "changsha"
    watcher_of(config, open_reader(threads=1))


def test_the_example_settings_show_every_setting() -> None:
    """In force or as a remark; README calls the file so."""
    example = (ROOT / "docs" / "table.example.toml").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^\[(\w+)\]\n(.*?)(?=^\[|\Z)", example, re.MULTILINE | re.DOTALL))
    for section in fields(Config):
        named = set(re.findall(r"^(?:# )?(\w+) = ", shown[section.name], re.MULTILINE))
        assert named == {key.name for key in fields(section.type)}, section.name


def test_the_makefile_has_the_readmes_two_commands() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_quick_tests_of_the_makefile_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    told = makefile.partition("QUICK := ")[2].partition("\n\n")[0]
    folders = re.search(r"addprefix tests/,([a-z/ \\\n]+)\)", told)
    files = re.search(r"test_,([a-z. ]+)\)", told)
    assert folders is not None
    assert files is not None
    for folder in folders[1].replace("\\", " ").split():
        assert list((ROOT / "tests" / folder).glob("test_*.py")), folder
    for file in files[1].split():
        assert (ROOT / "tests" / "firmware_bridge" / f"test_{file}").exists(), file


PAGE = (Path(__file__).parents[2] / "docs" / "HANDS.md").read_text(encoding="utf-8")


def test_the_example_prints_what_it_says() -> None:
    code = "".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
    said = re.findall(r"^print\(.*?\)  # (.*)$", code, re.MULTILINE)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "docs/HANDS.md", "exec"), {})
    assert len(said) == 3
    assert printed.getvalue().splitlines() == said


def test_what_it_says_to_call_is_there() -> None:
    """`module.name` in code type is a name in that module of the game."""
    game = Path(__file__).parents[2] / "table_assist" / "game"
    called = re.findall(r"`([a-z_]+)\.([a-z_]+)(?=[(`])", PAGE)
    assert len(called) > 20
    for module, name in called:
        text = (game / f"{module}.py").read_text(encoding="utf-8")
        assert re.search(rf"^ *(def {name}\(|{name}:)", text, re.MULTILINE), (module, name)
