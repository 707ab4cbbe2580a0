"""Which hands a corpus of recorded sightings has: kinds of tables, and a seed for each hand.

The first corpus is for work. The unseen one is for the final measurement: it has other seeds and
more hands, and nobody looks at it before.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path

from bench import BenchError
from bench.live.hands import HEAP_EVERY, WantedHands
from models.sets import faces_for
from models.world import WorldLooks, look_from
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.reading.own_set import OwnSet

ASKEW_DEG = (20, 35)
FOUR_K = (3840, 2160)


class Corpus(StrEnum):
    """The purpose of recorded hands."""

    FIRST = "first"
    UNSEEN = "unseen"

    @property
    def first_seed(self) -> int:
        """Below all seeds of the corpus."""
        return 200_000 if self is Corpus.FIRST else 400_000

    @property
    def hands(self) -> int:
        """Of each kind, if nobody says how many."""
        return 30 if self is Corpus.FIRST else 40


@dataclass(frozen=True, slots=True)
class Folders:
    """Where tile faces lie that are not in this program.

    Attributes:
        faces: the published sets, each in a folder; of these the held-out ones are drawn.
        invented: sets that nobody has made, as `python -m models.invented_sets` writes them.
    """

    faces: Path | None = None
    invented: Path | None = None


@dataclass(frozen=True, slots=True)
class CorpusKind:
    """One kind of tables.

    Attributes:
        place: of its seeds: they begin a thousand higher with each.
        heap: of harsh ones: whether discards are thrown into the middle.
        is_askew: the camera looks 20 to 35 degrees askew.
        is_learnt: the tile set was made known to the reader by three pictures.
    """

    name: str
    place: int
    looks: WorldLooks = WorldLooks.WORLD
    is_harsh: bool = False
    heap: bool = False
    is_clumsy: bool = False
    is_askew: bool = False
    is_invented: bool = False
    is_learnt: bool = False
    is_4k: bool = False
    has_stream: bool = False

    def seeds(self, corpus: Corpus) -> Iterator[int]:
        """The seeds of its evenings, of which the first hand is played, without end."""
        seed = corpus.first_seed + 1000 * self.place
        while True:
            plain = WantedHands(1, seed, harsh=self.is_harsh, looks=self.looks)
            if (
                (not self.is_harsh or self.heap is (seed % HEAP_EVERY == 0))
                and (not self.is_4k or plain.lens(seed).size_wh == FOUR_K)
                and (not self.has_stream or look_from(self.looks, seed).optics.stream_mbit > 0)
            ):
                yield seed
            seed += 1

    def hand(self, corpus: Corpus, number: int) -> "CorpusHand":
        """The hand of that number, from 0."""
        seed = next(islice(self.seeds(corpus), number, None))
        every = rule_sets()
        return CorpusHand(corpus, self, number, seed, every[number % len(every)])


KINDS = (
    CorpusKind("usual", 0, WorldLooks.USUAL),
    CorpusKind("world", 1),
    # The same evenings with and without: what learning a set is worth.
    CorpusKind("held-out", 2, WorldLooks.HELD_OUT),
    CorpusKind("held-out-learnt", 2, WorldLooks.HELD_OUT, is_learnt=True),
    CorpusKind("askew", 3, is_askew=True),
    CorpusKind("harsh-rows", 4, is_harsh=True),
    CorpusKind("harsh-heap", 5, is_harsh=True, heap=True),
    CorpusKind("clumsy", 6, is_clumsy=True),
    CorpusKind("invented", 7, is_invented=True),
    CorpusKind("4k", 8, is_4k=True),
    CorpusKind("stream", 9, has_stream=True),
)


@dataclass(frozen=True, slots=True)
class CorpusHand:
    """One hand of a corpus."""

    corpus: Corpus
    kind: CorpusKind
    number: int
    seed: int
    rules: RuleSet

    @property
    def name(self) -> str:
        """Of its file."""
        return f"{self.kind.name}-{self.number:03d}"

    def wanted(self, folders: Folders) -> WantedHands:
        """As it is played.

        Raises:
            BenchError: nobody said where its tile sets lie.
        """
        kind = self.kind
        least, most = ASKEW_DEG
        return WantedHands(
            1,
            self.seed,
            real=True,
            harsh=kind.is_harsh,
            clumsy=kind.is_clumsy,
            faces=faces_folder(kind, folders),
            looks=kind.looks,
            tilt_deg=least + self.seed * 7 % (most - least + 1) if kind.is_askew else None,
        )

    def faces(self, folders: Folders) -> str:
        """The name of its tile set.

        Raises:
            BenchError: as `wanted`.
            FacesError: there is none.
        """
        every = (*self.rules.kinds, *self.rules.bonus_tiles)
        folder = faces_folder(self.kind, folders)
        found = faces_for(folder, self.kind.looks, self.seed, needed=self.rules.kinds, all_of=every)
        return found.name

    def own_set(self, folders: Folders) -> OwnSet | None:
        """The learnt part of its tile set; None where the reader does not know it.

        Raises:
            BenchError: as `wanted`.
            OwnSetError: it was not learnt.
        """
        return find_set(self.faces(folders)) if self.kind.is_learnt else None


def faces_folder(kind: CorpusKind, folders: Folders) -> Path | None:
    """Where the tile sets of a kind lie; None: our own.

    Raises:
        BenchError: nobody said where.
    """
    if kind.looks is WorldLooks.HELD_OUT:
        folder, option = folders.faces, "--faces"
    elif kind.is_invented:
        folder, option = folders.invented, "--invented"
    else:
        return None
    if folder is None:
        raise BenchError(f"the kind {kind.name!r} needs tile sets: give their folder by {option}")
    return folder


def kinds_named(names: list[str] | None) -> tuple[CorpusKind, ...]:
    """The kinds of these names; all where none is named.

    Raises:
        BenchError: there is no such kind.
    """
    known = {kind.name: kind for kind in KINDS}
    for name in names or ():
        if name not in known:
            raise BenchError(f"there is no kind {name!r}; there are {', '.join(known)}")
    return tuple(known[name] for name in names) if names else KINDS
