"""An unread tile of a meld is what it likely is if that makes a meld; else people are asked."""

from dataclasses import replace

import pytest

from table_assist.following.claimed_tiles import claimed_meld, faces_together
from table_assist.tiles.tile import Tile, format_tiles, parse_tiles
from table_assist.vision.table.observation import SeenTile
from tests.following.test_infer import melds

Shares = dict[str, float]


def laid(seat: int, *tiles: str | Shares) -> list[SeenTile]:
    """A group of tiles: read ones by their names, unread ones by what they may be."""
    row = melds(seat, "1m" * len(tiles))
    found = []
    for place, each in zip(row, tiles, strict=True):
        shares = {each: 0.99} if isinstance(each, str) else each
        named = tuple((parse_tiles(face)[0], share) for face, share in shares.items())
        face = named[0][0] if isinstance(each, str) else Tile.UNKNOWN
        found.append(replace(place, tile=face, confidence=named[0][1], candidates=named))
    return found


@pytest.mark.parametrize(
    ("group", "read"),
    [
        (({"6p": 0.7, "9p": 0.2}, "4p", "5p"), "645p"),
        (({"6p": 0.7, "3p": 0.2}, "4p", "5p"), "?45p"),  # either is a meld
        (({"9p": 0.7, "6p": 0.2}, "4p", "5p"), "?45p"),  # what it looks like is none
        (({"6p": 0.3, "9p": 0.1}, "4p", "5p"), "?45p"),  # it may be anything
        (({"6p": 0.8}, {"7p": 0.8, "1s": 0.1}, {"8p": 0.85}), "678p"),
        (({"6p": 0.6}, {"7p": 0.6}, {"8p": 0.6}), "???p"),
        (({"6p": 0.8}, {"9p": 0.8}, {"8p": 0.8}), "???p"),
        (({"5s": 0.6, "3s": 0.3}, "5s", "5s", {"5s": 0.85, "8s": 0.1}), "5555s"),
        (("5s", "5s", "9s"), "559s"),  # what is read stays as it is
    ],
)
def test_an_unread_tile_is_what_it_likely_is_if_that_alone_makes_a_meld(
    group: tuple[str | Shares, ...], read: str
) -> None:
    found = faces_together(laid(1, *group), lambda t: claimed_meld(t, Tile.UNKNOWN) is not None)
    wanted = parse_tiles(read) if "?" not in read else None
    unread = tuple(tile.tile for tile in laid(1, *group))
    assert found == (unread if wanted is None else wanted), format_tiles(found)
