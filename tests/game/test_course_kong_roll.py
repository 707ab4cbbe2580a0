"""A kong's replacement from where dice say: SPEC CS-11, option ``kong_roll``."""

from dataclasses import MISSING, fields
from random import Random
from typing import Any, get_args, get_type_hints

import pytest

from bench.hands import check
from table_assist.game import events
from table_assist.game.course import next_step
from table_assist.game.events import DiceRolled, Drew, Event, KongDeclared, OfAHand, Throw
from table_assist.game.fold import apply
from table_assist.game.places import Spot, next_tile
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import Words
from table_assist.record import course, photographer
from table_assist.rules import wall
from table_assist.rules.registry import find_rules
from table_assist.rules.wall import WallPlace
from table_assist.session import from_camera, questions
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.play.deck import Deck
from table_assist.twin.play.hand import Habits, play_hand
from tests.stages.course_table import dealt
from web.api import bodies

ROLLERS = (Habits(kongs=1.0, claims=0.9, aims=0.3, rolls=0.7),) * 4


def owed(option: str = "count_stacks_from_tail") -> TableState:
    """Seat 0 deals, breaks its own wall after stack 5, and lays a concealed kong."""
    begun = dealt("changsha", "1111m234p567p89s2m3m", options={"kong_roll": option})
    state = apply(begun, DiceRolled(0, (3, 2), Throw.BREAK))
    return apply(state, KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.M1))


@pytest.mark.slow
@pytest.mark.parametrize("option", ["count_stacks_from_tail", "as_wall_break"])
def test_cs_11_every_tile_is_drawn_from_where_the_places_say(option: str) -> None:
    rules = find_rules("changsha").with_options({"kong_roll": option})
    throws = 0

    def watch(deck: Deck, before: TableState, event: Event, after: TableState) -> None:
        nonlocal throws
        check(deck, before, event, after)
        if isinstance(event, DiceRolled) and event.throw is Throw.REPLACEMENT:
            throws += 1
        drawn = isinstance(event, Drew) and before.holder is None and not before.unnamed
        if before.phase is not Phase.PLAYING or not isinstance(event, Drew):
            return
        if drawn:
            assert deck.at(place_of(before, next_tile(before))) is event.tile
        elif before.unnamed or before.owed:
            assert deck.at(place_of(before, next_step(rules, before).spot)) is event.tile

    random = Random(11)
    state = TableState()
    for _ in range(20):
        _, state = play_hand(rules, state, random, habits=ROLLERS, watch=watch)
    assert throws > 4


def place_of(state: TableState, spot: Spot | None) -> int:
    """Counted by walking over the wall from the break: the first draw is 0."""
    assert spot is not None
    assert state.dice is not None
    dice = next(each for each in state.throws if each.throw is Throw.BREAK)
    rules = find_rules("changsha")
    at = wall.break_wall(rules, state.dealer, dice.values).first_draw
    stacks = wall.stacks_of(rules, state.dealer)
    count = 0
    while at != spot.place:
        at = WallPlace(at.seat, at.stack + 1)
        if at.stack > stacks[at.seat]:
            at = WallPlace((at.seat - 1) % 4, 1)
        count += 2
    return count + (spot.layer == "bottom")


