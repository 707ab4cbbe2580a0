"""``python -m bench eyes``: how long reading takes on this machine, and how busy it was.

The picture is a simulated table in the middle of a hand, drawn at 3840 × 2160. Other programs make
single figures worse, never better: the best of several runs is told, how far they spread, and the
processor's time, which other programs change little.
"""

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from bench.counting import CountingDetector
from table_assist.rules.registry import find_rules
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import TILE_WIDTH_MM, PlacedTile, Pose, Scene
from table_assist.vision.pictures.picture import Image, save_picture
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.tiling import find_all
from table_assist.vision.reading.weights import WEIGHTS
from table_assist.vision.table.zones import Layout, ZoneKind, zone_at

SIZE_WH = (3840, 2160)
FILLED = 0.98  # of the picture's height is table
TABLE_MM = 800.0
PX_PER_MM = FILLED * SIZE_WH[1] / TABLE_MM
SEED = 7


@dataclass(frozen=True, slots=True)
class Timing:
    """How long some runs took by the clock.

    Attributes:
        cpu_ms: the least processor time of a run, of all cores together.
    """

    best_ms: float
    median_ms: float
    worst_ms: float
    cpu_ms: float
    runs: int

    @property
    def text(self) -> str:
        """The figures in one line."""
        return (
            f"{self.best_ms:7.0f} ms (median {self.median_ms:.0f}, worst {self.worst_ms:.0f}; "
            f"processor {self.cpu_ms:.0f})"
        )


@dataclass(frozen=True, slots=True)
class EyesBench:
    """The measured figures.

    Attributes:
        passes: of the detector over the whole picture.
        one_pass: of the detector over 640 × 640 pixels: the machine's own speed just now.
        start: from the program's start to the end of its first reading, of 1280 × 720 pixels.
        cpu_idle: processor seconds a second, while a picture without a change comes each tenth.
        load: other programs and this one, averaged over the last minute, before and after.
    """

    machine: str
    cores: int
    date: str
    tiles: int
    found: int
    passes: int
    one_pass: Timing
    whole: Timing
    changed: Timing
    unchanged: Timing
    start: Timing
    cpu_idle: float
    weights_bytes: int
    load: tuple[float, float]


def bench_eyes(runs: int = 5, threads: int | None = None) -> EyesBench:
    """Measure; takes about ``runs`` times five seconds."""
    load_before = os.getloadavg()[0]
    scene, other = table_scenes()
    renderer = _renderer()
    picture, changed = renderer.picture(scene), renderer.picture(other)
    reader = open_reader(threads=threads)
    tile = picture[:640, :640].copy()
    one_pass = timed(lambda: reader.detector.detect(tile), 4 * runs)
    whole = timed(lambda: reader.read(picture), runs)
    changing, unchanged, cpu_idle = _live(reader, picture, changed, runs)
    return EyesBench(
        machine=machine_name(),
        cores=os.cpu_count() or 1,
        date=time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        tiles=len(renderer.true_boxes(scene)),
        found=len(reader.read(picture)),
        passes=_passes(reader, picture),
        one_pass=one_pass,
        whole=whole,
        changed=changing,
        unchanged=unchanged,
        start=_start(picture[-720:, 1280:2560].copy(), runs),
        cpu_idle=cpu_idle,
        weights_bytes=sum(path.stat().st_size for path in WEIGHTS.glob("*.onnx")),
        load=(round(load_before, 2), round(os.getloadavg()[0], 2)),
    )


def table_scenes() -> tuple[Scene, Scene]:
    """The fullest table of a simulated hand, and the same without one of its discards."""
    steps = play_evening(SEED, find_rules("changsha"), hands=1)
    scene = max((step.scene for step in steps), key=_faces)
    place = next(i for i, tile in enumerate(scene.tiles) if _is_discard(tile))
    tiles = (*scene.tiles[:place], *scene.tiles[place + 1 :])
    return replace(scene, covers=()), replace(scene, tiles=tiles, covers=())


