"""``python -m bench live measure``: how often the reader errs on drawn pictures, and how.

Each scene is drawn and read twice, with other noise: what is misread both times would be misread
in every picture. With ``--looks world`` each table is measured by itself, as evenings are played.
It is without the lens' distortion, because the rates are told by place.
"""

import argparse
import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from bench import BenchError, sets_of
from bench.live.disturb import DisturbedRenderer, Disturber, Hardness
from bench.live.eyes import CAMERAS
from bench.live.hands import MOST_HANDS
from bench.live.modelled import Geometry, SceneThing
from bench.live.rates import (
    ANY_FACE,
    STANDING,
    Ghost,
    MeasuredRates,
    Outcomes,
    Rates,
    Said,
    Way,
    group_of,
    is_face,
    kind_of,
    rates_path,
    save_rates,
)
from bench.reading import machine_name
from models.sets import faces_for, sets_below
from models.world import WorldLooks, look_from, tile_scale
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.evening import play_evening
from table_assist.twin.lens import Lens
from table_assist.twin.moment import CameraMoment, Spoiled
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
    """One table: its tiles' faces and its look."""

    name: str
    folder: Path | None = None  # of the faces, or of many sets; None: the built-in ones
    seed: int | None = None  # of the look; None: each hand has another of the usual ones

    @property
    def looks(self) -> WorldLooks:
        """Where the look comes from."""
        return WorldLooks.USUAL if self.seed is None else WorldLooks.WORLD


def dresses_for(looks: WorldLooks, folder: Path | None) -> list[Dress]:
    """The dresses to be measured; `BenchError` for held-out looks, by which nothing is tuned."""
    if looks is WorldLooks.HELD_OUT:
        raise BenchError("No rates are measured on held-out tables: nothing is tuned by them.")
    if looks is WorldLooks.WORLD:
        return [Dress(f"table {n}", folder if n % 2 else None, n) for n in range(TABLES_MEASURED)]
    every = {tile for rules in rule_sets() for tile in (*rules.kinds, *rules.bonus_tiles)}
    sets = [] if folder is None else sets_below(folder, {tile for tile in every if tile.is_face})
    return [Dress("built-in"), *(Dress(each.name, each) for each in sets)]


def run(options: argparse.Namespace) -> int:
    """Measure and write the file that the modelled eyes read: half as many spoiled pictures."""
    looks = WorldLooks(options.looks)
    dresses, reader = dresses_for(looks, options.faces), open_reader(threads=1)
    rules = sets_of(options)
    pictures = MOST_HANDS if options.hands is None else options.hands
    found: dict[str, Rates] = {}
    things = 0
    for (camera_name, camera), dress, spoiled in product(CAMERAS.items(), dresses, Spoiled):
        tally = ThingTally(camera)
        count = pictures if spoiled is Spoiled.CLEAR else pictures // 2
        for number, moments in enumerate(moments_of(rules, count, spoiled, dress)):
            read_all(reader, tally, dress, rules, number, moments)
        name = f"{camera_name}/{dress.name}/{spoiled}"
        found[name] = tally.rates()
        things += tally.things
        print(f"{name}: {tally.things} things", flush=True)
    files = sorted(WEIGHTS.glob("*.onnx"))
    networks = " ".join(hashlib.sha256(each.read_bytes()).hexdigest()[:12] for each in files)
    date = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    save_rates(looks, MeasuredRates(date, machine_name(), networks, things, found))
    print(f"{things} things read; written to {rates_path(looks).name}")
    return 0


