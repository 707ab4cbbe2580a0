"""The pictures that belong into a hand's dispute file."""

from collections.abc import Sequence

from table_assist.contract.evidence import Evidence
from table_assist.contract.table_source import TableSource
from table_assist.dispute.hand import disputed_hand
from table_assist.record.log import Entry


def evidence_of(source: TableSource, log: Sequence[Entry], hand: int) -> list[tuple[str, Evidence]]:
    """(id, evidence) of the hand's entries of which there is any.

    Raises:
        NoSuchHandError: the log has no such hand.
    """
    found = [
        (f"e{entry.seq}", source.evidence(f"e{entry.seq}"))
        for entry in disputed_hand(log, hand).entries
    ]
    return [(id, each) for id, each in found if each is not None]
