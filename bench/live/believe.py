"""``python -m bench live believe``: recorded hands followed by both engines, kind by kind.

Only what is played is compared: discards, claims, kongs, flowers, eggs. A hand whose whole play is
right is paid rightly, if what is shown at its end is read rightly.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles

from bench.live.belief_result import Believed, believe, played, right
from bench.live.corpus import kinds_named
from bench.live.replay import ALL, corpus_in, follow_again
from bench.live.sightings import load_hand
from table_assist.game.events import Event

# A belief so sure is not asked about; and so sure, it must be right.
ASKED_BELOW, SURE = 0.99, 0.999
HEAD = (
    "| tables | hands | engine | whole play right | events right | not so | questions a hand | "
    "surely wrong | a look, ms: median | p95 | longest |",
    "|---" * 11 + "|",
)


@dataclass(slots=True)
class BelievedRow:
    """One engine's results on the hands of one kind.

    Attributes:
        surplus: recorded events that are not true.
        asked: questions, of any kind; of belief, events that are less sure than a fact.
        sure: events that are believed with `SURE` and more, and `surely_wrong` of them.
    """

    kind: str
    engine: str
    hands: int = 0
    whole: int = 0
    true: int = 0
    right: int = 0
    surplus: int = 0
    asked: int = 0
    sure: int = 0
    surely_wrong: int = 0
    look_ms: list[float] = field(default_factory=list)

    def add(self, truth: Sequence[Event], got: Sequence[Event], look_ms: Sequence[float]) -> None:
        """One more hand."""
        both = right(truth, got)
        self.hands += 1
        self.whole += len(both) == len(truth) == len(got)
        self.true += len(truth)
        self.right += len(both)
        self.surplus += len(got) - len(both)
        self.look_ms += look_ms

    def believes(self, truth: Sequence[Event], found: Believed) -> None:
        """How sure belief was of what."""
        so = {place for _, place in right(truth, found.events)}
        for place, sure in enumerate(found.sure):
            self.asked += sure < ASKED_BELOW
            self.sure += sure >= SURE
            self.surely_wrong += sure >= SURE and place not in so

    @property
    def line(self) -> str:
        """A line of a table in Markdown."""
        looks = self.look_ms or [0.0]
        p95 = quantiles(looks, n=20)[-1] if len(looks) > 1 else looks[0]
        surely = f"{self.surely_wrong} of {self.sure}" if self.sure else "–"
        return (
            f"| {self.kind} | {self.hands} | {self.engine} | {self.whole} | {self.right} of "
            f"{self.true} | {self.surplus} | {self.asked / max(self.hands, 1):.2f} | {surely} | "
            f"{median(looks):.1f} | {p95:.1f} | {max(looks):.1f} |"
        )


def run(options: argparse.Namespace) -> int:
    """Follow a corpus by both; returns 0."""
    kinds = [kind.name for kind in kinds_named(options.kind)]
    rows: dict[tuple[str, str], BelievedRow] = {}
    for path, about in corpus_in(options.folder, kinds, options.hands, is_final=options.final):
        hand = load_hand(path)
        truth, found, old = played(hand.truth), believe(hand), follow_again(hand)
        written = played(old.events)
        for kind in (about.kind, ALL):
            now, new = (
                rows.setdefault((kind, engine), BelievedRow(kind, engine))
                for engine in ("following", "belief")
            )
            now.add(truth, written, old.look_ms)
            now.asked += len(old.figures.questions)
            new.add(truth, found.events, found.look_ms)
            new.believes(truth, found)
        if options.all:
            print("\n".join(_parted(str(path), truth, found)), flush=True)
    total = [row for (kind, _), row in rows.items() if kind == ALL]
    each = [row for (kind, _), row in rows.items() if kind != ALL]
    print("\n".join([*HEAD, *(row.line for row in (*each, *total))]))
    return 0


def _parted(path: str, truth: Sequence[Event], found: Believed) -> list[str]:
    """The differences between belief and the truth."""
    both = right(truth, found.events)
    so, told = {a for a, _ in both}, {b for _, b in both}
    missing = [f"  not believed: {event}" for i, event in enumerate(truth) if i not in so]
    surplus = [
        f"  believed with {sure:.4f}: {event}"
        for i, (event, sure) in enumerate(zip(found.events, found.sure, strict=True))
        if i not in told
    ]
    return [f"{path}: {len(both)} of {len(truth)} events", *missing, *surplus]
