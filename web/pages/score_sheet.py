"""The evening's score sheet as a PDF to print: every hand, who moved what, and its seal.

Its fonts are those that readers bring along, so that none of many megabytes has to be in the file
or in this program.
"""

from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from table_assist.languages.words import Words
from table_assist.record.history import PlayedHand, played_hands
from table_assist.record.log import Entry
from table_assist.record.seal import SHOWN, sealed
from table_assist.trust.installation import fingerprint_here
from web.pages.typeset import LATIN, typeset

_TITLE = Words("Score sheet", "计分单")
_HEAD = (Words("Hand", "局"), Words("Ended", "结束"), Words("Dealer", "庄"), Words("Won", "和"))
_START, _BETWEEN = Words("Start", "起始"), Words("Between hands", "局间")
_END = Words("Final", "终局")
_SEAL = Words("Seal", "封印")
_DRAWN, _LEFT = Words("draw", "流局"), Words("given up", "作废")
_INSTALLATION = Words("Kept by the installation", "记录安装")
_NOTE = Words(
    "A seal changes with any entry of the record before it: table-assist verify compares.",
    "此前记录有任何改动，封印就会不同：可用 table-assist verify 核对。",
)


def score_sheet(
    entries: Sequence[Entry], names: Sequence[str], rules: Words, language: str
) -> bytes:
    """The PDF of every hand that is over.

    Args:
        entries: the whole log.
        names: the players', by seat.
        rules: what the rule set is called.
        language: ``en`` or ``zh``.
    """
    hands = played_hands(entries)
    seals = [seal for seal, _ in sealed(entries)]
    body = ParagraphStyle("body", fontName=LATIN, fontSize=9, leading=12)
    title = ParagraphStyle("title", parent=body, fontSize=20, leading=26)
    small = ParagraphStyle("small", parent=body, fontSize=7.5, leading=10, textColor=colors.grey)
    parts: list[Any] = [
        Paragraph(typeset(_TITLE.said(language)), title),
        Paragraph(typeset(f"{rules.said(language)}, {_when(hands, language)}"), body),
        Spacer(1, 5 * mm),
        _table(hands, seals, names, language, body),
        Spacer(1, 12 * mm),
        _signatures(names, language, body),
        Spacer(1, 6 * mm),
        Paragraph(typeset(_NOTE.said(language)), small),
        Paragraph(typeset(f"{_INSTALLATION.said(language)} {fingerprint_here() or '-'}"), small),
    ]
    content = BytesIO()
    SimpleDocTemplate(
        content,
        pagesize=A4,
        title=_TITLE.said(language),
        leftMargin=15 * mm,
        rightMargin=15 * mm,
        topMargin=15 * mm,
        bottomMargin=15 * mm,
    ).build(parts)
    return content.getvalue()


def _table(
    hands: Sequence[PlayedHand],
    seals: Sequence[str],
    names: Sequence[str],
    language: str,
    style: ParagraphStyle,
) -> Table:
    head = [*(words.said(language) for words in _HEAD), *names, _SEAL.said(language)]
    rows = [[Paragraph(typeset(text), style) for text in head]]
    known = (0, 0, 0, 0)
    for hand in hands:
        if (before := _before(hand)) != known:
            label = _BETWEEN if hand.begun_with is None else _START
            row = [label.said(language), "", "", "", *map(str, before), ""]
            rows.append([Paragraph(typeset(cell), style) for cell in row])
        known = hand.scores
        points = [hand.transfers[seat] + hand.penalties[seat] for seat in range(4)]
        moved = [
            f"{p:+d}  ({s})" if p else f"0  ({s})" for p, s in zip(points, hand.scores, strict=True)
        ]
        cells = [
            str(hand.hand),
            datetime.fromtimestamp(hand.ended_s).strftime("%H:%M"),
            names[hand.dealer],
            _won(hand, names, language),
            *moved,
            seals[hand.seq - 1][:SHOWN],
        ]
        rows.append([Paragraph(typeset(cell), style) for cell in cells])
    scores = hands[-1].scores if hands else (0, 0, 0, 0)
    last = [_END.said(language), "", "", "", *map(str, scores), ""]
    rows.append([Paragraph(f"<b>{typeset(cell)}</b>", style) for cell in last])
    widths = [11, 14, 22, 26, *[22] * 4, 19]
    table = Table(rows, colWidths=[width * mm for width in widths], repeatRows=1)
    table.setStyle(
        TableStyle(
            [
                ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black),
                ("LINEBELOW", (0, 1), (-1, -2), 0.25, colors.lightgrey),
                ("LINEABOVE", (0, -1), (-1, -1), 1, colors.black),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("LEFTPADDING", (0, 0), (-1, -1), 2),
                ("RIGHTPADDING", (0, 0), (-1, -1), 2),
            ]
        )
    )
    return table


def _before(hand: PlayedHand) -> tuple[int, ...]:
    """The scores before the hand."""
    return tuple(
        after - moved - fined
        for after, moved, fined in zip(hand.scores, hand.transfers, hand.penalties, strict=True)
    )


def _signatures(names: Sequence[str], language: str, style: ParagraphStyle) -> Table:
    row = [Paragraph(typeset(f"{name}"), style) for name in names]
    table = Table([row], colWidths=[44 * mm] * 4)
    table.setStyle(TableStyle([("LINEABOVE", (0, 0), (-1, 0), 0.5, colors.black)]))
    return table


def _won(hand: PlayedHand, names: Sequence[str], language: str) -> str:
    if hand.winners:
        return ", ".join(names[seat] for seat in hand.winners)
    return (_DRAWN if hand.end == "drawn" else _LEFT).said(language)


def _when(hands: Sequence[PlayedHand], language: str) -> str:
    if not hands:
        return "-"
    begun = datetime.fromtimestamp(hands[0].started_s)
    english = f"{begun.day} {begun:%B %Y, %H:%M}"
    return Words(english, f"{begun.year}年{begun.month}月{begun.day}日 {begun:%H:%M}").said(
        language
    )
