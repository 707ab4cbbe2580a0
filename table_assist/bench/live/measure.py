"""``table-assist bench live measure``: how often the reader errs on drawn pictures, and how.

Each scene is drawn and read twice, with other noise: what is misread both times would be misread
in every picture. With ``--looks world`` some pictures each are of another table of the whole
space of looks; without the lens' distortion, because the rates are told by place.
"""

import argparse
import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np

from table_assist.bench.live.eyes import CAMERAS
from table_assist.bench.live.rates import MEASURED, Measured, Rates, save_rates
from table_assist.bench.live.thing_tally import ThingTally
from table_assist.bench.reading import machine_name
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.disturb import CameraMoment, Disturber, Hardness, Spoiled
from table_assist.twin.disturb_pictures import DisturbedRenderer
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.world import Looks, look_from
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.weights import WEIGHTS
from table_assist.vision.table.calibration import Calibration

VARIANTS = (0,)  # of a folder's faces: each a tile set of its own
READS = 2  # of each scene
PER_LOOK = 4  # pictures, where looks are drawn from the whole space
TIMES_READ = Hardness(reaches=0.5, rolls=0.1, shines=0.2, blurs=0.0, drops=0.0, freezes=0.0)


@dataclass(frozen=True, slots=True)
class Dress:
    """One tile set: the built-in one, or one of a folder's.

    Attributes:
        variant: which picture of a face to take, where a folder has several.
    """

    name: str
    folder: Path | None = None
    variant: int = 0


def run(options: argparse.Namespace) -> int:
    """Measure and write the file that the modelled eyes read; returns the exit code."""
    dresses = [Dress("built-in")]
    if options.faces is not None:
        dresses += [Dress(f"{options.faces.name}-{n}", options.faces, n) for n in VARIANTS]
    rules = [find_rules(id) for id in options.rules or ("changsha",)]
    networks = " ".join(
        hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        for path in sorted(WEIGHTS.glob("*.onnx"))
    )
    measured = measure_eyes(
        open_reader(threads=1),
        rules,
        dresses,
        CAMERAS,
        pictures=options.hands,
        networks=networks,
        looks=Looks(options.looks),
        tell=lambda text: print(text, flush=True),
    )
    save_rates(MEASURED, measured)
    print(f"{measured.things} things read; written to {MEASURED.name}")
    return 0


def measure_eyes(
    reader: Reader,
    rules: Sequence[RuleSet],
    dresses: Sequence[Dress],
    cameras: dict[str, Lens],
    *,
    pictures: int,
    networks: str,
    looks: Looks,
    tell: Callable[[str], None],
) -> Measured:
    """Draw and read so many pictures of each set by each camera, half as many spoiled ones."""
    found: dict[str, Rates] = {}
    things = 0
    for camera_name, camera in cameras.items():
        for dress in dresses:
            for spoiled in Spoiled:
                tally = ThingTally(camera)
                count = pictures if spoiled is Spoiled.CLEAR else pictures // 2
                for seed, moments in enumerate(_of_looks(_moments(rules, count, spoiled), looks)):
                    _read_all(reader, tally, camera, dress, _look(looks, seed), seed, moments)
                name = f"{camera_name}/{dress.name}/{spoiled}"
                found[name] = tally.rates()
                things += tally.things
                tell(f"{name}: {tally.text}")
    date = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    return Measured(date, machine_name(), networks, things, found)


def _moments(
    rules: Sequence[RuleSet], pictures: int, spoiled: Spoiled
) -> Iterator[tuple[CameraMoment, ...]]:
    """Some moments of one hand under each rule set, hands over the table in some."""
    each = max(1, pictures // len(rules))
    for number, one in enumerate(rules):
        disturber = Disturber(number, TIMES_READ)
        moments = [
            moment
            for step in play_evening(1000 + number, one, hands=1)
            for moment in disturber.moments(step)
        ]
        chosen = Random(f"moments-{one.id}").sample(moments, min(each, len(moments)))
        yield tuple(
            CameraMoment(moment.scene, moment.seconds, spoiled=spoiled) for moment in chosen
        )


def _of_looks(
    hands: Iterable[tuple[CameraMoment, ...]], looks: Looks
) -> Iterator[tuple[CameraMoment, ...]]:
    """The moments that are seen at one table each."""
    for moments in hands:
        each = len(moments) if looks is Looks.USUAL else PER_LOOK
        for first in range(0, len(moments), max(each, 1)):
            yield moments[first : first + each]


def _look(looks: Looks, seed: int) -> TableLook:
    look = look_from(looks, seed)
    # Its moments are picked out, and no stream.
    return replace(look, optics=replace(look.optics, distortion=0.0, stream_mbit=0.0))


def _read_all(
    reader: Reader,
    tally: ThingTally,
    camera: Lens,
    dress: Dress,
    look: TableLook,
    seed: int,
    moments: Sequence[CameraMoment],
) -> None:
    def make(lens: Lens) -> Renderer:
        faces = load_faces(dress.folder, variant=dress.variant)
        return Renderer(faces, look, lens, seed)

    drawn = DisturbedRenderer(make, camera, seed)
    calibration = Calibration(camera.corners_px())
    for moment in moments:
        reads = []
        for _ in range(READS):
            image = drawn.picture(moment)
            x0, y0, x1, y1 = calibration.window((image.shape[1], image.shape[0]))
            readings = reader.read(np.ascontiguousarray(image[y0:y1, x0:x1]))
            reads.append((readings, (x0, y0)))
        tally.count(moment, reads, calibration)
