"""Every decision of a hand, judged again from the record alone."""

from collections.abc import Iterator
from dataclasses import dataclass

from table_assist.evidence.dispute.hand import DisputedHand
from table_assist.game.events import Settled, WallExhausted, WinRefused
from table_assist.game.fold import apply
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import TableState
from table_assist.languages.words import SEMICOLON, Words, joined, unended, words_of
from table_assist.record.log import Source


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
    """The rules' verdict on each refusal and on the settlement, beside the recorded one."""
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
            Words("Hand {hand} was not settled.", "第 {hand} 局没有结算。", hand=hand.hand),
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
                "The win of seat {seat} was refused; its hand was not shown.",
                "座位 {seat} 的和牌被判无效；未亮牌。",
                seat=seat,
            ),
        )
    if verdict.valid:
        return Rejudged(
            False,
            Words(
                "The win of seat {seat} was refused, and by the rules it is a win.",
                "座位 {seat} 的和牌被判无效，按规则应为有效。",
                seat=seat,
            ),
        )
    why = joined([unended(refusal.words) for refusal in verdict.refusals], SEMICOLON)
    return Rejudged(
        True,
        Words(
            "The win of seat {seat} was rightly refused: {said}.",
            "座位 {seat} 的和牌判为无效：{said}。",
            seat=seat,
            said=why,
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
                "Entry {seq} settles the hand by {who}; it cannot be judged again: {why}.",
                "第 {seq} 条{who}结算；无法重新判定：{why}。",
                seq=seq,
                who=who,
                why=why,
            ),
        )
    if tuple(total) == tuple(recorded):
        return Rejudged(
            True,
            Words(
                "The settlement of entry {seq} is what the rules say: {points}.",
                "第 {seq} 条结算与规则一致：{points}。",
                seq=seq,
                points=_points(recorded),
            ),
        )
    return Rejudged(
        False,
        Words(
            "Entry {seq} moves {points}, and by the rules it is {points_2}.",
            "第 {seq} 条记为 {points}，按规则应为 {points_2}。",
            seq=seq,
            points=_points(recorded),
            points_2=_points(total),
        ),
    )


def _points(transfers: tuple[int, ...]) -> str:
    return " ".join(f"{points:+d}" for points in transfers)
