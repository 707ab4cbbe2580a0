"""``python -m bench live measure``: how often the reader errs on drawn pictures, and how.

Each scene is drawn and read twice, with other noise: what is misread both times would be misread
in every picture. With ``--looks world`` each table of the whole space of looks is measured by
itself, because an evening is played at one: at most of them hardly anything is misread, at a few
much. It is without the lens' distortion, because the rates are told by place.
"""

import argparse
import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np

from bench.live.eyes import CAMERAS
from bench.live.rates import MeasuredRates, Rates, RatesError, rates_path, save_rates
from bench.live.thing_tally import ThingTally
from bench.reading import machine_name
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.disturb import CameraMoment, Disturber, Hardness, Spoiled
from table_assist.twin.disturb_pictures import DisturbedRenderer
from table_assist.twin.evening import play_evening
from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.sets import faces_for
from table_assist.twin.table import Manners
from table_assist.twin.world import WorldLooks, look_from, tile_scale
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.weights import WEIGHTS
from table_assist.vision.table.back_filter import BackFilter
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.occlusion import cloth_in
from table_assist.vision.table.outline import lying_shares, whole_there
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.viewpoint import Viewpoint, viewpoint

READS = 2  # of each scene
TABLES = 16  # of the whole space of looks; every other one with a set of the folder's
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
        RatesError: held-out looks, by which nothing is tuned.
    """
    if looks is WorldLooks.HELD_OUT:
        raise RatesError(
            "No rates are measured on held-out tables: nothing is tuned by them.",
            "不在留出的牌桌上测误差：不用它们调整程序。",
        )
    if looks is WorldLooks.WORLD:
        return [Dress(f"table {n}", folder if n % 2 else None, n) for n in range(TABLES)]
    return [Dress("built-in")] + ([] if folder is None else [Dress(folder.name, folder)])


def run(options: argparse.Namespace) -> int:
    """Measure and write the file that the modelled eyes read; returns the exit code."""
    looks = WorldLooks(options.looks)
    rules = [find_rules(id) for id in options.rules or ("changsha",)]
    networks = " ".join(
        hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        for path in sorted(WEIGHTS.glob("*.onnx"))
    )
    measured = measure_eyes(
        open_reader(threads=1),
        rules,
        dresses_for(looks, options.faces),
        CAMERAS,
        pictures=options.hands,
        networks=networks,
        tell=lambda text: print(text, flush=True),
    )
    path = rates_path(looks)
    save_rates(path, measured)
    print(f"{measured.things} things read; written to {path.name}")
    return 0


def measure_eyes(
    reader: Reader,
    rules: Sequence[RuleSet],
    dresses: Sequence[Dress],
    cameras: dict[str, Lens],
    *,
    pictures: int,
    networks: str,
    tell: Callable[[str], None],
) -> MeasuredRates:
    """Draw and read so many pictures of each set by each camera, half as many spoiled ones."""
    found: dict[str, Rates] = {}
    things = 0
    for camera_name, camera in cameras.items():
        for dress in dresses:
            for spoiled in Spoiled:
                tally = ThingTally(camera)
                count = pictures if spoiled is Spoiled.CLEAR else pictures // 2
                for number, moments in enumerate(_moments(rules, count, spoiled, dress)):
                    _read_all(reader, tally, camera, dress, rules, number, moments)
                name = f"{camera_name}/{dress.name}/{spoiled}"
                found[name] = tally.rates()
                things += tally.things
                tell(f"{name}: {tally.text}")
    date = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    return MeasuredRates(date, machine_name(), networks, things, found)


def _moments(
    rules: Sequence[RuleSet], pictures: int, spoiled: Spoiled, dress: Dress
) -> Iterator[tuple[CameraMoment, ...]]:
    """Some moments of one hand under each rule set, hands over the table in some."""
    each = max(1, pictures // len(rules))
    first = 0 if dress.seed is None else dress.seed * len(rules)
    manners = Manners(tile_scale=tile_scale(dress.looks, dress.seed or 0))
    for number, one in enumerate(rules, first):
        disturber = Disturber(number, TIMES_READ)
        moments = [
            moment
            for step in play_evening(1000 + number, one, hands=1, manners=manners)
            for moment in disturber.moments(step)
        ]
        chosen = Random(f"moments-{one.id}").sample(moments, min(each, len(moments)))
        yield tuple(
            CameraMoment(moment.scene, moment.seconds, spoiled=spoiled) for moment in chosen
        )


def _look(dress: Dress, number: int) -> TableLook:
    look = look_from(dress.looks, number if dress.seed is None else dress.seed)
    # Its moments are picked out, and no stream.
    return replace(look, optics=replace(look.optics, distortion=0.0, stream_mbit=0.0))


def _read_all(
    reader: Reader,
    tally: ThingTally,
    camera: Lens,
    dress: Dress,
    rules: Sequence[RuleSet],
    number: int,
    moments: Sequence[CameraMoment],
) -> None:
    seed = number if dress.seed is None else dress.seed
    needed = tuple(dict.fromkeys(tile for one in rules for tile in (*one.kinds, *one.bonus_tiles)))
    faces = faces_for(dress.folder, dress.looks, seed, needed=needed, all_of=needed)
    look = _look(dress, number)

    def make(lens: Lens) -> Renderer:
        return Renderer(faces, look, lens, seed)

    drawn = DisturbedRenderer(make, camera, seed)
    calibration = Calibration(camera.corners_px())
    for moment in moments:
        reads = []
        for _ in range(READS):
            image = drawn.picture(moment)
            x0, y0, x1, y1 = calibration.window((image.shape[1], image.shape[0]))
            window = np.ascontiguousarray(image[y0:y1, x0:x1])
            moved = calibration.moved(-x0, -y0)
            above = viewpoint(calibration, (image.shape[1], image.shape[0]))
            mm = TILE_MM * tile_scale(dress.looks, seed)
            reads.append((read_as_told(reader, window, moved, above, mm), (x0, y0)))
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
    whole = whole_there(read, lying_shares(read.polygons, calibration, above, tile_mm))
    return BackFilter().without(whole, window, cloth_in(window, calibration))
