"""A small change costs a small pass, and is read as whole pieces would read it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.vision.reading.detect import COARSEST_STEP, OnnxDetector
from table_assist.vision.reading.incremental import CONTEXT_PX, part_around
from table_assist.vision.reading.tiling import plan_pieces
from table_assist.vision.reading.weights import load_weights
from tests.models.test_weights import composed
from tests.vision.test_whole_picture import CALM_S, Table, Watch

INPUT = 640
sizes = st.tuples(st.integers(400, 2600), st.integers(400, 2200))


@given(
    size=sizes,
    tile_px=st.sampled_from([20.0, 33.0, 66.0, 100.0]),
    corner=st.tuples(st.floats(0, 0.99), st.floats(0, 0.99)),
    reach=st.tuples(st.integers(8, 900), st.integers(8, 900)),
)
def test_a_part_shows_the_change_and_what_is_around_it_or_there_is_none(
    size: tuple[int, int],
    tile_px: float,
    corner: tuple[float, float],
    reach: tuple[int, int],
) -> None:
    piece = plan_pieces(*size, INPUT, tile_px=tile_px)[0]
    left, top = int(corner[0] * size[0]), int(corner[1] * size[1])
    area = left, top, min(size[0], left + reach[0]), min(size[1], top + reach[1])
    part = part_around(area, piece, size, INPUT)
    gain = round(piece.gain)
    if part is None:
        assert min(reach) > INPUT // 3 or max(reach) > INPUT // 3 or piece.gain != gain
        return
    assert part.gain == pytest.approx(piece.gain, rel=1e-3)
    width, height = part.size_wh
    assert max(width, height) <= INPUT
    x0, y0, x1, y1 = part.ltrb
    assert (x1 - x0, y1 - y0) == (width * gain, height * gain)
    assert 0 <= x0 < x1 <= size[0]
    assert 0 <= y0 < y1 <= size[1]
    for low, high, first, last, end, side in (
        (x0, x1, area[0], area[2], size[0], width),
        (y0, y1, area[1], area[3], size[1], height),
    ):
        # At the picture's border there is nothing around it.
        assert low <= max(0, first - (CONTEXT_PX - COARSEST_STEP) * gain)
        assert high >= min(end - gain + 1, last + (CONTEXT_PX - COARSEST_STEP) * gain)
        assert side % COARSEST_STEP == 0 or side == end // gain


def test_a_discard_is_one_small_pass_and_a_whole_one_when_there_is_time() -> None:
    watch = Watch()
    table = Table().laid(40, 40, ["1m", "5p"] * 4, 26)
    watch.show(table, 1.0)
    whole, parts = watch.detector.calls, watch.detector.parts
    now = table.laid(240, 220, ["9s"], 26)
    for pictures, passes in ((3, 1), (6, 2)):
        for _ in range(pictures):
            seen = watch.show(now, CALM_S)
        assert (watch.detector.calls - whole, watch.detector.parts - parts) == (passes, 1)
    assert seen == watch.whole(now)


def test_the_trained_detector_sees_a_part_at_its_own_scale() -> None:
    detector = OnnxDetector(load_weights().detector, threads=1)
    image = composed(20)[0]
    whole = detector.detect(image)
    assert image.shape[:2] == (INPUT, INPUT)
    assert np.array_equal(detector.detect_part(image).xyxy, whole.xyxy), "the same pass"
    low, high = 128, 512
    inner = (whole.xyxy > low + 32).all(axis=1) & (whole.xyxy < high - 32).all(axis=1)
    surely = whole.xyxy[inner & (whole.score > 0.6)]
    part = detector.detect_part(np.ascontiguousarray(image[low:high, low:high])).xyxy + low
    assert len(surely) >= 3
    for box in surely:
        assert (np.abs(part - box).max(axis=1) < 6).any()
