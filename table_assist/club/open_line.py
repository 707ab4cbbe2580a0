"""A line that stays open between a table and its hub: signed once, then coded batch by batch.

Each says who it is with a signature over a fresh share; of both shares come the secrets of this
line (`table_assist.trust.agreed`). What is said then are batches and answers as over HTTP.
"""

import json
from dataclasses import dataclass
from typing import Any

from table_assist.club.wire import VERSION, WireError
from table_assist.trust.agreed import Coded, Share, new_share
from table_assist.trust.installation import InstallationKey, signer_of

PATH = "/api/uplink/line"
HELLO, WELCOME, LINE = "club hello", "club welcome", "club line"  # what signatures are for
MOST_HELLO = 1_000  # bytes
LASTS_S = 600.0  # a table opens its line anew: the hub's clock and the nearest hub may be others


@dataclass(frozen=True, slots=True)
class SecuredLine:
    """An open line.

    Attributes:
        other: the public key of the other side.
    """

    other: str
    sends: Coded
    takes: Coded


@dataclass(frozen=True, slots=True)
class Calling:
    """A table's half of the beginning.

    Args:
        key: the table's.
        hub: the hub's public key.
    """

    key: InstallationKey
    hub: str
    share: Share

    def hello(self) -> bytes:
        """The first message."""
        body = {"version": VERSION, "hub": self.hub, "share": self.share.public}
        return _signed(self.key, HELLO, body)

    def heard(self, welcome: bytes) -> SecuredLine:
        """The line, after the hub's welcome.

        Raises:
            WireError: it is not this hub's welcome to this table's hello.
        """
        who, body, row = _read(welcome, WELCOME)
        if (who, row.get("table"), row.get("to")) != (self.hub, self.key.public, self.share.public):
            raise WireError("the welcome is not the club's")
        up, down = _agreed(self.share, row, body)
        return SecuredLine(who, Coded(up), Coded(down))


def call(key: InstallationKey, hub: str) -> Calling:
    """Begin a line to a hub."""
    return Calling(key, hub, new_share())


def take_call(
    key: InstallationKey, hello: bytes, share: Share | None = None
) -> tuple[bytes, SecuredLine]:
    """The hub's welcome, and the line.

    Args:
        key: the hub's.
        share: None for a new one.

    Raises:
        WireError: it is no hello to this hub.
    """
    who, _, row = _read(hello, HELLO)
    if row.get("hub") != key.public or row.get("version") != VERSION:
        raise WireError(f"the hello is not to this hub in version {VERSION} of the wire")
    share = share or new_share()
    said = {"table": who, "to": row.get("share"), "share": share.public}
    welcome = _signed(key, WELCOME, said)
    up, down = _agreed(share, row, welcome.split(b"\n", 1)[1])
    return welcome, SecuredLine(who, Coded(down), Coded(up))


def _agreed(share: Share, row: dict[str, Any], welcome: bytes) -> tuple[bytes, bytes]:
    try:
        info = f"table-assist {LINE}\n".encode() + welcome
        return share.agreed(str(row.get("share")), info)
    except ValueError as error:
        raise WireError("the share of the line is none") from error


def _signed(key: InstallationKey, purpose: str, row: dict[str, Any]) -> bytes:
    body = json.dumps(row, separators=(",", ":")).encode()
    return key.sign(purpose, body) + b"\n" + body


def _read(message: bytes, purpose: str) -> tuple[str, bytes, dict[str, Any]]:
    """The signer, the body, and its content."""
    signature, _, body = message.partition(b"\n")
    who = signer_of(signature, purpose, body) if len(message) <= MOST_HELLO else ""
    try:
        row = json.loads(body) if who else None
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise WireError("the line does not begin with a signed message")
    return who, body, row
