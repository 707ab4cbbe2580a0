"""The wire between a table and its hub: a batch up, an answer down, both signed; and the open line.

A batch is the table's log as it is published (docs/LOG.md): a first line that says what it is, then
a line an entry with its seal. The answer is one JSON object. Each travels with a signature by the
sender's key; an answer names the turn that it answers, so that an old one is not taken for it.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from table_assist.club.orders import Order, OrderKind
from table_assist.record.seal import PublishedError, published_row, read_row, seal_after
from table_assist.trust.installation import Coded, InstallationKey, Share, new_share, signer_of

MOST_LETTERS = 400

Kind = Callable[[Any], bool]


def is_spectacle(view: Mapping[str, Any]) -> bool:
    """Whether every field is known and of its kind; any may be missing."""
    return all(name in FIELDS and FIELDS[name](value) for name, value in view.items())


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MOST_LETTERS


def _whole(value: Any) -> bool:
    return type(value) is int and abs(value) <= WIRE_MOST_NUMBER


def _moment(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= WIRE_MOST_NUMBER


def _four(kind: Kind) -> Kind:
    return lambda value: isinstance(value, list) and len(value) == 4 and all(map(kind, value))


def _maybe(kind: Kind) -> Kind:
    return lambda value: value is None or kind(value)


def _record(**kinds: Kind) -> Kind:
    def fits(value: Any) -> bool:
        return isinstance(value, dict) and all(
            name in kinds and kinds[name](each) for name, each in value.items()
        )

    return fits


_words = _record(en=_text, zh=_text)
FIELDS: dict[str, Kind] = {
    "hand": _whole,
    "phase": _text,
    "headline": _words,
    "names": _four(_text),
    "scores": _four(_whole),
    "dealer": _maybe(_whole),
    "wall": _maybe(_whole),
    "rules": _words,
    "profile": _text,  # of the last hand: a hash
    "house": _text,  # by which the next hand is played
    "questions": _whole,
    "behind": _whole,  # entries of its log that may leave and are not here yet
    "call": _maybe(_record(key=_text, reason=_text, seat=_whole)),
    "pictures": lambda value: value is True,  # the club may ask for those of won hands
    "made": _moment,  # by the table's clock
}


UP, DOWN, JOIN = "club batch", "club answer", "club join"  # what a signature is for
SIGNATURE_HEADER = "Table-Assist-Signature"
LINE_FORMAT, LINE_VERSION = "table-assist club", 1
MOST_BATCH_BYTES, MOST_ROWS = 60_000, 500  # of a batch, as every hub takes it
ROOMY_BYTES, ROOMY_ROWS = 300_000, 2_000  # as this hub takes it: a long log comes back sooner
MOST_VIEW = 8_000  # bytes of what spectators may see
WIRE_MOST_NUMBER = (1 << 53) - 1
_EPOCH = re.compile(r"[0-9a-f]{32}")
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_ORDER_KINDS = frozenset(OrderKind)  # what a newer hub orders beside is left alone

Row = tuple[str, str]  # seal, line


class WireError(ValueError):
    """The bytes are no batch or answer; the message is one sentence."""


class HubReply(StrEnum):
    """The hub's reply to a batch."""

    KEPT = "kept"
    GAP = "gap"  # what comes before it is missing: go on after `have`
    TURN = "turn"  # it is older than what came before: a repetition
    CONFLICT = "conflict"  # another entry has this number already
    OLD = "old"  # this log was left for a newer one
    OUT = "out"  # the hub does not know this table, or no longer


