"""Letting phones in: a code is shown, a phone asks with it, a person on the other side says yes.

``offer`` makes a code for a seat or a role, to be shown as a picture. ``ask`` uses it up: the
phone waits, and both sides show the same number. ``decide`` is the other side's one tap, and
``enter`` hands the session out, once, to the phone that asked and to nobody else.

At a table that nobody follows there may be nobody at the desk: there two players let a phone in, or
the one whose new phone it is; one is enough to refuse it.
"""

import secrets
import threading
import time
from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from enum import StrEnum

from table_assist.languages.words import WordsError, clean_name
from table_assist.trust.installation import hash_of
from web.access.pairing_sessions import NAME_LIMIT
from web.access.roles import Role, Viewer

CODE_LASTS_S = 120.0  # long enough to find the camera app
ASK_LASTS_S = 120.0
NO_NAME = "a phone"
# Of one visitor: nobody's places are filled by another.
MOST_OFFERS = 12
MOST_ASKS = 4
PLAYERS_NEEDED = 2

# The roles that each role may let in; none lets in its own like, so that a lent phone cannot
# multiply.
GRANTS: dict[Role, tuple[Role, ...]] = {
    Role.TELEVISION: (),
    Role.CAMERA: (),
    Role.SEAT: (),
    Role.SCORER: (Role.SEAT,),
    Role.REFEREE: (Role.SEAT, Role.SCORER),
    Role.ADMIN: (Role.SEAT, Role.SCORER, Role.REFEREE, Role.CAMERA),
}


class PairingAnswer(StrEnum):
    """The answer to a phone that asked."""

    NONE = "none"
    WAITING = "waiting"
    ALLOWED = "allowed"
    REFUSED = "refused"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class PairingOffer:
    """A code that one phone may use."""

    code: str
    role: Role
    seat: int | None
    until: float
    by: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A phone that wants to be let in.

    Attributes:
        claim_hash: of what only that phone holds.
        number: shown on both sides.
        said: the seats of the players who have said yes.
        against: and of those who have said no.
    """

    id: str
    claim_hash: str
    number: str
    role: Role
    seat: int | None
    name: str
    address: str
    until: float
    answer: PairingAnswer = PairingAnswer.WAITING
    said: frozenset[int] = frozenset()
    against: frozenset[int] = frozenset()

    def missing_after(self, viewer: Viewer, *, allow: bool = True) -> int:
        """How many players must still say the same once this viewer has: none keeps one out alone.

        The seat's own phone and the desk decide alone.
        """
        if viewer.seat is None or viewer.seat == self.seat:
            return 0
        return max(0, PLAYERS_NEEDED - len((self.said if allow else self.against) | {viewer.seat}))

    def answered(self, viewer: Viewer, *, allow: bool) -> "Ask":
        """The same after this viewer's word."""
        if not self.missing_after(viewer, allow=allow):
            return replace(self, answer=PairingAnswer.ALLOWED if allow else PairingAnswer.REFUSED)
        seats = frozenset(() if viewer.seat is None else (viewer.seat,))
        if allow:
            return replace(self, said=self.said | seats)
        return replace(self, against=self.against | seats)


class PairingError(WordsError):
    """This cannot be done."""


def may_say(viewer: Viewer, ask: Ask, *, players: bool, there: Container[int | None]) -> bool:
    """Whether the phone waits for this viewer's word.

    Args:
        players: at this table those who sit may let a phone in to another seat,
        there: but for these, whose own phones watch.
    """
    if may_decide(viewer, ask.role):
        return True
    is_player = viewer.role is Role.SEAT and ask.role is Role.SEAT and viewer.seat is not None
    is_gone = ask.seat not in there or ask.seat == viewer.seat
    return players and is_player and is_gone and viewer.seat not in ask.said | ask.against


def may_decide(viewer: Viewer, role: Role) -> bool:
    """Whether the viewer's word lets such a phone in."""
    return role in GRANTS[viewer.role]


