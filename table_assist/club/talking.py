"""The table's end of an open line: opened where the hub takes one, and anew now and then."""

import secrets
import socket
import time
from contextlib import suppress
from http.client import HTTPException

from table_assist.club.calling import MOST_BYTES, CallError, HubLine, refusal
from table_assist.club.frames import FrameError, FrameKind, Frames, frame
from table_assist.club.open_line import LASTS_S, PATH, SecuredLine, call
from table_assist.club.wire import WireError
from table_assist.trust.installation import InstallationKey

SOONEST_S, LATEST_S = 20.0, 3600.0  # until a line is tried again, where a proxy gives none


class Talking:
    """Says batches over an open line; one thread at a time.

    Args:
        line: by which the hub is called.
        key: of the table.
        hub: the hub's public key.
    """

    def __init__(self, line: HubLine, key: InstallationKey, hub: str) -> None:
        self._line, self._key, self._hub = line, key, hub
        self._socket: socket.socket | None = None
        self._secured: SecuredLine | None = None
        self._frames = Frames(MOST_BYTES, of_client=False)
        self._until = self._again_at = 0.0
        self._delay_s = SOONEST_S

    def ask(self, body: bytes) -> bytes | None:
        """The answer to a batch; None where there is no line now: a request may do.

        Raises:
            CallError: the hub does not answer over its line, or not as the club.
        """
        now = time.monotonic()
        if self._secured is None and now < self._again_at:
            return None
        try:
            if self._secured is None or now > self._until:
                self._secured = self._opened(now)
            if self._secured is None:
                return None
            got = self._secured.takes.opened(self._said(self._secured.sends.packed(body)))
        except (OSError, EOFError, FrameError) as error:
            self.close()
            raise CallError(
                "the club does not answer: {error}", "俱乐部没有应答：{error}", error=error
            ) from error
        if got is None or got.startswith(b'{"error"'):
            self.close()
            if got is not None:
                raise refusal(503, got)
            raise CallError("the answer is not the club's", "应答不是来自俱乐部")
        return got

    def close(self) -> None:
        """Hang up; the next batch opens another line."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.close()
        self._socket = self._secured = None

    def _opened(self, now: float) -> SecuredLine | None:
        self.close()
        try:
            self._socket = self._line.upgraded(PATH)
        except (OSError, HTTPException):
            self._socket = None
        if self._socket is None:
            self._again_at = now + self._delay_s
            self._delay_s = min(2 * self._delay_s, LATEST_S)
            return None
        self._frames = Frames(MOST_BYTES, of_client=False)
        calling = call(self._key, self._hub)
        try:
            secured = calling.heard(self._said(calling.hello()))
        except WireError as error:
            self.close()
            raise CallError("the answer is not the club's", "应答不是来自俱乐部") from error
        self._until, self._delay_s = now + LASTS_S, SOONEST_S
        return secured

    def _said(self, message: bytes) -> bytes:
        """Send a message; the next one that comes."""
        assert self._socket is not None
        self._socket.sendall(frame(message, mask=secrets.token_bytes(4)))
        while True:
            while (found := self._frames.next()) is None:
                part = self._socket.recv(1 << 16)
                if not part:
                    raise EOFError("it hangs up")
                self._frames.feed(part)
            kind, content = found
            if kind is FrameKind.CLOSE:
                raise EOFError("it hangs up")
            if kind is FrameKind.PING:
                self._socket.sendall(frame(content, FrameKind.PONG, secrets.token_bytes(4)))
            elif kind is not FrameKind.PONG:
                return content
