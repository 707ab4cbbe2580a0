"""How a simulated table looks: cloth, rim, tiles, lamp and the camera's faults."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

import numpy as np

Colour = tuple[int, int, int]


class ClothPattern(StrEnum):
    """The cloth's pattern besides its colour."""

    PLAIN = "plain"
    WOVEN = "woven"  # a fine grid
    PRINTED = "printed"  # an ornament around the middle and in the corners
    SEAMED = "seamed"  # pieces that were sewn together, each a little lighter or darker
    WOODEN = "wooden"  # boards instead of cloth


class EmblemKind(StrEnum):
    """The print on a cloth besides its pattern."""

    SEAL = "seal"  # a character in a ring
    WIND = "wind"  # each seat's own
    WORD = "word"
    KNOT = "knot"
    FLOWER = "flower"


class EmblemPlace(StrEnum):
    """Where it is printed."""

    MIDDLE = "middle"
    CORNERS = "corners"
    SIDES = "sides"


# Blue, green, red, as a white picture under a white lamp would show them.
FELTS: dict[str, Colour] = {
    "green": (62, 104, 42),
    "blue": (122, 78, 34),
    "wine": (52, 34, 104),
    "grey": (104, 100, 98),
    "petrol": (98, 92, 26),
}
RIMS: dict[str, Colour] = {
    "walnut": (34, 52, 82),
    "black": (38, 36, 36),
    "white": (196, 200, 202),
    "oak": (86, 132, 172),
}
BACK_COLOURS: dict[str, Colour] = {
    "green": (78, 138, 34),
    "blue": (168, 98, 30),
    "amber": (42, 138, 214),
}
FLOOR_COLOURS = ((70, 84, 98), (96, 112, 124), (58, 76, 104), (104, 104, 100))
IVORIES = ((224, 236, 242), (206, 228, 240), (236, 240, 240))


@dataclass(frozen=True, slots=True)
class Emblem:
    """A large print on the cloth.

    Attributes:
        ink: how little of the cloth's own colour is seen through it, 0-1.
        which: of several characters, or words.
    """

    kind: EmblemKind
    place: EmblemPlace
    colour: Colour
    ink: float = 0.8
    which: int = 0


@dataclass(frozen=True, slots=True)
class Glass:
    """Tiles through which light passes.

    Attributes:
        see_through: how much of what lies below is seen, 0-1.
        tint: the body's colour.
        is_whole: the back is of the same piece: the cloth is seen through it. Otherwise it is the
            back's own layer that is seen.
    """

    see_through: float
    tint: Colour
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class DieLook:
    """Of what kind the dice are.

    Attributes:
        accent: the colour of the pips of one and four.
        clear: how far light passes through the body, 0-1: it is brighter where the light leaves.
        round_mm: a corner's radius.
        one: how large the single pip is, of the die's half side; the others are ``pip``.
        size_mm: an edge.
        has_sides: the sides have pips, too, as a camera askew sees them.
    """

    body: Colour = (238, 242, 244)
    pips: Colour = (40, 34, 32)
    accent: Colour = (38, 30, 190)
    clear: float = 0.0
    round_mm: float = 3.0
    one: float = 0.4
    pip: float = 0.235
    size_mm: float = 16.0
    has_sides: bool = False


@dataclass(frozen=True, slots=True)
class Reflection:
    """A light's mirror image on the glass over a well.

    Attributes:
        x, y: its middle, in radii of the glass.
        wide, high: half its sides, in radii.
        turn_deg: counter-clockwise.
        level: its brightness, 1 for as bright as white.
        is_lamp: round; else a window or a strip light.
    """

    x: float
    y: float
    wide: float
    high: float
    turn_deg: float
    level: float
    is_lamp: bool


@dataclass(frozen=True, slots=True)
class WellLook:
    """The round window in an automatic table's console, in which the dice lie under glass.

    Attributes:
        radius_mm: of the window; the ring around it is ``ring_mm`` wide.
        console_mm: half the console's side.
        buttons: their colours, around the ring.
        haze: how milky the glass is, 0-1.
        rim: how brightly the glass shines towards its border, 0-1: a dome's is steep there.
    """

    radius_mm: float
    ring_mm: float
    ring: Colour
    floor: Colour
    console: Colour
    console_mm: float
    buttons: tuple[Colour, ...] = ()
    haze: float = 0.0
    rim: float = 0.0
    reflections: tuple[Reflection, ...] = ()


