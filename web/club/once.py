"""A command of the desk with a key is done once, at whichever hub process it comes again."""

import hashlib
import json
from collections.abc import Callable

from flask import Flask, Response, request
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from table_assist.club.hub.once import answer_of, keep_answer, under
from web.access.roles import viewer
from web.answers import json_answer
from web.api.command_key import key_given
from web.refusal import refuse


def init_app(app: Flask, base: Engine) -> None:
    """Have every command of the app looked at (`web.api.bodies.takes`)."""
    app.extensions["once"] = Once(base)


class Once:
    """Does commands."""

    def __init__(self, base: Engine) -> None:
        self._base = base

    def __call__(self, do: Callable[[], Response]) -> Response:
        """Do the request's command, or answer as the first time."""
        given = key_given()
        if not given:
            return do()
        who = viewer()
        parts = (who.device or who.name, request.path, given)
        key = hashlib.sha256("\n".join(parts).encode() + b"\n" + request.get_data()).hexdigest()
        if (before := answer_of(self._base, key)) is not None:
            return _again(before)
        try:
            with under(key):
                answer = do()
        except IntegrityError:
            if (before := answer_of(self._base, key)) is None:
                raise  # it was about something else
            return _again(before)
        if answer.status_code == 200:
            keep_answer(self._base, key, answer.get_data(as_text=True))
        return answer


def _again(before: str) -> Response:
    if not before:
        refuse(
            409,
            "This was begun the first time; whether all of it was done, the list of acts says.",
            "第一次时已执行；是否全部完成，请查看操作列表。",
        )
    return json_answer(json.loads(before) | {"before": True})
