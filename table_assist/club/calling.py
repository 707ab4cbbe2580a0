"""The table calls its hub: whose it is, requests over one kept connection, and an open line."""

import base64
import hashlib
import http.client
import json
import secrets
import ssl
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from table_assist.club.wire import (
    JOIN,
    LINE_LASTS_S,
    LINE_VERSION,
    PATH,
    SIGNATURE_HEADER,
    SecuredLine,
    WireError,
    call,
)
from table_assist.languages.words import SaidError, Words
from table_assist.record.private import write_whole
from table_assist.trust.installation import InstallationKey, signer_of

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

CODE_LETTERS = 10  # of the code that people compare: 50 bits


class MembershipError(SaidError):
    """The file cannot be used."""


@dataclass(frozen=True, slots=True)
class Membership:
    """The table's knowledge of its club."""

    hub: str  # the address, as ``https://club.example:8443/``
    key: str  # the hub's public key
    authority: str = ""  # certificates (PEM) to trust for that address; empty for the system's own
    salt: str = ""  # of the code that the table's page shows until the club has let it in
    is_in: bool = False  # the club has let it in
    epoch: str = ""  # of the log, 32 hexadecimal letters
    have: int = 0  # so many entries the hub holds; the last one's seal is `seal`
    seal: str = ""
    ticket: str = ""  # with which the hub let it in, signed (`club.admission`)

    def anew(self) -> "Membership":
        """The log begins again, in a new epoch."""
        return replace(self, epoch=secrets.token_hex(16), have=0, seal="")

    def code(self, table: str) -> str:
        """The code that the table of this public key shows until it is let in."""
        return code_of(self.key, self.authority, table, self.salt)


def code_of(hub: str, authority: str, table: str, salt: str) -> str:
    """The code that the director types from the table: it holds both keys, nobody stands between.

    >>> code_of("aa", "", "bb", "cc")
    'UE6O5-WPMFS'
    """
    text = "\n".join(("table-assist club", hub, authority, table, salt))
    letters = base64.b32encode(hashlib.sha256(text.encode()).digest()).decode()[:CODE_LETTERS]
    return f"{letters[:5]}-{letters[5:]}"


class MembershipFile:
    """Keeps it; one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Membership | None:
        """The kept membership; None for a table without a club.

        Raises:
            MembershipError: it cannot be read.
        """
        if not self.path.exists():
            return None
        try:
            row: dict[str, Any] = json.loads(self.path.read_text("utf-8"))
            return Membership(**row)
        except (OSError, ValueError, TypeError) as error:
            raise MembershipError.told("unread", path=self.path, error=error) from error

    def write(self, membership: Membership) -> None:
        """Keep it for its owner alone, over a power cut.

        Raises:
            MembershipError: it cannot be written.
        """
        try:
            write_whole(self.path, json.dumps(asdict(membership)))
        except OSError as error:
            raise MembershipError.told("unwritten", path=self.path, error=error) from error

    def forget(self) -> None:
        """The table belongs to no club any more."""
        self.path.unlink(missing_ok=True)


ANSWER_WAIT_S = 10.0
MOST_ANSWER_BYTES = 200_000  # of an answer
MOST_SAID = 200  # letters of a refusal


class CallError(SaidError):
    """The hub cannot be reached, or what it says is not its own."""


class HubLine:
    """A connection to a hub; one thread at a time.

    Args:
        hub: its address.
        authority: certificates (PEM) to trust; empty for the system's own; None: look at none,
            for a first call, whose content people then compare.
    """

    # by how much the hub's clock is ahead of this machine's; None: not known yet
    ahead_s: float | None = None

    def __init__(
        self, hub: str, authority: str | None = "", *, wait_s: float = ANSWER_WAIT_S
    ) -> None:
        parts = urlsplit(hub)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise CallError.told("no_address", hub=f"{hub!r}")
        self._place, self._path = parts.netloc, parts.path.rstrip("/")
        self._wait_s = wait_s
        self._context: ssl.SSLContext | None = None
        if parts.scheme == "http":
            self._line = http.client.HTTPConnection(parts.hostname, parts.port, timeout=wait_s)
            return
        self._context = ssl.create_default_context(cadata=authority or None)
        if authority is None:
            self._context.check_hostname, self._context.verify_mode = False, ssl.CERT_NONE
        self._line = http.client.HTTPSConnection(
            parts.hostname, parts.port, timeout=wait_s, context=self._context
        )

    def ask(
        self, path: str, body: bytes | None = None, signature: bytes = b""
    ) -> tuple[str, bytes]:
        """The signature and the body of the answer.

        Raises:
            CallError: there is none.
        """
        headers = {"Content-Type": "application/jsonl", SIGNATURE_HEADER: signature.decode()}
        try:
            self._line.request("GET" if body is None else "POST", self._path + path, body, headers)
            answer = self._line.getresponse()
            got = answer.read(MOST_ANSWER_BYTES)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise CallError.told("no_answer", said=str(error) or type(error).__name__) from error
        if answer.status != 200:
            self.close()
            raise refusal(answer.status, got)
        self._note_time(answer.getheader("Date", ""))
        return answer.getheader(SIGNATURE_HEADER, ""), got

    def upgraded(self, path: str) -> "ClientConnection | None":
        """An open line (WebSocket); None where no server gives one."""
        from websockets.exceptions import WebSocketException  # who has no club waits for neither
        from websockets.sync.client import connect

        scheme = "ws" if self._context is None else "wss"
        try:
            line = connect(
                f"{scheme}://{self._place}{self._path}{path}", ssl=self._context,
                open_timeout=self._wait_s, close_timeout=1, ping_interval=None, compression=None,
                max_size=MOST_ANSWER_BYTES, proxy=None,
            )  # fmt: skip
        except (OSError, WebSocketException):
            return None
        self._note_time(line.response.headers.get("Date", "") if line.response else "")
        return line

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
    return CallError.told("refuses", status=status, rstrip=Words(en.rstrip("."), zh.rstrip("。")))


@dataclass(frozen=True, slots=True)
class Admission:
    """A table was let in."""

    code: str  # with which it was
    name: str  # what the director called it
    table: str  # its public key

    def answer(self) -> bytes:
        """The hub's answer, signed."""
        return json.dumps({"in": self.code, "name": self.name, "table": self.table}).encode()


