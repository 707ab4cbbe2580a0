"""A club's orders, and how the table's log holds them: as `Attested("club", …)`.

An order comes down with the hub's signature for this one table, is carried out once by its key, and
is then an entry of the log like every other: it goes up again and is sealed. What the table
itself tells the club (a referee is called) stands there in the same way, without a signature.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from table_assist.game.events import Attested
from table_assist.languages.words import Words
from table_assist.record.log import Entry
from table_assist.trust.installation import InstallationKey, signer_of

KIND = "club"  # of the `Attested`
PURPOSE = "club order"
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
    """A command of the club.

    Attributes:
        key: 32 hexadecimal letters; what was done under it is not done again.
        content: JSON values, by the kind.
        by: who gave it.
        signature: of the hub, for one table; empty for what the table tells.
    """

    key: str
    kind: OrderKind
    content: Mapping[str, Any]
    by: str = ""
    signature: str = ""

    def as_row(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "key": self.key,
            "kind": self.kind.value,
            "content": dict(self.content),
            "by": self.by,
            "signature": self.signature,
        }

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> "Order":
        """The order of such values.

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
        signature = key.sign(PURPOSE, self._signed(table)).decode()
        return Order(self.key, self.kind, self.content, self.by, signature)

    def is_by(self, hub: str, table: str) -> bool:
        """Whether the hub of this public key has signed it for this table."""
        return signer_of(self.signature.encode(), PURPOSE, self._signed(table)) == hub

    def _signed(self, table: str) -> bytes:
        return "\n".join((table, self.key, self.kind, self.by, _json(self.content))).encode()

    def as_event(self, refused: str = "", answer: Mapping[str, Any] | None = None) -> Attested:
        """How the log holds it.

        Args:
            refused: why the table did not carry it out; empty when it did.
            answer: what the order asked for; None where it asked for nothing.
        """
        fields = (self.key, self.kind.value, _json(self.content), self.by, self.signature, refused)
        return Attested(KIND, fields if answer is None else (*fields, _json(answer)))


@dataclass(frozen=True, slots=True)
class KeptOrder:
    """An order or call as a log holds it.

    Attributes:
        seq: of the entry.
        t: of the entry, by the table's clock.
        answer: what the order asked the table for.
    """

    order: Order
    refused: str
    seq: int
    t: float
    answer: Mapping[str, Any] = field(default_factory=dict)


def kept_orders(entries: Iterable[Entry]) -> tuple[KeptOrder, ...]:
    """The log's entries from the club, oldest first; nothing follows from damaged ones."""
    found = (kept_order(entry) for entry in entries)
    return tuple(each for each in found if each is not None)


def kept_order(entry: Entry) -> KeptOrder | None:
    """The club's order in the entry; None for another entry."""
    event = entry.event
    if not isinstance(event, Attested) or event.kind != KIND or len(event.fields) not in (6, 7):
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
    return None if kept is None else _words(kept.order)


def _words(order: Order) -> Words:
    """Nothing where the table shows it otherwise."""
    content = order.content
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
            name = content.get("name", "")
            return Words(
                "The club: {name} stands in from now on.",
                "俱乐部：{name} 现在替补上场。",
                name=name,
            )
        case OrderKind.PROFILE:
            en, zh = content.get("en", ""), content.get("zh", "")
            return Words("The club plays by {said}.", "俱乐部使用规则 {said}。", said=Words(en, zh))
        case OrderKind.CLOCK:
            return _clock_words(content)
        case OrderKind.RULING:
            return Words("A ruling by {by}.", "{by} 已作出裁定。", by=order.by)
        case _:
            return _SAID[order.kind]


_SAID = {
    OrderKind.AGREE: Words("The club ends the round.", "俱乐部结束本轮。"),
    OrderKind.DISPUTE: Words(
        "The club has asked for the file of a hand.", "俱乐部调取了一局的争议文件。"
    ),
    OrderKind.PICTURE: Words(
        "The club has asked for the picture of a won hand.", "俱乐部调取了一局胡牌的照片。"
    ),
    OrderKind.CALL: Words("A referee is called.", "已呼叫裁判。"),
    OrderKind.CALL_OVER: Words("The call for a referee is over.", "裁判呼叫已结束。"),
    OrderKind.CALL_AGAIN: Words("The call for a referee is open again.", "裁判呼叫重新有效。"),
}


def _clock_words(content: Mapping[str, Any]) -> Words:
    minutes = max(0, round(float(content.get("left_s", 0)) / 60))
    if content.get("running"):
        return Words(
            "The club's clock runs: {minutes} minutes.",
            "俱乐部计时开始：{minutes} 分钟。",
            minutes=minutes,
        )
    return Words(
        "The club's clock stands at {minutes} minutes.",
        "俱乐部计时停在 {minutes} 分钟。",
        minutes=minutes,
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
