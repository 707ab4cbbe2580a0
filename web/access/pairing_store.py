"""The devices that were let in, in one small file beside the log, so that a restart keeps them.

A cookie's value is never kept, only its SHA-256: 256 random bits need no slow hash. The admin's
password, which people choose, is kept as argon2id.
"""

import json
import logging
import os
import secrets
import threading
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from web.access.roles import Role

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Device:
    """One device that was let in.

    Attributes:
        id: names it in lists; no secret.
        hash: SHA-256 of its cookie.
        since: when it was let in, by the table's clock.
        until: when its session ends by itself, seconds since the epoch.
    """

    id: str
    hash: str
    role: Role
    seat: int | None
    name: str
    since: float
    until: float


@dataclass(frozen=True, slots=True)
class KeptPairings:
    """All that is kept.

    Attributes:
        key: from which the pages' tokens are made.
        password: argon2id of the admin's password; empty for none.
    """

    key: str = field(default_factory=lambda: secrets.token_hex(32), repr=False)
    password: str = field(default="", repr=False)
    devices: tuple[Device, ...] = ()


class DeviceFile:
    """Reads and writes what is kept; any thread.

    A file that cannot be read is put aside and everybody is a stranger again: then people pair
    once more, and nobody is let in who should not be.

    Args:
        path: None keeps all of it in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._seen = _sign_of(path)
        self.kept = KeptPairings() if path is None else _read(path)

    def refresh(self) -> None:
        """Read again what another program, as `table-assist password`, has written."""
        with self._lock:
            self._refresh()

    def _refresh(self) -> None:
        if self._path is not None and _sign_of(self._path) != self._seen:
            self._seen = _sign_of(self._path)
            self.kept = _read(self._path)

    def change(self, **changes: Any) -> None:
        """Replace fields, on disk before in memory."""
        with self._lock:
            self._refresh()
            kept = replace(self.kept, **changes)
            self._write(kept)
            self.kept = kept

    def add(self, device: Device, *, if_free_at: float | None = None) -> bool:
        """Keep another device; a seat has one at a time, the newest.

        Args:
            if_free_at: only where no other device's session at that seat goes on after this time.

        Returns:
            Whether it is kept.
        """
        with self._lock:
            self._refresh()
            at_seat = [
                each
                for each in self.kept.devices
                if device.role is Role.SEAT and each.seat == device.seat
            ]
            if if_free_at is not None and any(each.until > if_free_at for each in at_seat):
                return False
            others = tuple(each for each in self.kept.devices if each not in at_seat)
            kept = replace(self.kept, devices=(*others, device))
            self._write(kept)
            self.kept = kept
            return True

    def remove(self, ids: frozenset[str]) -> bool:
        """Forget devices; False if there was none of them."""
        with self._lock:
            self._refresh()
            left = tuple(each for each in self.kept.devices if each.id not in ids)
            if len(left) == len(self.kept.devices):
                return False
            # Out at once, whatever the disk says.
            self.kept = replace(self.kept, devices=left)
            self._write(self.kept)
            return True

    def _write(self, kept: KeptPairings) -> None:
        if self._path is None:
            return
        text = json.dumps(asdict(kept), ensure_ascii=False, indent=1)
        beside = self._path.with_name(f"{self._path.name}.new")
        opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._path)
        self._seen = _sign_of(self._path)


def _sign_of(path: Path | None) -> tuple[int, int] | None:
    """The sign that tells one writing of the file from another; None where there is no file."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return None if found is None else (found.st_ino, found.st_mtime_ns)


def _read(path: Path) -> KeptPairings:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return KeptPairings()
    except (OSError, UnicodeDecodeError) as error:
        return _put_aside(path, str(error))
    try:
        row = json.loads(text)
        devices = []
        for each in row["devices"]:
            role = Role(each["role"])
            seat = each["seat"]
            if (seat in (0, 1, 2, 3)) != (role is Role.SEAT):
                raise ValueError(f"a {role} at the seat {seat}")
            known = {name: str(each[name]) for name in ("id", "hash", "name")}
            since, until = float(each["since"]), float(each["until"])
            devices.append(Device(**known, role=role, seat=seat, since=since, until=until))
        key, password = str(row["key"]), str(row["password"])
        if len(key) < 64:
            raise ValueError("the key is too short")
        return KeptPairings(key, password, tuple(devices))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return _put_aside(path, str(error))


def _put_aside(path: Path, why: str) -> KeptPairings:
    logger.warning("the devices in %s cannot be read, so all must be paired anew: %s", path, why)
    try:
        path.replace(path.with_name(f"{path.name}.broken"))
    except OSError:
        logger.exception("%s cannot be put aside", path)
    return KeptPairings()
