"""Dice that only the camera sees: which throw is a new one."""

from table_assist.game.course import next_step
from table_assist.game.events import Throw
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import Phase, TableState
from table_assist.rules.ruleset import RuleSet
from table_assist.vision.table.observation import Observation

# Dice that have moved by more were picked up.
THROWN_MM = 15.0
# Looks in which all dice lay at the same places.
STILL_LOOKS = 3
# How many dice are thrown; who threw for the dealer only people can say.
_DICE = {Throw.UNSAID: 0, Throw.DEALER: 0, Throw.EXCHANGE: 1}
Places = tuple[tuple[int, float, float], ...]


class DiceWatch:
    """Remembers how the dice lay when they were last taken for a throw."""

    def __init__(self) -> None:
        self._taken: Places | None = None
        self._lying: Places = ()
        self._looks = 0

    def thrown(self, observation: Observation, due: int) -> tuple[int, ...]:
        """The values of a new throw that lies still; empty as long as there is none.

        Dice that lay there before anything was watched are no throw.

        Args:
            due: how many dice are thrown now; 0 for none.
        """
        lying = tuple(
            sorted((die.value, die.x_mm, die.y_mm) for die in observation.seen_dice if die.value)
        )
        is_whole = len(lying) == len(observation.seen_dice)
        self._looks = self._looks + 1 if is_whole and _same(lying, self._lying) else 0
        self._lying = lying
        if self._taken is None or not lying:
            self._taken = lying if self._taken is None else self._taken
            return ()
        if self._looks < STILL_LOOKS or _same(lying, self._taken):
            return ()
        self._taken = lying
        values = tuple(value for value, _, _ in lying)
        return values if due and len(values) == due else ()


def _same(one: Places, other: Places) -> bool:
    """The same dice, none of which was picked up."""
    if [value for value, _, _ in one] != [value for value, _, _ in other]:
        return False
    return all(
        abs(a[1] - b[1]) < THROWN_MM and abs(a[2] - b[2]) < THROWN_MM
        for a, b in zip(one, other, strict=True)
    )


def dice_due(rules: RuleSet, state: TableState) -> tuple[int, int]:
    """(seat, how many dice) of the throw that is due; 0 dice where none is.

    Args:
        rules: those of the next hand.
    """
    if state.is_running:
        rules = rules_in_force(state)
    step = next_step(rules, state)
    ready = state.first_ready
    if step.throw is Throw.UNSAID and rules.treasure is not None and ready is not None:
        seeks = state.phase is Phase.PLAYING and not state.indicators
        return ready, 2 * seeks
    seat = step.seats[0] if step.seats else 0
    return seat, _DICE.get(step.throw, 2)
