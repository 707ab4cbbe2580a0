"""How pieces lie on a table: rows, melds, rivers, heaps, walls, dice, standing tiles."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from models.materials import BACK, LABELS, Random, TileSet

FIRST_DIE = LABELS.index("d1")
STANDING = -2  # seen from above, a standing tile is a narrow top that is no thing to read


@dataclass(frozen=True, slots=True)
class PlacedThing:
    """A piece in its group: centre in tile widths, angle in degrees, storeys high."""

    label: int
    x: float
    y: float
    angle: float = 0.0
    storeys: int = 1


def random_group(random: Random, tiles: TileSet, side: float) -> Iterator[PlacedThing]:
    """One group of pieces around its own origin.

    Args:
        random: where chance comes from.
        tiles: the set that lies on the table.
        side: of the picture, in tile widths; no row is longer.
    """
    weights = [weight for _, weight in _LAYOUTS]
    layout, _ = _LAYOUTS[int(random.choice(len(weights), p=weights))]
    gap = 1 + abs(random.normal(0, 0.03))
    return layout(random, tiles, gap, int(min(max(side, 3), 14)) + 1)


def _face(random: Random, tiles: TileSet) -> int:
    return int(random.choice(tiles.faces))


def _row(random: Random, tiles: TileSet, gap: float, longest: int) -> Iterator[PlacedThing]:
    for i in range(int(random.integers(2, longest + 1))):
        upside_down = 180.0 * (random.random() < 0.1)
        yield PlacedThing(_face(random, tiles), i * gap, random.normal(0, 0.02), upside_down)


def _meld(random: Random, tiles: TileSet, gap: float, _longest: int) -> Iterator[PlacedThing]:
    """Three or four, one perhaps turned; a concealed kong shows two backs."""
    count = int(random.integers(3, 5))
    turned, same, x = int(random.integers(-2, count)), _face(random, tiles), 0.0
    concealed = count == 4 and random.random() < 0.5
    lying = (tiles.aspect - 1) / 2
    for i in range(count):
        label = same if random.random() < 0.7 else _face(random, tiles)
        if concealed and i in (0, 3):
            label = BACK
        if i == turned:
            x += lying
            yield PlacedThing(label, x, lying, 90)
            x += lying + gap
        else:
            yield PlacedThing(label, x, 0, random.normal(0, 1))
            x += gap


def _river(random: Random, tiles: TileSet, gap: float, _longest: int) -> Iterator[PlacedThing]:
    return _rows_of_six(random, tiles, gap, random.uniform(0, 0.08))


def _tray(random: Random, tiles: TileSet, gap: float, _longest: int) -> Iterator[PlacedThing]:
    return _rows_of_six(random, tiles, gap, 0.005)


def _rows_of_six(random: Random, tiles: TileSet, gap: float, loose: float) -> Iterator[PlacedThing]:
    for i in range(int(random.integers(2, 25))):
        yield PlacedThing(
            _face(random, tiles) if random.random() < 0.97 else BACK,
            (i % 6) * (gap + loose) + random.normal(0, loose / 2),
            (i // 6) * (tiles.aspect + loose) + random.normal(0, loose / 2),
            random.normal(0, 40 * loose) + 90.0 * (random.random() < 0.03),
        )


def _heap(random: Random, tiles: TileSet, _gap: float, _longest: int) -> Iterator[PlacedThing]:
    """Tiles washed together: at any angle, none on another, many touching."""
    placed: list[PlacedThing] = []
    count, spread = int(random.integers(5, 60)), random.uniform(1.2, 4)
    for _ in range(3 * count):
        label = _face(random, tiles) if random.random() < 0.75 else BACK
        x, y = random.normal(0, spread, 2)
        tile = PlacedThing(label, x, y, random.uniform(0, 360))
        if all(_apart(tile, other, tiles.aspect) for other in placed):
            placed.append(tile)
            yield tile
        if len(placed) == count:
            return


def _apart(tile: PlacedThing, other: PlacedThing, aspect: float) -> bool:
    if np.hypot(tile.x - other.x, tile.y - other.y) > np.hypot(1, aspect):
        return True
    one, two = (((p.x, p.y), (1.02, 1.02 * aspect), p.angle) for p in (tile, other))
    shared, _ = cv2.rotatedRectangleIntersection(one, two)
    return bool(shared == cv2.INTERSECT_NONE)


def _wall(random: Random, _tiles: TileSet, gap: float, longest: int) -> Iterator[PlacedThing]:
    for i in range(int(random.integers(3, longest + 4))):
        storeys = 2 if random.random() < 0.8 else 1
        yield PlacedThing(BACK, i * gap, random.normal(0, 0.03), random.normal(0, 1), storeys)


def _dice(random: Random, _tiles: TileSet, _gap: float, _longest: int) -> Iterator[PlacedThing]:
    for i in range(int(random.integers(1, 4))):
        label = FIRST_DIE + int(random.integers(6))
        y, angle = random.uniform(-1, 1), random.uniform(0, 360)
        yield PlacedThing(label, i * random.uniform(0.8, 1.6), y, angle)


def _standing(random: Random, _tiles: TileSet, gap: float, longest: int) -> Iterator[PlacedThing]:
    for i in range(int(random.integers(3, longest + 1))):
        yield PlacedThing(STANDING, i * gap, random.normal(0, 0.03), random.normal(0, 1))


def _single(random: Random, tiles: TileSet, _gap: float, _longest: int) -> Iterator[PlacedThing]:
    label = _face(random, tiles) if random.random() < 0.7 else BACK
    yield PlacedThing(label, 0, 0, random.uniform(0, 360))


_Layout = Callable[[Random, TileSet, float, int], Iterator[PlacedThing]]
_LAYOUTS: list[tuple[_Layout, float]] = [
    (_row, 0.2),
    (_meld, 0.16),
    (_river, 0.16),
    (_heap, 0.12),
    (_wall, 0.09),
    (_tray, 0.07),
    (_dice, 0.08),
    (_standing, 0.06),
    (_single, 0.06),
]