@dataclass(frozen=True, slots=True)
class Batch:
    """Entries of one log in their order, and what may be seen of the table now."""

    epoch: str  # of the log, 32 hexadecimal letters
    turn: int  # grows with every batch of a table; an earlier one is a repetition
    after: int  # the number of the entry before the first row
    rows: tuple[Row, ...] = ()  # (seal, line) of each
    # what spectators may see, made at the table; None for no change
    view: Mapping[str, Any] | None = None

    @property
    def last(self) -> int:
        """The number of the last row."""
        return self.after + len(self.rows)


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """The hub's stock, and its wish."""

    said: HubReply
    turn: int
    have: int = 0  # the highest number up to which it holds the log without a gap, committed
    seal: str = ""  # of that entry; empty for none
    # commands that the table has not taken yet, oldest first
    orders: tuple[Order, ...] = field(default=())
    room: int = ROOMY_BYTES  # bytes that its next batch may have
    line: bool = True  # whether the hub takes an open line, too


def batch_bytes(batch: Batch) -> bytes:
    """The bytes to be sent."""
    header: dict[str, Any] = {
        "format": LINE_FORMAT, "version": LINE_VERSION, "epoch": batch.epoch, "turn": batch.turn,
        "after": batch.after,
    }  # fmt: skip
    if batch.view is not None:
        header["view"] = batch.view
    rows = (published_row(seal, line) for seal, line in batch.rows)
    return "\n".join((_json(header), *rows)).encode()


def read_batch(body: bytes) -> Batch:
    """The batch, its seals checked among themselves from the second row on.

    Raises:
        WireError: it is none.
    """
    try:
        header, *rows = body.decode().split("\n")
        row = json.loads(header)
    except (ValueError, RecursionError) as error:
        raise WireError(f"the batch cannot be read: {error}") from error
    if not isinstance(row, dict) or row.get("format") != LINE_FORMAT:
        raise WireError(f"the first line is not of {LINE_FORMAT!r}")
    if row.get("version") != LINE_VERSION:
        spoken = str(row.get("version"))[:20]
        raise WireError(
            f"the table speaks version {spoken} of the wire, this hub version {LINE_VERSION}"
        )
    epoch, view = row.get("epoch"), row.get("view")
    if not isinstance(epoch, str) or not _EPOCH.fullmatch(epoch):
        raise WireError("the epoch is not 32 hexadecimal letters")
    if view is not None and not _is_view(view):
        raise WireError(f"the view is none of up to {MOST_VIEW} bytes with known fields")
    if len(rows) > ROOMY_ROWS:
        raise WireError(f"a batch has up to {ROOMY_ROWS} entries, not {len(rows)}")
    after = _number(row, "after")
    return Batch(epoch, _number(row, "turn"), after, tuple(_rows(rows, after)), view)


def fits(rows: Iterable[Row], before: str) -> bool:
    """Whether the first row's seal follows from the seal before it; with none, it does."""
    return all(seal == seal_after(before, line) for seal, line in list(rows)[:1])


def answer_bytes(answer: BatchAnswer) -> bytes:
    """The bytes to be sent back."""
    return _json(asdict(answer)).encode()


