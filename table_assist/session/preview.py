"""A command's effect, told before it is accepted."""

from dataclasses import dataclass

from table_assist.game.events import HandStarted, Penalised
from table_assist.game.irregular import irregularities
from table_assist.game.state import NO_TRANSFERS, Phase
from table_assist.languages.words import COMMA, Words, joined, player_at, same
from table_assist.record.commands import Change, Command, Correct, HandChange, Insert
from table_assist.record.record import Record
from table_assist.record.spans import Span
from table_assist.rules.settlement import add
from table_assist.rules.verdict import Transfers
from table_assist.session.command_handler import CommandHandler, trial_of
from table_assist.session.corrections import points_told
from table_assist.session.questions import why_irregular

UNSETTLED = Words("Hand {hand} is not settled any more.", "第 {hand} 局不再算已结算。")


def preview(handler: CommandHandler, command: Command) -> Change | Words:
    """The command's effect, or one sentence why it would be refused.

    The handler's record stays as it is.
    """
    trial = trial_of(handler)
    refused = trial.execute(command)
    if refused is not None:
        return refused
    trial.conclude()
    # The hands that may come to something else, as they were and as they would be
    same, alike = handler.record.counting.beside(trial.record.counting)
    both = (_hands(handler, same, alike), _hands(trial, same, alike))
    hands, unsettled = _hands_changed(both)
    known = {question.question for question in handler.record.state.questions}
    asked = tuple(q for q in trial.record.state.questions if q.question not in known)
    before, after = handler.record.state.scores, trial.record.state.scores
    told = [
        *_irregular(handler.record, command),
        *(_hand_told(hand) for hand in hands),
        *_dealers(both),
        *(UNSETTLED.filled(hand=hand) for hand in unsettled),
        *_standing(before, after),
        *[
            Words("It will be asked: {text}", "将会询问：{text}", text=question.text)
            for question in asked
        ],
    ]
    sentences = tuple(handler.named(words) for words in told)
    return Change(before, after, hands, asked, unsettled, sentences)


@dataclass(frozen=True, slots=True)
class _Hand:
    """A hand's result in one of the two records.

    Attributes:
        moved: None where it is not over.
        settled: it was won or drawn, and not given up.
    """

    number: int
    moved: Transfers | None
    penalties: Transfers
    settled: bool
    dealer_next: int | None
    dealer_after: int | None


# By the entry that started each hand: as it was, and as it would be.
_Both = tuple[dict[int, _Hand], dict[int, _Hand]]


def _hands_changed(hands: _Both) -> tuple[tuple[HandChange, ...], tuple[int, ...]]:
    was, now = hands
    changes, unsettled = [], []
    for seq in dict.fromkeys([*was, *now]):
        old, new = was.get(seq), now.get(seq)
        number = (new or old or _NO_HAND).number
        change = HandChange(
            number,
            None if old is None else old.moved,
            None if new is None else new.moved,
            NO_TRANSFERS if old is None else old.penalties,
            NO_TRANSFERS if new is None else new.penalties,
        )
        moved = change.before != change.after
        if moved or change.penalties_before != change.penalties_after:
            changes.append(change)
        if old is not None and old.settled and not (new is not None and new.settled):
            unsettled.append(number)
    return tuple(changes), tuple(unsettled)


_NO_HAND = _Hand(0, None, NO_TRANSFERS, False, None, None)


def _hands(handler: CommandHandler, same: int, alike: int) -> dict[int, _Hand]:
    """By the entry that started each hand, without those in which nothing differs.

    Of those the one on the table may come to something else all the same.

    Args:
        same: how many events are alike in both records, from the first.
        alike: how many are, to the last.
    """
    record = handler.record
    until = len(record.counting) - alike
    found = {}
    for number in range(record.hand_at(same), len(record.starts)):
        start, is_last = record.starts[number], number == len(record.starts) - 1
        if start.index < until or is_last:
            after = len(record.counting) if is_last else record.starts[number + 1].index
            found[start.seq] = _hand(handler, record.span(start), after)
    return found


def _hand(handler: CommandHandler, span: Span, until: int) -> _Hand:
    record = handler.record
    inside = [event for _, event in record.counting[span.first : until]]
    penalties = add(tuple(e.transfers for e in inside if isinstance(e, Penalised)))
    end = None if span.end is None else record.counting[span.end][1]
    moved = None if end is None else getattr(end, "transfers", NO_TRANSFERS)
    shown = handler.outcome.settled
    if end is None and shown is not None and not span.is_closed:
        moved = shown.transfers  # what is shown, and not yet accepted
    after = record.counting[until][1] if until < len(record.counting) else None
    return _Hand(
        span.started.hand,
        moved,
        penalties,
        end is not None and hasattr(end, "transfers"),
        getattr(end, "dealer_next", None),
        after.dealer if isinstance(after, HandStarted) else None,
    )


# -- in words --------------------------------------------------------------------------------------


def _hand_told(change: HandChange) -> Words:
    was = _points(change.before, change.penalties_before)
    now = _points(change.after, change.penalties_after)
    return Words(
        "Hand {hand}: {was} becomes {now}.",
        "第 {hand} 局：{was} 改为 {now}。",
        hand=change.hand,
        was=was,
        now=now,
    )


def _points(moved: Transfers | None, penalties: Transfers) -> Words:
    if moved is None and not any(penalties):
        return Words("not settled", "未结算")
    return points_told(add((moved or NO_TRANSFERS, penalties)))


def _standing(before: Transfers, after: Transfers) -> list[Words]:
    if before == after:
        return [Words("The standing stays as it is.", "总分不变。")]
    seats = [seat for seat in range(4) if before[seat] != after[seat]]
    moved = [f"{{{seat}}} {before[seat]} → {after[seat]}" for seat in seats]
    return [
        Words(
            "The standing becomes: {names}.",
            "总分变为：{names}。",
            names=joined(map(same, moved), COMMA),
        )
    ]


def _dealers(hands: _Both) -> list[Words]:
    """Later hands that by the changed settlement another would have dealt: they stay as played."""
    (was, now), told = hands, []
    for seq, hand in now.items():
        old = was.get(seq)
        if old is None or old.dealer_next == hand.dealer_next or hand.dealer_next is None:
            continue
        if hand.dealer_after is not None and hand.dealer_after != hand.dealer_next:
            told.append(
                Words(
                    "After hand {number} {dealer_next} would have dealt; {dealer_after} did, "
                    "and that stays.",
                    "第 {number} 局后应由 {dealer_next} 坐庄；实际为 {dealer_after}，保持不变。",
                    number=hand.number,
                    dealer_next=player_at(hand.dealer_next),
                    dealer_after=player_at(hand.dealer_after),
                )
            )
    return told


def _irregular(record: Record, command: Command) -> list[Words]:
    """The irregularities of an event that a person names; it is recorded all the same."""
    if not isinstance(command, Correct | Insert):
        return []
    seq = command.seq if isinstance(command, Correct) else command.before
    place = record.place(seq)
    state = record.state if place is None else record.state_before(place)
    if state.hand == 0 or state.phase is Phase.SETTLED:
        return []
    flagged = Words("By the rules this cannot be: {why}.", "按规则不应如此：{why}。")
    found = irregularities(state, command.event)
    return [flagged.filled(why=why_irregular(each)) for each in found]
