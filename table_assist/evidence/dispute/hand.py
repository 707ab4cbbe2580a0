"""One hand of a log as a referee needs it: what counts, what was decided, by which rules."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from table_assist.game.events import (
    Attested,
    HandAbandoned,
    HandShown,
    HandStarted,
    HandTold,
    IrregularityNoted,
    Penalised,
    Ruled,
    Settled,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.outcome import HandEnd, end_of_hand
from table_assist.game.people import Names, called
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import NONE, WordsError, same
from table_assist.record.log import Entry, effective
from table_assist.rules.options import Law
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import Verdict

UNNAMED = ("Seat 1", "Seat 2", "Seat 3", "Seat 4")


def attestations(public: str, names: Sequence[str], sheet: bytes) -> tuple[Attested, ...]:
    """The attestations at the start of an evening."""
    return (
        Attested("key", (public,)),
        Attested("names", tuple(names)),
        Attested("rules", (hashlib.sha256(sheet).hexdigest(),)),
    )


def not_yet_said(said: Iterable[Attested], entries: Iterable[Entry]) -> Iterator[Attested]:
    """The attestations that are not already the log's last ones of their kind."""
    last: dict[str, Attested] = {}
    for entry in entries:
        if isinstance(entry.event, Attested):
            last[entry.event.kind] = entry.event
    return (each for each in said if last.get(each.kind) != each)


def names_then(
    said: Names, entries: Sequence[Entry], seq: int, listed_here: Names = UNNAMED
) -> Names:
    """What the players were called: as they had said, else as the log says the settings did.

    Args:
        seq: so many entries had been written; names that were first vouched for later count, too.
        listed_here: the settings' names, for a log that vouches for none.
    """
    listed = [
        (e.seq, e.event.fields)
        for e in entries
        if isinstance(e.event, Attested) and e.event.kind == "names" and len(e.event.fields) == 4
    ]
    if not listed:
        return called(said, listed_here)
    by_then = [fields for at, fields in listed if at <= seq]
    a, b, c, d = by_then[-1] if by_then else listed[0][1]
    return called(said, (a, b, c, d))


def vouched(entries: Iterable[Entry], kind: str) -> tuple[tuple[str, ...], ...]:
    """The log's attestations of one kind, oldest first."""
    found = (entry.event for entry in entries)
    return tuple(e.fields for e in found if isinstance(e, Attested) and e.kind == kind)


def log_names(entries: Sequence[Entry], listed_here: Names = UNNAMED) -> Names:
    """What the players are called at a log's end."""
    state = TableState()
    for _, event in effective(entries):
        state = apply(state, event)
    return names_then(state.names, entries, len(entries), listed_here)


DECISIONS = (
    WinDeclared
    | HandShown
    | HandTold
    | WinRefused
    | IrregularityNoted
    | Penalised
    | Ruled
    | Settled
    | WallExhausted
    | HandAbandoned
)


class NoSuchHandError(WordsError):
    """The log has no such hand; the message says which it has."""


@dataclass(frozen=True, slots=True)
class DisputedHand:
    """A hand as the log counts it.

    Attributes:
        entries: those of the hand that count, corrections applied, oldest first.
        first_seq: the number of the hand's first entry; `last_seq` of its last.
        before: the state before the hand's first entry.
        before_end: the state before what ended it; the latest state if nothing has.
        ended: what the rules make of the hand as it is recorded; None if they cannot tell.
        why_not: why not, in one sentence.
        end: what the log says ended it; None while it is running.
        names: the players', by person, as the log has them at the hand's end.
    """

    hand: int
    rules: RuleSet
    profile: str
    hash: str
    entries: tuple[Entry, ...]
    first_seq: int
    last_seq: int
    before: TableState
    before_end: TableState
    ended: HandEnd | None
    why_not: str
    end: Settled | WallExhausted | HandAbandoned | None
    names: Names

    @property
    def decisions(self) -> tuple[Entry, ...]:
        """The entries that something was decided by."""
        return tuple(entry for entry in self.entries if isinstance(entry.event, DECISIONS))


def hands_of(entries: Iterable[Entry]) -> tuple[int, ...]:
    """The numbers of the hands that were begun."""
    return tuple(e.hand for _, e in effective(entries) if isinstance(e, HandStarted))


def disputed_hand(entries: Sequence[Entry], hand: int) -> DisputedHand:
    """The hand of that number.

    Raises:
        NoSuchHandError: none of that number was begun.
        ValueError: its rule set is not known any more.
    """
    counting, written = effective(entries), {entry.seq: entry for entry in entries}
    starts = [i for i, (_, event) in enumerate(counting) if isinstance(event, HandStarted)]
    number = {counting[i][1].hand: i for i in starts}  # type: ignore[union-attr]
    if hand not in number:
        known = ", ".join(map(str, number))
        raise NoSuchHandError.told("no_hand", hand=hand, said=same(known) if known else NONE)
    first = number[hand]
    after = [i for i in starts if i > first]
    stop = after[0] if after else len(counting)
    state = TableState()
    for _, event in counting[:first]:
        state = apply(state, event)
    before = before_end = state
    end, own, ended_seq = None, [], len(entries)
    for seq, event in counting[first:stop]:
        if isinstance(event, Settled | WallExhausted | HandAbandoned) and end is None:
            before_end, end, ended_seq = state, event, seq
        state = apply(state, event)
        was = written[seq]
        own.append(Entry(seq, was.t, was.source, event, was.confidence, was.origin, was.by))
    if end is None:
        before_end = state
    ended, why_not = _ended(before_end)
    return DisputedHand(
        hand=hand,
        rules=rules_in_force(before_end),
        profile=before_end.profile,
        hash=before_end.hash,
        entries=tuple(own),
        first_seq=own[0].seq,
        last_seq=own[-1].seq,
        before=before,
        before_end=before_end,
        ended=ended,
        why_not=why_not,
        end=end,
        names=names_then(before_end.names, entries, ended_seq),
    )


def verdicts_of(hand: DisputedHand) -> tuple[tuple[int, Verdict], ...]:
    """(seat, verdict) of every hand that lay open at the end, judged again."""
    if hand.ended is None:
        return ()
    verdicts = hand.ended.settlement.verdicts
    return tuple((shown.seat, verdicts[shown.seat]) for shown in hand.before_end.shown)


def laws_of(hand: DisputedHand) -> tuple[Law, ...]:
    """The numbered rules on which its verdicts rest, in the rule set's order."""
    named: set[str] = set()
    for _, verdict in verdicts_of(hand):
        named |= {counted.id for counted in verdict.patterns}
        named |= {refusal.id for refusal in verdict.refusals}
    for entry in hand.entries:
        if isinstance(entry.event, WinRefused):
            named |= {*entry.event.refusals, "false_win"}
        elif isinstance(entry.event, IrregularityNoted):
            named.add(entry.event.irregularity)
    chosen = hand.rules.chosen
    return tuple(law for law in hand.rules.laws if law.explains in named and law.in_force(chosen))


def _ended(state: TableState) -> tuple[HandEnd | None, str]:
    if state.phase not in (Phase.PLAYING, Phase.SHOWING):
        return None, "no hand was running"
    try:
        return end_of_hand(state), ""
    except ValueError as error:
        return None, str(error)
