"""One's own tile set: what learning may change, how it is judged, kept and found again."""

import itertools
import json
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from models.enrolment import Picture, mirrored
from table_assist.cli.main import main
from table_assist.tiles import SUITED, Tile, parse_tiles
from table_assist.vision.enrolment import files as enrol_files
from table_assist.vision.enrolment.assign import assign
from table_assist.vision.enrolment.guess import COPIES, SPARE, Looks, find_kinds, guess, look
from table_assist.vision.enrolment.learn import Sample, fold, learn
from table_assist.vision.enrolment.mislabelled import find_suspects
from table_assist.vision.enrolment.patches import Patch, cut_patch, plain_crop, vary
from table_assist.vision.enrolment.pictures import labelled_samples
from table_assist.vision.enrolment.report import Mislabelled, Outcome, make_report, tell
from table_assist.vision.pictures.picture import save_picture
from table_assist.vision.reading.own_set import (
    OwnSet,
    OwnSetError,
    digest,
    directions,
    probabilities,
)
from table_assist.vision.reading.recognise import LABELS, NOTHING, OnnxRecogniser, crop_tile
from table_assist.vision.reading.weights import load_weights
from tests.stages.laid_out import boxes_of, lay_rows

CLASSES = NOTHING + 1
COLOURS = {0: (200, 40, 40), 1: (40, 200, 40), 2: (40, 40, 200), 3: (200, 200, 40)}


