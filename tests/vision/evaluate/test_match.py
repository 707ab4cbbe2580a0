"""Boxes read and boxes labelled are paired one to one, and nothing that can be paired is left."""

from itertools import combinations, permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from table_assist.vision.evaluate.compare import match

Boxes = NDArray[np.float64]


@st.composite
def boxes(draw: st.DrawFn) -> Boxes:
    """Boxes on a small grid: many overlap, some are empty."""
    rows = draw(st.lists(st.tuples(*[st.integers(0, 12)] * 4), max_size=5))
    return np.array([(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in rows]).reshape(
        -1, 4
    ) * np.ones(1)


shares = st.sampled_from([0.0, 0.2, 0.5, 0.6, 0.7, 0.8, 0.95, 1.0])
tables = st.tuples(st.integers(0, 5), st.integers(0, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=shares)
)


def most(iou: NDArray[np.float64]) -> int:
    """How many pairs there can be, by trying all."""
    rows, columns = iou.shape
    for count in range(min(rows, columns), 0, -1):
        for chosen in combinations(range(rows), count):
            for partners in permutations(range(columns), count):
                if all(iou[pair] >= 0.5 for pair in zip(chosen, partners, strict=True)):
                    return count
    return 0


@settings(max_examples=150)
@given(iou=tables)
def test_nothing_is_paired_twice_and_as_many_as_can_be(iou: NDArray[np.float64]) -> None:
    pairs = match(iou)
    assert len({row for row, _ in pairs}) == len(pairs) == len({column for _, column in pairs})
    assert all(iou[pair] >= 0.5 for pair in pairs)
    assert len(pairs) == most(iou)


def test_the_better_overlap_is_the_pair() -> None:
    assert match(np.array([[0.6, 0.9], [0.0, 0.8]])) == [(0, 0), (1, 1)], "both are found"
    assert match(np.array([[0.6, 0.9]])) == [(0, 1)]
    assert match(np.array([[0.7], [0.9]])) == [(1, 0)]
    assert match(np.array([[0.49]])) == []
    assert match(np.empty((0, 3))) == match(np.empty((3, 0))) == []
