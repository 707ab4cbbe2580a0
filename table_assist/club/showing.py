"""The picture of a won hand, as a table gives it to its club: what its log vouches for, no other.

It is the part of a kept picture that shows the hand and its melds. Nothing else is ever sent: the
whole picture shows people and the hands of others.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from table_assist.contract.evidence import Evidence, digest_of_hashes
from table_assist.game.events import Attested, End, HandShown, Settled
from table_assist.record.log import Entry, effective

KIND = "picture"  # of the `Attested` that vouches


@dataclass(frozen=True, slots=True)
class Shown:
    """A part of a picture, and what its digest in the log is made of beside it.

    Attributes:
        jpeg, readings: the sha256 of the whole picture and of its readings.
    """

    content: bytes
    jpeg: str
    readings: str

    @property
    def digest(self) -> str:
        """As the log vouches for it."""
        return digest_of_hashes(self.jpeg, self.readings, _sha256(self.content))


def shown(evidence: Evidence) -> Shown:
    """What of a kept picture may be shown."""
    jpeg, readings = _sha256(evidence.jpeg), _sha256(evidence.readings.encode())
    return Shown(evidence.crop, jpeg, readings)


def why_not(entries: Sequence[Entry], seq: int, evidence: Evidence | None) -> str:
    """Why the picture of this entry is not given; empty where it may be.

    Args:
        entries: of hands that are over.
    """
    if not is_won(entries, seq):
        return f"entry {seq} shows no hand that was won"
    if evidence is None or not evidence.crop:
        return f"no picture of entry {seq} shows the hand by itself"
    if shown(evidence).digest != vouched_for(entries, seq):
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


def vouched_for(entries: Sequence[Entry], seq: int) -> str:
    """The digest by which a log knows the picture of an entry; empty for none."""
    for entry in reversed(entries):
        event = entry.event
        if isinstance(event, Attested) and event.kind == KIND and event.fields[:1] == (str(seq),):
            return event.fields[1] if len(event.fields) == 2 else ""
    return ""


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
