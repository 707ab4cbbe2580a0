"""A rule set's rules beside the winning hand: birds, calls, eggs, ready, rounds, wall, stakes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from table_assist.languages.words import Words
from table_assist.rules.options import OnlyIf, Options
from table_assist.rules.settlement import Laid, LaidIn, Payment
from table_assist.rules.shown import (
    SEAT_COUNT,
    Antes,
    Circumstance,
    Claim,
    Offer,
    ReadyHand,
    ShownHand,
    check_seat,
)
from table_assist.rules.verdict import Birds, Refusal
from table_assist.rules.win import Condition
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, Tiles


class BirdReckoner(Protocol):
    """Says what turned tiles are worth to one winner."""

    def __call__(
        self,
        birds: Tiles,
        *,
        dealer: int,
        winner: int,
        discarder: int | None,
        options: Options,
    ) -> Birds:
        """Name the birds' seats and count the hits."""


@dataclass(frozen=True, slots=True)
class BirdRule:
    """Tiles turned up after a win.

    Attributes:
        count: how many.
        shared: whether several winners share them, under the options.
    """

    count: int
    reckon: BirdReckoner
    shared: Callable[[Options], bool]


@dataclass(frozen=True, slots=True)
class Opening:
    """A scoring pattern of the dealt hand, before the first discard.

    Attributes:
        only_if: the setting without which nothing scores.
    """

    id: str
    names: Words
    predicate: Callable[[Iterable[Tile], Options], bool]
    source: str
    only_if: OnlyIf = None


@dataclass(frozen=True, slots=True)
class LaidRule:
    """The payment rule of kongs and eggs, whoever wins.

    Attributes:
        pay: what all those of one hand come to.
        at_once: paid when laid; else at the end of the hand.
    """

    pay: Callable[[tuple[Laid, ...], LaidIn, Options], Payment]
    at_once: bool


@dataclass(frozen=True, slots=True)
class ClaimCondition:
    """A condition that forbids a call which the tiles would allow.

    Attributes:
        refuses: whether it does, for this tile and this claim.
        only_if: the setting without which it never does.
    """

    id: str
    refuses: Callable[[Offer, Claim, Options], bool]
    words: Words
    source: str
    only_if: OnlyIf = None


@dataclass(frozen=True, slots=True)
class ReadyCondition:
    """A condition on a hand that is declared ready, whatever it waits for.

    Attributes:
        first: it is named before what is wrong with the waits, else after.
        needs_tiles: it looks at the tiles in hand, which are not known at a real table.
        only_if: the setting without which it is always met.
    """

    id: str
    predicate: Callable[[ReadyHand, Options], bool]
    words: Words
    source: str
    first: bool = False
    needs_tiles: bool = False
    only_if: OnlyIf = None


READY = Words("Ready", "报听")


