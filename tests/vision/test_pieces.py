"""Large pictures are read in pieces, and each thing is reported once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import Detections
from table_assist.vision.reading.tiling import (
    OVERLAP,
    SAME_THING,
    Found,
    find_all,
    find_close,
    merge,
    plan_pieces,
)
from tests.stages.vision_networks import RectangleDetector, draw


class LargeParts(RectangleDetector):
    """Takes parts beyond its input; keeps the sizes of what it saw."""

    def __init__(self) -> None:
        super().__init__()
        self.largest_part = 1088
        self.seen: list[tuple[int, int]] = []

    def detect_part(self, image: Image) -> Detections:
        self.seen.append((image.shape[1], image.shape[0]))
        own, self.input_size = self.input_size, self.largest_part
        try:
            return super().detect_part(image)
        finally:
            self.input_size = own


def found(
    boxes: list[tuple[float, ...]], scores: list[float], cut: list[bool] | None = None
) -> Found:
    return Found(
        Detections(np.array(boxes, np.float32).reshape(-1, 4), np.array(scores, np.float32)),
        np.array(cut or [False] * len(boxes), np.bool_),
    )


@settings(max_examples=60)
@given(width=st.integers(1, 9000), height=st.integers(1, 9000))
def test_every_tile_that_fits_the_overlap_lies_whole_in_a_piece(width: int, height: int) -> None:
    pieces = plan_pieces(width, height, 640)
    random = np.random.default_rng(width * 9001 + height)
    fine = [piece for piece in pieces if piece.level == 0]
    scale = fine[0].size_wh[0] / (fine[0].ltrb[2] - fine[0].ltrb[0])
    side = min(int(0.98 * OVERLAP * 640 / max(scale, 1e-9)), width, height)
    for _ in range(20):
        left = int(random.integers(0, width - side + 1))
        top = int(random.integers(0, height - side + 1))
        assert any(
            piece.ltrb[0] <= left
            and piece.ltrb[1] <= top
            and left + side <= piece.ltrb[2]
            and top + side <= piece.ltrb[3]
            for piece in fine
        )
    assert pieces[-1].ltrb == (0, 0, width, height), "the whole picture is read too"
    assert all(max(piece.size_wh) <= 640 for piece in pieces)


def test_a_tile_on_a_seam_is_reported_once() -> None:
    image = np.zeros((1400, 2100, 3), np.uint8)
    seams = {edge for piece in plan_pieces(2100, 1400, 640) for edge in piece.ltrb[::2]}
    for row, seam in enumerate(sorted(edge for edge in seams if 100 < edge < 2000)):
        draw(image, "5m", seam - 20, 30 + 150 * row)
        draw(image, "6m", seam - 5, 130 + 150 * row - 40)
    wanted = 2 * len([edge for edge in seams if 100 < edge < 2000])
    boxes = find_all(RectangleDetector(), image)
    assert len(boxes) == wanted
    sizes = boxes.xyxy[:, 2:] - boxes.xyxy[:, :2]
    assert np.allclose(sizes, (40, 54), atol=1)


def test_a_tile_larger_than_a_piece_is_found_by_the_whole_picture() -> None:
    image = np.zeros((2160, 3840, 3), np.uint8)
    draw(image, "5m", 600, 300, width=900, height=1200)
    draw(image, "6m", 3000, 1500)
    boxes = find_all(RectangleDetector(largest=620), image)
    assert sorted(np.round(boxes.xyxy[:, 0]).astype(int).tolist()) == [600, 3000]
    big = boxes.xyxy[boxes.xyxy[:, 0] < 700][0]
    assert np.allclose(big, (600, 300, 1500, 1500), atol=8)


def test_a_detector_that_takes_large_parts_looks_at_hardly_anything_twice() -> None:
    """1556 px, where these tiles are 24 px wide, are two parts with a piece's overlap in common."""
    image = np.zeros((2160, 3840, 3), np.uint8)
    for left in range(100, 3700, 90):
        draw(image, "1m", left, 1000, 60, 80)
    draw(image, "2m", 1900, 2070, 60, 80)
    detector = LargeParts()
    found = find_all(detector, image)
    assert len(found) == 41
    assert sorted(detector.seen) == [(640, 360), (864, 885), (864, 885)]
    assert found.xyxy[:, 3].max() == pytest.approx(2150, abs=3)


