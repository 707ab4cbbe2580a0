"""What the reader's answers are worth is fitted so that they are true."""

import numpy as np
import pytest

from bench.belief.evidence import (
    CLASSES,
    FACES,
    NONE,
    PART,
    believed,
    features,
    log_softmax,
    weigh,
)
from bench.belief.reliability import (
    expected_error,
    fitted,
    log_loss,
    measured,
    reliability_table,
)
from bench.live.read_things import Things
from table_assist.vision.reading.recognise import PART as PART_SEEN


def too_sure(count: int, seed: int) -> tuple[Things, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Readings that say 0.99 and are right in 80 of 100; the others are of the next face."""
    rng = np.random.default_rng(seed)
    said = rng.integers(0, 34, count)
    truth = np.where(rng.random(count) < 0.8, said, (said + 1) % 34)
    rows = np.full((count, PART_SEEN + 1), 1e-12, np.float32)
    rows[np.arange(count), said] = 0.99
    rows[np.arange(count), (said + 1) % 34] = 0.01
    boxes = np.zeros((count, 4), np.float32)
    return Things(boxes, np.full(count, 0.9, np.float32), rows), truth


def test_a_reader_that_is_too_sure_becomes_true() -> None:
    things, truth = too_sure(2000, 1)
    lengths, worth = np.full(2000, 1.35), np.ones(2000)
    by = fitted(features(things, lengths), truth, worth, stuck=0.2)
    fresh, so = too_sure(2000, 2)
    said = log_softmax(features(fresh, lengths)[:, :, 0] + np.where(
        np.arange(CLASSES) >= PART, -30.0, 0.0
    ))  # fmt: skip
    fit = believed(fresh, lengths, by)
    assert expected_error(reliability_table(fit, so, worth)) < 0.03
    assert expected_error(reliability_table(said, so, worth)) > 0.1
    assert log_loss(fit, so, worth) < log_loss(said, so, worth)


def test_what_counts_twice_is_as_two() -> None:
    things, truth = too_sure(300, 3)
    made_of = features(things, np.full(300, 1.35))
    twice = fitted(made_of, truth, np.full(300, 2.0), stuck=0.2)
    both = fitted(
        np.concatenate([made_of] * 2), np.tile(truth, 2), np.ones(600), stuck=0.2
    )  # fmt: skip
    assert np.allclose(twice.weights, both.weights, atol=1e-3)


def test_a_likelihood_is_a_belief_without_what_was_believed_before() -> None:
    things, _ = too_sure(5, 4)
    lengths, by = np.full(5, 1.2), measured()
    prior = np.log(np.array(by.shares))
    again = log_softmax(weigh(things, lengths, by) + prior)
    assert np.allclose(again, believed(things, lengths, by))


def test_a_short_box_is_rather_a_part() -> None:
    things, _ = too_sure(1, 5)
    whole, short = (believed(things, np.array([each]), measured())[0] for each in (1.4, 0.6))
    assert short[PART] > whole[PART]
    assert short[:FACES].max() < whole[:FACES].max()


def test_what_the_program_comes_with_is_a_distribution() -> None:
    by = measured()
    assert sum(by.shares) == pytest.approx(1.0, abs=0.01)
    assert len(by.shares) == NONE + 1
    assert 0 < by.stuck < 1
    assert by.readings > 1000
