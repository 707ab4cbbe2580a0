"""The training commands run from start to export; what they are made of does what it says.

Torch is loaded by what needs it: each process that tests looks into all files.
"""

import subprocess
import sys
import warnings
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import pytest

from models.crops import CropSource, CropStream, box_of_part, draw_crop, read_labels
from models.detector_data import series_of
from models.evaluate import Example, match, read_one
from models.pictures import BACK_LABEL, DETECTOR_LABELS
from models.tables import TABLE_PX, compose_table, one_of
from table_assist.twin.faces import load_faces
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.recognise import LOGITS, NOTHING_CLASS, PART
from table_assist.vision.reading.weights import WEIGHTS
from tests.stages.vision_networks import BLUE, ColourRecogniser, RectangleDetector, colour_of, draw

ROOT = Path(__file__).parents[2]


def drawn_table(seed: int, *, from_seat: bool = False) -> tuple[Image, np.ndarray]:
    """A table of our own faces, and its labels: class, then a box in shares of the picture."""
    sets = one_of([load_faces()])
    image, rows = compose_table(np.random.default_rng(seed), sets, from_seat=from_seat)
    return image, np.array([row.split() for row in rows], np.float64).reshape(-1, 5)


def write_data(folder: Path) -> None:
    """The data folder's layout with three photos, drawn with our own faces."""
    rows = ["file,split,roboflow_project,n_labels,unmatched_confident_detections"]
    for split, seeds in (("train", (1, 2)), ("val", (4,))):
        for name in ("images", "labels"):
            (folder / "photos" / name / split).mkdir(parents=True)
        for seed in seeds:
            image, labels = drawn_table(seed)
            text = "\n".join(
                f"{int(label)} " + " ".join(map(str, box)) for label, *box in labels.tolist()
            )
            (folder / "photos/labels" / split / f"p{seed}.txt").write_text(text)
            cv2.imwrite(str(folder / "photos/images" / split / f"p{seed}.jpg"), image)
            rows.append(f"p{seed}.jpg,{split},chinese-test,{len(labels)},0")
    (folder / "photos" / "sources.csv").write_text("\n".join(rows) + "\n")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # torch and ultralytics warn of their own next versions
def test_training_resumes_and_its_export_is_what_the_program_reads(tmp_path: Path) -> None:
    data, run, weights = tmp_path / "data", tmp_path / "run", tmp_path / "weights"
    data.mkdir()
    write_data(data)
    options = [
        "--data", data, "--run", run,
        "--nothing", tmp_path / "nothing", "--tables", tmp_path / "tables",
        "--table-count", 1, "--world-count", 1, "--variants", 1,
        "--batch", 4, "--detector-batch", 2,
        "--detector-size", 64, "--detector-hours", 0.00001, "--workers", 0,
    ]  # fmt: skip
    first = [*map(str, options), "--recogniser-steps", "1"]
    command = [sys.executable, "models/train.py", *first]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]

    from models import export, train

    train.main([*map(str, options), "--recogniser-steps", "2", "--part", "recogniser"])
    assert (run / "recogniser.jsonl").read_text().count('"step"') == 2
    export.main(["--run", str(run), "--weights", str(weights), "--data", str(data)])
    reader = open_reader(weights, threads=1)
    image = cv2.imread(str(data / "photos/images/val/p4.jpg"))
    assert reader.read(image).size_wh == (TABLE_PX, TABLE_PX)

    import torch
    from ultralytics import YOLO

    trained = YOLO(str(run / "detector/weights/last.pt")).model.float().eval()
    for height, width in ((640, 640), (96, 160)):
        planes = torch.rand(1, 3, height, width)
        exported = reader.detector._network(planes.numpy())  # type: ignore[attr-defined]
        np.testing.assert_allclose(exported, trained(planes)[0].detach().numpy(), atol=0.02)

    crops = np.random.default_rng(0).integers(0, 256, (3, 64, 64, 3), np.uint8)
    planes = torch.from_numpy(crops.transpose(0, 3, 1, 2).astype(np.float32) / 255)
    logits = export.load_recogniser(run / "recogniser.pt")(planes)
    exported = reader.recogniser._network(planes.numpy())  # type: ignore[attr-defined]
    np.testing.assert_allclose(exported, logits.detach().numpy(), atol=0.02)


