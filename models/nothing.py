"""Pictures without tiles, so that the networks learn what is none.

`python -m models.nothing --out models/runs/nothing [--font FONT] PICTURES…` takes any pictures
(files or folders; transparent ones are laid on a ground) and writes pages of Chinese writing.
`--check-with models/weights` notes beside each picture what a detector takes for tiles there.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from models.crops import CropSource
from models.pictures import Random, load_image, scaled, shrunk
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import OnnxDetector
from table_assist.vision.reading.recognise import NOTHING_CLASS
from table_assist.vision.reading.tiling import find_all
from table_assist.vision.reading.weights import load_weights

EMPTY_SIDE, SHORTEST_SIDE = 960, 100  # px
STAMPS = 9  # transparent pictures on one ground
EMPTY_SUFFIXES = {".jpg", ".jpeg", ".png"}
MOST_FOUND = 40  # boxes of one picture


def write(out: Path, pictures: list[Path], font: Path | None, pages: int, seed: int = 0) -> None:
    """Bring the pictures to size, collect small transparent ones, and write the pages."""
    out.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    stamps: list[Image] = []
    for number, path in enumerate(pictures):
        image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if image is None or min(image.shape[:2]) < SHORTEST_SIDE or image.dtype != np.uint8:
            continue
        picture = np.asarray(image, np.uint8)
        if picture.ndim == 3 and picture.shape[2] == 4 and picture[..., 3].min() == 0:
            stamps.append(picture)
            if len(stamps) < STAMPS:
                continue
            # Pictures with transparent ground beside each other
            side = 300
            ground = np.empty((3 * side, 3 * side, 3), np.uint8)
            ground[:] = random.uniform(0, 255, 3)
            for place, stamp in enumerate(stamps):
                small = scaled(stamp, side / max(stamp.shape[:2]))
                height, width = small.shape[:2]
                y, x = place // 3 * side, place % 3 * side
                part = ground[y : y + height, x : x + width]
                alpha = small[..., 3:] / np.float32(255)
                part[:] = (small[..., :3] * alpha + part * (1 - alpha)).astype(np.uint8)
            picture, stamps = ground, []
        picture = load_image(path) if picture.ndim == 2 else picture[..., :3]
        cv2.imwrite(str(out / f"picture{number:05}.jpg"), shrunk(picture, EMPTY_SIDE)[0])
    if font is not None:
        for number in range(pages):
            cv2.imwrite(str(out / f"page{number:05}.jpg"), page(random, font))


def page(random: Random, font: Path) -> Image:
    """Common Chinese characters in lines, in one colour on another."""
    from PIL import Image as Drawing
    from PIL import ImageDraw, ImageFont

    paper, ink = (tuple(random.integers(0, 256, 3).tolist()) for _ in range(2))
    picture = Drawing.new("RGB", (640, 640), paper)
    draw = ImageDraw.Draw(picture)
    y = 5.0
    while y < 640:
        size = int(np.exp(random.uniform(np.log(14), np.log(120))))
        # The first level of GB 2312: the 3,755 commonest characters.
        codes = [(random.integers(0xB0, 0xD8), random.integers(0xA1, 0xFA)) for _ in range(46)]
        line = b"".join(bytes(map(int, code)) for code in codes).decode("gb2312", "ignore")
        draw.text((10, y), line, ink, ImageFont.truetype(str(font), size))
        y += size * random.uniform(1.1, 1.8)
    return np.ascontiguousarray(np.asarray(picture)[..., ::-1])


def load_nothing(folder: Path, most: int) -> list[CropSource]:
    """Sources whose boxes show nothing: noted mistakes, and boxes anywhere; `most` pictures."""
    paths = sorted(folder.glob("*.jpg"))
    return [_source(path) for path in paths[:: max(1, -(-len(paths) // most))]]


def _source(path: Path) -> CropSource:
    image = load_image(path)
    random = np.random.default_rng(image.size)
    (height, width), noted = image.shape[:2], path.with_suffix(".boxes")
    boxes = []
    for _ in range(12):
        long = np.exp(random.uniform(np.log(20), np.log(0.45 * min(height, width))))
        size = long * np.array([1, random.uniform(1, 1.45)])
        size = size if random.random() < 0.5 else size[::-1]
        low = random.uniform(0, 1, 2) * np.maximum([width, height] - size, 1)
        boxes.append(np.concatenate([low, low + size]))
    if noted.exists() and noted.stat().st_size:
        boxes += list(np.loadtxt(noted, ndmin=2))
    labels = np.full(len(boxes), NOTHING_CLASS, np.int64)
    return CropSource(image, labels, np.array(boxes), turned=False, complete=False)


def main() -> None:
    """Write pictures from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path, nargs="*")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--font", type=Path)
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--check-with", type=Path)
    options = parser.parse_args()
    found: list[Path] = []
    for path in options.pictures:
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        found += [file for file in inside if file.suffix.lower() in EMPTY_SUFFIXES]
    write(options.out, found, options.font, options.pages)
    if options.check_with:
        detector = OnnxDetector(load_weights(options.check_with).detector, threads=1)
        for listed in sorted(options.out.glob("*.jpg")):
            boxes = find_all(detector, load_image(listed)).xyxy[:MOST_FOUND]
            np.savetxt(listed.with_suffix(".boxes"), boxes, fmt="%.1f")


if __name__ == "__main__":
    main()
