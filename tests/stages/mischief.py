"""Offences against the rules on request: false wins, calls that are not the seat's.

Each function says what happens instead of what the rules want, as events; nothing if it cannot.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from table_assist.game.events import (
    Claimed,
    Event,
    HandShown,
    IrregularityNoted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.fold import replay
from table_assist.game.holding import is_late
from table_assist.game.in_force import rules_in_force
from table_assist.game.offered import who_won
from table_assist.game.rulings import after_refusal, offences
from table_assist.game.state import SEATS, TableState
from table_assist.game.win import barred
from table_assist.rules.play_rules import DeadHand
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.play.hand import HandPlay


@dataclass
class Mischief(HandPlay):
    """Players who do something against the rules, so often: 0-1.

    Attributes:
        false_wins: of the turns and of the discards, a hand is shown that does not win; it is
            taken up again, and play goes on as the rules have it.
        wrong_chows: of the discards, somebody takes one for a chow that only the next seat may.
        draws_out_of_turn: of the draws, the seat after the next one takes the tile and plays.
        second_draws: of the draws, another tile is drawn with it: one too many, and the hand is
            dead.
    """

    false_wins: float = 0.0
    wrong_chows: float = 0.0
    draws_out_of_turn: float = 0.0
    second_draws: float = 0.0

    def _chance(self, share: float) -> bool:
        """What never happens takes nothing from the random numbers."""
        return share > 0 and self.random.random() < share

    def tempt(self, seat: int, *, calls: bool = False) -> bool:
        """A false win; a chow that is somebody else's."""
        if not calls:
            if self._chance(self.false_wins):
                self.happen(*false_win(self.state, seat))
            return False
        if self.state.last_discard is not None and self._chance(self.false_wins):
            other = self.random.choice([each for each in SEATS if each != seat])
            self.happen(*false_win(self.state, other, self.state.last_discard[1]))
        wrong = wrong_chow(self.state, self.random) if self._chance(self.wrong_chows) else ()
        self.happen(*wrong)
        return bool(wrong)

    def draw(self, seat: int) -> None:
        """Out of turn, or two at once."""
        out_of_turn = self.state.wall_left > 1 and self._chance(self.draws_out_of_turn)
        seat = (seat + out_of_turn) % len(SEATS)
        super().draw(seat)
        if self.state.wall_left > 1 and self._chance(self.second_draws):
            super().draw(seat)
            self.happen(too_many(self.state, seat))


# As the rule set calls it, or else any table.
_TOO_MANY = ("fourteen_tiles_after_discard", "long_hand")


def false_win(state: TableState, seat: int, given: Tile | None = None) -> tuple[Event, ...]:
    """The seat shows a hand that does not win, and it is refused; nothing if it would win.

    Args:
        given: another player's tile that it is shown with; None for the seat's own draw.
    """
    own = state.seats[seat]
    rules = rules_in_force(state)
    held = own.concealed
    if not held or own.ready or barred(rules, state, seat) or is_late(state):
        return ()
    if given is None and (state.claimed or state.owed is not None):
        return ()
    tile = held[-1] if given is None else given
    tiles = held if given is None else (*held, given)
    shown = HandShown(seat, tuple(sorted(tiles)), tile, self_drawn=given is None)
    declared = (WinDeclared(seat), shown)
    after = replay(declared, state)
    refusals = who_won(rules, after).verdicts[seat].refusals
    if not refusals:
        return ()
    refused = WinRefused(seat, tuple(refusal.id for refusal in refusals))
    return (*declared, refused, *after_refusal(replay([refused], after), seat))


def too_many(state: TableState, seat: int) -> IrregularityNoted:
    """The note on a seat that holds a tile too many."""
    known = offences(rules_in_force(state))
    named = next(id for id in _TOO_MANY if id in known)
    return IrregularityNoted(seat, named, DeadHand.LONG)


def wrong_chow(state: TableState, random: Random) -> tuple[Event, ...]:
    """Somebody takes the last discard for a chow who is not next; nothing if nobody can."""
    if state.last_discard is None or state.wall_left == 0 or is_late(state):
        return ()
    if MeldKind.CHOW not in rules_in_force(state).meld_kinds:
        return ()
    giver, tile = state.last_discard
    found = [
        Claimed(seat, MeldKind.CHOW, run, giver)
        for seat in SEATS
        if seat not in (giver, (giver + 1) % len(SEATS)) and not state.seats[seat].ready
        for run in _runs(state, seat, tile)
    ]
    return (random.choice(found),) if found else ()


def _runs(state: TableState, seat: int, tile: Tile) -> Iterator[tuple[Tile, ...]]:
    held = state.seats[seat].concealed or ()
    if not tile.is_suited or tile in state.wilds:
        return
    for low in range(max(1, tile.number - 2), min(7, tile.number) + 1):
        run = tuple(Tile(tile - tile.number + number) for number in range(low, low + 3))
        if all(other in held and other not in state.wilds for other in run if other is not tile):
            yield run
