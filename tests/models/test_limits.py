"""Limits are fitted so that of further things no larger share is named wrong than is allowed."""

import shutil
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from models import gate
from models.gate import Cell, crops_of, lost, right
from models.limits import (
    ALLOWED_PARTS,
    LIMIT_STEPS,
    LimitThings,
    fit,
    lowest,
    together,
    usual_of,
    write,
    write_if_none_is_lost,
)
from models.pictures import DETECTOR_LABELS
from table_assist import twin
from table_assist.vision.reading.limits import CAUTIOUS, LimitKind, Limits, Usual
from table_assist.vision.reading.recognise import NOTHING_CLASS, PART, name
from table_assist.vision.reading.weights import WEIGHTS, WEIGHTS_MANIFEST, load_weights

Random = np.random.Generator


def things(random: Random, count: int, truth: str | int = "5m", wrong: float = 0.5) -> LimitThings:
    """Things that look like a 5m; the less surely, the more of them are a 6m."""
    face = random.uniform(0.5, 1, count)
    rows = np.zeros((count, PART + 1), np.float32)
    rows[:, DETECTOR_LABELS.index("5m")] = face
    rows[:, DETECTOR_LABELS.index("6m")] = 1 - face
    label = truth if isinstance(truth, int) else DETECTOR_LABELS.index(truth)
    truths = np.full(count, label, np.int64)
    truths[random.random(count) < wrong * (1 - face)] = DETECTOR_LABELS.index("6m")
    no = np.zeros(count, np.bool_)
    return LimitThings(rows, truths, no, no, np.ones(count))


def parts(random: Random, count: int, of: int) -> LimitThings:
    """Boxes of parts or of nothing: most look so, and a few look whole."""
    rows = np.zeros((count, PART + 1), np.float32)
    rows[:, of] = random.beta(5, 1, count) * (0.5 if of == NOTHING_CLASS else 1)
    rows[:, DETECTOR_LABELS.index("5m")] = 1 - rows[:, of]
    no = np.zeros(count, np.bool_)
    return LimitThings(rows, np.full(count, of, np.int64), no, no, np.ones(count))


def test_of_further_things_no_more_are_named_wrong_than_is_allowed() -> None:
    """On the mean over many fits: that is what conformal risk control promises."""
    random, share, errors = np.random.default_rng(1), 0.02, []
    for _ in range(300):
        fitted, further = (draw(random) for _ in range(2))
        limit = lowest(LIMIT_STEPS, *fitted, np.ones(200), share)
        errors.append(float((further[1] & (further[0] >= limit)).mean()))
    assert np.mean(errors) <= share
    assert np.mean(errors) > share / 4, "and it does not ask about everything"


def draw(random: Random) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    score = random.uniform(0.5, 1, 200)
    return score, random.random(200) < 0.4 * (1 - score)


@pytest.mark.parametrize("errors", [0, 1])
def test_few_things_prove_little_and_keep_the_highest_limit(errors: int) -> None:
    score, wrong = np.full(30, 0.8), np.arange(30) < errors
    assert lowest(LIMIT_STEPS, score, wrong, np.ones(30), 0.001) == LIMIT_STEPS[-1]


def test_each_scale_is_fitted_on_what_errs_there() -> None:
    random = np.random.default_rng(2)
    tiles = things(random, 4000)
    beside = together([parts(random, 2000, PART), parts(random, 2000, NOTHING_CLASS)])
    limits = fit(tiles, beside)
    assert limits.faces[LimitKind.SUITS] > 0.9, "one in a thousand may be wrong"
    assert limits.faces[LimitKind.WHITE] == CAUTIOUS.faces[LimitKind.WHITE], (
        "of these there is none"
    )
    for of in (PART, NOTHING_CLASS):
        told = [name(row, limits) for row in beside.rows[beside.truth == of]]
        assert sum(bool(each and not each.why) for each in told) <= ALLOWED_PARTS * len(told)
    harmless = replace(beside, doubted=np.ones(4000, np.bool_))
    assert fit(tiles, harmless).whole < limits.whole, "a part named as its own tile does no harm"


