"""The bird of the one bamboo."""

from tile_plants import BROWN, GOLD, LEAF
from tile_shapes import BLUE, GREEN, INK, IVORY, RED, circle, ellipse, filled, stroked


def bird() -> str:
    """A peacock on a branch, its train hanging down to the right."""
    train = [
        ("M170 236C236 226 262 180 254 126", 252, 112, BLUE),
        ("M176 244C236 250 268 226 272 196", 270, 184, RED),
        ("M172 250C220 274 256 278 266 262", 268, 252, BLUE),
        ("M160 256C196 300 232 322 250 316", 256, 314, RED),
        ("M148 258C164 310 190 350 212 360", 218, 364, BLUE),
    ]
    feathers = "".join(stroked(path, GREEN, 15) for path, *_ in train)
    eyes = "".join(
        circle(x, y, 21, GREEN) + circle(x, y, 13, IVORY) + circle(x, y, 9, colour)
        for _, x, y, colour in train
    )
    body = filled(
        "M118 66C84 62 66 88 76 116C82 136 70 150 60 176C44 220 66 270 118 276"
        "C160 280 190 258 198 232C178 224 160 200 152 166C147 144 156 128 154 104"
        "C152 82 138 68 118 66Z",
        GREEN,
    )
    wing = filled(
        "M104 170C84 206 96 246 132 252C166 256 192 246 206 226C170 222 142 204 128 172"
        "C122 158 110 158 104 170Z",
        BLUE,
    ) + "".join(
        stroked(path, IVORY, 5)
        for path in (
            "M112 186C118 214 142 230 176 230",
            "M108 206C116 228 134 240 158 241",
        )
    )
    breast = "".join(
        stroked(f"M{x} {y}q10 10 20 0", IVORY, 4)
        for x, y in ((70, 184), (66, 208), (72, 232), (86, 252))
    )
    crest = "".join(
        stroked(f"M118 70L{x} {y}", GREEN, 6) + circle(x, y, 10, RED)
        for x, y in ((92, 28), (124, 20), (154, 32))
    )
    head = (
        filled("M82 92L42 106C54 114 68 118 80 118Z", GOLD)
        + circle(104, 96, 13, IVORY)
        + circle(102, 96, 7, INK)
    )
    legs = "".join(stroked(path, RED, 8) for path in ("M104 272L98 340", "M128 274L130 340"))
    branch = stroked("M36 352C86 336 120 340 162 350", BROWN, 14) + "".join(
        ellipse(x, y, 20, 9, LEAF, turn) for x, y, turn in ((58, 328, -40), (70, 368, 25))
    )
    return feathers + eyes + legs + branch + crest + body + breast + wing + head
