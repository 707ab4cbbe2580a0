"""A robbed tile is no discard: the page says from what it was taken."""

import pytest

from table_assist.contract.commands import TellHand
from table_assist.game.events import HandShown, HandTold
from table_assist.game.state import Robbable, TableState
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import Circumstance
from table_assist.session.session import Session
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.evenings import NAMES
from web.language import page_words
from web.view.outcome import robbed_from
from web.view.told_view import told_view

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
        assert "点炮" not in page_words("table")[f"robbed_{robbed}"].zh


def test_with_the_eggs_that_are_told_after_it_the_page_asks_of_which_one_the_won_tile_was() -> None:
    profile = plain_profile(find_rules("changchun"))
    session = Session(profile, NAMES, Record(None, lambda: 0.0), now=lambda: 0.0)
    robbed = (Circumstance.ROBBED_EGG_SUPPLEMENT, Circumstance.ROBBING_KONG)
    tiles = parse_tiles("123m 99m 234s 123p 111s")
    win = HandTold(0, tiles, winning_tile=Tile.S1, discarder=1, circumstances=robbed, wall_left=30)
    session.put_command(TellHand(win, dealer=2))
    session.drain()
    laid = [("7pE3s", "2s5s"), ("1m1p1s", "")]
    eggs = [Meld(MeldKind.LUCKY_EGG, parse_tiles(egg), parse_tiles(more)) for egg, more in laid]
    told = HandTold(1, (), melds=tuple(eggs))
    asks = told_view(session.snapshot, told, session.snapshot.state)["asks"]
    (asked,) = [ask for ask in asks if ask["kind"] == "undoes"]
    assert asked["words"]["en"] == "From which egg was the winning tile taken?"
    assert len(asked["choices"]) == 2
