"""An evening as a picture to send: drawn as SVG, without a link and without a script."""

import re
from collections.abc import Sequence
from html import escape
from itertools import pairwise

from table_assist.evidence.evenings import day_of, zone_said
from table_assist.languages.words import Words
from table_assist.record.evening import Evening
from web.view.vocabulary import signed

WIDTH, HEIGHT = 1080, 1350
LEFT, RIGHT, TOP, BOTTOM = 70, 800, 500, 900
INK, SOFT, GROUND, PANEL, LINE = "#1f2823", "#59645e", "#efece3", "#fcfaf4", "#dcd6c6"
# A colour, a dash and a mark for each person: who cannot tell colours tells the lines all the same.
COLOURS = ("#a86a00", "#16708f", "#a83358", "#2b7a34")
DASHES = ("none", "14 7", "4 6", "20 6 4 6")
LETTERS = 54  # of a sentence's line
# Between these a line may break: Latin words, and each Chinese character.
_PIECES = re.compile("[\u2e80-\uffff]|[^\u2e80-\uffff ]+ *| +")
_HANDS = Words("{n} hands", "{n} 局")


def picture_of(
    evening: Evening, names: Sequence[Words], title: Words, told: Sequence[Words], language: str
) -> str:
    """The SVG.

    Args:
        names: by person, as `title` and `told` in both languages.
        language: ``en`` or ``zh``.
    """
    called = [name.said(language) for name in names]
    hands = _HANDS.said(language).replace("{n}", str(len(evening.hands)))
    when = _when(evening)
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"/>',
        f'<rect x="40" y="150" width="1000" height="{HEIGHT - 190}" rx="34" fill="{PANEL}"/>',
        _text(60, 85, title.said(language), 54, bold=True),
        _text(60, 128, f"{hands}{when}", 28, SOFT),
        *_standing(evening, called),
        *_curve(evening, called),
        *_sentences([each.said(language) for each in told]),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="Inter, system-ui, Noto Sans, '
        f'PingFang SC, Noto Sans CJK SC, sans-serif" role="img">{"".join(parts)}</svg>'
    )


def _when(evening: Evening) -> str:
    if not evening.hands:
        return ""
    return f" · {day_of(evening.hands[0].started_s)}{zone_said()}"


def _standing(evening: Evening, called: Sequence[str]) -> list[str]:
    best = sorted(range(4), key=lambda person: -evening.balance[person])
    parts = []
    for place, person in enumerate(best):
        y = 225 + 62 * place
        parts += [
            f'<circle cx="88" cy="{y - 12}" r="18" fill="{COLOURS[person]}"/>',
            _text(88, y - 4, str(place + 1), 24, "#fff", anchor="middle", bold=True),
            _text(130, y, _cut(called[person], 24), 38, bold=place == 0),
            _text(1000, y, signed(evening.balance[person]), 42, anchor="end", bold=True),
        ]
    return parts


def _curve(evening: Evening, called: Sequence[str]) -> list[str]:
    rows = evening.curve
    low, high = min(map(min, rows)), max(map(max, rows))
    span = max(1, high - low)
    step = (RIGHT - LEFT) / max(1, len(rows) - 1)
    places = [
        [(LEFT + step * at, BOTTOM - (BOTTOM - TOP) * (row[person] - low) / span)
         for at, row in enumerate(rows)]
        for person in range(4)
    ]  # fmt: skip
    start = BOTTOM - (BOTTOM - TOP) * (rows[0][0] - low) / span
    parts = [f'<path d="M{LEFT} {start:.1f}H{RIGHT}" stroke="{LINE}" stroke-width="2"/>']
    ends = _apart([line[-1][1] for line in places])
    for person, line in enumerate(places):
        way = "L".join(f"{x:.1f} {y:.1f}" for x, y in line)
        colour, dash = COLOURS[person], DASHES[person]
        parts += [
            f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="6" '
            f'stroke-linejoin="round" stroke-dasharray="{dash}"/>',
            f'<path d="M{line[-1][0]:.1f} {line[-1][1]:.1f}L{RIGHT + 24} {ends[person]:.1f}" '
            f'stroke="{colour}" stroke-width="2"/>',
            _text(RIGHT + 32, ends[person] + 9, _cut(called[person], 12), 28, colour, bold=True),
        ]
    return parts


def _apart(heights: Sequence[float], least: float = 40.0) -> list[float]:
    """The same heights, moved so far that names at them do not touch."""
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    found = list(heights)
    for before, at in pairwise(order):
        found[at] = max(found[at], found[before] + least)
    over = max(0.0, found[order[-1]] - (BOTTOM + 30))
    return [height - over for height in found]


def _sentences(told: Sequence[str]) -> list[str]:
    lines = [line for each in told for line in _wrapped(each)]
    return [_text(70, 985 + 44 * at, line, 30) for at, line in enumerate(lines[:7])]


def _wrapped(text: str) -> list[str]:
    """Lines of about equal room; a Chinese character takes that of two letters."""
    lines, room = [""], 0
    for word in _PIECES.findall(text):
        wide = sum(2 if ord(letter) > 0x2E80 else 1 for letter in word)
        if room + wide > LETTERS and lines[-1]:
            lines.append("")
            room = 0
        lines[-1] += word
        room += wide
    return [line.strip() for line in lines]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _text(
    x: float, y: float, text: str, size: int, fill: str = INK, *, anchor: str = "start",
    bold: bool = False,
) -> str:  # fmt: skip
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x}" y="{y:.1f}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"'
        f"{weight}>{escape(text)}</text>"
    )
