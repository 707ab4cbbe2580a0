"""The state of the table: what `fold.apply` makes of the events.

What only some rule sets have stands at its default in the others. A seat's concealed tiles are
known where the program deals them (simulated hands) or they lie open; at a real table they are not.
"""

import dataclasses
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from table_assist.game import events as facts
from table_assist.game.people import FIRST_SEATS, Names, People
from table_assist.rules.options import OptionValue
from table_assist.rules.play_rules import DeadHand, Replaces
from table_assist.rules.settlement import Laid
from table_assist.rules.shown import Antes
from table_assist.rules.verdict import NO_TRANSFERS as NO_TRANSFERS
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, Tiles

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(was, **changes):
        """As that of dataclasses; of what is without slots, as a table is, 30 times as fast."""
        if not hasattr(was, "__dict__"):
            return dataclasses.replace(was, **changes)
        made = object.__new__(type(was))
        vars(made).update(vars(was), **changes)
        return made


SEATS = range(4)
NO_ANTES = Antes()


class Phase(StrEnum):
    """Where the evening stands."""

    WAITING = "waiting"  # no wall yet, or tiles are being washed
    WALL_READY = "wall_ready"
    PLAYING = "playing"
    SHOWING = "showing"  # at least one win is declared and not yet settled
    SETTLED = "settled"


@dataclass(frozen=True)
class SeatState:
    """The tiles before one player.

    Attributes:
        river: own discards that nobody claimed, oldest first.
        discards: how many tiles the player has discarded in this hand.
        ready: the player declared ready.
        ready_discard: the number of the discard it was declared with, from 1; 0 for none.
        ready_after: how many discards all seats together had made when it was declared.
        ready_melds: how many of the melds lay there when it was declared.
        concealed: the tiles in hand, unread ones as UNKNOWN; None where they are not followed.
        bonus: flowers and seasons laid out.
        dead: why the hand is dead.
        seen: what others have discarded since the player's last turn.
        thrown: what the player has discarded since it last drew.
        changed: the player has changed the hand that it had declared ready.
    """

    melds: tuple[Meld, ...] = ()
    river: Tiles = ()
    discards: int = 0
    ready: bool = False
    ready_discard: int = 0
    ready_after: int = 0
    ready_melds: int = 0
    concealed: Tiles | None = None
    bonus: Tiles = ()
    dead: DeadHand | None = None
    seen: Tiles = ()
    thrown: Tiles = ()
    changed: bool = False

    @property
    def eggs(self) -> list[Meld]:
        """The lucky eggs among the melds, the oldest first."""
        return [meld for meld in self.melds if meld.kind is MeldKind.LUCKY_EGG]


Seats = tuple[SeatState, ...]


@dataclass(frozen=True, slots=True)
class Robbable:
    """A tile that another player may still win, or take from an egg.

    Attributes:
        kind: what it was added to; a concealed kong where the rules let one be robbed.
        egg: which of the seat's eggs it is, from 0; None where that is not known.
    """

    seat: int
    tile: Tile
    kind: MeldKind
    egg: int | None = None


@dataclass(frozen=True, slots=True)
class Rolled:
    """A replacement tile whose place dice named.

    Attributes:
        tile: its place in the order of drawing, from 0 at the break, the top tile of a stack first.
        throws: how many such throws of this hand are used up with it.
        from_tail: how many tiles had left the tail before.
    """

    tile: int
    throws: int
    from_tail: int


@dataclass(frozen=True)
class Wall:
    """The wall after the deal.

    Attributes:
        left: tiles not yet drawn, as far as events tell.
        dead: tiles that stay out of play.
        from_front: tiles that left its front, the dealt ones included.
        from_tail: replacement tiles that were taken from its tail or box.
        rolled: replacement tiles that were taken from where dice said.
        aside: places, as in `Rolled`, of tiles that were looked at and lie beside the wall.
        boxed: the tile that was drawn last came out of the box, beside the tiles of the game.
    """

    left: int = 0
    dead: int = 0
    from_front: int = 0
    from_tail: int = 0
    rolled: tuple[Rolled, ...] = ()
    aside: tuple[int, ...] = ()
    boxed: bool = False

    @property
    def has_holes(self) -> bool:
        """Tiles left it elsewhere than at its two ends."""
        return bool(self.rolled or self.aside)


