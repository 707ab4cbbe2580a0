"""One of many wells of automatic tables, and the dice in it."""

from math import pi

import numpy as np

from table_assist.twin.looks import Colour, DieLook, Reflection, WellLook

WELL_RINGS = (
    (200, 204, 206), (60, 58, 58), (70, 160, 200), (36, 34, 34), (150, 120, 60), (70, 60, 170),
)  # fmt: skip
WELL_FLOORS = (
    (40, 38, 38), (62, 104, 42), (122, 78, 34), (190, 194, 196), (52, 34, 104), (90, 120, 150),
)  # fmt: skip
CONSOLES = (
    (48, 46, 44), (210, 212, 212), (58, 74, 92), (96, 104, 108), (120, 60, 30), (40, 60, 120),
)  # fmt: skip
BUTTONS = (
    (60, 60, 200), (80, 170, 60), (190, 120, 40), (230, 230, 230), (40, 190, 220), (40, 40, 44),
)  # fmt: skip
_WHITE, _BLACK, _RED = (238, 242, 244), (40, 34, 32), (38, 30, 190)
# Bodies with the colours of their pips, of those of one and four, and how clear they are.
WELL_DICE: tuple[tuple[Colour, Colour, Colour, float], ...] = (
    (_WHITE, _BLACK, _RED, 0.0),
    (_WHITE, _BLACK, _BLACK, 0.0),
    (_WHITE, (150, 70, 30), _RED, 0.0),
    ((44, 34, 196), (240, 240, 240), (240, 240, 240), 0.6),
    ((170, 96, 30), (240, 240, 240), (240, 240, 240), 0.6),
    ((40, 130, 224), (250, 250, 250), (250, 250, 250), 0.5),
    ((42, 40, 40), (240, 240, 240), (240, 240, 240), 0.0),
    ((70, 120, 40), (240, 240, 240), (240, 240, 240), 0.4),
    ((214, 232, 240), _BLACK, _RED, 0.0),
)


def well_of(seed: int) -> tuple[WellLook, DieLook]:
    """One of many wells and the dice in it; the same seed is the same well."""
    rng = np.random.default_rng((seed, 0x3E11))

    def pick(colours: tuple[Colour, ...]) -> Colour:
        gain = rng.uniform(0.88, 1.1)
        blue, green, red = (
            int(np.clip(gain * channel + rng.normal(0, 4), 8, 250))
            for channel in colours[int(rng.integers(len(colours)))]
        )
        return blue, green, red

    radius = float(rng.uniform(36, 62))
    ring = float(rng.uniform(2, 9))
    well = WellLook(
        radius_mm=radius,
        ring_mm=ring,
        ring=pick(WELL_RINGS),
        floor=pick(WELL_FLOORS),
        console=pick(CONSOLES),
        console_mm=radius + ring + float(rng.uniform(6, 34)),
        buttons=tuple(pick(BUTTONS) for _ in range(int(rng.integers(0, 9)))),
        haze=float(rng.uniform(0, 0.14)),
        rim=float(rng.uniform(0, 0.45)),
        reflections=tuple(_reflection(rng) for _ in range(int(rng.integers(0, 4)))),
    )
    body, pips, accent, clear = WELL_DICE[int(rng.integers(len(WELL_DICE)))]
    size = float(rng.uniform(12, 18))
    return well, DieLook(
        body=body,
        pips=pips,
        accent=accent,
        clear=clear * float(rng.uniform(0.4, 1)),
        round_mm=size * float(rng.uniform(0.08, 0.3)),
        one=float(rng.uniform(0.24, 0.5)),
        pip=float(rng.uniform(0.2, 0.27)),
        size_mm=size,
        has_sides=True,
    )


def _reflection(rng: np.random.Generator) -> Reflection:
    """A ceiling's lamp is small on a dome, a window or a strip light longer."""
    away, turn = np.sqrt(rng.uniform()) * 0.9, rng.uniform(0, 2 * pi)
    is_lamp = bool(rng.uniform() < 0.6)
    wide = float(rng.uniform(0.03, 0.09))
    return Reflection(
        x=float(away * np.cos(turn)),
        y=float(away * np.sin(turn)),
        wide=wide,
        high=wide if is_lamp else wide * float(rng.uniform(1.5, 5)),
        turn_deg=float(np.degrees(turn) + rng.normal(0, 12)),
        level=float(rng.uniform(0.25, 1.3)),
        is_lamp=is_lamp,
    )
