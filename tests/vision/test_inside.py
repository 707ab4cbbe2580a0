"""On a thing too large for a tile lie tiles, though only the large one is found at first."""

import numpy as np

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import Detections
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader
from tests.stages.vision_networks import ColourRecogniser, RectangleDetector, draw

SIZE, FELT, TILE_PX = (480, 640, 3), 40, 33.0
RING = (200, 140, 400, 340)  # left, top, right, bottom
RING_COLOUR, RING_PX = (90, 90, 140), 6


class RingDetector(RectangleDetector):
    """Where a ring is seen, it is the only thing in it."""

    def detect(self, image: Image) -> Detections:
        inside = super().detect(image)
        rows, columns = np.nonzero((image == RING_COLOUR).all(axis=2))
        if not len(rows):
            return inside
        ring = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
        middles = (inside.xyxy[:, :2] + inside.xyxy[:, 2:]) / 2
        apart = ~((middles > ring[:2]) & (middles < ring[2:])).all(axis=1)
        boxes = np.concatenate([inside.xyxy[apart], np.array([ring], np.float32)])
        return Detections(boxes, np.append(inside.score[apart], np.float32(0.8)))


def table(*, ring: bool, tiles: int) -> Image:
    image = np.full(SIZE, FELT, np.uint8)
    left, top, right, bottom = RING
    if ring:
        image[top:bottom, left:right] = RING_COLOUR
        image[top + RING_PX : bottom - RING_PX, left + RING_PX : right - RING_PX] = FELT
    for number in range(tiles):
        draw(image, "5p", 260 + 36 * number, 215, width=26, height=35)
    draw(image, "back", 500, 60, width=26, height=35)
    return image


def reading(image: Image, *others: Image) -> list[str]:
    reader = Reader(RingDetector(smallest=8), ColourRecogniser(), limits=Limits.alike(0.6))
    live = LiveReader(reader, tile_px=TILE_PX)
    readings = live.read(image)
    for other in others:
        readings = live.read(other)
    return sorted(readings.labels)


def test_tiles_on_an_emblem_are_found() -> None:
    """A pung of 5p lay on one, and was never seen: three events too few, and a question."""
    assert reading(table(ring=True, tiles=3)) == ["5p", "5p", "5p", "back"]
    empty, laid = table(ring=True, tiles=0), table(ring=True, tiles=3)
    assert reading(empty) == ["back"]
    assert reading(empty, laid, laid, laid) == ["5p", "5p", "5p", "back"]
    assert reading(laid, empty, empty, empty) == ["back"]


def test_a_tile_that_a_large_things_edge_cuts_off_is_not_read_as_half_a_one() -> None:
    image = table(ring=True, tiles=0)
    draw(image, "5p", RING[0] + 6, 215, width=26, height=35)
    assert reading(image) == ["back"]
