"""Tile sets that nobody has made: characters in any font, dots and bamboos of any pattern.

The sets of which there are pictures are some two dozen, and a stranger's is another one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Drawing
from PIL import ImageDraw, ImageFont

from table_assist.tiles.tile import Tile
from table_assist.twin.faces import FaceSet
from table_assist.vision.pictures.picture import Image

# The print of a tile's face: inks, discs and bars.

Random = np.random.Generator
Ink = tuple[float, float, float]  # BGR
Point = tuple[float, float]  # shares of a face's width and height, or px
DRAWN_WH = (216, 288)  # px of a drawn face
STROKE_GAP = (250.0, 250.0, 250.0)  # what shows between strokes


@dataclass(slots=True)
class Face:
    """A face in the making: inks, and where they lie."""

    colour: Image = field(default_factory=lambda: np.full((*DRAWN_WH[::-1], 3), 255, np.uint8))
    opacity: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(DRAWN_WH[::-1], np.uint8))

    def lay(self, mask: NDArray[np.uint8], ink: Ink) -> None:
        """Print a mask (288, 216) of 0 to 255 in one ink."""
        share = mask[..., None] / np.float32(255)
        self.colour[:] = self.colour * (1 - share) + np.array(ink, np.float32) * share
        np.maximum(self.opacity, mask, out=self.opacity)

    def picture(self) -> Image:
        """(288, 216, 4) BGRA."""
        return np.dstack([self.colour, self.opacity])


@dataclass(frozen=True, slots=True)
class Inks:
    """Of one set."""

    dark: Ink
    red: Ink
    green: Ink
    blue: Ink


def disc(face: Face, at: Point, radius: float, ink: Ink) -> None:
    """Print a disc around a point, in px."""
    mask = np.zeros(face.opacity.shape, np.uint8)
    centre = (round(at[0] * 16), round(at[1] * 16))
    cv2.circle(mask, centre, round(radius * 16), 255, -1, cv2.LINE_AA, 4)
    face.lay(mask, ink)


def bar(
    face: Face, start: NDArray[np.float64], end: NDArray[np.float64], thick: float, ink: Ink
) -> None:
    """Print a bar with round ends from point to point, in px."""
    mask = np.zeros(face.opacity.shape, np.uint8)
    ends = [(round(float(x) * 16), round(float(y) * 16)) for x, y in (start, end)]
    cv2.line(mask, ends[0], ends[1], 255, max(1, round(thick)), cv2.LINE_AA, 4)
    face.lay(mask, ink)


# Dots and bamboos as no maker has them: another pattern, thickness and place for each set.


def dots(random: Random, inks: Inks) -> dict[str, Image]:
    """All nine, by name; one set in eight has them in one ink."""
    pattern = _DOTS[int(random.integers(len(_DOTS)))]
    spread = random.uniform(0.88, 1.1)
    plain = random.random() < 0.12  # all dots in one ink
    made = {}
    for value, places in _dot_places(random).items():
        face = Face()
        radius = 0.36 if value == 1 else {2: 0.2, 3: 0.16, 4: 0.17, 5: 0.15}.get(value, 0.13)
        radius *= spread * DRAWN_WH[0] * (random.uniform(0.8, 1.1) if value == 1 else 1.0)
        for index, (x, y) in enumerate(places):
            ink = inks.blue if plain else _dot_ink(value, index, inks)
            other = inks.red if ink is not inks.red else inks.green
            pattern(face, (x * DRAWN_WH[0], y * DRAWN_WH[1]), radius, ink, other)
            if value == 1:
                pattern(face, (x * DRAWN_WH[0], y * DRAWN_WH[1]), radius / 2, other, ink)
        made[f"{value}p"] = face.picture()
    return made


def _dot_ink(value: int, index: int, inks: Inks) -> Ink:
    """As most sets have them: lower halves, middles and slanting rows stand out."""
    if value == 3:
        return (inks.blue, inks.red, inks.green)[index]
    if value == 5:
        return inks.red if index == 4 else (inks.blue, inks.green, inks.green, inks.blue)[index]
    if value == 6:
        return inks.green if index < 2 else inks.red
    if value == 7:
        return inks.green if index < 3 else inks.red
    if value == 9:
        return (inks.blue, inks.red, inks.green)[index // 3]
    if value in (2, 4):
        return (inks.green, inks.blue)[(index + index // 2) % 2]
    return inks.blue


def _dot_places(random: Random) -> dict[int, list[Point]]:
    left, right = 0.5 - random.uniform(0.18, 0.25), 0.5 + random.uniform(0.18, 0.25)
    top, bottom = random.uniform(0.17, 0.24), random.uniform(0.76, 0.83)
    two = [(left, top), (right, top)]
    four = [*two, (left, bottom), (right, bottom)]
    slanting = [(0.22, 0.16), (0.5, 0.25), (0.78, 0.34)]
    lower = random.uniform(0.53, 0.6)
    return {
        1: [(0.5, 0.5)],
        2: [(0.5, 0.27), (0.5, 0.73)],
        3: [(0.24, 0.2), (0.5, 0.5), (0.76, 0.8)],
        4: four,
        5: [*four, (0.5, 0.5)],
        6: [*two, (left, lower), (right, lower), (left, 0.83), (right, 0.83)],
        7: [*slanting, (left, 0.6), (right, 0.6), (left, 0.85), (right, 0.85)],
        8: [(x, y) for y in (0.14, 0.38, 0.62, 0.86) for x in (left, right)],
        9: [(x, y) for y in (0.2, 0.5, 0.8) for x in (0.2, 0.5, 0.8)],
    }


Pattern = Callable[[Face, Point, float, Ink, Ink], None]


def _rings(*shares: float, is_other: bool = False) -> Pattern:
    """Discs in each other, in ink and ivory by turns; or the innermost in another ink."""

    def pattern(face: Face, at: Point, radius: float, ink: Ink, other: Ink) -> None:
        inks = (ink, STROKE_GAP, other if is_other else ink, STROKE_GAP, ink)
        for share, shown in zip(shares, inks, strict=False):
            disc(face, at, radius * share, shown)

    return pattern


def _flowered(face: Face, at: Point, radius: float, ink: Ink, other: Ink) -> None:
    disc(face, at, radius, ink)
    disc(face, at, radius * 0.8, STROKE_GAP)
    for angle in np.arange(6) * np.pi / 3:
        away = np.array([np.cos(angle), np.sin(angle)]) * radius * 0.48
        disc(face, (at[0] + away[0], at[1] + away[1]), radius * 0.2, ink)
    disc(face, at, radius * 0.22, other)


def _spoked(face: Face, at: Point, radius: float, ink: Ink, other: Ink) -> None:
    disc(face, at, radius, ink)
    disc(face, at, radius * 0.78, STROKE_GAP)
    for angle in np.arange(4) * np.pi / 4:
        away = np.array([np.cos(angle), np.sin(angle)]) * radius * 0.8
        bar(face, np.array(at) - away, np.array(at) + away, max(2.0, radius * 0.1), ink)
    disc(face, at, radius * 0.34, other)


_DOTS: tuple[Pattern, ...] = (
    _rings(1.0, 0.72, 0.45), _rings(1.0, 0.3), _rings(1.0, 0.66, 0.5, is_other=True),
    _rings(1.0, 0.84, 0.66, 0.5, 0.3), _flowered, _spoked,
)  # fmt: skip


# -- bamboos ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Stick:
    """One stick from end to end, in shares of the face."""

    start: Point
    end: Point
    is_middle: bool = False  # red in most sets


def bamboos(random: Random, inks: Inks) -> dict[str, Image]:
    """Two to nine, by name; the one is a bird."""
    thick = random.uniform(0.055, 0.1) * DRAWN_WH[0]
    knots, line = int(random.integers(0, 4)), random.random() < 0.5
    second = inks.blue if random.random() < 0.3 else inks.green
    made = {}
    for value in range(2, 10):
        face = Face()
        for number, stick in enumerate(_sticks(value, random.random() < 0.5)):
            ink = inks.red if stick.is_middle else (inks.green, second)[number % 2]
            start, end = np.array(stick.start) * DRAWN_WH, np.array(stick.end) * DRAWN_WH
            along = (end - start) / np.linalg.norm(end - start)
            across = np.array([-along[1], along[0]])
            bar(face, start, end, thick, ink)
            if line:
                bar(face, start, end, max(1.0, thick * 0.22), STROKE_GAP)
            for place in np.linspace(0, 1, knots) if knots > 1 else ():
                at = start + (end - start) * place
                bar(face, at - across * thick * 0.7, at + across * thick * 0.7, thick * 0.45, ink)
        made[f"{value}s"] = face.picture()
    return made


def _sticks(value: int, is_turned: bool) -> Iterator[_Stick]:
    """Upright sticks in rows, but for the slanting ones of the eight."""
    if value == 8:
        for upper, bottom, meets_above in ((0.12, 0.44, is_turned), (0.56, 0.88, not is_turned)):
            outer, inner = (bottom, upper) if meets_above else (upper, bottom)
            for across, towards in ((0.16, 0.44), (0.84, 0.56)):
                yield _Stick((across, upper), (across, bottom))
                yield _Stick((across + (towards - across) * 0.32, outer), (towards, inner))
        return
    rows: dict[int, list[list[tuple[float, bool]]]] = {
        2: [[(0.5, False)], [(0.5, False)]],
        3: [[(0.5, False)], [(0.27, False), (0.73, False)]],
        4: [[(0.27, False), (0.73, False)]] * 2,
        6: [[(0.2, False), (0.5, False), (0.8, False)]] * 2,
        7: [[(0.5, True)], *[[(0.2, False), (0.5, False), (0.8, False)]] * 2],
        9: [[(0.2, False), (0.5, True), (0.8, False)]] * 3,
    }
    if value == 5:
        rows[5] = rows[4]
        yield _Stick((0.5, 0.36), (0.5, 0.64), is_middle=True)
    room = 0.86 / len(rows[value])
    for number, row in enumerate(rows[value]):
        top = 0.07 + number * room
        for x, is_middle in row:
            yield _Stick((x, top + 0.18 * room), (x, top + 0.82 * room), is_middle)


FONT_SUFFIXES = {".ttf", ".ttc", ".otf"}
NUMBERS, FORMAL_FIVE = "一二三四五六七八九", "伍"
WIND_GLYPHS = {"E": "東", "S": "南", "W": "西", "N": "北"}
NEEDED = NUMBERS + FORMAL_FIVE + "萬中發" + "".join(WIND_GLYPHS.values())


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
        face = Face()
        face.lay(_glyph(font, number, (0.5, 0.29), (wide * 0.92, high), bold), inks.dark)
        face.lay(_glyph(font, myriad, (0.5, 0.71), (wide, high), bold), below)
        made[f"{value}m"] = face.picture()
    tall = random.uniform(0.55, 0.84)
    honours = {name: (char, inks.dark) for name, char in WIND_GLYPHS.items()}
    honours |= {"C": ("中", inks.red), "F": (green, inks.green)}
    for name, (char, ink) in honours.items():
        face = Face()
        face.lay(_glyph(font, char, (0.5, 0.5), (wide, tall), bold), ink)
        made[name] = face.picture()
    return made


def _knows(font: Path, char: str) -> bool:
    loaded = ImageFont.truetype(str(font), 24)
    return bytes(loaded.getmask(char)) not in (bytes(loaded.getmask("\U0010fffd")), b"")


def _glyph(font: Path, char: str, at: Point, within: Point, bold: int) -> NDArray[np.uint8]:
    """A mask (288, 216) with the character fitted into a box around a point, as far as it can."""
    width, height = DRAWN_WH
    loaded = ImageFont.truetype(str(font), 160)
    left, top, right, bottom = loaded.getbbox(char)
    drawn = Drawing.new("L", (int(right - left), int(bottom - top)))
    ImageDraw.Draw(drawn).text((-left, -top), char, 255, loaded, stroke_width=bold)
    glyph = np.asarray(drawn, np.uint8)
    room = np.array(within) * DRAWN_WH
    # Flat characters (一) are not blown up to the box's height.
    scale = room / np.maximum([glyph.shape[1], glyph.shape[0]], 150)
    size = np.maximum(1, (np.array([glyph.shape[1], glyph.shape[0]]) * scale).astype(int))
    small = cv2.resize(glyph, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    mask = np.zeros((height, width), np.uint8)
    x, y = (np.array(at) * DRAWN_WH - size / 2).astype(int)
    mask[y : y + size[1], x : x + size[0]] = small
    return mask


# -- the white dragon ------------------------------------------------------------------------------


def _white(random: Random, inks: Inks) -> Image:
    """Nothing, a frame, a frame in a frame, or one broken into dashes."""
    face = Face()
    kind = random.random()
    if kind < 0.3:
        return face.picture()
    ink = (inks.blue, inks.blue, inks.dark, inks.green, inks.red)[int(random.integers(5))]
    margin = random.uniform(0.08, 0.2)
    frames = 1 if kind < 0.6 else 2
    thick = random.uniform(0.02, 0.07) * DRAWN_WH[0]
    for number in range(frames):
        inset = margin + number * random.uniform(0.07, 0.11)
        corners = [(inset, inset * 0.8), (1 - inset, inset * 0.8),
                   (1 - inset, 1 - inset * 0.8), (inset, 1 - inset * 0.8)]  # fmt: skip
        points = [np.array(each) * DRAWN_WH for each in corners]
        for start, end in zip(points, [*points[1:], points[0]], strict=True):
            pieces = 5 if kind > 0.85 else 1
            for piece in range(pieces):
                low, high = piece / pieces, (piece + (0.6 if pieces > 1 else 1.0)) / pieces
                bar(face, start + (end - start) * low, start + (end - start) * high, thick, ink)
    return face.picture()
