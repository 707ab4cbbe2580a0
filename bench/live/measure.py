"""``python -m bench live measure``: how often the reader errs on drawn pictures, and how.

Each scene is drawn and read twice, with other noise: what is misread both times would be misread
in every picture. With ``--looks world`` each table of the whole space of looks is measured by
itself, because an evening is played at one: at most of them hardly anything is misread, at a few
much. It is without the lens' distortion, because the rates are told by place.
"""

import argparse
import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from bench import BenchError, sets_of
from bench.live.disturb import DisturbedRenderer, Disturber, Hardness
from bench.live.eyes import CAMERAS
from bench.live.hands import MOST_HANDS
from bench.live.rates import (
    ANY_FACE,
    Ghost,
    MeasuredRates,
    Outcomes,
    Rates,
    Way,
    group_of,
    is_face,
    kind_of,
    rates_path,
    save_rates,
)
from bench.live.things import STANDING, Geometry, SceneThing
from bench.reading import machine_name
from models.sets import faces_for, sets_below
from models.world import WorldLooks, look_from, tile_scale
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.evening import play_evening
from table_assist.twin.lens import Lens
from table_assist.twin.moment import CameraMoment, Spoiled
from table_assist.twin.render import Renderer
from table_assist.twin.table import Manners
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import UNKNOWN, Candidate
from table_assist.vision.reading.weights import WEIGHTS
from table_assist.vision.reading.whole import checked
from table_assist.vision.table.back_filter import BackFilter
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import LYING_WHOLE, lying_shares
from table_assist.vision.table.occlusion import cloth_in
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.viewpoint import Viewpoint, viewpoint

READS = 2  # of each scene
# The middle of what was read for a thing lies within this share of its half sides.
SAME_THING = 0.7
PLACE_MM = 4.0  # ghosts so near are the same one
TABLES_MEASURED = 16  # of the whole space of looks; every other one with a set of the folder's
TIMES_READ = Hardness(reaches=0.5, rolls=0.1, shines=0.2, blurs=0.0, drops=0.0, freezes=0.0)


@dataclass(frozen=True, slots=True)
class Dress:
    """One table: its tiles' faces and its look.

    Attributes:
        folder: of the faces, or of many sets; None: the built-in ones.
        seed: of the look; None: each hand has another of the usual ones.
    """

    name: str
    folder: Path | None = None
    seed: int | None = None

    @property
    def looks(self) -> WorldLooks:
        """Where the look comes from."""
        return WorldLooks.USUAL if self.seed is None else WorldLooks.WORLD


def dresses_for(looks: WorldLooks, folder: Path | None) -> list[Dress]:
    """The dresses to be measured.

    Raises:
        BenchError: held-out looks, by which nothing is tuned.
    """
    if looks is WorldLooks.HELD_OUT:
        raise BenchError("No rates are measured on held-out tables: nothing is tuned by them.")
    if looks is WorldLooks.WORLD:
        return [Dress(f"table {n}", folder if n % 2 else None, n) for n in range(TABLES_MEASURED)]
    every = {tile for rules in rule_sets() for tile in (*rules.kinds, *rules.bonus_tiles)}
    sets = [] if folder is None else sets_below(folder, {tile for tile in every if tile.is_face})
    return [Dress("built-in"), *(Dress(each.name, each) for each in sets)]


def run(options: argparse.Namespace) -> int:
    """Measure and write the file that the modelled eyes read; returns the exit code.

    Each set is drawn and read by each camera in so many pictures, half as many spoiled ones.
    """
    looks = WorldLooks(options.looks)
    dresses, reader = dresses_for(looks, options.faces), open_reader(threads=1)
    rules = sets_of(options)
    pictures = MOST_HANDS if options.hands is None else options.hands
    found: dict[str, Rates] = {}
    things = 0
    for camera_name, camera in CAMERAS.items():
        for dress in dresses:
            for spoiled in Spoiled:
                tally = ThingTally(camera)
                count = pictures if spoiled is Spoiled.CLEAR else pictures // 2
                for number, moments in enumerate(moments_of(rules, count, spoiled, dress)):
                    read_all(reader, tally, dress, rules, number, moments)
                name = f"{camera_name}/{dress.name}/{spoiled}"
                found[name] = tally.rates()
                things += tally.things
                print(f"{name}: {tally.things} things", flush=True)
    networks = " ".join(
        hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        for path in sorted(WEIGHTS.glob("*.onnx"))
    )
    date = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    path = rates_path(looks)
    save_rates(path, MeasuredRates(date, machine_name(), networks, things, found))
    print(f"{things} things read; written to {path.name}")
    return 0


