"""The recogniser's crop and what it makes of the network's answer."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.vision.recognise import CROP_SIZE, crop_tile


def test_crop_is_rgb_and_centred_on_the_box() -> None:
    image = np.zeros((200, 300, 3), np.uint8)
    image[80:120, 130:160] = (255, 0, 0)  # a blue box in BGR
    crop = crop_tile(image, (130, 80, 160, 120))
    assert crop.shape == (CROP_SIZE, CROP_SIZE, 3)
    assert crop.dtype == np.uint8
    blue = crop[:, :, 2] > 127
    assert not crop[:, :, :2].any()
    rows, columns = np.nonzero(blue)
    # The box is 40 high in a square of 54: 47.4 of 64 pixels high, 35.6 wide.
    assert abs(rows.mean() - 31.5) < 0.7
    assert abs(columns.mean() - 31.5) < 0.7
    assert abs((rows.max() - rows.min() + 1) - 64 * 40 / 54) <= 2
    assert abs((columns.max() - columns.min() + 1) - 64 * 30 / 54) <= 2


def test_crop_at_the_border_repeats_the_border() -> None:
    image = np.full((100, 100, 3), 50, np.uint8)
    image[:, :40] = 200
    crop = crop_tile(image, (0, 30, 30, 70))
    assert (crop[:, :10] == 200).all()


def test_crop_of_a_whole_picture_box_and_of_one_far_outside_are_full_size() -> None:
    image = np.random.default_rng(0).integers(0, 255, (40, 60, 3), np.uint8)
    for box in [(0, 0, 60, 40), (-500, -500, -400, -420), (900, 10, 940, 50)]:
        assert crop_tile(image, box).shape == (64, 64, 3)


@settings(max_examples=80, deadline=None)
@given(
    x=st.floats(-100, 200),
    y=st.floats(-100, 200),
    width=st.floats(0, 300),
    height=st.floats(0, 300),
)
def test_any_box_gives_a_crop(x: float, y: float, width: float, height: float) -> None:
    image = np.full((70, 90, 3), 7, np.uint8)
    assert (crop_tile(image, (x, y, x + width, y + height)) == 7).all()
