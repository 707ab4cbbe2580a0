"""Clutter beside the tiles, where it is not in the way: cups, phones, snacks, chips, coins."""

from math import cos, pi, sin
from random import Random

from table_assist.twin.looks import Colour
from table_assist.twin.scene import TABLE_MM, Cover, Point, rectangle

CUPS: tuple[Colour, ...] = ((220, 226, 228), (60, 70, 150), (90, 120, 60), (30, 30, 34))
PHONES: tuple[Colour, ...] = ((28, 26, 26), (190, 186, 180), (120, 70, 40))
CHIPS: tuple[Colour, ...] = ((40, 40, 190), (180, 90, 30), (60, 150, 60), (70, 190, 220))
COINS: tuple[Colour, ...] = ((96, 168, 204), (176, 180, 184), (70, 104, 150))
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
        things += _chips(rng, right * inner, up * inner)
    for side in rng.sample(range(4), rng.randint(1, 3)):
        along = rng.uniform(-0.8, 0.8) * _HALF
        beyond = _HALF + _RIM_MM
        x, y = ((along, -beyond), (beyond, along), (along, beyond), (-beyond, along))[side]
        things.append(rng.choice((_cup, _phone, _snack))(rng, x, y))
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


def _chips(rng: Random, x: float, y: float) -> list[Cover]:
    found = []
    for _ in range(rng.randint(2, 5)):
        place = x + rng.uniform(-16, 16), y + rng.uniform(-16, 16)
        found.append(Cover(_round(*place, rng.uniform(9, 14)), rng.choice(CHIPS), 3.0))
    return found


def _cup(rng: Random, x: float, y: float) -> Cover:
    return Cover(_round(x, y, rng.uniform(26, 32)), rng.choice(CUPS), 70.0)


def _phone(rng: Random, x: float, y: float) -> Cover:
    turn = 90.0 * (abs(y) > abs(x)) + rng.uniform(-6, 6)
    return Cover(rectangle(x, y, width=62, depth=140, turn_deg=turn), rng.choice(PHONES), 9.0)


def _snack(rng: Random, x: float, y: float) -> Cover:
    colour = (rng.randint(20, 90), rng.randint(60, 190), rng.randint(120, 235))
    return Cover(_round(x, y, rng.uniform(14, 28)), colour, 18.0)


def _round(x: float, y: float, radius: float) -> tuple[Point, ...]:
    return tuple((x + radius * cos(k * pi / 10), y + radius * sin(k * pi / 10)) for k in range(20))