def test_around_small_tiles_it_is_read_again_at_native_size() -> None:
    """Tiles of 20 px: at half the scale some pixels of a few are still seen, or of none."""
    image = np.zeros((2160, 3840, 3), np.uint8)
    for left in range(300, 500, 25):
        draw(image, "2m", left, 300, 16, 22)
    detector = RectangleDetector(smallest=15)
    assert len(find_all(detector, image)) == 8
    for top in range(800, 1500, 100):
        draw(image, "1m", 3000, top, 60, 80)
    draw(image, "2m", 525, 300, 26, 35)
    detector.calls = 0
    found = find_all(detector, image)
    assert len(found) == 8 + 7 + 1
    assert 9 < detector.calls <= 9 + 4, "only the fine pieces that show the small tiles"


def test_the_cut_off_box_yields_to_the_whole_one_even_when_it_is_surer() -> None:
    whole = found([(100, 100, 160, 180)], [0.6])
    half = found([(100, 100, 128, 180)], [0.95], [True])
    assert merge([half, whole]).xyxy.tolist() == [[100, 100, 160, 180]]


box = st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(1, 30), st.integers(1, 30)).map(
    lambda b: (float(b[0]), float(b[1]), float(b[0] + b[2]), float(b[1] + b[3]))
)
parts = st.lists(
    st.lists(st.tuples(box, st.sampled_from([0.3, 0.5, 0.9]), st.booleans()), max_size=6).map(
        lambda rows: found([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows])
    ),
    max_size=5,
)


def containment(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    smaller = min((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1]))
    return float(max(width, 0) * max(height, 0) / smaller)


@settings(max_examples=100)
@given(parts=parts, random=st.randoms(use_true_random=False))
def test_merge_does_not_depend_on_order_and_leaves_no_double(
    parts: list[Found], random: object
) -> None:
    merged = merge(parts)
    shuffled = list(parts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = merge(shuffled)
    assert merged.xyxy.tolist() == again.xyxy.tolist()
    assert merged.score.tolist() == again.score.tolist()
    for i in range(len(merged)):
        for j in range(i):
            assert containment(merged.xyxy[i], merged.xyxy[j]) <= SAME_THING + 1e-6


@settings(max_examples=100)
@given(parts=parts)
def test_merge_twice_is_merge_once_and_loses_no_place(parts: list[Found]) -> None:
    merged = merge(parts)
    twice = merge([Found(merged, np.zeros(len(merged), np.bool_))])
    assert sorted(twice.xyxy.tolist()) == sorted(merged.xyxy.tolist())
    for part in parts:
        for one in part.detections.xyxy:
            assert any(containment(one, other) > SAME_THING for other in merged.xyxy)


def row_of(count: int, width: int) -> np.ndarray:
    image = np.zeros((1200, 1600, 3), np.uint8)
    for at in range(count):
        draw(image, "1m", 100 + at * (width + 6), 500, width, width * 4 // 3)
    return image


@pytest.mark.parametrize(
    ("count", "width", "passes", "why"),
    [
        (9, 120, 1, "as a whole the tiles are large enough"),
        (14, 90, 1 + 2, "finer around them"),
        (14, 40, 1 + 4, "only where they lie"),
        (5, 120, 1 + 9, "too few for a hand: as any other picture"),
    ],
)
def test_a_photograph_of_a_hand_is_read_as_finely_as_it_needs(
    count: int, width: int, passes: int, why: str
) -> None:
    detector = RectangleDetector()
    image = row_of(count, width)
    assert len(find_close(detector, image)) == count
    assert detector.calls == passes, why