def join(hub: str) -> Membership:
    """Ask a hub who it is; the membership waits for the director to type its code.

    Raises:
        CallError: there is no hub.
    """
    line = HubLine(hub, None)
    try:
        _, got = line.ask("/api/uplink/key")
        row = json.loads(got)
        public, authority = str(row["key"]), str(row["authority"])
        versions = list(row.get("versions", [LINE_VERSION]))
    except (ValueError, KeyError, TypeError) as error:
        raise CallError("there is no club at {hub}", "{hub} 上没有俱乐部", hub=hub) from error
    finally:
        line.close()
    if LINE_VERSION not in versions:
        raise CallError.told("other_version", hub=hub, versions=versions, version=LINE_VERSION)
    return Membership(hub, public, authority, secrets.token_hex(8))


def asked_in(
    line: HubLine, key: InstallationKey, now: Membership, ticket: str = ""
) -> tuple[bool, str]:
    """Whether the hub says that this table is in, and what the table keeps of that.

    Args:
        key: of the table.
        ticket: of an earlier time, for a hub that does not know the table any more.

    Raises:
        CallError: the hub cannot be reached, or it is another.
    """
    body = json.dumps({"salt": now.salt, **({"ticket": ticket} if ticket else {})}).encode()
    signature, got = line.ask("/api/uplink/join", body, key.sign(JOIN, body))
    if signer_of(signature.encode(), JOIN, got) != now.key:
        raise CallError("the answer is not the club's", "应答不是来自俱乐部")
    new = json.dumps({"answer": got.decode(), "signature": signature})
    is_in = json.loads(got).get("in") == now.code(key.public)
    return is_in, new if admission_of(new, now.key, key.public) is not None else ""


def admission_of(ticket: object, hub: str, table: str) -> Admission | None:
    """Whom the hub of this key has let in; None where it was not this table."""
    try:
        kept: dict[str, Any] = json.loads(str(ticket))
        answer, signature = str(kept["answer"]), str(kept["signature"])
        row: dict[str, Any] = json.loads(answer)
        found = Admission(str(row["in"]), str(row["name"]), str(row["table"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    signer = signer_of(signature.encode(), JOIN, answer.encode())
    return found if signer == hub and found.table == table and found.code else None


# Until a line is tried again, where a proxy gives none
LINE_SOONEST_S, LINE_LATEST_S = 20.0, 3600.0


class Talking:
    """Says batches over an open line; one thread at a time.

    Args:
        line: by which the hub is called.
        key: of the table.
        hub: the hub's public key.
    """

    def __init__(self, line: HubLine, key: InstallationKey, hub: str) -> None:
        self._line, self._key, self._hub = line, key, hub
        self._open: ClientConnection | None = None
        self._secured: SecuredLine | None = None
        self._until = self._again_at = 0.0
        self._delay_s = LINE_SOONEST_S

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
        except (OSError, EOFError) as error:
            self.close()
            raise CallError.told("line_silent", error=error) from error
        if got is None or got.startswith(b'{"error"'):
            self.close()
            if got is not None:
                raise refusal(503, got)
            raise CallError("the answer is not the club's", "应答不是来自俱乐部")
        return got

    def close(self) -> None:
        """Hang up; the next batch opens another line."""
        if self._open is not None:
            self._open.close()
        self._open = self._secured = None

    def _opened(self, now: float) -> SecuredLine | None:
        self.close()
        self._open = self._line.upgraded(PATH)
        if self._open is None:
            self._again_at = now + self._delay_s
            self._delay_s = min(2 * self._delay_s, LINE_LATEST_S)
            return None
        calling = call(self._key, self._hub)
        try:
            secured = calling.heard(self._said(calling.hello()))
        except WireError as error:
            self.close()
            raise CallError("the answer is not the club's", "应答不是来自俱乐部") from error
        self._until, self._delay_s = now + LINE_LASTS_S, LINE_SOONEST_S
        return secured

    def _said(self, message: bytes) -> bytes:
        """Send a message; the next one that comes."""
        from websockets.exceptions import WebSocketException

        assert self._open is not None
        try:
            self._open.send(message)
            return self._open.recv(ANSWER_WAIT_S, decode=False)
        except WebSocketException as error:
            raise EOFError(str(error)) from error
