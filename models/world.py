"""Looks from the whole space of tables, a tenth of which is held out.

`look_of` has the few looks that the program was made on. Here are cloths with patterns, backs of
the cloth's own colour, coloured bodies, glowing consoles, cameras whose exposure wanders, lamps
that flicker, tiles of all sizes and cameras that look askew. What is held out is a rule and no
list: nobody looks at it while mending.
"""

from dataclasses import replace
from enum import StrEnum
from itertools import count
from math import cos, pi, sin
from random import Random
from zlib import crc32

import numpy as np

from table_assist.twin.lens import Lens, askew
from table_assist.twin.looks import (
    BACK_COLOURS,
    FELTS,
    ClothPattern,
    Colour,
    Emblem,
    EmblemKind,
    EmblemPlace,
    Glass,
    TableLook,
    look_of,
    toned,
    varied,
)
from table_assist.twin.optics import distorted
from table_assist.twin.scene import TABLE_MM, TILE_LENGTH_MM, TILE_WIDTH_MM, Cover, Point, rectangle
from table_assist.vision.table.calibration import LEAST_PX_PER_TILE

VARIED = (0.9, 1.15)  # how light a colour is, beside what it is
# Corners that are a centimetre off, and a distorting lens, make a side so many times shorter.
CORNER_ROOM = 1.03
CAMERA_SIZES_WH = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
SIZE_SHARES = (0.25, 0.45, 0.2, 0.1)
TURNED_DEG, CORNER_OFF_MM = 4.0, 10.0
# How long tiles are, from a travel set's to a machine's; and what table people have for them.
LENGTHS_MM = (24.0, 44.0)
TABLE_FOR_MM, TABLE_PER_MM, OTHER_TABLE_MM = 560.0, 8.0, 50.0
# A camera hangs straight above, or looks askew by so much.
ASKEW_SHARE, WORLD_ASKEW_DEG = 0.6, (4.0, 25.0)
# As a phone on a shelf looks: so many of those askew.
STEEP_SHARE, STEEP_DEG = 0.2, (25.0, 35.0)


class WorldLooks(StrEnum):
    """Where an evening's look comes from."""

    USUAL = "usual"
    WORLD = "world"
    HELD_OUT = "held-out"


class Back(StrEnum):
    """Of what colour the tiles' backs are."""

    USUAL = "usual"
    AS_CLOTH = "as the cloth"
    BAMBOO = "bamboo"
    BLACK = "black"
    ROSE = "rose"


BODIES = (
    (224, 236, 242), (206, 228, 240), (236, 240, 240), (196, 214, 226), (222, 232, 214),
    (226, 214, 236),
)  # fmt: skip
CLOTHS = (*FELTS.values(), (84, 128, 168), (40, 40, 44), (128, 150, 84))
PLATES = ((58, 56, 54), (36, 34, 34), (190, 168, 96), (120, 200, 120))
_BACKS: dict[Back, Colour] = {
    Back.BAMBOO: (96, 172, 206),
    Back.BLACK: (44, 42, 42),
    Back.ROSE: (132, 96, 206),
}
# Of the combinations of a pattern and a back one in ten, by this remainder, is held out.
LOOK_PARTS, HELD_LOOK = 10, 3


def is_held_out(pattern: ClothPattern, back: Back) -> bool:
    """Whether such tables are only measured on."""
    place = list(ClothPattern).index(pattern) * len(Back) + list(Back).index(back)
    return place % LOOK_PARTS == HELD_LOOK


def look_from(looks: WorldLooks, seed: int) -> TableLook:
    """The look of an evening; the same seed is the same look."""
    return (
        look_of(seed)
        if looks is WorldLooks.USUAL
        else world_look(seed, held=looks is WorldLooks.HELD_OUT)
    )


def is_mixture_held_out(look: TableLook) -> bool:
    """Whether such a body, plate, light, lens and print together are only measured on."""
    optics = look.optics
    kinds = (
        BODIES.index(look.ivory), PLATES.index(look.plate),
        *(amount > 0 for amount in (
            optics.second_lamp, optics.daylight, optics.mirror, optics.shadow, optics.breathing_px,
            optics.distortion, look.wear, look.engraved, look.careless,
        )),
    )  # fmt: skip
    return crc32(repr(kinds).encode()) % LOOK_PARTS == HELD_LOOK


def world_look(seed: int, *, held: bool) -> TableLook:
    """One look of the whole space: of its held-out part, or of the rest.

    Of the held-out evenings those with an odd seed have a held-out pattern and back, the others a
    held-out mixture of all else. What `rarer` adds has a rule of its own.
    """
    by_pair = held and seed % 2 == 1
    for attempt in count():
        look, back = _drawn(seed, attempt, by_pair=by_pair)
        if by_pair or is_mixture_held_out(look) is held:
            return with_rarer(look, seed, held=held, is_bamboo=back is Back.BAMBOO)
    raise AssertionError("unreachable")


