"""The table calls its hub: one request after the other over one connection that is kept.

A request may become an open line (WebSocket): its connection is given away, the next takes another.
"""

import base64
import http.client
import json
import secrets
import socket
import ssl
import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from table_assist.club.frames import accept_of
from table_assist.club.wire import SIGNATURE
from table_assist.languages.words import SaidError, Words

WAIT_S = 10.0
MOST_BYTES = 200_000  # of an answer
MOST_SAID = 200  # letters of a refusal


class CallError(SaidError):
    """The hub cannot be reached, or what it says is not its own."""


class HubLine:
    """A connection to a hub; one thread at a time.

    Attributes:
        ahead_s: by how much the hub's clock is ahead of this machine's; None: not known yet.

    Args:
        hub: its address.
        authority: certificates (PEM) to trust; empty for the system's own; None: look at none,
            for a first call, whose content people then compare.
    """

    ahead_s: float | None = None

    def __init__(self, hub: str, authority: str | None = "", *, wait_s: float = WAIT_S) -> None:
        parts = urlsplit(hub)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise CallError(
                "a club's address begins with https:// or http://, not {hub}",
                "俱乐部地址须以 https:// 或 http:// 开头，而不是 {hub}",
                hub=f"{hub!r}",
            )
        self._hub, self._path = hub, parts.path.rstrip("/")
        if parts.scheme == "http":
            self._line = http.client.HTTPConnection(parts.hostname, parts.port, timeout=wait_s)
            return
        context = ssl.create_default_context(cadata=authority or None)
        if authority is None:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._line = http.client.HTTPSConnection(
            parts.hostname, parts.port, timeout=wait_s, context=context
        )

    def ask(
        self, path: str, body: bytes | None = None, signature: bytes = b""
    ) -> tuple[str, bytes]:
        """The signature and the body of the answer.

        Raises:
            CallError: there is none.
        """
        headers = {"Content-Type": "application/jsonl", SIGNATURE: signature.decode()}
        try:
            self._line.request("GET" if body is None else "POST", self._path + path, body, headers)
            answer = self._line.getresponse()
            got = answer.read(MOST_BYTES)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            said = str(error) or type(error).__name__
            raise CallError(
                "the club does not answer: {said}", "俱乐部没有应答：{said}", said=said
            ) from error
        if answer.status != 200:
            self.close()
            raise refusal(answer.status, got)
        self._note_time(answer.getheader("Date", ""))
        return answer.getheader(SIGNATURE, ""), got

    def upgraded(self, path: str) -> socket.socket | None:
        """A connection over which WebSocket's messages go; None where no server gives one.

        Raises:
            OSError, http.client.HTTPException: it does not answer.
        """
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        headers = {
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": key,
        }  # fmt: skip
        self.close()
        try:
            self._line.request("GET", self._path + path, headers=headers)
            answer = self._line.getresponse()
            if answer.status != 101 or answer.getheader("Sec-WebSocket-Accept") != accept_of(key):
                return None
            answer.read()
            self._note_time(answer.getheader("Date", ""))
            given: socket.socket
            given, self._line.sock = self._line.sock, None
            return given
        finally:
            self.close()

    def _note_time(self, date: str) -> None:
        with suppress(ValueError, TypeError):
            self.ahead_s = parsedate_to_datetime(date).timestamp() - time.time()

    def close(self) -> None:
        """End the connection; the next call opens another."""
        self._line.close()


def refusal(status: int, body: bytes) -> CallError:
    """Why the hub says no, in the words that it says it with."""
    try:
        said = json.loads(body)["error"]
        en, zh = str(said["en"])[:MOST_SAID], str(said["zh"])[:MOST_SAID]
    except (ValueError, KeyError, TypeError, RecursionError):
        en = zh = body[:MOST_SAID].decode(errors="replace")
    return CallError(
        "the club refuses ({status}): {rstrip}",
        "俱乐部拒绝（{status}）：{rstrip}",
        status=status,
        rstrip=Words(en.rstrip("."), zh.rstrip("。")),
    )
