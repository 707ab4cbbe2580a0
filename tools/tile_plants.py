"""The plants on the bonus tiles: four flowers, four seasons."""

from itertools import pairwise
from math import cos, pi, sin, tau

from tile_shapes import BLUE, GREEN, IVORY, RED, circle, ellipse, filled, group, number, stroked

PINK = "#e0567a"
GOLD = "#d98a1c"
BROWN = "#6d4426"
LEAF = "#2f8f4e"
PURPLE = "#6b3f95"


def blossom(x: float, y: float, radius: float, petal: str, eye: str, *, petals: int = 5) -> str:
    """A round flower seen from the front."""
    reach = 0.56 * radius
    return (
        "".join(
            circle(
                x + reach * sin(tau * k / petals), y - reach * cos(tau * k / petals),
                0.47 * radius, petal,
            )
            for k in range(petals)
        )
        + circle(x, y, 0.36 * radius, IVORY)
        + circle(x, y, 0.24 * radius, eye)
    )  # fmt: skip


def leaf(x: float, y: float, length: float, turn_deg: float, colour: str = LEAF) -> str:
    """A pointed leaf growing from a point; at 0 degrees it points up."""
    wide = 0.3 * length
    half = 0.5 * length
    return group(
        filled(
            f"M0 0C{number(-wide)} {number(-0.3 * length)} {number(-0.8 * wide)}"
            f" {number(-0.7 * length)} 0 {number(-length)}C{number(0.8 * wide)}"
            f" {number(-0.7 * length)} {number(wide)} {number(-0.3 * length)} 0 0Z",
            colour,
        )
        + stroked(f"M0 {number(-0.2 * length)}V{number(-half - 0.25 * length)}", IVORY, 2.5),
        x=x,
        y=y,
        turn_deg=turn_deg,
    )


def plum() -> str:
    """Red blossoms on a bent, bare branch."""
    branch = (
        stroked("M62 372C104 344 118 306 150 278C182 250 206 226 232 172", BROWN, 15)
        + stroked("M136 292C112 262 100 236 96 196", BROWN, 10)
        + stroked("M186 244C214 250 232 246 252 234", BROWN, 8)
    )
    return (
        branch
        + blossom(96, 204, 42, RED, GOLD)
        + blossom(176, 286, 50, RED, GOLD)
        + blossom(226, 184, 38, RED, GOLD)
        + circle(254, 238, 13, RED)
        + circle(116, 332, 12, RED)
        + circle(146, 214, 11, RED)
    )


def orchid() -> str:
    """Long bending leaves, two violet flowers between them."""
    blades = [
        "M150 372C120 300 92 250 40 236C92 268 116 312 138 372Z",
        "M154 372C138 290 122 220 88 166C136 224 156 296 166 372Z",
        "M150 372C166 280 190 220 232 190C202 236 184 300 166 372Z",
        "M158 372C190 320 224 292 268 286C228 310 198 342 174 372Z",
        "M140 372C116 344 82 326 46 324C82 340 108 358 122 374Z",
    ]
    stems = stroked("M152 360C158 300 160 250 156 196", LEAF, 6) + stroked(
        "M164 360C190 316 208 286 222 254", LEAF, 6
    )

    def flower(x: float, y: float, size: float) -> str:
        petals = "".join(
            group(ellipse(0, -0.62 * size, 0.27 * size, 0.55 * size, PURPLE), turn_deg=turn)
            for turn in (-125, -62, 0, 62, 125)
        )
        return group(
            petals
            + ellipse(0, 0.2 * size, 0.26 * size, 0.34 * size, PINK)
            + circle(0, 0, 0.16 * size, GOLD),
            x=x,
            y=y,
        )

    return (
        "".join(filled(path, GREEN) for path in blades)
        + stems
        + flower(154, 190, 46)
        + flower(226, 248, 38)
    )


def chrysanthemum() -> str:
    """One full golden head over cut leaves."""
    head = "".join(
        group(
            "".join(
                group(ellipse(0, -reach, wide, tall, colour), turn_deg=360 * (k + shift) / count)
                for k in range(count)
            ),
            x=158,
            y=228,
        )
        for count, shift, reach, wide, tall, colour in (
            (16, 0, 56, 10.5, 25, GOLD), (12, 0.5, 37, 9.5, 19, "#efb036"), (8, 0, 18, 8, 14, GOLD),
        )
    )  # fmt: skip
    cut = (
        "M0 0C-14 -14 -34 -12 -40 -30C-30 -30 -26 -36 -34 -50C-20 -46 -14 -52 -12 -72"
        "C0 -56 8 -50 20 -52C14 -38 18 -32 28 -30C20 -14 8 -12 0 0Z"
    )
    stem = stroked("M158 300C158 330 154 352 146 374", GREEN, 10)
    return (
        stem
        + group(filled(cut, GREEN), x=152, y=360, turn_deg=-62, scale=1.15)
        + group(filled(cut, GREEN), x=156, y=344, turn_deg=58, scale=1.15)
        + head
        + circle(158, 228, 10, RED)
    )


def bamboo_plant() -> str:
    """Two canes with hanging leaves."""

    def cane(x: float, joints: list[float], width: float, colour: str) -> str:
        return "".join(
            stroked(f"M{number(x)} {number(top + 5)}V{number(low - 5)}", colour, width)
            for top, low in pairwise(joints)
        ) + "".join(
            stroked(f"M{number(x - width / 2)} {number(y)}h{number(width)}", GREEN, 6)
            for y in joints[1:-1]
        )

    leaves = [
        (128, 226, 62, -118), (128, 226, 66, -152), (128, 226, 52, 172),
        (196, 206, 66, 118), (196, 206, 66, 150), (196, 206, 52, -172),
        (196, 296, 58, 112), (196, 296, 58, 146), (128, 310, 56, -114), (128, 310, 54, -148),
        (196, 166, 44, 30), (128, 180, 40, -30),
    ]  # fmt: skip
    return (
        cane(128, [176, 244, 312, 378], 17, LEAF)
        + cane(196, [150, 222, 298, 378], 21, LEAF)
        + "".join(leaf(*place, colour=GREEN) for place in leaves)
    )


