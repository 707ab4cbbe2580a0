"""What is likeliest a back: it is no bird, and of a standing hand it may be a tile."""

from dataclasses import replace

import pytest

from table_assist.game.events import BirdTurned, Discarded, HandShown, WinDeclared
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import SeenTile
from tests.following.test_infer import PITCH, hand, river, shown, tile
from tests.stages.seen_play import events, see


def doubted(seen: SeenTile, likeliest: Tile) -> SeenTile:
    candidates = ((likeliest, 0.6), (Tile.WHITE, 0.01))
    return replace(seen, tile=Tile.UNKNOWN, confidence=0.6, candidates=candidates)


@pytest.mark.parametrize(("likeliest", "birds"), [(Tile.BACK, []), (Tile.S5, [Tile.UNKNOWN])])
def test_the_trays_corner_is_no_bird(likeliest: Tile, birds: list[Tile]) -> None:
    """It was read as a back, not surely, and was recorded as a bird that nobody could read."""
    win = HandShown(1, parse_tiles("123m 567p 111s 555s 88p"), Tile.M1, False)
    state = hand(Discarded(0, Tile.M1), WinDeclared(1), win)
    lying = river(0, "1m"), shown(1, "23m 567p 111s 555s 88p")
    corner = doubted(tile(Tile.BACK, 50, 54, 0, pictures=40), likeliest)
    assert events(state, *lying, [corner]) == [BirdTurned(bird) for bird in birds]


def test_what_was_hardly_ever_likely_a_back_is_an_unread_discard() -> None:
    """Under a mirrored lamp: one look in many took it for a back."""
    (lying,) = river(0, "?", pictures=40)
    for share, found in ((0.02, [Discarded(0, Tile.UNKNOWN)]), (0.5, [])):
        candidates = ((Tile.UNKNOWN, 1 - share), (Tile.BACK, share))
        assert events(hand(), [replace(lying, candidates=candidates)]) == found


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
