"""A table sends its club the file of a hand, piece by piece, each signed."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from table_assist.club.calling import CallError, Line
from table_assist.club.leaving import whole_hands
from table_assist.club.obeying import Done
from table_assist.club.told import Order
from table_assist.contract.snapshot import Snapshot
from table_assist.dispute.hand import hands_of
from table_assist.record.log import Entry
from table_assist.trust.installation import InstallationKey, signer_of

FILE = "club file"  # what the signatures are for
MOST_FILE = 20_000_000  # bytes
PIECE = 45_000  # of one request, so that a server takes it from strangers

# The file of a hand: of these entries, with its pictures or without.
Pack = Callable[[Sequence[Entry], int, bool], bytes]


@dataclass(frozen=True, slots=True)
class Packed:
    """A file as it is sent."""

    content: bytes
    pictures: bool

    @property
    def digest(self) -> str:
        """By which it is known."""
        return hashlib.sha256(self.content).hexdigest()


class Sending:
    """Packs once what is asked for, and sends it; one thread at a time.

    Args:
        pack: makes a file.
    """

    def __init__(self, pack: Pack, line: Line, key: InstallationKey, hub: str) -> None:
        self._pack, self._line, self._key, self._hub = pack, line, key, hub
        self._ready: tuple[str, Packed] | None = None  # by the order's key

    def obeyed(self, order: Order, snapshot: Snapshot, entries: Sequence[Entry]) -> Done | None:
        """Send the file of an order; None: the hand is played still.

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
            self._ready = order.key, self._packed(free, hand)
        packed = self._ready[1]
        if len(packed.content) > MOST_FILE:
            return Done(f"the file has {len(packed.content):,} bytes, more than {MOST_FILE:,}")
        self._send(order.key, packed)
        self._ready = None
        size = len(packed.content)
        answer = {"digest": packed.digest, "size": size, "pictures": packed.pictures}
        return Done(answer=answer)

    def _packed(self, entries: Sequence[Entry], hand: int) -> Packed:
        whole = Packed(self._pack(entries, hand, True), True)
        if len(whole.content) <= MOST_FILE:
            return whole
        return Packed(self._pack(entries, hand, False), False)

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
