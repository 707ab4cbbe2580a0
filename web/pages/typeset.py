"""Text for paper in two fonts that every reader of PDF brings along: one Latin, one Chinese.

Neither has all letters: a letter that a font lacks would be printed as an empty box, or as nothing.
"""

from itertools import groupby
from xml.sax.saxutils import escape

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont

LATIN, CHINESE = "Helvetica", "STSong-Light"
MISSING = "?"  # what neither font has
_KEPT = {"−": "-"}  # what stands for a letter that is in neither

pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))


def typeset(text: str) -> str:
    """The text as a paragraph's markup, each letter in a font that has it.

    >>> typeset("Ann & 陈 −3 ł")
    'Ann &amp; <font name="STSong-Light">陈</font> -3 ?'
    """
    letters = "".join(_KEPT.get(letter, letter) for letter in text)
    shown = "".join(letter if _font(letter) else MISSING for letter in letters)
    return "".join(
        escape("".join(run))
        if font == LATIN
        else f'<font name="{font}">{escape("".join(run))}</font>'
        for font, run in groupby(shown, _font)
    )


def _font(letter: str) -> str:
    """A font that has the letter; empty for none."""
    for encoding, font in (("cp1252", LATIN), ("gbk", CHINESE)):
        try:
            letter.encode(encoding)
        except UnicodeEncodeError:
            continue
        return font
    return ""
