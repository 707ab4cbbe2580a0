"""Whether a log, wherever it lies now, holds what is hidden in a hand that had not ended in it.

Secrecy belongs to the data: a copy says so itself, whatever table runs when somebody asks for it.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from table_assist.contract.secret import has_secret
from table_assist.contract.snapshot import Snapshot
from table_assist.game.in_force import rules_in_force
from table_assist.record.log import Entry
from table_assist.record.record import Record
from table_assist.record.seal import sealed
from table_assist.record.unpack import parsed

NOBODY = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class Hidden:
    """The last hand of a log has a secret.

    Attributes:
        seal: after the log's last entry: a log that has it goes on from this one.
    """

    hand: int
    seal: str


def hidden_in(entries: Iterable[Entry]) -> Hidden | None:
    """The log's hidden parts; None where nothing in it is hidden from anybody."""
    known = tuple(entries)
    record = Record(None, lambda: 0.0, known)
    state = record.state
    if not state.rules:
        return None
    rules, own = rules_in_force(state), record.hand_entries()
    if not has_secret(Snapshot(record.seq, 0.0, NOBODY, rules, state, own)):
        return None
    *_, (seal, _) = sealed(known)
    return Hidden(state.hand, seal)


def hidden_rows(hidden: Iterable[Hidden]) -> str:
    """The hidden parts of copies as JSON: it lies beside them."""
    return json.dumps([asdict(each) for each in hidden])


def read_hidden(rows: str | bytes) -> tuple[Hidden, ...]:
    """The rows that `hidden_rows` has written.

    Raises:
        ValueError: it is something else.
    """
    said = parsed(rows)
    if not isinstance(said, list):
        raise ValueError("what is hidden must be a list")
    try:
        return tuple(Hidden(int(row["hand"]), str(row["seal"])) for row in said)
    except (TypeError, KeyError) as error:
        raise ValueError(f"what is hidden cannot be read: {error}") from error
