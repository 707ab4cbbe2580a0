"""Whether the wall is as long as the record says, where its stacks can be counted at all."""

from table_assist.following.discrepancies import COUNTED_S
from table_assist.following.seen_table import turned_in_wall
from table_assist.game.doubt import Doubt
from table_assist.game.in_force import rules_in_force
from table_assist.game.places import columns_left
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.languages.words import Words
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.zones import ZoneKind

STACKS_AMISS = 3
# Of the stacks that stand so many may be unread: backs without seams.
UNREAD_SHARE = 0.25
# So many discards may have been missed of a hand that was played to the end of its wall.
MISSED = 4
# A wall of which more is missing than this was not seen whole.
WHOLE_SHARE = 0.1


class WallCount:
    """Remembers whether the stacks of this hand's wall are found.

    Backs without seams, and backs of the cloth's colour, are not found, or in part. Where a wall
    never counted up, or was rarely seen to, what is missing is what was not read, and nobody is
    asked: a few stacks that are left may count up by chance.
    """

    def __init__(self) -> None:
        self._hand = -1
        self._whole = self._short = 0  # looks at this hand's wall
        self._misread = 0  # of those at which it was short, how many were before the last whole one
        self._stacks = 0
        self._look_t = 0.0
        self._may_be_open = True  # a hand, as far as is seen

    def doubt(self, state: TableState, observation: Observation) -> Doubt | None:
        """The question about a wall that is much longer or shorter than is recorded."""
        stacks = _stacks(state, observation)
        self._look_t = observation.t
        self._may_be_open = any(
            sum(tile.tile.is_face for tile in observation.in_zone(ZoneKind.HAND, seat)) > 1
            or not observation.can_see(ZoneKind.HAND, seat)
            for seat in SEATS
        )
        if stacks is None:
            return None
        due = columns_left(state)
        self._count(state.hand, stacks, due)
        is_short = self._is_found and 2 * stacks >= due
        most = STACKS_AMISS if stacks >= due else max(STACKS_AMISS, UNREAD_SHARE * due)
        if abs(stacks - due) < most or (stacks < due and not is_short):
            return None
        text = Words(
            "The wall has {stacks} stacks, and by the record it should have {due}.",
            "牌墙现有 {stacks} 墩，按记录应有 {due} 墩。",
            stacks=stacks,
            due=due,
        )
        return Doubt(QuestionId(state.hand, QuestionKind.WALL), text, ("yes",), after_s=COUNTED_S)

    def is_gone(self, state: TableState, now: float) -> bool:
        """Whether it is seen at its end, no hand lies open, and the record lacks a few discards."""
        rest = columns_left(state) - (state.wall_left + 1) // 2  # of what nobody draws
        is_here = state.hand == self._hand and state.phase is Phase.PLAYING
        is_seen = self._is_found and self._whole > 0 and now - self._look_t < COUNTED_S
        if self._may_be_open or not is_seen:
            return False
        return is_here and 0 < state.wall_left <= MISSED and self._stacks <= rest

    @property
    def _is_found(self) -> bool:
        """Whether its stacks are mostly found, as long as they stand there."""
        return self._whole >= max(self._misread, 1)

    def _count(self, hand: int, stacks: int, due: int) -> None:
        self._stacks = stacks
        if hand != self._hand:
            self._hand, self._whole, self._short, self._misread = hand, 0, 0, 0
        if abs(stacks - due) <= WHOLE_SHARE * due:
            self._whole += 1
            self._misread = self._short  # by the record they stood there all the time
        elif stacks < due:
            self._short += 1


def _stacks(state: TableState, observation: Observation) -> int | None:
    """How many are seen in play; None where nobody could count them."""
    if state.phase is not Phase.PLAYING or not observation.can_see(ZoneKind.WALL):
        return None
    rules = rules_in_force(state)
    if not rules.wall.is_built(rules.chosen) or not any(each.discards for each in state.seats):
        return None
    lying = observation.in_zone(ZoneKind.WALL)
    if sum(tile.tile is Tile.UNKNOWN for tile in lying) >= STACKS_AMISS:
        return None  # backs of the cloth's colour, a mirrored light
    return sum(tile.tile is Tile.BACK for tile in lying) + len(turned_in_wall(observation))
