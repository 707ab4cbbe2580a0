"""Claims from other phones to be somebody who is kept, and whether others confirm them.

Two other players at the table confirm, or whoever has the desk alone; one no is a no. Nothing of
it is kept: a claim is for now, among people who see each other.
"""

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

CONFIRM = 2  # other players
LASTS_S = 600.0
MOST = 8  # claims at a time


@dataclass(slots=True)
class IdentityClaim:
    """One phone's.

    Attributes:
        device: the phone that asks; its session's id.
        since: when it asked, by the table's clock: only who was in before may confirm.
        until: when it ends by itself, seconds since the epoch.
        number: stands on the phone that asks and where it is confirmed.
        yes: the devices of other players that confirm.
    """

    device: str
    name: str
    since: float
    until: float
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    number: str = field(default_factory=lambda: f"{secrets.randbelow(10_000):04}")
    yes: set[str] = field(default_factory=set)
    is_granted: bool = False
    is_refused: bool = False


class Claims:
    """One table's; any thread.

    Args:
        seat_of: of a device that is let in now, a player's; None for every other one.
    """

    def __init__(self, seat_of: Callable[[str], int | None]) -> None:
        self._seat_of = seat_of
        self._lock = threading.Lock()
        self._claims: list[IdentityClaim] = []

    def ask(self, device: str, name: str, *, since: float, now: float) -> IdentityClaim | None:
        """A phone says whose it is, instead of what it said before; None: too many ask."""
        with self._lock:
            others = [each for each in self._open(now) if each.device != device]
            if len(others) >= MOST:
                return None
            claim = IdentityClaim(device, name, since, now + LASTS_S)
            self._claims = [*others, claim]
            return claim

    def of(self, device: str, now: float) -> IdentityClaim | None:
        """A phone's claim."""
        with self._lock:
            return next((each for each in self._open(now) if each.device == device), None)

    def waiting(self, device: str, now: float) -> list[IdentityClaim]:
        """Others' claims that nobody has decided; a phone confirms once."""
        with self._lock:
            return [
                each
                for each in self._open(now)
                if not (each.is_granted or each.is_refused or device in (each.device, *each.yes))
            ]

    def answer(
        self, id: str, device: str, *, yes: bool, since: float, decides: bool, now: float
    ) -> bool:
        """Confirm or refuse what another phone asks.

        Args:
            since: when the answering device was let in, by the table's clock.
            decides: it has the desk.

        Returns:
            Whether there was such a claim, and this device may say something about it.
        """
        with self._lock:
            claim = next((each for each in self._open(now) if each.id == id), None)
            if claim is None or claim.device == device or claim.is_granted or claim.is_refused:
                return False
            if not decides and (since > claim.since or self._seat_of(device) is None):
                return False
            claim.is_refused = not yes
            claim.yes |= {device} if yes else set()
            claim.is_granted = yes and (decides or self._are_enough(claim))
            return True

    def take(self, device: str, now: float) -> str | None:
        """The name that a phone was granted, once."""
        with self._lock:
            claim = next((each for each in self._open(now) if each.device == device), None)
            if claim is None or not claim.is_granted:
                return None
            self._claims.remove(claim)
            return claim.name

    def _are_enough(self, claim: IdentityClaim) -> bool:
        """Counted by seats that are taken now: who sits down twice confirms once."""
        seats = {self._seat_of(each) for each in claim.yes}
        return len(seats - {None, self._seat_of(claim.device)}) >= CONFIRM

    def _open(self, now: float) -> list[IdentityClaim]:
        return [each for each in self._claims if now < each.until]
