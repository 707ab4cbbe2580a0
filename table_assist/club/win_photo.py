"""The picture of a won hand, as a table gives it to its club: what its log vouches for, no other.

It is the part of a kept picture that shows the hand and its melds. Nothing else is ever sent: the
whole picture shows people and the hands of others.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from table_assist.contract.evidence import Evidence, digest_of_hashes
from table_assist.game.events import Attested, End, HandShown, Settled
from table_assist.record.log import Entry, effective

KIND = "picture"  # of the `Attested` that vouches
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


def why_not(entries: Sequence[Entry], seq: int, evidence: Evidence | None) -> str:
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
        if isinstance(event, Attested) and event.kind == KIND and event.fields[:1] == (str(seq),):
            return event.fields[1] if len(event.fields) == 2 else ""
    return ""


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
