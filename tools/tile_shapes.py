"""The tile drawings' vocabulary: colours, ground, dots, bamboo sticks, as SVG markup.

Every tile is drawn in 300 x 400 units. Nothing here has an id, so that any number of tiles can
stand inline in one page.
"""

from collections.abc import Sequence
from math import atan2, degrees, hypot

WIDTH, HEIGHT = 300, 400
IVORY = "#fdf9ee"
INK = "#1c2b4a"
BLUE = "#1d4f9e"
GREEN = "#0f7043"
RED = "#c3202a"
BACK = "#1b7a57"
BACK_LIGHT = "#2f9870"


def number(value: float) -> str:
    """At most one decimal, no trailing zero: a tenth of a unit is 0.07 px at 200 px."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def circle(x: float, y: float, radius: float, fill: str) -> str:
    """A filled circle."""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"/>'


def ring(x: float, y: float, radius: float, width: float, colour: str, beads: int = 0) -> str:
    """A circular line, or so many round beads in its place, the first one to the right."""
    strung = f' stroke-linecap="round" pathLength="{beads}" stroke-dasharray="0 1"' if beads else ""
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="none"'
        f' stroke="{colour}" stroke-width="{number(width)}"{strung}/>'
    )


def ellipse(x: float, y: float, rx: float, ry: float, fill: str, turn_deg: float = 0) -> str:
    """A filled ellipse, turned clockwise about its centre."""
    turn = f' transform="rotate({number(turn_deg)} {number(x)} {number(y)})"' if turn_deg else ""
    return (
        f'<ellipse cx="{number(x)}" cy="{number(y)}" rx="{number(rx)}" ry="{number(ry)}"'
        f' fill="{fill}"{turn}/>'
    )


def rounded(
    x: float, y: float, width: float, height: float, radius: float, *, fill: str, line: str = ""
) -> str:
    """A rectangle with rounded corners; ``line`` holds further attributes, with a blank before."""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}"'
        f' height="{number(height)}" rx="{number(radius)}" fill="{fill}"{line}/>'
    )


def filled(path: str, fill: str) -> str:
    """A closed outline."""
    return f'<path d="{path}" fill="{fill}"/>'


def stroked(path: str, colour: str, width: float) -> str:
    """A line with round ends."""
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(width)}"'
        f' stroke-linecap="round" stroke-linejoin="round"/>'
    )


def group(
    content: str, *, x: float = 0, y: float = 0, turn_deg: float = 0, scale: float = 1
) -> str:
    """Place a drawing made around the origin."""
    turn = f" rotate({number(turn_deg)})" if turn_deg else ""
    grow = f" scale({scale:.3g})" if scale != 1 else ""
    return f'<g transform="translate({number(x)} {number(y)}){turn}{grow}">{content}</g>'


def ivory_ground() -> str:
    """The tile seen from the front: a lip below, where the light does not fall."""
    return (
        rounded(0, 0, 300, 400, 36, fill="#cdbf9d")
        + rounded(2, 1, 296, 391, 35, fill="#fffefa")
        + rounded(5, 6, 290, 384, 32, fill=IVORY)
    )


def dot(x: float, y: float, radius: float, colour: str) -> str:
    """A coin: ring, flower, eye."""
    return (
        circle(x, y, radius, colour)
        + ring(x, y, 0.73 * radius, 0.1 * radius, IVORY)
        + ring(x, y, 0.42 * radius, 0.21 * radius, IVORY, beads=8)
        + circle(x, y, 0.13 * radius, IVORY)
    )


def great_dot() -> str:
    """The one dot: a wheel with a rim of beads and a red flower."""
    x, y = WIDTH / 2, HEIGHT / 2
    petals = "".join(ellipse(x, y - 50, 15, 24, BLUE, 360 * k / 8) for k in range(8)).replace(
        f" {number(x)} {number(y - 50)})", f" {number(x)} {number(y)})"
    )
    return (
        circle(x, y, 120, GREEN)
        + ring(x, y, 101, 15, IVORY, beads=24)
        + circle(x, y, 83, IVORY)
        + petals
        + circle(x, y, 29, IVORY)
        + circle(x, y, 24, RED)
        + circle(x, y, 9, IVORY)
    )


DOTS: dict[int, Sequence[tuple[float, float, float, str]]] = {
    2: [(150, 106, 72, GREEN), (150, 294, 72, BLUE)],
    3: [(76, 82, 54, BLUE), (150, 200, 54, RED), (224, 318, 54, GREEN)],
    4: [(86, 104, 58, BLUE), (214, 104, 58, GREEN), (86, 296, 58, GREEN), (214, 296, 58, BLUE)],
    5: [
        (76, 84, 50, BLUE), (224, 84, 50, GREEN), (150, 200, 50, RED),
        (76, 316, 50, GREEN), (224, 316, 50, BLUE),
    ],
    6: [(x, 80, 49, GREEN) for x in (90, 210)]
    + [(x, y, 49, RED) for y in (212, 320) for x in (90, 210)],
    7: [(66, 66, 42, GREEN), (150, 104, 42, GREEN), (234, 142, 42, GREEN)]
    + [(x, y, 45, RED) for y in (240, 335) for x in (94, 206)],
    8: [(x, y, 43, BLUE) for y in (62, 154, 246, 338) for x in (96, 204)],
    9: [
        (x, y, 41, colour)
        for y, colour in ((76, BLUE), (200, RED), (324, GREEN))
        for x in (60, 150, 240)
    ],
}  # fmt: skip


def dots(count: int) -> str:
    """The face of one to nine dots."""
    if count == 1:
        return great_dot()
    return "".join(dot(*place) for place in DOTS[count])


def stick(x: float, y: float, length: float, colour: str, *, turn_deg: float = 0) -> str:
    """A bamboo stick of two joints, standing unless turned."""
    half, thick = length / 2, 44.0
    waist = 0.36 * thick
    body = rounded(-waist, -half + 4, 2 * waist, length - 8, 6, fill=colour)
    bar, gleam = thick - 20, 0.4 * half - 6  # round ends add the line's width
    knots = "".join(
        f"M{number(-bar / 2)} {number(at)}h{number(bar)}" for at in (-half + 10, 0, half - 10)
    )
    gleams = "".join(f"M0 {number(at - gleam / 2)}v{number(gleam)}" for at in (-half / 2, half / 2))
    drawn = body + stroked(knots, colour, 20) + stroked(gleams, IVORY, 6)
    return group(drawn, x=x, y=y, turn_deg=turn_deg)


def _slanted(x0: float, y0: float, x1: float, y1: float, colour: str) -> str:
    """A stick between two points."""
    return stick(
        (x0 + x1) / 2,
        (y0 + y1) / 2,
        hypot(x1 - x0, y1 - y0),
        colour,
        turn_deg=degrees(atan2(y1 - y0, x1 - x0)) - 90,
    )


TALL, SHORT = 160.0, 112.0
STICKS: dict[int, Sequence[tuple[float, float, float, str]]] = {
    2: [(150, 110, TALL, GREEN), (150, 290, TALL, GREEN)],
    3: [(150, 110, TALL, GREEN), (90, 290, TALL, GREEN), (210, 290, TALL, GREEN)],
    4: [(x, y, TALL, GREEN) for y in (110, 290) for x in (88, 212)],
    5: [(x, y, TALL, GREEN) for y in (110, 290) for x in (68, 232)] + [(150, 200, TALL, RED)],
    6: [(x, y, TALL, GREEN) for y in (110, 290) for x in (66, 150, 234)],
    7: [(150, 77, SHORT, RED)]
    + [
        (x, y, SHORT, colour)
        for y in (204, 326)
        for x, colour in ((66, GREEN), (150, BLUE), (234, GREEN))
    ],
    9: [
        (x, y, SHORT, colour)
        for y in (78, 200, 322)
        for x, colour in ((66, GREEN), (150, RED), (234, GREEN))
    ],
}


def bamboo(count: int) -> str:
    """Two to nine; the one is a bird."""
    if count == 8:
        # Two fences, the lower one mirrored: W over M, as on every set that people play with
        upright = "".join(stick(x, y, 156, GREEN) for y in (112, 288) for x in (40, 260))
        inner = [
            (74, 178, 136, 50), (226, 178, 164, 50),
            (74, 222, 136, 350), (226, 222, 164, 350),
        ]  # fmt: skip
        return upright + "".join(_slanted(*ends, GREEN) for ends in inner)
    return "".join(stick(*place) for place in STICKS[count])


def white_dragon() -> str:
    """An empty frame with turned corners."""
    line = f' stroke="{BLUE}" stroke-width="15"'
    thin = f' stroke="{BLUE}" stroke-width="5"'
    corners = "".join(
        rounded(x - 17, y - 17, 34, 34, 6, fill=IVORY, line=f' stroke="{BLUE}" stroke-width="9"')
        + rounded(x - 5, y - 5, 10, 10, 2, fill=BLUE)
        for x in (62, 238)
        for y in (68, 332)
    )
    return (
        rounded(50, 56, 200, 288, 14, fill="none", line=line)
        + rounded(76, 82, 148, 236, 8, fill="none", line=thin)
        + corners
    )


def back() -> str:
    """The tile's back: one colour, a quiet lattice."""
    step = 50
    lines = "".join(
        f"M{x} {y}l{step / 2:g} {step / 2:g}l-{step / 2:g} {step / 2:g}"
        f"l-{step / 2:g} -{step / 2:g}z"
        for y in range(50, 350, step)
        for x in range(75, 250, step)
    )
    return (
        rounded(0, 0, 300, 400, 36, fill="#0f4e37")
        + rounded(2, 1, 296, 391, 35, fill="#5db893")
        + rounded(5, 6, 290, 384, 32, fill=BACK)
        + rounded(
            30, 32, 240, 336, 18, fill="none", line=f' stroke="{BACK_LIGHT}" stroke-width="5"'
        )
        + stroked(lines, BACK_LIGHT, 4)
    )


# A serif-less hand of rounded strokes, 44 x 76 around the origin: legible where a brush is not.
FIGURES = {
    1: "M-16 -22L6 -38V38",
    2: "M-20 -18C-20 -46 22 -46 20 -16C18 6 -8 14 -22 38H22",
    3: "M-20 -38H18L-4 -8C34 -10 30 40 -4 38C-14 38 -20 32 -22 24",
    4: "M10 38V-38L-24 16H26",
}


def figure(value: int, *, x: float, y: float, colour: str) -> str:
    """1 to 4, for the flowers and seasons."""
    return group(stroked(FIGURES[value], colour, 13), x=x, y=y)
