"""How a rule sheet looks: ``print_sheet(sheet, form) -> str`` as text, Markdown or a page.

The page needs nothing from outside and prints on A4.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from html import escape
from textwrap import wrap
from unicodedata import east_asian_width

from table_assist.languages.words import SEMICOLON, Words, joined
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.names import Section, Sheet, SheetRow

_LINE_WIDTH = 100
_OURS_NOTE = Words("† not from the document", "† 文档所无")
_CHANGED_NOTE = Words("* not at its default", "* 不同于默认")
_OFF = Words("✗ not played", "✗ 不采用")


class Form(StrEnum):
    """The printed forms of a sheet."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"


def print_sheet(sheet: Sheet, form: Form) -> str:
    """The whole sheet, without a line end after it."""
    return _FORMS[form](sheet)


def print_list(rule_sets: Sequence[RuleSet]) -> str:
    """One line for each rule set: id, names, what there is of it."""
    widest = max(len(rules.id) for rules in rule_sets)
    return "\n".join(
        f"{rules.id:{widest}}  {rules.names.en}, {rules.names.zh}: {rules.tiles_in_wall} tiles, "
        f"{len(rules.patterns)} patterns, {len(rules.options)} options"
        for rules in rule_sets
    )


# --- Text


def _text(sheet: Sheet) -> str:
    title = f"{sheet.title.en}  {sheet.title.zh}"
    lines = [title, "=" * _columns(title), ""]
    for words in sheet.lead:
        lines += [*_wrapped(words.en, ""), *_wrapped(words.zh, "")]
    lines += _wrapped(f"{_marks().en}  {_marks().zh}", "")
    for section in sheet.sections:
        heading = f"{section.title.en}  {section.title.zh}"
        if section.value.en:
            heading += f"  ({section.value.en}, {section.value.zh})"
        lines += ["", heading, "-" * _columns(heading)]
        for row in section.rows:
            names = f"  {row.names.en}  {row.names.zh}" if row.names else ""
            value = f" = {_both(row.value)}" if row.value else ""
            allowed = f"    [{row.allowed}]" if row.allowed else ""
            lines += _wrapped(f"{_sign(row)}{row.id}{names}{value}{allowed}", "  ")
            for text in (*_lines(row.words), *([f"({row.source})"] if row.source else [])):
                lines += _wrapped(text, "      ")
    return "\n".join(lines)


def _wrapped(text: str, indent: str) -> list[str]:
    """Lines of so many columns, in which a Chinese character takes two."""
    if _columns(text) == len(text):
        return wrap(text, _LINE_WIDTH, initial_indent=indent, subsequent_indent=indent)
    lines, line = [], indent
    for piece in re.findall(r"[!-~]+|.", text):
        if _columns(line + piece) > _LINE_WIDTH and piece not in "，。；：、）":
            lines.append(line.rstrip())
            line = indent
        line += piece if line != indent else piece.lstrip()
    return [*lines, line]


