"""What a cloth shows before the deal is its print, and a tile that is laid on it is a tile."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.table.attention import NOTHING_DECISIVE, Attention
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.watcher import Watcher
from table_assist.vision.table.zones import Layout, ZoneKind
from tests.stages.vision_networks import PlainEyes

SIDE, EDGE = 860, 30
CALIBRATION = Calibration(
    ((EDGE, SIDE - EDGE), (SIDE - EDGE, SIDE - EDGE), (SIDE - EDGE, EDGE), (EDGE, EDGE))
)
FELT, PRINT, BAMBOO, IVORY = (62, 104, 42), (150, 150, 205), (70, 160, 205), (224, 236, 242)
UNDEALT = Attention(is_undealt=True)
BACK = Name("back", 0.97, (Candidate("back", 0.97),))
UNREAD = Name("?", 0.6, (Candidate("W", 0.6), Candidate("8s", 0.2)))
HALF = Name("?", 0.45, (Candidate("back", 0.45), Candidate("8p", 0.05)))
RED = Name("C", 0.97, (Candidate("C", 0.97),))
MELDS = [(-28.0, -300.0), (0.0, -300.0), (28.0, -300.0), (14.0, -160.0)]
WALL = [(-40.0, -255.0), (-13.0, -255.0)]
SEAMS = 7  # mm between the lines of a lattice


def picture(laid: Sequence[tuple[float, float]] = (), *, light: float = 1.0, shift: int = 0,
            seed: int = 0, plain: bool = False,
            printed: Sequence[tuple[float, float]] = (),
            standing: Sequence[tuple[float, float]] = ()) -> Image:  # fmt: skip
    """A felt with a lattice printed before seat 0 and in its river, and backs laid on it."""
    image = np.full((SIDE, SIDE, 3), FELT, np.float32)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    lines = ((rows + columns) % (3 * SEAMS) < 3) | ((rows - columns) % (3 * SEAMS) < 3)
    for x, y in [] if plain else [*MELDS, *printed]:
        left, top, right, bottom = box(x, y, 34, 46)
        image[top:bottom, left:right][lines[top:bottom, left:right]] = PRINT
    for x, y in [*WALL, *laid]:
        left, top, right, bottom = box(x, y)
        image[top:bottom, left:right] = BAMBOO
        image[bottom - 3 : bottom, left:right] = IVORY
    for x, y in standing:
        left, top, right, bottom = box(x, y)
        image[top + 10 : bottom - 10, left:right] = IVORY
        image[top + 10 : bottom - 20, left:right] = BAMBOO
    image = np.roll(light * image, shift, axis=1)
    image += np.random.default_rng(seed).normal(0, 3, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def box(x: float, y: float, width: float = 26, height: float = 35) -> tuple[int, int, int, int]:
    left, top = x - width / 2 + SIDE / 2, SIDE / 2 - y - height / 2
    return round(left), round(top), round(left + width), round(top + height)


def lay_face(image: Image, x: float, y: float) -> None:
    """A tile with a red drawing."""
    left, top, right, bottom = box(x, y)
    image[top:bottom, left:right] = IVORY
    image[top + 8 : bottom - 8, left + 6 : right - 6] = (40, 40, 180)


class Eyes:
    """Reads the same at each of some places, whatever lies there."""

    def __init__(self, **said: Name) -> None:
        self.melds, self.wall = said.get("melds", BACK), said.get("wall", BACK)
        self.beside: list[tuple[tuple[int, int, int, int], Name]] = []

    def read(self, window: Image) -> Readings:
        offset = 22  # the window begins so many px inside the picture
        places = [*(box(*place) for place in (*MELDS, *WALL)), *(where for where, _ in self.beside)]
        boxes = [[value - offset for value in place] for place in places]
        names = [self.melds] * len(MELDS) + [self.wall] * len(WALL)
        names += [name for _, name in self.beside]
        height, width = window.shape[:2]
        return box_readings((width, height), np.array(boxes, np.float32), names)


def watching(eyes: Eyes) -> Watcher:
    return Watcher(PlainEyes(eyes.read), CALIBRATION, Layout(), limits=Limits.alike(0.9))


def seen(watcher: Watcher, t: float, image: Image | None = None) -> list[SeenTile]:
    """What is steady after a while, the wall left out."""
    image = picture() if image is None else image
    for step in range(4):
        latest = watcher.look(image, t + step / 2)
    return [tile for tile in latest.tiles if tile.zone.kind is not ZoneKind.WALL]


def dealt(eyes: Eyes, image: Image | None = None) -> Watcher:
    """Its wall was built, and tiles are dealt."""
    watcher = watching(eyes)
    watcher.attend(UNDEALT)
    seen(watcher, 0.0, image)
    watcher.attend(NOTHING_DECISIVE)
    return watcher


@pytest.mark.parametrize("read", [BACK, UNREAD], ids=["back", "unread"])
def test_a_print_that_is_read_as_tiles_is_none(read: Name) -> None:
    """A lattice before each seat was read as 29 backs, and held claims back: 8 questions."""
    assert len(seen(watching(Eyes(melds=read)), 0.0)) == len(MELDS)
    watcher = dealt(Eyes(melds=read))
    assert seen(watcher, 9.0) == []
    assert seen(watcher, 19.0, picture(light=0.75, seed=1)) == []


def test_a_back_that_is_laid_on_the_print_is_seen() -> None:
    watcher = dealt(Eyes())
    for count in range(1, len(MELDS) + 1):
        found = seen(watcher, 10.0 * count, picture(MELDS[:count]))
        assert len(found) == count
        assert all(tile.tile is Tile.BACK for tile in found)


def test_a_face_that_lay_there_at_a_wrong_moment_is_never_left_out() -> None:
    """Were the moment wrong, melds that lie there would be lost with it."""
    melds = picture()
    for x, y in MELDS:
        lay_face(melds, x, y)
    found = seen(dealt(Eyes(melds=RED), melds), 9.0, melds)
    assert [tile.tile for tile in found] == [Tile.RED] * len(MELDS)


@pytest.mark.parametrize("before", [BACK, UNREAD, RED], ids=["back", "unread", "named"])
def test_a_print_that_is_named_is_no_tile_and_a_tile_on_it_is_one(before: Name) -> None:
    """The cells of a lattice were named 9p, here and there: 18 questions."""
    eyes = Eyes(melds=before)
    watcher = dealt(eyes)
    eyes.melds = RED
    assert seen(watcher, 9.0) == []
    found = seen(watcher, 19.0, picture(MELDS[:2]))
    assert [tile.tile for tile in found] == [Tile.RED] * 2


def test_a_face_where_nothing_was_read_before_the_deal_is_a_tile() -> None:
    """A tile of the cloth's own colour."""
    eyes = Eyes()
    watcher = dealt(eyes)
    eyes.beside = [(box(100.0, -160.0), RED)]
    found = [tile for tile in seen(watcher, 9.0) if tile.x_mm > 60]
    assert [tile.tile for tile in found] == [Tile.RED]


