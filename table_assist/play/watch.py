"""What must hold after every event of a hand that is played by the rules.

``Watch(deck)`` is told of each event; `Broken` says in one sentence what does not hold.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from table_assist.game.events import Event
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import irregularities
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.play.deck import Deck
from table_assist.tiles import Tile


class Broken(AssertionError):
    """Something that must hold does not."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Checks each event of a hand and the state after it.

    Attributes:
        deck: the wall in play, as it is at the moment.
    """

    deck: Callable[[], Deck]

    def __call__(self, before: TableState, event: Event, after: TableState) -> None:
        """Check one event.

        Raises:
            Broken: with the event and what is wrong.
        """
        flagged = irregularities(before, event)
        if flagged:
            raise Broken(f"{event} is flagged {list(flagged)}")
        if sum(after.scores):
            raise Broken(f"after {event} the scores are {after.scores}")
        if after.phase is Phase.PLAYING:
            self._check_tiles(event, after)
            self._check_sizes(event, after)

    def _check_tiles(self, event: Event, state: TableState) -> None:
        """Every tile of the set is somewhere, once; unnamed replacements lie in the wall still."""
        rules = rules_in_force(state)
        there = Counter(self.deck().rest)
        for seat in state.seats:
            there.update(tile for tile in seat.concealed or () if tile is not Tile.UNKNOWN)
            there.update(seat.bonus)
            there.update(seat.river)
            for meld in seat.melds:
                there.update(meld.tiles + meld.supplements)
        there.update(state.birds)
        wanted = Counter(
            {tile: rules.copies_of(tile) for tile in (*rules.kinds, *rules.bonus_tiles)}
        )
        if there != wanted:
            lost, extra = wanted - there, there - wanted
            raise Broken(f"after {event} {dict(lost)} is missing and {dict(extra)} too many")

    def _check_sizes(self, event: Event, state: TableState) -> None:
        in_wall = len(self.deck().rest) - len(state.unnamed)
        if state.wall.left + state.wall.dead != in_wall:
            raise Broken(f"after {event} {in_wall} tiles lie in the wall, not {state.wall}")
        for seat in SEATS:
            held = state.seats[seat].concealed
            if held is None or len(held) != state.hand_size(seat):
                raise Broken(
                    f"after {event} seat {seat} holds {held}, not {state.hand_size(seat)} tiles"
                )
