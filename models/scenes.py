"""Training scenes: pieces of mahjong tables seen from above, with YOLO labels.

`python -m models.scenes --data ../shared/data --out models/runs/scenes --count 1000` writes
`images/*.jpg` and `labels/*.txt` (class ids of tiles.toml, boxes of the upper faces), and
`noted/*.txt`: sides of tiles that are nothing to read, and what is seen of tiles half hidden. With
`--from-seat` all show tiles that stand before the camera: a player's own hand, photographed.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.clutter import scatter
from models.crops import NOTHING, PART
from models.layouts import FIRST_DIE, STANDING, PlacedThing, random_group
from models.materials import (
    BACK,
    Materials,
    Random,
    TileSet,
    die_top,
    load_materials,
    random_ground,
    random_tile_set,
)
from models.pictures import sized
from models.weather import photograph, relight
from table_assist.vision.pictures.picture import Image

SIZE = 640
TILE_WIDTH_PX = (17, 190)
CLUTTERED, EMPTY = 0.35, 0.02  # shares of the pictures with other things, and without tiles
MIN_VISIBLE = 0.6  # of the upper face; a tile covered more is left unlabelled
PART_VISIBLE = 0.15  # of it: as much as may be taken for a tile
LEAST_PX = 4  # of a side or a part that is noted
# Standing before the camera a tile's upper side is seen above its face, so much of its thickness.
FROM_SEAT, UPPER_SIDE = 0.25, (0.15, 1.2)
SEAT_WIDTH_PX = (15, 90)
# Pictures are often made square by their publisher: a logarithm of what is done to their shape.
SQUEEZED_SHARE, SQUEEZED = 0.15, 0.6
SIDES = 30_000  # what `owner` holds for a side, plus its number


@dataclass(slots=True)
class Canvas:
    """A picture in the making; `owner` holds for every pixel the piece seen there, plus 1."""

    image: Image
    owner: NDArray[np.uint16]
    labels: list[int] = field(default_factory=list)
    outlines: list[NDArray[np.float32]] = field(default_factory=list)
    sides: list[NDArray[np.float32]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A scene.

    Attributes:
        image: (640, 640, 3) BGR.
        labels: (n, 5): class id, then centre x, centre y, width and height as shares of the
            picture.
        noted: (m, 5) the same of boxes that hold nothing, or only a part of a tile.
    """

    image: Image
    labels: NDArray[np.float32]
    noted: NDArray[np.float32]


def compose(random: Random, materials: Materials, *, from_seat: bool | None = None) -> Labelled:
    """Compose one scene; `from_seat`: its tiles stand before the camera; None: by chance."""
    tiles = random_tile_set(random, materials)
    if from_seat is None:
        from_seat = random.random() < FROM_SEAT
    range_px = SEAT_WIDTH_PX if from_seat else TILE_WIDTH_PX
    width_px = float(np.exp(random.uniform(*np.log(range_px))))
    canvas = Canvas(random_ground(random, materials, SIZE), np.zeros((SIZE, SIZE), np.uint16))
    if random.random() < CLUTTERED:
        scatter(random, canvas.image)
    pieces = []
    if random.random() > EMPTY:
        pieces = list(_spread(random, tiles, width_px, table_angle=0.0 if from_seat else None))
    # The view: how far an upper face is shifted against its base, in thicknesses.
    lean = random.normal(0, 0.25, 2) + 0.0
    wide = random.uniform(0, 0.5)
    if from_seat:
        lean = np.array([random.normal(0, 0.1), random.uniform(*UPPER_SIDE)])
    _cast_shadows(random, canvas, pieces, width_px, tiles)

    def shift(piece: PlacedThing) -> NDArray[np.float64]:
        return lean + wide * (np.array([piece.x, piece.y]) * width_px - SIZE / 2) / SIZE

    pieces.sort(key=lambda piece: -float(np.dot([piece.x, piece.y], shift(piece))))
    small: dict[int, list[Image]] = {}
    for piece in pieces:
        _paint(random, canvas, piece, tiles, width_px, shift(piece), small)
    if random.random() < 0.3:
        _reach_in(random, canvas)
    squeezed = 0.0
    if random.random() < (0.5 if from_seat else SQUEEZED_SHARE):
        squeezed = random.uniform(-SQUEEZED, SQUEEZED)
    return _finish(random, canvas, squeezed)


