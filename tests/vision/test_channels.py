"""What is worked out plane by plane is what NumPy has over the last axis, to the last bit."""

import numpy as np
import pytest

from table_assist.vision.pictures.channels import brightest, darkest, mean, spread


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
def test_extremes_across_channels_are_numpys(kind: type) -> None:
    """In a picture and in logarithms of colours."""
    values = np.random.default_rng(1).uniform(0, 255, (40, 30, 3)).astype(kind)

    assert (darkest(values) == values.min(axis=2)).all()
    assert (brightest(values) == values.max(axis=2)).all()
    assert (spread(values) == np.ptp(values, axis=2)).all()
    assert darkest(values).dtype == spread(values).dtype == kind


def test_the_mean_of_the_channels_is_numpys_to_the_last_bit() -> None:
    """Else a cell at a threshold would count as another one than it did."""
    values = np.random.default_rng(2).normal(0, 0.3, (100, 100, 3)).astype(np.float32)

    assert (mean(values) == values.mean(axis=2)).all()
