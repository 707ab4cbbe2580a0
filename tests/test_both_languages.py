"""Nothing that a person reads exists in one language only."""

import ast
import errno
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge import link as trouble
from firmware_bridge.link import Link
from firmware_bridge.messages import Hello
from firmware_bridge.ports import FoundPort, Locator, PortError, _why_closed
from firmware_bridge.receiver import Counters
from table_assist.languages.board_words import board_words, is_known
from tests.stages.on_paper import is_in_both
from tools.said import in_data

ROOT = Path(__file__).parents[1]
CHINESE = re.compile(r"[\u4e00-\u9fff]")
SLOT = re.compile(r"{\w+}")
WORD = re.compile(r"[A-Za-z]{3}")
SOURCES = [
    path
    for folder in ("table_assist", "web")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if re.search(r"Words|phrase|Error[.(]", path.read_text(encoding="utf-8"))
]


def said_errors() -> set[str]:
    """The names of `SaidError` and of every class that comes from it."""
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    known = {"SaidError"}
    while more := {name for name, of in bases.items() if of & known} - known:
        known |= more
    return known


# Made of two sentences, English and Chinese.
MADE_OF_BOTH = {"Words", "Plural", "BodyError", "refuse"} | said_errors()


def written(node: ast.expr) -> str | None:
    """What a literal says, its placeholders left out; None for what is no literal."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            texts = [part.value for part in parts if isinstance(part, ast.Constant)]
            return "".join(str(text) for text in texts)
        case ast.IfExp(body=one, orelse=other):
            both = written(one), written(other)
            return None if None in both else " ".join(map(str, both))
        case _:
            return None


def is_filled_in(english: str, chinese: str) -> bool:
    """Whether the Chinese comes from the placeholders alone, or is a name that stays."""
    return english == chinese or (bool(chinese) and not WORD.search(SLOT.sub("", chinese)))


def pairs(path: Path) -> Iterator[tuple[int, str, str | None]]:
    """(line, English, Chinese) of each pair of sentences in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id not in MADE_OF_BOTH:
            continue
        both = node.args[1:] if node.func.id == "refuse" else node.args
        if node.func.id == "Plural":
            both = [node.args[1], node.args[3]]
        english = written(both[0]) if both else None
        if len(both) > 1 and [ast.unparse(each) for each in both] == ["str(error)"] * 2:
            yield node.lineno, "str(error)", None
        if english is not None and WORD.search(SLOT.sub("", english)):
            yield node.lineno, english, written(both[1]) if len(both) > 1 else None


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_english_sentence_has_a_chinese_one_beside_it(path: Path) -> None:
    alone = [
        (line, english)
        for line, english, chinese in pairs(path)
        if chinese is None or not (CHINESE.search(chinese) or is_filled_in(english, chinese))
    ]
    assert alone == []


def test_each_english_sentence_of_the_data_has_a_chinese_one_beside_it() -> None:
    """Of the pages, and of the rule books."""
    pages = tomllib.loads((ROOT / "web/words.toml").read_text("utf-8"))
    sentences = [pair for page in pages.values() for pair in page.values()]
    for path in (ROOT / "table_assist").rglob("*.toml"):
        sentences += in_data(tomllib.loads(path.read_text("utf-8")))
    assert len(sentences) > 1500
    assert [
        english
        for english, chinese in sentences
        if WORD.search(SLOT.sub("", english))
        and not (CHINESE.search(chinese) or is_filled_in(english, chinese))
    ] == []


