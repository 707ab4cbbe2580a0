"""What a table does when its club orders something."""

from collections.abc import Mapping
from typing import Any, Protocol

from table_assist.club.told import Kind, Order
from table_assist.contract.commands import Command, NotKeptError, Rule, key_of
from table_assist.words import Words


class Obeying(Protocol):
    """What takes commands."""

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        """As `TableSource.submit`."""
        ...


def obeyed(table: Obeying, order: Order) -> str | None:
    """Carry an order out: empty when it is done, else why not; None: try again later."""
    if order.kind is not Kind.RULING:
        return ""  # that the log holds it is all
    command = _ruling(order.content)
    if command is None:
        return "the ruling cannot be read"
    by = f"{order.by} (club)"
    try:
        refused = table.submit(command, by, key_of(command, by, order.key))
    except NotKeptError:
        return None
    return "" if refused is None else refused.en


def _ruling(content: Mapping[str, Any]) -> Rule | None:
    try:
        a, b, c, d = (int(each) for each in content["transfers"])
        seat, reason = int(content["seat"]), Words(str(content["en"]), str(content["zh"]))
    except (KeyError, TypeError, ValueError):
        return None
    if a + b + c + d or not 0 <= seat < 4 or not reason:
        return None
    return Rule(seat, str(content.get("irregularity", "")), (a, b, c, d), reason)
