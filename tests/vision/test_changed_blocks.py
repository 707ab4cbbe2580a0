"""What counts as changed is told by each point's neighbourhood, also where it is black or white."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table_assist.vision.pictures.motion import (
    BLOCK,
    CHANGED_LEVELS,
    NOISE,
    changed_blocks,
    watch,
)


def picture(seed: int, contrast: float) -> NDArray[np.uint8]:
    """Lumps of any grey, of which a strong contrast leaves black and white."""
    rng = np.random.default_rng(seed)
    lumps = cv2.GaussianBlur(rng.normal(0, 1, (80, 120)), (0, 0), 2.0)
    grey = np.clip(128 + contrast * lumps, 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


@pytest.mark.parametrize("contrast", [100.0, 900.0])
def test_a_block_changed_by_what_lies_beyond_its_points_neighbours_and_noise(
    contrast: float,
) -> None:
    """Said plainly: beyond the darkest and brightest neighbour by more than the noise."""
    before, now = picture(1, contrast), picture(1, contrast)
    now[20:40, 30:60] = picture(2, contrast)[20:40, 30:60]
    was, grey = before[..., 0].astype(int), now[..., 0].astype(int)
    around = np.stack([np.roll(was, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1)])
    beyond = np.maximum(grey - around.max(axis=0), around.min(axis=0) - grey) - NOISE
    blocks = np.maximum(beyond, 0).reshape(10, BLOCK, 15, BLOCK).mean(axis=(1, 3)) > CHANGED_LEVELS

    found = changed_blocks(watch(before), watch(now))

    assert blocks.any()
    assert np.array_equal(found[1:-1, 1:-1], blocks[1:-1, 1:-1]), "borders have fewer neighbours"


@pytest.mark.parametrize("size", [(80, 120), (77, 115)])
@pytest.mark.parametrize("by", [(0, 2), (2, 0), (1, 2), (2, 1)])
def test_what_a_shake_brings_in_at_the_border_is_no_change(
    size: tuple[int, int], by: tuple[int, int]
) -> None:
    """By a watched pixel each way, also where blocks reach beyond the picture."""
    large = np.pad(picture(1, 900.0), ((0, 4), (0, 4), (0, 0)), "reflect")
    before, now = (
        np.ascontiguousarray(large[y : y + size[0], x : x + size[1]]) for y, x in ((1, 1), by)
    )

    assert not changed_blocks(watch(before), watch(now)).any()
