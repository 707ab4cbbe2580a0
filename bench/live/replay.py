"""``python -m bench live replay``: recorded hands followed again, kind by kind."""

import argparse
import json
import platform
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median, quantiles

from bench.live.again import FollowedHand, follow_again
from bench.live.corpus import KINDS, Corpus, CorpusError, kinds_named
from bench.live.report import wrong_lines
from table_assist.capture.manifest import program_version
from table_assist.capture.sightings.file import ENDING, load_about, load_hand
from table_assist.capture.sightings.moments import About
from table_assist.game.events import Settled
from table_assist.twin.demo.compare import HandFigures

ALL = "all kinds"


@dataclass(slots=True)
class ReplayRow:
    """The results on the hands of one kind.

    Attributes:
        live: hands of which the replay wrote the very log that was written live.
        settled: hands with a settlement, of these `settled_right`, and `said` that they would be.
        look_ms: of one core, each look.
    """

    kind: str
    hands: int = 0
    right: int = 0
    silent: int = 0
    asked: int = 0
    events_true: int = 0
    events_right: int = 0
    live: int = 0
    settled: int = 0
    settled_right: int = 0
    said: float = 0.0
    look_ms: list[float] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)

    def add(self, followed: FollowedHand, seed: int, *, as_live: bool) -> None:
        """One more hand."""
        figures = followed.figures
        self.hands += 1
        self.right += figures.is_right
        self.silent += figures.is_silently_wrong
        self.asked += len(figures.questions)
        self.events_true += figures.events_true
        self.events_right += figures.events_right
        self.live += as_live
        for entry in followed.entries:
            if isinstance(entry.event, Settled):
                self.settled += 1
                self.settled_right += figures.is_right
                self.said += entry.confidence
        self.look_ms += followed.look_ms
        self.seeds.append(seed)

    @property
    def times_ms(self) -> tuple[float, float, float]:
        """A look's median, 95th percentile and longest."""
        looks = self.look_ms or [0.0]
        p95 = quantiles(looks, n=20)[-1] if len(looks) > 1 else looks[0]
        return round(median(looks), 2), round(p95, 2), round(max(looks), 2)

    @property
    def line(self) -> str:
        """A line of a table in Markdown."""
        hands = max(self.hands, 1)
        middle, p95, longest = self.times_ms
        return (
            f"| {self.kind} | {self.hands} | {self.right} ({self.right / hands:.1%}) | "
            f"{self.silent} | {self.asked / hands:.2f} | {self.events_right} of "
            f"{self.events_true} | {middle:.2f} | {p95:.2f} | {longest:.2f} | {self.live} | "
            f"{self.settled_right} of {self.settled}, said {self.said:.3f} |"
        )

    def to_json(self) -> dict[str, object]:
        """The figures; of the looks their times."""
        middle, p95, longest = self.times_ms
        counts = {name: value for name, value in asdict(self).items() if name != "look_ms"}
        times = {"median": middle, "p95": p95, "longest": longest, "looks": len(self.look_ms)}
        return counts | {"look_ms": times}


HEAD = (
    "| tables | hands | right without help | wrong without a question | questions a hand | "
    "events right | a look, ms: median | p95 | longest | same log as live | settlements right |",
    "|---" * 11 + "|",
)


def run(options: argparse.Namespace) -> int:
    """Follow a corpus again; returns the exit code: 1 where a hand is wrong without a question."""
    kinds = [kind.name for kind in kinds_named(options.kind)]
    every = corpus_in(options.folder, kinds, options.hands, is_final=options.final)
    rows: dict[str, ReplayRow] = {}
    total = ReplayRow(ALL)
    for path, about in every:
        hand = load_hand(path)
        followed = follow_again(hand)
        for row in (rows.setdefault(about.kind, ReplayRow(about.kind)), total):
            row.add(followed, about.seed, as_live=followed.entries == hand.log)
        if not options.json and (options.all or followed.figures.is_silently_wrong):
            _tell(path, followed.figures)
    if options.json:
        print(json.dumps(result([*rows.values(), total]), ensure_ascii=False))
    else:
        print("\n".join([*HEAD, *(row.line for row in (*rows.values(), total))]))
    return 1 if total.silent else 0


def corpus_in(
    folder: Path | None, kinds: Sequence[str], most: int | None, *, is_final: bool
) -> list[tuple[Path, About]]:
    """The recorded hands of these kinds, in order.

    Args:
        most: so many of each kind, the first ones; None: all.
        is_final: also those of the corpus that nobody looks at before the final measurement.

    Raises:
        CorpusError: there are none, or they are not to be looked at yet.
        SightingsError: a file is damaged.
    """
    if folder is None or not folder.is_dir():
        raise CorpusError(
            "there is no folder {value} of recorded hands: give it by --folder",
            "没有存放牌局的文件夹 {value}：请用 --folder 指定",
            value=f"{str(folder or '')!r}",
        )
    found = [(path, load_about(path)) for path in sorted(folder.glob(f"*{ENDING}"))]
    if not is_final and any(about.corpus == Corpus.UNSEEN for _, about in found):
        raise CorpusError(
            "{folder} holds the corpus that is kept for the final measurement, and who has "
            "seen it can tune on it: --final replays it still",
            "{folder} 是留作最终测量的牌局，看过就可能据此调整：加 --final 才会重放",
            folder=folder,
        )
    chosen = list(_chosen(found, kinds, most))
    if not chosen:
        raise CorpusError(
            "{folder} has no such recorded hand", "{folder} 没有这样的牌局", folder=folder
        )
    return chosen


def _chosen(
    found: Iterable[tuple[Path, About]], kinds: Sequence[str], most: int | None
) -> Iterator[tuple[Path, About]]:
    ordered = [kind.name for kind in KINDS if kind.name in kinds]
    by_kind: dict[str, list[tuple[Path, About]]] = {kind: [] for kind in ordered}
    for path, about in found:
        if about.kind in by_kind:
            by_kind[about.kind].append((path, about))
    for each in by_kind.values():
        yield from each[:most]


def _tell(path: Path, figures: HandFigures) -> None:
    if not figures.is_right or figures.questions:
        print("\n".join(wrong_lines(figures, str(path))), flush=True)


def result(rows: Sequence[ReplayRow]) -> dict[str, object]:
    """The figures and where they come from."""
    return {
        "command": ["table-assist", *sys.argv[1:]],
        "commit": _commit(),
        "program": program_version(),
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": f"{platform.machine()}, {platform.platform()}",
        "rows": [row.to_json() for row in rows],
    }


def _commit() -> str:
    """Of the source that runs; empty where it is no checkout."""
    here = Path(__file__).parent
    try:
        found = subprocess.run(
            ["git", "-C", str(here), "describe", "--always", "--dirty", "--abbrev=12"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()