def _columns(text: str) -> int:
    """How wide a text is on a terminal."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


# --- Markdown


def _markdown(sheet: Sheet) -> str:
    lines = [f"# {_md(sheet.title.en)} {_md(sheet.title.zh)}", ""]
    for words in sheet.lead:
        lines += [_md(words.en), _md(words.zh), ""]
    lines += [_md(f"{_marks().en} {_marks().zh}"), ""]
    for section in sheet.sections:
        lines += [f"## {_md(section.title.en)} {_md(section.title.zh)}", ""]
        columns = _columns_of(section)
        lines.append(f"| {' | '.join(heading for _, heading, _ in columns)} |")
        lines.append("|" + " --- |" * len(columns))
        for row in section.rows:
            cells = ("<br>".join(map(_md, cell(row))) for *_, cell in columns)
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines).rstrip()


def _md(text: str) -> str:
    """Text in which nothing is taken for a mark; low lines inside words are none."""
    for mark in "\\`*[]<|":
        text = text.replace(mark, f"\\{mark}")
    return text


# --- A page


def _html(sheet: Sheet) -> str:
    title = f"{escape(sheet.title.en)} <span lang=zh>{escape(sheet.title.zh)}</span>"
    lines = [
        "<!doctype html>",
        "<html lang=en>",
        "<meta charset=utf-8>",
        '<meta name=viewport content="width=device-width">',
        f"<title>{escape(sheet.title.en)} {escape(sheet.title.zh)}</title>",
        f"<style>{_STYLE}</style>",
        f"<h1>{title}</h1>",
    ]
    for words in sheet.lead:
        lines.append(f"<p>{_pair(words)}</p>")
    lines.append(f"<p class=marks>{_pair(_marks())}</p>")
    for section in sheet.sections:
        lines += _html_section(section)
    return "\n".join([*lines, "</html>"])


def _html_section(section: Section) -> Iterator[str]:
    yield f"<section id={section.id}>"
    yield f"<h2>{escape(section.title.en)} <span lang=zh>{escape(section.title.zh)}</span></h2>"
    columns = _columns_of(section)
    headings = "".join(f"<th>{escape(heading)}</th>" for _, heading, _ in columns)
    yield f"<table><thead><tr>{headings}</tr></thead><tbody>"
    for row in section.rows:  # a line may end after every low line
        marks = ("ours", row.is_ours), ("changed", row.is_changed), ("off", row.is_off)
        kinds = " ".join(name for name, on in marks if on)
        cells = "".join(
            f"<td class={kind}>{'<br>'.join(map(escape, cell(row))).replace('_', '_<wbr>')}</td>"
            for kind, _, cell in columns
        )
        yield f'<tr class="{kinds}">{cells}</tr>'
    yield "</tbody></table></section>"


def _pair(words: Words) -> str:
    return f"{escape(words.en)}<br><span lang=zh>{escape(words.zh)}</span>"


_STYLE = """
@page { size: A4; margin: 14mm 12mm; }
:root { color-scheme: light; --line: #c9ccd1; --quiet: #5b6470; --house: #fff3c4; }
body { font: 10pt/1.4 "Noto Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei",
  sans-serif; color: #16191d; background: #fff; max-width: 186mm; margin: 0 auto; padding: 4mm; }
h1 { font-size: 20pt; line-height: 1.2; margin: 0 0 3mm; }
h2 { font-size: 12.5pt; margin: 7mm 0 1.5mm; break-after: avoid; }
p { margin: 0 0 2mm; color: var(--quiet); overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
thead { display: table-header-group; }
th, td { text-align: left; vertical-align: top; padding: 1mm 2mm 1mm 0;
  border-bottom: 0.3pt solid var(--line); }
th { font-size: 8pt; font-weight: 600; color: var(--quiet); border-bottom-width: 0.8pt; }
td.id { font-size: 9pt; font-weight: 600; max-width: 34mm; }
td.value { font-weight: 600; }
td.source { color: var(--quiet); font-size: 8.5pt; max-width: 42mm; }
tr { break-inside: avoid; }
tr.changed td { background: var(--house); -webkit-print-color-adjust: exact;
  print-color-adjust: exact; }
tr.off td { color: #8b929b; text-decoration: line-through; }
@media print { body { max-width: none; padding: 0; font-size: 9pt; } }
"""


# --- What the forms share


_Cell = Callable[[SheetRow], list[str]]


def _columns_of(section: Section) -> list[tuple[str, str, _Cell]]:
    """The columns that have something in them, with their kinds and headings."""
    value = _both(section.value) if section.value.en else "value 值"
    columns: list[tuple[str, str, _Cell]] = [
        ("id", "id", lambda row: [f"{_sign(row)}{row.id}"]),
        ("name", "name 名称", lambda row: _lines([row.names] if row.names else [])),
        ("value", value, lambda row: [_both(row.value)] if row.value else []),
        ("allowed", "may be 可选", lambda row: [row.allowed] if row.allowed else []),
        ("words", "what it says 说明", lambda row: _lines(row.words)),
        ("source", "source 出处", lambda row: [row.source] if row.source else []),
    ]
    return [column for column in columns if any(column[2](row) for row in section.rows)]


def _lines(words: Sequence[Words]) -> list[str]:
    """English and Chinese; what is the same in both, once."""
    return [text for each in words for text in dict.fromkeys((each.en, each.zh))]


def _both(words: Words) -> str:
    return words.en if words.en == words.zh else f"{words.en} {words.zh}"


def _sign(row: SheetRow) -> str:
    signs = (("†", row.is_ours), ("*", row.is_changed), ("✗", row.is_off))
    return "".join(f"{sign} " for sign, on in signs if on)


def _marks() -> Words:
    return Words(
        "{marks}.", "{marks}。", marks=joined([_OURS_NOTE, _CHANGED_NOTE, _OFF], SEMICOLON)
    )


_FORMS: dict[Form, Callable[[Sheet], str]] = {
    Form.TEXT: _text,
    Form.MARKDOWN: _markdown,
    Form.HTML: _html,
}
