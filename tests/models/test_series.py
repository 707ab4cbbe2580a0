"""No series of the second delivery lies on both sides of the split."""

import pytest

from models.detector_data import series_of


@pytest.mark.parametrize(
    ("file", "series"),
    [
        ("IMG_6256_jpeg.rf.1.jpg", "IMG 62"),
        ("IMG_1755-HEIC_jpg.rf.b4.jpg", "IMG 17"),
        ("home-mj-IMG_3198_png.rf.c.jpg", "home-mj 31"),
        ("rotated_home-mj-IMG_3199_png.rf.7.jpg", "rotated_home-mj 31"),
        ("kim1_mahjon_image100.jpg", "kim1 10"),
        ("A62F40F8-F55F_jpeg.rf.1.jpg", "A"),
    ],
)
def test_a_series_is_told_by_the_pictures_name(file: str, series: str) -> None:
    assert series_of(file) == series
