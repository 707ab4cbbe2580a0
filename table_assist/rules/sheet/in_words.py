"""Values for the names in a rule set's sentences, at the settings in force."""

from collections.abc import Mapping

from table_assist.languages.words import Words, WordsError
from table_assist.rules.ruleset import RuleSet

_THE_LAST = Words("the very last of the wall", "牌墙最后一张")
_BEFORE_BOX = Words("the one before the Kong Box", "岭上牌前的一张")


def named_in(rules: RuleSet) -> Mapping[str, Words]:
    """Every setting's value by its name, and what is told alike in every rule set."""
    named = {option.name: option.say(rules.chosen[option.name]) for option in rules.options}
    if "starting_points" in named:
        named["begins"] = _begins(rules)
    if "false_win_penalty" in named:
        amount = rules.chosen["false_win_amount"]
        costs = {
            "report_only": Words("is only noted", "只作记录"),
            "custom": Words(
                "costs {amount} to each other seat", "赔每家 {amount} 分", amount=amount
            ),
            "pay_minimum_to_each": Words("costs 2 to each other seat", "赔每家 2 分"),
            "dead_hand": Words("makes the hand dead", "即本局不能再和"),
        }
        named["costs"] = costs[str(rules.chosen["false_win_penalty"])]
    if rules.wall.dead_by is not None:
        named["last_tile"], named["at_end"] = _wall_end(rules)
    return named


def tiles_kept_back(rules: RuleSet) -> int | None:
    """Tiles at the wall's end that are not drawn in turn; none where the dice decide that."""
    if rules.wall.dead_by is None:
        return rules.wall.dead
    try:
        return rules.wall.dead_by(None, rules.chosen)
    except WordsError:
        return None


def _begins(rules: RuleSet) -> Words:
    points = rules.chosen["starting_points"]
    if not points:
        return Words("only what moves is counted", "只计输赢")
    return Words("everybody begins with {points}", "每人起始 {points} 分", points=points)


def _wall_end(rules: RuleSet) -> tuple[Words, Words]:
    """The last tile that is drawn in turn, and when a hand is drawn."""
    left = tiles_kept_back(rules)
    if left is None:
        return _BEFORE_BOX, Words("when the Kong Box is reached", "摸到岭上牌")
    if not left:
        return _THE_LAST, Words("when every tile is drawn", "牌全部摸完")
    return (
        Words("the {left}th from the end", "倒数第 {left} 张", left=left + 1),
        Words("with {left} tiles left", "余 {left} 张", left=left),
    )
