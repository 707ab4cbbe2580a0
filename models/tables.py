"""Training pictures: whole tables, drawn by the simulator's renderer, with YOLO labels.

They know a table's true geometry: standing hands, walls, rivers and melds of four seats, one
camera. `python -m models.tables --data ../shared/data --out DIR --count 100`; with `--looks world`
tables from the whole space of looks that is not held out, more of them with tiles of glass than
there are; with `--empty` such tables before a tile lies there, into the folder of `nothing`:
printed lattices and seams are what a detector takes for backs; with `--wells` dice in the wells of
automatic tables. Some, with `--from-seat` all, are seen from a seat: its standing hand shows its
faces, which are labelled. train.py takes what lies in its folder. With `--laid-out FACES` a set in
rows, as its owner would photograph it: three of them are learnt by `table-assist enrol --labelled`.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import cos, radians, sin
from pathlib import Path

import cv2
import numpy as np

from models.pictures import DETECTOR_LABELS, OWN_FACES, Random
from models.sets import is_set_held_out
from models.various import LIGHT_ARTWORK, VariousSets
from models.wells import well_of
from models.world import WorldLooks, clutter, look_from
from table_assist.tiles.tile import COPIES, Tile
from table_assist.twin.faces import FaceSet, load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import DieLook, TableLook, WellLook, look_of
from table_assist.twin.optics import distorted
from table_assist.twin.render import Renderer, TrueBox
from table_assist.twin.scene import Cover, PlacedDie, PlacedTile, Pose, Scene, reaching_arm
from table_assist.vision.pictures.picture import Image

TABLE_PX = 640
WIDTH_MM, LENGTH_MM = 26.4, 35.5  # a tile and the gap to the next
ROW_LENGTH = 14  # tiles of a set that is laid out
CORNER = 0.06  # share of an edge that the round corners take
MIN_VISIBLE = 0.6
# Of pictures from the whole space so many show tiles of glass, which are hard to learn.
UNDER_GLASS_SHARE = 0.45
# A reader leans on colours: of 339 drawn faces it asked about one, and about 14 without colours.
GREY_SHARE = 0.06
# From a seat, so many degrees from straight below; less, and a standing face is too narrow to read.
FROM_SEAT, SEAT_TILT = 0.15, (42.0, 60.0)
HAND_MM = 355.0  # how far from the table's middle a hand stands
# A die's side in the camera's picture, px; a small one is shown larger, as the reader does.
DIE_PX, SHOWN_PX = (13.0, 70.0), (24.0, 80.0)
CLOSE_SHARE = 0.35  # of the pictures of a well show no tiles
MOST_TILT = 32.0
ChooseSet = Callable[[Random], FaceSet]


def compose_table(
    random: Random,
    choose_set: ChooseSet,
    looks: WorldLooks = WorldLooks.USUAL,
    *,
    from_seat: bool | None,
) -> tuple[Image, list[str]]:
    """One picture (640, 640, 3) BGR of a part of a table, and its YOLO rows.

    Args:
        from_seat: whether the camera is where a player's eyes are; None: by chance.
    """
    faces = choose_set(random)
    if from_seat is None:
        from_seat = random.random() < FROM_SEAT
    camera = _lens_of_a_player(random) if from_seat else _lens(random)
    seed = int(random.integers(1 << 30))
    look = look_of(seed) if looks is WorldLooks.USUAL else _world_look(random, seed)
    renderer = Renderer(faces, look, camera, seed)
    kinds = sorted(faces.pictures)
    tiles = scene_of_tiles(random, kinds)
    dice = []
    for _ in range(int(random.integers(0, 3))):
        value, (x, y) = int(random.integers(1, 7)), random.uniform(-45, 45, 2)
        dice.append(PlacedDie(value, x, y, random.uniform(0, 360)))
    covers: tuple[Cover, ...] = ()
    if random.random() < 0.15:
        x, y = random.uniform(-300, 300, 2)
        covers = reaching_arm(int(random.integers(4)), float(x), float(y))
    scene = Scene(tiles, tuple(dice), covers)
    picture = renderer.picture(scene)
    boxes = renderer.true_boxes(scene, least_visible=MIN_VISIBLE, standing=from_seat)
    return picture, [row_of(box, camera.size_wh, look.optics.distortion) for box in boxes]


def empty_world_table(random: Random) -> Image:
    """One picture (640, 640, 3) BGR of a table with cups, coins and arms, and no tile."""
    seed = int(random.integers(1 << 30))
    arm: tuple[Cover, ...] = ()
    if random.random() < 0.3:
        x, y = random.uniform(-300, 300, 2)
        arm = reaching_arm(int(random.integers(4)), float(x), float(y))
    renderer = Renderer(load_faces(OWN_FACES), _world_look(random, seed), _lens(random), seed)
    return renderer.picture(Scene((), (), (*clutter(seed), *arm)))


def _lens(random: Random) -> Lens:
    return Lens(
        size_wh=(TABLE_PX, TABLE_PX),
        px_per_mm=float(np.exp(random.uniform(np.log(0.65), np.log(2.6)))),
        height_mm=float(random.uniform(800, 2200)),
        tilt_deg=float(max(random.normal(0, 12), 0)),
        turn_deg=float(random.uniform(0, 360)),
        aim_mm=(float(random.uniform(-300, 300)), float(random.uniform(-300, 300))),
    )


def _lens_of_a_player(random: Random) -> Lens:
    seat = int(random.integers(4))
    x, y = sin(radians(90 * seat)), -cos(radians(90 * seat))
    away = random.uniform(0.35, 0.95) * HAND_MM
    return Lens(
        size_wh=(TABLE_PX, TABLE_PX),
        px_per_mm=float(np.exp(random.uniform(np.log(0.6), np.log(2.4)))),
        height_mm=float(random.uniform(450, 1100)),
        tilt_deg=float(random.uniform(*SEAT_TILT)),
        turn_deg=float(-90 * seat + random.normal(0, 9)),
        aim_mm=(float(away * x), float(away * y)),
    )


def _world_look(random: Random, seed: int) -> TableLook:
    """A look that is not held out; no stream, which no single picture is, but sometimes grey."""
    wants_glass = random.random() < UNDER_GLASS_SHARE
    look = look_from(WorldLooks.WORLD, seed)
    while wants_glass and look.glass is None:
        look = look_from(WorldLooks.WORLD, int(random.integers(1 << 30)))
    grey = float(np.random.default_rng((seed, 0x62E7)).uniform() < GREY_SHARE)
    return replace(look, optics=replace(look.optics, stream_mbit=0.0, grey=grey))


def one_of(sets: list[FaceSet]) -> ChooseSet:
    """The first of these sets every other time, else any of them."""
    return lambda random: sets[0 if random.random() < 0.5 else int(random.integers(len(sets)))]


def own_or_drawn(data: Path) -> list[FaceSet]:
    """Our own faces first, then the drawn sets of the data folder that can be seen on ivory."""
    drawn = sorted((data / "artwork").glob("*"))
    unseen = (each for each in drawn if each.name in LIGHT_ARTWORK or is_set_held_out(each.name))
    folders = [OWN_FACES, *sorted({*drawn} - {*unseen})]
    return [load_faces(folder, needed=()) for folder in folders]


def sets_for(data: Path | None, fonts: Path | None) -> ChooseSet:
    """With a folder of fonts sets without end, else our own and the drawn ones of data, if any."""
    if fonts and data:
        return VariousSets(data, fonts).draw
    return one_of(own_or_drawn(data) if data else [load_faces(OWN_FACES)])


def write_tables(
    out: Path,
    choose_set: ChooseSet,
    count: int,
    seed: int,
    looks: WorldLooks = WorldLooks.USUAL,
    *,
    from_seat: bool | None = None,
) -> None:
    """Write pictures that depend on seed, looks and sets alone; existing ones are kept."""
    _write(
        out,
        "table" if looks is WorldLooks.USUAL else "world",
        lambda random: compose_table(random, choose_set, looks, from_seat=from_seat),
        range(seed, seed + count),
        7,
    )


def write_wells(out: Path, count: int, seed: int) -> None:
    """Write dice in wells, a third of them without tiles; existing pictures are kept."""
    faces = load_faces(OWN_FACES)
    _write(out, "well", lambda random: compose_well(random, faces), range(seed, seed + count), 9)


def _write(
    out: Path,
    name: str,
    compose: Callable[[Random], tuple[Image, list[str]]],
    seeds: range,
    stream: int,
) -> None:
    for folder in ("images", "labels"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    for index in seeds:
        picture = out / "images" / f"{name}{index:06}.jpg"
        if picture.exists():
            continue
        image, rows = compose(np.random.default_rng([index, stream]))
        (out / "labels" / f"{name}{index:06}.txt").write_text("\n".join(rows), encoding="utf-8")
        cv2.imwrite(str(picture), image, [cv2.IMWRITE_JPEG_QUALITY, 93])


def write_empty(out: Path, count: int, seed: int) -> None:
    """Write tables without tiles that depend on the seed alone."""
    out.mkdir(parents=True, exist_ok=True)
    for index in range(seed, seed + count):
        picture = empty_world_table(np.random.default_rng([index, 8]))
        path = out / f"cloth{index:06}.jpg"
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 93])


def scene_of_tiles(random: Random, kinds: list[Tile]) -> tuple[PlacedTile, ...]:
    """The tiles of one set before four seats: hands, melds, rivers, walls."""
    one_set = [kind for kind in kinds for _ in range(1 if kind.is_bonus else COPIES)]
    left = [one_set[place] for place in random.permutation(len(one_set))]
    return tuple(tile for seat in range(4) for tile in _seat(random, left, seat))


def _seat(random: Random, left: list[Tile], seat: int) -> Iterator[PlacedTile]:
    def put(kind: Tile, right: float, down: float, turn: float, pose: Pose) -> PlacedTile:
        right, down = right + random.normal(0, 0.4), down + random.normal(0, 0.6)
        across, along = cos(radians(90 * seat)), sin(radians(90 * seat))
        x, y = right * across + down * along, right * along - down * across
        return PlacedTile(kind, x, y, 90 * seat + turn + random.normal(0, 0.8), pose)

    shown = random.random()
    pose = Pose.STANDING if shown < 0.45 else Pose.FACE_UP if shown < 0.9 else Pose.FACE_DOWN
    for index in range(min(int(random.integers(2, 15)), len(left))):
        yield put(left.pop(), -250 + index * WIDTH_MM, 355, 0, pose)
    for meld in range(int(random.integers(0, 4))):
        kind, turned = max(left, key=left.count, default=Tile.BACK), int(random.integers(-1, 3))
        for index in range(min(3, left.count(kind))):
            left.remove(kind)
            right = 325.0 - meld * 95 - index * 30
            if index == turned:
                yield put(kind, right, 304, 90, Pose.FACE_UP)
            else:
                yield put(kind, right, 300, 0, Pose.FACE_UP)
    for index in range(min(int(random.integers(0, 22)), len(left))):
        right, down = (index % 6 - 2.5) * WIDTH_MM, 98 + index // 6 * LENGTH_MM
        yield put(left.pop(), right, down, random.normal(0, 1.5), Pose.FACE_UP)
    standing = int(random.integers(0, 18))
    for index in range(standing):
        pose = Pose.STACKED if random.random() < 0.9 else Pose.FACE_DOWN
        yield put(Tile.BACK, (index - 8) * WIDTH_MM, 247, 0, pose)


def row_of(box: TrueBox, size_wh: tuple[int, int], distortion: float) -> str:
    """A thing's line in a YOLO label file of a picture of that size, as its lens bends it."""
    polygon = np.array([distorted(point, size_wh, distortion) for point in box.polygon_px])
    towards = np.roll(polygon, -1, axis=0) - polygon
    # Round corners: what is seen ends a little before and after each corner.
    outline = np.concatenate([polygon + CORNER * towards, polygon + (1 - CORNER) * towards])
    inside = np.clip(outline, 0, size_wh) / size_wh
    (x0, y0), (x1, y1) = inside.min(axis=0), inside.max(axis=0)
    middle_and_size = ((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0)
    return f"{DETECTOR_LABELS.index(box.label)} " + " ".join(
        f"{value:.5f}" for value in middle_and_size
    )


# -- a whole set, laid out as somebody would to enrol it ------------------------------------------


def compose_set(random: Random, faces: FaceSet) -> tuple[Image, list[str]]:
    """Every face twice in rows, in any order, (1080, 1920, 3) BGR, and its YOLO rows."""
    tiles = [tile for tile in sorted(faces.pictures) if tile.is_face] * 2
    order = random.permutation(len(tiles)).tolist()
    rows = -(-len(tiles) // ROW_LENGTH)
    placed = tuple(
        PlacedTile(
            tiles[place],
            (index % ROW_LENGTH - (ROW_LENGTH - 1) / 2) * WIDTH_MM,
            ((rows - 1) / 2 - index // ROW_LENGTH) * LENGTH_MM,
            float(random.uniform(-1.5, 1.5)),
        )
        for index, place in enumerate(order)
    )
    tilt, turn = float(random.uniform(0, 15)), float(random.uniform(-6, 6))
    camera = Lens((1920, 1080), 3.4, tilt_deg=tilt, turn_deg=turn)
    seed = int(random.integers(1 << 30))
    look = look_from(WorldLooks.WORLD, seed)
    look = replace(look, optics=replace(look.optics, stream_mbit=0.0))  # a photograph is no stream
    renderer, scene = Renderer(faces, look, camera, seed), Scene(placed)
    boxes = renderer.true_boxes(scene)
    return renderer.picture(scene), [
        row_of(box, camera.size_wh, look.optics.distortion) for box in boxes
    ]


# -- dice in the well of an automatic table --------------------------------------------------------


def compose_well(random: Random, faces: FaceSet) -> tuple[Image, list[str]]:
    """One picture (640, 640, 3) BGR around a well, and its YOLO rows."""
    seed = int(random.integers(1 << 30))
    well, die = well_of(seed)
    px = float(np.exp(random.uniform(*np.log(DIE_PX))))
    shown = max(px, float(np.exp(random.uniform(*np.log(SHOWN_PX)))))
    side = round(TABLE_PX * px / shown)
    camera = Lens(
        size_wh=(side, side),
        px_per_mm=px / die.size_mm,
        height_mm=float(random.uniform(900, 2200)),
        tilt_deg=float(np.clip(abs(random.normal(0, 13)), 0, MOST_TILT)),
        turn_deg=float(random.uniform(0, 360)),
        aim_mm=(float(random.normal(0, 12)), float(random.normal(0, 12))),
    )
    look = look_from(WorldLooks.WORLD, seed)
    # The recogniser is to learn a whole die: a stream's single picture is none.
    optics = replace(look.optics, stream_mbit=0.0, breathing_px=0.0)
    look = replace(look, well=well, die=die, optics=optics, emblem=None)
    tiles = () if random.random() < CLOSE_SHARE else scene_of_tiles(random, sorted(faces.pictures))
    around = well.console_mm + 20
    tiles = tuple(t for t in tiles if max(abs(t.x_mm), abs(t.y_mm)) > around)
    scene = Scene(tiles, tuple(dice_in(random, well, die)))
    renderer = Renderer(faces, look, camera, seed)
    boxes = renderer.true_boxes(scene, least_visible=MIN_VISIBLE)
    picture = cv2.resize(
        renderer.picture(scene), (TABLE_PX, TABLE_PX), interpolation=cv2.INTER_CUBIC
    )
    rows = [row_of(box, camera.size_wh, optics.distortion) for box in boxes]
    return np.asarray(picture, np.uint8), rows


def dice_in(random: Random, well: WellLook, die: DieLook) -> Iterator[PlacedDie]:
    """One to three dice as they come to lie in a well, apart from each other."""
    lying: list[tuple[float, float]] = []
    wanted = int(random.integers(1, 4))
    while len(lying) < wanted:
        away = (well.radius_mm - 0.75 * die.size_mm) * np.sqrt(random.uniform())
        turn = random.uniform(0, 2 * np.pi)
        x, y = float(away * np.cos(turn)), float(away * np.sin(turn))
        if all(np.hypot(x - a, y - b) > 1.3 * die.size_mm for a, b in lying):
            lying.append((x, y))
            turned = float(random.uniform(0, 360))
            yield PlacedDie(int(random.integers(1, 7)), x, y, turned, die.size_mm)


def main() -> None:
    """Write pictures from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="its drawn sets, too; none: only our own")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--looks", type=WorldLooks, choices=[WorldLooks.USUAL, WorldLooks.WORLD], default="usual"
    )
    parser.add_argument("--fonts", type=Path, help="a folder: sets are invented and restyled, too")
    parser.add_argument("--from-seat", action="store_true", help="all as a player sees them")
    parser.add_argument("--empty", action="store_true")
    parser.add_argument("--wells", action="store_true")
    parser.add_argument("--laid-out", type=Path, metavar="FACES", help="this set, to be enrolled")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    at = options.out, options.count, options.seed
    if options.empty:
        write_empty(*at)
    elif options.wells:
        write_wells(*at)
    elif options.laid_out:
        faces, seeds = load_faces(options.laid_out, needed=()), range(at[2], at[2] + at[1])
        _write(at[0], "set", lambda random: compose_set(random, faces), seeds, 10)
    else:
        sets, from_seat = sets_for(options.data, options.fonts), True if options.from_seat else None
        write_tables(at[0], sets, *at[1:], options.looks, from_seat=from_seat)


if __name__ == "__main__":
    main()
