"""The recogniser's crop and what it makes of the network's answer."""

import tomllib
from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from table_assist.vision.reading.limits import LimitKind, Limits
from table_assist.vision.reading.recognise import (
    CLASSES,
    CROP_SIZE,
    LABELS,
    NOTHING_CLASS,
    PART,
    OnnxRecogniser,
    burnt_out,
    crop_tile,
    name,
)
from table_assist.vision.reading.weights import RecogniserWeights, WeightsError
from table_assist.vision.reading.why import WhyDoubtful
from tests.stages.vision_networks import recogniser_model

ROOT = Path(__file__).parents[2]


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


def test_what_is_seen_obliquely_is_shown_as_high_as_it_is() -> None:
    """A disc that a camera askew sees flat is round in the crop, and as large as a round one."""
    image = np.zeros((200, 200, 3), np.uint8)
    cv2.ellipse(image, (100, 90), (30, 20), 0, 0, 360, (255, 255, 255), -1)
    white = crop_tile(image, (70, 70, 130, 110), stretch=1.5)[..., 0] > 127
    wide, high = np.ptp(np.argwhere(white), axis=0)[::-1]
    assert abs(int(wide) - int(high)) <= 2
    plain = crop_tile(image, (70, 70, 130, 110))[..., 0] > 127
    assert np.ptp(np.argwhere(plain)[:, 1]) == wide


@settings(max_examples=80)
@given(
    x=st.floats(-100, 200),
    y=st.floats(-100, 200),
    width=st.floats(0, 300),
    height=st.floats(0, 300),
)
def test_any_box_gives_a_crop(x: float, y: float, width: float, height: float) -> None:
    image = np.full((70, 90, 3), 7, np.uint8)
    assert (crop_tile(image, (x, y, x + width, y + height)) == 7).all()


def test_the_labels_are_those_of_the_models_table() -> None:
    table = tomllib.loads((ROOT / "models" / "tiles.toml").read_text(encoding="utf-8"))
    assert list(LABELS) == table["labels"]


def one_hot(index: int, probability: float) -> NDArray[np.float32]:
    rest = (1 - probability) / (CLASSES - 1)
    row = np.full(CLASSES, rest, np.float32)
    row[index] = probability
    return row


def test_a_sure_tile_has_its_name_and_an_unsure_one_its_candidates() -> None:
    sure = name(one_hot(4, 0.97), Limits.alike(0.6))
    assert sure is not None
    assert (sure.label, round(sure.confidence, 2)) == ("5m", 0.97)
    row = np.zeros(CLASSES, np.float32)
    row[[24, 26, 5, 7]] = 0.45, 0.35, 0.15, 0.05
    unsure = name(row, Limits.alike(0.6))
    assert unsure is not None
    assert unsure.label == "?"
    assert [candidate.label for candidate in unsure.candidates] == ["7s", "9s", "6m"]
    assert unsure.confidence == unsure.candidates[0].confidence


def test_each_kind_has_a_limit_of_its_own() -> None:
    limits = Limits(
        dict.fromkeys(LimitKind, 0.9) | {LimitKind.SEASONS: 0.975, LimitKind.WHITE: 0.8},
        0.9,
        0.9,
        0.9,
    )
    for label, confidence, expected in [
        ("3q", 0.97, "?"),
        ("3q", 0.98, "3q"),
        ("1f", 0.91, "1f"),
        ("P", 0.82, "P"),
        ("9s", 0.88, "?"),
    ]:
        row = np.zeros(CLASSES, np.float32)
        row[[LABELS.index(label), LABELS.index("back")]] = confidence, 1 - confidence
        read = name(row, limits)
        assert read is not None
        assert (read.label, read.candidates[0].label) == (expected, label)


def test_a_certain_face_on_a_box_that_is_whole_enough_is_named() -> None:
    """The scales are apart: not in doubt which face, and less than the limit whether all of it."""
    limits = Limits(dict.fromkeys(LimitKind, 0.95), whole=0.6, thing=0.6, thing_back=0.9)
    row = np.zeros(CLASSES, np.float32)
    row[[LABELS.index("2s"), PART]] = 0.7, 0.3
    read = name(row, limits)
    assert read is not None
    assert (read.label, read.confidence) == ("2s", pytest.approx(0.7))
    row[[LABELS.index("2s"), PART]] = 0.55, 0.45
    read = name(row, limits)
    assert read is not None
    assert (read.label, read.why) == ("?", WhyDoubtful.PART)


@given(
    st.lists(st.floats(0, 1, width=32), min_size=CLASSES, max_size=CLASSES),
    st.floats(0.5, 0.95),
    st.floats(0, 0.05),
)
def test_a_higher_limit_never_names_more(shares: list[float], low: float, more: float) -> None:
    row = np.array(shares, np.float32)
    row[0] += 1
    row /= row.sum()
    strict, loose = (name(row, Limits.alike(limit)) for limit in (low + more, low))
    assert (strict is None) == (loose is None)
    assert strict is None or loose is None or strict.label in ("?", loose.label)


