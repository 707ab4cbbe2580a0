"""The table's way up: its own log is the queue, and the hub says how far it has it.

A thread of its own sends what the hub lacks and may leave the table, and takes orders from the
answer. Nothing at the table waits for it: without the hub, play goes on and the log grows.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from table_assist.club.calling import (
    CallError,
    HubLine,
    Membership,
    MembershipError,
    MembershipFile,
    Talking,
    asked_in,
    join,
)
from table_assist.club.orders import Done, News, Order, OrderKind, SeatedNames, kept_orders, news_of
from table_assist.club.sending import SENT, Pack, Seen, Sending, free_until
from table_assist.club.wire import (
    DOWN,
    MOST_BATCH_BYTES,
    MOST_VIEW,
    UP,
    Batch,
    BatchAnswer,
    HubReply,
    Row,
    WireError,
    batch_bytes,
    read_answer,
    rows_in,
)
from table_assist.game.events import Attested
from table_assist.game.people import Names, People, by_person
from table_assist.languages.words import NOTHING, Words, phrase, words_of
from table_assist.record.commands import Command, NotKeptError, Rule, key_of
from table_assist.record.log import Entry
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.trust.installation import InstallationKey, open_key, signer_of

logger = logging.getLogger(__name__)

ORDER_WAIT_S = 3.0  # an order waits for so long at most, where nothing happens
HUB_SOONEST_S, HUB_LATEST_S = 0.5, 20.0  # until a hub that does not answer is called again
UPLINK_LEAVE_S = 3.0
PRESENT_S = 30.0  # a table that was let go asks so often whether that is so
WRITE_S = 30.0  # the file may be so much older than what the hub holds
HEAD_ROOM = 1_000 + MOST_VIEW  # bytes of a batch for its first line


class Rows(Protocol):
    """A log on disk."""

    def rows_after(self, seq: int, most: int) -> list[tuple[int, str, str]]:
        """(number, line, seal) of what is on disk after an entry."""


class UplinkTable(Protocol):
    """The club's access to the running table, a `LiveTable`; any thread."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest one."""

    @property
    def version(self) -> int:
        """Grows with every snapshot."""

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """As `Session.wait`."""

    def entries(self) -> tuple[Entry, ...]:
        """The whole record."""

    @property
    def profile_hash(self) -> str:
        """Of the rule profile by which the next hand is played."""

    @property
    def store(self) -> Rows:
        """The log on disk."""

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        """As `Session.submit`."""

    def vouch(self, said: Attested) -> None:
        """Have the log say it."""

    def tell_health(self, health: SourceHealth) -> None:
        """How the way to the club is doing."""


def obeyed(table: UplinkTable, order: Order, epoch: str) -> Done | None:
    """Carry an order out; None: try again later.

    Args:
        epoch: of the table's log.
    """
    match order.kind:
        case OrderKind.RULING:
            command = _ruling(order.content)
            if command is None:
                return Done("the ruling cannot be read")
            by = f"{order.by} (club)"
            try:
                answer = table.submit(command, by, key_of(command, by, order.key))
            except NotKeptError:
                return None
            return Done() if answer is None else Done(answer.en)
        case OrderKind.PROFILE:
            own = table.profile_hash  # people change it in the settings
            is_it = own == order.content.get("hash")
            refused = "" if is_it else f"this table plays by another rule profile ({own[:8]})"
            return Done(refused, {"hash": own})
        case OrderKind.AGREE:
            return _stands(table, epoch)
        case _:
            return Done()  # that the log holds it is all


def _stands(table: UplinkTable, epoch: str) -> Done | None:
    """Where the table stands, and its log up to now: for who ends a round."""
    snapshot = table.snapshot
    state = snapshot.state
    last = table.store.rows_after(snapshot.seq - 1, 1) if snapshot.seq else []
    if snapshot.seq and not last:
        return None  # not on disk yet
    answer = {
        "epoch": epoch, "seq": snapshot.seq, "seal": last[0][2] if last else "",
        "hand": state.hand, "running": state.is_running,
        "scores": list(by_person(state.scores, state.people)), "profile": table.profile_hash,
        "questions": len(state.questions),
    }  # fmt: skip
    return Done(answer=answer)


def _ruling(content: Mapping[str, Any]) -> Rule | None:
    try:
        a, b, c, d = (int(each) for each in content["transfers"])
        seat, reason = int(content["seat"]), Words(str(content["en"]), str(content["zh"]))
    except (KeyError, TypeError, ValueError):
        return None
    if a + b + c + d or not 0 <= seat < 4 or not reason:
        return None
    return Rule(seat, str(content.get("irregularity", "")), (a, b, c, d), reason)


