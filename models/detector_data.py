"""Prepares one-class pictures for the detector: real photos turned and stretched, dice, tables."""

import csv
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.crops import SQUEEZED, SQUEEZED_SHARE, CropSource, labels_of, load_source, load_sources
from models.pictures import Random, load_grounds, random_ground, relight
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import Detector

# A series: who took it and the first two digits of the picture's number, or a name's first letter.
NUMBERED = re.compile(r"(kim1|rotated_home-mj|home-mj|IMG).*?(?:IMG_|image)?(\d\d?)\d*[_.-]")


def series_of(file: str) -> str:
    """The series of a picture's file, as split.toml names it."""
    numbered = NUMBERED.match(file)
    return f"{numbered[1]} {numbered[2]}" if numbered else file[0]


def load_series(data: Path) -> list[CropSource]:
    """The series that training may see; none where the folder is missing."""
    seen = series_pictures(data, held=False)
    return [load_source(path, turned=False, complete=complete) for path, complete in seen]


def series_pictures(data: Path, *, held: bool) -> Iterator[tuple[Path, bool]]:
    """The pictures of the held series or of the others, and whether all in each is labelled.

    It is where today's reader saw neither more tiles nor backs or dice in it.
    """
    folder = data / "photos2"
    if not folder.is_dir():
        return
    split = tomllib.loads((Path(__file__).parent / "split.toml").read_text(encoding="utf-8"))
    with (folder / "ORIGINS.csv").open(encoding="utf-8") as file:
        rows = {row["file"]: row for row in csv.DictReader(file)}
    for path in sorted(folder.glob("*/images/*.jpg")):
        if (series_of(path.name) in split["photos2"]["held"]) == held:
            row = rows[path.name]
            yield path, row["unlabelled_boxes"] == row["backs_or_dice_seen"] == "0"


DETECTOR_SIZE = 640


def prepare(
    out: Path,
    data: Path,
    drawn: Path,
    nothing: Path,
    *,
    variants: int,
    check: Detector | None,
    seed: int = 0,
) -> Path:
    """Write `out/{train,val}/{images,labels}` and return the path of its data.yaml.

    Photos in which unlabelled tiles may lie are cut out around their labels and laid on another
    ground, so that nothing unlabelled is taught to be no tile. An earlier detector, as `check`,
    can show more of them to be complete. Pictures of `nothing` have no tiles.
    """
    grounds = load_grounds(data)
    whole = whole_pictures(data, check)
    for split in ("train", "val"):
        for name in ("images", "labels"):
            (out / split / name).mkdir(parents=True, exist_ok=True)
    photos = load_sources(data / "photos/images/train", turned=False, complete=whole)
    photos += load_series(data)
    dice = load_sources(data / "dice/images/train", turned=False, complete=True)
    for kind, sources, copies in (("photo", photos, variants), ("dice", dice, 1)):
        for number, source in enumerate(sources):
            for copy in range(copies):
                random = np.random.default_rng([seed, copy, number, len(kind)])
                image, outlines = vary(random, source, grounds)
                _write(out / "train", f"{kind}{number:04}_{copy}", image, outlines)
    for path in sorted((drawn / "images").glob("*.jpg")):
        rows = labels_of(path).read_text(encoding="utf-8").splitlines()
        _link(out / "train", path, ["0 " + " ".join(row.split()[1:]) for row in rows if row])
    for path in sorted(nothing.glob("*.jpg")):
        _link(out / "train", path, [])
    val = load_sources(data / "photos/images/val", turned=False, complete=whole)
    for number, source in enumerate(source for source in val if source.complete):
        corners = [outline_of(box, 0) for box in source.boxes]
        _write(out / "val", f"photo{number:04}", source.image, corners)
    description = out / "data.yaml"
    description.write_text(
        f"path: {out.resolve()}\ntrain: train/images\nval: val/images\nnames:\n  0: thing\n",
        encoding="utf-8",
    )
    return description


