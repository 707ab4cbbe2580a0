"""Which question it is: a value. Only here is it written as text, and read again."""

from dataclasses import dataclass
from enum import Enum, StrEnum
from re import DOTALL, compile

from table_assist.vision.table.zones import ZoneKind


class Lifetime(StrEnum):
    """The event that takes a question away, besides an answer or the end of its entry."""

    HAND = "hand"
    """Nothing but the next hand."""
    STATE = "state"
    """It follows from the state alone: it goes when its ground is gone."""
    SIGHT = "sight"
    """The camera sees that all is as recorded."""
    VIEW = "view"
    """The camera sees the place again."""
    EVENING = "evening"
    """Nothing: it stays open when the next hand begins."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """The common properties of all questions of a kind.

    Attributes:
        word: in the text.
        zone: where on the table is what they are about; None for nowhere in particular.
        by_seat: they name a seat.
        by_entry: they name an entry of the log.
        looks_again: the answer no has what is shown looked at again.
        left_to_desk: the answer that the desk must follow; until then the question stays open.
    """

    word: str
    lifetime: Lifetime = Lifetime.HAND
    zone: ZoneKind | None = None
    by_seat: bool = False
    by_entry: bool = False
    looks_again: bool = False
    left_to_desk: str = ""


class QuestionKind(Enum):
    """The subject of a question. The words stand in logs: they stay as they are."""

    # The camera's view and the record do not fit.
    COUNT = _Kind("count", zone=ZoneKind.HAND, by_seat=True, left_to_desk="yes")
    SIZE = _Kind("size", Lifetime.SIGHT, ZoneKind.HAND, by_seat=True)
    MELD = _Kind("meld", Lifetime.SIGHT, ZoneKind.MELDS, by_seat=True, left_to_desk="no")
    CHANGED = _Kind("changed", Lifetime.SIGHT, ZoneKind.MELDS, by_seat=True, left_to_desk="no")
    KONG = _Kind("kong", zone=ZoneKind.MELDS, by_seat=True, by_entry=True)
    LATE = _Kind("late", zone=ZoneKind.RIVER, by_seat=True, looks_again=True)
    GONE = _Kind("gone", Lifetime.SIGHT, ZoneKind.RIVER, by_seat=True)
    REREAD = _Kind("reread", Lifetime.SIGHT, ZoneKind.RIVER, by_entry=True)
    WALL = _Kind("wall", Lifetime.SIGHT, ZoneKind.WALL)
    TURNED = _Kind("turned", Lifetime.SIGHT, ZoneKind.WALL)
    DICE = _Kind("dice", zone=ZoneKind.DICE)
    BIRDS = _Kind("birds", zone=ZoneKind.BIRDS, looks_again=True)
    SURPLUS = _Kind("surplus", zone=ZoneKind.BIRDS, looks_again=True)
    CORRECTED = _Kind("corrected", zone=ZoneKind.HAND, by_seat=True, looks_again=True)
    HIDDEN = _Kind("hidden", Lifetime.VIEW, ZoneKind.HAND, by_seat=True)
    HIDDEN_BIRDS = _Kind("hiddenbirds", Lifetime.VIEW, ZoneKind.BIRDS)
    UNREAD = _Kind("unread", by_entry=True)
    UNREAD_DISCARDS = _Kind("unreaddiscards", zone=ZoneKind.RIVER, looks_again=True)
    """All of a hand at once, where hardly any can be read."""
    IRREGULAR = _Kind("irregular", by_entry=True)
    PLAYED_ON = _Kind("playedon", by_seat=True, by_entry=True)
    WAY = _Kind("way", by_entry=True)
    WASHED = _Kind("washed")
    # Facts from the board, the dice or people.
    DEALER = _Kind("dealer")
    EXCHANGE = _Kind("exchange")
    TREASURE = _Kind("treasure")
    SEEK = _Kind("seek")
    READY = _Kind("ready", by_seat=True)
    RESTART = _Kind("restart")
    LOST = _Kind("lost")
    ENDED = _Kind("ended")
    DRAWN = _Kind("drawn")
    UNSETTLED = _Kind("unsettled", Lifetime.EVENING)
    # The result of the shown hands.
    SHOW = _Kind("show", Lifetime.STATE, by_entry=True)
    BIRD = _Kind("bird", Lifetime.STATE, by_entry=True)
    REFUSE = _Kind("refuse", Lifetime.STATE, ZoneKind.HAND, by_seat=True, looks_again=True)
    TOGETHER = _Kind("together", Lifetime.STATE, looks_again=True)
    SETTLE = _Kind("settle", Lifetime.STATE, looks_again=True)
    OPEN = _Kind("open", Lifetime.STATE, looks_again=True)
    OBJECTION = _Kind("objection", by_seat=True, by_entry=True, looks_again=True)
    LATER = _Kind("later", Lifetime.EVENING, by_entry=True)
    """About a hand after which the table went on; the entry is the one that started it."""
    OTHER = _Kind("")
    """Of an earlier version's log."""

    def __init__(self, common: _Kind) -> None:
        self.lifetime, self.zone = common.lifetime, common.zone
        self.looks_again, self.left_to_desk = common.looks_again, common.left_to_desk