class ColourSight:
    """A network that sees the mean colour of a crop, and can name nothing."""

    def look(self, crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        features = crops.reshape(len(crops), -1, 3).mean(axis=1).astype(np.float32) ** 2 / 4000
        return features, np.zeros((len(crops), CLASSES), np.float32)


def plain(label: int, picture: int, seed: int = 0) -> Sample:
    """A tile of one colour, with some noise."""
    noise = np.random.default_rng(seed).normal(0, 6, (96, 96, 3))
    image = np.clip(np.array(COLOURS[label]) + noise, 0, 255).astype(np.uint8)
    return Sample(Patch(image, (3, 4)), label, picture)


def learn_colours(samples: list[Sample]) -> OwnSet:
    return learn(samples, ColourSight(), name="c", recogniser="", unknown_below=0.9)[0]


@pytest.fixture(scope="module")
def sight() -> OnnxRecogniser:
    return OnnxRecogniser(load_weights().recogniser, threads=2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test's sets are; the command line keeps them there too."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "table-assist" / "sets"


# -- what an own set changes -----------------------------------------------------------------------


@given(
    hnp.arrays(np.float32, (3, 6), elements=st.floats(0, 50, width=32)),
    hnp.arrays(np.float32, (3, 4), elements=st.floats(-30, 30, width=32)),
)
def test_what_is_read_is_always_a_distribution(
    features: NDArray[np.float32], logits: NDArray[np.float32]
) -> None:
    own = OwnSet("s", "", np.ones((7, 4), np.float32), np.eye(6, dtype=np.float32), 0.9, 1.2)
    found = own.refine(features, logits)
    assert found.shape == (3, 4)
    assert np.allclose(found.sum(axis=1), 1, atol=1e-5)
    assert (found >= 0).all()


def test_what_looks_like_nothing_enrolled_is_read_as_before() -> None:
    known = np.array([[1, 0, 0]], np.float32)
    correction = np.full((4, 5), 9, np.float32)
    correction[:, 2] = -9
    own = OwnSet("s", "", correction, known, 0.88, 1.2)
    logits = np.array([[0, 0, 3, 0, 0]], np.float32)
    alike, strange = np.array([[4, 0, 0]], np.float32), np.array([[1, 4, 4]], np.float32)
    assert np.allclose(own.refine(strange, logits), probabilities(logits), atol=1e-4)
    assert own.refine(alike, logits)[0, 2] < 0.01


def test_a_correction_that_does_not_fit_the_features_is_refused() -> None:
    with pytest.raises(ValueError, match="4 rows does not fit 6 features"):
        OwnSet("s", "", np.zeros((4, 5), np.float32), np.zeros((2, 6), np.float32), 0.9, 1.0)


def test_a_set_of_another_recogniser_is_refused_in_one_sentence() -> None:
    own = OwnSet(
        "home", digest(b"old"), np.zeros((3, 5), np.float32), np.eye(2, dtype="f4"), 0.9, 1
    )
    own.check(b"old")
    with pytest.raises(OwnSetError, match=r"'home' was learnt with another .* enrol home --again"):
        own.check(b"new")


# -- learning --------------------------------------------------------------------------------------


def test_faces_that_the_network_cannot_name_are_learnt() -> None:
    own = learn_colours([plain(label, picture) for picture in range(3) for label in (0, 1, 2)])
    crops = np.stack([plain_crop(plain(label, 9, seed=5).patch) for label in (0, 1, 2)])
    found = own.refine(*ColourSight().look(crops))
    assert found.argmax(axis=1).tolist() == [0, 1, 2]
    assert found.max(axis=1).min() > 0.9


def test_a_face_that_was_not_enrolled_is_not_forced_to_one_that_was() -> None:
    own = learn_colours([plain(label, picture) for picture in range(3) for label in (0, 1)])
    assert own.alike_from >= 0.85
    features, logits = ColourSight().look(plain_crop(plain(2, 0).patch)[None])
    assert np.allclose(own.refine(features, logits), probabilities(logits), atol=1e-3)


def test_the_same_samples_teach_the_same() -> None:
    samples = [plain(label, picture) for picture in range(2) for label in (0, 1)]
    one, other = learn_colours(samples), learn_colours(samples)
    assert np.array_equal(one.correction, other.correction)
    assert np.array_equal(one.known, other.known)


def test_one_tile_of_each_face_is_learnt_but_not_said_to_be_tested() -> None:
    samples = [plain(0, 0), plain(1, 0)]
    own, report = learn(samples, ColourSight(), name="c", recogniser="", unknown_below=0.9)
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
    samples += [Sample(plain(3, picture).patch, NOTHING, picture) for picture in range(2)]
    own = learn_colours(samples)
    features, logits = ColourSight().look(plain_crop(plain(3, 5).patch)[None])
    assert own.refine(features, logits).argmax() == NOTHING


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
    own, report = learn(samples[: 3 * 34], sight, name="m", recogniser="", unknown_below=0.9)
    assert time.process_time() - started < 60
    crops = np.stack([plain_crop(sample.patch) for sample in samples[3 * 34 :]])
    truth = np.arange(34)
    before = sight.probabilities(crops)
    knowing = OnnxRecogniser(load_weights().recogniser, threads=2, own_set=own)
    after = knowing.probabilities(crops)
    assert np.count_nonzero((before.argmax(axis=1) != truth) | (before.max(axis=1) < 0.9)) >= 3
    assert after.argmax(axis=1).tolist() == truth.tolist()
    assert np.count_nonzero(after.max(axis=1) < 0.9) <= 1
    assert (report.tested, report.wrong, report.missing) == (102, (), ())
    assert own.alike_from == 0.8  # every ordinary face was shown


def test_a_wrong_label_is_told_and_spoils_nothing(sight: OnnxRecogniser) -> None:
    rows = [parse_tiles("147m"), parse_tiles("258p"), parse_tiles("369s")]
    samples = [
        Sample(cut_patch(lay_rows(rows, seed=n, light=0.7 + 0.15 * n), box), int(tile), n)
        for n in range(3)
        for tile, box in boxes_of(rows)
    ]
    at = next(i for i, each in enumerate(samples) if each.label == Tile.P5 and each.picture == 1)
    wrong = [*samples]
    wrong[at] = Sample(samples[at].patch, int(Tile.M4), 1)
    _, report = learn(samples, sight, name="m", recogniser="", unknown_below=0.9)
    assert report.suspects == ()
    own, report = learn(wrong, sight, name="m", recogniser="", unknown_below=0.9)
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
    _, report = learn(mixed, ColourSight(), name="c", recogniser="", unknown_below=0.9)
    assert sum(count for _, count in report.counts) == 4


# -- patches ---------------------------------------------------------------------------------------


def test_a_patch_holds_the_crop_that_the_recogniser_reads() -> None:
    rows = [parse_tiles("123m")]
    image = lay_rows(rows)
    for _, box in boxes_of(rows):
        difference = plain_crop(cut_patch(image, box)).astype(int) - crop_tile(image, box)
        assert np.abs(difference).mean() < 6  # a pixel's part shifted, no more


@pytest.mark.parametrize("box", [(-40, -40, 20, 30), (500, 10, 530, 50), (5, 5, 5, 5)])
def test_a_box_beyond_the_picture_still_gives_a_patch(box: tuple[float, ...]) -> None:
    image = np.random.default_rng(0).integers(0, 255, (60, 80, 3)).astype(np.uint8)
    patch = cut_patch(image, box)
    assert patch.image.shape == (96, 96, 3)
    assert vary(patch, np.random.default_rng(0), quarters=1, loose=True).shape == (64, 64, 3)


# -- guessing --------------------------------------------------------------------------------------


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
    assert guess(Looks(empty, empty), np.empty(0, np.int64)) == []


# -- the report ------------------------------------------------------------------------------------


def certain(*labels: int, share: float = 1.0, other: int = 9) -> NDArray[np.float32]:
    found = np.zeros((len(labels), CLASSES), np.float32)
    found[:, other] = 1 - share
    found[np.arange(len(labels)), labels] = share
    return found


def test_the_report_counts_right_asked_and_wrong() -> None:
    found = np.concatenate([certain(0, 1), certain(2, share=0.8), certain(5)])
    report = make_report([(0, 0), (1, 0), (2, 1), (3, 1)], Outcome((0, 1, 2, 3), found), 0.9)
    assert (report.right, report.asked, report.wrong) == (2, 1, ("4m read as 6m",))
    assert (report.tiles, report.pictures, report.tested) == (4, 2, 4)
    assert report.counts == (("1m", 1), ("2m", 1), ("3m", 1), ("4m", 1))


def test_close_faces_are_told_once() -> None:
    found = np.concatenate(
        [certain(12, 12, share=0.9, other=10), certain(10, share=0.95, other=12)]
    )
    report = make_report([(12, 0), (12, 0), (10, 0)], Outcome((12, 12, 10), found), 0.5)
    lines = [line.en for line in tell(report)]
    assert [line for line in lines if "close" in line] == ["4p and 2p are close in your set."]


def test_missing_and_thinly_known_faces_are_told() -> None:
    samples = [(label, 0) for label in range(33) for _ in range(3)] + [(40, 0)]
    report = make_report(samples, Outcome((), np.empty((0, CLASSES), np.float32)), 0.9)
    assert (report.missing, report.few) == (("P",), ("3q",))
    told = " ".join(line.en for line in tell(report))
    assert "Not shown, read as before: P." in told
    assert "Shown once or twice only: 3q." in told
    assert "Left out" not in told


# -- files -----------------------------------------------------------------------------------------


def kept(folder: Path, name: str = "home") -> tuple[OwnSet, list[Sample]]:
    samples = [plain(label, picture) for picture in range(2) for label in (0, 1)]
    random = np.random.default_rng(0)
    own = OwnSet(
        name,
        "f" * 64,
        random.normal(0, 1, (9, CLASSES)).astype(np.float32),
        directions(random.uniform(0, 1, (20, 8)).astype(np.float32)),
        0.88,
        1.1,
    )
    found = certain(0, 1, 0, 1)
    report = make_report([(s.label, s.picture) for s in samples], Outcome((0, 1, 0, 1), found), 0.9)
    enrol_files.save_set(own, samples, report, folder=folder, date="2026-11-21")
    return own, samples


def test_a_set_that_was_kept_reads_as_it_did(tmp_path: Path) -> None:
    own, samples = kept(tmp_path)
    again = enrol_files.load_set("home", tmp_path)
    assert (again.recogniser, again.alike_from, again.sharpness) == ("f" * 64, 0.88, 1.1)
    features = np.random.default_rng(1).uniform(0, 3, (5, 8)).astype(np.float32)
    logits = np.zeros((5, CLASSES), np.float32)
    assert np.allclose(again.refine(features, logits), own.refine(features, logits), atol=0.01)
    loaded = enrol_files.load_samples("home", tmp_path)
    assert [(s.label, s.picture) for s in loaded] == [(s.label, s.picture) for s in samples]
    assert np.abs(loaded[0].patch.image.astype(int) - samples[0].patch.image).mean() < 6
    assert [path.name for path in tmp_path.iterdir()] == ["home.npz"]


@pytest.mark.parametrize(
    "name", ["", "a/b", "..", "../x", ".hidden", "a\\b", "x" * 41, "a\nb", "a "]
)
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(OwnSetError, match="a tile set's name has up to 40"):
        enrol_files.path_of(name, tmp_path)


@pytest.mark.parametrize("name", ["home", "奶奶的麻将", "club 2", "green-back.1"])
def test_names_people_give_are_kept(tmp_path: Path, name: str) -> None:
    kept(tmp_path, name)
    assert [each.name for each in enrol_files.list_sets(tmp_path)] == [name]


def test_an_unknown_set_is_answered_with_those_there_are(tmp_path: Path) -> None:
    kept(tmp_path, "club")
    with pytest.raises(OwnSetError, match="no tile set 'home'; there are: club"):
        enrol_files.load_set("home", tmp_path)


@pytest.mark.parametrize("left", [0, 100, 3000])
def test_a_damaged_file_is_one_sentence_and_is_not_listed(tmp_path: Path, left: int) -> None:
    kept(tmp_path)
    path = tmp_path / "home.npz"
    path.write_bytes(path.read_bytes()[:left])
    for use in (enrol_files.load_set, enrol_files.load_samples):
        with pytest.raises(OwnSetError, match=r"home\.npz is damaged"):
            use("home", tmp_path)
    assert enrol_files.list_sets(tmp_path) == []


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    manifest = np.frombuffer(json.dumps({"version": 99}).encode(), np.uint8)
    np.savez(tmp_path / "home.npz", manifest=manifest)
    with pytest.raises(OwnSetError, match="has version 99, expected 1"):
        enrol_files.load_set("home", tmp_path)


def test_each_system_has_its_own_place_for_sets() -> None:
    home = {"HOME": "/h"}
    assert enrol_files.sets_folder(home, "linux") == Path("/h/.local/share/table-assist/sets")
    assert enrol_files.sets_folder(home, "darwin").parts[2:4] == ("Library", "Application Support")
    windows = enrol_files.sets_folder({"APPDATA": "/a", "USERPROFILE": "/u"}, "win32")
    assert windows == Path("/a/table-assist/sets")


# -- labelled folders ------------------------------------------------------------------------------


def labelled(folder: Path, rows: list[tuple[Tile, ...]], name: str = "a", **look: object) -> Path:
    """A folder with one more picture and its labels."""
    image = lay_rows(rows, **look)  # type: ignore[arg-type]
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    save_picture(folder / "images" / f"{name}.png", image)
    height, width = image.shape[:2]
    lines = [
        f"{int(tile)} {(x1 + x2) / 2 / width} {(y1 + y2) / 2 / height} "
        f"{(x2 - x1) / width} {(y2 - y1) / height}"
        for tile, (x1, y1, x2, y2) in boxes_of(rows)
    ]
    (folder / "labels" / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_a_labelled_folder_gives_its_tiles(tmp_path: Path) -> None:
    rows = [parse_tiles("123m"), parse_tiles("EE")]
    samples = labelled_samples(labelled(tmp_path, rows))
    assert [sample.label for sample in samples] == [0, 1, 2, 27, 27]
    expected = cut_patch(lay_rows(rows), boxes_of(rows)[0][1])
    assert np.abs(samples[0].patch.image.astype(int) - expected.image).mean() < 1


@pytest.mark.parametrize(
    "line",
    [
        "1m 0.5 0.5 0.1 0.1",
        "49 0.5 0.5 0.1 0.1",
        "-1 0.5 0.5 0.1 0.1",
        "3 0.5 0.5 0.1",
        "3 0.5 0.5 0 0.1",
        "3 nan 0.5 0.1 0.1",
    ],
)
def test_a_line_that_is_no_label_is_named(tmp_path: Path, line: str) -> None:
    folder = labelled(tmp_path, [parse_tiles("1m")])
    (folder / "labels" / "a.txt").write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(OwnSetError, match=r"line 2 of .*a\.txt is no label of a tile"):
        labelled_samples(folder)


def test_a_folder_without_labels_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(OwnSetError, match="needs images/ and labels/"):
        labelled_samples(tmp_path)


def test_the_measure_mirrors_pictures_with_their_boxes() -> None:
    rows = [parse_tiles("123m")]
    image = lay_rows(rows)
    boxes = np.array([box for _, box in boxes_of(rows)], np.float64)
    strange = Picture(image, np.arange(3), boxes).seen(mirrored)
    plainly = plain_crop(cut_patch(image, boxes[0])).astype(int)
    turned = plain_crop(cut_patch(strange.image, strange.boxes[0]))[:, ::-1]
    assert np.abs(plainly - turned).mean() < 3


# -- the command -----------------------------------------------------------------------------------


def test_a_labelled_set_is_learnt_listed_used_and_forgotten(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [parse_tiles("123456789m"), parse_tiles("ESWNCFP")]
    for number in range(2):
        labelled(tmp_path / "set", rows, str(number), seed=number, mirrored=True)
    assert main(["enrol", "strange", "--labelled", str(tmp_path / "set")]) == 0
    told = capsys.readouterr().out
    assert "32 tiles of 16 faces from 2 pictures." in told
    assert "use it with --set strange" in told
    assert main(["enrol", "--list"]) == 0
    assert capsys.readouterr().out.startswith("strange: 16 faces, 32 tiles from 2 pictures")
    picture = tmp_path / "new.png"
    save_picture(picture, lay_rows(rows, seed=7, light=0.9, mirrored=True))

    def read(*options: str) -> list[str]:
        assert main(["read", "--json", str(picture), *options]) == 0
        return [tile["tile"] for tile in json.loads(capsys.readouterr().out)["tiles"]]

    expected = [str(tile) for row in rows for tile in row]
    assert sorted(read("--set", "strange")) == sorted(expected)
    assert sorted(read()) != sorted(expected)
    assert main(["enrol", "strange", "--forget"]) == 0
    assert main(["read", "--set", "strange", str(picture)]) == 2
    assert "there is no tile set 'strange'" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_pictures_are_accepted_without_a_look_and_added_to(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "1.png", tmp_path / "2.png"
    save_picture(first, lay_rows([parse_tiles("456789m")] * 2))
    save_picture(second, lay_rows([parse_tiles("789s")] * 2))
    assert main(["enrol", "home", str(first), "--yes"]) == 0
    assert "12 tiles of 6 faces from 1 picture." in capsys.readouterr().out
    assert main(["enrol", "home", str(second), "--yes"]) == 2
    error = capsys.readouterr().err
    assert "there is a tile set 'home' already: --replace" in error
    assert error.count("\n") == 1
    assert main(["enrol", "home", str(second), "--yes", "--again"]) == 0
    assert "18 tiles of 9 faces from 2 pictures." in capsys.readouterr().out
    assert main(["enrol", "home", str(second), "--yes", "--replace"]) == 0
    assert "6 tiles of 3 faces from 1 picture." in capsys.readouterr().out


def test_a_set_is_learnt_again_when_the_recogniser_changed(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept(folder)
    picture = tmp_path / "p.png"
    save_picture(picture, lay_rows([parse_tiles("1m")]))
    for command in (["read", str(picture)], ["check", str(picture)]):
        assert main([*command, "--set", "home"]) == 2
        assert "learnt with another recogniser" in capsys.readouterr().err
    assert main(["enrol", "home", "--again"]) == 0
    assert main(["read", str(picture), "--set", "home"]) == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "what is the tile set called?"),
        (["a/b", "p.png"], "a tile set's name has up to 40"),
        (["home"], "no tile from which to learn"),
        (["home", "felt.png"], "no tile was found in"),
        (["home", "missing.png"], "there is no picture"),
        (["home", "text.png"], "is not a picture"),
        (["home", "--labelled", "."], "there are no labelled tiles"),
        (["home", "--again"], "there is no tile set 'home'"),
        (["home", "--forget"], "cannot be deleted"),
    ],
)
def test_what_cannot_be_enrolled_is_one_sentence(
    tmp_path: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    save_picture(tmp_path / "felt.png", np.full((300, 400, 3), (70, 110, 40), np.uint8))
    (tmp_path / "text.png").write_text("no picture", encoding="utf-8")
    assert main(["enrol", *arguments]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert not folder.exists()
