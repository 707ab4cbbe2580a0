"""A cloud before the sun is no reason to read a table again; what is laid down meanwhile is."""

import numpy as np
import pytest

from table_assist.vision.pictures.daylight import in_the_light_of
from table_assist.vision.pictures.motion import changed_blocks, watch
from table_assist.vision.pictures.picture import Image
from tests.vision.test_incremental import THINGS, live, table

SPACING = 0.4


def in_light(image: Image, gain: float, *, across: bool = True) -> Image:
    """Brighter from the left, as by a window."""
    fall = np.linspace(1, 0 if across else 1, image.shape[1])[None, :, None]
    return np.clip(image * (1 + (gain - 1) * fall), 0, 255).round().astype(np.uint8)


@pytest.mark.parametrize("last", [0.75, 1.3])
def test_light_that_changes_slowly_costs_no_reading(last: float) -> None:
    reader = live()
    picture = (table(THINGS) * 0.7).astype(np.uint8)
    first = reader.read(picture, 0.0)
    before = reader.work.pieces_read
    for step, gain in enumerate(np.linspace(1, last, 30), start=1):
        assert reader.read(in_light(picture, float(gain)), step * SPACING) is first
    assert reader.work.pieces_read == before
    assert changed_blocks(watch(picture), watch(in_light(picture, last))).any()


@pytest.mark.parametrize("size_hw", [(480, 960), (536, 530), (1000, 700)])
def test_a_shadow_that_walks_over_the_table_is_no_change(size_hw: tuple[int, int]) -> None:
    """Also where the picture is no whole number of cells wide and high."""
    height, width = size_hw
    x, y = np.arange(width)[None, :], np.arange(height)[:, None]
    reference = None
    for place in np.linspace(0, 1, 80):
        away = (x - place * width) ** 2 + (y - place * height) ** 2
        level = 150 * (1 - 0.28 * np.exp(-away / (2 * 250**2)))
        now = watch(np.repeat(level.round().astype(np.uint8)[..., None], 3, axis=2))
        reference = now if reference is None else in_the_light_of(reference, now)
        assert not changed_blocks(reference, now).any()


def test_what_is_laid_down_while_the_light_changes_is_read() -> None:
    reader = live()
    things = dict(THINGS)
    reader.read((table(things) * 0.7).astype(np.uint8), 0.0)
    for step, gain in enumerate(np.linspace(1, 1.3, 24), start=1):
        if step % 6 == 0:
            things[(4, step // 6)] = "7s"
        readings = reader.read(
            in_light((table(things) * 0.7).astype(np.uint8), float(gain)), step * SPACING
        )
        assert len(readings) == len(things)


def test_a_lamp_that_is_switched_on_and_a_thing_over_half_of_the_picture_are_changes() -> None:
    picture = (table(THINGS) * 0.7).astype(np.uint8)
    reference = watch(picture)
    assert in_the_light_of(reference, watch(in_light(picture, 1.3, across=False))) is reference
    covered = picture.copy()
    covered[:, : covered.shape[1] // 3] = 20
    assert (
        changed_blocks(in_the_light_of(reference, watch(covered)), watch(covered)).sum()
        >= 0.9 * changed_blocks(reference, watch(covered)).sum()
    )