# Of a drawn hand at which points move by what a player told.
TOLD_SUBJECT = "told"
_BY_WORD = {kind.value.word: kind for kind in QuestionKind if kind is not QuestionKind.OTHER}
_OF_A_HAND = compile(r"hand-(\d{1,9})-(.+)", DOTALL)
_SEAT = compile(r"([0-3])(?:-(.*))?", DOTALL)
_ENTRY = compile(r"([1-9]\d{0,14})(?:-(.*))?", DOTALL)


@dataclass(frozen=True, slots=True)
class QuestionId:
    """Equal for the same question about the same thing, however often it comes up.

    Attributes:
        seat: whose hand, melds or river it is about, where its kind names one.
        entry: the entry of the log that it is about, where its kind names one; 0 for none.
        subject: what else tells it from others of its kind, in any words.

    >>> str(QuestionId(3, QuestionKind.KONG, seat=2, entry=17))
    'hand-3-kong-2-17'
    >>> asked = QuestionId.parse("hand-3-unread-17-0-1")
    >>> asked.kind.name, asked.entry, asked.subject
    ('UNREAD', 17, '0-1')
    """

    hand: int
    kind: QuestionKind
    seat: int | None = None
    entry: int = 0
    subject: str = ""

    def __str__(self) -> str:
        """As it stands in the log, and as pages name it."""
        said = [self.kind.value.word, self.seat, self.entry or None, self.subject]
        parts = [str(each) for each in said if each not in (None, "")]
        if self.kind is QuestionKind.OTHER and not self.hand:
            return self.subject
        return "-".join((f"hand-{self.hand}", *parts))

    @classmethod
    def parse(cls, text: str) -> "QuestionId":
        """The question of a text; one that nobody knows any more is kept as it is."""
        found = _OF_A_HAND.fullmatch(text)
        if found is not None:
            hand = int(found[1])
            for made in (_known(hand, found[2]), cls(hand, QuestionKind.OTHER, subject=found[2])):
                if made is not None and str(made) == text:
                    return made
        return cls(0, QuestionKind.OTHER, subject=text)


def _known(hand: int, text: str) -> QuestionId | None:
    """The question of a kind that there is; None where there is no such kind."""
    word, _, rest = text.partition("-")
    kind = _BY_WORD.get(word)
    if kind is None:
        return None
    seat = _SEAT.fullmatch(rest) if kind.value.by_seat else None
    if seat is not None:
        rest = seat[2] or ""
    entry = _ENTRY.fullmatch(rest) if kind.value.by_entry else None
    if entry is not None:
        rest = entry[2] or ""
    return QuestionId(
        hand,
        kind,
        None if seat is None else int(seat[1]),
        0 if entry is None else int(entry[1]),
        rest,
    )
