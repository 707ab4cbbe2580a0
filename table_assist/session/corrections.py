"""Corrections after the fact: an entry taken back, corrected, or one that was missing."""

from collections.abc import Iterable
from dataclasses import replace
from typing import get_args

from table_assist.game.course import Due, due_end
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    Answered,
    Asked,
    Event,
    HandAbandoned,
    IrregularityNoted,
    Penalised,
    PlayedOut,
    Questioning,
    Ruled,
    SeatsChanged,
    WallExhausted,
    WinRefused,
)
from table_assist.game.irregular import is_balanced
from table_assist.game.people import is_seating, no_seating
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.rulings import after_refusal
from table_assist.game.state import Game, TableState
from table_assist.languages.words import COMMA, NOTHING, SPACE, Words, joined, player_at, same
from table_assist.record.commands import Correct, Insert, Rule
from table_assist.record.log import Amended, Inserted, Retracted, Source
from table_assist.record.record import Record
from table_assist.record.spans import Span, played
from table_assist.rules.verdict import NO_TRANSFERS
from table_assist.session.command_transaction import CommandTransaction

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
    if isinstance(recorded, Questioning):
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
    if isinstance(event, Questioning) or not isinstance(event, get_args(Event)):
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
    moved = event.transfers if isinstance(event, PlayedOut | Penalised) else None
    if moved is not None and not is_balanced(moved):
        return Words(
            "the points {moved} do not add up to 0", "分数 {moved} 之和不为零", moved=moved
        )
    return None


def no_seat(seat: int) -> Words:
    """Nobody sits there."""
    return Words("there is no seat {seat}", "没有 {seat} 号座位", seat=seat)


# --- After a change: hands that were over are settled again
#
# A settlement is a fact that followed from others. Where those are changed later it is amended
# in the same command; who dealt the hands after it stays as it was. Where a person had the last
# word on a settlement it is not overruled but asked about.

# The end of a game is no part of a hand's result.
ANY_GAME = Game()


def settle_again(
    before: Record, transaction: CommandTransaction, *, restoring: bool = False
) -> tuple[Doubt, ...]:
    """Amend the settlements that no longer follow from what is recorded.

    Args:
        before: the record as it was before the command.
        transaction: has written the command into the record as it is now.
        restoring: the command took a change back: a settlement made from the very same facts is
            left as it was made then, though by what rules now say it might be another.

    Returns:
        What people must say.
    """
    record = transaction.record
    same, alike = record.counting.beside(before.counting)
    was = {start.seq: start for start in before.starts}
    first_alike = len(record.counting) - alike
    raised: list[Doubt] = []
    for number in range(record.hand_at(same), len(record.starts)):
        start = record.starts[number]  # as it is by now: what was amended may shift streaks
        then = was.get(start.seq)
        if (
            then is not None
            and start.index >= first_alike
            and (then.state is start.state or _beginning(then.state) == _beginning(start.state))
        ):
            continue
        span, old = record.span(start), None if then is None else before.span(then)
        unended = span.is_closed and span.end is None and old is not None and old.end is not None
        if not unended and old is not None and _basis(before, old) == _basis(record, span):
            continue  # the same hand, and its end was left alone or changed by the command
        if restoring and _was_made_from_this(record, span):
            found: list[Doubt] = []
        else:
            found = _redo(before, old, transaction, span)
        # Withdraw the hand's questions that are not asked any more: they have lost their ground
        asked = {doubt.question for doubt in found}
        for question in transaction.record.state.questions:
            id = question.question
            about = id.kind is QuestionKind.LATER and id.entry == span.seq
            if about and id not in asked:
                transaction.write(Answered(question.question, ""), Source.RULES)
        raised += found
    return tuple(raised)


def due_of(record: Record, span: Span) -> Due:
    """The hand's result by the rules, as it is recorded now."""
    drawn = False
    if span.end is not None:
        first_said = record.entries[record.counting[span.end][0] - 1].event
        if isinstance(first_said, Inserted):
            first_said = first_said.event
        drawn = isinstance(first_said, WallExhausted)
    return due_end(record.state_before(span.until), drawn=drawn)


