"""Sessions: which device holds which cookie, and the admin's password."""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from flask import Response, current_app, request

from table_assist.game.people import FIRST_SEATS, People
from table_assist.languages.names import clean_name
from web.access.pairing_store import Device, DeviceFile
from web.access.roles import Role, Viewer

COOKIE = "table_session"
LASTS_S = 30 * 86400.0  # a club's phones come back every week
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
        return f"{COOKIE}_{_hash(self._file.kept.key)[:8]}"

    def token(self, cookies: Mapping[str, str]) -> str:
        """This table's cookie; sessions of earlier versions have another name."""
        return cookies.get(self.cookie) or cookies.get(COOKIE, "")

    def find(self, token: str) -> Viewer | None:
        """The viewer that holds this cookie; None if nobody does."""
        hashed, now = _hash(token), self.now()
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
        lasts = ADMIN_LASTS_S if role is Role.ADMIN else LASTS_S
        person = None if seat is None else self._people()[seat]
        until = self.now() + lasts
        return Device(
            secrets.token_hex(6),
            _hash(token),
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
        admins = [each.id for each in self._file.kept.devices if each.role is Role.ADMIN]
        self.close(*admins)

    def is_password(self, password: str) -> bool:
        """Whether it is the admin's; never, if none was chosen."""
        if not self.has_password:
            return False
        with self._verifying:
            try:
                return self._hasher.verify(self._file.kept.password, password)
            except (VerificationError, InvalidHashError):
                return False


def give_cookie(response: Response, token: str) -> None:
    """Hand the session's cookie out."""
    response.set_cookie(
        sessions().cookie,
        token,
        max_age=round(LASTS_S),
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
        path="/",
    )


def take_cookie(response: Response) -> None:
    """Have the browser forget the session's cookie."""
    for name in (sessions().cookie, COOKIE):
        response.delete_cookie(
            name, path="/", httponly=True, samesite="Strict", secure=request.is_secure
        )


def sessions() -> PairingSessions:
    """The running app's sessions."""
    found: PairingSessions = current_app.extensions["sessions"]
    return found


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
