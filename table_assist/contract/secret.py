"""Which facts only one player may know while a hand is played."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import IndicatorTurned, Settled
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import Phase
from table_assist.record.json_rows import parsed
from table_assist.record.log import Amended, Entry, Inserted
from table_assist.record.record import Record
from table_assist.record.seal import sealed
from table_assist.rules.ruleset import RuleSet


def has_secret(snapshot: Snapshot) -> bool:
    """Whether a treasure is, or is about to be, hidden from anybody: from the first ready on.

    It stays hidden when the declaration, or even the deal, is taken back: what was looked at was.
    """
    state = snapshot.state
    if _rules(snapshot).treasure is None and snapshot.rules.treasure is None:
        return False
    turned = [n for n, entry in enumerate(snapshot.entries) if is_about_treasure(entry.event)]
    if not (turned or state.indicators or state.readied):
        return False
    if state.phase is Phase.SHOWING and snapshot.settlement is not None:
        return not _guarded(snapshot).intersection(snapshot.settlement.winners)
    since = snapshot.entries[turned[-1] if turned else 0 :]
    return not any(isinstance(each.event, Settled) and each.event.winners for each in since)


def _rules(snapshot: Snapshot) -> RuleSet:
    """Those of the hand, or of the table before the first."""
    return rules_in_force(snapshot.state) if snapshot.state.rules else snapshot.rules


def _guarded(snapshot: Snapshot) -> frozenset[int]:
    """The seats whose hands are judged by the treasure: what is said of them could tell it."""
    everybody = not _rules(snapshot).chosen.get("treasure_needs_ready", True)
    return frozenset(
        seat for seat, own in enumerate(snapshot.state.seats) if everybody or own.ready
    )


def is_about_treasure(event: object) -> bool:
    """Whether the event says which tile was looked at."""
    match event:
        case IndicatorTurned():
            return True
        case Amended(_, inner) | Inserted(_, inner):
            return is_about_treasure(inner)
        case _:
            return False


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
