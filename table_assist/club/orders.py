"""A club's orders, and how the table's log holds them: as `Attested("club", …)`; what they tell.

An order comes down with the hub's signature for this one table and log, is carried out once by its
key, and
is then an entry of the log like every other: it goes up again and is sealed. What the table
itself tells the club (a referee is called) stands there in the same way, without a signature.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from table_assist.game.events import Attested, HandStarted, SeatsChanged
from table_assist.game.people import FIRST_SEATS, Names, People, by_person, is_seating, seated
from table_assist.languages.words import NOTHING, Words, phrase
from table_assist.record.log import Entry, effective
from table_assist.trust.installation import InstallationKey, signer_of

ORDER_KIND = "club"  # of the `Attested`
ORDER_PURPOSE = "club order"
MOST_CONTENT = 4000


class OrderKind(StrEnum):
    """The kinds of orders and messages."""

    MESSAGE = "message"  # en, zh
    RULING = "ruling"  # seat, irregularity, transfers, en, zh
    SEATS = "seats"  # session, round, players (numbers), names: who plays here from now on
    STAND_IN = "stand-in"  # session, round, player, by (numbers), name: sits where player sat
    PROFILE = "profile"  # hash, en, zh: by which rule profile the session is played
    AGREE = "agree"  # session, round: answered with where the table and its log stand
    CLOCK = "clock"  # left_s, running, at: when that was, by the hub; extra_s: of it
    DISPUTE = "dispute"  # hand: its file is sent; answered with digest, size, pictures
    PICTURE = "picture"  # hand, entry: of a won hand; answered as in `club.sending`
    CALL = "call"  # reason, seat: told by the table
    CALL_OVER = "call over"  # call: its key
    CALL_AGAIN = "call again"  # call: its key; who said that it is over has taken that back


@dataclass(frozen=True, slots=True)
class Order:
    """A command of the club."""

    key: str  # 32 hexadecimal letters; what was done under it is not done again
    kind: OrderKind
    content: Mapping[str, Any]  # JSON values, by the kind
    by: str = ""  # who gave it
    signature: str = ""  # of the hub, for one table; empty for what the table tells

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> "Order":
        """The order of such values, as `asdict` makes them.

        Raises:
            ValueError, KeyError, TypeError: they are none.
        """
        content = row["content"]
        if not isinstance(content, dict) or len(_json(content)) > MOST_CONTENT:
            raise ValueError(f"an order's content is no object of up to {MOST_CONTENT} letters")
        said = [row[name] for name in ("key", "by", "signature")]
        if not all(isinstance(each, str) for each in said):
            raise TypeError("key, by and signature of an order are texts")
        return cls(said[0], OrderKind(row["kind"]), content, said[1], said[2])

    def signed(self, key: InstallationKey, table: str) -> "Order":
        """The same with the hub's signature for the table of this public key."""
        signature = key.sign(ORDER_PURPOSE, self._signed(table)).decode()
        return Order(self.key, self.kind, self.content, self.by, signature)

    def for_log(self, epoch: str) -> "Order":
        """The same for this one log of the table; it must be signed anew."""
        return replace(self, content={**self.content, "log": epoch})

    def is_for(self, epoch: str) -> bool:
        """Whether it is for this log; orders of earlier hubs name none."""
        return bool(self.content.get("log", epoch) == epoch)

    def is_by(self, hub: str, table: str) -> bool:
        """Whether the hub of this public key has signed it for this table."""
        return signer_of(self.signature.encode(), ORDER_PURPOSE, self._signed(table)) == hub

    def _signed(self, table: str) -> bytes:
        return "\n".join((table, self.key, self.kind, self.by, _json(self.content))).encode()

    def as_event(self, refused: str = "", answer: Mapping[str, Any] | None = None) -> Attested:
        """How the log holds it.

        Args:
            refused: why the table did not carry it out; empty when it did.
            answer: what the order asked for; None where it asked for nothing.
        """
        fields = (self.key, self.kind.value, _json(self.content), self.by, self.signature, refused)
        return Attested(ORDER_KIND, fields if answer is None else (*fields, _json(answer)))


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of an order."""

    refused: str = ""  # why it was not carried out; empty when it was
    # what it asked for; None where it asked for nothing
    answer: Mapping[str, Any] | None = field(default=None)


@dataclass(frozen=True, slots=True)
class KeptOrder:
    """An order or call as a log holds it."""

    order: Order
    refused: str
    seq: int  # of the entry
    t: float  # of the entry, by the table's clock
    answer: Mapping[str, Any] = field(default_factory=dict)  # what the order asked the table for


def kept_orders(entries: Iterable[Entry]) -> tuple[KeptOrder, ...]:
    """The log's entries from the club, oldest first; nothing follows from damaged ones."""
    return tuple(each for each in map(kept_order, entries) if each is not None)


