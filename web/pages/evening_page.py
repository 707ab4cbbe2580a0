"""The evening, told: one page at the end, and a picture of it to send."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from html import escape
from itertools import pairwise

from flask import Blueprint, Response, request
from markupsafe import Markup

from table_assist.game.people import name_words
from table_assist.languages.words import COMMA, Plural, Words, joined, phrase, unended
from table_assist.record.evidence import date_of_evening, day_of, zone_said
from table_assist.record.export import (
    Evening,
    EveningMoment,
    PlayedHand,
    evening_of,
    fewest_payments,
    played_hands,
)
from table_assist.record.log import Entry
from table_assist.record.seal import SHOWN_LETTERS, sealed
from table_assist.record.snapshot import Snapshot
from table_assist.settings.config import MoneyConfig
from table_assist.trust.installation import fingerprint_here
from web.access.roles import Role, require
from web.answers import file_answer, of_app, the_table
from web.language import chosen_language, page_words
from web.pages.shell import Grid, Line, Part, Signatures, printed, render
from web.view.vocabulary import person_names, signed, with_seats

# The evening's score sheet to print: every hand, who moved what, and its seal.

NO_MONEY = MoneyConfig()
_CARD_HEAD = (
    Words("Hand", "局"),
    Words("Ended", "结束"),
    Words("Dealer", "庄"),
    Words("Won", "和"),
)
_START, _BETWEEN_HANDS = Words("Start", "起始"), Words("Between hands", "局间")
_EVEN = (Words("Pays", "付"), Words("To", "给"), Words("Points", "分"), Words("Money", "金额"))
_SEAL = Words("Seal", "封印")
_DRAWN_HAND, _LEFT = Words("draw", "流局"), Words("given up", "作废")
_INSTALLATION = Words("Kept by the installation", "记录安装")


def score_sheet(
    entries: Sequence[Entry],
    names: Sequence[str],
    rules: Words,
    language: str,
    money: MoneyConfig = NO_MONEY,
) -> str:
    """The page of every hand that is over.

    Args:
        entries: the whole log.
        names: the players', by seat.
        rules: what the rule set is called.
        money: what a point is worth.
    """
    hands = played_hands(entries)
    seals = [seal for seal, _ in sealed(entries)]
    head = [*(words.said(language) for words in _CARD_HEAD), *names, _SEAL.said(language)]
    rows: list[list[object]] = []
    known = (0, 0, 0, 0)
    for hand in hands:
        before = tuple(
            after - moved - fined
            for after, moved, fined in zip(hand.scores, hand.transfers, hand.penalties, strict=True)
        )
        if before != known:
            label = _BETWEEN_HANDS if hand.begun_with is None else _START
            rows.append([label.said(language), "", "", "", *before, ""])
        known = hand.scores
        moved = [
            f"{signed(hand.transfers[seat] + hand.penalties[seat])} ({hand.scores[seat]})"
            for seat in range(4)
        ]
        ended = f"{datetime.fromtimestamp(hand.ended_s):%H:%M}"
        nobody = (_DRAWN_HAND if hand.end == "drawn" else _LEFT).said(language)
        won = ", ".join(names[seat] for seat in hand.winners) if hand.winners else nobody
        seal = seals[hand.seq - 1][:SHOWN_LETTERS]
        rows.append([hand.hand, ended, names[hand.dealer], won, *moved, seal])
    rows.append([Words("Final", "终局").said(language), "", "", "", *known, ""])
    parts: list[Part] = [
        Line(f"{rules.said(language)}, {_score_sheet_when(hands, language)}"),
        Grid(head, rows, left=(0, 1, 2, 3), has_sum=True),
        # Who pays whom, in points and, where a point is worth some, in money
        Grid(
            [words.said(language) for words in _EVEN],
            [
                [names[payer], names[payee], points, money.amount(points)]
                for payer, payee, points in fewest_payments(evening_of(entries).balance)
            ],
            left=(0, 1),
            is_whole=True,
        ),
        Signatures(names),
        Line(phrase("evening_page.seal_changes_with_any").said(language), "small"),
        Line(f"{_INSTALLATION.said(language)} {fingerprint_here() or '-'}", "small"),
    ]
    return printed(Words("Score sheet", "计分单").said(language), parts)


def _score_sheet_when(hands: Sequence[PlayedHand], language: str) -> str:
    if not hands:
        return "-"
    day = date_of_evening(hands[0].started_s)
    at = f"{datetime.fromtimestamp(hands[0].started_s):%H:%M}{zone_said()}"
    english = f"{day.day} {day:%B %Y}, {at}"
    return Words(english, f"{day.year}年{day.month}月{day.day}日 {at}").said(language)


# An evening as a picture to send: drawn as SVG, without a link and without a script.

CARD_WIDTH, CARD_HEIGHT = 1080, 1350
CHART_LEFT, CHART_RIGHT, CHART_TOP, CHART_BOTTOM = 70, 800, 500, 900
CARD_INK, SOFT, GROUND, PANEL, CARD_LINE = "#1f2823", "#59645e", "#efece3", "#fcfaf4", "#dcd6c6"
# A colour, a dash and a mark for each person: who cannot tell colours tells the lines all the same.
LINE_COLOURS = ("#a86a00", "#16708f", "#a83358", "#2b7a34")
DASHES = ("none", "14 7", "4 6", "20 6 4 6")
LINE_LETTERS = 54  # of a sentence's line
# Between these a line may break: Latin words, and each Chinese character.
_BREAKABLE = re.compile("[\u2e80-\uffff]|[^\u2e80-\uffff ]+ *| +")


def picture_of(
    evening: Evening, names: Sequence[Words], title: Words, told: Sequence[Words], language: str
) -> str:
    """The SVG.

    Args:
        names: by person, as `title` and `told` in both languages.
        language: ``en`` or ``zh``.
    """
    called = [name.said(language) for name in names]
    hands = Plural(len(evening.hands), "{n} hand", "{n} hands", "{n} 局").said(language)
    when = "" if not evening.hands else f" · {day_of(evening.hands[0].started_s)}{zone_said()}"
    lines = [line for each in told for line in _wrapped(each.said(language))]
    parts = [
        f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" fill="{GROUND}"/>',
        f'<rect x="40" y="150" width="1000" height="{CARD_HEIGHT - 190}" rx="34" fill="{PANEL}"/>',
        _text(60, 85, title.said(language), 54, bold=True),
        _text(60, 128, f"{hands}{when}", 28, SOFT),
        *_standing(evening, called),
        *_curve(evening, called),
        *(_text(70, 985 + 44 * at, line, 30) for at, line in enumerate(lines[:7])),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" '
        f'viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}" font-family="Inter, system-ui, Noto Sans, '
        f'PingFang SC, Noto Sans CJK SC, sans-serif" role="img">{"".join(parts)}</svg>'
    )


def _standing(evening: Evening, called: Sequence[str]) -> list[str]:
    parts = []
    for place, person in enumerate(standing(evening)):
        y = 225 + 62 * place
        parts += [
            f'<circle cx="88" cy="{y - 12}" r="18" fill="{LINE_COLOURS[person]}"/>',
            _text(88, y - 4, str(place + 1), 24, "#fff", anchor="middle", bold=True),
            _text(130, y, _cut(called[person], 24), 38, bold=place == 0),
            _text(1000, y, signed(evening.balance[person]), 42, anchor="end", bold=True),
        ]
    return parts


def _curve(evening: Evening, called: Sequence[str]) -> list[str]:
    rows = evening.curve
    low, high = min(map(min, rows)), max(map(max, rows))
    span = max(1, high - low)
    step = (CHART_RIGHT - CHART_LEFT) / max(1, len(rows) - 1)
    up = (CHART_BOTTOM - CHART_TOP) / span
    places = [
        [(CHART_LEFT + step * at, CHART_BOTTOM - up * (row[person] - low))
         for at, row in enumerate(rows)]
        for person in range(4)
    ]  # fmt: skip
    start = CHART_BOTTOM - up * (rows[0][0] - low)
    parts = [
        f'<path d="M{CHART_LEFT} {start:.1f}H{CHART_RIGHT}" stroke="{CARD_LINE}" stroke-width="2"/>'
    ]
    # The same heights, moved so far that names at them do not touch
    heights = [line[-1][1] for line in places]
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    found = list(heights)
    for before, at in pairwise(order):
        found[at] = max(found[at], found[before] + 40.0)
    over = max(0.0, found[order[-1]] - (CHART_BOTTOM + 30))
    ends = [height - over for height in found]
    for person, line in enumerate(places):
        way = "L".join(f"{x:.1f} {y:.1f}" for x, y in line)
        colour, dash = LINE_COLOURS[person], DASHES[person]
        parts += [
            f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="6" '
            f'stroke-linejoin="round" stroke-dasharray="{dash}"/>',
            f'<path d="M{line[-1][0]:.1f} {line[-1][1]:.1f}L{CHART_RIGHT + 24} {ends[person]:.1f}" '
            f'stroke="{colour}" stroke-width="2"/>',
            _text(
                CHART_RIGHT + 32, ends[person] + 9, _cut(called[person], 12), 28, colour, bold=True
            ),
        ]
    return parts


def _wrapped(text: str) -> list[str]:
    """Lines of about equal room; a Chinese character takes that of two letters."""
    lines, room = [""], 0
    for word in _BREAKABLE.findall(text):
        wide = sum(2 if ord(letter) > 0x2E80 else 1 for letter in word)
        if room + wide > LINE_LETTERS and lines[-1]:
            lines.append("")
            room = 0
        lines[-1] += word
        room += wide
    return [line.strip() for line in lines]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _text(
    x: float, y: float, text: str, size: int, fill: str = CARD_INK, *, anchor: str = "start",
    bold: bool = False,
) -> str:  # fmt: skip
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x}" y="{y:.1f}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"'
        f"{weight}>{escape(text)}</text>"
    )


blueprint = Blueprint("evening_page", __name__)
_money = partial(of_app, MoneyConfig, "money")
MOST_FED = 3


@blueprint.get("/evening")
@require(Role.TELEVISION)
def page() -> str:
    """The standing with its curve, what people will talk about, who owes whom."""
    snapshot, evening = _now()
    language = chosen_language()
    names, money = _called(snapshot), _money()
    sentences = told(evening, names)
    return render(
        "evening.html",
        view="evening",
        words=page_words("evening"),
        drawn=Markup(picture_of(evening, names, snapshot.rules.names, sentences, language)),
        standing=[
            (names[person].said(language), evening.balance[person], place)
            for place, person in enumerate(standing(evening), 1)
        ],
        told=[each.said(language) for each in sentences],
        payments=[
            (names[payer].said(language), names[payee].said(language), points, money.amount(points))
            for payer, payee, points in fewest_payments(evening.balance)
        ],
        played=len(evening.hands),
    )


@blueprint.get("/evening/score-sheet")
@require(Role.SEAT)
def sheet() -> str:
    """Every hand that is over, to print and to sign."""
    source, language = the_table(), chosen_language()
    snapshot = source.snapshot
    names = [each.said(language) for each in _called(snapshot)]
    return score_sheet(source.entries(), names, snapshot.rules.names, language, _money())


@blueprint.get("/evening.svg")
@require(Role.TELEVISION)
def picture() -> Response:
    """The same as a picture, without a link in it."""
    snapshot, evening = _now()
    names = _called(snapshot)
    sentences = told(evening, names)
    drawn = picture_of(evening, names, snapshot.rules.names, sentences, chosen_language())
    return file_answer(drawn, "image/svg+xml", "evening.svg" if "save" in request.args else "")


def standing(evening: Evening) -> list[int]:
    """The people, who has most first."""
    return sorted(range(4), key=lambda person: -evening.balance[person])


def told(evening: Evening, names: Sequence[Words]) -> list[Words]:
    """A sentence for everything that people will talk about."""
    said = []
    if evening.best is not None:
        said.append(_best(evening.best, names))
    if evening.swing is not None:
        who, moved = names[evening.swing.person], signed(evening.swing.points)
        hand = evening.swing.hand.hand
        said.append(phrase("evening_page.dearest_hand_hand", who=who, moved=moved, hand=hand))
    if evening.dealer is not None and evening.dealer[1] > 1:
        person, row = evening.dealer
        who = names[person]
        said.append(phrase("evening_page.longest_dealer_hands", who=who, row=row))
    if evening.fed:
        most = [
            Words(
                "{names} → {names_2} {times}×",
                "{names} → {names_2} {times} 次",
                names=names[fed.giver],
                names_2=names[fed.winner],
                times=fed.times,
            )
            for fed in evening.fed[:MOST_FED]
        ]
        several = joined(most, COMMA)
        said.append(Words("Who fed whom: {several}", "谁给谁点炮：{several}", several=several))
    return said


def _best(best: EveningMoment, names: Sequence[Words]) -> Words:
    who, moved, hand = names[best.person], signed(best.points), best.hand.hand
    made = Words("", "")
    line = next((step for step in best.hand.steps if not step.en.endswith(":")), None)
    if line is not None:
        said = with_seats(line, [names[person] for person in best.hand.people])
        made = Words(" ({said})", "（{said}）", said=unended(said))
    return phrase("evening_page.best_hand_hand", who=who, moved=moved, hand=hand, made=made)


def _called(snapshot: Snapshot) -> list[Words]:
    return [name_words(name, person) for person, name in enumerate(person_names(snapshot))]


def _now() -> tuple[Snapshot, Evening]:
    source = the_table()
    return source.snapshot, evening_of(source.entries())
