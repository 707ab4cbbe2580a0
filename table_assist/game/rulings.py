"""Offences that may be noted at a table, and what follows a win that was declared and is none."""

from table_assist.game.events import Event, IrregularityNoted, Penalised
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.languages.words import SPACE, joined
from table_assist.rules.play_rules import DeadHand
from table_assist.rules.reckoning import false_win
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import NO_TRANSFERS, book_data


def offences(rules: RuleSet) -> frozenset[str]:
    """The ids of all that may be noted: what the rule set names, then what it does not."""
    named = () if rules.irregularities is None else rules.irregularities(rules.chosen)
    own = {each.id for each in named}
    anywhere: dict[str, str] = book_data("common.toml")["offences"]
    return frozenset(own | {id for id, in_book in anywhere.items() if in_book not in own})


def after_refusal(state: TableState, seat: int, rules: RuleSet | None = None) -> tuple[Event, ...]:
    """The events that the rules add to a refusal; none where they leave it to the referee."""
    rules = rules_in_force(state) if rules is None else rules
    penalty = penalty_event(state, seat, rules)
    id = None if rules.dead_by_false_win is None else rules.dead_by_false_win(rules.chosen)
    return (
        *(() if penalty is None else (penalty,)),
        *(() if id is None else (IrregularityNoted(seat, id, DeadHand.LONG),)),
    )


def penalty_event(state: TableState, seat: int, rules: RuleSet | None = None) -> Penalised | None:
    """The penalty for the seat's false win; None where it costs no points."""
    rules = rules_in_force(state) if rules is None else rules
    penalty = false_win(rules, seat=seat, dealer=state.dealer)
    if penalty.transfers == NO_TRANSFERS:
        return None
    return Penalised(penalty.transfers, joined(penalty.steps, SPACE))