def kept_order(entry: Entry) -> KeptOrder | None:
    """The club's order in the entry; None for another entry."""
    event = entry.event
    if (
        not isinstance(event, Attested)
        or event.kind != ORDER_KIND
        or len(event.fields) not in (6, 7)
    ):
        return None
    key, kind, content, by, signature, refused, *answer = event.fields
    try:
        order = Order(key, OrderKind(kind), dict(json.loads(content)), by, signature)
        answered = dict(json.loads(answer[0])) if answer else {}
        _json([order.content, answered]).encode()  # half characters, NaN: no database takes them
    except (ValueError, TypeError, RecursionError):
        return None
    return KeptOrder(order, refused, entry.seq, entry.t, answered)


def order_words(entry: Entry) -> Words | None:
    """The words on a club's order for the people at the table; None for another entry."""
    kept = kept_order(entry)
    if kept is None:
        return None
    order, content = kept.order, kept.order.content
    match order.kind:
        case OrderKind.MESSAGE:
            en, zh = str(content.get("en", "")), str(content.get("zh", ""))
            return Words("The club: {said}", "俱乐部：{said}", said=Words(en or zh, zh or en))
        case OrderKind.SEATS:
            names = ", ".join(map(str, content.get("names", ())))
            if not names:
                return Words("The club: nobody is seated here now.", "俱乐部：本桌暂未安排选手。")
            return Words("The club: now play {names}.", "俱乐部：本桌选手 {names}。", names=names)
        case OrderKind.STAND_IN:
            return phrase("orders.club_stands", name=content.get("name", ""))
        case OrderKind.PROFILE:
            en, zh = content.get("en", ""), content.get("zh", "")
            return Words("The club plays by {said}.", "俱乐部使用规则 {said}。", said=Words(en, zh))
        case OrderKind.CLOCK:
            minutes = max(0, round(float(content.get("left_s", 0)) / 60))
            if content.get("running"):
                return phrase("orders.clubs_clock_runs_minutes", minutes=minutes)
            return phrase("orders.clubs_clock_stands", minutes=minutes)
        case OrderKind.RULING:
            return Words("A ruling by {by}.", "{by} 已作出裁定。", by=order.by)
        case _:
            return _ORDER_WORDS[order.kind]


_ORDER_WORDS = {
    OrderKind.AGREE: Words("The club ends the round.", "俱乐部结束本轮。"),
    OrderKind.DISPUTE: phrase("orders.club_has_asked"),
    OrderKind.PICTURE: phrase("orders.club_has_asked_for_the_picture"),
    OrderKind.CALL: Words("A referee is called.", "已呼叫裁判。"),
    OrderKind.CALL_OVER: Words("The call for a referee is over.", "裁判呼叫已结束。"),
    OrderKind.CALL_AGAIN: Words("The call for a referee is open again.", "裁判呼叫重新有效。"),
}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


SEATING = (OrderKind.SEATS, OrderKind.STAND_IN)


class SeatedNames:
    """The names of the latest order of seats; worked out when another order has come."""

    def __init__(self) -> None:
        self._orders = 0
        self._by_person: Names | None = None

    def by_seat(self, entries: Sequence[Entry], people: People) -> Names | None:
        """By seat, as they sit now; None where the club has seated nobody."""
        orders = sum(each.order.kind in SEATING for each in kept_orders(entries))
        if orders != self._orders:
            names = tuple(seated_by_person(entries).values())
            self._orders, self._by_person = orders, None
            if len(names) == 4:
                self._by_person = (names[0], names[1], names[2], names[3])
        return None if self._by_person is None else seated(self._by_person, people)