def write(
    out: Path, materials: Materials, count: int, seed: int, *, from_seat: bool | None = None
) -> None:
    """Write scenes that depend on seed and materials alone; existing ones are kept."""
    for name in ("images", "labels", "noted"):
        (out / name).mkdir(parents=True, exist_ok=True)
    for index in range(seed, seed + count):
        picture = out / "images" / f"scene{index:06}.jpg"
        if picture.exists():
            continue
        scene = compose(np.random.default_rng(index), materials, from_seat=from_seat)
        for name, rows in (("labels", scene.labels), ("noted", scene.noted)):
            lines = [f"{int(row[0])} " + " ".join(f"{v:.5f}" for v in row[1:]) for row in rows]
            (out / name / f"scene{index:06}.txt").write_text("\n".join(lines) + "\n")
        cv2.imwrite(str(picture), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 93])


def _spread(
    random: Random, tiles: TileSet, width_px: float, table_angle: float | None
) -> Iterator[PlacedThing]:
    """Groups of pieces, turned and laid where there is still room; all upright at an angle of 0."""
    side = SIZE / width_px
    upright = table_angle == 0
    if table_angle is None:
        table_angle = random.uniform(0, 360)
    taken: list[NDArray[np.float32]] = []
    for _ in range(3 + int(random.uniform(0.4, 2.5) * side)):
        group = list(random_group(random, tiles, side))
        turn = float(table_angle + 90 * random.integers(4) + random.normal(0, 2))
        if upright:
            turn = random.normal(0, 2)
        elif random.random() < 0.25:
            turn = random.uniform(0, 360)
        centre = random.uniform(-0.05, 1.05, 2) * side
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        moved = [
            PlacedThing(p.label,
                        centre[0] + p.x * cos - p.y * sin, centre[1] + p.x * sin + p.y * cos,
                        p.angle + turn, p.storeys)
            for p in group
        ]  # fmt: skip
        spots = np.array([[p.x, p.y] for p in moved], np.float32)
        apart = 1.75 if random.random() < 0.8 else 1.45
        if taken:
            gaps = np.linalg.norm(np.concatenate(taken)[None] - spots[:, None], axis=-1)
            free = gaps.min(axis=1) > apart
            if not free.all() and random.random() < 0.6:
                continue
            moved = [piece for piece, ok in zip(moved, free, strict=True) if ok]
            spots = spots[free]
        taken.append(spots)
        yield from moved


def _size(piece: PlacedThing, tiles: TileSet, width_px: float) -> tuple[float, float, float]:
    """Width, height and thickness in pixels."""
    if piece.label >= FIRST_DIE:
        return width_px * 0.72, width_px * 0.72, width_px * 0.72
    if piece.label == STANDING:
        return width_px, width_px * tiles.thickness, width_px * tiles.aspect
    return width_px, width_px * tiles.aspect, width_px * tiles.thickness * piece.storeys


def _corners(piece: PlacedThing, width: float, height: float, cut: float) -> NDArray[np.float32]:
    """Octagon around the piece's own centre, corners cut by a share of the width."""
    x, y, c = width / 2, height / 2, cut * width
    points = np.array(
        [[-x + c, -y], [x - c, -y], [x, -y + c], [x, y - c],
         [x - c, y], [-x + c, y], [-x, y - c], [-x, -y + c]]
    )  # fmt: skip
    angle = np.radians(piece.angle)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(points @ turn, np.float32)


def _cast_shadows(
    random: Random, canvas: Canvas, pieces: list[PlacedThing], width_px: float, tiles: TileSet
) -> None:
    shadow = np.zeros((SIZE, SIZE), np.uint8)
    away = random.normal(0, 0.35, 2)
    for piece in pieces:
        width, height, thick = _size(piece, tiles, width_px)
        base = _corners(piece, width, height, 0.05) + np.multiply([piece.x, piece.y], width_px)
        hull = cv2.convexHull(np.concatenate([base, base + away * thick]).astype(np.float32))
        cv2.fillConvexPoly(shadow, hull.astype(np.int32), 255)
    soft = cv2.GaussianBlur(shadow, (0, 0), max(width_px * random.uniform(0.03, 0.2), 0.5))
    depth = np.float32(random.uniform(0.2, 0.75) / 255)
    canvas.image = (canvas.image * (1 - soft * depth)[..., None]).astype(np.uint8)


