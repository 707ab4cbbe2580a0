"""Tiles of one colour each, and a network that sees nothing but colours."""

import numpy as np
import pytest
from numpy.typing import NDArray

from table_assist.vision.enrolment.learn import Sample, learn
from table_assist.vision.enrolment.patches import Patch
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.own_set import OwnSet
from table_assist.vision.reading.recognise import CLASSES, NOTHING, OnnxRecogniser
from table_assist.vision.reading.weights import load_weights

COLOURS = {0: (200, 40, 40), 1: (40, 200, 40), 2: (40, 40, 200), 3: (200, 200, 40)}


class ColourSight:
    """A network that sees the mean colour of a crop, and cannot tell the coloured faces apart."""

    def look(self, crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        features = crops.reshape(len(crops), -1, 3).mean(axis=1).astype(np.float32) ** 2 / 4000
        known = [*range(len(COLOURS)), NOTHING, NOTHING + 1]
        logits = np.where(np.isin(np.arange(CLASSES), known), 0.0, -20.0).astype(np.float32)
        return features, np.tile(logits, (len(crops), 1))


def plain(label: int, picture: int, seed: int = 0) -> Sample:
    """A tile of one colour, with some noise."""
    noise = np.random.default_rng(seed).normal(0, 6, (96, 96, 3))
    image = np.clip(np.array(COLOURS[label]) + noise, 0, 255).astype(np.uint8)
    return Sample(Patch(image, (3, 4)), label, picture)


def learn_colours(samples: list[Sample]) -> OwnSet:
    return learn(samples, ColourSight(), name="c", recogniser="", limits=Limits.alike(0.9))[0]


@pytest.fixture(scope="module")
def sight() -> OnnxRecogniser:
    return OnnxRecogniser(load_weights().recogniser, threads=2)


def certain(*labels: int, share: float = 1.0, other: int = 9) -> NDArray[np.float32]:
    found = np.zeros((len(labels), CLASSES), np.float32)
    found[:, other] = 1 - share
    found[np.arange(len(labels)), labels] = share
    return found
