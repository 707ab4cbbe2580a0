"""A table's open line: hello and welcome, then batches and answers with the codes of this line."""

import asyncio
import logging
from concurrent.futures import Future
from functools import partial

from flask import Flask
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.intake import Sent, count_refused
from table_assist.club.open_line import MOST_HELLO, SecuredLine, take_call
from table_assist.club.wire import (
    ROOMY_BYTES,
    Batch,
    BatchAnswer,
    WireError,
    answer_bytes,
    read_batch,
)
from table_assist.languages.words import Words
from table_assist.trust.agreed import CODE_BYTES
from table_assist.trust.installation import InstallationKey
from web.answers import refusal_answer
from web.club import uplink_api
from web.club.door import LONG, Door
from web.serving.lines import Reply

log = logging.getLogger(__name__)


class HubTalk:
    """One line.

    Attributes:
        most: bytes of the next message.
    """

    def __init__(self, door: Door, key: InstallationKey, base: Engine) -> None:
        self.most = MOST_HELLO
        self._door, self._key, self._base = door, key, base
        self._line: SecuredLine | None = None

    def take(self, message: bytes, reply: Reply) -> None:
        """Answer a message."""
        if self._line is None:
            self._begin(message, reply)
            return
        content = self._line.takes.opened(message)
        if content is None:
            self._refuse("unsigned", Words("The code does not fit.", "校验码不符。"), reply)
        elif len(content) < LONG:
            self._bring(_read(content), reply)
        else:
            loop = asyncio.get_running_loop()
            reading = loop.run_in_executor(self._door.readers, _read, content)
            reading.add_done_callback(lambda done: self._bring(done.result(), reply))

    def _begin(self, hello: bytes, reply: Reply) -> None:
        try:
            welcome, self._line = take_call(self._key, hello)
        except WireError as error:
            self._refuse("unsigned", Words("{error}.", "无法读取：{error}。", error=error), reply)
            return
        self.most = ROOMY_BYTES + CODE_BYTES
        reply(welcome)

    def _bring(self, batch: Batch | WireError, reply: Reply) -> None:
        if isinstance(batch, WireError):
            self._refuse("malformed", Words("{batch}.", "无法读取：{batch}。", batch=batch), reply)
            return
        assert self._line is not None
        loop = asyncio.get_running_loop()
        self._door.bring(Sent(self._line.other, batch), loop, partial(self._answer, reply))

    def _answer(self, reply: Reply, answer: "Future[BatchAnswer]") -> None:
        assert self._line is not None
        error = answer.exception()
        if error is None:
            reply(self._line.sends.packed(answer_bytes(answer.result())))
        elif isinstance(error, SQLAlchemyError | TimeoutError):
            uplink_api.say_no_database(error)
            self._say(uplink_api.NO_DATABASE, reply)
        else:
            log.error("a batch met a fault", exc_info=error)
            reply(None)

    def _refuse(self, why: str, words: Words, reply: Reply) -> None:
        """Count it, say it, and end the line."""
        loop = asyncio.get_running_loop()
        counting = loop.run_in_executor(self._door.readers, count_refused, self._base, why)
        counting.add_done_callback(lambda done: done.exception())
        if self._line is not None:
            self._say(words, reply)
        reply(None)

    def _say(self, words: Words, reply: Reply) -> None:
        assert self._line is not None
        reply(self._line.sends.packed(refusal_answer(words, 503).get_data()))


def talk(app: Flask, is_tls: bool) -> HubTalk | None:
    """A new line's other end; None where it must be secured, and is not."""
    if app.config.get("TABLE_TLS") and not is_tls:
        return None
    return HubTalk(app.extensions["door"], app.extensions["hub_key"], app.extensions["base"])


def _read(content: bytes) -> Batch | WireError:
    try:
        return read_batch(content)
    except WireError as error:
        return error
