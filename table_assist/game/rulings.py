"""Offences against the rules of play, and what each costs by the rule set.

``rulings(rules)`` lists everything that can be noted, ``seen(state, event)`` names what an event
breaks, ``events_of(ruling, seat)`` puts a ruling on record. What happened is never undone by it.
"""

from dataclasses import dataclass, field
from types import MappingProxyType

from table_assist.game.events import Claimed, Discarded, Event, IrregularityNoted, Penalised
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import Irregularity, irregularities
from table_assist.game.state import TableState
from table_assist.languages.words import SPACE, Words, joined
from table_assist.rules.play_rules import Consequences, DeadHand, IrregularityRule
from table_assist.rules.reckoning import false_win
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import NO_TRANSFERS, Transfers, book_data

_NOTHING: Consequences = MappingProxyType({})
FALSE_WIN = "false_win"

# Offences that may be noted at any table; the names of some in rule sets that name them themselves.
_COMMON = book_data("common.toml")["offences"]
NAMED = {id: named[0] for id, (_, _, *named) in _COMMON.items() if named}
_SEEN = {Irregularity(f): id for f, id in book_data("common.toml")["offences_seen"].items()}


@dataclass(frozen=True, slots=True)
class Ruling:
    """Something against the rules of play, and what follows.

    Attributes:
        said: the rule set says what follows; else the referee decides.
        consequences: what it says: ``hand`` (live, dead, foul, short), ``pays``, ...
        dead: how the hand is dead by it; none if it is not.
        transfers: points that it costs, of which the sum is zero.
    """

    irregularity: str
    words: Words
    said: bool
    source: str
    consequences: Consequences = field(default_factory=dict)
    dead: DeadHand | None = None
    transfers: Transfers = NO_TRANSFERS

    @property
    def follows(self) -> Words:
        """The consequences as a sentence."""
        if not self.said:
            return Words("The rules say nothing: the referee decides.", "规则未定，由裁判裁定。")
        parts = [f"{key.replace('_', ' ')}: {_value(v)}" for key, v in self.consequences.items()]
        if any(self.transfers):
            parts.append(f"points {self.transfers}")
        said = ", ".join(parts)
        return Words("It follows: {said}.", "处理：{said}。", said=said)


def _value(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def rulings(rules: RuleSet, *, seat: int, dealer: int, on_turn: bool = True) -> tuple[Ruling, ...]:
    """Everything that may be noted for a seat: what the rule set names, then what it does not.

    Args:
        on_turn: it is the seat's turn; some consequences follow only then.

    Raises:
        ValueError: a seat is none.
    """
    named = () if rules.irregularities is None else rules.irregularities(rules.chosen)
    dying = rules.dead_by_false_win(rules.chosen) if rules.dead_by_false_win else None
    paid = false_win(rules, seat=seat, dealer=dealer).transfers
    found = []
    for each in named:
        wins = each.id == NAMED[FALSE_WIN]
        found.append(
            Ruling(
                each.id,
                each.words,
                True,
                each.source,
                _that_follow(each, on_turn=on_turn),
                _dead(each.id, each.consequences),
                paid if wins else NO_TRANSFERS,
            )
        )
    known = {ruling.irregularity for ruling in found}
    for id, (en, zh, *_) in _COMMON.items():
        if NAMED.get(id, id) in known:
            continue
        costs = paid if id == FALSE_WIN else NO_TRANSFERS
        dead = DeadHand.LONG if id == FALSE_WIN and dying else None
        consequences = MappingProxyType({"hand": "dead"}) if dead else _NOTHING
        said = any(costs) or dead is not None
        words = Words(en, zh, ready=rules.ready_names)
        found.append(Ruling(id, words, said, rules.source, consequences, dead, costs))
    return tuple(found)


def _that_follow(irregularity: IrregularityRule, *, on_turn: bool) -> Consequences:
    """The consequences now."""
    if on_turn or not irregularity.if_on_turn:
        return irregularity.consequences
    off = dict.fromkeys(irregularity.if_on_turn, False)
    return MappingProxyType({**irregularity.consequences, **off})


def _dead(id: str, consequences: Consequences) -> DeadHand | None:
    """Foul and short hands are dead at the settlement, too (CL-38, CL-53, CL-55)."""
    match consequences.get("hand"):
        case "dead":
            return DeadHand.SHORT if id == NAMED["short_hand"] else DeadHand.LONG
        case "foul":
            return DeadHand.LONG
        case "short":
            return DeadHand.SHORT
        case _:
            return None


def events_of(ruling: Ruling, seat: int) -> tuple[Event, ...]:
    """The ruling on record: what was noted and, where points move, the penalty."""
    noted = IrregularityNoted(seat, ruling.irregularity, ruling.dead)
    if not any(ruling.transfers):
        return (noted,)
    return (noted, Penalised(ruling.transfers, ruling.words))


def seen(state: TableState, event: Event) -> tuple[str, ...]:
    """The common ids of what the event breaks at this state, each once."""
    found = [_SEEN[flag] for flag in irregularities(state, event) if flag in _SEEN]
    if isinstance(event, Discarded | Claimed) and state.is_running:
        changed = apply(state, event).seats[event.seat].changed
        found += ["ready_hand_changed"] * (changed and not state.seats[event.seat].changed)
    if isinstance(event, Discarded):
        found += _wrong_size(state, event)
    elif found == ["discard_out_of_turn"]:
        found = ["drawn_out_of_turn"]
    return tuple(dict.fromkeys(found))


def _wrong_size(state: TableState, event: Discarded) -> list[str]:
    """How many tiles a followed hand has after the discard."""
    after = apply(state, event)
    held = after.seats[event.seat].concealed
    if held is None:
        return []
    due = after.hand_size(event.seat)
    return ["long_hand"] * (len(held) > due) + ["short_hand"] * (len(held) < due)


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
