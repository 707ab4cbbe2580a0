"""That a table belongs to a club: one small file beside the settings, written whole.

The file names the hub and its key, and how far the hub holds the log. A log that does not have what
the hub acknowledged was restored or replaced: it gets a new epoch and goes up anew.
"""

import base64
import hashlib
import json
import os
import secrets
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from table_assist.languages.words import SaidError
from table_assist.record.durable import sync_file, sync_folder

LETTERS = 10  # of the code that people compare: 50 bits


class MembershipError(SaidError):
    """The file cannot be used."""


@dataclass(frozen=True, slots=True)
class Membership:
    """The table's knowledge of its club.

    Attributes:
        hub: the address, as ``https://club.example:8443/``.
        key: the hub's public key.
        authority: certificates (PEM) to trust for that address; empty for the system's own.
        salt: of the code that the table's page shows until the club has let it in.
        is_in: the club has let it in.
        epoch: of the log, 32 hexadecimal letters.
        have: so many entries the hub holds; the last one's seal is `seal`.
        ticket: with which the hub let it in, signed (`club.admission`).
    """

    hub: str
    key: str
    authority: str = ""
    salt: str = ""
    is_in: bool = False
    epoch: str = ""
    have: int = 0
    seal: str = ""
    ticket: str = ""

    def anew(self) -> "Membership":
        """The log begins again, in a new epoch."""
        return replace(self, epoch=secrets.token_hex(16), have=0, seal="")

    def code(self, table: str) -> str:
        """The code that the table of this public key shows until it is let in."""
        return code_of(self.key, self.authority, table, self.salt)


def code_of(hub: str, authority: str, table: str, salt: str) -> str:
    """The code that the director types from the table: it holds both keys, nobody stands between.

    >>> code_of("aa", "", "bb", "cc")
    'UE6O5-WPMFS'
    """
    text = "\n".join(("table-assist club", hub, authority, table, salt))
    letters = base64.b32encode(hashlib.sha256(text.encode()).digest()).decode()[:LETTERS]
    return f"{letters[:5]}-{letters[5:]}"


class MembershipFile:
    """Keeps it; one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Membership | None:
        """The kept membership; None for a table without a club.

        Raises:
            MembershipError: it cannot be read.
        """
        if not self.path.exists():
            return None
        try:
            row: dict[str, Any] = json.loads(self.path.read_text("utf-8"))
            return Membership(**row)
        except (OSError, ValueError, TypeError) as error:
            raise MembershipError(
                "what belongs to the club in {path} cannot be read: {error}; pair again",
                "{path} 中的俱乐部信息无法读取：{error}；请重新配对",
                path=self.path,
                error=error,
            ) from error

    def write(self, membership: Membership) -> None:
        """Keep it for its owner alone, over a power cut.

        Raises:
            MembershipError: it cannot be written.
        """
        beside = self.path.with_name(f".{self.path.name}.new")
        try:
            opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(opened, "w", encoding="utf-8") as file:
                json.dump(asdict(membership), file)
            sync_file(beside)
            beside.replace(self.path)
            sync_folder(self.path.parent)
        except OSError as error:
            raise MembershipError(
                "what belongs to the club cannot be kept in {path}: {error}",
                "俱乐部信息无法保存到 {path}：{error}",
                path=self.path,
                error=error,
            ) from error

    def forget(self) -> None:
        """The table belongs to no club any more."""
        self.path.unlink(missing_ok=True)
