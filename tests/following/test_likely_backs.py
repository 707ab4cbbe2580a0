"""What is likeliest a back: it is no bird, and of a standing hand it may be a tile."""

from dataclasses import replace

from table_assist.game.events import Discarded
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SeenTile
from tests.following.test_infer import PITCH, hand, river, tile
from tests.stages.seen_play import see


def doubted(seen: SeenTile, likeliest: Tile) -> SeenTile:
    candidates = ((likeliest, 0.6), (Tile.WHITE, 0.01))
    return replace(seen, tile=Tile.UNKNOWN, confidence=0.6, candidates=candidates)


def standing(count: int, without: int | None = None) -> list[SeenTile]:
    places = (place for place in range(count) if place != without)
    return [tile(Tile.BACK, -150 + PITCH * place, 366, 2) for place in places]


def sizes(*groups: list[SeenTile]) -> list[str]:
    found = see(hand(Discarded(0, Tile.M1)), river(0, "1m"), *groups).doubts
    return [str(doubt.question) for doubt in found if "size" in str(doubt.question)]


def test_a_standing_hand_is_counted_where_each_back_is_seen() -> None:
    assert sizes(standing(12)) == ["hand-1-size-2"]
    assert sizes(standing(13)) == []


def test_a_standing_hand_with_room_for_one_that_is_not_read_is_not_counted() -> None:
    assert sizes(standing(13, without=5)) == []
    row = standing(13)
    assert sizes([*row[:5], doubted(row[5], Tile.BACK), *row[6:]]) == []
    assert sizes([*row[:5], doubted(row[5], Tile.S5), *row[6:]]) == []