class Uplink:
    """Sends one table's log to its hub.

    Args:
        view: what spectators may see of a snapshot, small.
        key: of this installation; it signs.
        pack: makes the file of a hand; None for a table that sends none.
        seen: finds a kept picture; None where the club gets none.

    Attributes:
        membership: as it is now; for others to read.
    """

    def __init__(
        self,
        table: UplinkTable,
        file: MembershipFile,
        membership: Membership,
        key: InstallationKey,
        view: Callable[[Snapshot], dict[str, Any]],
        *,
        line: HubLine | None = None,
        pack: Pack | None = None,
        seen: Seen | None = None,
    ) -> None:
        self.membership = membership
        self._table = table
        self._file = file
        self._key = key
        self._view = view
        self._line = line or HubLine(membership.hub, membership.authority)
        self._talking = Talking(self._line, key, membership.key)
        self._takes_line = False  # the hub says whether it does
        self._files = Sending(pack, self._line, key, membership.key, seen=seen)
        self._sent: dict[str, Any] | None = None
        self._done = {each.order.key for each in kept_orders(table.entries())}
        self._turn = 0  # the hub says which was the last
        self._room = MOST_BATCH_BYTES  # of a batch: the hub says how many more it takes
        self._write_at = 0.0
        self._has_asked = False  # for the hub's signature that this table is in
        self._present_at = 0.0
        self._delay_s = HUB_SOONEST_S
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="uplink", daemon=True)

    @property
    def ahead_s(self) -> float | None:
        """By how much the hub's clock is ahead of this machine's; None where it is not known."""
        return self._line.ahead_s

    def start(self) -> None:
        """Begin."""
        self._check_log()
        self._thread.start()

    def stop(self) -> None:
        """End; what was not sent goes up the next time."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(UPLINK_LEAVE_S)
        self._talking.close()
        self._line.close()
        with suppress(MembershipError):
            self._write()

    # -- one turn ------------------------------------------------------------------------------

    def turn(self) -> bool:
        """Send what may leave, and do what the answer says; whether there is more to send.

        Raises:
            CallError: the hub cannot be reached, or it is another.
            MembershipError: what it acknowledged cannot be kept.
        """
        if not self.membership.is_in:
            if self._asked_in():
                self._keep(replace(self.membership, is_in=True).anew())
            else:
                code = self.membership.code(self._key.public)
                self._tell(phrase("uplink.clubs_director_lets", code=code), "waiting")
            return False
        snapshot = self._table.snapshot
        free = free_until(snapshot, self._table.entries())
        rows = self._rows(free)
        behind = free - self.membership.have - len(rows)
        view = {**self._view(snapshot), **({"behind": behind} if behind > 0 else {})}
        now, self._turn = self.membership, self._turn + 1
        batch = Batch(now.epoch, self._turn, now.have, rows, None if view == self._sent else view)
        answer = self._call(batch)
        if answer.said is HubReply.KEPT:
            self._sent = view
        self._take(answer)
        if answer.said is HubReply.KEPT and not (self.membership.ticket or self._has_asked):
            self._asked_in()  # it was let in by an earlier version
        if answer.said is HubReply.TURN:
            return True
        return answer.said in (HubReply.KEPT, HubReply.GAP) and self.membership.have < free

    def _rows(self, free: int) -> tuple[Row, ...]:
        rows: list[Row] = []
        room, most = self._room - HEAD_ROOM, rows_in(self._room)
        for seq, line, seal in self._table.store.rows_after(self.membership.have, most):
            room -= len(line.encode()) + len(seal) + 32
            if seq > free or (room < 0 and rows):
                break
            rows.append((seal, line))
        return tuple(rows)

    def _call(self, batch: Batch) -> BatchAnswer:
        body = batch_bytes(batch)
        got = self._talking.ask(body) if self._takes_line else None
        if got is None:
            signature, got = self._line.ask("/api/uplink", body, self._key.sign(UP, body))
            if signer_of(signature.encode(), DOWN, got) != self.membership.key:
                raise CallError("the answer is not the club's", "应答不是来自俱乐部")
        try:
            answer = read_answer(got)
        except WireError as error:
            raise CallError("{error}", "应答无法读取：{error}", error=error) from error
        if answer.said is not HubReply.TURN and answer.turn != batch.turn:
            raise CallError.told("other_turn", turn=answer.turn, turn_2=batch.turn)
        return answer

    def _take(self, answer: BatchAnswer) -> None:
        self._room, self._takes_line = answer.room, answer.line
        match answer.said:
            case HubReply.TURN:
                self._turn = answer.turn
            case HubReply.KEPT | HubReply.GAP:
                # Unless the hub holds what this log does not: then the log was restored
                if not answer.have or self._seal_of(answer.have) == answer.seal:
                    self.membership = replace(self.membership, have=answer.have, seal=answer.seal)
                    if time.monotonic() >= self._write_at:
                        self._write()  # an older file only sends some entries again
                else:
                    logger.warning("the club holds %d entries that this log has not", answer.have)
                    self._keep(self.membership.anew())
                for order in answer.orders:
                    self._obey(order)
            case HubReply.OUT:
                if not self._is_in_again():
                    self._tell(phrase("uplink.club_has_let"), "lost")
                    return
            case HubReply.CONFLICT | HubReply.OLD:
                self._tell(_CONFLICT[answer.said](answer.have), "lost")
                return
        self._tell(NOTHING, "live")

    def _check_log(self) -> None:
        """A log that lacks what was acknowledged is another one, or was restored."""
        now = self.membership
        if not now.epoch or (now.have and self._seal_of(now.have) != now.seal):
            self._keep(now.anew())

    def _seal_of(self, seq: int) -> str:
        rows = self._table.store.rows_after(seq - 1, 1)
        return rows[0][2] if rows and rows[0][0] == seq else ""

    def _obey(self, order: Order) -> None:
        """Carry it out once; the log says what became of it."""
        if order.key in self._done or not order.is_by(self.membership.key, self._key.public):
            return
        if not order.is_for(self.membership.epoch):
            return  # of the log before this one: the hub gives it anew
        if order.kind in SENT:
            table = self._table
            done = self._files.obeyed(order, table.snapshot, table.entries())
        else:
            done = obeyed(self._table, order, self.membership.epoch)
        if done is not None:
            self._done.add(order.key)
            self._table.vouch(order.as_event(done.refused, done.answer))

    # -- joining -------------------------------------------------------------------------------

    def _asked_in(self, ticket: str = "") -> bool:
        """Whether the hub says that this table is in; what it signed of it is kept."""
        self._has_asked = True
        is_in, ticket = asked_in(self._line, self._key, self.membership, ticket)
        if ticket:
            self._keep(replace(self.membership, ticket=ticket))
        return is_in

    def _is_in_again(self) -> bool:
        """A hub that was set back does not know who was let in since: its own signature tells."""
        ticket, now = self.membership.ticket, time.monotonic()
        if not ticket or now < self._present_at:
            return False
        self._present_at = now + PRESENT_S
        return self._asked_in(ticket)

    # -- the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        seen = -1
        while not self._stop.is_set():
            seen_now = self._table.version
            try:
                more = self.turn()
                self._delay_s = HUB_SOONEST_S
            except (CallError, MembershipError) as error:
                self._missed(error)
                continue
            except Exception as error:
                logger.exception("the uplink met a fault")
                self._missed(error)
                continue
            seen = seen_now
            if not more:
                self._table.wait(seen, ORDER_WAIT_S)

    def _missed(self, error: Exception) -> None:
        self._room, self._takes_line = MOST_BATCH_BYTES, False  # the next hub may be an earlier one
        self._tell(phrase("uplink.not_reached_the_table", said=words_of(error)), "lost")
        self._stop.wait(self._delay_s)
        self._delay_s = min(2 * self._delay_s, HUB_LATEST_S)

    def _keep(self, membership: Membership) -> None:
        self.membership = membership
        self._write()

    def _write(self) -> None:
        self._file.write(self.membership)
        self._write_at = time.monotonic() + WRITE_S

    def _tell(self, says: Words, status: str) -> None:
        self._table.tell_health(SourceHealth("club", status, says, last_t=None))


_CONFLICT: dict[HubReply, Callable[[int], Words]] = {
    HubReply.CONFLICT: lambda have: phrase("uplink.club_holds_another_entry", have=have),
    HubReply.OLD: lambda have: phrase("uplink.another_log"),
}


MOST_REASON = 200
NO_CLUB = SourceHealth(
    "club", "none", Words("This table belongs to no club.", "本桌不属于俱乐部。")
)


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
        self._table.tell_health(NO_CLUB)

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
        return now.code(self._key.public)

    @property
    def news(self) -> News:
        """The club's news for the people here."""
        return news_of(self._table.entries())

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
