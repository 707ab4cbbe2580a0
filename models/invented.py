"""Tile sets that nobody has made: characters in any font, dots and bamboos of any pattern.

The sets of which there are pictures are some two dozen, and a stranger's is another one.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Drawing
from PIL import ImageDraw, ImageFont

from models.printing import SIZE_WH, Face, Ink, Inks, Point, Random, bar
from models.suits import bamboos, dots
from table_assist.tiles.tile import Tile
from table_assist.twin.faces import FaceSet
from table_assist.vision.pictures.picture import Image

FONT_SUFFIXES = {".ttf", ".ttc", ".otf"}
NUMBERS, FORMAL_FIVE = "一二三四五六七八九", "伍"
WINDS = {"E": "東", "S": "南", "W": "西", "N": "北"}
NEEDED = NUMBERS + FORMAL_FIVE + "萬中發" + "".join(WINDS.values())


def chinese_fonts(folder: Path) -> list[Path]:
    """The fonts below a folder that have all characters of a set; written ones three times.

    Raises:
        FileNotFoundError: there is none.
    """
    files = sorted(p for p in folder.rglob("*") if p.suffix.lower() in FONT_SUFFIXES)
    fit = [path for path in files if "Thin" not in path.stem and _has_all(path)]
    if not fit:
        raise FileNotFoundError(f"no font below {str(folder)!r} has all of {NEEDED}")
    # Characters on tiles are cut as a brush writes them, Kai, seldom as books are printed.
    return [path for path in fit for _ in range(3 if "kai" in path.stem.lower() else 1)]


def invented_set(random: Random, fonts: Sequence[Path], others: Sequence[FaceSet]) -> FaceSet:
    """A set of its own; what no rule draws (birds, flowers, seasons) is taken from another one."""
    inks = _inks(random)
    made = {
        **_characters(random, fonts[int(random.integers(len(fonts)))], inks),
        **dots(random, inks),
        **bamboos(random, inks),
        "P": _white(random, inks),
    }
    named = {str(tile): tile for tile in Tile}
    pictures: dict[Tile, Image] = {}
    pictured = [faces for faces in others if named["1f"] in faces.pictures]
    if pictured:
        pictures |= pictured[int(random.integers(len(pictured)))].pictures
    return FaceSet("invented", pictures | {named[name]: face for name, face in made.items()})


def _has_all(path: Path) -> bool:
    try:
        font = ImageFont.truetype(str(path), 24)
    except OSError:
        return False
    missing = bytes(font.getmask("\U0010fffd"))
    masks = [bytes(font.getmask(each)) for each in NEEDED]
    return len(set(masks)) == len(masks) and missing not in masks and b"" not in masks


def _inks(random: Random) -> Inks:
    def near(colour: Ink) -> Ink:
        b, g, r = np.clip(np.array(colour) + random.normal(0, 14, 3), 0, 200)
        return float(b), float(g), float(r)

    blue, black = near((150, 60, 25)), near((25, 22, 20))
    return Inks(
        dark=blue if random.random() < 0.45 else black,
        red=near((35, 25, 185)),
        green=near((60, 115, 15)),
        blue=blue,
    )


# -- characters ------------------------------------------------------------------------------------


def _characters(random: Random, font: Path, inks: Inks) -> dict[str, Image]:
    """Numbers above their ten thousand, winds, red and green dragons."""
    myriad = "万" if random.random() < 0.15 and _knows(font, "万") else "萬"
    green = "发" if random.random() < 0.08 and _knows(font, "发") else "發"
    numbers = list(NUMBERS)
    if random.random() < 0.5:
        numbers[4] = FORMAL_FIVE
    wide, high = random.uniform(0.62, 0.86), random.uniform(0.34, 0.44)
    below = inks.red if random.random() < 0.85 else inks.dark
    bold = int(random.choice([0, 0, 1, 2]))
    made = {}
    for value, number in enumerate(numbers, 1):
        face = Face.blank()
        face.lay(_glyph(font, number, (0.5, 0.29), (wide * 0.92, high), bold), inks.dark)
        face.lay(_glyph(font, myriad, (0.5, 0.71), (wide, high), bold), below)
        made[f"{value}m"] = face.picture()
    tall = random.uniform(0.55, 0.84)
    honours = {name: (char, inks.dark) for name, char in WINDS.items()}
    honours |= {"C": ("中", inks.red), "F": (green, inks.green)}
    for name, (char, ink) in honours.items():
        face = Face.blank()
        face.lay(_glyph(font, char, (0.5, 0.5), (wide, tall), bold), ink)
        made[name] = face.picture()
    return made


def _knows(font: Path, char: str) -> bool:
    loaded = ImageFont.truetype(str(font), 24)
    return bytes(loaded.getmask(char)) not in (bytes(loaded.getmask("\U0010fffd")), b"")


def _glyph(font: Path, char: str, at: Point, within: Point, bold: int) -> NDArray[np.uint8]:
    """A mask (288, 216) with the character fitted into a box around a point, as far as it can."""
    width, height = SIZE_WH
    loaded = ImageFont.truetype(str(font), 160)
    left, top, right, bottom = loaded.getbbox(char)
    drawn = Drawing.new("L", (int(right - left), int(bottom - top)))
    ImageDraw.Draw(drawn).text((-left, -top), char, 255, loaded, stroke_width=bold)
    glyph = np.asarray(drawn, np.uint8)
    room = np.array(within) * SIZE_WH
    # Flat characters (一) are not blown up to the box's height.
    scale = room / np.maximum([glyph.shape[1], glyph.shape[0]], 150)
    size = np.maximum(1, (np.array([glyph.shape[1], glyph.shape[0]]) * scale).astype(int))
    small = cv2.resize(glyph, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    mask = np.zeros((height, width), np.uint8)
    x, y = (np.array(at) * SIZE_WH - size / 2).astype(int)
    mask[y : y + size[1], x : x + size[0]] = small
    return mask


# -- the white dragon ------------------------------------------------------------------------------


def _white(random: Random, inks: Inks) -> Image:
    """Nothing, a frame, a frame in a frame, or one broken into dashes."""
    face = Face.blank()
    kind = random.random()
    if kind < 0.3:
        return face.picture()
    ink = (inks.blue, inks.blue, inks.dark, inks.green, inks.red)[int(random.integers(5))]
    margin = random.uniform(0.08, 0.2)
    frames = 1 if kind < 0.6 else 2
    thick = random.uniform(0.02, 0.07) * SIZE_WH[0]
    for number in range(frames):
        inset = margin + number * random.uniform(0.07, 0.11)
        corners = [(inset, inset * 0.8), (1 - inset, inset * 0.8),
                   (1 - inset, 1 - inset * 0.8), (inset, 1 - inset * 0.8)]  # fmt: skip
        points = [np.array(each) * SIZE_WH for each in corners]
        for start, end in zip(points, [*points[1:], points[0]], strict=True):
            pieces = 5 if kind > 0.85 else 1
            for piece in range(pieces):
                low, high = piece / pieces, (piece + (0.6 if pieces > 1 else 1.0)) / pieces
                bar(face, start + (end - start) * low, start + (end - start) * high, thick, ink)
    return face.picture()
