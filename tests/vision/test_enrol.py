"""One's own tile set: what learning may change, how it is judged, kept and found again."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from table_assist.tiles.tile import SUITED, Tile, parse_tiles
from table_assist.vision.enrolment.learn import Sample, fold, learn
from table_assist.vision.enrolment.mislabelled import find_suspects
from table_assist.vision.enrolment.patches import cut_patch, plain_crop
from table_assist.vision.enrolment.pictures import (
    COPIES,
    SPARE,
    CropLooks,
    assign,
    find_kinds,
    guess,
    look,
)
from table_assist.vision.enrolment.report import EnrolOutcome, Mislabelled, make_report, tell
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.own_set import (
    OWN_COSINE,
    OwnSet,
    OwnSetError,
    digest,
    directions,
    gate,
    probabilities,
)
from table_assist.vision.reading.recognise import LABELS, NOTHING_CLASS, OnnxRecogniser, crop_tile
from table_assist.vision.reading.weights import load_weights
from tests.stages.dealt import boxes_of, lay_rows
from tests.stages.drawn_hands import CLASSES, COLOURS, ColourSight, certain, learn_colours, plain
from tests.stages.drawn_hands import sight as sight


@given(
    hnp.arrays(np.float32, (3, 6), elements=st.floats(0, 50, width=32)),
    hnp.arrays(np.float32, (3, 4), elements=st.floats(-30, 30, width=32)),
    hnp.arrays(np.bool_, 4),
)
def test_what_is_read_is_always_a_distribution(
    features: NDArray[np.float32], logits: NDArray[np.float32], taught: NDArray[np.bool_]
) -> None:
    """What is not shown stays as likely, but for crops that are as one that was."""
    taught[2:] = True
    own = OwnSet(
        "s", "", np.ones((7, 4), np.float32), np.eye(6, dtype=np.float32), 0.9, 1.2, taught
    )
    found = own.refine(features, logits)
    assert found.shape == (3, 4)
    assert np.allclose(found.sum(axis=1), 1, atol=1e-5)
    assert (found >= 0).all()
    share = 1 - gate((directions(features) @ own.known.T).max(axis=1), OWN_COSINE)
    untaught = probabilities(logits)[:, ~taught] * share[:, None]
    assert np.allclose(found[:, ~taught], untaught, atol=1e-5)


KNOWN = np.ones(5, np.bool_)


def test_what_looks_like_nothing_enrolled_is_read_as_before() -> None:
    known = np.array([[1, 0, 0]], np.float32)
    correction = np.full((4, 5), 9, np.float32)
    correction[:, 2] = -9
    own = OwnSet("s", "", correction, known, 0.88, 1.2, KNOWN)
    logits = np.array([[0, 0, 3, 0, 0]], np.float32)
    alike, strange = np.array([[4, 0, 0]], np.float32), np.array([[1, 4, 4]], np.float32)
    assert np.allclose(own.refine(strange, logits), probabilities(logits), atol=1e-4)
    assert own.refine(alike, logits)[0, 2] < 0.01


def test_a_correction_that_does_not_fit_the_features_is_refused() -> None:
    with pytest.raises(ValueError, match="4 rows does not fit 6 features"):
        OwnSet("s", "", np.zeros((4, 5), np.float32), np.zeros((2, 6), np.float32), 0.9, 1, KNOWN)


def test_a_set_of_another_recogniser_is_refused_in_one_sentence() -> None:
    own = OwnSet(
        "home", digest(b"old"), np.zeros((3, 5), np.float32), np.eye(2, dtype="f4"), 0.9, 1, KNOWN
    )
    own.check(b"old")
    with pytest.raises(OwnSetError, match=r"'home' was learnt with another .* enrol home --again"):
        own.check(b"new")


def test_faces_that_the_network_cannot_name_are_learnt() -> None:
    own = learn_colours([plain(label, picture) for picture in range(3) for label in COLOURS])
    crops = np.stack([plain_crop(plain(label, 9, seed=5).patch) for label in COLOURS])
    found = own.refine(*ColourSight().look(crops))
    assert found.argmax(axis=1).tolist() == [*COLOURS]
    assert found.max(axis=1).min() > 0.9


def test_a_face_that_was_not_enrolled_is_not_forced_to_one_that_was() -> None:
    own = learn_colours([plain(label, picture) for picture in range(3) for label in (0, 1)])
    assert own.alike_from >= 0.85
    features, logits = ColourSight().look(plain_crop(plain(2, 0).patch)[None])
    assert np.allclose(own.refine(features, logits), probabilities(logits), atol=1e-3)


def test_one_tile_of_each_face_is_learnt_but_not_said_to_be_tested() -> None:
    samples = [plain(0, 0), plain(1, 0)]
    own, report = learn(samples, ColourSight(), name="c", recogniser="", limits=Limits.alike(0.9))
    assert own.refine(*ColourSight().look(plain_crop(samples[1].patch)[None])).argmax() == 1
    assert (report.tested, report.few) == (0, ("1m", "2m"))


def test_nothing_to_learn_from_is_one_sentence() -> None:
    with pytest.raises(OwnSetError, match="no tile from which to learn the set 'c'"):
        learn_colours([])


def test_pictures_are_left_out_whole_and_a_face_of_one_picture_is_spread() -> None:
    samples = [plain(0, 0), plain(0, 1), plain(1, 0), plain(1, 0), plain(2, 1), plain(0, 1)]
    assert fold(samples).tolist() == [0, 1, 0, 1, -1, 1]


def test_tiles_called_none_teach_that_there_is_none() -> None:
    samples = [plain(0, picture) for picture in range(2)]
    samples += [Sample(plain(3, picture).patch, NOTHING_CLASS, picture) for picture in range(2)]
    own = learn_colours(samples)
    features, logits = ColourSight().look(plain_crop(plain(3, 5).patch)[None])
    assert own.refine(features, logits).argmax() == NOTHING_CLASS


def test_a_set_that_the_recogniser_misreads_is_right_after_three_pictures(
    sight: OnnxRecogniser,
) -> None:
    """Mirrored faces; they are seen in other light and noise than those that were enrolled."""
    rows = [SUITED[:9], SUITED[9:18], SUITED[18:27], parse_tiles("ESWNCFP")]
    shots = [lay_rows(rows, seed=n, light=0.7 + 0.15 * n, mirrored=True) for n in range(4)]
    samples = [
        Sample(cut_patch(image, box), int(tile), number)
        for number, image in enumerate(shots)
        for tile, box in boxes_of(rows)
    ]
    started = time.process_time()
    own, report = learn(samples[: 3 * 34], sight, name="m", recogniser="", limits=Limits.alike(0.9))
    assert time.process_time() - started < 60
    crops = np.stack([plain_crop(sample.patch) for sample in samples[3 * 34 :]])
    truth = np.arange(34)
    before = sight.see(crops).rows
    knowing = OnnxRecogniser(load_weights().recogniser, threads=2, own_set=own)
    after = knowing.see(crops).rows
    assert np.count_nonzero((before.argmax(axis=1) != truth) | (before.max(axis=1) < 0.9)) >= 3
    assert after.argmax(axis=1).tolist() == truth.tolist()
    assert np.count_nonzero(after.max(axis=1) < 0.9) <= 1
    assert (report.tested, report.wrong, report.missing) == (102, (), ())
    assert own.alike_from == 0.8  # every ordinary face was shown


def test_a_wrong_label_is_told_and_spoils_nothing(sight: OnnxRecogniser) -> None:
    rows = [parse_tiles("147m"), parse_tiles("258p")]
    samples = [
        Sample(cut_patch(lay_rows(rows, seed=n, light=0.7 + 0.15 * n), box), int(tile), n)
        for n in range(3)
        for tile, box in boxes_of(rows)
    ]
    at = next(i for i, each in enumerate(samples) if each.label == Tile.P5 and each.picture == 1)
    wrong = [*samples]
    wrong[at] = Sample(samples[at].patch, int(Tile.M4), 1)
    _, report = learn(samples, sight, name="m", recogniser="", limits=Limits.alike(0.9))
    assert report.suspects == ()
    own, report = learn(wrong, sight, name="m", recogniser="", limits=Limits.alike(0.9))
    assert report.suspects == (Mislabelled("4m", "5p", 2),)
    (told,) = (words for words in tell(report) if "which is it" in words.en)
    assert told.en.startswith("This 4m in picture 2 looks like your 5p")
    assert dict(report.counts)["5p"] == 2
    fresh = lay_rows(rows, seed=7)
    crops = np.stack([plain_crop(cut_patch(fresh, box)) for _, box in boxes_of(rows)])
    found = own.refine(*sight.look(crops))
    assert found.argmax(axis=1).tolist() == [int(tile) for tile, _ in boxes_of(rows)]


@settings(max_examples=50)
@given(st.integers(0, 10_000))
def test_who_looks_like_its_own_face_is_no_suspect(seed: int) -> None:
    random = np.random.default_rng(seed)
    labels = random.integers(0, 5, 20).tolist()
    own = np.array(labels)[:, None] == np.array(labels)
    alike = np.where(own, random.uniform(0.9, 1, (20, 20)), random.uniform(0.3, 0.9, (20, 20)))
    pictures = [0] * 20
    alone = {i for i, label in enumerate(labels) if labels.count(label) == 1}
    found = find_suspects(alike.astype(np.float32), labels, pictures)
    assert {each.sample for each in found} <= alone
    at = int(random.integers(20))
    wrong = [*labels[:at], 41, *labels[at + 1 :]]
    if labels.count(labels[at]) > 2:
        found = find_suspects(alike.astype(np.float32), wrong, pictures)
        assert [(each.sample, each.like) for each in found if each.sample == at] == [
            (at, labels[at])
        ]


def test_where_all_is_mixed_up_all_is_learnt_and_told() -> None:
    samples = [plain(picture % 2, picture, seed=picture) for picture in range(4)]
    mixed = [Sample(each.patch, i // 2, each.picture) for i, each in enumerate(samples)]
    _, report = learn(mixed, ColourSight(), name="c", recogniser="", limits=Limits.alike(0.9))
    assert sum(count for _, count in report.counts) == 4


@given(
    hnp.arrays(
        np.float64, st.tuples(st.integers(1, 5), st.integers(5, 7)), elements=st.integers(-9, 9)
    )
)
def test_an_assignment_is_the_cheapest_of_all(costs: NDArray[np.float64]) -> None:
    found = assign(costs)
    rows = range(len(costs))
    assert len(set(found.tolist())) == len(costs)
    every = itertools.permutations(range(costs.shape[1]), len(costs))
    cheapest = min(sum(costs[row, order[row]] for row in rows) for order in every)
    assert sum(costs[row, found[row]] for row in rows) == cheapest


def test_more_rows_than_columns_cannot_be_assigned() -> None:
    with pytest.raises(ValueError, match="more rows than columns"):
        assign(np.zeros((3, 2)))


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 24))
def test_no_kind_has_more_tiles_of_a_picture_than_a_set(seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    cosine = random.uniform(0.8, 1, (count, count)).astype(np.float32)
    pictures = random.integers(0, 2, count)
    kinds = find_kinds(np.maximum(cosine, cosine.T), pictures)
    for kind, picture in itertools.product(range(kinds.max() + 1), (0, 1)):
        assert np.count_nonzero((kinds == kind) & (pictures == picture)) <= COPIES + SPARE


def test_a_whole_set_laid_out_is_guessed_without_help(sight: OnnxRecogniser) -> None:
    rows = [
        tiles for tile in range(0, 33, 3) for tiles in [[Tile(tile + n) for n in (0, 1, 2)] * 4]
    ]
    image = lay_rows(rows)
    laid = boxes_of(rows)
    crops = np.stack([crop_tile(image, box) for _, box in laid])
    guesses = guess(look(crops, sight), np.zeros(len(crops), np.int64))
    assert [LABELS[each.label] for each in guesses] == [str(tile) for tile, _ in laid]
    assert all(each.sure and each.candidates[0] == each.label for each in guesses)


def test_nothing_to_guess_is_no_guess() -> None:
    empty = np.empty((0, 0), np.float32)
    assert guess(CropLooks(empty, empty), np.empty(0, np.int64)) == []


def test_the_report_counts_right_asked_and_wrong() -> None:
    found = np.concatenate([certain(0, 1), certain(2, share=0.8), certain(5)])
    report = make_report(
        [(0, 0), (1, 0), (2, 1), (3, 1)], EnrolOutcome((0, 1, 2, 3), found), Limits.alike(0.9)
    )
    assert (report.right, report.asked, report.wrong) == (2, 1, ("4m read as 6m",))
    assert (report.tiles, report.pictures, report.tested) == (4, 2, 4)
    assert report.counts == (("1m", 1), ("2m", 1), ("3m", 1), ("4m", 1))


def test_close_faces_are_told_once() -> None:
    found = np.concatenate(
        [certain(12, 12, share=0.9, other=10), certain(10, share=0.95, other=12)]
    )
    report = make_report(
        [(12, 0), (12, 0), (10, 0)], EnrolOutcome((12, 12, 10), found), Limits.alike(0.5)
    )
    lines = [line.en for line in tell(report)]
    assert [line for line in lines if "close" in line] == ["4p and 2p are close in your set."]


@given(
    st.lists(
        st.tuples(st.integers(0, NOTHING_CLASS), st.integers(0, CLASSES - 1), st.floats(0.2, 1)),
        min_size=1,
    )
)
def test_whatever_class_comes_second_the_report_tells_faces(
    seen: list[tuple[int, int, float]],
) -> None:
    found = np.concatenate([certain(one, share=p, other=other) for one, other, p in seen])
    labels = tuple(label for label, *_ in seen)
    report = make_report(
        [(label, 0) for label in labels], EnrolOutcome(labels, found), Limits.alike(0.5)
    )
    assert report.right + report.asked + len(report.wrong) == report.tested == len(seen)
    assert {face for pair in report.close for face in (pair.face, pair.taken_for)} <= {*LABELS}
    assert all(line.en for line in tell(report))


def test_missing_and_thinly_known_faces_are_told() -> None:
    samples = [(label, 0) for label in range(33) for _ in range(3)] + [(40, 0)]
    report = make_report(
        samples, EnrolOutcome((), np.empty((0, CLASSES), np.float32)), Limits.alike(0.9)
    )
    assert (report.missing, report.few) == (("P",), ("3q",))
    told = " ".join(line.en for line in tell(report))
    assert "Not shown, read as before: P." in told
    assert "Shown once or twice only: 3q." in told
    assert "Left out" not in told