def test_the_walk_sees_sentences_that_stand_alone(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text(
        'Words("No hand.", "No hand")\nrefuse(404, f"No {seat} seat.", why)\n'
        "Words(str(error), str(error))\n",
        "utf-8",
    )
    assert [(english, chinese) for _, english, chinese in pairs(path)] == [
        ("No hand.", "No hand"),
        ("No  seat.", None),
        ("str(error)", None),
    ]


def test_the_pages_refuse_in_both_languages_only() -> None:
    """An abort or an error of the API with a bare text would be English alone."""
    for path in sorted((ROOT / "web").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "abort", f"{path}:{node.lineno}"
            if isinstance(node, ast.Dict) and path.name not in ("answers.py", "openapi.py"):
                keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
                assert "error" not in keys, f"{path}:{node.lineno}"


def test_every_kind_of_error_is_told_somewhere_and_every_one_that_is_told_is_there() -> None:
    kinds = tomllib.loads((ROOT / "table_assist/languages/errors.toml").read_text("utf-8"))
    there = {(error, kind) for error, rows in kinds.items() for kind in rows}
    source = "".join(path.read_text("utf-8") for path in SOURCES)
    assert set(re.findall(r'(\w+)\.told\(\s*"(\w+)"', source)) == there


def test_every_phrase_is_said_somewhere_with_what_it_leaves_open() -> None:
    rows = tomllib.loads((ROOT / "table_assist/languages/phrases.toml").read_text("utf-8"))
    there = {
        f"{module}.{name}": row for module, kinds in rows.items() for name, row in kinds.items()
    }
    said = set()
    for path in SOURCES:
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "phrase":
                (name,) = (each.value for each in node.args if isinstance(each, ast.Constant))
                given = {f"{{{each.arg}}}" for each in node.keywords} - {"{None}"}
                left = {slot for slot in SLOT.findall("".join(there[name])) if slot[1].isalpha()}
                assert given <= left, name
                assert given == left or ".filled(" in text or "**" in ast.unparse(node), name
                said.add(name)
    assert said == set(there)


def link_sentences() -> Iterator[str]:
    """Every sentence by which a link says how it is."""
    board = Hello(0, "0000ABCD", 0, 0, 9, "table-board/9", ())
    port = "/dev/ttyUSB0"
    yield trouble.why_broken(port, OSError(5, "Input/output error"), is_gone=False)
    yield trouble.why_gone(port)
    for heard in (Counters(), Counters(good=1), Counters(bad=1)):
        yield trouble.why_silent(port, None, heard, baud=9600, silent_s=3.0)
    yield trouble.why_silent(port, board, Counters(), baud=9600, silent_s=3.0)
    yield trouble.why_overrun(port)
    yield trouble.why_restarting(port)
    yield trouble.why_foreign(port, board)
    for number in (errno.ENOENT, errno.EACCES, errno.EBUSY, errno.EIO):
        yield _why_closed(port, OSError(number, "whatever"))
    twins = (FoundPort("/dev/a", "", "1:2", "x"), FoundPort("/dev/b", "", "1:2", "y"))
    for url, ports in (("usb:1", ()), ("usb:2341:0043", ()), ("usb:2341:0043", twins)):
        yield missing(url, ports)
    link = Link(port, lambda item: None)
    yield link.health.message
    for _, text in link_literals():
        yield text


def missing(url: str, ports: tuple[FoundPort, ...]) -> str:
    same = tuple(FoundPort(each.path, "", "2341:0043", each.usb_serial) for each in ports)
    with pytest.raises(PortError) as error:
        Locator(url, lambda: same).find()
    return str(error.value)


def link_literals() -> Iterator[tuple[int, str]]:
    """The sentences that the link itself says, each placeholder filled in."""
    path = ROOT / "firmware_bridge" / "link.py"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "table-board"
                for part in node.values
            )
            if text.endswith("."):
                yield node.lineno, text


def test_every_sentence_of_the_link_is_known_in_every_language() -> None:
    said = list(link_sentences())
    assert len(said) >= 18
    assert [text for text in said if not is_known(text)] == []
    assert all(is_in_both(board_words(text)) for text in said)


def test_every_reason_of_the_links_trouble_is_among_them() -> None:
    made = {name for name in vars(trouble) if name.startswith("why_")}
    source = Path(__file__).read_text(encoding="utf-8")
    assert {name for name in made if f"trouble.{name}(" not in source} == set()


def test_chinese_sentences_have_their_own_punctuation() -> None:
    """A comma, question mark or bracket of the English width tears a Chinese line apart."""
    narrow = re.compile(r"[\u4e00-\u9fff][,?](?:[\u4e00-\u9fff]|$)|[\u4e00-\u9fff]\(")
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            said = written(node) if isinstance(node, ast.Constant | ast.JoinedStr) else None
            assert not narrow.search(said or ""), f"{path.name}:{node.lineno}: {said}"
