"""How a table is let in, and what the hub signs of it: a hub that forgot it knows it by that."""

import json
import secrets
from dataclasses import dataclass
from typing import Any

from table_assist.club.calling import CallError, HubLine
from table_assist.club.membership import Membership
from table_assist.club.wire import JOIN, VERSION
from table_assist.trust.installation import InstallationKey, signer_of


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
        """The hub's answer, signed."""
        return json.dumps({"in": self.code, "name": self.name, "table": self.table}).encode()


def join(hub: str) -> Membership:
    """Ask a hub who it is; the membership waits for the director to type its code.

    Raises:
        CallError: there is no hub.
    """
    line = HubLine(hub, None)
    try:
        _, got = line.ask("/api/uplink/key")
        row = json.loads(got)
        public, authority = str(row["key"]), str(row["authority"])
        versions = list(row.get("versions", [VERSION]))
    except (ValueError, KeyError, TypeError) as error:
        raise CallError("there is no club at {hub}", "{hub} 上没有俱乐部", hub=hub) from error
    finally:
        line.close()
    if VERSION not in versions:
        raise CallError(
            "the club at {hub} speaks version {versions} of the wire, this table {version}",
            "{hub} 的俱乐部使用协议版本 {versions}，本桌为 {version}",
            hub=hub,
            versions=versions,
            version=VERSION,
        )
    return Membership(hub, public, authority, secrets.token_hex(8))


def asked_in(
    line: HubLine, key: InstallationKey, now: Membership, ticket: str = ""
) -> tuple[bool, str]:
    """Whether the hub says that this table is in, and what the table keeps of that.

    Args:
        key: of the table.
        ticket: of an earlier time, for a hub that does not know the table any more.

    Raises:
        CallError: the hub cannot be reached, or it is another.
    """
    body = json.dumps({"salt": now.salt, **({"ticket": ticket} if ticket else {})}).encode()
    signature, got = line.ask("/api/uplink/join", body, key.sign(JOIN, body))
    if signer_of(signature.encode(), JOIN, got) != now.key:
        raise CallError("the answer is not the club's", "应答不是来自俱乐部")
    new = json.dumps({"answer": got.decode(), "signature": signature})
    is_in = json.loads(got).get("in") == now.code(key.public)
    return is_in, new if admission_of(new, now.key, key.public) is not None else ""


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
