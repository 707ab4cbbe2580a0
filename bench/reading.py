"""``python -m bench eyes``: how long reading takes on this machine, and how busy it was.

The picture is a simulated table in the middle of a hand, drawn at 3840 × 2160. Other programs make
single figures worse, never better: the best of several runs is told, how far they spread, and the
processor's time, which other programs change little.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from bench import report
from table_assist.rules.registry import find_rules
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import TABLE_MM, TILE_WIDTH_MM, Pose, Scene
from table_assist.vision.pictures.picture import Image, save_picture
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.table.zones import Layout, ZoneKind, zone_at

READ_WH = (3840, 2160)
FILLED = 0.98  # of the picture's height is table
PICTURE_PX_PER_MM = FILLED * READ_WH[1] / TABLE_MM
READING_SEED = 7


@dataclass(frozen=True, slots=True)
class Timing:
    """How long some runs took by the clock."""

    best_ms: float
    median_ms: float
    worst_ms: float
    cpu_ms: float  # the least processor time of a run, of all cores together
    runs: int


def run(options: argparse.Namespace) -> int:
    """Measure and tell; takes about five seconds a run."""
    runs, load = max(1, options.runs), os.getloadavg()[0]
    scene, other = table_scenes()
    lens = Lens(size_wh=READ_WH, px_per_mm=PICTURE_PX_PER_MM)
    renderer = Renderer(load_faces(), look_of(READING_SEED), lens, READING_SEED)
    picture, changed = renderer.picture(scene), renderer.picture(other)
    reader = open_reader(threads=options.threads)
    tile = picture[:640, :640].copy()
    figures = {
        "one pass of the detector": timed(lambda: reader.detector.detect(tile), 4 * runs),
        f"whole table, {READ_WH[0]} × {READ_WH[1]}": timed(lambda: reader.read(picture), runs),
        **_live(reader, picture, changed, runs),
        "start to first reading": _start(picture[-720:, 1280:2560].copy(), runs),
    }
    about = {
        "machine": machine_name(),
        "cores": os.cpu_count() or 1,
        "date": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        "load": (round(load, 2), round(os.getloadavg()[0], 2)),
        "tiles": len(renderer.true_boxes(scene)),
        "found": len(reader.read(picture)),
    }
    if options.json:
        report(about | {name: asdict(each) for name, each in figures.items()}, as_json=True)
    else:
        for row in (about, *({"what": name} | asdict(each) for name, each in figures.items())):
            report(row, as_json=False)
    return 0


def table_scenes() -> tuple[Scene, Scene]:
    """The fullest table of a simulated hand, and the same without one of its discards."""
    steps = play_evening(READING_SEED, find_rules("changsha"), hands=1)
    scenes = [step.scene for step in steps if not step.scene.covers]
    scene = max(scenes, key=lambda each: sum(t.pose is not Pose.STANDING for t in each.tiles))
    lying = (tile for tile in scene.tiles if tile.pose is Pose.FACE_UP)
    river = (t for t in lying if zone_at(t.x_mm, t.y_mm, Layout()).kind is ZoneKind.RIVER)
    discard = next(river)
    return scene, replace(scene, tiles=tuple(t for t in scene.tiles if t is not discard))


def timed(work: Callable[[], object], runs: int) -> Timing:
    """Do something so often, after once that does not count."""
    work()
    return _timing([_measured(work) for _ in range(runs)])


def _live(reader: Reader, picture: Image, changed: Image, runs: int) -> dict[str, Timing]:
    """A change, and no change, as a table is followed."""
    live = LiveReader(reader, PICTURE_PX_PER_MM * TILE_WIDTH_MM)

    def reads(image: Image) -> bool:
        before = live.work.pieces_read
        live.read(image)
        return live.work.pieces_read > before

    live.read(picture)
    while reads(picture):
        pass
    changing: list[tuple[float, float]] = []
    for image in [changed, picture] * runs:
        before = live.work.pieces_read
        changing.append(_measured(partial(live.read, image)))
        if live.work.pieces_read == before:
            raise RuntimeError("a discard came or went, and nothing was read")
        while reads(image):
            pass  # what is owed is read while nothing changes
    return {
        "one changed tile of it": _timing(changing),
        "nothing changed": timed(lambda: live.read(picture), 4 * runs),
    }


def _start(picture: Image, runs: int) -> Timing:
    """From the program's start to the end of its first reading, of 1280 × 720 pixels."""
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        path = Path(folder) / "hand.jpg"
        save_picture(path, picture)
        command = [sys.executable, "-m", "table_assist", "read", "--json", str(path)]
        return timed(lambda: subprocess.run(command, check=True, capture_output=True), runs)


def _measured(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of the processor, this program's children included."""
    started, before, children = time.perf_counter(), time.process_time(), os.times()[2:4]
    work()
    wall, own = time.perf_counter() - started, time.process_time() - before
    return wall, own + sum(os.times()[2:4]) - sum(children)


def _timing(measured: list[tuple[float, float]]) -> Timing:
    wall = [round(1000 * seconds, 1) for seconds, _ in sorted(measured)]
    processor = round(1000 * min(seconds for _, seconds in measured), 1)
    return Timing(wall[0], wall[len(wall) // 2], wall[-1], processor, len(wall))


def machine_name() -> str:
    """The processor's name as the system tells it."""
    told = Path("/proc/cpuinfo")
    text = told.read_text(encoding="utf-8") if told.exists() else ""
    names = [line.split(":", 1)[1].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.processor() or platform.machine()
