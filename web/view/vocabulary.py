"""The dashboard's words, in English and Chinese: tiles, winds, melds, sources and their health."""

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache

from table_assist.game.events import Event, Throw
from table_assist.game.people import Names, by_person, name_words
from table_assist.game.state import TableState
from table_assist.game.sureness import Sureness
from table_assist.languages.words import (
    Changed,
    View,
    Words,
    isolated,
    joined,
    phrase,
    player_at,
    with_players,
    words_view,
)
from table_assist.record.log import Amended, Inserted, Retracted, Source
from table_assist.record.snapshot import Snapshot
from table_assist.rules.judge import MOST_UNREAD
from table_assist.rules.verdict import Verdict
from table_assist.tiles.melds import Meld, MeldKind, tile_words
from table_assist.tiles.tile import Tile

_SEAT_WORDS = Words("seat {n}", "座位 {n}")
# "seat 2", "seats 1, 3", "seats 0 and 1", "座位 2", "座位 1、3"
_SEATS_PATTERN = r"{seat}([0-3](?:(?:, ?| and |、)[0-3](?![0-9]))*)(?![0-9]){after}"


def person_names(snapshot: Snapshot) -> Names:
    """The players' names by the seats in which they began, wherever they sit now."""
    return by_person(snapshot.names, snapshot.state.people)


def player(names: Names, seat: int) -> Words:
    """The name of who sits there, or the seat's number where nobody gave one."""
    return name_words(names[seat], seat)


def with_names(words: Words, names: Names) -> Words:
    """The same sentence with names: the rules speak of seats."""
    return with_seats(words, [player(names, seat) for seat in range(len(names))])


def with_seats(words: Words, players: Sequence[Words]) -> Words:
    """The same, by what the players are called."""

    def called(found: re.Match[str]) -> Words:
        return joined([players[int(seat)].map(isolated) for seat in re.findall(r"[0-3]", found[1])])

    return Changed(
        words, lambda text, tag: _seats(tag).sub(lambda found: called(found).said(tag), text)
    )


@cache
def _seats(language: str) -> re.Pattern[str]:
    """Seats as the language names them: by what it says for one."""
    before, _, after = _SEAT_WORDS.said(language).partition("{n}")
    if language == "en":
        return re.compile(_SEATS_PATTERN.format(seat=r"\bseats? ", after=""), re.IGNORECASE)
    seat = r" ?" + re.escape(before.strip()) + " ?"
    return re.compile(_SEATS_PATTERN.format(seat=seat, after=re.escape(after) + r"(?: (?![0-9]))?"))


def with_placeholders(words: Words, names: Names) -> Words:
    """The same sentence with names for ``{0}`` to ``{3}``."""
    return with_players(words, [player(names, seat) for seat in range(len(names))])


# A settlement that is surer than this is not worth a look.
SURE_ENOUGH = 0.999


def sure_words(sureness: Sureness | None) -> tuple[Words, ...]:
    """The possible errors of the reading, where they are not next to impossible."""
    if sureness is None or sureness.likeliest is None or sureness.probability >= SURE_ENOUGH:
        return ()
    other = sureness.likeliest
    said = {
        "sure": percent(sureness.probability),
        "read": tile_words(other.read),
        "face": tile_words(other.other),
    }
    if other.seat is None:
        return (phrase("vocabulary.tiles_as_read_sure", **said),)
    return (phrase("vocabulary.tiles_as_read_sure_look", **said, who=player_at(other.seat)),)


def percent(share: float) -> str:
    """A share that is never told as more than it is.

    >>> percent(0.99997), percent(0.9512), percent(0.5)
    ('99.99 %', '95.12 %', '50 %')
    """
    return f"{math.floor(share * 10_000) / 100:g} %"


