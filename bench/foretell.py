"""``python -m bench trials``: how well a trial foretells an evening at the same table.

A table here is one camera and one measured look (`bench/live/eyes_world.json`), with its errors as
often as measured, or several times as often: most measured tables are good ones. At each a trial
is laid, then hands are played in rows and in a heap; limits are fitted on half of the tables, and
what they say of the other half is counted.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

from bench.live.evening import EveningTable, follow_evening
from bench.live.eyes import CAMERAS, ModelledEyes, dresses_of, rates_of
from bench.live.rates import MeasuredRates, Outcomes, Rates, Way, load_rates, rates_path
from bench.simulated_trial import lay_trial
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.demo.compare import HandFigures
from table_assist.twin.world import WorldLooks
from table_assist.upkeep.trial.compare import LaidFate, compare
from table_assist.upkeep.trial.instruction import Script, TrialAct
from table_assist.upkeep.trial.script import make_script
from table_assist.upkeep.trial.verdict import (
    FitLimits,
    Foretold,
    TableFit,
    fit_of,
    fitted,
    hits,
    right_share,
)
from table_assist.vision.reading.weights import load_weights

WORSE = (1, 5, 15)  # times as many errors as measured
MOST_WRONG = 0.7  # of the readings of one thing
HANDS = 2  # in rows, and as many in a heap
# An evening of which so many ledgers are right without help, and so few questions come, is good.
GOOD_LEDGERS, GOOD_QUESTIONS = 0.75, 1.5
SCRIPTS = 3  # of a rule set: tables share them


@dataclass(frozen=True, slots=True)
class ForetoldRow:
    """One table.

    Attributes:
        trial: events by their fate.
        share: as `right_share`.
        rows, heap: of the evening's hands: ledgers right without help, wrong without a question,
            and questions a hand.
    """

    table: str
    rules: str
    trial: dict[str, int]
    share: float
    is_silent: bool
    rows: tuple[float, int, float]
    heap: tuple[float, int, float]

    @property
    def evening(self) -> TableFit:
        """The use it was fit for."""
        if not _is_good(self.rows):
            return TableFit.PHOTOGRAPHS
        return TableFit.LIVE if _is_good(self.heap) else TableFit.ROWS


def _is_good(hands: tuple[float, int, float]) -> bool:
    right, silent, questions = hands
    return right >= GOOD_LEDGERS and not silent and questions <= GOOD_QUESTIONS


def measure_tables(tables: range, seed: int) -> Iterator[ForetoldRow]:
    """Trials and evenings at the tables of these numbers, each with other errors."""
    measured = [load_rates(rates_path(looks)) for looks in (WorldLooks.WORLD, WorldLooks.USUAL)]
    places = [
        (one, camera, dress, worse)
        for worse in WORSE
        for one in measured
        for dress in dresses_of(one)
        for camera in CAMERAS
    ]
    rule_set = rule_sets()
    for number in tables:
        one, camera, dress, worse = places[number % len(places)]
        rules = rule_set[(seed + number) % len(rule_set)]
        rates = worse_rates(one, camera, dress, worse)
        name = f"{camera}/{dress} ×{worse}"
        yield _row(name, rules, rates, camera, seed * 1000 + number)


def _row(name: str, rules: RuleSet, rates: dict[str, Rates], camera: str, seed: int) -> ForetoldRow:
    def eyes(at: int) -> ModelledEyes:
        limits = load_weights().recogniser.limits
        return ModelledEyes(rates, CAMERAS[camera], limits=limits, seed=at)

    script = _script(rules.id, seed % SCRIPTS)
    laid = lay_trial(rules, eyes(seed), script)
    compared = compare(script, laid.progress, laid.entries)
    evenings = []
    for heap in (False, True):
        table = EveningTable(rules, eyes(seed + 500), seed=seed, heap=heap)
        evenings.append(_figures(list(follow_evening(rules, table, seed=seed, hands=HANDS))))
    return ForetoldRow(
        name,
        rules.id,
        {fate.value: compared.count(fate) for fate in LaidFate},
        round(right_share(compared) or 0.0, 4),
        compared.is_silently_wrong,
        *evenings,
    )


def _figures(hands: Sequence[HandFigures]) -> tuple[float, int, float]:
    return (
        mean(hand.is_right for hand in hands),
        sum(hand.is_silently_wrong for hand in hands),
        mean(len(hand.questions) for hand in hands),
    )


@cache
def _script(id: str, seed: int) -> Script:
    return make_script(find_rules(id), seed, (TrialAct.HAND, TrialAct.TROUBLE))


def worse_rates(measured: MeasuredRates, camera: str, dress: str, times: int) -> dict[str, Rates]:
    """A measured table's rates, with every error so many times as often."""
    return {
        spoiled: replace(
            rates,
            outcomes={kind: _worse(each, times) for kind, each in rates.outcomes.items()},
        )
        for spoiled, rates in rates_of(measured, camera, dress).items()
    }