@dataclass(frozen=True, slots=True)
class ReadyRule:
    """Declaring a hand ready.

    Attributes:
        on_hand: asked of the tiles held.
        locks: a ready player makes no calls but wins.
        on_completion: asked of the hand that a waited tile would complete, beside what any win
            must have.
        kongs: whether a ready player may turn a closed triplet into a kong that keeps the waits.
        until: the number of the last discard with which it is declared; none for any.
        void: why a hand that won as a declared one could not have been declared ready; nothing
            if it could, or if nothing rests on it. None where the declaration itself counts.
        names: of the declaration.
    """

    on_hand: tuple[ReadyCondition, ...] = ()
    on_completion: tuple[Condition, ...] = ()
    kongs: Callable[[Options], bool] = lambda options: True
    locks: bool = True
    until: int | None = None
    void: Callable[[ShownHand, Options], tuple[Refusal, ...]] | None = None
    names: Words = READY


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended, as far as the next dealer depends on it.

    Attributes:
        winners: empty after a draw.
        last_drawer: who drew the last tile of the wall; none if nobody took it.
        last_offered: who was the last to pass on it.
    """

    dealer: int
    winners: tuple[int, ...] = ()
    discarder: int | None = None
    last_drawer: int | None = None
    last_offered: int | None = None


@dataclass(frozen=True, slots=True)
class WildRule:
    """Tiles that a turned tile makes wild.

    Attributes:
        kinds: what it makes wild, its own kind first: that one lacks the turned copy.
        roller: who rolls for the column of the turned tile, in seats from the dealer.
        melds: the melds that wild tiles may form.
    """

    kinds: Callable[[Tile], Tiles]
    roller: int
    melds: frozenset[MeldKind]


@dataclass(frozen=True, slots=True)
class ExchangeRule:
    """Tiles that every player passes on before play: so many, of one suit.

    Attributes:
        passed_to: how many seats on the die sends them.
    """

    count: int
    passed_to: Callable[[int, Options], int]


@dataclass(frozen=True, slots=True)
class AnteRule:
    """Stakes between the dealer and each other player, put down before the deal.

    Attributes:
        tokens: what each player has to challenge the dealer with, a round.
        factor: by which payments between two seats are multiplied: (antes, dealer, one, other,
            options).
    """

    tokens: int
    factor: Callable[[Antes, int, int, int, Options], int]


# The numbers of tiles taken, in order, with seats counted from the dealer.
Deal = tuple[tuple[int, int], ...]
FOURS: Deal = tuple(
    (seat, 4) for _ in range(3) for seat in range(SEAT_COUNT)
)  # with which it begins


@dataclass(frozen=True, slots=True)
class BreachRule:
    """A wall that is opened by two throws, with a box of replacement tiles beside the breach.

    Attributes:
        count: the stack that is lifted out, from the right-hand end: (first throw, second throw,
            options).
        loose: how many stacks back from it its lower and its upper tile are laid.
        box: tiles of the box, the loose ones included: (stacks counted off or none, options).
    """

    count: Callable[[int, int, Options], int]
    loose: Callable[[Options], tuple[int, int]]
    box: Callable[[int | None, Options], int]


Consequences = Mapping[str, bool | int | str]


@dataclass(frozen=True, slots=True)
class IrregularityRule:
    """Something against the rules of play, and what follows.

    Attributes:
        consequences: by what they concern: ``hand`` (live, dead, foul, short), ``pays``, ...
        aliases: plain names that somebody might look it up by.
    """

    id: str
    words: Words
    consequences: Consequences
    source: str
    aliases: tuple[str, ...] = ()

    def is_called(self, name: str) -> bool:
        """Whether that is its id or one of its plain names, however they are spelt."""
        plain = "_".join(name.lower().replace("-", " ").replace("_", " ").split())
        return plain in (self.id, *self.aliases) or name in (self.words.en, self.words.zh)


class Replaces(StrEnum):
    """The reason why a replacement tile is drawn."""

    KONG = "kong"
    EGG = "egg"
    BONUS = "bonus"


class WallEnd(StrEnum):
    """Where a replacement tile is taken from."""

    FRONT = "front"
    TAIL = "tail"
    BOX = "box"
    """The loose tiles, and what lies behind them."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """How the wall stands when a replacement tile is drawn.

    Attributes:
        live: tiles left to draw.
        dead: tiles that stay out of play.
        drawn: replacement tiles drawn before in this hand.
    """

    what: Replaces
    live: int
    dead: int
    drawn: int


def replaced_from_option(what: Replaces, options: Options) -> WallEnd:
    """Where the option ``kong_replacement_source`` says."""
    return WallEnd.TAIL if options["kong_replacement_source"] == "tail" else WallEnd.FRONT


class RollCounted(StrEnum):
    """How dice for a replacement tile are counted."""

    STACKS_FROM_TAIL = "count_stacks_from_tail"
    AS_WALL_BREAK = "as_wall_break"


@dataclass(frozen=True, slots=True)
class WallPlan:
    """How the wall is built, broken and dealt.

    Attributes:
        stacks: stacks of two before each seat, by the dealer's seat.
        first_side: the seat whose side counts as one when the dice are counted, from the dealer.
        dead: tiles at the tail that stay out of play.
        after_kongs: live and dead tiles after so many kongs: (live, dead, kongs, options).
        is_ending: whether the last stretch of the wall has begun, with rules of its own:
            (tiles left with the dead ones, dead ones among them, options).
        breach: how it is opened, where that takes two throws.
        deal_by: who takes how many tiles, where that is a matter of options.
        is_built: whether there is a wall; else heaps of cards, of which one throw names one.
        dealer_jumps: whether the dealer's last two tiles are the first and the fifth; the others
            take those between.
        handed_out: whether the dealer gives everybody their tiles.
        clockwise: whether the dice are counted clockwise round the table.
        dead_by: ``dead``, where it is a matter of options or of the stacks counted off.
        replacement: live and dead tiles after one replacement tile.
        replaced_from: where that tile lies.
        counted: what counts as left of the wall: (live tiles, dead ones, options).
        rolled: how dice for a kong's replacement are counted, where its player may throw them.
    """

    stacks: Callable[[int, Options], tuple[int, int, int, int]]
    first_side: Callable[[Options], int]
    deal: Deal
    dead: int = 0
    after_kongs: Callable[[int, int, int, Options], tuple[int, int]] | None = None
    is_ending: Callable[[int, int, Options], bool] | None = None
    breach: BreachRule | None = None
    deal_by: Callable[[Options], Deal] | None = None
    is_built: Callable[[Options], bool] = lambda options: True
    dealer_jumps: Callable[[Options], bool] = lambda options: False
    handed_out: Callable[[Options], bool] = lambda options: False
    clockwise: Callable[[Options], bool] = lambda options: False
    dead_by: Callable[[int | None, Options], int] | None = None
    replacement: Callable[[Replacement, Options], tuple[int, int]] = lambda one, options: (
        one.live - 1,
        one.dead,
    )
    replaced_from: Callable[[Replaces, Options], WallEnd] = lambda what, options: WallEnd.TAIL
    counted: Callable[[int, int, Options], int] = lambda live, dead, options: live
    rolled: Callable[[Options], RollCounted] | None = None


@dataclass(frozen=True, slots=True)
class Appended:
    """A tile to be appended to an egg.

    Attributes:
        drawn: it was drawn from the wall; else it is another player's discard.
        wall_remaining: tiles left to draw; none if not known.
    """

    egg: Tiles
    tile: Tile
    drawn: bool = True
    dealer_first_turn: bool = False
    wall_remaining: int | None = None


@dataclass(frozen=True, slots=True)
class EggRule:
    """Which eggs there are.

    Attributes:
        names: of each kind of egg, by id.
        kind_of: the id of the egg that tiles form, none if they form none.
        refuse: why a tile may not be appended; none if it may.
        needs_replacement: eggs of so many tiles need a replacement draw, as a kong does.
    """

    names: Mapping[str, Words]
    kind_of: Callable[[Sequence[Tile], Options], str | None]
    refuse: Callable[[Appended, Options], Refusal | None]
    needs_replacement: int = 4


# First tile and length of the rows in which a tile follows another.
_ROWS = ((Tile.M1, 9), (Tile.P1, 9), (Tile.S1, 9), (Tile.EAST, 4))
_DRAGONS = (Tile.GREEN, Tile.RED, Tile.WHITE)


def following(tile: Tile) -> Tile:
    """The next tile of the suit, the winds or the dragons; the last one leads to the first.

    Source: Changchun > Revealing the Treasure Tile; Tianjin > Wild Card Selection.

    >>> [str(following(tile)) for tile in (Tile.S3, Tile.P9, Tile.NORTH, Tile.WHITE)]
    ['4s', '1p', 'E', 'F']

    Raises:
        ValueError: a tile that is in no row: a bonus tile, or one without a face.
    """
    if tile in _DRAGONS:
        return _DRAGONS[(_DRAGONS.index(tile) + 1) % len(_DRAGONS)]
    for first, length in _ROWS:
        if first <= tile < first + length:
            return Tile(first + (tile - first + 1) % length)
    raise ValueError(f"no tile follows {tile}")


@dataclass(frozen=True, slots=True)
class TreasureRule:
    """How the treasure is found.

    Attributes:
        named_by: the kinds that a turned tile makes the treasure.
        fewest_tiles: with fewer tiles left none is turned.
        rushing_from: with so many tiles left, or more, one wins by the treasure alone.
        visible: so many treasures seen among discards and melds allow another throw.
    """

    named_by: Callable[[Tile, Options], Tiles]
    fewest_tiles: int
    rushing_from: int
    visible: int


def must_throw_again(dice: Sequence[int], columns: int) -> bool:
    """Whether the dice count more columns than the wall has left.

    Raises:
        ValueError: a die shows none of 1 to 6, or there are none.
    """
    if not dice or any(type(die) is not int or not 1 <= die <= 6 for die in dice):
        raise ValueError(f"the dice show {list(dice)}; each is 1 to 6")
    return sum(dice) > columns


class MarkedTile(StrEnum):
    """How a concealed triplet is told from one that was claimed (CL-67)."""

    NOT = ""
    MIDDLE_TURNED = "middle_turned"
    ONE_ON_TWO = "one_on_two"


@dataclass(frozen=True, slots=True)
class LyingTile:
    """A tile that shows its face.

    Attributes:
        concealed_kong_up: how many tiles of a concealed kong may do so, the usual number first.
        claimed_kong_tile_down: of a kong with a discard the claimed tile does not.
        discards_down: no discard does; who discards names the tile.
        marked: how the concealed triplets of a hand that is laid open are marked.
    """

    concealed_kong_up: tuple[int, ...] = (2,)
    claimed_kong_tile_down: bool = False
    discards_down: bool = False
    marked: MarkedTile = MarkedTile.NOT

    def faces(self, meld: Meld) -> Tiles:
        """The meld's tiles as they are seen: BACK face down, UNKNOWN where that may be either.

        >>> [str(tile) for tile in LyingTile().faces(Meld(MeldKind.KONG_CONCEALED, (Tile.M1,) * 4))]
        ['1m', '1m', '#', '#']
        """
        if meld.kind is MeldKind.KONG_CONCEALED:
            least, most = min(self.concealed_kong_up), max(self.concealed_kong_up)
            either = (Tile.UNKNOWN,) * (most - least)
            return (*meld.tiles[:least], *(Tile.BACK,) * (len(meld.tiles) - most), *either)
        if meld.is_unexposed:
            return ()
        if meld.kind is MeldKind.KONG_EXPOSED and self.claimed_kong_tile_down:
            return (*meld.tiles[:3], Tile.BACK)
        return meld.tiles + meld.supplements


class DeadHand(StrEnum):
    """Why a hand is dead."""

    LONG = "long"
    """Too many tiles, or a false win."""
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class HandValues:
    """Four hands as they are valued at the end, points and doubles done.

    Attributes:
        values: by seat, before the limit.
        winner: none after a draw.
        limit: no hand counts more; none for the one in the options.
        dead: seats whose hands are dead.

    Raises:
        ValueError: a seat is none, a value is negative, or the winner's hand is dead.
    """

    values: tuple[int, int, int, int]
    winner: int | None
    east: int
    limit: int | None = None
    dead: Mapping[int, DeadHand] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_seat("east", self.east)
        if self.winner is not None:
            check_seat("winner", self.winner)
        for seat in self.dead:
            check_seat("dead hand", seat)
        if min(self.values) < 0 or (self.limit is not None and self.limit < 0):
            raise ValueError(
                f"hands of {self.values} with the limit {self.limit}: none is negative"
            )
        if self.winner in self.dead:
            raise ValueError(f"the hand of seat {self.winner} is dead and cannot have won")


@dataclass(frozen=True, slots=True)
class LosingHand:
    """A hand that did not win, as it lies open for the settlement.

    Attributes:
        concealed: its tiles beside the melds.
        bonus: flowers and seasons laid out.
    """

    concealed: Tiles
    melds: tuple[Meld, ...]
    bonus: Tiles
    seat: int
    east: int
    prevailing: Tile
    circumstances: frozenset[Circumstance] = frozenset()

    def __post_init__(self) -> None:
        check_seat("seat", self.seat)
        check_seat("east", self.east)


@dataclass(frozen=True, slots=True)
class HandValue:
    """A hand's worth, before any limit.

    Attributes:
        steps: the arithmetic in words.
    """

    value: int
    steps: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a hand ended, as far as the next East and wind depend on it.

    Attributes:
        first_east: who was East in the first hand of the round.
        prevailing: the wind of the round.
        winner: none after a draw.
        streak: wins that East had in a row before this hand, draws aside.
    """

    east: int
    first_east: int
    prevailing: Tile
    winner: int | None = None
    streak: int = 0

    def __post_init__(self) -> None:
        check_seat("east", self.east)
        check_seat("first east", self.first_east)
        if self.winner is not None:
            check_seat("winner", self.winner)
        if not self.prevailing.is_wind:
            raise ValueError(f"the prevailing wind is {self.prevailing}; it is E, S, W or N")


@dataclass(frozen=True, slots=True)
class RoundNext:
    """The next hand's dealer and round.

    Attributes:
        east: none when the game is over.
        limit_hand: East has won so often that the hand counts as a limit hand.
    """

    east: int | None
    prevailing: Tile
    limit_hand: bool = False

    @property
    def game_over(self) -> bool:
        """All rounds are played."""
        return self.east is None


def own_wind(seat: int, east: int) -> Tile:
    """The wind of a seat.

    >>> str(own_wind(1, 3))
    'W'
    """
    return Tile(Tile.EAST + (seat - east) % SEAT_COUNT)