def spring() -> str:
    """A peony, wide open."""
    outer = "".join(
        group(ellipse(0, -46, 30, 33, PINK), turn_deg=360 * k / 7, x=152, y=232) for k in range(7)
    )
    inner = "".join(
        group(ellipse(0, -24, 19, 23, RED), turn_deg=360 * (k + 0.5) / 5, x=152, y=232)
        for k in range(5)
    )
    rim = "".join(
        stroked(
            f"M{number(152 + 70 * sin(tau * (k - 0.27) / 7))}"
            f" {number(232 - 70 * cos(tau * (k - 0.27) / 7))}"
            f"A30 30 0 0 1 {number(152 + 70 * sin(tau * (k + 0.27) / 7))}"
            f" {number(232 - 70 * cos(tau * (k + 0.27) / 7))}",
            RED,
            4,
        )
        for k in range(7)
    )
    return (
        stroked("M152 290C150 326 146 350 138 376", GREEN, 9)
        + leaf(146, 360, 84, -62, GREEN)
        + leaf(148, 346, 84, 62, GREEN)
        + outer
        + rim
        + inner
        + circle(152, 232, 13, GOLD)
    )


def summer() -> str:
    """A lotus over its leaf, on water."""
    petals = [
        ("M150 300C96 290 60 258 50 216C92 222 128 250 150 300Z", PINK),
        ("M150 300C204 290 240 258 250 216C208 222 172 250 150 300Z", PINK),
        ("M150 300C104 270 88 220 98 176C132 200 148 246 150 300Z", RED),
        ("M150 300C196 270 212 220 202 176C168 200 152 246 150 300Z", RED),
        ("M150 300C118 258 118 198 150 150C182 198 182 258 150 300Z", PINK),
    ]
    veins = "".join(
        stroked(path, IVORY, 4) for path in ("M150 276V196", "M118 236L110 206", "M182 236L190 206")
    )
    pad = filled("M46 326C70 296 230 296 254 326C230 352 70 352 46 326Z", GREEN)
    water = "".join(
        stroked(f"M{x} {y}q14 -12 28 0t28 0t28 0", BLUE, 5) for x, y in ((60, 366), (158, 372))
    )
    rays = "".join(
        stroked(f"M150 {318}L{x} {y}", IVORY, 3) for x, y in ((86, 330), (214, 330), (150, 340))
    )
    return pad + rays + "".join(filled(path, colour) for path, colour in petals) + veins + water


def autumn() -> str:
    """A red maple leaf, a small golden one falling beside it."""
    half = [
        (0, -104), (14, -66), (44, -84), (38, -50), (82, -58), (68, -32), (94, -14), (58, 4),
        (66, 28), (26, 22), (6, 32),
    ]  # fmt: skip
    outline = "M" + "L".join(f"{x} {y}" for x, y in half)
    outline += "L" + "L".join(f"{-x} {y}" for x, y in reversed(half[1:])) + "Z"
    veins = "".join(
        stroked(f"M0 28L{x} {y}", IVORY, 3.5)
        for x, y in ((0, -72), (58, -38), (-58, -38), (64, -10), (-64, -10))
    )
    maple = filled(outline, RED) + stroked("M0 26C2 50 -6 66 -16 80", BROWN, 8) + veins
    small = filled(outline, GOLD) + stroked("M0 26C2 50 -6 66 -16 80", BROWN, 12)
    return (
        group(maple, x=138, y=256, turn_deg=-12, scale=1.06)
        + group(small, x=234, y=330, turn_deg=38, scale=0.42)
        + group(small, x=238, y=190, turn_deg=-50, scale=0.34)
    )


def winter() -> str:
    """A pine bough under snow, with cones."""
    bough = stroked("M40 336C96 318 150 286 256 268", BROWN, 13) + stroked(
        "M142 292C152 256 166 232 190 208", BROWN, 9
    )

    def fan(x: float, y: float, length: float, turn: float) -> str:
        needles = "".join(
            f"M{number(x)} {number(y)}L{number(x + length * sin(a))} {number(y - length * cos(a))}"
            for a in ((turn + step) * pi / 180 for step in range(-75, 76, 25))
        )
        return stroked(needles, GREEN, 6)

    fans = [(92, 314, 62, -10), (150, 282, 66, -24), (192, 206, 54, 10), (206, 275, 58, 8),
            (250, 270, 38, 50), (62, 326, 42, -50)]  # fmt: skip
    flakes = "".join(
        stroked(
            "".join(
                f"M{number(x - r * cos(a))} {number(y - r * sin(a))}"
                f"L{number(x + r * cos(a))} {number(y + r * sin(a))}"
                for a in (pi / 2, pi / 6, -pi / 6)
            ),
            BLUE,
            4.5,
        )
        for x, y, r in (
            (78, 190, 19),
            (252, 176, 15),
            (240, 340, 17),
            (128, 364, 14),
            (112, 232, 11),
        )
    )
    cones = "".join(
        ellipse(x, y, 13, 18, BROWN, turn) + stroked(f"M{x - 8} {y}h16", GOLD, 3)
        for x, y, turn in ((172, 312, 10), (118, 330, -10))
    )
    return bough + "".join(fan(*place) for place in fans) + cones + flakes
