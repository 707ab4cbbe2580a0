"""Dots and bamboos as no maker has them: another pattern, thickness and place for each set."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from models.printing import IVORY, SIZE_WH, Face, Ink, Inks, Point, Random, bar, disc
from table_assist.vision.pictures.picture import Image


def dots(random: Random, inks: Inks) -> dict[str, Image]:
    """All nine, by name; one set in eight has them in one ink."""
    pattern = _DOTS[int(random.integers(len(_DOTS)))]
    spread = random.uniform(0.88, 1.1)
    plain = random.random() < 0.12  # all dots in one ink
    made = {}
    for value, places in _dot_places(random).items():
        face = Face.blank()
        radius = 0.36 if value == 1 else {2: 0.2, 3: 0.16, 4: 0.17, 5: 0.15}.get(value, 0.13)
        radius *= spread * SIZE_WH[0] * (random.uniform(0.8, 1.1) if value == 1 else 1.0)
        for index, (x, y) in enumerate(places):
            ink = inks.blue if plain else _dot_ink(value, index, inks)
            other = inks.red if ink is not inks.red else inks.green
            pattern(face, (x * SIZE_WH[0], y * SIZE_WH[1]), radius, ink, other)
            if value == 1:
                pattern(face, (x * SIZE_WH[0], y * SIZE_WH[1]), radius / 2, other, ink)
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


def _ringed(face: Face, at: Point, radius: float, ink: Ink, _other: Ink) -> None:
    disc(face, at, radius, ink)
    disc(face, at, radius * 0.72, IVORY)
    disc(face, at, radius * 0.45, ink)


def _solid(face: Face, at: Point, radius: float, ink: Ink, _other: Ink) -> None:
    disc(face, at, radius, ink)
    disc(face, at, radius * 0.3, IVORY)


def _two_inks(face: Face, at: Point, radius: float, ink: Ink, other: Ink) -> None:
    disc(face, at, radius, ink)
    disc(face, at, radius * 0.66, IVORY)
    disc(face, at, radius * 0.5, other)


def _many_rings(face: Face, at: Point, radius: float, ink: Ink, _other: Ink) -> None:
    for number, share in enumerate((1.0, 0.84, 0.66, 0.5, 0.3)):
        disc(face, at, radius * share, IVORY if number % 2 else ink)


def _flowered(face: Face, at: Point, radius: float, ink: Ink, other: Ink) -> None:
    disc(face, at, radius, ink)
    disc(face, at, radius * 0.8, IVORY)
    for angle in np.arange(6) * np.pi / 3:
        away = np.array([np.cos(angle), np.sin(angle)]) * radius * 0.48
        disc(face, (at[0] + away[0], at[1] + away[1]), radius * 0.2, ink)
    disc(face, at, radius * 0.22, other)


def _spoked(face: Face, at: Point, radius: float, ink: Ink, other: Ink) -> None:
    disc(face, at, radius, ink)
    disc(face, at, radius * 0.78, IVORY)
    for angle in np.arange(4) * np.pi / 4:
        away = np.array([np.cos(angle), np.sin(angle)]) * radius * 0.8
        bar(face, np.array(at) - away, np.array(at) + away, max(2.0, radius * 0.1), ink)
    disc(face, at, radius * 0.34, other)


_DOTS: tuple[Pattern, ...] = (_ringed, _solid, _two_inks, _many_rings, _flowered, _spoked)


# -- bamboos ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Stick:
    """One stick from end to end, in shares of the face."""

    start: Point
    end: Point
    is_middle: bool = False  # red in most sets


def bamboos(random: Random, inks: Inks) -> dict[str, Image]:
    """Two to nine, by name; the one is a bird."""
    thick = random.uniform(0.055, 0.1) * SIZE_WH[0]
    knots, line = int(random.integers(0, 4)), random.random() < 0.5
    second = inks.blue if random.random() < 0.3 else inks.green
    made = {}
    for value in range(2, 10):
        face = Face.blank()
        for number, stick in enumerate(_sticks(value, random.random() < 0.5)):
            ink = inks.red if stick.is_middle else (inks.green, second)[number % 2]
            _lay_stick(face, stick, thick, knots, IVORY if line else None, ink)
        made[f"{value}s"] = face.picture()
    return made


def _lay_stick(
    face: Face, stick: _Stick, thick: float, knots: int, line: Ink | None, ink: Ink
) -> None:
    start, end = np.array(stick.start) * SIZE_WH, np.array(stick.end) * SIZE_WH
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]])
    bar(face, start, end, thick, ink)
    if line:
        bar(face, start, end, max(1.0, thick * 0.22), line)
    for place in np.linspace(0, 1, knots) if knots > 1 else ():
        at = start + (end - start) * place
        bar(face, at - across * thick * 0.7, at + across * thick * 0.7, thick * 0.45, ink)


def _sticks(value: int, is_turned: bool) -> Iterator[_Stick]:
    """Upright sticks in rows, but for the slanting ones of the eight."""
    if value == 8:
        yield from _eight(is_turned)
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


def _eight(is_turned: bool) -> Iterator[_Stick]:
    """An M above a W, or the other way round."""
    for top, bottom, meets_above in ((0.12, 0.44, is_turned), (0.56, 0.88, not is_turned)):
        outer, inner = (bottom, top) if meets_above else (top, bottom)
        for x, towards in ((0.16, 0.44), (0.84, 0.56)):
            yield _Stick((x, top), (x, bottom))
            yield _Stick((x + (towards - x) * 0.32, outer), (towards, inner))
