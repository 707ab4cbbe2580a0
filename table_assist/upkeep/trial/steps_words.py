"""The steps of a hand in plain words: what to take, and where to lay it."""

from collections.abc import Sequence

from table_assist.game.events import (
    BirdTurned,
    BonusLaid,
    Claimed,
    Discarded,
    EggAppended,
    EggLaid,
    Event,
    HandLaidDown,
    HandShown,
    IndicatorTurned,
    KongDeclared,
    LastTilePassed,
    ReadyDeclared,
    Settled,
    StartingHandShown,
    WinDeclared,
)
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.languages.words import Words, joined, player_at
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.tiles.tile_words import tile_words
from table_assist.twin.river import RIVER_ROW
from table_assist.twin.scene import PlacedTile, Pose
from table_assist.vision.table.zones import to_seat

BEGINS = Words(
    "The table is empty, and all tiles lie beside it. Tap: the hand is dealt. Nobody takes tiles.",
    "桌面清空，所有牌放在桌外。请点按：已发牌。不必真的抓牌。",
)
ENDS = Words("Take all tiles off the table.", "把所有牌拿下桌。")
_IN_ROW = Words("in one row where the hand stands, faces up", "在手牌位置排成一行，牌面朝上")


def listed(tiles: Sequence[Tile]) -> Words:
    """Tiles as they are said one after the other.

    >>> listed([Tile.P5, Tile.EAST])
    Words(en='5 dots, east wind', zh='五筒、东风')
    """
    return joined([tile_words(tile) for tile in tiles])


def laid(tiles: Sequence[PlacedTile]) -> Words:
    """The same of tiles that lie there, from the left, and which of them face down."""
    names = []
    for tile in tiles:
        name = tile_words(tile.tile)
        is_down = tile.pose is Pose.FACE_DOWN
        names.append(Words("{name} face down", "{name}（扣着）", name=name) if is_down else name)
    return joined(names)


def words_of(event: Event, before: TableState, new: Sequence[PlacedTile]) -> Words:  # noqa: C901 - one arm per event
    """The words for people's part in the event.

    Args:
        before: the state before it.
        new: what comes to lie there, as its seat sees it from the left.

    Raises:
        ValueError: no script has such an event.
    """
    tiles = laid(new)
    match event:
        case Discarded(seat, tile):
            return _discard(seat, tile, before)
        case Claimed(seat, _, _, discarder):
            return _claim(event, before, discarder, tiles)
        case KongDeclared(seat, MeldKind.KONG_ADDED, tile):
            name = tile_words(tile)
            return Words(
                "{seat}: {name}, beside the three that lie before you.",
                "{seat}：{name}，放在面前那三张旁边。",
                seat=player_at(seat),
                name=name,
            )
        case KongDeclared(seat) | EggLaid(seat):
            return _open(seat, before, tiles)
        case EggAppended(seat, _, tile):
            name = tile_words(tile)
            return Words(
                "{seat}: {name}, close beside the egg that lies before you.",
                "{seat}：{name}，紧挨着面前的蛋放下。",
                seat=player_at(seat),
                name=name,
            )
        case BonusLaid(seat):
            return Words(
                "{seat}: {tiles}, before you at the left, right of what lies there.",
                "{seat}：{tiles}，放在面前左侧已有牌的右边。",
                seat=player_at(seat),
                tiles=tiles,
            )
        case StartingHandShown(seat):
            return Words(
                "{seat}: lay these {in_row}: {tiles}.",
                "{seat}：把这些牌{in_row}：{tiles}。",
                seat=player_at(seat),
                in_row=_IN_ROW,
                tiles=tiles,
            )
        case ReadyDeclared(seat):
            ready = rules_in_force(before).ready_names
            return Words("{seat}: {ready}.", "{seat}：{ready}。", seat=player_at(seat), ready=ready)
        case LastTilePassed(seat):
            return Words(
                "{seat} leaves the last tile.", "{seat}不要最后一张牌。", seat=player_at(seat)
            )
        case WinDeclared(seat):
            return Words("{seat} declares a win.", "{seat}报和。", seat=player_at(seat))
        case HandShown(seat):
            return _shown(event, tiles)
        case HandLaidDown(seat):
            return Words(
                "{seat}: lay the hand {in_row}: {tiles}.",
                "{seat}：手牌{in_row}：{tiles}。",
                seat=player_at(seat),
                in_row=_IN_ROW,
                tiles=tiles,
            )
        case IndicatorTurned():
            return _indicator(event, new, tiles)
        case BirdTurned(tile):
            name = tile_words(tile)
            return Words(
                "The bird: {name}, face up in the middle of the table.",
                "鸟牌：{name}，牌面朝上放在桌子中间。",
                name=name,
            )
        case Settled():
            return Words("Tap: everybody accepts what is shown.", "请点按：大家同意所示的结算。")
        case _:
            raise ValueError(f"no script has {event}")


