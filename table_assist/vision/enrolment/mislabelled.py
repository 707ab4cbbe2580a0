"""Tiles that were given a wrong name: they look like those of another name, and unlike their own.

One such label makes several other tiles unsure. So it is told, and nothing is learnt from it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Array, Mask
from table_assist.vision.reading.own_set import directions

FACES = 42  # the classes before this one are faces; backs, dice and "nothing" look like anything
# Cosines. On nine sheets of four sets that training never saw, three views each, 225 of 225 labels
# that were made wrong were found, and none of 2,316 right ones.
LIKE_OTHERS, LIKE_OWN = 0.86, 0.03
WITNESSES = 2  # tiles of the other name that it must look like
# Where no other tile has its name, nothing says what that looks like: it must be likelier still.
LIKE_OTHERS_ALONE = 0.90


@dataclass(frozen=True, slots=True)
class Suspect:
    """A tile that is perhaps another one.

    Attributes:
        sample: its place among the samples.
        label: the class as which it was given.
        like: the class whose tiles it looks like.
        picture: the picture it is from.
    """

    sample: int
    label: int
    like: int
    picture: int


def find_suspects(alike: Array, labels: Sequence[int], pictures: Sequence[int]) -> list[Suspect]:
    """The samples that look like those of another face, and less like those of their own.

    Args:
        alike: (n, n) how alike two samples are, however turned: the largest cosine.
    """
    classes = np.array(labels, np.int64)
    faces = classes < FACES
    found = []
    for sample in np.flatnonzero(faces).tolist():
        own = classes == classes[sample]
        own[sample] = False
        others = np.where(faces & (classes != classes[sample]), alike[sample], -1.0)
        nearest = int(others.argmax())
        like = int(classes[nearest])
        witnesses = int(((classes == like) & (others >= LIKE_OTHERS)).sum())
        if witnesses < WITNESSES:
            continue
        if own.any():
            is_strange = alike[sample][own].max() < others[nearest] - LIKE_OWN
        else:
            is_strange = others[nearest] >= LIKE_OTHERS_ALONE
        if is_strange:
            found.append(Suspect(sample, int(labels[sample]), like, pictures[sample]))
    return found


def how_alike(features: Array, sample: NDArray[np.int64], plain: Mask) -> Array:
    """How alike samples are: (n, n), each plain crop beside the other's crops in all turns.

    Args:
        features: (m, d) of every crop.
        sample: (m,) which sample each shows, in rising order.
        plain: (m,) it is the crop as it was photographed, one of each sample.
    """
    found = directions(features)
    cosine = found[plain] @ found.T
    starts = np.flatnonzero(np.diff(sample, prepend=-1))
    return np.asarray(np.maximum.reduceat(cosine, starts, axis=1), np.float32)
