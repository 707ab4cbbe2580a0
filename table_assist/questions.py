"""What people are asked, and what their answer corrects.

In texts ``{2}`` stands for the name of the player in seat 2.
"""

from dataclasses import replace

from table_assist.game.events import BirdTurned, Discarded, Event, HandShown
from table_assist.game.state import Irregularity
from table_assist.infer import Doubt, Reread
from table_assist.tiles import Tile

# More choices than this are no help to anybody.
CHOICES_AT_MOST = 6

_IRREGULAR: dict[Irregularity, tuple[str, str]] = {
    Irregularity.OUT_OF_TURN: ("out of turn", "未轮到"),
    Irregularity.NOTHING_TO_CLAIM: ("with nothing to claim", "无牌可吃碰"),
    Irregularity.CHOW_NOT_FROM_LEFT: ("a chow not from the player before", "非上家牌不能吃"),
    Irregularity.MELD_INVALID: ("tiles that form no meld", "不成副"),
    Irregularity.NO_EXPOSED_PUNG: ("a kong without an exposed pung", "没有可加杠的碰"),
    Irregularity.FIFTH_COPY: ("a fifth copy of a tile", "同一张牌出现第五张"),
    Irregularity.NO_HAND_RUNNING: ("while no hand was running", "牌局未开始"),
    Irregularity.WALL_EMPTY: ("with the wall empty", "牌墙已空"),
    Irregularity.TRANSFERS_UNBALANCED: ("points that do not add up to 0", "分数之和不为零"),
}


def about_irregular(hand: int, seq: int, event: Event, wrong: tuple[Irregularity, ...]) -> Doubt:
    """Something was seen that the rules forbid: was it so?"""
    what = type(event).__name__
    seat = getattr(event, "seat", 0)
    english = ", ".join(_IRREGULAR[each][0] for each in wrong)
    chinese = "、".join(_IRREGULAR[each][1] for each in wrong)
    tile = getattr(event, "tile", None)
    shown = f" {tile}" if isinstance(tile, Tile) else ""
    return Doubt(
        f"hand-{hand}-irregular-{seq}",
        (
            f"{{{seat}}}: {what}{shown}, {english}. Is that what happened?",
            f"{{{seat}}}: {what}{shown}, {chinese}。确实如此吗?",
        ),
        ("yes", "no"),
    )


def about_unread(hand: int, seq: int, event: Event, candidates: tuple[Tile, ...]) -> Doubt | None:
    """The event has a tile that could not be read; None when it has none."""
    position = unread_in(event)
    if position is None:
        return None
    choices = tuple(str(tile) for tile in candidates)
    match event:
        case HandShown(seat, concealed) if position < len(concealed):
            text = (f"Which tile of the hand of {{{seat}}} is this?", f"{{{seat}}} 的这张牌是什么?")
        case HandShown(seat, concealed):
            text = (f"Which tile did {{{seat}}} win on?", f"{{{seat}}} 胡的是哪张?")
            choices = tuple(dict.fromkeys(str(tile) for tile in concealed))
        case Discarded(seat):
            text = (f"What did {{{seat}}} discard?", f"{{{seat}}} 打的是什么?")
        case _:
            text = ("Which bird tile is this?", "翻出的鸟牌是什么?")
    if not isinstance(event, HandShown):
        choices = choices[:CHOICES_AT_MOST]
    return Doubt(f"hand-{hand}-unread-{seq}-{position}", text, choices)


def about_reread(hand: int, seq: int, reread: Reread) -> Doubt:
    """A discard is recorded as one tile and seen as another."""
    return Doubt(
        f"hand-{hand}-reread-{seq}",
        (
            f"{{{reread.seat}}} discarded {reread.recorded}, as recorded; "
            f"it now looks like {reread.tile}. Which is it?",
            f"{{{reread.seat}}} 打的牌记为 {reread.recorded},现在看像 {reread.tile},是哪张?",
        ),
        (str(reread.recorded), str(reread.tile)),
    )


def unread_in(event: Event) -> int | None:
    """Where the event's first unread tile is; for a hand's winning tile the hand's length."""
    match event:
        case HandShown(_, concealed, winning):
            if Tile.UNKNOWN in concealed:
                return concealed.index(Tile.UNKNOWN)
            return len(concealed) if winning is Tile.UNKNOWN else None
        case Discarded(_, Tile.UNKNOWN) | BirdTurned(Tile.UNKNOWN):
            return 0
        case _:
            return None


def with_tile(event: Event, tile: Tile) -> Event:
    """The event with its first unread tile named, or its only tile replaced."""
    match event:
        case HandShown(_, concealed, _):
            position = unread_in(event)
            if position is None or position == len(concealed):
                return replace(event, winning_tile=tile)
            tiles = (*concealed[:position], *concealed[position + 1 :], tile)
            return replace(event, concealed=tuple(sorted(tiles)))
        case Discarded() | BirdTurned():
            return replace(event, tile=tile)
        case _:
            return event
