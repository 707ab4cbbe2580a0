"""``python -m bench live``: evenings of each rule set, followed without help."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2

from bench.live.evening import HANDS, HARD_LINE, EveningTable, follow_evening
from bench.live.eyes import CAMERAS, ModelledEyes, RealEyes, StandInEyes, dresses_of, rates_of
from bench.live.pages import PageAlbum
from bench.live.partings import Cause
from bench.live.rates import load_rates, rates_path
from bench.live.report import LiveTally
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.clumsy import Clumsiness
from table_assist.twin.demo.compare import HandFigures
from table_assist.twin.disturb import Hardness
from table_assist.twin.lens import Lens, askew
from table_assist.twin.steps import TableStep
from table_assist.twin.stream import codec
from table_assist.twin.world import WorldLooks, look_from, tile_scale, tilt_from, world_lens
from table_assist.vision.reading.own_set import OwnSet
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.weights import load_weights

# At every third hard table discards are thrown into the middle.
HEAP_EVERY = 3


@dataclass(frozen=True, slots=True)
class WantedHands:
    """The hands to be played.

    Attributes:
        seed: of the first evening; each further one has the next number.
        clumsy: tiles are taken back, pushed, knocked over, laid in wrong rows (`twin/clumsy.py`).
        faces: for real eyes: a folder of tile faces instead of the built-in ones, or of such
            folders: then each evening has one of them, held-out ones with held-out looks only.
        looks: where the tables' looks come from; modelled eyes err as at such a table.
        tilt_deg: for real eyes: the camera looks at the table so much askew, from behind seat 0;
            None: as the looks have it.
        tile_scale: the tiles are so many times as large as usual; None: as the looks have it.
        own_set: for real eyes: the tile set that was made known to the reader.
        pages: for real eyes: where a page is written for each hand that was not right by itself.
    """

    hands: int
    seed: int = 1
    real: bool = False
    harsh: bool = False
    clumsy: bool = False
    faces: Path | None = None
    pages: Path | None = None
    own_set: OwnSet | None = None
    looks: WorldLooks = WorldLooks.USUAL
    tilt_deg: float | None = None
    tile_scale: float | None = None

    @property
    def noise(self) -> str:
        """As it is called on the command line."""
        return "harsh" if self.harsh else "clumsy" if self.clumsy else "default"

    @property
    def camera(self) -> str:
        """Whose pictures are read."""
        return "oblique" if self.harsh else "overhead"

    @property
    def has_streams(self) -> bool:
        """Whether an evening is seen through a phone's video stream."""
        evenings = range(self.seed, self.seed - (-self.hands // HANDS))
        return self.real and any(
            look_from(self.looks, seed).optics.stream_mbit > 0 for seed in evenings
        )

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


def follow_hands(wanted: WantedHands, sets: Iterable[RuleSet]) -> Iterator[HandFigures | LiveTally]:
    """Each hand's figures, and after those of a rule set its tally.

    Raises:
        NoCodecError: an evening is seen through a phone's stream, and there is no encoder for it.
    """
    if wanted.has_streams:
        codec()
    eyes_for = EyesFor(wanted)
    for rules in sets:
        tally = LiveTally(
            rules.id,
            "real" if wanted.real else "modelled",
            wanted.noise,
        )
        started = time.process_time()
        for figures, cause in _hands(wanted, rules, eyes_for):
            tally.add(figures, cause)
            tally.seconds = round(time.process_time() - started, 1)
            yield figures
        tally.healed, eyes_for.healed = eyes_for.healed, 0
        yield tally


def again(wanted: WantedHands, figures: HandFigures) -> str:
    """The command that plays a hand again."""
    own = "".join(f" --{name} {value}" for name, value in _with(wanted))
    return (
        f"python -m bench live --rules {figures.rules} "
        f"--eyes {'real' if wanted.real else 'modelled'} "
        f"--noise {wanted.noise} "
        f"--seed {figures.evening} --hands {figures.hand}{own}"
    )


def _with(wanted: WantedHands) -> Iterator[tuple[str, str]]:
    """The settings beside the defaults."""
    if wanted.faces is not None:
        yield "faces", str(wanted.faces)
    if wanted.looks is not WorldLooks.USUAL:
        yield "looks", wanted.looks
    if wanted.tilt_deg is not None:
        yield "tilt", f"{wanted.tilt_deg:g}"
    if wanted.tile_scale is not None:
        yield "tiles", f"{wanted.tile_scale:g}"
    if wanted.own_set is not None:
        yield "set", wanted.own_set.name


def _hands(
    wanted: WantedHands, rules: RuleSet, eyes_for: "EyesFor"
) -> Iterator[tuple[HandFigures, Cause | None]]:
    """Each hand's figures, and what failed first where pages are written."""
    left, seed = wanted.hands, wanted.seed
    while left > 0:
        eyes = eyes_for(rules, seed)
        album = eyes_for.album(eyes)
        table = EveningTable(
            rules,
            eyes,
            seed=seed,
            hardness=Hardness() if wanted.harsh else None,
            line_faults=HARD_LINE if wanted.harsh else 0.0,
            heap=wanted.harsh and seed % HEAP_EVERY == 0,
        )
        hands = min(left, HANDS)
        after = _nothing if album is None else album.keep
        clumsiness = Clumsiness() if wanted.clumsy else None
        for figures in follow_evening(
            rules,
            table,
            seed=seed,
            hands=hands,
            clumsiness=clumsiness,
            tile_scale=wanted.scale(seed),
            after=after,
        ):
            yield figures, None if album is None else album.end(figures)
        if isinstance(eyes, RealEyes):
            eyes_for.healed += eyes.observer.healed
        left, seed = left - HANDS, seed + 1


def _nothing(step: TableStep, t: float) -> None:
    """Nobody keeps pages."""


class EyesFor:
    """New eyes for each evening: another look of the table, another measured tile set.

    Attributes:
        healed: as `LiveTally.healed`, of the evenings that are over.
    """

    def __init__(self, wanted: WantedHands) -> None:
        self.healed = 0
        self._wanted = wanted
        self._reader = open_reader(own_set=wanted.own_set) if wanted.real else None
        if wanted.real:
            # As the running program has it: threads that spin while they wait are no work.
            cv2.setNumThreads(1)
        self._measured = None if wanted.real else load_rates(rates_path(wanted.looks))
        self._limits = load_weights().recogniser.limits

    def album(self, eyes: StandInEyes) -> PageAlbum | None:
        """The writer of an evening's pages, where they are wanted."""
        pages = self._wanted.pages
        if pages is None or self._reader is None or not isinstance(eyes, RealEyes):
            return None
        where = eyes.observer.calibration
        stretch = 1.0 if where is None else where.foreshortening
        reader = replace(self._reader, stretch=stretch)
        return PageAlbum(pages, eyes, reader, lambda figures: again(self._wanted, figures))

    def __call__(self, rules: RuleSet, seed: int) -> StandInEyes:
        """Eyes for the evening of that seed."""
        if self._reader is not None:
            return RealEyes(
                rules,
                self._reader,
                self._wanted.lens(seed),
                seed=seed,
                faces=self._wanted.faces,
                looks=self._wanted.looks,
            )
        assert self._measured is not None
        dresses = dresses_of(self._measured)
        rates = rates_of(self._measured, self._wanted.camera, dresses[seed % len(dresses)])
        camera = CAMERAS[self._wanted.camera]
        return ModelledEyes(rates, camera, limits=self._limits, seed=seed)
