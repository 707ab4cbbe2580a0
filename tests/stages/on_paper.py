"""A page as it comes out of a printer."""

import io
import unicodedata

from playwright.sync_api import Page
from pypdf import PdfReader

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