def read_answer(body: bytes) -> BatchAnswer:
    """The answer.

    Raises:
        WireError: it is none.
    """
    try:
        row = json.loads(body)
        orders = tuple(Order.of_row(each) for each in row["orders"] if each["kind"] in _ORDER_KINDS)
        said, seal = HubReply(row["said"]), str(row["seal"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WireError(f"the answer cannot be read: {error!r}") from error
    room = _number({"room": MOST_BATCH_BYTES} | row, "room")  # earlier hubs do not say it
    room = min(max(room, MOST_BATCH_BYTES), ROOMY_BYTES)
    turn, have = _number(row, "turn"), _number(row, "have")
    return BatchAnswer(said, turn, have, seal, orders, room, row.get("line") is True)


def rows_in(room: int) -> int:
    """How many rows a batch may have, where it may have so many bytes."""
    return MOST_ROWS if room <= MOST_BATCH_BYTES else ROOMY_ROWS


def _rows(lines: list[str], after: int) -> Iterable[Row]:
    before = ""
    for number, line in enumerate(lines, start=after + 1):
        try:
            seal, text, _ = read_row(line, number - after + 1, number)
        except (PublishedError, RecursionError) as error:
            raise WireError(str(error)) from error
        if before and seal != seal_after(before, text):
            raise WireError(f"the seal of entry {number} does not fit the one before it")
        before = seal
        yield seal, text


def _is_view(view: object) -> bool:
    try:  # half characters and NaN can be read as JSON, and not be written
        return (
            isinstance(view, dict) and len(_json(view).encode()) <= MOST_VIEW and is_spectacle(view)
        )
    except (ValueError, RecursionError):
        return False


def _number(row: Mapping[str, Any], name: str) -> int:
    value = row.get(name)
    if type(value) is not int or not 0 <= value <= WIRE_MOST_NUMBER:
        raise WireError(f"{name} is no number from 0 to {WIRE_MOST_NUMBER}")
    return value


PATH = "/api/uplink/line"
# What signatures are for
HELLO_PURPOSE, WELCOME_PURPOSE, LINE_PURPOSE = "club hello", "club welcome", "club line"
MOST_HELLO = 1_000  # bytes
# A table opens its line anew: the hub's clock and the nearest hub may be others
LINE_LASTS_S = 600.0


@dataclass(frozen=True, slots=True)
class SecuredLine:
    """An open line."""

    other: str  # the public key of the other side
    sends: Coded
    takes: Coded


@dataclass(frozen=True, slots=True)
class Calling:
    """A table's half of the beginning.

    Args:
        key: the table's.
        hub: the hub's public key.
    """

    key: InstallationKey
    hub: str
    share: Share

    def hello(self) -> bytes:
        """The first message."""
        body = {"version": LINE_VERSION, "hub": self.hub, "share": self.share.public}
        return _with_signature(self.key, HELLO_PURPOSE, body)

    def heard(self, welcome: bytes) -> SecuredLine:
        """The line, after the hub's welcome.

        Raises:
            WireError: it is not this hub's welcome to this table's hello.
        """
        who, body, row = _read_signed(welcome, WELCOME_PURPOSE)
        if (who, row.get("table"), row.get("to")) != (self.hub, self.key.public, self.share.public):
            raise WireError("the welcome is not the club's")
        up, down = _agreed(self.share, row, body)
        return SecuredLine(who, Coded(up), Coded(down))


def call(key: InstallationKey, hub: str) -> Calling:
    """Begin a line to a hub."""
    return Calling(key, hub, new_share())


def take_call(
    key: InstallationKey, hello: bytes, share: Share | None = None
) -> tuple[bytes, SecuredLine]:
    """The hub's welcome, and the line.

    Args:
        key: the hub's.
        share: None for a new one.

    Raises:
        WireError: it is no hello to this hub.
    """
    who, _, row = _read_signed(hello, HELLO_PURPOSE)
    if row.get("hub") != key.public or row.get("version") != LINE_VERSION:
        raise WireError(f"the hello is not to this hub in version {LINE_VERSION} of the wire")
    share = share or new_share()
    said = {"table": who, "to": row.get("share"), "share": share.public}
    welcome = _with_signature(key, WELCOME_PURPOSE, said)
    up, down = _agreed(share, row, welcome.split(b"\n", 1)[1])
    return welcome, SecuredLine(who, Coded(down), Coded(up))


def _agreed(share: Share, row: dict[str, Any], welcome: bytes) -> tuple[bytes, bytes]:
    try:
        return share.agreed(
            str(row.get("share")), f"table-assist {LINE_PURPOSE}\n".encode() + welcome
        )
    except ValueError as error:
        raise WireError("the share of the line is none") from error


def _with_signature(key: InstallationKey, purpose: str, row: dict[str, Any]) -> bytes:
    body = json.dumps(row, separators=(",", ":")).encode()
    return key.sign(purpose, body) + b"\n" + body


def _read_signed(message: bytes, purpose: str) -> tuple[str, bytes, dict[str, Any]]:
    """The signer, the body, and its content."""
    signature, _, body = message.partition(b"\n")
    who = signer_of(signature, purpose, body) if len(message) <= MOST_HELLO else ""
    try:
        row = json.loads(body) if who else None
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise WireError("the line does not begin with a signed message")
    return who, body, row
