"""Which of two sets of places belong together."""

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bench.belief.places import assignment, common_shift

GAINS = st.tuples(st.integers(0, 4), st.integers(0, 4), st.randoms(use_true_random=False)).map(
    lambda drawn: np.array(
        [[round(drawn[2].uniform(-3, 3), 1) for _ in range(drawn[1])] for _ in range(drawn[0])]
    ).reshape(drawn[0], drawn[1])
)


def best_of_all(gains: NDArray[np.float64]) -> float:
    """Every assignment tried: each row to a column, or to none."""
    rows, columns = gains.shape
    places = [*range(columns), *[None] * rows]
    return max(
        sum(gains[row, column] for row, column in enumerate(chosen) if column is not None)
        for chosen in permutations(places, rows)
    )


@given(GAINS)
def test_the_assignment_is_the_best_of_all(gains: NDArray[np.float64]) -> None:
    found = assignment(gains)
    assert abs(sum(gains[row, column] for row, column in found) - best_of_all(gains)) < 1e-9
    assert len({row for row, _ in found}) == len({column for _, column in found}) == len(found)


def test_most_places_tell_by_how_far_a_table_was_bumped() -> None:
    old = np.array([(0.0, 0.0), (100.0, 0.0), (0.0, 80.0), (200.0, 50.0)])
    new = old + np.array((30.0, -4.0))
    new[3] = (-200.0, 0.0)  # this one was moved by hand
    shift = common_shift(new, old, np.eye(4, dtype=np.bool_))
    assert np.allclose(shift, (30.0, -4.0))
