"""``python -m bench live replay``: recorded hands followed again, kind by kind."""

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median, quantiles

from bench import BenchError
from bench.live.compared import HandFigures, compare
from bench.live.corpus import KINDS, Corpus, kinds_named
from bench.live.evening import NAMES, PEOPLE, Clock
from bench.live.hands import HandsCount, is_quietly_right, wrong_lines
from bench.live.moments import (
    ENDING,
    About,
    Heard,
    Looked,
    RecordedHand,
    Said,
    load_about,
    load_hand,
)
from table_assist.capture.manifest import program_version
from table_assist.game.events import Event
from table_assist.record.log import Entry
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session

ALL = "all kinds"


@dataclass(frozen=True, slots=True)
class FollowedHand:
    """A hand's result this time.

    Attributes:
        events: those that count in the end.
        look_ms: of one core that each look took to follow.
    """

    figures: HandFigures
    entries: tuple[Entry, ...]
    events: tuple[Event, ...]
    look_ms: tuple[float, ...]


@dataclass(slots=True)
class ReplayRow(HandsCount):
    """The results on the hands of one kind.

    Attributes:
        live: hands of which the replay wrote the very log that was written live.
        look_ms: of one core, each look.
    """

    live: int = 0
    look_ms: list[float] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)

    def take(self, followed: FollowedHand, hand: RecordedHand) -> None:
        """One more hand."""
        self.add(followed.figures)
        self.live += followed.entries == hand.log
        self.look_ms += followed.look_ms
        self.seeds.append(hand.about.seed)

    def to_json(self) -> dict[str, object]:
        """The figures; of the looks their median, 95th percentile and longest."""
        looks = self.look_ms or [0.0]
        p95 = quantiles(looks, n=20)[-1] if len(looks) > 1 else looks[0]
        times = {"median": median(looks), "p95": p95, "longest": max(looks)}
        told = {name: round(ms, 2) for name, ms in times.items()} | {"looks": len(self.look_ms)}
        silent, said = len(self.silent), self.reliability
        beside = {"kind": self.name, "silent": silent, "reliability": said, "look_ms": told}
        return asdict(replace(self, silent=[], look_ms=[], beliefs=Counter())) | beside


def run(options: argparse.Namespace) -> int:
    """Follow a corpus again; returns the exit code: 1 where a hand is wrong without a question."""
    kinds = [kind.name for kind in kinds_named(options.kind)]
    rows: dict[str, ReplayRow] = {}
    total = ReplayRow(ALL)
    for path, about in corpus_in(options.folder, kinds, options.hands, is_final=options.final):
        hand = load_hand(path)
        followed = follow_again(hand)
        for row in (rows.setdefault(about.kind, ReplayRow(about.kind)), total):
            row.take(followed, hand)
        figures = followed.figures
        is_told = figures.is_silently_wrong or (options.all and not is_quietly_right(figures))
        if is_told and not options.json:
            print("\n".join(wrong_lines(figures, str(path))), flush=True)
    every = [row.to_json() for row in (*rows.values(), total)]
    print(json.dumps({"program": program_version(), "rows": every}, ensure_ascii=False))
    return 1 if total.silent else 0


def corpus_in(
    folder: Path | None, kinds: Sequence[str], most: int | None, *, is_final: bool
) -> list[tuple[Path, About]]:
    """The recorded hands of these kinds, in order.

    Args:
        most: so many of each kind, the first ones; None: all.
        is_final: also those of the corpus that nobody looks at before the final measurement.

    Raises:
        BenchError: there are none, or they are not to be looked at yet, or one is damaged.
    """
    if folder is None or not folder.is_dir():
        raise BenchError(
            f"there is no folder {str(folder or '')!r} of recorded hands: give it by --folder"
        )
    found = [(path, load_about(path)) for path in sorted(folder.glob(f"*{ENDING}"))]
    if not is_final and any(about.corpus == Corpus.UNSEEN for _, about in found):
        raise BenchError(
            f"{folder} holds the corpus that is kept for the final measurement, and who has "
            "seen it can tune on it: --final replays it still"
        )
    chosen = [
        each
        for kind in KINDS
        if kind.name in kinds
        for each in [each for each in found if each[1].kind == kind.name][:most]
    ]
    if not chosen:
        raise BenchError(f"{folder} has no such recorded hand")
    return chosen


def follow_again(hand: RecordedHand) -> FollowedHand:
    """Let everything come to a new session again, on a clock of its own."""
    about, clock = hand.about, Clock()
    rules = find_rules(about.rules)
    record = Record(None, clock)
    session = Session(plain_profile(rules), NAMES, record, now=clock, heap=about.heap)
    look_ms = []
    for moment in hand.moments:
        clock.t = moment.t
        match moment:
            case Looked(observation=observation):
                began = time.process_time_ns()
                session.process(observation)
                look_ms.append((time.process_time_ns() - began) / 1e6)
            case Heard(_, content, origin):
                session.process(BoardSignal(content, origin))
            case Said(_, command, by):
                session.put_command(command, by or PEOPLE)
                session.drain()
    figures = compare(about.rules, about.seed, about.hand, hand.truth, record, 0)
    counting = tuple(event for _, event in record.counting)
    return FollowedHand(figures, tuple(record.entries), counting, tuple(look_ms))