def _drawn(seed: int, attempt: int, *, by_pair: bool) -> tuple[TableLook, Back]:
    rng = np.random.default_rng((seed, 0x30CB1D, attempt) if attempt else (seed, 0x30CB1D))
    kinds = [(p, b) for p in ClothPattern for b in Back if is_held_out(p, b) is by_pair]
    pattern, back = kinds[int(rng.integers(len(kinds)))]
    usual = look_of(seed)
    felt = varied(rng, CLOTHS[int(rng.integers(len(CLOTHS)))], VARIED)
    optics = replace(
        usual.optics,
        drift=float(rng.uniform(0, 0.06)),
        banding=float(max(0.0, rng.uniform(-0.08, 0.08))),
        jpeg_quality=int(rng.integers(55, 95)),
        noise=float(rng.uniform(1.4, 5.0)),
        second_lamp=_sometimes(rng, 0.4, 0.2, 0.6),
        daylight=_sometimes(rng, 0.3, 0.1, 0.35),
        mirror=_sometimes(rng, 0.2, 0.15, 0.5),
        shadow=_sometimes(rng, 0.3, 0.1, 0.35),
        breathing_px=_sometimes(rng, 0.25, 0.5, 1.2),
        distortion=_sometimes(rng, 0.5, 0.01, 0.06),
        lamp=_lamp(rng),
    )
    backs = tuple(BACK_COLOURS.values())
    colour = {**_BACKS, Back.AS_CLOTH: felt}.get(back) or backs[int(rng.integers(len(backs)))]
    look = replace(
        usual,
        felt=felt,
        pattern=pattern,
        back=varied(rng, colour, VARIED),
        ivory=BODIES[int(rng.integers(len(BODIES)))],
        plate=PLATES[int(rng.integers(len(PLATES)))],
        optics=optics,
        wear=_sometimes(rng, 0.4, 0.1, 0.45),
        engraved=_sometimes(rng, 0.4, 0.3, 1.0),
        careless=_sometimes(rng, 0.25, 0.3, 1.0),
    )
    return look, back


def tile_scale(looks: WorldLooks, seed: int) -> float:
    """How large an evening's tiles are beside its table: times as large as usual ones are.

    Tables are drawn 800 wide: small tiles on a small table look as large ones on a large table.
    """
    if looks is WorldLooks.USUAL:
        return 1.0
    rng = np.random.default_rng((seed, 0x512E))
    length = float(rng.uniform(*LENGTHS_MM))
    table = TABLE_FOR_MM + TABLE_PER_MM * length + float(rng.uniform(-1, 1)) * OTHER_TABLE_MM
    return length / TILE_LENGTH_MM * TABLE_MM / table


def tilt_from(looks: WorldLooks, seed: int) -> float:
    """How far askew an evening's camera looks, in degrees."""
    rng = np.random.default_rng((seed, 0x711E))
    is_askew, tilt = rng.uniform() < ASKEW_SHARE, float(rng.uniform(*WORLD_ASKEW_DEG))
    if rng.uniform() < STEEP_SHARE:
        tilt = float(rng.uniform(*STEEP_DEG))
    return tilt if is_askew and looks is not WorldLooks.USUAL else 0.0


def world_lens(lens: Lens, seed: int, *, scale: float, tilt_deg: float) -> Lens:
    """Another camera of 720 to 2160 lines, hung as people hang it: not quite straight.

    It has as many lines as such tiles need at least: with less the program does not begin.

    Args:
        scale: of the tiles, as `tile_scale`.
        tilt_deg: how far askew it looks; 0: as the lens does.
    """
    rng = np.random.default_rng((seed, 0x1E45))
    drawn = int(rng.choice(len(CAMERA_SIZES_WH), p=SIZE_SHARES))
    turn = lens.turn_deg + float(rng.uniform(-TURNED_DEG, TURNED_DEG))
    # Before it has seen tiles, the program takes them for usual ones.
    least = CORNER_ROOM * LEAST_PX_PER_TILE / (TILE_WIDTH_MM * min(scale, 1.0))
    for size_wh in CAMERA_SIZES_WH[drawn:]:
        camera = _hung(lens, size_wh, turn, tilt_deg)
        corners = np.array(camera.corners_px())
        sides_px = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        if float(sides_px.min() / TABLE_MM) >= least:
            break
    return camera