def _redo(
    before: Record, old: Span | None, transaction: CommandTransaction, span: Span
) -> list[Doubt]:
    record, due = transaction.record, due_of(transaction.record, span)
    if span.end is None:
        return [_settle_it(span, due.end)] if span.is_closed and due.end else []
    seq, end = record.counting[span.end]
    if end == due.end:
        return []
    word = record.last_word(seq)
    if word.source is Source.PERSON and (
        isinstance(word.event, Amended) or isinstance(end, HandAbandoned)
    ):
        return [_settle_otherwise(span, seq, end, due.end)] if due.end else []
    if due.end is None:
        return _unsettle(transaction, span, seq, end, due.why)
    if due.unsure and (old is None or due_of(before, old).unsure != due.unsure):
        why = joined(due.unsure, SPACE)
        _unsettle(transaction, span, seq, end, why)
        return [_settle_it(span, due.end, why, about=seq)] if span.is_closed else []
    transaction.write(Amended(seq, due.end), Source.RULES)
    return []


def _unsettle(
    transaction: CommandTransaction, span: Span, seq: int, end: Event, why: Words
) -> list[Doubt]:
    """A hand still on the table goes on; an earlier one counts as given up until it is known."""
    if not span.is_closed:
        transaction.write(Retracted(seq), Source.RULES)
        return []
    if not isinstance(end, HandAbandoned):
        transaction.write(Amended(seq, HandAbandoned()), Source.RULES)
        return [_cannot_settle(span, why)]
    return []


def _beginning(state: TableState) -> TableState:
    """The earlier state that a hand's points may rest on."""
    return replace(
        state, scores=NO_TRANSFERS, last_transfers=NO_TRANSFERS, questions=(), game=ANY_GAME
    )


def _basis(record: Record, span: Span) -> tuple[TableState, tuple[Event, ...]]:
    """The basis of the hand's points: its beginning, and its events."""
    return _beginning(record.state_before(span.first + 1)), played(record.counting, span)


def _was_made_from_this(record: Record, span: Span) -> bool:
    """Whether the settlement in force was made when the hand was recorded as it is now."""
    if span.end is None:
        return False
    seq, end = record.counting[span.end]
    if end == due_of(record, span).end:
        return True
    made = record.until(record.last_word(seq).seq - 1)
    then = hand_of(made, span.seq)
    return then is not None and _basis(made, then) == _basis(record, span)


def hand_of(record: Record, seq: int) -> Span | None:
    """The hand that this entry started."""
    start = next((each for each in record.starts if each.seq == seq), None)
    return None if start is None else record.span(start)


# -- what is asked ---------------------------------------------------------------------------------


def _id(span: Span, about: object) -> QuestionId:
    return QuestionId(span.started.hand, QuestionKind.LATER, entry=span.seq, subject=str(about))


def _settle_it(span: Span, end: PlayedOut, why: Words = NOTHING, *, about: int = 0) -> Doubt:
    asked = Words(
        "Hand {hand} is not settled; as recorded it comes to {points}. Settle it like this?",
        "第 {hand} 局没有结算；按记录为 {points}。这样结算吗？",
        hand=span.started.hand,
        points=points_told(end.transfers),
    )
    return Doubt(
        _id(span, end.transfers),
        joined((why, asked), SPACE),
        about=about,
        if_yes=end,
    )


def _settle_otherwise(span: Span, seq: int, end: Event, due: PlayedOut) -> Doubt:
    transfers = getattr(end, "transfers", NO_TRANSFERS)
    was, now = points_told(transfers), points_told(due.transfers)
    hand = span.started.hand
    return Doubt(
        _id(span, due.transfers),
        Words(
            "A person settled hand {hand} with {was}; as recorded now it comes to {now}. "
            "Settle it like this?",
            "第 {hand} 局由人结算为 {was}；按现在的记录为 {now}。改为后者吗？",
            hand=hand,
            was=was,
            now=now,
        ),
        about=seq,
        if_yes=due,
    )


def _cannot_settle(span: Span, why: Words) -> Doubt:
    hand = span.started.hand
    return Doubt(
        _id(span, why.en),
        Words(
            "As corrected, hand {hand} cannot be settled: {why} Until that is put right it "
            "counts as given up.",
            "按更正，第 {hand} 局无法结算：{why}在此之前按作废计。",
            hand=hand,
            why=why,
        ),
        ("yes",),
    )


def points_told(transfers: Iterable[int]) -> Words:
    """The gains and losses in a few words; ``{2}`` stands for the player in seat 2.

    >>> points_told((6, -6, 0, 0))
    Words(en='{0} +6, {1} -6', zh='{0} +6，{1} -6')
    """
    moved = [
        same(f"{player_at(seat)} {points:+d}") for seat, points in enumerate(transfers) if points
    ]
    return joined(moved, COMMA) or Words("no points", "零分")
