"""The hub's prints: standings, seats, a player's certificate.

The fonts are those of the table's own score sheet.
"""

from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from typing import Any

from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from table_assist.languages.words import Words
from web.pages.typeset import LATIN, typeset

_BODY = ParagraphStyle("body", fontName=LATIN, fontSize=9.5, leading=13)
_TITLE = ParagraphStyle("title", parent=_BODY, fontSize=20, leading=26)
_HEAD = ParagraphStyle("head", parent=_BODY, fontSize=13, leading=18, spaceBefore=8)
_SMALL = ParagraphStyle("small", parent=_BODY, fontSize=8, leading=11, textColor=colors.grey)
_RIGHT = ParagraphStyle("right", parent=_BODY, alignment=TA_RIGHT)
_CENTRED = ParagraphStyle("centred", parent=_BODY, alignment=TA_CENTER, fontSize=12, leading=20)
_LARGE = ParagraphStyle("large", parent=_CENTRED, fontSize=30, leading=42)
_WINDS = ("東", "南", "西", "北")

_STANDINGS, _SEATS = Words("Standings", "排名"), Words("Seats", "座位")
_COLUMNS = (
    Words("", ""), Words("Player", "选手"), Words("Points", "分数"), Words("Hands", "局数"),
    Words("Wins", "胡牌"), Words("Best hand", "最大一局"),
)  # fmt: skip
_ROUND = Words("Round {n}", "第 {n} 轮")
_CERTIFICATE = Words("Certificate", "成绩证书")
_PLACE = Words("{place} of {of}", "{of} 人中第 {place} 名")
_RESULT = Words(
    "{points} points, {hands} hands played, {wins} won",
    "{points} 分，共 {hands} 局，胡牌 {wins} 局",
)
_SHEET = Words("Score sheet", "成绩单")
_ROUNDS = (
    Words("Round", "轮"), Words("Table", "牌桌"), Words("Points", "分数"), Words("Hands", "局数"),
    Words("Wins", "胡牌"),
)  # fmt: skip
_SUM = Words("Together", "合计")
_CORRECTED = Words("Corrected by the directors", "管理员更正")
_ZERO = Words("All points together: {n}.", "全部分数合计：{n}。")
_PRINTED = Words("Printed {when} from the tables' own records.", "依据各桌记录，打印于 {when}。")


def standings_pdf(
    name: str,
    rows: Sequence[tuple[str, int, int, int, int]],
    language: str,
    notes: Sequence[str] = (),
) -> bytes:
    """A standing.

    Args:
        rows: (name, points, hands, wins, best hand) of each player, the best first.
        notes: what must be known of it, a sentence each.
    """
    head = [_in(words, language) for words in _COLUMNS]
    body = [
        [str(place), player, _signed(points), str(hands), str(wins), str(best or "")]
        for place, (player, points, hands, wins, best) in enumerate(rows, start=1)
    ]
    total = sum(row[1] for row in rows)
    return _document(
        f"{_in(_STANDINGS, language)} · {name}",
        [
            _table(head, body, [14, 76, 26, 20, 20, 24], left=(1,)),
            Paragraph(typeset(_in(_ZERO, language, n=_signed(total))), _SMALL),
            *(Paragraph(typeset(note), _SMALL) for note in notes),
        ],
        language,
    )


def seating_pdf(
    name: str, rounds: Sequence[tuple[int, Sequence[tuple[str, Sequence[str]]]]], language: str
) -> bytes:
    """The seats, round by round.

    Args:
        rounds: (number, [(table, four players, East first)]).
    """
    parts: list[Any] = []
    for number, tables in rounds:
        body = [[table, *players] for table, players in tables]
        made = _table(["", *_WINDS], body, [28, 38, 38, 38, 38], left=(0, 1, 2, 3, 4))
        title = Paragraph(typeset(_in(_ROUND, language, n=number)), _HEAD)
        parts += [KeepTogether([title, made])] if len(body) < 30 else [title, made]
    return _document(f"{_in(_SEATS, language)} · {name}", parts, language)


def certificate_pdf(
    player: str,
    session: dict[str, Any],
    rounds: Sequence[tuple[int, str, int, int, int]],
    language: str,
) -> bytes:
    """A player's result in a session, to sign, with every round below it.

    Args:
        session: ``name``, ``place``, ``of``, ``points``, ``corrected``, ``hands``, ``wins``.
        rounds: (round, table, points, hands, wins).
    """
    given = {**session, "points": _signed(session["points"])}
    body = [
        [str(n), table, _signed(points), str(hands), str(wins)]
        for n, table, points, hands, wins in rounds
    ]
    if session["corrected"]:
        body.append(["", _in(_CORRECTED, language), _signed(session["corrected"]), "", ""])
    last = ["", _in(_SUM, language), given["points"], str(session["hands"]), str(session["wins"])]
    parts = [
        Spacer(1, 8 * mm),
        Paragraph(typeset(player), _LARGE),
        Paragraph(typeset(session["name"]), _CENTRED),
        Paragraph(f"<b>{typeset(_in(_PLACE, language, **given))}</b>", _CENTRED),
        Paragraph(typeset(_in(_RESULT, language, **given)), _CENTRED),
        Spacer(1, 14 * mm),
        Table(
            [["", "", ""]],
            colWidths=[70 * mm, 40 * mm, 70 * mm],
            style=[
                ("LINEABOVE", (0, 0), (0, 0), 0.5, colors.black),
                ("LINEABOVE", (2, 0), (2, 0), 0.5, colors.black),
            ],
        ),
        Paragraph(typeset(_in(_SHEET, language)), _HEAD),
        _table(
            [_in(words, language) for words in _ROUNDS], [*body, last], [18, 84, 30, 24, 24],
            left=(1,), has_sum=True,
        ),
    ]  # fmt: skip
    return _document(_in(_CERTIFICATE, language), parts, language)


def _document(title: str, parts: Sequence[Any], language: str) -> bytes:
    when = _in(_PRINTED, language, when=f"{datetime.now():%Y-%m-%d %H:%M}")
    story = [
        Paragraph(typeset(title), _TITLE), Spacer(1, 3 * mm), *parts, Spacer(1, 5 * mm),
        Paragraph(typeset(when), _SMALL),
    ]  # fmt: skip
    content = BytesIO()
    SimpleDocTemplate(
        content, pagesize=A4, title=title, leftMargin=15 * mm, rightMargin=15 * mm,
        topMargin=15 * mm, bottomMargin=15 * mm,
    ).build(story)  # fmt: skip
    return content.getvalue()


def _table(
    head: Sequence[str],
    body: Sequence[Sequence[str]],
    widths: Sequence[int],
    *,
    left: Sequence[int],
    has_sum: bool = False,
) -> Table:
    """Figures stand to the right, the columns of `left` to the left."""
    rows = [
        [Paragraph(typeset(cell), _BODY if n in left else _RIGHT) for n, cell in enumerate(row)]
        for row in (head, *body)
    ]
    lines = [
        ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black),
        ("LINEBELOW", (0, 1), (-1, -1), 0.25, colors.lightgrey),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ]
    if has_sum:
        lines.append(("LINEABOVE", (0, -1), (-1, -1), 1, colors.black))
    table = Table(rows, colWidths=[width * mm for width in widths], repeatRows=1)
    table.setStyle(TableStyle(lines))
    return table


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _in(words: Words, language: str, **given: object) -> str:
    text = words.zh if language == "zh" else words.en
    return text.format(**{name: str(value) for name, value in given.items()})