@dataclass(frozen=True, slots=True)
class Game:
    """The bounds of a game: where it begins and ends.

    Attributes:
        points: what every seat began with.
        floor: a seat below it ends the game; None where there is none.
        length: so many hands end the game; 0 where any number may be played.
        since: the number of the last hand before it.
        played: its hands that were won or drawn.
    """

    points: int = 0
    floor: int | None = None
    length: int = 0
    since: int = 0
    played: int = 0

    def is_over(self, scores: facts.Transfers) -> bool:
        """Whether what was agreed ends it."""
        fallen = self.floor is not None and min(scores) < self.floor
        return fallen or 0 < self.length <= self.played


@dataclass(frozen=True)
class TableState:
    """Everything known about the table.

    Attributes:
        options: of the rule set, as they differ from its defaults in this hand.
        antes_placed: stakes for the next hand were placed, or passed over.
        turn: who must discard, or who draws next.
        holder: the seat that holds its extra tile and must discard; None: `turn` draws first.
        claimed: the holder's extra tile was another player's, and not drawn.
        drawn_tile: the holder's extra tile where it was drawn and is known.
        last_drawer: who took the latest tile from the wall; None before the first draw.
        turns_lost: seats whose next turn to draw or to chow passes them over.
        last_discard: (seat, tile) as long as it can be claimed.
        first_of_two: what the seat discarded just before, without a turn of its own between.
        owed: what the holder draws a replacement for, once nobody has robbed the tile.
        unnamed: for each replacement tile counted whose face was not told, the seat.
        replacing: what those tiles were drawn for.
        after_kong: the seat whose last draw replaced a kong and has not discarded since.
        kong_discarder: the last discard was this seat's, made right after its own kong.
        robbable: the tile that the last event put down to a kong or an egg.
        readied: the seats that declared ready, the first one first.
        seeking: dice for an indicator that is not turned yet.
        throws: of this hand, or for the one that is being prepared.
        turned_wrongly: a treasure was thrown for or turned when none might be.
        late_openings: seats that showed a dealt hand when play had begun: it is not paid.
        first_discards: (seat, tile) in order, as long as each seat has made one at most.
        called: somebody has laid a meld in this hand.
        laid: kongs and eggs in the order laid, with what became of them.
        declared: seats whose declared win is open, in the order declared.
        shown: hands shown so far in this win. What a self-drawn hand drew is not yet taken from
            the wall: a hand may turn out to have been won otherwise.
        told: hands that people told, shown or laid down; how they came about is as they say.
        old_birds: turned after a win of this hand that was refused; they may still lie there.
        passed_on: seats that left the last tile of the wall to the next.
        dealer_next: who deals next; None before the first hand or when the players choose.
        prevailing_next: the wind of the next hand.
        dealt: seats that have dealt since the stakes' round began.
        spent: tokens that each seat has put down in that round.
        streak: how many hands in a row the dealer has dealt, this one included.
        east_wins: how many hands in a row the dealer has won, draws aside.
        people: by seat, who sits there: the seat in which that player began the record.
        reseated: they took these seats since the last hand.
        names: by person, as they said themselves; empty for who has not.
        agreed: the words that were given on phones in this hand, and not taken back.
        questions: open ones, oldest first.
    """

    rules: str = ""
    profile: str = ""
    hash: str = ""
    options: tuple[tuple[str, OptionValue], ...] = ()
    hand: int = 0
    phase: Phase = Phase.WAITING
    dealer: int = 0
    prevailing: Tile = Tile.EAST
    first_east: int = 0
    antes: Antes = NO_ANTES
    antes_next: Antes = NO_ANTES
    antes_placed: bool = False
    turn: int = 0
    holder: int | None = None
    claimed: bool = False
    drawn_tile: Tile = Tile.UNKNOWN
    wall: Wall = Wall()
    last_drawer: int | None = None
    turns_lost: tuple[int, ...] = ()
    last_discard: tuple[int, Tile] | None = None
    first_of_two: Tile | None = None
    owed: Replaces | None = None
    unnamed: tuple[int, ...] = ()
    replacing: Replaces | None = None
    after_kong: int | None = None
    kong_discarder: int | None = None
    robbable: Robbable | None = None
    readied: tuple[int, ...] = ()
    seeking: tuple[int, ...] = ()
    throws: tuple[facts.DiceRolled, ...] = ()
    exchanged: bool = False
    indicators: tuple[facts.IndicatorTurned, ...] = ()
    wilds: Tiles = ()
    treasures: Tiles = ()
    turned_wrongly: bool = False
    openings: tuple[facts.StartingHandShown, ...] = ()
    late_openings: tuple[int, ...] = ()
    first_discards: tuple[tuple[int, Tile], ...] = ()
    called: bool = False
    laid: tuple[Laid, ...] = ()
    passed_on: tuple[int, ...] = ()
    seats: Seats = (SeatState(),) * 4
    declared: tuple[int, ...] = ()
    shown: tuple[facts.HandShown, ...] = ()
    laid_down: tuple[facts.HandLaidDown, ...] = ()
    told: tuple[facts.HandTold, ...] = ()
    refused: tuple[facts.WinRefused, ...] = ()
    noted: tuple[facts.IrregularityNoted, ...] = ()
    birds: Tiles = ()
    old_birds: Tiles = ()
    scores: facts.Transfers = NO_TRANSFERS
    last_transfers: facts.Transfers = NO_TRANSFERS
    settled: facts.Settled | None = None
    dealer_next: int | None = None
    prevailing_next: Tile = Tile.EAST
    first_east_next: int = 0
    streak: int = 0
    dealt: frozenset[int] = frozenset()
    spent: facts.Transfers = NO_TRANSFERS
    east_wins: int = 0
    game_over: bool = False
    game: Game = Game()
    people: People = FIRST_SEATS
    reseated: bool = False
    names: Names = ("", "", "", "")
    agreed: tuple[facts.Agreed, ...] = ()
    questions: tuple[facts.Asked, ...] = ()

    @property
    def spent_now(self) -> facts.Transfers:
        """The tokens that each seat has put down; none yet once all seats have dealt."""
        return NO_TRANSFERS if len(self.dealt) == len(SEATS) else self.spent

    @property
    def wall_left(self) -> int:
        """Tiles left to draw, as far as events tell."""
        return self.wall.left

    @property
    def dice(self) -> facts.DiceRolled | None:
        """The last throw of this hand, or for the one that is being prepared."""
        return self.throws[-1] if self.throws else None

    @property
    def is_running(self) -> bool:
        """A hand is being played, or its wins are being shown."""
        return self.phase in (Phase.PLAYING, Phase.SHOWING)

    @property
    def first_ready(self) -> int | None:
        """The seat that declared ready before the others; None if none has."""
        return self.readied[0] if self.readied else None

    @property
    def given_up(self) -> tuple[int, Tile] | None:
        """The (seat, tile) that another seat may win now."""
        if self.robbable is not None:
            return self.robbable.seat, self.robbable.tile
        return self.last_discard

    def hand_size(self, seat: int) -> int:
        """Tiles the seat should hold concealed right now, melds not counted."""
        holds = self.holder == seat and self.owed is None
        return self.waiting_size(seat) + holds

    def waiting_size(self, seat: int) -> int:
        """Tiles the seat holds concealed while it waits for one."""
        return 13 - 3 * len(self.seats[seat].melds)