class Pairing:
    """Codes and phones that wait; any thread. A restart forgets them, which costs one scan.

    Args:
        now: seconds of a clock that does not go back.

    Attributes:
        there: the seats whose own phones watch the table now.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self.there: Callable[[], Container[int | None]] = frozenset
        self._offers: dict[str, PairingOffer] = {}
        self._asks: dict[str, Ask] = {}
        self._lock = threading.Lock()

    def offer(self, role: Role, seat: int | None, by: str = "") -> PairingOffer:
        """A new code that a visitor shows; the desk is one, too.

        Raises:
            PairingError: too many codes are open.
        """
        with self._lock:
            self._forget()
            if sum(offer.by == by for offer in self._offers.values()) >= MOST_OFFERS:
                raise PairingError(
                    "{most_offers} codes are open already; wait a minute.",
                    "已有 {most_offers} 个二维码可用，请等一分钟。",
                    most_offers=MOST_OFFERS,
                )
            offer = PairingOffer(
                secrets.token_urlsafe(9), role, seat, self._now() + CODE_LASTS_S, by
            )
            self._offers[offer.code] = offer
            return offer

    def ask(self, code: str, name: str, address: str) -> tuple[Ask, str]:
        """Use a code up. Returns what waits now, and what only the phone may hold.

        Raises:
            PairingError: the code is none, used or too old; or too many phones wait.
        """
        with self._lock:
            self._forget()
            if sum(ask.address == address for ask in self._asks.values()) >= MOST_ASKS:
                raise PairingError(
                    "{most_asks} phones at this address are waiting already; try again later.",
                    "该地址已有 {most_asks} 部手机在等待，请稍后再试。",
                    most_asks=MOST_ASKS,
                )
            offer = self._offers.pop(code, None)
            if offer is None:
                raise PairingError(
                    "This code was used or is too old: scan a new one.",
                    "二维码已用过或已过期：请重新扫码。",
                )
            claim = secrets.token_urlsafe(32)
            taken = {ask.number for ask in self._asks.values()}
            while (number := f"{secrets.randbelow(10_000):04}") in taken:
                pass
            ask = Ask(
                secrets.token_hex(6),
                hash_of(claim),
                number,
                offer.role,
                offer.seat,
                clean_name(name)[:NAME_LIMIT] or NO_NAME,
                address,
                self._now() + ASK_LASTS_S,
            )
            self._asks[ask.id] = ask
            return ask, claim

    def waiting(self, viewer: Viewer, *, players: bool = False) -> tuple[tuple[Ask, float], ...]:
        """The phones that wait for this viewer's word, each with the seconds that it still may."""
        with self._lock:
            self._forget()
            now, there = self._now(), self.there()
            return tuple(
                (ask, ask.until - now)
                for ask in self._asks.values()
                if ask.answer is PairingAnswer.WAITING
                and may_say(viewer, ask, players=players, there=there)
            )

    def decide(self, id: str, viewer: Viewer, *, allow: bool, players: bool = False) -> Ask:
        """Let the phone in, or not; another player who must say the same is waited for.

        Raises:
            PairingError: no such phone waits for this viewer's word.
        """
        with self._lock:
            self._forget()
            ask = self._asks.get(id)
            if (
                ask is None
                or ask.answer is not PairingAnswer.WAITING
                or not may_say(viewer, ask, players=players, there=self.there())
            ):
                raise PairingError("This phone does not wait (any more).", "这部手机已不在等待。")
            decided = self._asks[id] = ask.answered(viewer, allow=allow)
            return decided

    def state(self, claim: str) -> Ask | None:
        """The state of the phone that holds the claim; None when that is forgotten."""
        with self._lock:
            self._forget()
            return self._held(claim)

    def enter(self, claim: str) -> Ask:
        """The phone comes in, once.

        Raises:
            PairingError: nobody let it in, or it was in already.
        """
        with self._lock:
            self._forget()
            ask = self._held(claim)
            if ask is None or ask.answer is not PairingAnswer.ALLOWED:
                raise PairingError("Nobody has let this phone in.", "还没有人允许这部手机加入。")
            del self._asks[ask.id]
            return ask

    def _held(self, claim: str) -> Ask | None:
        hashed = hash_of(claim)
        for ask in self._asks.values():
            if secrets.compare_digest(ask.claim_hash, hashed):
                return ask
        return None

    def _forget(self) -> None:
        now = self._now()
        for code in [code for code, offer in self._offers.items() if offer.until <= now]:
            del self._offers[code]
        for id in [id for id, ask in self._asks.items() if ask.until <= now]:
            del self._asks[id]
