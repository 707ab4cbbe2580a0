"""The words of pages, and the language: by the address, as chosen before, else the browser's."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from flask import Flask, request

from table_assist.languages.catalogue import LANGUAGES, catalogues, known
from table_assist.languages.words import Words, isolated, speak

# Each as it is called by who speaks it.
LANGUAGE_NAMES = {"en": "English", "zh": "简体中文"} | {
    tag: one.name for tag, one in catalogues().items()
}


def init_app(app: Flask) -> None:
    """Have what the app answers say its words in the reader's language, too."""
    app.add_template_filter(isolated)
    app.before_request(lambda: speak(chosen_language()))
    app.teardown_request(lambda _: speak("en"))


def chosen_language() -> str:
    """``en``, ``zh`` or a catalogue's tag."""
    for said in (request.args.get("lang"), request.cookies.get("language")):
        if said in LANGUAGES:
            return str(said)
    wanted = (known(tag) for tag in request.accept_languages.values())
    return next((tag for tag in wanted if tag is not None), "en")


def by_language(words: Mapping[str, Words]) -> dict[str, dict[str, str]]:
    """A page's words for its script: English, Chinese, and the reader's own."""
    tags = dict.fromkeys(("en", "zh", chosen_language()))
    return {tag: in_language(words, tag) for tag in tags}


def in_language(words: Mapping[str, Words], tag: str) -> dict[str, str]:
    """The same in one language."""
    return {key: each.said(tag) for key, each in words.items()}


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
