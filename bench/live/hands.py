"""``python -m bench live``: evenings of each rule set, followed without help."""

import argparse
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from math import ceil, floor, sqrt
from pathlib import Path
from random import Random

import cv2

from bench import report, sets_of
from bench.live.clumsy import Clumsiness
from bench.live.compared import FACTS, SETTLED, HandFigures
from bench.live.evening import EveningTable
from bench.live.eyes import CAMERAS, ModelledEyes, RealEyes, StandInEyes
from bench.live.rates import load_rates
from models.world import WorldLooks, tile_scale, tilt_from, world_lens
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.lens import Lens, askew
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.weights import load_weights

Z95 = 1.96
MOST_HANDS = 500  # of each rule set, if nobody says how many
# Each rule set is played at tables of its own: its seeds begin so much higher than the one before.
SEEDS_APART = 1_000_000
# How sure the program was: from so much on.
BELIEF_STEPS = (0.0, 0.9, 0.99, 0.999)
HANDS_AN_EVENING = 4
# At every third hard table discards are thrown into the middle.
HEAP_EVERY = 3


@dataclass(frozen=True, slots=True)
class WantedHands:
    """The hands to be played."""

    hands: int
    seed: int = 1  # of the first evening; each further one has the next number
    real: bool = False
    noise: str = "default"  # or "harsh" (`disturb.py`), "clumsy" (`clumsy.py`)
    # For real eyes: a folder of tile faces instead of the built-in ones, or of such folders: then
    # each evening has one of them, held-out ones with held-out looks only.
    faces: Path | None = None
    looks: WorldLooks = WorldLooks.USUAL  # of the tables; modelled eyes err as at such a table
    tilt_deg: float | None = None  # of the camera, from behind seat 0; None: as the looks have it
    tile_scale: float | None = None  # times as large as usual; None: as the looks have it

    @property
    def camera(self) -> str:
        """Whose pictures are read."""
        return "oblique" if self.noise == "harsh" else "overhead"

    def scale(self, seed: int) -> float:
        """Of the tiles of an evening."""
        return tile_scale(self.looks, seed) if self.tile_scale is None else self.tile_scale

    def lens(self, seed: int) -> Lens:
        """The camera of an evening with real eyes."""
        camera, tilt = CAMERAS[self.camera], self.tilt_deg
        if self.looks is WorldLooks.USUAL:
            return camera if tilt is None else askew(camera, tilt)
        if tilt is None:
            tilt = 0.0 if camera.tilt_deg else tilt_from(self.looks, seed)
        return world_lens(camera, seed, scale=self.scale(seed), tilt_deg=tilt)

    def real_eyes(self, rules: RuleSet, seed: int, reader: Reader) -> RealEyes:
        """The eyes of an evening."""
        lens = self.lens(seed)
        return RealEyes(rules, reader, lens, seed=seed, faces=self.faces, looks=self.looks)

    def play(self, table: EveningTable, seed: int, hands: int) -> Iterator[HandFigures]:
        """An evening's hands as they are played before the program."""
        clumsiness = Clumsiness() if self.noise == "clumsy" else None
        return table.play(hands, clumsiness=clumsiness, tile_scale=self.scale(seed))


