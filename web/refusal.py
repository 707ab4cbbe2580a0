"""How an answer says no: one sentence, in every language."""

from html import escape
from typing import NoReturn

from werkzeug.exceptions import HTTPException

from table_assist.languages.catalogue import LANGUAGES
from table_assist.languages.words import Words, capitalised, unended

_BACK = Words("To the start", "回到首页")
# The server's own refusals, before anything of ours has looked at the request.
_USUAL = {
    400: Words("This cannot be understood.", "请求无法理解。"),
    403: Words("This is not allowed.", "不允许这样做。"),
    404: Words("There is nothing here.", "这里没有这样的内容。"),
    405: Words("This is not taken here.", "这里不接受这种请求。"),
    413: Words("This is too large.", "内容过大。"),
    500: Words("The program failed: its log says more.", "程序出错，详见程序日志。"),
}


class RefusedRequest(HTTPException):
    """A request ends with this status and this sentence."""

    def __init__(self, status: int, words: Words) -> None:
        super().__init__(words.en)
        self.code = status
        self.words = words


def refuse(status: int, en: str, zh: str, /, **given: object) -> NoReturn:
    """End the request with one sentence, as `Words` has it.

    Raises:
        Refusal: always.
    """
    raise RefusedRequest(status, Words(en, zh, **given))


def whole_sentence(words: Words) -> Words:
    """The same as a sentence of its own, whatever an error's words went on in."""
    ended = Words("{said}.", "{said}。", said=capitalised(unended(words)))
    return ended.map(lambda text: text[:-1] if text[-2:-1] in "?？" else text)


def refusal_words(error: HTTPException) -> Words:
    """The sentence of an answer that says no, whoever made it."""
    if isinstance(error, RefusedRequest):
        return error.words
    code = error.code or 500
    return _USUAL.get(code) or Words(
        "{said}", "请求未能完成（{code}）。", said=error.description or error.name, code=code
    )


def refusal_page(words: Words, tag: str) -> str:
    """The same as a page with a way out, in one language; it needs nothing but the style sheet."""
    return (
        f'<!doctype html><html lang="{LANGUAGES[tag]}"><head><meta charset="utf-8">'
        "<title>table-assist</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="/static/icons/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/static/base.css"><link rel="stylesheet" '
        'href="/static/pair.css"></head><body><main><section id="pair" class="panel refused">'
        f'<p>{escape(words.said(tag))}</p><p><a class="main button" href="/">{_BACK.said(tag)}</a>'
        "</p></section></main></body></html>"
    )
