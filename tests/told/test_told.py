"""A hand that is told by phone settles as it does when it is followed."""

from dataclasses import MISSING, fields, replace
from typing import get_args

import pytest

from table_assist.game.events import Fact, HandTold
from table_assist.record import commands
from table_assist.record.commands import TellBirds, TellDraw, TellHand, TellOpening
from table_assist.rules.registry import rule_sets
from table_assist.rules.settlement import Laid, LaidKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.told.compare import compare

HANDS = 6  # more by `python -m tests.told`


@pytest.mark.parametrize("id", [rules.id for rules in rule_sets()])
def test_hands_of_bots_told_by_phone_settle_as_they_were_followed(id: str) -> None:
    compared = compare(id, HANDS, "suite")
    assert compared.faults == []
    assert compared.hands >= HANDS
    assert compared.won > 0
    assert compared.ticked > 0
    assert compared.supposed[True] > compared.supposed[False]


# What each field of an event says of a followed hand, and what says it of a told one: a field of
# the telling, another command, or, after "-", why nothing that is paid hangs on it.
TABLE = """
WallBuilt                      - the wall's tiles are not followed
DiceRolled.values              - places in the wall are not followed
DiceRolled.throw               - places in the wall are not followed
GameBegun.points               BeginGame
GameBegun.floor                BeginGame
GameBegun.length               BeginGame
DealerChosen.seat              TellHand.dealer
SeatsChanged.came_from         ChangeSeats
SeatsChanged.east              ChangeSeats
AntesPlaced.double_down        TellHand.antes
AntesPlaced.challenges         TellHand.antes
HandStarted.hand               - the program counts hands itself
HandStarted.rules              - the table's
HandStarted.dealer             TellHand.dealer
HandStarted.wall_left          HandTold.wall_left
HandStarted.dead               - told are the tiles that can be drawn
HandStarted.prevailing         - the program keeps the winds itself
HandStarted.first_east         - the program keeps the winds itself
HandStarted.profile            - the table's
HandStarted.hash               - the table's
HandStarted.options            - the table's
HandStarted.hands              HandTold.concealed
BonusLaid.tiles                HandTold.bonus
TilesExchanged.seats_on        - what was passed on is held, or is not
TilesExchanged.given           - what was passed on is held, or is not
IndicatorTurned.tile           TellHand.indicator
IndicatorTurned.column         - told are the tiles that were left
StartingHandShown.tiles        TellOpening.tiles
EggLaid.tiles                  HandTold.melds
EggAppended.egg                HandTold.melds
EggAppended.tile               HandTold.melds
Drew.tile                      HandTold.winning_tile
LastTilePassed.seat            TellDraw.last_passed
Discarded.tile                 HandTold.chased
Claimed.kind                   HandTold.melds
Claimed.tiles                  HandTold.melds
Claimed.discarder              HandTold.claimed_from
KongDeclared.kind              HandTold.melds
KongDeclared.tile              HandTold.melds
ReadyDeclared.seat             HandTold.circumstances
WinDeclared.seat               HandTold.seat
HandShown.concealed            HandTold.concealed
HandShown.winning_tile         HandTold.winning_tile
HandShown.self_drawn           HandTold.discarder
HandShown.rush                 HandTold.circumstances
WinRefused.refusals            - the told hand is judged and refused as any other
HandLaidDown.concealed         HandTold.concealed
HandTold                       - it is the telling
BirdTurned.tile                TellBirds.tiles
IrregularityNoted.irregularity Rule
IrregularityNoted.dead         Rule
Penalised.transfers            Rule
Penalised.reason               Rule
Ruled.reason                   Rule
Settled                        Settle
WallExhausted                  TellDraw.last_drawer
HandAbandoned                  EndHand
"""
# What follows from the order of a hand's events, and not from any one of them.
ORDER = {
    "a robbed kong or egg": "HandTold.undoes",
    "an egg robbed for a pung": "HandTold.broken",
    "the kong before the discard that is won": "HandTold.undoes",
    "the kong before the tile that is drawn": "HandTold.circumstances",
    "the round of discards": "HandTold.discard_round",
    "the four first discards": "TellDraw.chased",
    "the tiles left": "HandTold.wall_left",
    "the last to draw": "TellDraw.last_drawer",
}
ROWS = dict(line.split(None, 1) for line in TABLE.strip().splitlines())


def said_by_events() -> set[str]:
    """Every field of every event that people tell; a seat alone where there is nothing else."""
    found: set[str] = set()
    for kind in get_args(Fact):
        name = kind.__name__
        if name in ROWS:
            found.add(name)
            continue
        names = [field.name for field in fields(kind)]
        others = [each for each in names if each != "seat"]
        found |= {f"{name}.{each}" for each in others or names}
    return found


def test_what_an_event_can_say_a_told_hand_can_say_or_the_table_says_why_not() -> None:
    assert said_by_events() == set(ROWS)


@pytest.mark.parametrize("way", [*ROWS.values(), *ORDER.values()])
def test_what_tells_it_is_there(way: str) -> None:
    if way.startswith("- "):
        assert len(way) > len("- ")
        return
    name, _, field = way.partition(".")
    kind = HandTold if name == "HandTold" else getattr(commands, name)
    assert not field or field in {each.name for each in fields(kind)}


def test_every_field_of_a_telling_says_what_some_event_says() -> None:
    said = {*ROWS.values(), *ORDER.values()}
    unused = {
        f"{kind.__name__}.{each.name}"
        for kind in (HandTold, TellHand, TellDraw, TellBirds, TellOpening)
        for each in fields(kind)
        if each.default is not MISSING or kind is HandTold
    } - said
    # Pictures and what was read in them are evidence, and who deals is asked of each command alike.
    evidence = {"TellHand.photos", "HandTold.read"}
    assert unused == {*evidence, "TellDraw.dealer", "TellOpening.dealer"}


def test_an_egg_loses_the_robbed_tile_wherever_its_telling_has_it() -> None:
    egg = Laid(LaidKind.LUCKY_EGG, 0, tiles=parse_tiles("7p1sE"), supplements=parse_tiles("2s9sE"))
    assert egg.broken(Tile.S2) == replace(egg, supplements=parse_tiles("9sE"), robbed=True)
    twice = replace(egg, supplements=parse_tiles("2s9s2s"))
    assert twice.broken(Tile.S2).supplements == parse_tiles("2s9s")
