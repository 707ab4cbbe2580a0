"""What a camera does to a picture is done to all of its colours."""

import numpy as np

from models.pictures import photograph


def test_sensor_noise_is_in_every_colour() -> None:
    grey = np.full((64, 64, 3), 128, np.uint8)
    noisy = [
        each
        for seed in range(40)
        if (each := photograph(np.random.default_rng(seed), grey).std(axis=(0, 1))).max() > 2
    ]
    assert len(noisy) > 5
    assert all(each.min() > each.max() / 2 for each in noisy)