def moments_of(
    rules: Sequence[RuleSet], pictures: int, spoiled: Spoiled, dress: Dress, evening: int = 1000
) -> Iterator[tuple[CameraMoment, ...]]:
    """Some moments of one hand under each rule set, hands over the table in some.

    Args:
        evening: the first one's seed.
    """
    each = max(1, pictures // len(rules))
    first = 0 if dress.seed is None else dress.seed * len(rules)
    manners = Manners(tile_scale=tile_scale(dress.looks, dress.seed or 0))
    for number, one in enumerate(rules, first):
        disturber = Disturber(number, TIMES_READ)
        moments = [
            moment
            for step in play_evening(evening + number, one, hands=1, manners=manners)
            for moment in disturber.moments(step)
        ]
        chosen = Random(f"moments-{one.id}").sample(moments, min(each, len(moments)))
        yield tuple(
            CameraMoment(moment.scene, moment.seconds, spoiled=spoiled) for moment in chosen
        )


def read_all(
    reader: Reader,
    tally: "ThingTally",
    dress: Dress,
    rules: Sequence[RuleSet],
    number: int,
    moments: Sequence[CameraMoment],
) -> None:
    """Draw a hand's moments, and count what is read of them.

    Args:
        number: the hand's place among the rules.
    """
    seed = number if dress.seed is None else dress.seed
    needed = tuple(dict.fromkeys(tile for one in rules for tile in (*one.kinds, *one.bonus_tiles)))
    faces = faces_for(dress.folder, dress.looks, seed, needed=needed, all_of=needed)
    look = look_from(dress.looks, seed)
    # Its moments are picked out, and no stream.
    look = replace(look, optics=replace(look.optics, distortion=0.0, stream_mbit=0.0))
    mm = TILE_MM * tile_scale(dress.looks, seed)

    def make(lens: Lens) -> Renderer:
        return Renderer(faces, look, lens, seed)

    drawn = DisturbedRenderer(make, tally.camera, seed)
    calibration = Calibration(tally.camera.corners_px())
    for moment in moments:
        reads = []
        for _ in range(READS):
            image = drawn.picture(moment)
            window, shown = calibration.shown(image)
            above = viewpoint(calibration, (image.shape[1], image.shape[0]))
            read = read_as_told(reader, np.ascontiguousarray(window), shown, above, mm)
            (x0, y0), (x1, y1) = calibration.corners_px[0], shown.corners_px[0]
            reads.append((read, (round(x0 - x1), round(y0 - y1))))
        tally.count(moment, reads, calibration)


def read_as_told(
    reader: Reader,
    window: Image,
    calibration: Calibration,
    above: Viewpoint | None,
    tile_mm: float,
) -> Readings:
    """A picture's readings as a watcher tells them: known cloth or a known part is no error."""
    read = reader.read(window, of_a_table=True)
    shares = lying_shares(read.polygons, calibration, above, tile_mm)
    whole = checked(read, shares, least=LYING_WHOLE)
    return BackFilter().without(whole, window, cloth_in(window, calibration))


_Said = tuple[tuple[str, float], ...]  # what a thing may be, the likeliest first


@dataclass(slots=True)
class _Counted:
    seen: int = 0
    ways: Counter[tuple[str, _Said]] = field(default_factory=Counter)


@dataclass(slots=True)
class _Pairs:
    """Things of which two pictures were read: how many were wrong once, and the same twice."""

    seen: int = 0
    once: int = 0
    twice: int = 0

    @property
    def stuck(self) -> float:
        """As in `Rates`; what would coincide by chance is taken out."""
        once, twice = self.once / max(self.seen, 1), self.twice / max(self.seen, 1)
        if not 0 < once < 1:
            return 1.0
        return round(max(0.0, min(1.0, (twice - once**2) / (once - once**2))), 3)


class ThingTally:
    """The outcomes of all things under one kind of picture."""

    def __init__(self, camera: Lens) -> None:
        self.camera = camera
        self._geometry = Geometry(camera)
        self._kinds: dict[str, _Counted] = defaultdict(_Counted)
        self._sure: list[float] = []
        self._boxes: list[NDArray[np.float64]] = []
        self._ghosts: dict[tuple[int, int, str, bool, str], list[Ghost]] = defaultdict(list)
        self._pictures = self._covered = 0
        self._pairs: dict[str, _Pairs] = defaultdict(_Pairs)

    @property
    def things(self) -> int:
        """How many there were, each picture counted."""
        return sum(kind.seen for kind in self._kinds.values())

    def count(
        self,
        moment: CameraMoment,
        reads: Sequence[tuple[Readings, tuple[int, int]]],
        calibration: Calibration,
    ) -> None:
        """Take in what was read of one moment, each time with where its window began."""
        things = self._geometry.things(moment.scene)
        said = []
        for readings, offset in reads:
            self._pictures += 1
            is_covered = bool(moment.scene.covers)
            self._covered += is_covered
            said.append(self._match(things, readings, offset, calibration, is_covered=is_covered))
        for index, thing in enumerate(things):
            pairs = self._pairs[group_of(thing.label)]
            right = "" if thing.label == STANDING else thing.label
            first = said[0][index]
            pairs.seen += 1
            pairs.once += first != right
            pairs.twice += first != right and all(row[index] == first for row in said)

    def _match(
        self,
        things: tuple[SceneThing, ...],
        readings: Readings,
        offset: tuple[int, int],
        calibration: Calibration,
        *,
        is_covered: bool,
    ) -> list[str]:
        """The reading of each thing; empty where there was none."""
        low, high = readings.polygons.min(axis=1), readings.polygons.max(axis=1)
        shift = np.array((*offset, *offset), np.float64)
        boxes = np.concatenate([low, high], axis=1) + shift
        taken = _assign(things, boxes)
        said = []
        for index, thing in enumerate(things):
            row = taken.get(index)
            kind = self._kinds[kind_of(thing.label, thing.visible, thing.covered)]
            kind.seen += 1
            if row is None:
                kind.ways["", ()] += 1
                said.append("")
                continue
            label = readings.labels[row]
            said.append(label)
            if label == thing.label:
                self._sure.append(float(readings.confidence[row]))
                box = boxes[row]
                true = np.array(thing.box)
                size = true[2:] - true[:2]
                middle, seen = (true[:2] + true[2:]) / 2, (box[:2] + box[2:]) / 2
                outwards = np.sign(middle - np.array(self.camera.size_wh) / 2)
                self._boxes.append(
                    np.concatenate([(seen - middle) / size * outwards, (box[2:] - box[:2]) / size])
                )
            else:
                kind.ways[label, _told(readings.candidates[row], thing.label)] += 1
        for row in set(range(len(boxes))) - set(taken.values()):  # where nothing of the kind lies
            x, y = (boxes[row][:2] + boxes[row][2:]) / 2
            there = (
                group_of(thing.label)
                for thing in things
                if thing.box[0] < x < thing.box[2] and thing.box[1] < y < thing.box[3]
            )
            label, upon = readings.labels[row], next(there, "")
            corners = calibration.to_table(boxes[row].reshape(2, 2).astype(np.float32))
            x0, y0, x1, y1 = (round(side, 1) for side in corners.ravel().tolist())
            told = _told(readings.candidates[row], "")
            ghost = Ghost(1, label, told, (x0, y0, x1, y1), is_covered, upon)
            middle = np.round(corners.mean(axis=0) / PLACE_MM).astype(int).tolist()
            self._ghosts[*middle, label, is_covered, upon].append(ghost)
        return said

    def rates(self) -> Rates:
        """All of it."""
        boxes = np.array(self._boxes).reshape(-1, 4)
        mean, spread = boxes.mean(axis=0), boxes.std(axis=0)
        quantiles = np.quantile(self._sure, np.linspace(0, 1, 20)) if self._sure else np.ones(20)
        a, b, c, d = (round(float(value), 4) for value in mean)
        e, f, g, h = (round(float(value), 4) for value in spread)
        ghosts = (
            replace(one, count=len(same)) for same in self._ghosts.values() for one in same[:1]
        )
        return Rates(
            pictures=self._pictures,
            covered=self._covered,
            outcomes=_told_together(self._kinds),
            confidences=tuple(round(float(value), 3) for value in quantiles),
            stuck={group: pairs.stuck for group, pairs in sorted(self._pairs.items())},
            box_mean=(a, b, c, d),
            box_spread=(e, f, g, h),
            ghosts=tuple(sorted(ghosts, key=lambda ghost: -ghost.count)),
        )


def _told_together(kinds: Mapping[str, _Counted]) -> dict[str, Outcomes]:
    """As `Rates.outcomes`: each kind's own, and what whole faces together were not read as."""
    every = _Counted()
    for counted in (each for kind, each in kinds.items() if is_face(kind) and " " not in kind):
        every.seen += counted.seen
        for (label, candidates), count in counted.ways.items():
            if label in ("", UNKNOWN):  # which other faces it may be is of each face alone
                own = tuple(each for each in candidates if each[0] == "=")
                every.ways[label, own] += count
    told = {kind: _outcomes(counted) for kind, counted in sorted(kinds.items())}
    return told | ({ANY_FACE: _outcomes(every)} if every.seen else {})


def _outcomes(counted: _Counted) -> Outcomes:
    """Ways that say the same, and are about as sure of it, become one of their mean shares."""
    alike: dict[tuple[str, tuple[str, ...], float], Counter[_Said]] = defaultdict(Counter)
    for (label, said), count in counted.ways.items():
        names = tuple(name for name, _ in said[:2])
        alike[label, names, round(said[0][1], 1) if said else 0.0][said] += count
    ways = [
        Way(same.total(), label, tuple(
            (name, round(sum(s[n][1] * c for s, c in same.items()) / same.total(), 4))
            for n, (name, _) in enumerate(same.most_common(1)[0][0])
        ))
        for (label, _, _), same in alike.items()
    ]  # fmt: skip
    return Outcomes(counted.seen, tuple(sorted(ways, key=lambda way: -way.count)))


def _told(candidates: Sequence[Candidate], truth: str) -> _Said:
    return tuple(("=" if c.label == truth else c.label, round(c.confidence, 4)) for c in candidates)


def _assign(things: tuple[SceneThing, ...], boxes: NDArray[np.float64]) -> dict[int, int]:
    """Which box was read for which thing; what lies flat before what stands, the nearest first."""
    if not things or not len(boxes):
        return {}
    true = np.array([thing.box for thing in things])
    middles, halves = (true[:, :2] + true[:, 2:]) / 2, (true[:, 2:] - true[:, :2]) / 2
    seen = (boxes[:, :2] + boxes[:, 2:]) / 2
    off = (np.abs(seen[None] - middles[:, None]) / halves[:, None]).max(axis=2)
    standing = np.array([thing.label == STANDING for thing in things])
    rank = off + standing[:, None]
    taken: dict[int, int] = {}
    used: set[int] = set()
    for flat in np.argsort(rank, axis=None):
        index, row = divmod(int(flat), len(boxes))
        if off[index, row] <= SAME_THING and index not in taken and row not in used:
            taken[index] = row
            used.add(row)
    return taken
