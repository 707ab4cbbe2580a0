"""Corrections after the fact: an entry taken back, corrected, or one that was missing."""

from typing import get_args

from table_assist.contract.commands import Correct, Insert, Rule
from table_assist.game.events import (
    Answered,
    Asked,
    Event,
    IrregularityNoted,
    Penalised,
    Ruled,
    SeatsChanged,
    Settled,
    WallExhausted,
    WinRefused,
)
from table_assist.game.irregular import is_balanced
from table_assist.game.people import is_seating, no_seating
from table_assist.game.rulings import after_refusal
from table_assist.languages.words import Words
from table_assist.record.log import Amended, Inserted, Retracted, Source
from table_assist.record.record import Record
from table_assist.session.command_transaction import CommandTransaction

_SAID = (Asked, Answered)
_FOLLOWS_REFUSAL = (Penalised, IrregularityNoted)


def undo(transaction: CommandTransaction, seq: int) -> Words | None:
    """Take an entry back with all that followed from it; why not, else None.

    A retraction, a correction or an insertion may be taken back itself.
    """
    record = transaction.record
    if not record.stands(seq):
        return Words(
            "entry {seq} does not count (any more), so it cannot be taken back",
            "第 {seq} 条已不算数，无法撤回",
            seq=seq,
        )
    entry = record.entries[seq - 1]
    if isinstance(entry.event, Asked):
        return Words(
            "entry {seq} is a question: it goes away with its answer or its ground",
            "第 {seq} 条是提问：回答后或不再成立时自会消失",
            seq=seq,
        )
    if isinstance(entry.event, Answered):
        if entry.cause:
            return undo(transaction, entry.cause)
        if not entry.event.answer or _had_consequence(record, entry.event):
            return Words(
                "entry {seq} is an answer: take back what followed from it",
                "第 {seq} 条是回答：请撤回由它产生的记录",
                seq=seq,
            )
    follows = _with_it(record, seq)
    transaction.write(Retracted(seq))
    for each in follows:
        transaction.write(Retracted(each))
    return None


def _with_it(record: Record, seq: int) -> list[int]:
    """The entries that go with an entry that is taken back."""
    found = record.caused_by(seq)
    if found or not isinstance(record.event(seq), WinRefused):
        return found
    # Logs of earlier versions do not say what followed: the penalties stand right behind.
    for entry in record.entries[seq:]:
        if entry.source is not Source.RULES or not isinstance(entry.event, _FOLLOWS_REFUSAL):
            break
        found.append(entry.seq)
    return [each for each in found if record.stands(each)]


def _had_consequence(record: Record, answered: Answered) -> bool:
    """Whether an answer of an earlier version's log may have changed something."""
    asked = (event for _, event in record.counting if isinstance(event, Asked))
    question = next((each for each in asked if each.question == answered.question), None)
    return question is not None and bool(question.about or question.if_yes)


def correct(transaction: CommandTransaction, command: Correct) -> Words | None:
    """Say what an entry's event was in truth; why not, else None."""
    record = transaction.record
    recorded = record.event(command.seq)
    if recorded is None:
        return Words(
            "entry {seq} does not count (any more), so it cannot be corrected",
            "第 {seq} 条已不算数，无法更正",
            seq=command.seq,
        )
    if isinstance(recorded, _SAID):
        return Words(
            "entry {seq} is a question or an answer: it cannot be corrected",
            "第 {seq} 条是提问或回答，无法更正",
            seq=command.seq,
        )
    wrong = _impossible(command.event)
    if wrong:
        return wrong
    if recorded == command.event:
        return Words("entry {seq} says so already", "第 {seq} 条本来就是这样", seq=command.seq)
    transaction.write(Amended(command.seq, command.event))
    for question in record.state.questions:
        if question.about == command.seq:
            transaction.write(Answered(question.question, ""))
    return None


def insert(transaction: CommandTransaction, command: Insert) -> Words | None:
    """Say what is missing in the record; why not, else None."""
    wrong = _impossible(command.event) or _no_place(transaction.record, command.before)
    if wrong:
        return wrong
    for event in (command.event, *_refusal_costs(transaction.record, command)):
        _put(transaction, command.before, event)
    return None


def _refusal_costs(record: Record, command: Insert) -> tuple[Event, ...]:
    """The rules' additions to a refusal, as when it is made at the table."""
    place = record.place(command.before) if command.before else len(record.counting)
    if not isinstance(command.event, WinRefused) or place is None:
        return ()
    state = record.state_before(place)
    return after_refusal(state, command.event.seat) if state.hand else ()


def rule(transaction: CommandTransaction, command: Rule, known: frozenset[str]) -> Words | None:
    """Put a referee's ruling on record; why not, else None.

    Args:
        known: the irregularities that the rule set has names for.
    """
    if command.irregularity and command.irregularity not in known:
        return Words(
            "there is no irregularity {irregularity}; there are {known}",
            "没有名为 {irregularity} 的违例；已知的有 {known}",
            irregularity=f"{command.irregularity!r}",
            known=sorted(known),
        )
    ruled, moved = (
        Ruled(command.seat, command.reason),
        Penalised(command.transfers, command.reason),
    )
    wrong = (
        _impossible(ruled) or _impossible(moved) or _no_place(transaction.record, command.before)
    )
    if wrong:
        return wrong
    if not (command.reason.en.strip() or command.reason.zh.strip()):
        return Words("a ruling needs a reason", "裁定须写明理由")
    if command.dead and not command.irregularity:
        return Words("a hand is dead by an irregularity: say which", "死牌须说明因何违例")
    if command.irregularity:
        noted = IrregularityNoted(command.seat, command.irregularity, command.dead)
        _put(transaction, command.before, noted)
    _put(transaction, command.before, moved if any(command.transfers) else ruled)
    return None


def _put(transaction: CommandTransaction, before: int, event: Event) -> None:
    transaction.write(Inserted(before, event) if before else event)


def _no_place(record: Record, before: int) -> Words | None:
    if before and record.place(before) is None:
        return Words(
            "entry {before} does not count (any more), so nothing can stand before it",
            "第 {before} 条已不算数，无法在它之前补记",
            before=before,
        )
    return None


def _impossible(event: Event) -> Words | None:
    """Why an event cannot be recorded by a person's word."""
    if isinstance(event, _SAID) or not isinstance(event, get_args(Event)):
        name = type(event).__name__
        return Words(
            "{name} is not something that happens at the table",
            "{name} 不是牌桌上发生的事",
            name=name,
        )
    seats = (getattr(event, name, 0) for name in ("seat", "dealer", "discarder"))
    for seat in seats:
        if seat not in range(4):
            return no_seat(seat)
    if isinstance(event, SeatsChanged) and not is_seating(event.came_from):
        return no_seating(event.came_from)
    moved = event.transfers if isinstance(event, Settled | WallExhausted | Penalised) else None
    if moved is not None and not is_balanced(moved):
        return Words(
            "the points {moved} do not add up to 0", "分数 {moved} 之和不为零", moved=moved
        )
    return None


def no_seat(seat: int) -> Words:
    """Nobody sits there."""
    return Words("there is no seat {seat}", "没有 {seat} 号座位", seat=seat)
