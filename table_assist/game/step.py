"""One thing that is to be done at the table, and how it is said."""

from dataclasses import dataclass
from enum import StrEnum

from table_assist.game.events import Throw
from table_assist.game.places import Spot
from table_assist.languages.words import Plural, Words, joined, same


class Act(StrEnum):
    """A step's action."""

    CHOOSE_DEALER = "choose_dealer"
    ROLL_FOR_DEALER = "roll_for_dealer"
    PLACE_ANTES = "place_antes"
    BUILD_WALL = "build_wall"
    ROLL_TO_BREAK = "roll_to_break"
    ROLL_AGAIN_TO_BREAK = "roll_again_to_break"
    DEAL = "deal"
    LAY_BONUS = "lay_bonus"
    EXCHANGE = "exchange"
    TURN_INDICATOR = "turn_indicator"
    DRAW = "draw"
    TAKE_LAST_TILE = "take_last_tile"
    REPLACE = "replace"
    PLAY = "play"
    SHOW_HANDS = "show_hands"
    REFUSE_WIN = "refuse_win"
    TURN_BIRDS = "turn_birds"
    SETTLE = "settle"
    NOBODY_WINS = "nobody_wins"
    GAME_OVER = "game_over"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is to be done.

    Attributes:
        seats: who does it; several where each of them does.
        words: what it is, as it is said at the table; seats by their numbers.
        spot: the tile of the wall that it is about, where the dice are known.
        throw: what dice are thrown for in it.
    """

    act: Act
    seats: tuple[int, ...]
    words: Words
    spot: Spot | None = None
    throw: Throw = Throw.UNSAID


def seat_words(seat: int) -> Words:
    """A seat as all rules may name it."""
    return Words("seat {seat}", "座位 {seat} ", seat=seat)


def seats_words(seats: tuple[int, ...]) -> Words:
    """Several seats."""
    return Plural(
        len(seats),
        "seat {seats}",
        "seats {seats}",
        "座位 {seats} ",
        seats=joined(same(str(seat)) for seat in seats),
    )


def at_words(spot: Spot | None) -> Words:
    """Where a tile lies, behind what is done with it; nothing where that is not known."""
    if spot is None:
        return Words("", "")
    return Words(": {words}", "：{words}", words=spot.words)
