"""Every command and option that a page tells the reader to type is understood."""

import argparse
import json
import re
import shlex
from pathlib import Path

import pytest

from bench import __main__ as bench
from table_assist.cli.arguments import build_parser
from tests.docs.test_docs import PAGES, ROOT

CODE = re.compile(r"^```\w*\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"^(?:\.venv/bin/)?(table-assist|python -m bench) (.+)", re.MULTILINE)
MODULE = re.compile(r"python (?:-m ([\w.]+)|(models/\w+\.py))(.*)")
MAKE = re.compile(r"(?:^|&& )make(?: -C (\S+))?(?: ([a-z]+))?", re.MULTILINE)
PARSERS = {"table-assist": build_parser, "python -m bench": bench.build_parser}
# The options that several commands share.
MANY_HANDS = "tests.stages.many_hands"
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
