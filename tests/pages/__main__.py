"""Contact sheets: every page at five sizes, in both languages, light and dark.

``python -m tests.pages DIR`` writes a sheet for each page; ``--only desk --scale 1`` one of them,
large. ``--overview FILE`` writes what the repository keeps: each page once on a phone and a laptop.
"""

import argparse
import tempfile
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from playwright.sync_api import Page, sync_playwright

from tests.conftest import ARGUMENTS, CHROMIUM
from tests.pages.shown import PAGES, Shown, Stages, as_nobody, looked_at

SIZES = ((360, 640), (390, 844), (844, 390), (1280, 720), (1920, 1080))
LOOKS = (("en", "light"), ("en", "dark"), ("zh", "light"), ("zh", "dark"))
OVERVIEW = {("en", "light"): ((390, 844),), ("zh", "dark"): ((1280, 720),)}
IN_A_ROW = 6
GAP_PX, QUALITY = 8, 55
Image = npt.NDArray[np.uint8]  # (height, width, 3) BGR


def main() -> None:
    """Draw the sheets."""
    options = _arguments()
    shown = [each for each in PAGES if not options.only or each.name in options.only]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        as_nobody(Path(folder))
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        stages = Stages(Path(folder))
        pairs: list[Image] = []
        for each in shown:
            taken = {}
            for look, sizes in (
                dict.fromkeys(LOOKS, SIZES) if options.folder else OVERVIEW
            ).items():
                with looked_at(browser, stages, each, *look) as page:
                    pictures = [_scaled(_picture(page, size), options.scale) for size in sizes]
                taken[look] = dict(zip(sizes, pictures, strict=True))
            pairs.append(_beside([taken[look][sizes[0]] for look, sizes in OVERVIEW.items()]))
            if options.folder:
                rows = [_beside(list(row.values())) for row in taken.values()]
                _write(options.folder / f"{each.name}.webp", _below(rows))
            print(each.name, flush=True)
        if options.overview:
            _write(options.overview, _overview(pairs, shown))
        stages.close()
        browser.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.pages", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="for a sheet of each page")
    parser.add_argument("--only", nargs="+", choices=[each.name for each in PAGES])
    parser.add_argument("--scale", type=float, default=0.5)
    parser.add_argument("--overview", type=Path, help="file for all pages on one sheet")
    return parser.parse_args()


def _picture(page: Page, size: tuple[int, int]) -> Image:
    """What is seen without scrolling, and as much again where the page goes on."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(150)
    high = min(2 * height, page.evaluate("document.documentElement.scrollHeight"))
    clip = {"x": 0, "y": 0, "width": width, "height": max(height, high)}
    taken = page.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]
    image = cv2.imdecode(np.frombuffer(taken, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    if high > height:
        image[height - 1 : height + 1] = (0, 0, 255)  # the screen ends here
    return image.astype(np.uint8)


def _scaled(image: Image, scale: float) -> Image:
    return cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(
        np.uint8
    )


def _beside(images: list[Image]) -> Image:
    high = max(image.shape[0] for image in images)
    return np.hstack([_framed(image, image.shape[1], high) for image in images])


def _below(images: list[Image]) -> Image:
    wide = max(image.shape[1] for image in images)
    return np.vstack([_framed(image, wide, image.shape[0]) for image in images])


def _framed(image: Image, wide: int, high: int) -> Image:
    ground = np.full((high + GAP_PX, wide + GAP_PX, 3), 128, np.uint8)
    ground[: image.shape[0], : image.shape[1]] = image
    return ground


def _overview(pairs: list[Image], shown: list[Shown]) -> Image:
    """The pairs in rows, each under its name."""
    for image, each in zip(pairs, shown, strict=True):
        place = (4, image.shape[0] - 2)
        cv2.putText(image, each.name, place, cv2.FONT_HERSHEY_SIMPLEX, 0.35, (0, 0, 0))
    rows = [pairs[at : at + IN_A_ROW] for at in range(0, len(pairs), IN_A_ROW)]
    return _below([_beside(row) for row in rows])


def _write(path: Path, image: Image) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), image, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])


if __name__ == "__main__":
    main()
