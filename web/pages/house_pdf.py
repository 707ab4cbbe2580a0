"""A house's rules as the sheet that hangs on the wall: A4, two columns, two pages at most."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

from table_assist.languages.words import Words
from table_assist.rules.profile import Profile
from table_assist.rules.sheet.rows import Section, SheetRow
from table_assist.rules.sheet.sheet import make_sheet
from web.pages.typeset import LATIN, typeset

PAGES = 2
_SIZES = (9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0)  # points; the largest that fits is taken
_MARGIN, _GAP, _HEAD = 11 * mm, 6 * mm, 20 * mm
_HOUSE = Words("Agreed in this house", "本桌约定")
_FOOT = Words(
    "Rule set {rules}, profile {id}, fingerprint {sign}", "规则 {rules}，约定 {id}，指纹 {sign}"
)
# The played part hangs on the wall. The rest is in the whole sheet.
_SECTIONS = ("shapes", "conditions", "patterns", "opening", "ready", "laws")


def wall_sheet(profile: Profile, language: str) -> bytes:
    """The PDF.

    Args:
        language: ``en`` or ``zh``.

    Raises:
        ValueError: the rules do not fit on two pages.
    """
    for size in _SIZES:
        content, pages = _laid_out(profile, language, size)
        if pages <= PAGES:
            return content
    raise ValueError(f"{profile.id} does not fit on {PAGES} pages")


def _laid_out(profile: Profile, language: str, size: float) -> tuple[bytes, int]:
    width, height = A4
    column = (width - 2 * _MARGIN - _GAP) / 2
    content = BytesIO()

    def frames(top: float) -> list[Frame]:
        tall = height - 2 * _MARGIN - top
        return [
            Frame(_MARGIN + place * (column + _GAP), _MARGIN, column, tall, 0, 0, 0, 0)
            for place in (0, 1)
        ]

    def head(canvas: Any, document: Any) -> None:
        names = profile.rules.names
        title = Paragraph(
            typeset(profile.name if profile.id != profile.rules.id else names.said(language)),
            ParagraphStyle("title", fontName=LATIN, fontSize=20, leading=24),
        )
        title.wrapOn(canvas, width - 2 * _MARGIN, _HEAD)
        title.drawOn(canvas, _MARGIN, height - _MARGIN - 9 * mm)
        said = _FOOT.said(language).format(
            rules=names.said(language), id=profile.id, sign=profile.hash[:16]
        )
        foot = Paragraph(
            typeset(said),
            ParagraphStyle("foot", fontName=LATIN, fontSize=8, leading=10, textColor=colors.grey),
        )
        foot.wrapOn(canvas, width - 2 * _MARGIN, _HEAD)
        foot.drawOn(canvas, _MARGIN, height - _MARGIN - 14 * mm)

    document = BaseDocTemplate(
        content,
        pagesize=A4,
        title=profile.name,
        pageTemplates=[
            PageTemplate("first", frames(_HEAD), onPage=head, autoNextPageTemplate="later"),
            PageTemplate("later", frames(0)),
        ],
    )
    document.build(list(_parts(profile, language, size)))
    return content.getvalue(), document.page


def _parts(profile: Profile, language: str, size: float) -> Iterator[Paragraph]:
    wrap = "CJK" if language == "zh" else None
    body = ParagraphStyle(
        "body", fontName=LATIN, fontSize=size, leading=size * 1.22, wordWrap=wrap, spaceAfter=1.5
    )
    heading = ParagraphStyle(
        "heading", parent=body, fontSize=size * 1.25, leading=size * 1.7, spaceBefore=size * 0.7,
        textColor=colors.HexColor("#0b5d46"), keepWithNext=True,
    )  # fmt: skip
    sections = {section.id: section for section in make_sheet(profile).sections}
    changed = [row for row in sections["options"].rows if row.is_changed]
    if changed:
        yield Paragraph(typeset(_HOUSE.said(language)), heading)
        for row in changed:
            yield Paragraph(_agreed(row, language), body)
    for id in _SECTIONS:
        if id in sections and any(not row.is_off for row in sections[id].rows):
            yield Paragraph(typeset(_title(sections[id], language)), heading)
            for row in sections[id].rows:
                if not row.is_off:
                    yield Paragraph(_line(row, language), body)


def _title(section: Section, language: str) -> str:
    unit = section.value.said(language)
    return section.title.said(language) + (f" ({unit})" if unit else "")


def _agreed(row: SheetRow, language: str) -> str:
    value = "" if row.value is None else row.value.said(language)
    said = row.words[0].said(language).rstrip(".。")
    return f"• {typeset(said)}: <b>{typeset(value)}</b>"


def _line(row: SheetRow, language: str) -> str:
    """A rule by its number, or a pattern by its name and value."""
    # How a refusal is worded is for the table's page, not for the wall.
    told = [each for each in row.words if not each.en.startswith("Refused with")]
    words = " ".join(each.said(language) for each in told)
    if row.names is None:
        lead = row.id if "-" in row.id else ""
        return f"<b>{typeset(lead)}</b> {typeset(words)}" if lead else f"• {typeset(words)}"
    name, value = row.names.said(language), "" if row.value is None else row.value.said(language)
    lead = f"<b>{typeset(f'{name} {value}'.strip())}</b>"
    return f"{lead}: {typeset(words)}" if words else lead