def test_what_is_burnt_out_must_be_surer() -> None:
    for confidence, expected in ((0.94, "?"), (0.96, "8s")):
        read = name(one_hot(LABELS.index("8s"), confidence), Limits.alike(0.9), burnt_out=True)
        assert read is not None
        assert (read.label, read.candidates[0].label) == (expected, "8s")
    crops = np.full((3, 64, 64, 3), 255, np.uint8)
    crops[1, :, :, 2] = 200  # yellowed, and every line is there
    crops[2, 20:] = 90
    assert burnt_out(crops).tolist() == [True, False, False]


def test_nothing_drops_the_box_only_when_it_is_likelier_than_all_tiles() -> None:
    assert name(one_hot(NOTHING_CLASS, 0.9), Limits.alike(0.6)) is None
    row = np.zeros(CLASSES, np.float32)
    row[[NOTHING_CLASS, 3, 4]] = 0.48, 0.3, 0.22
    doubtful = name(row, Limits.alike(0.6))
    assert doubtful is not None
    assert doubtful.label == "?"


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"4p": 0.6, "2p": 0.38}, WhyDoubtful.FACE),
        ({"2p": 0.3, PART: 0.68}, WhyDoubtful.PART),
        ({"2p": 0.5, NOTHING_CLASS: 0.45, PART: 0.05}, WhyDoubtful.NOTHING),
        ({"2p": 0.97, PART: 0.02}, None),
    ],
)
def test_a_name_says_what_is_in_doubt(row: dict[str | int, float], why: WhyDoubtful | None) -> None:
    probabilities = np.zeros(CLASSES, np.float32)
    for label, share in row.items():
        probabilities[LABELS.index(label) if isinstance(label, str) else label] = share
    read = name(probabilities, Limits.alike(0.9))
    assert read is not None
    assert (read.why, read.label == "?") == (why, why is not None)


def test_glare_is_told_where_nothing_else_is_in_doubt() -> None:
    for label, sure in (("8s", 0.94), ("P", 0.999)):
        read = name(one_hot(LABELS.index(label), sure), Limits.alike(0.9), burnt_out=True)
        assert read is not None
        assert read.why is WhyDoubtful.GLARE


def recogniser(temperature: float = 1.0, turns_below: float = 0.0) -> OnnxRecogniser:
    weights = RecogniserWeights(recogniser_model(), temperature, Limits.alike(0.6), turns_below)
    return OnnxRecogniser(weights, threads=1)


def test_probabilities_are_the_softmax_over_temperature() -> None:
    crops = np.zeros((2, 64, 64, 3), np.uint8)
    crops[1] = 255
    for temperature in (0.5, 1.0, 2.0):
        answer = recogniser(temperature).see(crops).rows
        assert np.allclose(answer.sum(axis=1), 1)
        for row, logit in zip(answer, (0, 10), strict=True):
            powers = np.exp(np.array([logit, *[1] * 50]) / temperature)
            assert np.allclose(row, powers / powers.sum(), atol=1e-5)


def test_only_unsure_crops_are_read_in_four_turns() -> None:
    crops = np.zeros((2, 64, 64, 3), np.uint8)
    crops[0] = 255  # sure: class 0
    crops[1, :32] = 60  # unsure; turned it is darker in the upper half, and surely not class 0
    once, turned = (
        recogniser().see(crops).rows,
        recogniser(turns_below=0.6).see(crops).rows,
    )
    assert np.array_equal(once[0], turned[0])
    by_hand = [
        recogniser().see(np.rot90(crops[1:], turn, axes=(1, 2)).copy()).rows[0] for turn in range(4)
    ]
    assert np.allclose(turned[1], np.mean(by_hand, axis=0), atol=1e-6)
    assert not np.allclose(once[1], turned[1], atol=1e-3)


def test_a_network_without_features_is_refused() -> None:
    model = onnx.load_from_string(recogniser_model())
    del model.graph.output[1]
    weights = RecogniserWeights(model.SerializeToString(), 1.0, Limits.alike(0.6), 0.0)
    with pytest.raises(WeightsError, match="no output features"):
        OnnxRecogniser(weights)


def test_a_network_with_other_classes_is_refused() -> None:
    wrong = OnnxRecogniser(
        RecogniserWeights(recogniser_model(classes=49), 1.0, Limits.alike(0.6), 0.0)
    )
    with pytest.raises(WeightsError, match=r"output is \(1, 49\), expected \(n, 51\)"):
        wrong.see(np.zeros((1, 64, 64, 3), np.uint8))


def test_half_a_back_is_a_back_and_names_nothing() -> None:
    limits = Limits(dict.fromkeys(LimitKind, 0.9), whole=0.99, thing=0.99, thing_back=0.8)
    for label, expected in (("back", "back"), ("5m", "?")):
        row = one_hot(LABELS.index(label), 0.88)
        row[:] = np.where(row == row.max(), row, 0)
        row[[PART, NOTHING_CLASS]] = 0.06
        read = name(row, limits)
        assert read is not None
        assert read.label == expected
