"""What counts otherwise than it lies: a kong marked wrongly, and what a referee noted of a hand."""

from dataclasses import replace

from table_assist.game.state import TableState
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Circumstance
from table_assist.tiles.melds import Meld, MeldKind


def melds_as_marked(rules: RuleSet, state: TableState, seat: int) -> tuple[Meld, ...]:
    """The seat's melds as they are scored (CL-46)."""
    melds = state.seats[seat].melds
    marked, concealed = _marked_wrongly(rules, state, seat), _concealed(melds)
    if not marked or marked < len(concealed):
        return melds
    return tuple(
        replace(meld, kind=MeldKind.KONG_EXPOSED) if at in concealed else meld
        for at, meld in enumerate(melds)
    )


def is_mark_unsure(rules: RuleSet, state: TableState, seat: int) -> bool:
    """Not every concealed kong of the seat was marked wrongly, and nobody said which."""
    return 0 < _marked_wrongly(rules, state, seat) < len(_concealed(state.seats[seat].melds))


def _concealed(melds: tuple[Meld, ...]) -> list[int]:
    return [at for at, meld in enumerate(melds) if meld.kind is MeldKind.KONG_CONCEALED]


def _marked_wrongly(rules: RuleSet, state: TableState, seat: int) -> int:
    """How often that was noted of the seat."""
    if rules.irregularities is None:
        return 0
    noted = [event.irregularity for event in state.noted if event.seat == seat]
    return sum(
        noted.count(irregularity.id)
        for irregularity in rules.irregularities(rules.chosen)
        if irregularity.consequences.get("scored_as") == "exposed_kong"
    )


# Notes on a hand that are a circumstance of it, for who types or tells it, too (CL-67).
_CIRCUMSTANCES = {
    "triplets_not_marked": Circumstance.TRIPLETS_UNMARKED,
    "winning_tile_into_hand": Circumstance.TILE_INTO_HAND,
}


def noted_of(state: TableState, seat: int) -> frozenset[Circumstance]:
    """What a referee noted of how the seat's hand was laid down."""
    notes = [event.irregularity for event in state.noted if event.seat == seat]
    return frozenset(_CIRCUMSTANCES[note] for note in notes if note in _CIRCUMSTANCES)
