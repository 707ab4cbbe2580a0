"""A page as it comes out of a printer."""

import io
import re
import unicodedata

from playwright.sync_api import Page
from pypdf import PdfReader

from table_assist.languages.words import Words

# Names in letters that no old font for paper had: Polish, Czech, Vietnamese, Korean, Chinese.
SCRIPTS = ("Łukasz Żółć", "Jiří Dvořák", "Nguyễn Thị Hậu", "김민준", "陈大文")


def on_paper(page: Page) -> list[str]:
    """What stands on each sheet of A4 that the browser makes of the page, without spaces."""
    made = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
    for sheet in made.pages:
        assert (round(sheet.mediabox.width), round(sheet.mediabox.height)) == (595, 842)
    # Fonts share the glyphs of some characters with those of radicals, and PDF knows glyphs alone.
    texts = [unicodedata.normalize("NFKC", sheet.extract_text()) for sheet in made.pages]
    return ["".join(text.split()) for text in texts]


_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def is_in_both(words: Words) -> bool:
    """Whether there is an English sentence, and a Chinese one that is another."""
    return bool(re.search(r"[A-Za-z]", words.en)) and bool(_CHINESE.search(words.zh))


def english(words: Words | None) -> str:
    """What a refusal says, which must be in both languages; empty for none."""
    if words is None:
        return ""
    assert is_in_both(words), words
    return words.en