def whole_pictures(data: Path, check: Detector | None = None) -> set[str]:
    """Photos that may be shown whole.

    The trays of one project are fully labelled. In the other's, walls of backs are never
    labelled: there a picture counts as complete only where `check` finds nothing more.
    """
    whole = set()
    with (data / "photos" / "sources.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["unmatched_confident_detections"] != "0":
                continue
            path = data / "photos" / "images" / row["split"] / row["file"]
            fully_labelled = row["roboflow_project"].startswith("chinese")
            if fully_labelled:
                whole.add(row["file"])
            elif check is not None:  # everything found has its middle in a labelled box
                source = load_source(path, turned=False, complete=False)
                found = check.detect(source.image).xyxy
                middles = (found[:, None, :2] + found[:, None, 2:]) / 2
                inside = (middles > source.boxes[None, :, :2]) & (
                    middles < source.boxes[None, :, 2:]
                )
                if np.all(np.any(np.all(inside, axis=-1), axis=1)):
                    whole.add(row["file"])
    return whole


def vary(
    random: Random, source: CropSource, grounds: list[Image]
) -> tuple[Image, list[NDArray[np.float64]]]:
    """Turn, stretch and zoom a photo onto a 640-pixel ground; outlines in its pixels."""
    image, boxes = source.image, source.boxes
    height, width = image.shape[:2]
    mask = np.full((height, width), 255, np.uint8)
    if not source.complete and len(boxes):
        mask[:] = 0  # but for the labelled boxes and a little around them
        margin = random.uniform(0.02, 0.25) * np.median(boxes[:, 2:] - boxes[:, :2])
        for x1, y1, x2, y2 in boxes:
            low, high = (int(x1 - margin), int(y1 - margin)), (int(x2 + margin), int(y2 + margin))
            cv2.rectangle(mask, low, high, 255, -1)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 1), np.uint8)
    turn = float(90 * random.integers(4) + random.normal(0, 4))
    if not source.turned and random.random() < 0.65:  # loose boxes would only grow further
        turn = random.uniform(0, 360)
    stretch = np.exp(random.normal(0, 0.15))
    if random.random() < SQUEEZED_SHARE:
        stretch = np.exp(random.uniform(-SQUEEZED, SQUEEZED))
    zoom = DETECTOR_SIZE / max(height, width) * np.exp(random.uniform(-0.5, 0.5))
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    linear = zoom * np.array([[cos, -sin], [sin, cos]]) @ np.diag([stretch, 1 / stretch])
    focus = np.array([width, height]) / 2
    if zoom * max(height, width) > DETECTOR_SIZE or not source.complete:
        focus = np.mean([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)], axis=0)
        focus = focus + random.normal(0, 0.1, 2) * [width, height]
    matrix = np.hstack([linear, (DETECTOR_SIZE / 2 - linear @ focus)[:, None]])
    ground = random_ground(random, grounds, DETECTOR_SIZE)
    border = cv2.warpAffine(mask, matrix, (DETECTOR_SIZE, DETECTOR_SIZE), flags=cv2.INTER_LINEAR)
    warped = cv2.warpAffine(image, matrix, (DETECTOR_SIZE, DETECTOR_SIZE), flags=cv2.INTER_LINEAR)
    alpha = border[..., None] * np.float32(1 / 255)
    picture = (warped * alpha + ground * (1 - alpha)).astype(np.uint8)
    outlines = []
    for box in boxes:
        moved = outline_of(box, 0.07) @ matrix[:, :2].T + matrix[:, 2]
        inside = np.clip(moved, 0, DETECTOR_SIZE)
        if np.prod(np.ptp(inside, axis=0)) > 0.45 * np.prod(np.ptp(moved, axis=0)):
            outlines.append(inside)
    if random.random() < 0.5:
        picture = relight(random, picture)
    return picture, outlines


def outline_of(box: NDArray[np.float64], cut: float) -> NDArray[np.float64]:
    """(8, 2) corners of a box, each cut off by a share of its shorter side."""
    x1, y1, x2, y2 = box
    c = cut * min(x2 - x1, y2 - y1)
    return np.array(
        [[x1 + c, y1], [x2 - c, y1], [x2, y1 + c], [x2, y2 - c],
         [x2 - c, y2], [x1 + c, y2], [x1, y2 - c], [x1, y1 + c]]
    )  # fmt: skip


def _link(folder: Path, picture: Path, rows: list[str]) -> None:
    link = folder / "images" / picture.name
    if not link.exists():
        link.symlink_to(picture.resolve())
    (folder / "labels" / f"{picture.stem}.txt").write_text("\n".join(rows), encoding="utf-8")


def _write(folder: Path, name: str, image: Image, outlines: list[NDArray[np.float64]]) -> None:
    write_labelled(folder, name, image, np.zeros(len(outlines), np.int64), outlines)


def write_labelled(
    folder: Path,
    name: str,
    image: Image,
    labels: NDArray[np.int64],
    outlines: list[NDArray[np.float64]],
) -> None:
    """Write a picture and the boxes around its outlines (pixels) as YOLO wants them."""
    rows, size = [], np.array([image.shape[1], image.shape[0]])
    for label, outline in zip(labels, outlines, strict=True):
        low, high = outline.min(axis=0) / size, outline.max(axis=0) / size
        (x, y), (w, h) = (low + high) / 2, high - low
        rows.append(f"{label} {x:.5f} {y:.5f} {w:.5f} {h:.5f}")
    (folder / "labels" / f"{name}.txt").write_text("\n".join(rows), encoding="utf-8")
    path = folder / "images" / f"{name}.jpg"
    cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
