"""A followed table's readings of drawn tables with real eyes: `python -m models.placed --count 24`.

Tables of the whole space of looks, every other one with a heap of discards, are seen by a camera 0
to 35 degrees askew, at any side. Each picture is read once, as a table's first one is, and put on
the table by the camera's place; the tiles' size is known. Counted are the faces that lie there as
right, ``?`` and wrong, what is told of tiles that stand, and what is told where nothing is.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import hypot
from random import Random

import numpy as np

from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_evening
from table_assist.twin.lens import Lens
from table_assist.twin.render import Renderer
from table_assist.twin.river import RiverStyle
from table_assist.twin.scene import Scene
from table_assist.twin.sets import faces_for
from table_assist.twin.table import Manners
from table_assist.twin.world import WorldLooks, look_from, tile_scale
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.table.back_filter import BackFilter
from table_assist.vision.table.calibration import Calibration, CalibrationError
from table_assist.vision.table.observation import Observation, SeenTile, observe
from table_assist.vision.table.occlusion import cloth_in
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.viewpoint import Viewpoint, viewpoint
from table_assist.vision.table.zones import Layout, ZoneKind, zone_at

RULES = "changsha"
PICTURES = 4  # of a table
SAME_MM = 14.0
TILTS_DEG = (0.0, 10.0, 20.0, 25.0, 30.0, 35.0)


def seen_tables(
    reader: Reader, seed: int, count: int
) -> Iterator[tuple[Scene, Viewpoint, Observation]]:
    """Scenes of drawn tables, from where they are seen, and what is told of them."""
    rules = find_rules(RULES)
    for table in range(seed, seed + count):
        random = Random(table)
        lens = _lens(random)
        try:
            calibration = Calibration(lens.corners_px())
        except CalibrationError:  # tiles would be too small: the program refuses it
            continue
        above = viewpoint(calibration, lens.size_wh)
        if above is None:
            raise ValueError(f"table {table} is seen from nowhere")
        faces = faces_for(None, WorldLooks.WORLD, table, needed=rules.kinds, all_of=rules.kinds)
        look = look_from(WorldLooks.WORLD, table)
        look = replace(look, optics=replace(look.optics, distortion=0.0, stream_mbit=0.0))
        renderer = Renderer(faces, look, lens, table)
        scale = tile_scale(WorldLooks.WORLD, table)
        manners = Manners(river=list(RiverStyle)[table % 2], tile_scale=scale)
        steps = list(play_evening(table, rules, hands=1, manners=manners))
        upright = replace(reader, stretch=calibration.foreshortening)
        for step in random.sample(steps, min(PICTURES, len(steps))):
            image = renderer.picture(step.scene)
            x0, y0, x1, y1 = calibration.window(lens.size_wh)
            window, moved = np.ascontiguousarray(image[y0:y1, x0:x1]), calibration.moved(-x0, -y0)
            tile_mm = TILE_MM * scale
            readings = LiveReader(upright, calibration.px_per_mm * tile_mm).read(window)
            readings = BackFilter().without(readings, window, cloth_in(window, moved))
            layout = Layout().fitted(tile_mm)
            yield (
                step.scene,
                above,
                observe(readings, moved, layout, 0.0, above, tile_mm=tile_mm, is_size_known=True),
            )


def _lens(random: Random) -> Lens:
    """A lens that sees the whole table."""
    turn = random.choice((0, 90, 180, 270)) + random.choice((0.0, 0.0, random.uniform(-20, 20)))
    height, tilt = random.uniform(900, 1700), random.choice(TILTS_DEG)
    lens = Lens(px_per_mm=1.28, height_mm=height, tilt_deg=tilt, turn_deg=turn)
    while not _is_inside(lens):
        lens = replace(lens, px_per_mm=0.95 * lens.px_per_mm)
    return lens


def _is_inside(lens: Lens) -> bool:
    corners = np.array(lens.corners_px())
    return bool(((corners > 0) & (corners < lens.size_wh)).all())


def counted(scene: Scene, above: Viewpoint, seen: Observation) -> Counter[str]:
    """The outcome of each face of a scene, and of all else that was told."""
    found: Counter[str] = Counter()
    left = list(seen.tiles)
    for placed in scene.tiles:
        x, y = above.seen_at(placed.x_mm, placed.y_mm, placed.size_mm[2])
        told = min(left, key=lambda tile: hypot(tile.x_mm - x, tile.y_mm - y), default=None)
        if told is not None and hypot(told.x_mm - x, told.y_mm - y) > SAME_MM:
            told = None
        if told is not None:
            left.remove(told)
        if placed.shows is None:
            if told is not None and told.zone.kind is ZoneKind.HAND and told.tile is not Tile.BACK:
                found["standing tiles told"] += 1
        elif placed.shows.is_face and _is_on(placed.x_mm, placed.y_mm, seen.layout):
            found[_became(told, placed.shows)] += 1
    found["? where nothing is"] = sum(tile.tile is Tile.UNKNOWN for tile in left)
    found["faces where nothing is"] = sum(tile.tile.is_face for tile in left)
    return found


def _is_on(x_mm: float, y_mm: float, layout: Layout) -> bool:
    return zone_at(x_mm, y_mm, layout).kind is not ZoneKind.ELSEWHERE


def _became(told: SeenTile | None, shows: Tile) -> str:
    if told is None:
        return "not seen"
    if told.tile is Tile.UNKNOWN:
        return f"? ({told.why})"
    return "right" if told.tile is shows else "wrong"


def main(arguments: list[str] | None = None) -> None:
    """Print the counts as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=24, help="tables")
    parser.add_argument("--seed", type=int, default=5300)
    options = parser.parse_args(arguments)
    total: Counter[str] = Counter()
    for scene, above, seen in seen_tables(open_reader(threads=1), options.seed, options.count):
        total += counted(scene, above, seen)
    sys.stdout.write(json.dumps(dict(sorted(total.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
