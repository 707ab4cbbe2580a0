"""How a table carries out its club's orders."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from table_assist.club.orders import Order, OrderKind
from table_assist.contract.commands import Command, NotKeptError, Rule, key_of
from table_assist.contract.snapshot import Snapshot
from table_assist.game.people import by_person
from table_assist.languages.words import Words


class Rows(Protocol):
    """A log on disk."""

    def rows_after(self, seq: int, most: int) -> list[tuple[int, str, str]]:
        """(number, line, seal) of what is on disk after an entry."""
        ...


class Obeying(Protocol):
    """The taker of commands, which knows where it stands."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        ...

    @property
    def profile_hash(self) -> str:
        """Of the rule profile by which the next hand is played."""
        ...

    @property
    def store(self) -> Rows:
        """The log on disk."""
        ...

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        """As `TableSource.submit`."""
        ...


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of an order.

    Attributes:
        refused: why it was not carried out; empty when it was.
        answer: what it asked for; None where it asked for nothing.
    """

    refused: str = ""
    answer: Mapping[str, Any] | None = field(default=None)


def obeyed(table: Obeying, order: Order, epoch: str) -> Done | None:
    """Carry an order out; None: try again later.

    Args:
        epoch: of the table's log.
    """
    match order.kind:
        case OrderKind.RULING:
            return _ruled(table, order)
        case OrderKind.PROFILE:
            return _compared(table.profile_hash, order)
        case OrderKind.AGREE:
            return _stands(table, epoch)
        case _:
            return Done()  # that the log holds it is all


def _ruled(table: Obeying, order: Order) -> Done | None:
    command = _ruling(order.content)
    if command is None:
        return Done("the ruling cannot be read")
    by = f"{order.by} (club)"
    try:
        refused = table.submit(command, by, key_of(command, by, order.key))
    except NotKeptError:
        return None
    return Done() if refused is None else Done(refused.en)


def _compared(own: str, order: Order) -> Done:
    """A running program plays by one profile: people change it in the settings."""
    if own == order.content.get("hash"):
        return Done(answer={"hash": own})
    return Done(f"this table plays by another rule profile ({own[:8]})", {"hash": own})


def _stands(table: Obeying, epoch: str) -> Done | None:
    """Where the table stands, and its log up to now: for who ends a round."""
    snapshot = table.snapshot
    state = snapshot.state
    last = table.store.rows_after(snapshot.seq - 1, 1) if snapshot.seq else []
    if snapshot.seq and not last:
        return None  # not on disk yet
    answer = {
        "epoch": epoch,
        "seq": snapshot.seq,
        "seal": last[0][2] if last else "",
        "hand": state.hand,
        "running": state.is_running,
        "scores": list(by_person(state.scores, state.people)),
        "profile": table.profile_hash,
        "questions": len(state.questions),
    }
    return Done(answer=answer)


def _ruling(content: Mapping[str, Any]) -> Rule | None:
    try:
        a, b, c, d = (int(each) for each in content["transfers"])
        seat, reason = int(content["seat"]), Words(str(content["en"]), str(content["zh"]))
    except (KeyError, TypeError, ValueError):
        return None
    if a + b + c + d or not 0 <= seat < 4 or not reason:
        return None
    return Rule(seat, str(content.get("irregularity", "")), (a, b, c, d), reason)