def _worse(outcomes: Outcomes, times: int) -> Outcomes:
    most = MOST_WRONG * outcomes.seen / max(outcomes.wrong, 1)
    grown = max(1.0, min(float(times), most))
    ways = tuple(Way(round(way.count * grown), way.label, way.candidates) for way in outcomes.ways)
    return replace(outcomes, ways=ways)


def summary(rows: Sequence[ForetoldRow]) -> dict[str, object]:
    """Limits by every other table, and what they say of the rest."""
    tables = [Foretold(row.share, row.is_silent, row.evening) for row in rows]
    tuned, fresh = tables[::2], tables[1::2]
    limits = fitted(tuned)
    return {
        "tables": len(rows),
        "evenings": dict(Counter(table.evening.value for table in tables)),
        "limits": asdict(limits),
        "tuned_on": [hits(tuned, limits), len(tuned)],
        "fresh": [hits(fresh, limits), len(fresh)],
        "fresh_by_verdict": _by_verdict(fresh, limits),
        "in_force_fresh": _by_verdict(fresh, FitLimits()),
        "silent_trials": sum(row.is_silent for row in rows),
    }


def _by_verdict(tables: Sequence[Foretold], limits: FitLimits) -> dict[str, dict[str, int]]:
    """The numbers of evenings, by the verdicts of their trials."""
    found: dict[str, Counter[str]] = {}
    for each in tables:
        said = fit_of(each.share, is_silent=each.is_silent, limits=limits)
        found.setdefault(said.value, Counter())[each.evening.value] += 1
    return {said: dict(counts) for said, counts in found.items()}


def run(tables: range, seed: int, *, kept: Path | None) -> int:
    """Measure and print; returns the exit code.

    Args:
        kept: a line a table is written there, and tables that stand there already are not
            measured again: a run that was stopped goes on.
    """
    known = []
    if kept is not None and kept.exists():
        whole, _, _ = kept.read_text(encoding="utf-8").rpartition("\n")
        kept.write_text(f"{whole}\n" if whole else "", encoding="utf-8")
        known = [json.loads(line) for line in whole.splitlines()]
    done = {each["number"]: each for each in known if each["seed"] == seed}
    for number in tables:
        if number not in done:
            (row,) = measure_tables(range(number, number + 1), seed)
            done[number] = {"number": number, "seed": seed, **asdict(row)}
            line = json.dumps(done[number], ensure_ascii=False)
            print(line, flush=True)
            if kept is not None:
                with kept.open("a", encoding="utf-8") as file:
                    file.write(f"{line}\n")
    print(json.dumps(summary([_row_of(done[number]) for number in tables])))
    return 0


def _row_of(line: dict[str, Any]) -> ForetoldRow:
    """A kept line again."""
    values = {each.name: line[each.name] for each in fields(ForetoldRow)}
    return ForetoldRow(**{**values, "rows": tuple(line["rows"]), "heap": tuple(line["heap"])})