def _hung(lens: Lens, size_wh: tuple[int, int], turn_deg: float, tilt_deg: float) -> Lens:
    """A camera of that size as it is hung."""
    if tilt_deg:
        return askew(replace(lens, size_wh=size_wh), tilt_deg, turn_deg=turn_deg)
    fits = min(size_wh[0] / lens.size_wh[0], size_wh[1] / lens.size_wh[1])
    # A turned table needs more room.
    room = np.cos(np.radians(45 - abs(turn_deg))) * np.sqrt(2)
    return replace(lens, size_wh=size_wh, px_per_mm=lens.px_per_mm * fits / room, turn_deg=turn_deg)


def tapped_corners(lens: Lens, look: TableLook, seed: int) -> tuple[Point, Point, Point, Point]:
    """Where people tap the table's corners in the picture: beside them by up to a centimetre."""
    rng = np.random.default_rng((seed, 0xC0))
    half = TABLE_MM / 2
    off = rng.uniform(-CORNER_OFF_MM, CORNER_OFF_MM, (4, 2)) / np.sqrt(2)
    a, b, c, d = (
        distorted(lens.project(x * half + dx, y * half + dy), lens.size_wh, look.optics.distortion)
        for (x, y), (dx, dy) in zip(((-1, -1), (1, -1), (1, 1), (-1, 1)), off.tolist(), strict=True)
    )
    return a, b, c, d


def _sometimes(rng: np.random.Generator, share: float, least: float, most: float) -> float:
    """Nothing, or with that probability something between two bounds."""
    comes, amount = rng.uniform() < share, float(rng.uniform(least, most))
    return amount if comes else 0.0


def _lamp(rng: np.random.Generator) -> tuple[float, float, float]:
    """Its colour, and how wrongly the camera takes it for white."""
    level, warmth, green = rng.uniform(0.8, 1.08), rng.uniform(-0.2, 0.24), rng.uniform(-0.05, 0.05)
    return (
        float(level * (1 - warmth)),
        float(level * (1 + green)),
        float(level * (1 + 0.5 * warmth)),
    )


EMBLEM_SHARE, WORLD_GLASS_SHARE, STREAM_SHARE, GRAIN_SHARE = 0.4, 0.2, 0.3, 0.8
GLOW_SHARE, GLOW = 0.8, (0.1, 0.45)
# A console whose colour is brighter than this, of 255, is lit.
LIT = 128
INK, SEE_THROUGH, STREAM_MBIT, GRAIN = (0.45, 0.95), (0.12, 0.38), (1.5, 10.0), (0.3, 1.0)
# Of printed colours the last two are the cloth's own, lighter or darker.
INKS = ((70, 160, 200), (215, 220, 220), (40, 40, 40), (40, 40, 170))
TONES = (1.3, 0.7)
PANE_TINTS = (
    (196, 222, 190), (150, 196, 232), (240, 238, 232), (214, 202, 238), (166, 166, 170),
)  # fmt: skip
HELD_RARER = 2
# Of held-out evenings every third has a held-out mixture of these.
HELD_EVERY = 3


def with_rarer(look: TableLook, seed: int, *, held: bool, is_bamboo: bool) -> TableLook:
    """The look with what its table has besides.

    Args:
        is_bamboo: its backs are, and may show their fibres.
    """
    wants_held = held and seed % HELD_EVERY == 0
    is_lit = max(look.plate) > LIT
    for attempt in count():
        rng = _stream(seed, 0x61A55, attempt)
        see_through = _sometimes(rng, WORLD_GLASS_SHARE, *SEE_THROUGH)
        tint, is_whole = PANE_TINTS[int(rng.integers(len(PANE_TINTS)))], bool(rng.uniform() < 0.5)
        found = replace(
            look,
            emblem=_emblem(_stream(seed, 0xE3B1E3, attempt), look.felt),
            glass=Glass(see_through, tint, is_whole) if see_through > 0 else None,
            grain=_sometimes(_stream(seed, 0xF1B3E, attempt), GRAIN_SHARE * is_bamboo, *GRAIN),
            optics=replace(
                look.optics,
                stream_mbit=_sometimes(_stream(seed, 0x264, attempt), STREAM_SHARE, *STREAM_MBIT),
                glow=_sometimes(_stream(seed, 0x610, attempt), GLOW_SHARE * is_lit, *GLOW),
            ),
        )
        if (held and not wants_held) or is_rarer_held_out(found) is wants_held:
            return found
    raise AssertionError("unreachable")