@pytest.mark.parametrize("from_seat", [False, True])
def test_a_table_is_its_seed_and_labels_only_what_is_seen(from_seat: bool) -> None:
    image, rows = drawn_table(7, from_seat=from_seat)
    assert image.shape == (TABLE_PX, TABLE_PX, 3)
    assert (image == drawn_table(7, from_seat=from_seat)[0]).all()
    assert len(rows) > 2
    low, high = rows[:, 1:3] - rows[:, 3:5] / 2, rows[:, 1:3] + rows[:, 3:5] / 2
    assert low.min() > -1e-5
    assert high.max() < 1 + 1e-5
    assert set(rows[:, 0]) <= set(range(len(DETECTOR_LABELS)))


def test_tables_show_faces_backs_and_dice() -> None:
    seen = {int(label) for seed in range(12) for label in drawn_table(seed)[1][:, 0]}
    assert BACK_LABEL in seen
    assert seen & set(range(BACK_LABEL + 1, len(DETECTOR_LABELS)))
    assert len(seen & set(range(BACK_LABEL))) > 30


def tile_source() -> CropSource:
    image = np.zeros((200, 200, 3), np.uint8)
    image[80:120, 85:115] = (0, 0, 255)
    box = np.array([[85.0, 80, 115, 120]])
    return CropSource(image, np.array([5]), box, turned=False, complete=True)


@pytest.mark.parametrize("seed", range(20))
def test_a_crop_shows_its_tile_in_the_middle_however_it_is_turned(seed: int) -> None:
    source = tile_source()
    crop = draw_crop(np.random.default_rng(seed), source, source.boxes[0]).astype(int)
    middle, edge = crop[26:38, 26:38].mean(axis=(0, 1)), crop[:3, :3].mean(axis=(0, 1))
    assert middle[0] > edge[0], "red on black, whatever the light"


def test_nothing_is_taught_beside_tiles_only_where_all_are_labelled() -> None:
    complete = CropStream([[tile_source()]], [1.0], seed=1)
    labels = [complete.draw()[1] for _ in range(300)]
    assert set(labels) == {5, NOTHING_CLASS, PART}
    assert 0.03 < labels.count(NOTHING_CLASS) / 300 < 0.2
    assert 0.03 < labels.count(PART) / 300 < 0.2


@pytest.mark.parametrize("seed", range(20))
def test_a_part_lies_in_its_tile_and_is_well_short_of_it(seed: int) -> None:
    box = np.array([85.0, 80, 115, 120])
    part = box_of_part(np.random.default_rng(seed), box)
    assert (part[:2] >= box[:2] - 1e-9).all()
    assert (part[2:] <= box[2:] + 1e-9).all()
    share = (part[2:] - part[:2]) / (box[2:] - box[:2])
    assert 0.2 < share.min() <= 0.75


def test_the_temperature_that_made_the_answers_is_found() -> None:
    from models.export import fit_temperature

    random = np.random.default_rng(0)
    logits = random.normal(0, 3, (20_000, 5))
    powers = np.exp(logits / 1.7)
    shares = np.cumsum(powers / powers.sum(axis=1, keepdims=True), axis=1)
    labels = (random.uniform(size=(20_000, 1)) > shares).sum(axis=1)
    assert fit_temperature(logits, labels) == pytest.approx(1.7, abs=0.08)


def test_evaluation_counts_right_wrong_asked_missed_and_extra(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "labels").mkdir()
    image = np.zeros((300, 400, 3), np.uint8)
    draw(image, "5m", 20, 20)  # right
    draw(image, "3s", 120, 20)  # labelled 2s: wrong
    draw(image, "unsure", 220, 20)  # asked
    draw(image, "E", 220, 160)  # not labelled: extra
    assert colour_of("5m")[0] == BLUE + DETECTOR_LABELS.index("5m")
    cv2.imwrite(str(tmp_path / "images" / "a.png"), image)
    truth = [("5m", 20, 20), ("2s", 120, 20), ("1p", 220, 20), ("7p", 20, 200)]  # the last missed
    lines = [
        f"{DETECTOR_LABELS.index(label)} {(x + 20) / 400} {(y + 27) / 300} {40 / 400} {54 / 300}"
        for label, x, y in truth
    ]
    (tmp_path / "labels" / "a.txt").write_text("\n".join(lines))
    reader = Reader(RectangleDetector(), ColourRecogniser(), limits=Limits.alike(0.6))
    tally = read_one(reader, Example(tmp_path / "images" / "a.png", ("all",), complete=True))
    counts = (tally.tiles, tally.found, tally.right, tally.wrong, tally.asked)
    assert counts == (4, 3, 1, 1, 1)
    assert tally.confusions == {"2s read as 3s": 1}
    told = "honours phantom suits asked suits missed suits right suits wrong"
    assert " ".join(sorted(tally.kinds)) == told