def test_a_faint_print_that_is_named_is_no_tile_and_a_tile_on_it_is_one() -> None:
    """The dots of a weave were named 9p, three beside each other, and recorded as a pung."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    dots = (rows % 12 < 6) & (columns % 12 < 6)
    weave = np.where(dots[..., None], 1.2, 1.0)

    def woven(laid: Sequence[tuple[float, float]] = (), seed: int = 0) -> Image:
        image = cv2.GaussianBlur(picture(seed=seed, plain=True), (5, 5), 0) * weave
        for x, y in laid:
            lay_face(image, x, y)
        return np.clip(image, 0, 255).astype(np.uint8)

    watcher = dealt(Eyes(melds=RED), woven())
    assert seen(watcher, 9.0, woven(seed=1)) == []
    found = seen(watcher, 19.0, woven(MELDS[:2], seed=2))
    assert [tile.tile for tile in found] == [Tile.RED] * 2


def test_the_walls_backs_lie_there_before_and_after_the_deal() -> None:
    watcher = dealt(Eyes())
    latest = watcher.look(picture(), 9.0)
    assert len(latest.in_zone(ZoneKind.WALL)) == len(WALL)


def test_plain_cloth_resembles_all_plain_things_and_nothing_follows() -> None:
    """A back of the cloth's own colour, laid on a cloth without a print."""
    watcher = dealt(Eyes(), picture(plain=True))
    assert len(seen(watcher, 9.0, picture(plain=True, seed=1))) == len(MELDS)