def _paint(
    random: Random,
    canvas: Canvas,
    piece: PlacedThing,
    tiles: TileSet,
    width_px: float,
    shift: NDArray[np.float64],
    small: dict[int, list[Image]],
) -> None:
    """Paint the sides, then the upper face, and note whose pixels they are now."""
    width, height, thick = _size(piece, tiles, width_px)
    base = _corners(piece, width, height, 0.04) + np.multiply([piece.x, piece.y], width_px)
    base = base.astype(np.float32)
    rise = shift * thick
    top = (base + rise).astype(np.float32)
    if top.min() > SIZE * 1.1 or top.max() < -SIZE * 0.1:
        return
    _paint_sides(random, canvas, piece, tiles, base, rise)
    _note_side(canvas, base, top)
    if piece.label == STANDING:
        ivory = np.clip(tiles.ivory, 0, 255).tolist()
        cv2.fillConvexPoly(canvas.image, top.astype(np.int32), ivory, cv2.LINE_AA)
        half = np.concatenate([top[3:7], (top[[6, 2]] + top[[7, 3]]) / 2])
        cv2.fillConvexPoly(canvas.image, half.astype(np.int32), tiles.back, cv2.LINE_AA)
        return
    if piece.label not in small:
        tops = (
            [die_top(random, piece.label - FIRST_DIE + 1)]
            if piece.label >= FIRST_DIE
            else tiles.tops[piece.label]
        )
        size = (max(int(width * 1.2), 6), max(int(height * 1.2), 6))
        small[piece.label] = [sized(each, size) for each in tops]
    sprite = small[piece.label][random.integers(len(small[piece.label]))]
    _blend(canvas.image, sprite, piece.angle, top.mean(axis=0), width / sprite.shape[1])
    canvas.labels.append(piece.label)
    canvas.outlines.append(top)
    cv2.fillConvexPoly(canvas.owner, np.round(top).astype(np.int32), len(canvas.labels))


def _paint_sides(
    random: Random,
    canvas: Canvas,
    piece: PlacedThing,
    tiles: TileSet,
    base: NDArray[np.float32],
    rise: NDArray[np.float64],
) -> None:
    shade = random.uniform(0.6, 0.9)
    lower, upper = tiles.back, tiles.ivory
    if piece.label == BACK:
        lower, upper = upper, lower
    if piece.label >= FIRST_DIE or piece.label == STANDING:
        lower = upper
    split = 0.4 if piece.label != BACK else 0.6
    layers = []
    for storey in range(piece.storeys):
        start, step = storey / piece.storeys, 1 / piece.storeys
        layers += [
            (start, start + split * step, lower),
            (start + split * step, start + step, upper),
        ]
    for start, end, colour in layers:
        both = np.concatenate([base + rise * start, base + rise * end]).astype(np.float32)
        hull = cv2.convexHull(both)
        painted = tuple(float(v) * shade for v in colour)
        cv2.fillConvexPoly(canvas.image, np.round(hull).astype(np.int32), painted, cv2.LINE_AA)
    whole = cv2.convexHull(np.concatenate([base, base + rise]).astype(np.float32))
    cv2.fillConvexPoly(canvas.owner, np.round(whole).astype(np.int32), 0)


def _note_side(canvas: Canvas, base: NDArray[np.float32], top: NDArray[np.float32]) -> None:
    """The side that is seen beyond the upper edge of what stands upright before the camera."""
    low, high = base.min(axis=0), top.min(axis=0)
    right = top[:, 0].max()
    is_upright = cv2.contourArea(top) > 0.9 * np.prod(np.ptp(top, axis=0))
    if high[1] - low[1] < LEAST_PX or abs(high[0] - low[0]) > LEAST_PX or not is_upright:
        return
    outline = np.array([low, [right, low[1]], [right, high[1]], [low[0], high[1]]], np.float32)
    canvas.sides.append(outline)
    cv2.fillConvexPoly(canvas.owner, outline.astype(np.int32), SIDES + len(canvas.sides))