def test_a_label_known_to_be_wrong_is_put_right_and_no_other(tmp_path: Path) -> None:
    for name in ("images", "labels"):
        (tmp_path / name).mkdir()
    picture = tmp_path / "images" / "hand_101_jpg.jpg"
    nine_dots = f"{DETECTOR_LABELS.index('9p')} 0.5 0.5 0.1 0.1"
    (tmp_path / "labels" / "hand_101_jpg.txt").write_text("\n".join([nine_dots] * 5))
    labels, _ = read_labels(picture, 100, 100)
    assert [DETECTOR_LABELS[label] for label in labels] == ["9p", "9p", "9p", "9m", "9p"]


def test_a_label_of_the_print_alone_is_matched_by_the_middle_of_the_whole_tiles_box() -> None:
    prints = np.array([[4, 6, 16, 22], [40, 6, 52, 22]], float)
    tiles = np.array([[0, 0, 20, 28], [53, 0, 73, 28], [1, 1, 21, 29]], float)
    assert match(prints, tiles) == []
    assert match(prints, tiles, by_middle=True) == [(0, 0)]


@pytest.mark.parametrize(
    ("file", "series"),
    [
        ("IMG_6256_jpeg.rf.1.jpg", "IMG 62"),
        ("IMG_1755-HEIC_jpg.rf.b4.jpg", "IMG 17"),
        ("home-mj-IMG_3198_png.rf.c.jpg", "home-mj 31"),
        ("rotated_home-mj-IMG_3199_png.rf.7.jpg", "rotated_home-mj 31"),
        ("kim1_mahjon_image100.jpg", "kim1 10"),
        ("A62F40F8-F55F_jpeg.rf.1.jpg", "A"),
    ],
)
def test_a_series_is_told_by_the_pictures_name(file: str, series: str) -> None:
    assert series_of(file) == series


def test_a_recogniser_from_the_export_computes_what_the_export_computes() -> None:
    import torch

    from models.recogniser import RecogniserNetwork, load_exported

    exported = WEIGHTS / "recogniser.onnx"
    random = np.random.default_rng(3)
    crops = random.random((48, 3, 64, 64), np.float32)
    model = RecogniserNetwork()
    load_exported(model, exported, torch.from_numpy(crops[:32]))
    session = onnxruntime.InferenceSession(str(exported), providers=["CPUExecutionProvider"])
    (logits,) = session.run([LOGITS], {session.get_inputs()[0].name: crops})
    with torch.no_grad():
        same = model.eval()(torch.from_numpy(crops)).numpy()
    assert np.abs(same - logits).max() < 1e-3 * np.abs(logits).max()
    # In training its batch norms see a batch as they saw the crops: the step begins where it was.
    model.train()
    model.head[2].p = 0.0  # no dropout
    with torch.no_grad():
        trained = model(torch.from_numpy(crops[:32])).numpy()
    assert (trained.argmax(1) == logits[:32].argmax(1)).mean() > 0.9


def test_training_of_the_detector_starts_with_what_its_export_computes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        from ultralytics.nn.tasks import DetectionModel

        from models.recogniser import exported_weights
        from models.train_detector import ARCHITECTURE, load_folded

        image = np.random.default_rng(3).random((1, 3, 160, 160), np.float32)
        started = DetectionModel(ARCHITECTURE, nc=1, verbose=False)
        load_folded(started, exported_weights(WEIGHTS / "detector.onnx"), torch.from_numpy(image))
        with torch.no_grad():
            scores = started.train()(torch.from_numpy(image))["scores"].sigmoid().numpy()
    exported = open_reader().detector._network(image)  # type: ignore[attr-defined]
    np.testing.assert_allclose(scores[0, 0], exported[0, 4], atol=0.01)
    assert exported[0, 4].max() > 0.001
