"""The words of the pages: `words.toml`."""

import tomllib
from functools import cache
from pathlib import Path

from table_assist.languages.words import Words


def page_words(*pages: str) -> dict[str, Words]:
    """The words of pages by their names; where two have one name, those of the later page."""
    return {name: words for page in pages for name, words in _pages()[page].items()}


@cache
def _pages() -> dict[str, dict[str, Words]]:
    read = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
    return {
        page: {name: Words(en, zh) for name, (en, zh) in words.items()}
        for page, words in read.items()
    }