def _blend(
    image: Image, sprite: Image, angle: float, centre: NDArray[np.float32], scale: float
) -> None:
    height, width = sprite.shape[:2]
    reach = int(np.hypot(height, width) * scale / 2) + 2
    x0, y0 = (max(int(v) - reach, 0) for v in centre)
    x1, y1 = (min(int(v) + reach + 1, SIZE) for v in centre)
    if x1 <= x0 or y1 <= y0:
        return
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -angle, scale)
    matrix[:, 2] += [centre[0] - x0 - (width - 1) / 2, centre[1] - y0 - (height - 1) / 2]
    laid = cv2.warpAffine(sprite, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    alpha = laid[..., 3:] * np.float32(1 / 255)
    region = image[y0:y1, x0:x1]
    region[:] = (laid[..., :3] * alpha + region * (1 - alpha)).astype(np.uint8)


def _reach_in(random: Random, canvas: Canvas) -> None:
    """A forearm or a sleeve from the border; what lies under it is no longer visible."""
    start = random.uniform(0, SIZE, 2)
    start[random.integers(2)] = random.choice([-40, SIZE + 40])
    end = start + (SIZE / 2 - start) * random.uniform(0.2, 1.1)
    thick = int(random.uniform(25, 140))
    skin = random.random() < 0.5
    tone = (
        np.array([110, 140, 190]) * random.uniform(0.4, 1.1) if skin else random.uniform(5, 200, 3)
    )
    line = tuple(int(v) for v in start), tuple(int(v) for v in end)
    colour = tuple(float(v) for v in np.clip(tone, 0, 255))
    cv2.line(canvas.image, *line, colour, thick, cv2.LINE_AA)
    cv2.line(canvas.owner, *line, 0, thick)


def _finish(random: Random, canvas: Canvas, squeezed: float) -> Labelled:
    """Tilt the view, squeeze it, light it, photograph it, and box what can still be seen."""
    tilt = random.uniform(0, 0.16) * SIZE
    corners = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float32)
    # Corners only move outwards, so that the picture stays filled.
    pulled = corners + np.sign(corners - SIZE / 2) * random.uniform(0, tilt, (4, 2))
    pulled[:, int(squeezed > 0)] = SIZE / 2 + (pulled[:, int(squeezed > 0)] - SIZE / 2) * np.exp(
        abs(squeezed)
    )
    view = cv2.getPerspectiveTransform(corners, pulled.astype(np.float32))
    image = cv2.warpPerspective(canvas.image, view, (SIZE, SIZE), flags=cv2.INTER_LINEAR)
    owner = cv2.warpPerspective(canvas.owner, view, (SIZE, SIZE), flags=cv2.INTER_NEAREST)
    seen = np.bincount(owner.ravel(), minlength=SIDES + len(canvas.sides) + 1)
    rows, noted = [], []
    for number, (label, outline) in enumerate(zip(canvas.labels, canvas.outlines, strict=True), 1):
        outline = cv2.perspectiveTransform(outline[None], view)[0]
        visible = seen[number] / cv2.contourArea(outline)
        if visible >= MIN_VISIBLE:
            rows.append(_row(label, outline))
        elif visible >= PART_VISIBLE and label < FIRST_DIE:
            ys, xs = np.nonzero(owner == number)
            box = np.array([[xs.min(), ys.min()], [xs.max() + 1, ys.max() + 1]])
            if np.ptp(box, axis=0).min() >= LEAST_PX:
                noted.append(_row(PART, box))
    for number, outline in enumerate(canvas.sides, SIDES + 1):
        outline = cv2.perspectiveTransform(outline[None], view)[0]
        if seen[number] >= MIN_VISIBLE * cv2.contourArea(outline) > 0:
            row = _row(NOTHING, outline)
            if min(row[3:]) * SIZE >= LEAST_PX:
                noted.append(row)
    picture = photograph(random, relight(random, np.asarray(image, np.uint8)))
    labels, beside = (np.array(each, np.float32).reshape(-1, 5) for each in (rows, noted))
    return Labelled(picture, labels, beside)


def _row(label: int, outline: NDArray[np.float32]) -> list[float]:
    (x0, y0), (x1, y1) = np.clip([outline.min(axis=0), outline.max(axis=0)], 0, SIZE) / SIZE
    return [label, (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0]


def main() -> None:
    """Write scenes from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fonts", type=Path, help="a folder: sets are invented and restyled, too")
    parser.add_argument("--from-seat", action="store_true", help="tiles stand before the camera")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    materials = load_materials(options.data, options.fonts)
    from_seat = True if options.from_seat else None
    write(options.out, materials, options.count, options.seed, from_seat=from_seat)


if __name__ == "__main__":
    main()