PLACES: dict[str, tuple[type, ...]] = {
    # nothing follows from it before any hand was begun
    "hand": get_args(OfAHand),
    # people can tell it
    "told": bodies.TOLD_EVENTS,
    # nothing of it is left when the hand is over
    "gone": tuple(course._ENDS_WITH_THE_HAND),
    # what is done for the next hand
    "next": get_args(events.BetweenHands),
    # done with a tile, and perhaps seen after a key that was faster
    "move": from_camera._IN_PLAY,
    # may stand between such a key and what was done
    "aside": from_camera._BESIDE_PLAY,
    # the picture of it is kept, and of a discard that is doubtful
    "keep": get_args(photographer._DECISIVE),
    # something was decided by it: a dispute marks it
    "rule": get_args(events.Decision),
    # everybody sees it, and it tells nothing of the treasure
    "plain": get_args(events.OpenPlay),
    # several people may do it at the same time
    "once": course.TOLD_AT_ONCE,
    # not compared with the truth of a simulated hand
    "not": course.BESIDE_PLAY,
}
TABLE = """
                  hand told gone next move aside keep rule plain once not zone face key
WallBuilt         .    x    .    x    .    .     .    .    .     .    .   .    .    .
DiceRolled        .    x    .    .    .    x     .    .    .     .    .   .    .    .
GameBegun         .    x    .    x    .    .     .    .    .     .    .   .    .    .
DealerChosen      .    x    .    x    .    .     .    .    .     .    .   .    .    .
SeatsChanged      .    x    .    x    .    .     .    .    .     .    .   .    .    .
AntesPlaced       .    x    .    x    .    .     .    .    .     .    .   .    .    .
HandStarted       .    x    .    .    .    .     .    .    .     .    .   .    .    x
BonusLaid         x    x    x    .    x    .     .    .    x     .    .   .    x    x
TilesExchanged    x    x    x    .    .    .     .    .    .     .    .   .    .    .
IndicatorTurned   x    x    x    .    .    x     .    .    .     x    .   .    x    .
StartingHandShown x    x    x    .    .    .     .    .    .     .    .   .    x    x
EggLaid           x    x    x    .    .    .     .    .    x     .    .   .    .    x
EggAppended       x    x    x    .    x    .     .    .    x     .    .   .    .    .
Drew              x    x    x    .    .    .     .    .    x     .    x   .    .    .
LastTilePassed    x    x    x    .    .    .     .    .    .     .    .   .    .    .
Discarded         x    x    .    .    x    .     .    .    x     .    .   river x    .
Claimed           x    x    x    .    x    .     .    .    x     .    .   melds x    x
KongDeclared      x    x    x    .    x    .     .    .    x     .    .   melds x    .
ReadyDeclared     x    x    x    .    .    .     .    .    .     .    .   .    .    .
HandShown         x    x    x    .    .    .     x    x    .     .    .   hand x    x
WinRefused        x    x    .    .    .    .     x    x    .     .    .   hand .    x
HandLaidDown      x    x    x    .    .    .     x    .    .     x    .   hand x    x
HandTold          x    x    x    .    .    .     x    x    .     .    .   .    .    x
BirdTurned        x    x    x    .    .    .     .    .    x     .    .   birds x    .
IrregularityNoted x    x    x    .    .    .     .    x    .     .    .   .    .    x
WinDeclared       .    x    .    .    .    .     x    x    .     x    .   hand .    .
Penalised         .    x    .    .    .    .     .    x    .     .    .   .    .    x
Ruled             .    x    .    .    .    .     .    x    .     .    .   .    .    .
Settled           .    x    .    .    .    .     x    x    .     .    .   .    .    x
WallExhausted     .    x    .    .    .    .     x    x    .     .    .   .    .    x
HandAbandoned     .    x    .    .    .    .     .    x    .     .    .   .    .    .
BoardSaid         .    .    x    .    .    x     .    .    .     .    x   .    .    .
Attested          .    .    x    .    .    x     .    .    .     .    x   .    .    .
Asked             .    .    .    .    .    x     x    .    .     .    x   .    .    .
Answered          .    .    .    .    .    x     .    .    .     .    x   .    .    .
Agreed            .    .    x    .    .    x     .    .    .     .    x   .    .    .
PlayerNamed       .    .    .    .    .    x     .    .    .     .    x   .    .    .
ClockSet          .    .    .    .    .    x     .    .    .     .    x   .    .    .
"""
HEAD, *LINES = (line.split() for line in TABLE.strip().splitlines())
ROWS = {name: dict(zip(HEAD, marks, strict=True)) for name, *marks in LINES}
KINDS: dict[str, Any] = {kind.__name__: kind for kind in get_args(Event)}


def sample(kind: Any) -> Any:
    """An event of that kind with every tile unread."""
    hints = get_type_hints(kind)
    plain = {
        int: 1,
        bool: False,
        str: "x",
        Tile: Tile.UNKNOWN,
        MeldKind: MeldKind.PUNG,
        Throw: Throw.BREAK,
        Words: Words("x", "x"),
        QuestionId: QuestionId.parse("x"),
        tuple[int, ...]: (1,),
        tuple[str, ...]: ("x",),
        tuple[Tile, ...]: (Tile.P1, Tile.UNKNOWN),
        tuple[int, int, int, int]: (0, 0, 0, 0),
        int | None: 1,
    }
    needed = [f.name for f in fields(kind) if f.default is MISSING]
    return kind(**{name: plain[hints[name]] for name in needed})


def found(name: str) -> dict[str, str]:
    """The row as the program has it."""
    kind, event = KINDS[name], sample(KINDS[name])
    marks = {place: "x" if issubclass(kind, kinds) else "." for place, kinds in PLACES.items()}
    zone = photographer.zone_of(event)
    whole = kind, *(getattr(event, name) for name in kind.__match_args__)
    return marks | {
        "zone": "." if zone is None else zone.kind.value,
        "face": "x" if events.tiles_of(event) else ".",
        "key": "." if course.key_of(event) == whole else "x",
    }


def test_every_event_has_a_row() -> None:
    assert ROWS.keys() == KINDS.keys()


@pytest.mark.parametrize("name", KINDS)
def test_every_place_treats_the_event_as_its_row_says(name: str) -> None:
    assert found(name) == ROWS[name]


@pytest.mark.parametrize("name", KINDS)
def test_a_face_that_is_asked_for_is_filled_in(name: str) -> None:
    event = sample(KINDS[name])
    filled = questions.with_tile(event, Tile.S1)
    if events.tiles_of(event):
        assert Tile.S1 in events.tiles_of(filled)
        assert questions.unread_in(event) is not None
    else:
        assert filled == event


@pytest.mark.parametrize("name", KINDS)
def test_what_is_against_the_rules_is_told_in_words_and_not_by_a_name(name: str) -> None:
    told = questions._told(sample(KINDS[name]))
    assert name not in told.en + told.zh
    assert told.en != told.zh


@pytest.mark.parametrize("name", [kind.__name__ for kind in get_args(OfAHand)])
def test_before_any_hand_no_play_changes_the_table(name: str) -> None:
    event = sample(KINDS[name])
    assert apply(TableState(), event) == course.skim(TableState(), event) == TableState()
