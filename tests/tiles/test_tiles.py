"""Tile notation and kinds."""

import pytest

from table_assist.tiles.melds import parse_meld
from table_assist.tiles.tile import parse_tiles


@pytest.mark.parametrize("text", ["0m", "5f", "8z", "5", "x", "12", "E5", "1m!"])
def test_text_that_is_no_tile_is_refused_with_the_text(text: str) -> None:
    with pytest.raises(ValueError, match="tile"):
        parse_tiles(text)


@pytest.mark.parametrize(
    ("kind", "tiles", "well_formed"),
    [
        ("chow", "", False),
        ("chow", "123m", True),
        ("chow", "312m", True),
        ("chow", "124m", False),
        ("chow", "89m1p", False),
        ("chow", "ESW", False),
        ("pung", "555p", True),
        ("pung", "555p5p", False),
        ("pung", "???", False),
        ("kong_added", "5555p", True),
        ("kong_concealed", "555p", False),
    ],
)
def test_a_meld_knows_whether_its_tiles_fit_its_kind(
    kind: str, tiles: str, well_formed: bool
) -> None:
    assert parse_meld(kind, tiles).is_well_formed is well_formed
