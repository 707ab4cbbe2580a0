"""After a change: the hands that were over are settled again, where they come to something else.

A settlement is a fact that followed from other facts. Where those are changed later it is amended
in the same command; who dealt the hands after it stays as it was. Where a person had the last word
on a settlement it is not overruled but asked about.
"""

from collections.abc import Iterable
from dataclasses import replace

from table_assist.game.course import Due, due_end
from table_assist.game.doubt import Doubt
from table_assist.game.events import Answered, Event, HandAbandoned, Settled, WallExhausted
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import NO_TRANSFERS, Game, TableState
from table_assist.languages.words import COMMA, NOTHING, SPACE, Words, joined, player_at, same
from table_assist.record.log import Amended, Inserted, Retracted, Source
from table_assist.record.record import Record
from table_assist.record.spans import Span, played
from table_assist.session.command_transaction import CommandTransaction

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


def _settle_it(
    span: Span, end: Settled | WallExhausted, why: Words = NOTHING, *, about: int = 0
) -> Doubt:
    asked = Words(
        "Hand {hand} is not settled; as recorded it comes to {points}. Settle it like this?",
        "第 {hand} 局没有结算；按记录为 {points}。这样结算吗？",
        hand=span.started.hand,
        points=points_told(end.transfers),
    )
    return Doubt(
        _id(span, end.transfers),
        joined((why, asked), SPACE),
        ("yes", "no"),
        about=about,
        if_yes=end,
    )


def _settle_otherwise(span: Span, seq: int, end: Event, due: Settled | WallExhausted) -> Doubt:
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
        ("yes", "no"),
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
