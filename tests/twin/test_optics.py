"""What camera and lamp add: soft shapes worked out coarsely, noise that is another each time."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from table_assist.twin.lens import Lens
from table_assist.twin.looks import Optics, TableLook
from table_assist.twin.optics import CameraFaults
from table_assist.twin.tabletop import softened

LENS = Lens(size_wh=(800, 560), px_per_mm=0.66)


@pytest.mark.parametrize("sigma_px", [3.0, 10.0, 20.0, 55.0])
def test_a_wide_blur_is_the_gaussians(sigma_px: float) -> None:
    """To a grey level or two of 255, at borders and corners, too."""
    mask = np.zeros((401, 603), np.uint8)
    cv2.rectangle(mask, (0, 90), (301, 310), 255, -1)
    whole = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), sigma_px) / 255

    assert np.abs(softened(mask, sigma_px) - whole).max() < 0.008


@pytest.mark.parametrize("noise", [1.5, 4.0])
def test_noise_is_as_strong_as_it_is_said_and_another_in_each_picture(noise: float) -> None:
    """Neighbours share some of it; what comes at one place tells nothing of the next picture."""
    optics = Optics(uneven=0, vignette=0, noise=noise, jitter_px=0, jpeg_quality=0)
    faults = CameraFaults(TableLook(optics=optics), LENS, seed=4)
    grey = np.full((560, 800, 3), 128, np.uint8)
    seen = [faults.apply(grey).astype(float) - 128 for _ in range(6)]

    assert [each.std() for each in seen] == pytest.approx([0.84 * noise] * 6, rel=0.05)
    assert [each.mean() for each in seen] == pytest.approx([0.0] * 6, abs=0.05)
    for one, other in pairwise(seen):
        assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.03
    beside = np.corrcoef(seen[0][:, 1:].ravel(), seen[0][:, :-1].ravel())[0, 1]
    assert 0.2 < beside < 0.5