def is_rarer_held_out(look: TableLook) -> bool:
    """Whether such a print, such tiles and such a stream together are only measured on."""
    emblem, glass = look.emblem, look.glass
    kinds = (
        None if emblem is None else (str(emblem.kind), str(emblem.place)),
        None if glass is None else glass.is_whole,
        look.optics.stream_mbit > 0,
    )
    return kinds != (None, None, False) and crc32(repr(kinds).encode()) % LOOK_PARTS == HELD_RARER


def _stream(seed: int, which: int, attempt: int) -> np.random.Generator:
    return np.random.default_rng((seed, which, attempt))


def _emblem(rng: np.random.Generator, felt: Colour) -> Emblem | None:
    ink = _sometimes(rng, EMBLEM_SHARE, *INK)
    kinds, places = tuple(EmblemKind), tuple(EmblemPlace)
    kind, place = kinds[int(rng.integers(len(kinds)))], places[int(rng.integers(len(places)))]
    tones = tuple(toned(felt, tone) for tone in TONES)
    colours = (*INKS, *tones)
    colour, which = colours[int(rng.integers(len(colours)))], int(rng.integers(6))
    return Emblem(kind, place, colour, ink, which) if ink > 0 else None


CUPS = ((220, 226, 228), (60, 70, 150), (90, 120, 60), (30, 30, 34))
PHONES = ((28, 26, 26), (190, 186, 180), (120, 70, 40))
CHIPS = ((40, 40, 190), (180, 90, 30), (60, 150, 60), (70, 190, 220))
COINS = ((96, 168, 204), (176, 180, 184), (70, 104, 150))
COIN_SHARE, COIN_MM = 0.35, (9.5, 13.0)
_HALF = TABLE_MM / 2
_CORNER_MM = 36.0  # from the edge: where no seat's rows lie
_RIM_MM = 34.0  # beyond the edge


def clutter(seed: int) -> tuple[Cover, ...]:
    """Some things on the rim and in the corners; the same seed is the same table."""
    rng = Random(f"clutter-{seed}")
    things: list[Cover] = []
    corners = [(x, y) for x in (-1, 1) for y in (-1, 1)]
    inner = _HALF - _CORNER_MM
    for right, up in rng.sample(corners, rng.randint(1, 3)):
        for _ in range(rng.randint(2, 5)):
            place = right * inner + rng.uniform(-16, 16), up * inner + rng.uniform(-16, 16)
            things.append(Cover(_round(*place, rng.uniform(9, 14)), rng.choice(CHIPS), 3.0))
    for side in rng.sample(range(4), rng.randint(1, 3)):
        along = rng.uniform(-0.8, 0.8) * _HALF
        beyond = _HALF + _RIM_MM
        x, y = ((along, -beyond), (beyond, along), (along, beyond), (-beyond, along))[side]
        match rng.choice(("cup", "phone", "snack")):
            case "cup":
                thing = Cover(_round(x, y, rng.uniform(26, 32)), rng.choice(CUPS), 70.0)
            case "phone":
                turn = 90.0 * (abs(y) > abs(x)) + rng.uniform(-6, 6)
                outline = rectangle(x, y, width=62, depth=140, turn_deg=turn)
                thing = Cover(outline, rng.choice(PHONES), 9.0)
            case _:
                colour = (rng.randint(20, 90), rng.randint(60, 190), rng.randint(120, 235))
                thing = Cover(_round(x, y, rng.uniform(14, 28)), colour, 18.0)
        things.append(thing)
    return (*things, *_coins(Random(f"coins-{seed}")))


def _coins(rng: Random) -> list[Cover]:
    """Sometimes: a few beside each other on a corner or the rim, each with a brighter edge."""
    if rng.random() >= COIN_SHARE:
        return []
    inner, beyond = _HALF - _CORNER_MM, _HALF + _RIM_MM
    corner = rng.choice((-1, 1)) * inner, rng.choice((-1, 1)) * inner
    rim = rng.uniform(-0.8, 0.8) * _HALF, rng.choice((-1, 1)) * beyond
    x, y = rng.choice((corner, rim))
    found = []
    for _ in range(rng.randint(2, 6)):
        at, radius = (x + rng.uniform(-18, 18), y + rng.uniform(-18, 18)), rng.uniform(*COIN_MM)
        metal = rng.choice(COINS)
        bright = (min(metal[0] + 34, 255), min(metal[1] + 34, 255), min(metal[2] + 34, 255))
        found.append(Cover(_round(*at, radius), bright, 2.0))
        found.append(Cover(_round(*at, 0.78 * radius), metal, 2.1))
    return found


def _round(x: float, y: float, radius: float) -> tuple[Point, ...]:
    return tuple((x + radius * cos(k * pi / 10), y + radius * sin(k * pi / 10)) for k in range(20))