@dataclass(frozen=True, slots=True)
class Optics:
    """The effects of lamp and camera on the picture.

    Attributes:
        lamp: gain for blue, green and red; warm light has less blue.
        uneven: how much darker the far side from the lamp is, 0-1.
        vignette: how much darker the picture's corners are, 0-1.
        glare: how much a tile shines where it mirrors the lamp, 0-1.
        noise: standard deviation, grey levels.
        blur_px: standard deviation of the lens' blur; 0 is sharp.
        jitter_px: the most that a picture is shifted.
        jpeg_quality: 1-100; 0 leaves the picture as it is.
        drift: how far exposure and white balance wander, 0-1, in some hundred pictures.
        banding: how much darker a lamp's flicker makes every other band of rows, 0-1.
        second_lamp: the share of the light that comes from another side, 0-1.
        daylight: how much brighter a window makes its side when no cloud is before the sun, 0-1.
        mirror: how bright a screen is that the table mirrors, 0-1.
        shadow: how dark the shadow of somebody is who walks around the table, 0-1.
        breathing_px: the blur of a lens that looks for its focus again and again.
        distortion: how far the lens pulls in the picture's corners, 0-1.
        stream_mbit: a second, of a phone's H.264 stream if it had 1080 lines; instead of JPEG.
            0: there is no stream.
        grey: how little a camera shows of all colours, 0-1.
        glow: how much light a console throws on what lies right beside it, 0-1; in its colour.
    """

    lamp: tuple[float, float, float] = (1.0, 1.0, 1.0)
    uneven: float = 0.18
    vignette: float = 0.16
    glare: float = 0.10
    noise: float = 2.4
    blur_px: float = 0.0
    jitter_px: float = 0.5
    jpeg_quality: int = 90
    drift: float = 0.0
    banding: float = 0.0
    second_lamp: float = 0.0
    daylight: float = 0.0
    mirror: float = 0.0
    shadow: float = 0.0
    breathing_px: float = 0.0
    distortion: float = 0.0
    stream_mbit: float = 0.0
    grey: float = 0.0
    glow: float = 0.0


@dataclass(frozen=True, slots=True)
class TableLook:
    """Everything that differs from one table to the next but not from picture to picture.

    Attributes:
        lamp_mm: the point of the table below the lamp; shadows point away from it.
        plate: the console in the middle; one that glows is light.
        wear: how much of the print is rubbed off, 0-1.
        engraved: how deep the print is cut into the tile, 0-1.
        careless: how crookedly, and in how uneven a light, the faces were photographed, 0-1.
        grain: how clearly the fibres of bamboo backs are seen, 0-1.
        emblem: what is printed on the cloth; None: nothing.
        glass: of what else than plain bodies the tiles are; None: of nothing else.
        well: where the dice lie under glass; None: they are thrown on the cloth.
        is_fitted: the rim is raised, with trays for sticks in it, and a rail goes round it.
    """

    felt: Colour = FELTS["green"]
    rim: Colour = RIMS["walnut"]
    floor: Colour = FLOOR_COLOURS[0]
    back: Colour = BACK_COLOURS["blue"]
    ivory: Colour = IVORIES[0]
    lamp_mm: tuple[float, float] = (-160.0, 220.0)
    pattern: ClothPattern = ClothPattern.PLAIN
    plate: Colour = (58, 56, 54)
    wear: float = 0.0
    engraved: float = 0.0
    careless: float = 0.0
    grain: float = 0.0
    emblem: Emblem | None = None
    glass: Glass | None = None
    die: DieLook = DieLook()
    well: WellLook | None = None
    is_fitted: bool = False
    optics: Optics = Optics()


def toned(colour: Colour, tone: float) -> Colour:
    """So many times as light."""
    blue, green, red = (min(round(tone * channel), 255) for channel in colour)
    return blue, green, red


def varied(rng: np.random.Generator, colour: Colour, level: tuple[float, float]) -> Colour:
    """A little other than it is, lighter or darker by a factor between those."""
    light = rng.uniform(*level)
    blue, green, red = (int(np.clip(c * light * rng.uniform(0.95, 1.05), 12, 245)) for c in colour)
    return blue, green, red


def look_of(seed: int) -> TableLook:
    """One of many looks; the same seed is the same look."""
    rng = np.random.default_rng((seed, 0x7AB1E))

    def pick(colours: tuple[Colour, ...]) -> Colour:
        return colours[int(rng.integers(len(colours)))]

    vary = partial(varied, rng, level=(0.88, 1.1))
    warmth = float(rng.uniform(-0.10, 0.16))
    level = float(rng.uniform(0.86, 1.06))
    angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(120, 420)
    optics = replace(
        Optics(),
        lamp=(level * (1 - warmth), level * (1 - 0.15 * warmth), level * (1 + 0.35 * warmth)),
        uneven=float(rng.uniform(0.08, 0.3)),
        vignette=float(rng.uniform(0.08, 0.26)),
        glare=float(rng.uniform(0.0, 0.2)),
        noise=float(rng.uniform(1.4, 3.6)),
        blur_px=float(rng.uniform(0.0, 0.7)),
        jpeg_quality=int(rng.integers(78, 95)),
    )
    return TableLook(
        felt=vary(pick(tuple(FELTS.values()))),
        rim=vary(pick(tuple(RIMS.values()))),
        floor=pick(FLOOR_COLOURS),
        back=vary(pick(tuple(BACK_COLOURS.values()))),
        ivory=pick(IVORIES),
        lamp_mm=(float(reach * np.cos(angle)), float(reach * np.sin(angle))),
        optics=optics,
    )