@pytest.mark.parametrize("label", ["P", "back"])
def test_a_side_that_looks_like_a_white_dragon_or_a_back_makes_no_face_doubtful(label: str) -> None:
    """The one needs a second proof, the other names nothing."""
    random = np.random.default_rng(4)
    tiles, sides = things(random, 4000), parts(random, 2000, NOTHING_CLASS)
    shown = sides.rows.copy()
    shown[:, DETECTOR_LABELS.index(label)] = shown[:, DETECTOR_LABELS.index("5m")]
    shown[:, DETECTOR_LABELS.index("5m")] = 0
    assert fit(tiles, replace(sides, rows=shown)).thing < fit(tiles, sides).thing


def test_usual_is_what_nine_in_ten_faces_are_and_few_pictures_are_not() -> None:
    random = np.random.default_rng(3)
    pictures = [things(random, 20) for _ in range(200)]
    usual = usual_of(pictures)
    unlike = sum(usual.is_unlike(random.uniform(0.5, 1, 20).tolist()) for _ in range(2000))
    assert 0 < unlike < 0.05 * 2000
    assert usual.is_unlike([0.52] * 20)


def test_limits_by_which_a_face_is_lost_are_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(WEIGHTS, tmp_path / "after")
    manifest = tmp_path / "after" / WEIGHTS_MANIFEST
    earlier = manifest.read_text()
    options = Namespace(before=WEIGHTS, weights=tmp_path / "after", data=tmp_path)
    ones = np.full((24, 64, 64, 3), 255, np.uint8)
    monkeypatch.setattr(gate, "crops_of", lambda data: {("a", "P"): ones})
    named = iter([{("a", "P"): np.ones(24, bool)}, {("a", "P"): np.zeros(24, bool)}] * 2)
    monkeypatch.setattr(gate, "right", lambda weights, crops: next(named))
    with pytest.raises(SystemExit, match="a, P: 24 of 24 right, now 0"):
        write_if_none_is_lost(Limits.alike(0.5), options, "tried")
    assert manifest.read_text() == earlier
    monkeypatch.setattr(gate, "lost", lambda before, after: [])
    write_if_none_is_lost(Limits.alike(0.5), options, "tried")
    assert "# tried" in manifest.read_text()


def test_the_manifest_takes_limits_again_and_again(tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    shutil.copytree(WEIGHTS, weights)
    limits = Limits(dict.fromkeys(LimitKind, 0.8), 0.7, 0.6, 0.5, Usual(0.97, 0.4))
    for made_with in ("once", "again"):
        write(limits, weights, made_with)
        assert load_weights(weights).recogniser.limits == limits
    text = (weights / WEIGHTS_MANIFEST).read_text(encoding="utf-8")
    assert text.count("[limits]") == 1
    assert "# again" in text


CELLS: list[Cell] = [(f"set {n}", face) for n in range(20) for face in ("8p", "1m", "E")]


def test_one_face_of_one_set_that_is_lost_is_told() -> None:
    rng = np.random.default_rng(1)
    before = {cell: rng.random(24) < 0.97 for cell in CELLS}
    after = dict(before) | {CELLS[7]: before[CELLS[7]] & (np.arange(24) % 3 == 0)}
    (told,) = lost(before, after)
    assert told.startswith(f"{CELLS[7][0]}, {CELLS[7][1]}: ")


def test_what_differs_by_chance_passes() -> None:
    rng = np.random.default_rng(2)
    before, after = ({cell: rng.random(24) < 0.9 for cell in CELLS} for _ in range(2))
    assert not list(lost(before, after))


@pytest.mark.slow
def test_the_same_networks_pass(tmp_path: Path) -> None:
    shutil.copytree(Path(twin.__file__).parent / "rasters", tmp_path / "faces" / "mine")
    (tmp_path / "photos" / "images").mkdir(parents=True)
    read = right(WEIGHTS, crops_of(tmp_path))
    assert len(read) > 30
    assert not list(lost(read, read))
