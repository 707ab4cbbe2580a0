"""Every decision of a hand, judged again from the record alone."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from table_assist.evidence.dispute.hand import DisputedHand
from table_assist.game.events import Settled, WallExhausted, WinRefused
from table_assist.game.fold import apply
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import TableState
from table_assist.languages.words import SEMICOLON, Words, joined, unended, words_of
from table_assist.record.log import Source


@cache
def _rows() -> dict[str, tuple[str, str, str]]:
    return tomllib.loads(Path(__file__).with_name("judged.toml").read_text("utf-8"))


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

    @classmethod
    def of(cls, which: str, **given: object) -> "Rejudged":
        """The line of that name in ``judged.toml``, filled in."""
        mark, en, zh = _rows()[which]
        return cls(mark != "NO", Words(en, zh, **given), mark != "--")

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
        yield Rejudged.of("unsettled", hand=hand.hand)


def _refusal(state: TableState, seat: int) -> Rejudged:
    try:
        verdict = end_of_hand(state).settlement.verdicts.get(seat)
    except ValueError:
        verdict = None
    if verdict is None:
        return Rejudged.of("refused_unshown", seat=seat)
    if verdict.valid:
        return Rejudged.of("refused_wrongly", seat=seat)
    why = joined([unended(refusal.words) for refusal in verdict.refusals], SEMICOLON)
    return Rejudged.of("refused_rightly", seat=seat, said=why)


def _settlement(
    state: TableState, seq: int, recorded: tuple[int, ...], *, by_person: bool
) -> Rejudged:
    try:
        total = end_of_hand(state).total
    except ValueError as error:
        why = words_of(error)
        name = "settled_by_person" if by_person else "settled_by_rules"
        return Rejudged.of(name, seq=seq, why=why)
    if tuple(total) == tuple(recorded):
        return Rejudged.of("settled_rightly", seq=seq, points=_points(recorded))
    return Rejudged.of(
        "settled_wrongly", seq=seq, points=_points(recorded), points_2=_points(total)
    )


def _points(transfers: tuple[int, ...]) -> str:
    return " ".join(f"{points:+d}" for points in transfers)
