"""Sessions: which device holds which cookie, and the admin's password."""

import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from flask import Response, current_app, request

from table_assist.game.people import FIRST_SEATS, People
from table_assist.languages.words import clean_name
from table_assist.record.private import write_whole
from table_assist.trust.installation import hash_of
from web.access.roles import Role, Viewer

# The devices that were let in, in one small file beside the log, so that a restart keeps them.
#
# A cookie's value is never kept, only its SHA-256: 256 random bits need no slow hash. The admin's
# password, which people choose, is kept as argon2id.

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
        write_whole(self._path, json.dumps(asdict(kept), ensure_ascii=False, indent=1))
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


PAIRING_COOKIE = "table_session"
PAIRED_S = 30 * 86400.0  # a club's phones come back every week
ADMIN_LASTS_S = 12 * 3600.0
NAME_LIMIT = 40
PASSWORD_LIMITS = (10, 200)


class PairingSessions:
    """Everybody who was let in; any thread.

    Args:
        path: of the file; None keeps sessions in memory only.
        now: seconds since the epoch.
    """

    def __init__(
        self,
        path: Path | None,
        now: Callable[[], float] = time.time,
        people: Callable[[], People] = lambda: FIRST_SEATS,
    ) -> None:
        self._file = DeviceFile(path)
        self.now = now
        self._people = people
        self._seen: dict[str, float] = {}
        self._hasher = PasswordHasher()  # argon2id with the library's present recommendation
        self._verifying = threading.Lock()  # one at a time: each takes 64 MiB and much time

    @property
    def key(self) -> bytes:
        """From which the pages' tokens are made."""
        return bytes.fromhex(self._file.kept.key)

    @property
    def devices(self) -> tuple[tuple[Device, float | None], ...]:
        """Each device with when it was last seen, as far as this program knows."""
        now = self.now()
        kept = self._file.kept.devices
        return tuple(
            (self._where_it_is(each), self._seen.get(each.id)) for each in kept if each.until > now
        )

    def _where_it_is(self, device: Device) -> Device:
        """The device with the seat in which its player sits now: a phone follows its player."""
        if device.seat is None:
            return device
        return replace(device, seat=self._people().index(device.seat))

    def viewer(self) -> Viewer | None:
        """The viewer that the request's cookie stands for; None without a valid one."""
        token = self.token(request.cookies)
        return self.find(token) if token else None

    @property
    def cookie(self) -> str:
        """The cookie's name: browsers keep those of all tables of one machine in one jar."""
        return f"{PAIRING_COOKIE}_{hash_of(self._file.kept.key)[:8]}"

    def token(self, cookies: Mapping[str, str]) -> str:
        """This table's cookie; sessions of earlier versions have another name."""
        return cookies.get(self.cookie) or cookies.get(PAIRING_COOKIE, "")

    def find(self, token: str) -> Viewer | None:
        """The viewer that holds this cookie; None if nobody does."""
        hashed, now = hash_of(token), self.now()
        for device in self._file.kept.devices:
            if secrets.compare_digest(device.hash, hashed) and device.until > now:
                self._seen[device.id] = now
                seat = self._where_it_is(device).seat
                return Viewer(device.role, seat, device.name, device.id, device.since)
        return None

    def is_open(self, device: str) -> bool:
        """Whether the device is still let in."""
        now = self.now()
        return any(each.id == device and each.until > now for each in self._file.kept.devices)

    def knows(self, who: Viewer) -> bool:
        """Whether the viewer's device is still let in, and its player sits where it was seen."""
        return any(each.id == who.device and each.seat == who.seat for each, _ in self.devices)

    def open(self, role: Role, seat: int | None, name: str, *, since: float) -> str:
        """Let a device in. Returns the cookie's value, which is kept nowhere.

        Args:
            since: now, by the table's clock.
        """
        token = secrets.token_urlsafe(32)
        self._file.add(self._device(token, role, seat, name, since))
        return token

    def sit(self, seat: int, name: str, *, since: float) -> str | None:
        """Let a device in at a free seat, as ``open`` does; None where somebody sits there.

        Of two that come at once, one sits down.
        """
        token = secrets.token_urlsafe(32)
        device = self._device(token, Role.SEAT, seat, name, since)
        return token if self._file.add(device, if_free_at=self.now()) else None

    def _device(self, token: str, role: Role, seat: int | None, name: str, since: float) -> Device:
        lasts = ADMIN_LASTS_S if role is Role.ADMIN else PAIRED_S
        person = None if seat is None else self._people()[seat]
        until = self.now() + lasts
        return Device(
            secrets.token_hex(6),
            hash_of(token),
            role,
            person,
            clean_name(name)[:NAME_LIMIT],
            since,
            until,
        )

    def close(self, *devices: str) -> bool:
        """Let devices out; False if none of them was in."""
        return self._file.remove(frozenset(devices))

    @property
    def has_password(self) -> bool:
        """Whether an admin may come in from the network at all."""
        self._file.refresh()
        return bool(self._file.kept.password)

    def set_password(self, password: str) -> None:
        """Choose the admin's password anew; who came in by the old one is out."""
        self._file.change(password=self._hasher.hash(password))
        self.close(*[each.id for each in self._file.kept.devices if each.role is Role.ADMIN])

    def is_password(self, password: str) -> bool:
        """Whether it is the admin's; never, if none was chosen."""
        if not self.has_password:
            return False
        with self._verifying:
            try:
                return self._hasher.verify(self._file.kept.password, password)
            except (VerificationError, InvalidHashError):
                return False


def give_cookie(
    response: Response, name: str, value: str, lasts_s: float = PAIRED_S, path: str = "/"
) -> None:
    """Hand a cookie out that no page's script reads, and no other site's request carries."""
    response.set_cookie(
        name, value, max_age=round(lasts_s), httponly=True, samesite="Strict",
        secure=request.is_secure, path=path,
    )  # fmt: skip


def take_cookie(response: Response) -> None:
    """Have the browser forget the session's cookie."""
    for name in (sessions().cookie, PAIRING_COOKIE):
        response.delete_cookie(
            name, path="/", httponly=True, samesite="Strict", secure=request.is_secure
        )


def sessions() -> PairingSessions:
    """The running app's sessions."""
    found: PairingSessions = current_app.extensions["sessions"]
    return found
