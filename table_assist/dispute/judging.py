"""Every decision of a hand, judged again from the record alone."""

from collections.abc import Iterator
from dataclasses import dataclass

from table_assist.dispute.hand import DisputedHand
from table_assist.game.events import Settled, WallExhausted, WinRefused
from table_assist.game.fold import apply
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import TableState
from table_assist.record.log import Source
from table_assist.words import Words, words_of


@dataclass(frozen=True, slots=True)
class Rejudged:
    """One thing that was looked at.

    Attributes:
        ok: it is as it should be.
        is_proven: False where nothing speaks against it, and nothing proves it.
        text: one sentence.
    """

    ok: bool
    text: Words
    is_proven: bool = True

    @property
    def mark(self) -> str:
        """``ok`` for proven, ``NO`` for not as it should be, ``--`` for not proven."""
        if not self.ok:
            return "NO"
        return "ok" if self.is_proven else "--"


def judged_again(hand: DisputedHand) -> Iterator[Rejudged]:
    """What the rules say of each refusal and of the settlement, beside what was recorded."""
    state, ended = hand.before, False
    for entry in hand.entries:
        event = entry.event
        match event:
            case WinRefused(seat):
                yield _refusal(state, seat)
            case Settled(transfers=recorded) | WallExhausted(transfers=recorded) if not ended:
                ended = True
                by_person = entry.source is Source.PERSON
                yield _settlement(state, entry.seq, recorded, by_person=by_person)
            case _:
                pass
        state = apply(state, event)  # type: ignore[arg-type]
    if not ended:
        yield Rejudged(
            True,
            Words(f"Hand {hand.hand} was not settled.", f"第 {hand.hand} 局没有结算。"),
        )


def _refusal(state: TableState, seat: int) -> Rejudged:
    try:
        verdict = end_of_hand(state).settlement.verdicts.get(seat)
    except ValueError:
        verdict = None
    if verdict is None:
        return Rejudged(
            True,
            Words(
                f"The win of seat {seat} was refused; its hand was not shown.",
                f"座位 {seat} 的和牌被判无效；未亮牌。",
            ),
        )
    if verdict.valid:
        return Rejudged(
            False,
            Words(
                f"The win of seat {seat} was refused, and by the rules it is a win.",
                f"座位 {seat} 的和牌被判无效，按规则应为有效。",
            ),
        )
    en = "; ".join(refusal.words.en.rstrip(".") for refusal in verdict.refusals)
    zh = "；".join(refusal.words.zh.rstrip("。") for refusal in verdict.refusals)
    return Rejudged(
        True,
        Words(
            f"The win of seat {seat} was rightly refused: {en}.",
            f"座位 {seat} 的和牌判为无效：{zh}。",
        ),
    )


def _settlement(
    state: TableState, seq: int, recorded: tuple[int, ...], *, by_person: bool
) -> Rejudged:
    who = Words("a person", "由人") if by_person else Words("the rules", "按规则")
    try:
        total = end_of_hand(state).total
    except ValueError as error:
        why = words_of(error)
        return Rejudged(
            by_person,
            Words(
                f"Entry {seq} settles the hand by {who.en}; it cannot be judged again: {why.en}.",
                f"第 {seq} 条{who.zh}结算；无法重新判定：{why.zh}。",
            ),
        )
    if tuple(total) == tuple(recorded):
        return Rejudged(
            True,
            Words(
                f"The settlement of entry {seq} is what the rules say: {_points(recorded)}.",
                f"第 {seq} 条结算与规则一致：{_points(recorded)}。",
            ),
        )
    return Rejudged(
        False,
        Words(
            f"Entry {seq} moves {_points(recorded)}, and by the rules it is {_points(total)}.",
            f"第 {seq} 条记为 {_points(recorded)}，按规则应为 {_points(total)}。",
        ),
    )


def _points(transfers: tuple[int, ...]) -> str:
    return " ".join(f"{points:+d}" for points in transfers)
