"""Draw the tile faces: SVG for the dashboard, small PNG for the simulated table.

Needs fonttools (``pip install -e '.[art]'``), a Chromium for the PNGs, and the font Yuji Boku
(SIL Open Font License 1.1): ``npm pack @fontsource/yuji-boku`` and in it
``files/yuji-boku-japanese-400-normal.woff``, which has the characters, the digits and the "?".

    python tools/draw_tiles.py --font yuji-boku-japanese-400-normal.woff
"""

import argparse
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from tile_bird import bird
from tile_plants import autumn, bamboo_plant, chrysanthemum, orchid, plum, spring, summer, winter
from tile_shapes import (
    BLUE,
    GREEN,
    HEIGHT,
    INK,
    RED,
    WIDTH,
    back,
    bamboo,
    dots,
    figure,
    filled,
    ivory_ground,
    white_dragon,
)

ROOT = Path(__file__).parents[1]
NUMERALS = "一二三四伍六七八九"
# The simulator's tiles are about 46 px long; three times that leaves room for larger pictures.
RASTER_WH = (120, 160)
OVERSAMPLING = 4


class Brush:
    """Writes characters of one font as SVG paths."""

    def __init__(self, font_path: Path) -> None:
        font = TTFont(font_path)
        self._glyphs = font.getGlyphSet()
        self._names = font.getBestCmap()
        self._em = font["head"].unitsPerEm

    def write(self, character: str, *, x: float, y: float, size: float, colour: str) -> str:
        """One character, its ink centred on a point; ``size`` is the em."""
        glyph = self._glyphs[self._names[ord(character)]]
        bounds = BoundsPen(self._glyphs)
        glyph.draw(bounds)
        left, low, right, high = bounds.bounds
        scale = size / self._em
        # Whole units of a tile 300 wide are finer than any screen shows, and a third shorter.
        pen = SVGPathPen(self._glyphs, ntos=lambda value: str(round(value)))
        place = (scale, 0, 0, -scale, x - scale * (left + right) / 2, y + scale * (low + high) / 2)
        glyph.draw(TransformPen(pen, place))
        return filled(pen.getCommands(), colour)


def drawings(brush: Brush) -> dict[str, str]:
    """Each face's content, without the ground, by the tile's name."""
    faces = {f"{k}p": dots(k) for k in range(1, 10)}
    faces |= {f"{k}s": bamboo(k) for k in range(2, 10)} | {"1s": bird()}
    for k, numeral in enumerate(NUMERALS, start=1):
        faces[f"{k}m"] = brush.write(numeral, x=150, y=104, size=164, colour=INK) + brush.write(
            "萬", x=150, y=278, size=212, colour=RED
        )
    for name, wind in zip("ESWN", "東南西北", strict=True):
        faces[name] = brush.write(wind, x=150, y=200, size=276, colour=BLUE)
    faces["C"] = brush.write("中", x=150, y=200, size=304, colour=RED)
    faces["F"] = brush.write("發", x=150, y=200, size=280, colour=GREEN)
    faces["P"] = white_dragon()
    for suit, names, plants, character, digit in (
        ("f", "梅蘭菊竹", (plum, orchid, chrysanthemum, bamboo_plant), INK, RED),
        ("q", "春夏秋冬", (spring, summer, autumn, winter), RED, INK),
    ):
        for k, (name, plant) in enumerate(zip(names, plants, strict=True), start=1):
            faces[f"{k}{suit}"] = _bonus(brush, name, k, plant, character, digit)
    return faces


def _bonus(
    brush: Brush, name: str, k: int, plant: Callable[[], str], character: str, figure_colour: str
) -> str:
    return (
        plant()
        + brush.write(name, x=74, y=76, size=104, colour=character)
        + figure(k, x=240, y=72, colour=figure_colour)
    )


def svg(content: str) -> str:
    """A whole drawing, in tile units."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{content}</svg>\n'
    )


def unknown(brush: Brush) -> str:
    """A tile nobody could read: grey, so that it never passes for a face."""
    line = ' stroke="#9aa0a8" stroke-width="8" stroke-dasharray="22 16"'
    return (
        f'<rect x="6" y="6" width="288" height="388" rx="33" fill="#e9eaec"{line}/>'
        + brush.write("?", x=150, y=200, size=250, colour="#7d848e")
    )


def write_svgs(folder: Path, brush: Brush, faces: dict[str, str]) -> None:
    """The faces on ivory, the back and the unknown tile."""
    whole = {name: ivory_ground() + content for name, content in faces.items()}
    whole |= {"back": back(), "unknown": unknown(brush)}
    for name, content in whole.items():
        (folder / f"{name}.svg").write_text(svg(content), encoding="utf-8")


def write_rasters(folder: Path, faces: dict[str, str], chromium: str) -> None:
    """The faces without their ground, as BGRA pictures."""
    width, height = (side * OVERSAMPLING for side in RASTER_WH)
    style = "*{margin:0}body{background:transparent;line-height:0}"
    page = f"<style>{style}svg{{width:{width}px;height:{height}px;display:block}}</style>"
    page += "".join(svg(content) for content in faces.values())
    with tempfile.TemporaryDirectory() as temporary:
        html, shot = Path(temporary, "faces.html"), Path(temporary, "faces.png")
        html.write_text(page, encoding="utf-8")
        subprocess.run(
            [
                chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
                "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                f"--user-data-dir={temporary}/profile", "--default-background-color=00000000",
                f"--window-size={width},{height * len(faces)}", f"--screenshot={shot}",
                html.as_uri(),
            ],
            check=True, capture_output=True,
        )  # fmt: skip
        strip = np.asarray(cv2.imread(str(shot), cv2.IMREAD_UNCHANGED))
    for row, name in enumerate(faces):
        large = strip[row * height : (row + 1) * height, :width].astype(np.float32)
        large[..., :3] *= large[..., 3:] / 255
        small = np.asarray(cv2.resize(large, RASTER_WH, interpolation=cv2.INTER_AREA), np.float32)
        small[..., :3] /= np.maximum(small[..., 3:], 1) / 255
        cv2.imwrite(
            str(folder / f"{name}.png"),
            np.clip(np.round(small), 0, 255).astype(np.uint8),
            [cv2.IMWRITE_PNG_COMPRESSION, 9],
        )


def main() -> None:
    """Draw everything anew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--font", type=Path, required=True)
    parser.add_argument("--chromium", default="chromium-headless-shell")
    parser.add_argument("--svg", type=Path, default=ROOT / "web/static/tiles")
    parser.add_argument("--png", type=Path, default=ROOT / "table_assist/twin/rasters")
    options = parser.parse_args()
    brush = Brush(options.font)
    faces = drawings(brush)
    for folder in (options.svg, options.png):
        folder.mkdir(parents=True, exist_ok=True)
    write_svgs(options.svg, brush, faces)
    write_rasters(options.png, faces, options.chromium)


if __name__ == "__main__":
    main()