WIND_WORDS = (Words("East", "东"), Words("South", "南"), Words("West", "西"), Words("North", "北"))
WIND_OF = dict(zip((Tile.EAST, Tile.SOUTH, Tile.WEST, Tile.NORTH), WIND_WORDS, strict=True))
PLACE_WORDS = (
    Words("1st", "第一"),
    Words("2nd", "第二"),
    Words("3rd", "第三"),
    Words("4th", "第四"),
)
MELD_WORDS = {
    MeldKind.CHOW: Words("chow", "吃"),
    MeldKind.PUNG: Words("pung", "碰"),
    MeldKind.KONG_EXPOSED: Words("kong", "明杠"),
    MeldKind.KONG_CONCEALED: Words("concealed kong", "暗杠"),
    MeldKind.KONG_ADDED: Words("added kong", "加杠"),
    MeldKind.LUCKY_EGG: Words("lucky egg", "下蛋"),
}
SOURCE_WORDS = {
    Source.CAMERA: Words("camera", "摄像头"),
    Source.BOARD: Words("board", "电路板"),
    Source.PERSON: Words("person", "人工"),
    Source.RULES: Words("rules", "规则"),
}
HEALTH = {
    "camera": Words("Camera", "摄像头"),
    "board": Words("Board", "电路板"),
    "log": Words("Log", "记录"),
    "recording": Words("Recording", "录制"),
    "evidence": Words("Pictures", "存图"),
    "mqtt": Words("MQTT", "MQTT"),
    "webhook": Words("Webhook", "网络回调"),
    "club": Words("Club", "俱乐部"),
}
STATUSES = {
    "live": Words("live", "正常"),
    "stale": Words("stale", "读数已旧"),
    "covered": Words("covered", "被遮挡"),
    "lost": Words("lost", "已断开"),
    "none": Words("none", "未配置"),
    "waiting": Words("waiting", "等待中"),
    "unread": (_UNRECORDED := Words("not recorded", "未记录")),
    "idle": _UNRECORDED,
}
ANSWERS = {
    "yes": Words("Yes", "是"),
    "no": Words("No", "不是"),
    "": Words("it settled itself", "已自行消除"),
}
THROWS = {
    Throw.UNSAID: Words("dice", "骰子"),
    Throw.DEALER: Words("for the dealer", "定庄"),
    Throw.BREAK: Words("to break the wall", "开门"),
    Throw.SECOND_BREAK: Words("second throw for the break", "开门第二掷"),
    Throw.EXCHANGE: Words("for the exchange", "定换牌方向"),
    Throw.INDICATOR: Words("for the tile to turn", "定翻牌"),
    Throw.REPLACEMENT: Words("for the replacement", "定补牌"),
}


def signed(points: int) -> str:
    """Points with their sign, a true minus, and no sign on nothing.

    >>> signed(14), signed(-7), signed(0)
    ('+14', '−7', '0')
    """
    return f"{points:+d}".replace("-", "−") if points else "0"


def happened(snapshot: Snapshot) -> Iterator[tuple[int, Event]]:
    """(entry's number, event) of this hand, without what only corrects other entries."""
    for entry in snapshot.entries:
        if not isinstance(entry.event, Retracted | Amended | Inserted):
            yield entry.seq, entry.event


def meld_view(meld: Meld) -> View:
    """A meld as it lies: a concealed kong's outer tiles face down."""
    tiles = [str(tile) for tile in meld.tiles + meld.supplements]
    if meld.kind is MeldKind.KONG_CONCEALED and len(tiles) == 4:
        tiles = ["#", tiles[1], tiles[2], "#"]
    return {
        "kind": meld.kind.value,
        "name": words_view(MELD_WORDS[meld.kind]),
        "tiles": tiles,
        "turned": None,
    }


def in_order(tiles: tuple[Tile, ...], winning: Tile) -> list[str]:
    """Sorted, unread ones last, without one copy of the winning tile: that lies apart."""
    rest = list(tiles)
    if winning in rest:
        rest.remove(winning)
    return [str(tile) for tile in sorted(rest, key=lambda tile: (not tile.is_face, tile))]


def is_open(verdict: Verdict, state: TableState) -> bool:
    """Whether a tile that nobody could read still decides between a win and none."""
    if [refusal.id for refusal in verdict.refusals] != ["unknown_tile"]:
        return False
    tiles = [tile for hand in state.shown for tile in hand.concealed]
    tiles += [tile for seat in state.seats for meld in seat.melds for tile in meld.tiles]
    unread = sum(not tile.is_face for tile in (*tiles, *state.birds))
    # With more unread tiles the judge does not try every face, so nothing is ruled out.
    return bool(verdict.completions) or unread > MOST_UNREAD
