"""What may leave a table for its club: entries that tell no secret, files and pictures of hands.

The log goes up without gaps, so an entry that has to wait holds up all after it. What spectators
may see meanwhile is made at the table from the masked snapshot. Of a won hand's picture goes the
part that shows the hand and its melds, if the log vouches for it: the whole shows people, and the
hands of others.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table_assist.club.calling import CallError, HubLine
from table_assist.club.orders import Done, Order, OrderKind
from table_assist.game.events import (
    Agreed,
    Attested,
    BoardSaid,
    ClockSet,
    End,
    HandShown,
    HandStarted,
    KongDeclared,
    OpenPlay,
    OwnWord,
    PlayerNamed,
    Preparation,
    Questioning,
    Settled,
    TilesExchanged,
    WinRefused,
)
from table_assist.record.dispute.file import hands_of
from table_assist.record.evidence import Evidence, digest_of_hashes
from table_assist.record.log import Amended, Entry, Inserted, Logged, Retracted, effective
from table_assist.record.snapshot import Snapshot, face_down, has_secret
from table_assist.tiles.melds import MeldKind
from table_assist.trust.installation import InstallationKey, signer_of

# Events on the open table, or without any tile. An event that is not named here waits.
_OPEN = (
    Preparation | OpenPlay | TilesExchanged | OwnWord
    | Attested | PlayerNamed | ClockSet | Retracted
)  # fmt: skip
# Questions and answers could tell a treasure, where the rules have one.
_OPEN_WITHOUT_TREASURE = Agreed | Questioning | HandShown | WinRefused | BoardSaid


def free_until(snapshot: Snapshot, entries: Sequence[Entry]) -> int:
    """The number of the last entry that may leave.

    Args:
        entries: all of the log, in their order.
    """
    treasure = snapshot.rules.treasure is not None
    free = whole_hands(snapshot, entries)
    for entry in entries[free : snapshot.seq]:
        if not _is_open(entry.event, treasure=treasure):
            break
        free = entry.seq
    return free


def whole_hands(snapshot: Snapshot, entries: Sequence[Entry]) -> int:
    """The number of the last entry before the hand that is played, or that holds a secret still."""
    if not (snapshot.state.is_running or has_secret(snapshot)):
        return min(snapshot.seq, len(entries))
    for entry in entries:  # before the first start of this hand, or of a later one
        event = entry.event.event if isinstance(entry.event, Inserted) else entry.event
        if isinstance(event, HandStarted) and event.hand >= snapshot.state.hand:
            return entry.seq - 1
    return 0


def _is_open(event: Logged, *, treasure: bool) -> bool:
    match event:
        case Amended(_, inner) | Inserted(_, inner):
            return _is_open(inner, treasure=treasure)
        case KongDeclared():
            return event.kind is not MeldKind.KONG_CONCEALED
        case _ if face_down(event) is not event:
            return False
        case _ if isinstance(event, _OPEN):
            return True
        case _:
            return not treasure and isinstance(event, _OPEN_WITHOUT_TREASURE)


PICTURE_KIND = "picture"  # of the `Attested` that vouches
OUTWARD = ((0, -1), (1, 0), (0, 1), (-1, 0))  # by seat, on the table: x and y


@dataclass(frozen=True, slots=True)
class Shown:
    """A part of a picture, and what its digest in the log is made of beside it.

    Attributes:
        jpeg, readings: the sha256 of the whole picture and of its readings.
        turns: by so many quarters clockwise whose hand it is sits below.
    """

    content: bytes
    jpeg: str
    readings: str
    turns: int = 0

    @property
    def digest(self) -> str:
        """As the log vouches for it."""
        return digest_of_hashes(self.jpeg, self.readings, _sha256(self.content))


def shown(evidence: Evidence, seat: int) -> Shown:
    """The parts of a kept picture that may be shown, of the hand at a seat."""
    jpeg, readings = _sha256(evidence.jpeg), _sha256(evidence.readings.encode())
    return Shown(evidence.crop, jpeg, readings, turns_of(evidence.readings, seat))


def why_no_picture(entries: Sequence[Entry], seq: int, evidence: Evidence | None) -> str:
    """Why the picture of this entry is not given; empty where it may be.

    Args:
        entries: of hands that are over.
    """
    if not is_won(entries, seq):
        return f"entry {seq} shows no hand that was won"
    if evidence is None or not evidence.crop:
        return f"no picture of entry {seq} shows the hand by itself"
    if evidence.digest != vouched_for(entries, seq):
        return f"the log does not vouch for the picture of entry {seq}"
    return ""


def is_won(entries: Sequence[Entry], seq: int) -> bool:
    """Whether this entry laid a hand open that won then."""
    seat: int | None = None
    for number, event in effective(entries):
        if number == seq and isinstance(event, HandShown):
            seat = event.seat
        elif seat is not None and isinstance(event, End):
            return isinstance(event, Settled) and seat in event.winners
    return False


def turns_of(readings: str, seat: int) -> int:
    """How a picture is turned so that a seat's side of the table is below; 0 where that is unknown.

    Where in the picture tiles were read, and where on the table, tells how the camera hangs.
    """
    rows = [row for row in json.loads(readings).get("tiles", []) if "px" in row]
    xs, ys = _apart([row["x_mm"] for row in rows]), _apart([row["y_mm"] for row in rows])
    x_x, x_y, y_y = _sum(xs, xs), _sum(xs, ys), _sum(ys, ys)
    spread = x_x * y_y - x_y * x_y
    if spread <= 0:
        return 0
    toward_x, toward_y = OUTWARD[seat]

    def goes(axis: int) -> float:
        """How the picture's axis goes with the way to the seat, by least squares."""
        places = _apart([row["px"][axis] for row in rows])
        with_x, with_y = _sum(places, xs), _sum(places, ys)
        by_x, by_y = with_x * y_y - with_y * x_y, with_y * x_x - with_x * x_y
        return (by_x * toward_x + by_y * toward_y) / spread

    right, down = goes(0), goes(1)
    if abs(down) >= abs(right):
        return 0 if down >= 0 else 2
    return 1 if right > 0 else 3


