"""What each value of a setting says, and what it does: `python -m tests.rules.meanings`.

A sheet can be printed without a fault and say the contrary of what is paid. No program sees that;
who reads these files does. A test refuses words or payments that are not those that were read.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from table_assist.languages.words import Words
from table_assist.rules.house.shown_hands import OTHER_AMOUNTS, shown_hands
from table_assist.rules.options import Option, OptionValue
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.sheet import named_in

FOLDER = Path(__file__).parents[1] / "golden" / "meanings"


def values_of(option: Option) -> tuple[OptionValue, ...]:
    """Every value; of an amount its default and the other one that is shown."""
    if not isinstance(option.values, range):
        return option.values
    other = OTHER_AMOUNTS.get(option.name)
    return (option.default,) if other is None else (option.default, other)


def meanings(rules: RuleSet) -> str:
    """Setting by setting: the question, each value's words, the laws that it changes, the hands."""
    return "\n\n".join("\n".join(_of(rules, option)) for option in rules.options) + "\n"


def _of(rules: RuleSet, option: Option) -> Iterator[str]:
    values, hands = values_of(option), shown_hands(rules, option)
    said = {value: _laws(rules.with_options({option.name: value}), option) for value in values}
    common = set.intersection(*map(set, said.values())) if len(values) > 1 else set()
    yield f"{option.name}: {_both(option.words)}"
    for hand in hands:
        yield f"  shown: {' '.join(each.en for each in hand.situation)}"
    for value in values:
        yield f"  = {value}: {_both(option.say(value))}"
        yield from (f"      law: {law}" for law in said[value] if law not in common)
        yield from (f"      hand: {_both(dict(hand.outcomes)[value])}" for hand in hands)


def _laws(rules: RuleSet, option: Option) -> list[str]:
    """The laws on which the setting bears, as they are in force."""
    return [
        f"{'(not played) ' if not law.in_force(rules.chosen) else ''}"
        f"{_both(law.say(named_in(rules), rules.chosen))}"
        for law in rules.laws
        if option.name in law.bearing
    ]


def _both(words: Words) -> str:
    return f"{words.en} | {words.zh}"


if __name__ == "__main__":
    argparse.ArgumentParser("python -m tests.rules.meanings", description=__doc__).parse_args()
    FOLDER.mkdir(exist_ok=True)
    for each in rule_sets():
        (FOLDER / f"{each.id}.txt").write_text(meanings(each), encoding="utf-8")