@dataclass(slots=True)
class LiveTally:
    """The results on many hands: of a rule set, or a kind of tables."""

    name: str
    hands: int = 0
    right: int = 0
    asked: int = 0
    events_true: int = 0
    events_right: int = 0
    silent: list[HandFigures] = field(default_factory=list)  # wrong although nobody was asked
    # How often so sure of it (see `BELIEF_STEPS`), and whether it was so.
    beliefs: Counter[tuple[str, float, bool]] = field(default_factory=Counter)
    eyes: str = ""
    noise: str = ""
    seconds: float = 0.0

    def add(self, figures: HandFigures) -> None:
        """Count one hand."""
        self.hands += 1
        self.right += figures.is_right
        self.asked += len(figures.questions)
        self.events_true += figures.events_true
        self.events_right += figures.events_right
        if figures.is_silently_wrong:
            self.silent.append(figures)
        self.beliefs.update(
            (what, BELIEF_STEPS[bisect_right(BELIEF_STEPS, chance) - 1], is_so)
            for what, chance, is_so in figures.beliefs
        )

    @property
    def reliability(self) -> dict[str, list[tuple[int, int]]]:
        """Of each belief, by how sure it was (`BELIEF_STEPS`): how often, and how often not so."""
        counts, both = self.beliefs, (True, False)
        return {
            what: [(sum(counts[what, sure, so] for so in both), counts[what, sure, False])
                   for sure in BELIEF_STEPS] for what in (SETTLED, FACTS)
        }  # fmt: skip

    @property
    def likely(self) -> tuple[int, int]:
        """Of so many hands between how many are right, in 95 of 100 measurements (Wilson 1927)."""
        if not self.hands:
            return 0, 0
        share, z2 = self.right / self.hands, Z95**2
        middle = share + z2 / (2 * self.hands)
        half = Z95 * sqrt(share * (1 - share) / self.hands + z2 / (4 * self.hands**2))
        low, high = ((middle + sign * half) / (1 + z2 / self.hands) for sign in (-1, 1))
        return floor(low * self.hands), ceil(min(1.0, high) * self.hands)

    def to_json(self) -> dict[str, object]:
        """The fields by name; of silently wrong hands all that is known."""
        low, high = self.likely
        return asdict(self) | {
            "silent": [figures.to_json() for figures in self.silent], "beliefs": {},
            "wrong": len(self.silent), "low": low, "high": high, "rules": self.name,
            "questions": round(self.asked / max(self.hands, 1), 2),
            "reliability": self.reliability,
        }  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Play and tell; returns the exit code: 1 where a hand is wrong without a question."""
    hands = MOST_HANDS if options.hands is None else options.hands
    wanted = WantedHands(hands, options.seed, options.eyes == "real", options.noise,
                         options.faces, WorldLooks(options.looks))  # fmt: skip
    total = LiveTally("all", eyes=options.eyes, noise=options.noise)
    for found in follow_hands(wanted, sets_of(options)):
        if options.json or isinstance(found, LiveTally) or not found.is_right:
            report(found.to_json(), as_json=options.json)
        if isinstance(found, HandFigures):
            total.add(found)
        else:
            total.seconds += found.seconds
    report(total.to_json(), as_json=options.json)
    return 1 if total.silent else 0


def follow_hands(wanted: WantedHands, sets: Iterable[RuleSet]) -> Iterator[HandFigures | LiveTally]:
    """Each hand's figures, and after those of a rule set its tally; raises `NoCodecError`."""
    eyes_of, every = eyes_for(wanted), rule_sets()
    for rules in sets:
        tally = LiveTally(rules.id, eyes="real" if wanted.real else "modelled", noise=wanted.noise)
        started = time.process_time()
        above = wanted.seed + SEEDS_APART * every.index(rules)
        for first in range(0, wanted.hands, HANDS_AN_EVENING):
            seed = above + first // HANDS_AN_EVENING
            eyes = eyes_of(rules, seed)
            harsh = wanted.noise == "harsh"
            is_heap = harsh and seed % HEAP_EVERY == 0
            table = EveningTable(rules, eyes, seed=seed, harsh=harsh, heap=is_heap)
            for played in wanted.play(table, seed, min(wanted.hands - first, HANDS_AN_EVENING)):
                figures = replace(played, tile_set=eyes.tile_set)
                tally.add(figures)
                tally.seconds = round(time.process_time() - started, 1)
                yield figures
        yield tally


def eyes_for(wanted: WantedHands) -> Callable[[RuleSet, int], StandInEyes]:
    """What makes new eyes for an evening; `BenchError` where such tables are not modelled."""
    if wanted.real:
        reader = open_reader()
        # As the running program has it: threads that spin while they wait are no work.
        cv2.setNumThreads(1)
        return lambda rules, seed: wanted.real_eyes(rules, seed, reader)
    measured, limits = load_rates(wanted.looks), load_weights().recogniser.limits

    def modelled(rules: RuleSet, seed: int) -> StandInEyes:
        dress = Random(f"dress {seed}").choice(measured.dresses)
        rates, camera = measured.of(wanted.camera, dress), CAMERAS[wanted.camera]
        return ModelledEyes(rates, camera, limits=limits, seed=seed, tile_set=dress)

    return modelled