def seated_by_person(entries: Sequence[Entry]) -> dict[int, str]:
    """The names that the club has seated, by player, in the order of the persons; or nobody."""
    by_seq = {entry.seq: entry for entry in entries}
    people = FIRST_SEATS
    found: dict[int, str] = {}  # by player, in the order of the persons
    for seq, event in effective(entries):
        if isinstance(event, SeatsChanged) and is_seating(event.came_from):
            people = seated(people, event.came_from)
        elif isinstance(event, Attested):
            kept = kept_order(by_seq[seq])
            if kept is None or kept.order.kind not in SEATING or kept.refused:
                continue
            content = kept.order.content
            names, players = content.get("names"), content.get("players")
            if kept.order.kind is OrderKind.STAND_IN:
                player, by = content.get("player"), (content.get("by"), content.get("name", ""))
                rows = [
                    by if number == player else (number, name) for number, name in found.items()
                ]
                found = {int(str(number)): str(name) for number, name in rows}
            elif isinstance(names, list) and isinstance(players, list):
                found = {}  # nobody is named
                if len(names) == 4 == len({str(n) for n in players if type(n) is int}):
                    both = zip(map(int, players), map(str, names), strict=True)
                    found = dict(by_person([*both], people))
    return found


MESSAGE_S = 1200.0  # so long a message is shown
ORDER_WINDS = (Words("East", "东"), Words("South", "南"), Words("West", "西"), Words("North", "北"))


@dataclass(frozen=True, slots=True)
class Next:
    """Where somebody sits in the round that begins."""

    player: int
    name: str
    table: str
    seat: int  # 0 for East

    @classmethod
    def of_rows(cls, rows: object) -> tuple["Next", ...]:
        """Those that can be read."""
        found = []
        for row in rows if isinstance(rows, list) else []:
            try:
                one = cls(int(row["player"]), str(row["name"]), str(row["table"]), int(row["seat"]))
            except (KeyError, TypeError, ValueError):
                continue
            if 0 <= one.seat < len(ORDER_WINDS):
                found.append(one)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class News:
    """The news to be shown.

    Attributes:
        message_t, clock_t: when it came, by the table's clock.
        clock: as the hub ordered it; empty before the first.
        round: that is seated here; 0 for none.
        next: where those who sat here sit now, as long as no hand was started since.
        people: for each of the four persons (`game.people`) the player who sat there before.
    """

    message: Words = NOTHING
    message_t: float = 0.0
    clock: Mapping[str, Any] | None = None
    clock_t: float = 0.0
    round: int = 0
    next: tuple[Next, ...] = ()
    people: tuple[int, ...] = ()

    def places(self, people: Sequence[int]) -> list[Next | None]:
        """By seat, where who sits there now sits next."""
        by_player = {each.player: each for each in self.next}
        known = len(self.people) == len(people)
        return [by_player.get(self.people[person]) if known else None for person in people]


def news_of(entries: Sequence[Entry]) -> News:
    """As of these entries."""
    news, said = News(), 0
    for place, entry in enumerate(entries):
        kept = kept_order(entry)
        if isinstance(entry.event, HandStarted):
            news = replace(news, next=()) if news.next else news
        elif kept is not None and not kept.refused:
            content = kept.order.content
            match kept.order.kind:
                case OrderKind.MESSAGE:
                    en, zh = str(content.get("en", "")), str(content.get("zh", ""))
                    news = replace(news, message=Words(en or zh, zh or en), message_t=kept.t)
                case OrderKind.CLOCK:
                    news = replace(news, clock=content, clock_t=kept.t)
                case OrderKind.SEATS:
                    round = content.get("round")
                    news = replace(news, round=round if type(round) is int else 0)
            if "next" in content or kept.order.kind is OrderKind.SEATS:
                news, said = replace(news, next=Next.of_rows(content.get("next"))), place
    # Those who sat here until then are told where they go.
    return replace(news, people=tuple(seated_by_person(entries[:said])) if news.next else ())


def as_words(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Where people go, as a message in both languages."""
    coming = Next.of_rows(list(rows))
    return {
        "en": "; ".join(
            f"{each.name}: {each.table}, {ORDER_WINDS[each.seat].en}" for each in coming
        ),
        "zh": "；".join(
            f"{each.name}：{each.table}，{ORDER_WINDS[each.seat].zh}" for each in coming
        ),
    }


def clock_left(news: News, now: float, ahead_s: float | None) -> float | None:
    """Seconds left on the club's clock; below 0 it is over; None where there is no clock.

    Args:
        now: by the table's clock.
        ahead_s: by how much the hub's clock is ahead of it; None where that is not known: then
            the order counts as fresh when it came.
    """
    clock = news.clock
    if clock is None:
        return None
    try:
        left, at = float(clock["left_s"]), float(clock.get("at", 0))
    except (KeyError, TypeError, ValueError):
        return None
    if not clock.get("running"):
        return left
    since = news.clock_t if ahead_s is None or not at else at - ahead_s
    return left - max(0.0, now - since)