def timed(work: Callable[[], object], runs: int) -> Timing:
    """Do something so often, after once that does not count."""
    work()
    return _timing([_measured(work) for _ in range(runs)])


def lines(bench: EyesBench) -> Iterator[str]:
    """The figures in words."""
    yield f"{bench.machine}, {bench.cores} cores, {bench.date} UTC"
    yield f"load {bench.load[0]} before, {bench.load[1]} after: best of several runs"
    size = f"{SIZE_WH[0]} × {SIZE_WH[1]}"
    yield f"  one pass of the detector    {bench.one_pass.text}"
    yield (
        f"  whole table, {size}    {bench.whole.text}, {bench.passes} passes; "
        f"{bench.found} things read, {bench.tiles} are there"
    )
    yield f"  one changed tile of it      {bench.changed.text}"
    yield f"  nothing changed             {bench.unchanged.text}"
    yield f"  start to first reading      {bench.start.text}"
    yield f"  at rest, ten pictures a second: {bench.cpu_idle:.0%} of one core"
    yield f"  weights, all together: {bench.weights_bytes / 1e6:.1f} MB"


def to_json(bench: EyesBench) -> dict[str, object]:
    """The figures as one object."""
    return asdict(bench)


def _passes(reader: Reader, picture: Image) -> int:
    counting = CountingDetector(reader.detector)
    find_all(counting, picture)
    return counting.passes


def _is_discard(tile: PlacedTile) -> bool:
    zone = zone_at(tile.x_mm, tile.y_mm, Layout())
    return tile.pose is Pose.FACE_UP and zone.kind is ZoneKind.RIVER


def _renderer() -> Renderer:
    lens = Lens(size_wh=SIZE_WH, px_per_mm=PX_PER_MM)
    return Renderer(load_faces(), look_of(SEED), lens, SEED)


def _faces(scene: Scene) -> int:
    return sum(tile.pose is not Pose.STANDING for tile in scene.tiles) - 1000 * bool(scene.covers)


def _live(
    reader: Reader, picture: Image, changed: Image, runs: int
) -> tuple[Timing, Timing, float]:
    """A change, no change, and the processor's time at rest, as a table is followed."""
    live = LiveReader(reader, PX_PER_MM * TILE_WIDTH_MM)
    live.read(picture)
    while _reads(live, picture):
        pass
    changing: list[tuple[float, float]] = []
    for image in [changed, picture] * runs:
        before = live.work.pieces_read
        changing.append(_measured(partial(live.read, image)))
        if live.work.pieces_read == before:
            raise RuntimeError("a discard came or went, and nothing was read")
        while _reads(live, image):
            pass  # what is owed is read while nothing changes
    unchanged = timed(lambda: live.read(picture), 4 * runs)
    at_rest, started = time.process_time(), time.perf_counter()
    for _ in range(20):
        live.read(picture)
        time.sleep(0.1)
    idle = (time.process_time() - at_rest) / (time.perf_counter() - started)
    return _timing(changing), unchanged, idle


def _reads(live: LiveReader, image: Image) -> bool:
    before = live.work.pieces_read
    live.read(image)
    return live.work.pieces_read > before


def _start(picture: Image, runs: int) -> Timing:
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        path = Path(folder) / "hand.jpg"
        save_picture(path, picture)
        command = [sys.executable, "-m", "table_assist", "read", "--json", str(path)]
        return timed(lambda: subprocess.run(command, check=True, capture_output=True), runs)


def _measured(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of the processor, this program's children included."""
    started, before = time.perf_counter(), _processor_s()
    work()
    return time.perf_counter() - started, _processor_s() - before


def _processor_s() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _timing(measured: list[tuple[float, float]]) -> Timing:
    wall = [round(1000 * seconds, 1) for seconds, _ in sorted(measured)]
    processor = round(1000 * min(seconds for _, seconds in measured), 1)
    return Timing(wall[0], wall[len(wall) // 2], wall[-1], processor, len(wall))


def machine_name() -> str:
    """The processor's name as the system tells it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    names = [line.split(":", 1)[1].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.processor() or platform.machine()