def test_a_print_is_known_where_the_table_was_pushed() -> None:
    """Corners that are fitted again by the tiles are right to a pixel or two."""
    assert seen(dealt(Eyes(), picture(shift=2)), 9.0) == []


def test_what_lay_there_at_a_wrong_moment_and_is_gone_hides_nothing() -> None:
    """A reference with tiles in it: what is a print without them is asked about, as before."""
    watcher = dealt(Eyes(), picture(MELDS))
    assert len(seen(watcher, 9.0)) == len(MELDS)


def test_a_print_that_reaches_under_a_tile_is_one_beside_it() -> None:
    """An emblem's leaf, read with the edge of the tile that lay on the rest of it: 8 questions."""
    print_at, tile_at = (40.0, -160.0), (60.0, -160.0)
    eyes = Eyes()
    watcher = dealt(eyes, picture(printed=[print_at]))
    eyes.beside = [(box(*print_at), HALF), (box(*tile_at), RED)]
    image = picture([tile_at], printed=[print_at])
    river = [tile for tile in seen(watcher, 9.0, image) if tile.x_mm > 20]
    assert [tile.tile for tile in river] == [Tile.RED]


def test_what_lies_beside_a_tile_on_a_print_is_seen() -> None:
    """Two tiles in one another's boxes: the unread one hides the print with all of itself."""
    unread_at, tile_at = (40.0, -160.0), (60.0, -160.0)
    eyes = Eyes()
    watcher = dealt(eyes, picture(printed=[unread_at]))
    eyes.beside = [(box(*unread_at), HALF), (box(*tile_at), RED)]
    image = picture([unread_at, tile_at], printed=[unread_at])
    river = [tile for tile in seen(watcher, 9.0, image) if tile.x_mm > 20]
    assert sorted(tile.tile for tile in river) == sorted([Tile.UNKNOWN, Tile.RED])


def test_a_print_beside_a_hand_is_no_tile_of_it() -> None:
    """An emblem's leaf below an open hand: "The hand shows 15 tiles and should have 13 or 14"."""
    beside, tile_at = (0.0, -348.0), (60.0, -362.0)
    eyes = Eyes()
    watcher = dealt(eyes, picture(printed=[beside]))
    eyes.beside = [(box(*beside), HALF), (box(*tile_at), RED)]
    image = picture([tile_at], printed=[beside])
    hand = [tile for tile in seen(watcher, 9.0, image) if tile.zone.kind is ZoneKind.HAND]
    assert [tile.tile for tile in hand] == [Tile.RED]


def test_an_unread_tile_of_a_hand_is_one_though_hands_stood_there_before() -> None:
    """The picture was kept while tiles stood in their rows already."""
    tile_at = (60.0, -362.0)
    eyes = Eyes()
    watcher = dealt(eyes, picture(standing=[tile_at]))
    eyes.beside = [(box(*tile_at), HALF)]
    found = seen(watcher, 9.0, picture([tile_at]))
    hand = [tile for tile in found if tile.zone.kind is ZoneKind.HAND]
    assert [tile.tile for tile in hand] == [Tile.UNKNOWN]
