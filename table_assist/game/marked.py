"""Kongs that count otherwise than they were declared: a wrongly marked one is an exposed one."""

from dataclasses import replace

from table_assist.game.state import TableState
from table_assist.rules.ruleset import RuleSet
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
    if rules.irregularities is None or not state.noted:
        return 0
    ids = {
        irregularity.id
        for irregularity in rules.irregularities(rules.chosen)
        if irregularity.consequences.get("scored_as") == "exposed_kong"
    }
    return sum(event.seat == seat and event.irregularity in ids for event in state.noted)
