"""How an answer says no: one sentence, in both languages."""

from typing import NoReturn

from werkzeug.exceptions import HTTPException

from table_assist.words import Words

# What the server itself refuses, before anything of ours has looked at it.
_USUAL_ZH = {
    400: "请求无法理解。",
    403: "不允许这样做。",
    404: "这里没有这样的内容。",
    405: "这里不接受这种请求。",
    413: "内容过大。",
    500: "程序出错，详见程序日志。",
}


class RefusedRequest(HTTPException):
    """A request ends with this status and this sentence."""

    def __init__(self, status: int, words: Words) -> None:
        super().__init__(words.en)
        self.code = status
        self.words = words


def refuse(status: int, en: str, zh: str) -> NoReturn:
    """End the request with one sentence.

    Raises:
        Refusal: always.
    """
    raise RefusedRequest(status, Words(en, zh))


def refusal_words(error: HTTPException) -> Words:
    """The sentence of an answer that says no, whoever made it."""
    if isinstance(error, RefusedRequest):
        return error.words
    en = error.description or error.name
    return Words(en, _USUAL_ZH.get(error.code or 500, f"请求未能完成（{error.code}）。"))