def moments_of(
    rules: Sequence[RuleSet], pictures: int, spoiled: Spoiled, dress: Dress, evening: int = 1000
) -> Iterator[tuple[CameraMoment, ...]]:
    """Some moments of one hand under each rule set, from that evening on; hands over some."""
    manners = Manners(tile_scale=tile_scale(dress.looks, dress.seed or 0))
    for number, one in enumerate(rules, (dress.seed or 0) * len(rules)):
        disturber = Disturber(number, TIMES_READ)
        steps = play_evening(evening + number, one, hands=1, manners=manners)
        moments = [moment for step in steps for moment in disturber.moments(step)]
        each = min(max(1, pictures // len(rules)), len(moments))
        chosen = Random(f"moments-{one.id}").sample(moments, each)
        yield tuple(CameraMoment(one.scene, one.seconds, spoiled=spoiled) for one in chosen)


def read_all(
    reader: Reader,
    tally: "ThingTally",
    dress: Dress,
    rules: Sequence[RuleSet],
    number: int,
    moments: Sequence[CameraMoment],
) -> None:
    """Draw the moments of the hand under the rules of that number; count what is read of them."""
    seed = number if dress.seed is None else dress.seed
    needed = tuple(dict.fromkeys(tile for one in rules for tile in (*one.kinds, *one.bonus_tiles)))
    faces = faces_for(dress.folder, dress.looks, seed, needed=needed, all_of=needed)
    look = look_from(dress.looks, seed)
    # Its moments are picked out, and no stream.
    look = replace(look, optics=replace(look.optics, distortion=0.0, stream_mbit=0.0))
    drawn = DisturbedRenderer(faces, look, tally.camera, seed)
    mm = TILE_MM * tile_scale(dress.looks, seed)
    calibration = Calibration(tally.camera.corners_px())
    for moment in moments:
        reads = []
        for _ in range(READS):
            image = drawn.picture(moment)
            window, shown = calibration.shown(image)
            above = viewpoint(calibration, (image.shape[1], image.shape[0]))
            window = np.ascontiguousarray(window)
            read = read_as_told(reader, window, shown, above, mm)
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


_Ways = Counter[tuple[str, Said]]


class ThingTally:
    """The outcomes of all things under one kind of picture."""

    def __init__(self, camera: Lens) -> None:
        self.camera = camera
        self._geometry = Geometry(camera)
        self._seen, self._ways = Counter[str](), defaultdict[str, _Ways](Counter)
        self._sure: list[float] = []
        self._boxes: list[NDArray[np.float64]] = []
        self._ghosts: dict[tuple[int, int, str, bool, str], list[Ghost]] = defaultdict(list)
        self._pictures = self._covered = 0
        # Things by group: all, those that were wrong in the first read, and in each of them alike.
        self._pairs, self._once, self._alike = Counter[str](), Counter[str](), Counter[str]()

    @property
    def things(self) -> int:
        """How many there were, each picture counted."""
        return self._seen.total()

    def count(
        self,
        moment: CameraMoment,
        reads: Sequence[tuple[Readings, tuple[int, int]]],
        calibration: Calibration,
    ) -> None:
        """Take in what was read of one moment, each time with where its window began."""
        things, is_covered = self._geometry.things(moment.scene), bool(moment.scene.covers)
        said = []
        for readings, offset in reads:
            self._pictures += 1
            self._covered += is_covered
            low, high = readings.polygons.min(axis=1), readings.polygons.max(axis=1)
            boxes = np.concatenate([low, high], axis=1) + np.array((*offset, *offset), np.float64)
            taken = _assign(things, boxes)
            said.append(self._match(things, readings, boxes, taken))
            for row in set(range(len(boxes))) - set(taken.values()):  # nothing of the kind is there
                (x, y), label = (boxes[row][:2] + boxes[row][2:]) / 2, readings.labels[row]
                there = (
                    group_of(thing.label)
                    for thing in things
                    if thing.box[0] < x < thing.box[2] and thing.box[1] < y < thing.box[3]
                )
                upon = next(there, "")
                corners = calibration.to_table(boxes[row].reshape(2, 2).astype(np.float32))
                x0, y0, x1, y1 = (round(side, 1) for side in corners.ravel().tolist())
                told = _told(readings.candidates[row], "")
                ghost = Ghost(1, label, told, (x0, y0, x1, y1), is_covered, upon)
                middle = np.round(corners.mean(axis=0) / PLACE_MM).astype(int).tolist()
                self._ghosts[*middle, label, is_covered, upon].append(ghost)
        for thing, (first, *others) in zip(things, zip(*said, strict=True), strict=True):
            group = group_of(thing.label)
            is_wrong = first != ("" if thing.label == STANDING else thing.label)
            self._pairs[group] += 1
            self._once[group] += is_wrong
            self._alike[group] += is_wrong and all(other == first for other in others)

    def _match(
        self,
        things: tuple[SceneThing, ...],
        readings: Readings,
        boxes: NDArray[np.float64],
        taken: dict[int, int],
    ) -> list[str]:
        """The reading of each thing; empty where there was none."""
        said = []
        for index, thing in enumerate(things):
            row = taken.get(index)
            label = "" if row is None else readings.labels[row]
            said.append(label)
            kind = kind_of(thing.label, thing.visible, thing.covered)
            self._seen[kind] += 1
            if row is None:
                self._ways[kind]["", ()] += 1
            elif label != thing.label:
                self._ways[kind][label, _told(readings.candidates[row], thing.label)] += 1
            else:
                self._sure.append(float(readings.confidence[row]))
                box, true = boxes[row], np.array(thing.box)
                size = true[2:] - true[:2]
                middle, seen = (true[:2] + true[2:]) / 2, (box[:2] + box[2:]) / 2
                outwards = np.sign(middle - np.array(self.camera.size_wh) / 2)
                off = (seen - middle) / size * outwards
                self._boxes.append(np.concatenate([off, (box[2:] - box[:2]) / size]))
        return said

    def rates(self) -> Rates:
        """All of it."""
        boxes = np.array(self._boxes).reshape(-1, 4)
        quantiles = np.quantile(self._sure, np.linspace(0, 1, 20)) if self._sure else np.ones(20)
        ghosts = [replace(same[0], count=len(same)) for same in self._ghosts.values()]
        return Rates(
            pictures=self._pictures,
            covered=self._covered,
            outcomes=self._outcomes(),
            confidences=tuple(quantiles.round(3).tolist()),
            stuck={group: self._stuck(group) for group in sorted(self._pairs)},
            box_mean=tuple(boxes.mean(axis=0).round(4).tolist()),
            box_spread=tuple(boxes.std(axis=0).round(4).tolist()),
            ghosts=tuple(sorted(ghosts, key=lambda ghost: -ghost.count)),
        )

    def _stuck(self, group: str) -> float:
        """As in `Rates`; what would coincide by chance is taken out."""
        once, alike = (some[group] / self._pairs[group] for some in (self._once, self._alike))
        if not 0 < once < 1:
            return 1.0
        return round(max(0.0, min(1.0, (alike - once**2) / (once - once**2))), 3)

    def _outcomes(self) -> dict[str, Outcomes]:
        """As `Rates.outcomes`: each kind's own, and what whole faces together were not read as."""
        every, faces = _Ways(), [x for x in self._seen if is_face(x) and " " not in x]
        for kind in faces:
            for (label, candidates), count in self._ways[kind].items():
                if label in ("", UNKNOWN):  # which other faces it may be is of each face alone
                    own = tuple(each for each in candidates if each[0] == "=")
                    every[label, own] += count
        told = {x: Outcomes(n, _alike(self._ways[x])) for x, n in sorted(self._seen.items())}
        seen = sum(self._seen[kind] for kind in faces)
        return told | ({ANY_FACE: Outcomes(seen, _alike(every))} if seen else {})


def _alike(ways: _Ways) -> tuple[Way, ...]:
    """Ways that say the same, and are about as sure of it, become one of their mean shares."""
    alike: dict[tuple[str, tuple[str, ...], float], Counter[Said]] = defaultdict(Counter)
    for (label, said), count in ways.items():
        names = tuple(name for name, _ in said[:2])
        alike[label, names, round(said[0][1], 1) if said else 0.0][said] += count
    together = [
        Way(same.total(), label, tuple(
            (name, round(sum(s[n][1] * c for s, c in same.items()) / same.total(), 4))
            for n, (name, _) in enumerate(same.most_common(1)[0][0])
        ))
        for (label, _, _), same in alike.items()
    ]  # fmt: skip
    return tuple(sorted(together, key=lambda way: -way.count))


def _told(candidates: Sequence[Candidate], truth: str) -> Said:
    return tuple(("=" if c.label == truth else c.label, round(c.confidence, 4)) for c in candidates)


def _assign(things: tuple[SceneThing, ...], boxes: NDArray[np.float64]) -> dict[int, int]:
    """Which box was read for which thing; what lies flat before what stands, the nearest first."""
    true = np.array([thing.box for thing in things]).reshape(-1, 4)
    middles, halves = (true[:, :2] + true[:, 2:]) / 2, (true[:, 2:] - true[:, :2]) / 2
    seen = (boxes[:, :2] + boxes[:, 2:]) / 2
    off = (np.abs(seen[None] - middles[:, None]) / halves[:, None]).max(axis=2)
    standing = np.array([thing.label == STANDING for thing in things], np.bool_)
    rank = off + standing[:, None]
    taken: dict[int, int] = {}
    for flat in np.argsort(rank, axis=None):
        index, row = divmod(int(flat), len(boxes))
        if off[index, row] <= SAME_THING and index not in taken and row not in taken.values():
            taken[index] = row
    return taken
