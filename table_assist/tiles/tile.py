"""Tiles: 34 kinds, eight bonus tiles, the back, and the tile nobody could read.

Text notation (used in files, logs, tests and on the command line): digits, then a suit letter
(``m`` characters, ``p`` dots, ``s`` bamboo, ``f`` flowers, ``q`` seasons, ``z`` honours by number),
or upper-case honours one by one: ``E S W N``, ``C`` red, ``F`` green, ``P`` white dragon.
``?`` is an unknown tile, ``#`` one that lies face down. Blanks are ignored.
"""

import re
from collections.abc import Iterable
from enum import IntEnum

COPIES = 4


class Tile(IntEnum):
    """A kind of tile. The values 0-42 are also the class ids of the tile reader."""

    M1, M2, M3, M4, M5, M6, M7, M8, M9 = range(9)
    P1, P2, P3, P4, P5, P6, P7, P8, P9 = range(9, 18)
    S1, S2, S3, S4, S5, S6, S7, S8, S9 = range(18, 27)
    EAST, SOUTH, WEST, NORTH = range(27, 31)
    RED, GREEN, WHITE = range(31, 34)
    FLOWER1, FLOWER2, FLOWER3, FLOWER4 = range(34, 38)
    SEASON1, SEASON2, SEASON3, SEASON4 = range(38, 42)
    BACK = 42
    UNKNOWN = -1

    @property
    def is_suited(self) -> bool:
        """Characters, dots or bamboo."""
        return 0 <= self < 27

    @property
    def is_wind(self) -> bool:
        """East, South, West or North."""
        return 27 <= self < 31

    @property
    def is_dragon(self) -> bool:
        """Red, Green or White."""
        return 31 <= self < 34

    @property
    def is_honour(self) -> bool:
        """A wind or a dragon."""
        return 27 <= self < 34

    @property
    def is_bonus(self) -> bool:
        """A flower or a season."""
        return 34 <= self < 42

    @property
    def is_face(self) -> bool:
        """A tile whose face is known: neither the back nor unknown."""
        return 0 <= self < 42

    @property
    def is_terminal(self) -> bool:
        """A suited 1 or 9."""
        return self.is_suited and self % 9 in (0, 8)

    @property
    def suit(self) -> str:
        """``m``, ``p``, ``s``, ``z`` (honours), ``f`` or ``q``; ``#`` or ``?`` without a face."""
        return _SUIT[self]

    @property
    def number(self) -> int:
        """1-9 for suited tiles, 1-4 for bonus tiles, 1-7 for honours (``E``=1, ``P``=7).

        Raises:
            ValueError: the tile has no face.
        """
        if not self.is_face:
            raise ValueError(f"a tile {self} has no number")
        return _NUMBERS[self]

    def __str__(self) -> str:
        return _TEXTS[self]

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


_HONOURS = "ESWNCFP"
_TEXTS: dict[int, str] = {
    **{i: f"{i % 9 + 1}{'mps'[i // 9]}" for i in range(27)},
    **{27 + i: letter for i, letter in enumerate(_HONOURS)},
    **{34 + i: f"{i + 1}f" for i in range(4)},
    **{38 + i: f"{i + 1}q" for i in range(4)},
    42: "#",
    -1: "?",
}
_SUIT = "m" * 9 + "p" * 9 + "s" * 9 + "z" * 7 + "f" * 4 + "q" * 4 + "#?"  # the last is that of -1
_NUMBERS: tuple[int, ...] = (*(*range(1, 10),) * 3, *range(1, 8), *(*range(1, 5),) * 2)
_TILE = {text: Tile(value) for value, text in _TEXTS.items()}
_TILE |= {f"{i + 1}z": Tile(27 + i) for i in range(7)}
_TOKEN = re.compile(r"\s*(?:([1-9]+)([mpsfqz])|([ESWNCFP?#]))")

Tiles = tuple[Tile, ...]
SUITED = tuple(tile for tile in Tile if tile.is_suited)
HONOURS = tuple(tile for tile in Tile if tile.is_honour)
BONUS = tuple(tile for tile in Tile if tile.is_bonus)


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Read tiles from text, in the order written.

    >>> parse_tiles("13m 5p EC ?") == (Tile.M1, Tile.M3, Tile.P5, Tile.EAST, Tile.RED, Tile.UNKNOWN)
    True

    Raises:
        ValueError: something in the text is no tile.
    """
    tiles: list[Tile] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"no tile at {text[position:].strip()!r} in {text!r}")
        digits, suit, single = match.groups()
        for name in [d + suit for d in digits] if digits else [single]:
            if name not in _TILE:
                raise ValueError(f"there is no tile {name!r} in {text!r}")
            tiles.append(_TILE[name])
        position = match.end()
    return tuple(tiles)


def parse_tile(text: str) -> Tile:
    """Read exactly one tile.

    Raises:
        ValueError: the text is not one tile.
    """
    tiles = parse_tiles(text)
    if len(tiles) != 1:
        raise ValueError(f"expected one tile, got {len(tiles)} in {text!r}")
    return tiles[0]


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Write tiles in their order, runs of one suit joined.

    >>> format_tiles(parse_tiles("1m2m3m 5p E E ?"))
    '123m 5p EE ?'
    """
    groups: list[list[Tile]] = []
    for tile in tiles:
        if groups and groups[-1][-1].suit == tile.suit:
            groups[-1].append(tile)
        else:
            groups.append([tile])
    return " ".join(
        "".join(str(tile.number) for tile in group) + group[0].suit
        if group[0].suit in "mpsfq"
        else "".join(str(tile) for tile in group)
        for group in groups
    )