def _discard(seat: int, tile: Tile, before: TableState) -> Words:
    name, lying = tile_words(tile), len(before.seats[seat].river)
    if lying == 0:
        where = Words(
            "first of the row before you, at its left end", "放在面前，作为牌河第一行最左一张"
        )
    elif lying % RIVER_ROW == 0:
        where = Words("begin the next row, nearer to you", "另起一行，靠近自己，从左边开始")
    else:
        where = Words("into the row before you, right of the last", "放入面前这一行，最后一张右边")
    return Words(
        "{seat}: {name}, {where}.",
        "{seat}：{name}，{where}。",
        seat=player_at(seat),
        name=name,
        where=where,
    )


def _claim(event: Claimed, before: TableState, discarder: int, tiles: Words) -> Words:
    claimed = before.last_discard[1] if before.last_discard else event.tiles[0]
    if before.robbable is not None:
        claimed = before.robbable.tile
    name, seat = tile_words(claimed), event.seat
    place = _beside(before, seat)
    return Words(
        "{seat}: take {name} from {discarder}. Lay open before you, {place}: {tiles}.",
        "{seat}：拿走{discarder}的{name}，在面前{place}亮出：{tiles}。",
        seat=player_at(seat),
        name=name,
        discarder=player_at(discarder),
        place=place,
        tiles=tiles,
    )


def _open(seat: int, before: TableState, tiles: Words) -> Words:
    place = _beside(before, seat)
    return Words(
        "{seat}: lay before you, {place}: {tiles}.",
        "{seat}：在面前{place}放下：{tiles}。",
        seat=player_at(seat),
        place=place,
        tiles=tiles,
    )


def _beside(before: TableState, seat: int) -> Words:
    if before.seats[seat].melds:
        return Words("left of what lies open there", "已亮出的牌的左边")
    return Words("at your right", "右侧")


def _shown(event: HandShown, tiles: Words) -> Words:
    seat = event.seat
    apart = Words("", "")
    if event.self_drawn:
        apart = Words("; the last one two fingers apart", "；最后一张隔开两指")
    return Words(
        "{seat}: lay these {in_row}: {tiles}{apart}.",
        "{seat}：把这些牌{in_row}：{tiles}{apart}。",
        seat=player_at(seat),
        in_row=_IN_ROW,
        tiles=tiles,
        apart=apart,
    )


def _indicator(event: IndicatorTurned, new: Sequence[PlacedTile], tiles: Words) -> Words:
    if not new or any(tile.pose is Pose.FACE_DOWN for tile in new):
        return Words("In the middle of the table: {tiles}.", "放在桌子中间：{tiles}。", tiles=tiles)
    if event.tile is Tile.UNKNOWN or abs(new[0].x_mm) + abs(new[0].y_mm) < 150:  # in the middle
        return Words(
            "Turn the tile in the middle up: {tiles}.", "翻开桌子中间的牌：{tiles}。", tiles=tiles
        )
    seat, aside_cm = _wall_place(new[0])
    side = Words("right", "右") if aside_cm >= 0 else Words("left", "左")
    return Words(
        "{seat}: where your wall would stand, {abs} cm {side} of its middle: any tile face "
        "down, and on it {tiles}, face up.",
        "{seat}：在你的牌墙位置、中点{side}边 {abs} 厘米处扣一张任意牌，上面放{tiles}，牌面朝上。",
        seat=player_at(seat),
        abs=abs(aside_cm),
        side=side,
        tiles=tiles,
    )


def _wall_place(tile: PlacedTile) -> tuple[int, int]:
    """Before whom it lies in the wall, and how many centimetres to the right of the middle."""
    places = [to_seat(tile.x_mm, tile.y_mm, seat) for seat in range(4)]
    seat = max(range(4), key=lambda seat: places[seat][1])
    return seat, round(places[seat][0] / 10)
