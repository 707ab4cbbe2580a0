"""A table sends its club what it asked for of a hand, piece by piece, each signed.

That is the hand's file for the desk, or the picture of a won hand.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table_assist.club.calling import CallError, HubLine
from table_assist.club.export_policy import whole_hands
from table_assist.club.order_handler import Done
from table_assist.club.orders import Order, OrderKind
from table_assist.club.win_photo import shown, why_not
from table_assist.contract.evidence import Evidence
from table_assist.contract.snapshot import Snapshot
from table_assist.evidence.dispute.hand import hands_of
from table_assist.record.log import Entry
from table_assist.trust.installation import InstallationKey, signer_of

FILE = "club file"  # what the signatures are for
SENT = {OrderKind.DISPUTE: 20_000_000, OrderKind.PICTURE: 600_000}  # how many bytes at most
PIECE = 45_000  # of one request, so that a server takes it from strangers

# The file of a hand: of these entries, with its pictures or without.
Pack = Callable[[Sequence[Entry], int, bool], bytes]
Seen = Callable[[str], Evidence | None]  # a kept picture, by its id


@dataclass(frozen=True, slots=True)
class Packed:
    """A file as it is sent.

    Attributes:
        said: of it in the answer to the order, beside digest and size.
    """

    content: bytes
    said: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """By which it is known."""
        return hashlib.sha256(self.content).hexdigest()


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
            return self._pictured(free, order.content.get("entry"))
        if self._pack is None:
            return Done("this table sends no files")
        whole = Packed(self._pack(free, hand, True), {"pictures": True})
        if len(whole.content) <= SENT[order.kind]:
            return whole
        return Packed(self._pack(free, hand, False), {"pictures": False})

    def _pictured(self, free: Sequence[Entry], seq: object) -> Packed | Done:
        if self._seen is None:
            return Done("the table's owner lets the club have no pictures")
        if type(seq) is not int:
            return Done("the order names no entry")
        evidence = self._seen(f"e{seq}")
        refused = why_not(free, seq, evidence)
        if refused or evidence is None:
            return Done(refused)
        given = shown(evidence, getattr(free[seq - 1].event, "seat", 0))
        said = {"jpeg": given.jpeg, "readings": given.readings, "turns": given.turns}
        return Packed(given.content, said)

    def _send(self, order: str, packed: Packed) -> None:
        size, have = len(packed.content), 0
        while have < size:
            head = {"order": order, "digest": packed.digest, "size": size, "at": have}
            body = json.dumps(head).encode() + b"\n" + packed.content[have : have + PIECE]
            signature, got = self._line.ask("/api/uplink/file", body, self._key.sign(FILE, body))
            if signer_of(signature.encode(), FILE, got) != self._hub:
                raise CallError("the answer is not the club's", "应答不是来自俱乐部")
            before, have = have, int(json.loads(got)["have"])
            if have == before or not 0 <= have <= size:
                raise CallError("the club does not take the file", "俱乐部未接收文件")
