"""What a page asks about a hand that is told, answered with what was so in the followed one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from table_assist.game.events import HandShown, HandTold
from table_assist.game.in_force import rules_in_force
from table_assist.game.offered import who_won
from table_assist.game.side_payments import what_was_laid
from table_assist.game.state import TableState
from table_assist.game.told_facts import with_implied
from table_assist.game.win import declared_hand, noted_of
from table_assist.languages.words import View
from table_assist.rules.settlement import Laid
from table_assist.rules.shown import Circumstance
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, parse_tile


@dataclass
class Answers:
    """What was so, for one telling."""

    end: TableState
    hand: HandTold
    shown: HandShown | None
    melds: list[Meld]
    as_it_lay: bool
    chased: bool

    def to(self, asks: Iterable[View]) -> HandTold:
        """The hand with the answers to just these questions."""
        answered = self.hand
        for ask in asks:
            answered = self._answered(answered, ask)
        return with_implied(answered)

    def _answered(self, told: HandTold, ask: View) -> HandTold:
        kind, name = ask["kind"], ask["name"]
        if kind == "circumstance":
            return self._toggled(told, name)
        if kind == "indicator":
            return told
        if kind == "giver":
            givers = [*told.claimed_from, *[None] * len(told.melds)][: len(told.melds)]
            givers[int(name)] = self._giver(self.melds[int(name)])
            return replace(told, claimed_from=tuple(givers))
        if kind == "egg":
            return replace(
                told,
                melds=tuple(
                    self.melds[int(name)] if at == int(name) else meld
                    for at, meld in enumerate(told.melds)
                ),
            )
        values = [choice["value"] for choice in ask["choices"]]
        if kind == "undoes":
            return replace(told, undoes=self._undone(values))
        shown = declared_hand(self.end, self._win)
        truth = {"wall_left": shown.wall_remaining, "discard_round": shown.discard_round}[kind]
        assert truth is not None
        return replace(told, **{kind: next((v for v in values if truth <= v), values[-1])})

    @property
    def _win(self) -> HandShown:
        assert self.shown is not None, "only of a win"
        return self.shown

    def _toggled(self, told: HandTold, name: str) -> HandTold:
        if name == "chased":
            return replace(told, chased=self.chased)
        if name.startswith("broken "):
            at = int(name.split()[1])
            return replace(told, broken=(*told.broken, at)) if self._is_broken(at) else told
        circumstance = Circumstance(name)
        if self.shown is None:
            so = noted_of(self.end, told.seat)
        else:
            so = declared_hand(self.end, self.shown).circumstances
        if circumstance is Circumstance.AFTER_BONUS and self.end.wall.boxed:
            so |= {circumstance} - {Circumstance.AFTER_KONG in so and circumstance}
        if circumstance not in so:
            return told
        return replace(told, circumstances=(*told.circumstances, circumstance))

    def _giver(self, meld: Meld) -> int | None:
        return next(
            laid.discarder
            for laid in self.end.laid
            if laid.seat == self.hand.seat and laid.tiles == meld.tiles
        )

    def _is_broken(self, at: int) -> bool:
        """Another player took a tile of this egg: before, or with the win that is shown already."""
        number = number_of_egg(self.melds, at)
        eggs = [laid for laid in self.end.laid if laid.seat == self.hand.seat and laid.is_egg]
        robbed = self.end.robbable
        now = (
            robbed is not None
            and not self.as_it_lay
            and is_robbed(self.end)
            and (robbed.seat, robbed.kind, robbed.egg)
            == (self.hand.seat, MeldKind.LUCKY_EGG, number)
        )
        return now or eggs[number].robbed

    def _undone(self, values: list[str]) -> tuple[Tile, ...]:
        """Which of these it is, by what the followed hand has undone."""
        rules = rules_in_force(self.end)
        winners = who_won(rules, self.end).winners
        marked = [
            laid
            for old, laid in zip(
                self.end.laid, what_was_laid(rules, self.end, winners), strict=True
            )
            if _marks(laid) != _marks(old)
        ]
        faces = sorted(marked[0].tiles) if marked else []
        found = [value for value in values if _holds(_parse_all(value), faces)]
        return _parse_all(found[0]) if found else _parse_all(values[-1])


def _marks(laid: Laid) -> tuple[Any, ...]:
    return laid.robbed, laid.robbed_by, laid.won_on_next_discard_by


def _holds(tiles: Sequence[Tile], faces: Sequence[Tile]) -> bool:
    left = list(tiles)
    for face in faces:
        if face not in left:
            return False
        left.remove(face)
    return True


def _parse_all(text: str) -> tuple[Tile, ...]:
    return tuple(parse_tile(each) for each in text.split())


def number_of_egg(melds: Sequence[Meld], at: int) -> int | None:
    if melds[at].kind is not MeldKind.LUCKY_EGG:
        return None
    return sum(meld.kind is MeldKind.LUCKY_EGG for meld in melds[:at])


def as_it_looks(meld: Meld) -> Meld:
    """As it lies: nobody sees which tiles were put to an egg."""
    if meld.kind is not MeldKind.LUCKY_EGG:
        return meld
    return Meld(meld.kind, tuple(sorted((*meld.tiles, *meld.supplements))))


def is_robbed(end: TableState) -> bool:
    """Whether a shown win took another's tile."""
    return any(not (hand.self_drawn or hand.rush) for hand in end.shown)
