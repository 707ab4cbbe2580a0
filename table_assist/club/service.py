"""A table's dealings with its club: join it, leave it, call a referee."""

import secrets
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from table_assist.club.admission import join
from table_assist.club.membership import Membership, MembershipError, MembershipFile, code_of
from table_assist.club.news import News, Newsroom
from table_assist.club.orders import Order, OrderKind, kept_orders
from table_assist.club.seated import SeatedNames
from table_assist.club.sending import Pack, Seen
from table_assist.club.uplink import Uplink, UplinkTable
from table_assist.contract.health import SourceHealth
from table_assist.contract.snapshot import Snapshot
from table_assist.game.people import Names, People
from table_assist.languages.words import Words
from table_assist.record.log import Entry
from table_assist.trust.installation import InstallationKey, open_key

MOST_REASON = 200
LEFT = SourceHealth("club", "none", Words("This table belongs to no club.", "本桌不属于俱乐部。"))


class ClubService:
    """One table's; any thread.

    Args:
        path: of the file that keeps the membership.
        view: what spectators may see of a snapshot.
        key: of this table; None for the installation's.
        pack: makes the file of a hand.
        seen: finds a kept picture; None where the owner lets the club have none.

    Attributes:
        gives_pictures: whether the owner lets the club have some.
    """

    def __init__(
        self,
        table: UplinkTable,
        path: Path,
        view: Callable[[Snapshot], dict[str, Any]],
        pack: Pack | None = None,
        *,
        key: InstallationKey | None = None,
        seen: Seen | None = None,
    ) -> None:
        self._pictures = seen
        self.gives_pictures = seen is not None
        self._own_key = key
        self._table = table
        self._file = MembershipFile(path)
        self._view = view
        self._pack = pack
        self._names = SeatedNames()
        self._room = Newsroom()
        self._uplink: Uplink | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin to speak to the club, if the table belongs to one."""
        try:
            membership = self._file.read()
        except MembershipError as error:
            self._table.tell_health(SourceHealth("club", "lost", error.words))
            return
        if membership is not None:
            with self._lock:
                self._begin(membership)

    def stop(self) -> None:
        """End; what is not sent goes up the next time."""
        with self._lock:
            self._end()

    def join(self, hub: str) -> None:
        """Ask a club to be let in.

        Raises:
            CallError: there is no hub at this address.
            MembershipError: that cannot be kept.
        """
        membership = join(hub)
        with self._lock:
            self._end()
            self._file.write(membership)
            self._begin(membership)

    def leave(self) -> None:
        """Belong to no club any more."""
        with self._lock:
            self._end()
            self._file.forget()
        self._table.tell_health(LEFT)

    @property
    def membership(self) -> Membership | None:
        """As it is now; None without a club."""
        uplink = self._uplink
        return None if uplink is None else uplink.membership

    @property
    def code(self) -> str:
        """The code that the director types; empty where nothing waits."""
        now = self.membership
        if now is None or now.is_in:
            return ""
        return code_of(now.key, now.authority, self._key.public, now.salt)

    @property
    def news(self) -> News:
        """The club's news for the people here."""
        with self._lock:
            return self._room.news(self._table.entries())

    def names(self, people: People) -> Names | None:
        """Whom the club has seated here, by seat; None for nobody."""
        with self._lock:
            return self._names.by_seat(self._table.entries(), people)

    @property
    def ahead_s(self) -> float | None:
        """By how much the hub's clock is ahead of this machine's; None where it is not known."""
        uplink = self._uplink
        return None if uplink is None else uplink.ahead_s

    @property
    def call(self) -> Order | None:
        """The call for a referee that is open."""
        return open_call(self._table.entries())

    def call_referee(self, reason: str) -> None:
        """Have the club send a referee; one call at a time."""
        if self.call is None:
            content = {"reason": reason[:MOST_REASON]}
            self._table.vouch(Order(secrets.token_hex(16), OrderKind.CALL, content).as_event())

    def end_call(self) -> None:
        """Nobody need come any more."""
        call = self.call
        if call is not None:
            content = {"call": call.key}
            self._table.vouch(Order(secrets.token_hex(16), OrderKind.CALL_OVER, content).as_event())

    @property
    def _key(self) -> InstallationKey:
        return self._own_key or open_key()

    def _begin(self, membership: Membership) -> None:
        self._uplink = Uplink(
            self._table, self._file, membership, self._key, self._seen, pack=self._pack,
            seen=self._pictures,
        )  # fmt: skip
        self._uplink.start()

    def _end(self) -> None:
        if self._uplink is not None:
            self._uplink.stop()
            self._uplink = None

    def _seen(self, snapshot: Snapshot) -> dict[str, Any]:
        """A call must not wait until the hand is over, as its entry may have to."""
        entries = self._table.entries()
        call, names = open_call(entries), self.names(snapshot.state.people)
        seen = {
            **self._view(snapshot),
            "call": call and {"key": call.key, **call.content},
            "house": self._table.profile_hash,
        }
        if self.gives_pictures:  # an older club takes no field that it does not know
            seen["pictures"] = True
        return seen if names is None else {**seen, "names": list(names)}


def open_call(entries: Sequence[Entry]) -> Order | None:
    """The call that nobody has ended, or whose end was taken back."""
    found: Order | None = None
    last: Order | None = None
    for kept in kept_orders(entries):
        if kept.order.kind is OrderKind.CALL:
            found = last = kept.order
        elif kept.order.kind is OrderKind.CALL_OVER:
            found = None
        elif kept.order.kind is OrderKind.CALL_AGAIN and last is not None:
            found = last if kept.order.content.get("call") == last.key else found
    return found
