"""A table's news from its club: the last message, the clock, and where its players sit next.

It is a fold of the orders in the table's own log, so that it outlives a restart.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from table_assist.club.orders import KeptOrder, OrderKind, kept_order
from table_assist.club.seated import seated_by_person
from table_assist.game.events import HandStarted
from table_assist.languages.words import NOTHING, Words
from table_assist.record.log import Entry

MESSAGE_S = 1200.0  # so long a message is shown
WINDS = (Words("East", "东"), Words("South", "南"), Words("West", "西"), Words("North", "北"))


@dataclass(frozen=True, slots=True)
class Next:
    """Where somebody sits in the round that begins.

    Attributes:
        seat: 0 for East.
    """

    player: int
    name: str
    table: str
    seat: int

    def as_row(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "player": self.player,
            "name": self.name,
            "table": self.table,
            "seat": self.seat,
        }

    @classmethod
    def of_rows(cls, rows: object) -> tuple["Next", ...]:
        """Those that can be read."""
        found = []
        for row in rows if isinstance(rows, list) else []:
            try:
                one = cls(int(row["player"]), str(row["name"]), str(row["table"]), int(row["seat"]))
            except (KeyError, TypeError, ValueError):
                continue
            if 0 <= one.seat < len(WINDS):
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


class Newsroom:
    """Folds a log as it grows; one thread at a time."""

    def __init__(self) -> None:
        self._count = 0
        self._last: Entry | None = None
        self._news = News()

    def news(self, entries: Sequence[Entry]) -> News:
        """As of these entries."""
        count = self._count
        if len(entries) < count or (count and entries[count - 1] != self._last):
            count, self._news = 0, News()  # another log
        for at in range(count, len(entries)):
            self._news = _after(self._news, entries, at)
            self._last = entries[at]
        self._count = len(entries)
        return self._news


def _after(news: News, entries: Sequence[Entry], at: int) -> News:
    entry = entries[at]
    if isinstance(entry.event, HandStarted):
        return replace(news, next=()) if news.next else news
    kept = kept_order(entry)
    if kept is None or kept.refused:
        return news
    told = _told(news, kept)
    if "next" not in kept.order.content and kept.order.kind is not OrderKind.SEATS:
        return told
    coming = Next.of_rows(kept.order.content.get("next"))
    # Those who sat here until now are told where they go.
    people = tuple(seated_by_person(entries[:at])) if coming else ()
    return replace(told, next=coming, people=people)


def _told(news: News, kept: KeptOrder) -> News:
    content = kept.order.content
    match kept.order.kind:
        case OrderKind.MESSAGE:
            en, zh = str(content.get("en", "")), str(content.get("zh", ""))
            return replace(news, message=Words(en or zh, zh or en), message_t=kept.t)
        case OrderKind.CLOCK:
            return replace(news, clock=content, clock_t=kept.t)
        case OrderKind.SEATS:
            round = content.get("round")
            return replace(news, round=round if type(round) is int else 0)
        case _:
            return news


def as_words(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Where people go, as a message in both languages."""
    coming = Next.of_rows(list(rows))
    return {
        "en": "; ".join(f"{each.name}: {each.table}, {WINDS[each.seat].en}" for each in coming),
        "zh": "；".join(f"{each.name}：{each.table}，{WINDS[each.seat].zh}" for each in coming),
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
