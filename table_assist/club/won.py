"""Hands as they were won, gathered beside a quick fold: tiles, melds, whose tile it was.

A whole fold of every hand costs forty times as much, and a club folds a season of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from table_assist.game.events import (
    Claimed,
    Discarded,
    EggAppended,
    EggLaid,
    Event,
    HandShown,
    HandStarted,
    HandTold,
    KongDeclared,
    Settled,
)
from table_assist.game.outcome import heading
from table_assist.game.people import People, by_person
from table_assist.languages.words import Words
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile

Four = tuple[int, int, int, int]
Tiles = tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Won:
    """A hand that somebody won; people as in `game.people`.

    Attributes:
        hand: its number at the table.
        t: when it was settled, by the table's clock.
        seq: of the entry that settled it.
        winner: a person.
        moved: by person, all that the settlement moved; with several winners theirs together.
        self_drawn: None where nobody has shown how it was won.
        giver: whose discard or kong it was won on; None for nobody's, and where it is not known.
        concealed: with the winning tile; empty where it is not known.
        melds: in the order laid.
        shown: the entry that laid the hand open; 0 where people told it.
        worth: what it is made of, line by line, as the table reckoned.
    """

    hand: int
    t: float
    seq: int
    winner: int
    moved: Four
    self_drawn: bool | None
    giver: int | None
    concealed: Tiles
    winning: Tile | None
    melds: tuple[Tiles, ...]
    worth: tuple[Words, ...]
    shown: int = 0


@dataclass(frozen=True, slots=True)
class Drawn:
    """A hand that nobody won: its number, when and by which entry it ended, what was paid."""

    hand: int
    t: float
    seq: int
    moved: Four


@dataclass(frozen=True, slots=True)
class InPlay:
    """The open tiles of the hand in play, by seat, as far as they tell how a hand is won.

    Attributes:
        giver: who put the last tile down that another may win.
    """

    melds: tuple[tuple[Tiles, ...], ...] = ((), (), (), ())
    giver: int | None = None
    shown: tuple[tuple[int, HandShown | HandTold], ...] = ()

    def after(self, event: Event, seq: int) -> "InPlay":
        """With another event, which is the entry of this number."""
        match event:
            case HandStarted():
                return InPlay()
            case Discarded(seat):
                return self if self.giver == seat and not self.shown else InPlay(self.melds, seat)
            case Claimed(seat, _, tiles) | EggLaid(seat, tiles):
                return self._with(seat, (*self.melds[seat], tiles))
            case KongDeclared():
                kong = replace(self._with(event.seat, _kong(self.melds[event.seat], event)))
                return replace(kong, giver=event.seat)
            case EggAppended(seat, egg, tile):
                eggs = [list(each) for each in self.melds[seat]]
                if egg < len(eggs):
                    eggs[egg].append(tile)
                return replace(self._with(seat, tuple(map(tuple, eggs))), giver=seat)
            case HandShown() | HandTold():
                return replace(self, shown=(*self.shown, (seq, event)))
            case _:
                return self

    def _with(self, seat: int, melds: tuple[Tiles, ...]) -> "InPlay":
        every = [melds if other == seat else own for other, own in enumerate(self.melds)]
        return replace(self, melds=tuple(every))

    def won(self, event: Settled, people: People, hand: int, seq: int, t: float) -> list[Won]:
        """The wins, one for each winner."""
        moved = by_person(event.transfers, people)
        return [self._won(event, seat, people, moved, (hand, seq, t)) for seat in event.winners]

    def _won(
        self, event: Settled, seat: int, people: People, moved: Four, of: tuple[int, int, float]
    ) -> Won:
        own = [each for each in self.shown if each[1].seat == seat]
        laid, shown = own[-1] if own else (0, None)
        melds, self_drawn, giver = self.melds[seat], None, None
        match shown:
            case HandShown():
                self_drawn, giver = shown.self_drawn, None if shown.self_drawn else self.giver
            case HandTold():
                melds = tuple(each.tiles + each.supplements for each in shown.melds)
                self_drawn, giver = shown.discarder is None, shown.discarder
        hand, seq, t = of
        return Won(
            hand, t, seq, people[seat], moved, self_drawn,
            None if giver is None or giver == seat else people[giver],
            () if shown is None else shown.concealed,
            None if shown is None else shown.winning_tile,
            melds, worth_of(event.steps, seat), laid if isinstance(shown, HandShown) else 0,
        )  # fmt: skip


def worth_of(steps: Sequence[Words], seat: int) -> tuple[Words, ...]:
    """The lines that say what a winner's hand is made of; none where the sum is told otherwise."""
    if (begins := heading(seat)) not in steps:
        return ()
    found = []
    for step in steps[steps.index(begins) + 1 :]:
        if "seat" in step.en.lower():
            break  # who pays whom, or another hand
        found.append(step)
    return tuple(found)


def _kong(melds: tuple[Tiles, ...], event: KongDeclared) -> tuple[Tiles, ...]:
    kong = (event.tile,) * 4
    if event.kind is not MeldKind.KONG_ADDED:
        return (*melds, kong)
    pung = next((n for n, each in enumerate(melds) if each == kong[:3]), None)
    if pung is None:
        return (*melds, kong)
    return (*melds[:pung], kong, *melds[pung + 1 :])
