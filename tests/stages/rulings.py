"""What the rules say of one irregularity."""

from table_assist.game.rulings import NAMED, Ruling, rulings
from table_assist.rules.ruleset import RuleSet


def ruling_of(rules: RuleSet, id: str, *, seat: int, dealer: int, on_turn: bool = True) -> Ruling:
    """By the rule set's own id, or by the common one."""
    all_of_them = rulings(rules, seat=seat, dealer=dealer, on_turn=on_turn)
    known = {each.irregularity: each for each in all_of_them}
    return known.get(id) or known[NAMED.get(id, id)]