def _apart(values: Sequence[float]) -> list[float]:
    middle = sum(values) / len(values) if values else 0.0
    return [each - middle for each in values]


def _sum(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def vouched_for(entries: Sequence[Entry], seq: int) -> str:
    """The digest by which a log knows the picture of an entry; empty for none."""
    for entry in reversed(entries):
        event = entry.event
        if (
            isinstance(event, Attested)
            and event.kind == PICTURE_KIND
            and event.fields[:1] == (str(seq),)
        ):
            return event.fields[1] if len(event.fields) == 2 else ""
    return ""


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


FILE_PURPOSE = "club file"  # what the signatures are for
SENT = {OrderKind.DISPUTE: 20_000_000, OrderKind.PICTURE: 600_000}  # how many bytes at most
PIECE_BYTES = 45_000  # of one request, so that a server takes it from strangers

# The file of a hand: of these entries, with its pictures or without.
Pack = Callable[[Sequence[Entry], int, bool], bytes]
Seen = Callable[[str], Evidence | None]  # a kept picture, by its id


@dataclass(frozen=True, slots=True)
class Packed:
    """A file as it is sent."""

    content: bytes
    said: Mapping[str, Any]  # of it in the answer to the order, beside digest and size

    @property
    def digest(self) -> str:
        """By which it is known."""
        return _sha256(self.content)


class Sending:
    """Packs once what is asked for, and sends it; one thread at a time.

    Args:
        pack: makes a file; None for a table that sends none.
        seen: finds a kept picture; None where the table's owner lets the club have none.
    """

    def __init__(
        self,
        pack: Pack | None,
        line: HubLine,
        key: InstallationKey,
        hub: str,
        *,
        seen: Seen | None = None,
    ) -> None:
        self._pack, self._line, self._key, self._hub = pack, line, key, hub
        self._seen = seen
        self._ready: tuple[str, Packed] | None = None  # by the order's key

    def obeyed(self, order: Order, snapshot: Snapshot, entries: Sequence[Entry]) -> Done | None:
        """Send what an order asks for; None: the hand is played still.

        Raises:
            CallError: the club is not reached; what it has of the file stays there.
        """
        hand = order.content.get("hand")
        free = entries[: whole_hands(snapshot, entries)]
        if type(hand) is not int or hand not in hands_of(entries):
            return Done(f"there is no hand {hand}")
        if hand not in hands_of(free):
            return None
        if self._ready is None or self._ready[0] != order.key:
            packed = self._packed(order, free, hand)
            if isinstance(packed, Done):
                return packed
            self._ready = order.key, packed
        packed = self._ready[1]
        size, most = len(packed.content), SENT[order.kind]
        if size > most:
            return Done(f"the file has {size:,} bytes, more than {most:,}")
        self._send(order.key, packed)
        self._ready = None
        return Done(answer={"digest": packed.digest, "size": size, **packed.said})

    def _packed(self, order: Order, free: Sequence[Entry], hand: int) -> Packed | Done:
        if order.kind is OrderKind.PICTURE:
            seq = order.content.get("entry")
            if self._seen is None:
                return Done("the table's owner lets the club have no pictures")
            if type(seq) is not int:
                return Done("the order names no entry")
            evidence = self._seen(f"e{seq}")
            refused = why_no_picture(free, seq, evidence)
            if refused or evidence is None:
                return Done(refused)
            given = shown(evidence, getattr(free[seq - 1].event, "seat", 0))
            said = {"jpeg": given.jpeg, "readings": given.readings, "turns": given.turns}
            return Packed(given.content, said)
        if self._pack is None:
            return Done("this table sends no files")
        whole = Packed(self._pack(free, hand, True), {"pictures": True})
        if len(whole.content) <= SENT[order.kind]:
            return whole
        return Packed(self._pack(free, hand, False), {"pictures": False})

    def _send(self, order: str, packed: Packed) -> None:
        size, have = len(packed.content), 0
        while have < size:
            head = {"order": order, "digest": packed.digest, "size": size, "at": have}
            body = json.dumps(head).encode() + b"\n" + packed.content[have : have + PIECE_BYTES]
            signature, got = self._line.ask(
                "/api/uplink/file", body, self._key.sign(FILE_PURPOSE, body)
            )
            if signer_of(signature.encode(), FILE_PURPOSE, got) != self._hub:
                raise CallError("the answer is not the club's", "应答不是来自俱乐部")
            before, have = have, int(json.loads(got)["have"])
            if have == before or not 0 <= have <= size:
                raise CallError("the club does not take the file", "俱乐部未接收文件")
