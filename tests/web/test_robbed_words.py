"""A robbed tile is no discard: the page says from what it was taken."""

import pytest

from table_assist.game.events import HandShown
from table_assist.game.state import Robbable, TableState
from table_assist.melds import MeldKind
from table_assist.tiles import Tile, parse_tiles
from web.view.outcome import robbed_from
from web.view.vocabulary import PAGE

HAND = HandShown(1, parse_tiles("123m 456p 789s 234s 55p"), Tile.P5, self_drawn=False)
DRAWN = HandShown(1, HAND.concealed, Tile.P5, self_drawn=True)
RUSH = HandShown(1, HAND.concealed, Tile.P5, self_drawn=False, rush=True)


def at(kind: MeldKind | None) -> TableState:
    return TableState(robbable=None if kind is None else Robbable(2, Tile.P5, kind))


@pytest.mark.parametrize(
    ("shown", "kind", "robbed"),
    [
        (HAND, None, ""),
        (HAND, MeldKind.KONG_ADDED, "kong"),
        (HAND, MeldKind.KONG_CONCEALED, "kong"),
        (HAND, MeldKind.LUCKY_EGG, "egg"),
        (DRAWN, MeldKind.KONG_ADDED, ""),
        (RUSH, MeldKind.LUCKY_EGG, ""),
    ],
)
def test_the_page_says_from_what_a_won_tile_was_robbed(
    shown: HandShown, kind: MeldKind | None, robbed: str
) -> None:
    assert robbed_from(at(kind), shown) == robbed
    if robbed:
        assert "点炮" not in PAGE[f"robbed_{robbed}"].zh
