"""What a hub signs when it lets a table in; a hub that has forgotten it knows it again by that."""

import json
from dataclasses import dataclass
from typing import Any

from table_assist.club.wire import JOIN
from table_assist.trust.installation import signer_of


@dataclass(frozen=True, slots=True)
class Admission:
    """A table was let in.

    Attributes:
        code: with which it was.
        name: what the director called it.
        table: its public key.
    """

    code: str
    name: str
    table: str

    def answer(self) -> bytes:
        """What the hub answers, and signs."""
        return json.dumps({"in": self.code, "name": self.name, "table": self.table}).encode()


def asking(salt: str, ticket: str = "") -> bytes:
    """What a table sends to be let in.

    Args:
        ticket: of an earlier time, where the hub does not know the table any more.
    """
    return json.dumps({"salt": salt, **({"ticket": ticket} if ticket else {})}).encode()


def ticket_of(answer: bytes, signature: str) -> str:
    """What the table keeps of the answer that let it in."""
    return json.dumps({"answer": answer.decode(), "signature": signature})


def admission_of(ticket: object, hub: str, table: str) -> Admission | None:
    """Whom the hub of this key has let in; None where it was not this table."""
    try:
        kept: dict[str, Any] = json.loads(str(ticket))
        answer, signature = str(kept["answer"]), str(kept["signature"])
        row: dict[str, Any] = json.loads(answer)
        found = Admission(str(row["in"]), str(row["name"]), str(row["table"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    signer = signer_of(signature.encode(), JOIN, answer.encode())
    return found if signer == hub and found.table == table and found.code else None
