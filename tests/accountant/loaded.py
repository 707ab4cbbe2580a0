"""Loaded decks: chance that now and then deals somebody a hand of a rare kind, nearly complete.

Bots with fair tiles hardly ever win with thirteen orphans or nine gates. What is dealt here is a
permutation of the same tiles, so that nothing else about the hand is unusual.
"""

from collections import Counter
from random import Random

from table_assist.tiles.tile import HONOURS, SUITED, Tile

_GREENS = [Tile.S2, Tile.S3, Tile.S4, Tile.S6, Tile.S8, Tile.GREEN]
_OUTER = [tile for tile in SUITED if tile.is_terminal] + list(HONOURS)
_GENERALS = [tile for tile in SUITED if tile.number in (2, 5, 8)]
_ALL = [*SUITED, *HONOURS]
# Which kinds a hand is made of, and whether of triplets, chows or pairs.
_THEMES = (
    (_ALL, "mixed"),
    (_ALL, "triplets"),
    (_ALL, "pairs"),
    (_ALL, "fours"),
    (_OUTER, "triplets"),
    (_OUTER, "orphans"),
    ([tile for tile in _OUTER if tile.is_suited], "triplets"),
    (list(HONOURS), "triplets"),
    (_GREENS, "mixed"),
    (_GENERALS, "pairs"),
    (_GENERALS, "triplets"),
    (SUITED[:9], "mixed"),
    (SUITED[9:18], "triplets"),
    (SUITED[18:27], "pairs"),
    (SUITED[:9], "gates"),
    ([*SUITED[9:18], *HONOURS], "mixed"),
    ([*HONOURS[:4], Tile.M1], "triplets"),
    (_GENERALS, "loose"),
)
_WHOLE_HANDS = ("loose", "pairs", "fours", "orphans", "gates")
# Where the tiles of the first, second, third and fourth to be dealt lie.
_FIRST_DRAWS = (52, 53, 54, 55)
_TRIES = 40


class LoadedRandom(Random):
    """Shuffles as always, then exchanges tiles until one or two seats have what they might like."""

    def shuffle(self, x: list[Tile]) -> None:  # type: ignore[override]
        super().shuffle(x)
        if len(x) < 108 or self.random() < 0.3:
            return
        free = set(range(len(x)))
        for place in self.sample(range(4), self.choice((1, 1, 2))):
            hand = self._hand(Counter(x[at] for at in free))
            _lay(x, free, [*_dealt(place), self._winning_place(place, len(x))], hand)

    def _winning_place(self, place: int, tiles: int) -> int:
        """Where the last tile of the hand lies: at the first draw, anywhere, at the wall's end."""
        return self.choice((_FIRST_DRAWS[place], self.randrange(56, tiles - 20), tiles - 1))

    def _hand(self, left: Counter[Tile]) -> list[Tile]:
        """Fourteen tiles of one kind, the last of them the one to come."""
        for _ in range(_TRIES):
            tiles = self.rare_hand()
            if len(tiles) == 14 and not Counter(tiles) - left:
                self._fair_shuffle(tiles)
                return tiles
        return []

    def rare_hand(self, sets: int = 4) -> list[Tile]:
        """So many sets and a pair of some theme, or another whole hand; now and then none."""
        kinds, form = self.choice(_THEMES)
        if sets < 4 and form in _WHOLE_HANDS:
            return []
        return self._tiles(list(kinds), form, sets)

    def _fair_shuffle(self, tiles: list[Tile]) -> None:
        super().shuffle(tiles)

    def _tiles(self, kinds: list[Tile], form: str, sets: int) -> list[Tile]:
        match form:
            case "pairs":
                return [tile for tile in self._some(kinds, 7) for _ in range(2)]
            case "fours":
                first, second, *pairs = self._some(kinds, 5)
                return [first] * 4 + [second] * 4 + [tile for tile in pairs for _ in range(2)]
            case "loose":
                return self.sample(kinds * 4, 14)
            case "orphans":
                return [*kinds, self.choice(kinds)]
            case "gates":
                return [kinds[0], kinds[0], *kinds, kinds[8], kinds[8], self.choice(kinds)]
            case "triplets":
                *triplets, pair = self._some(kinds, sets + 1)
                return [tile for tile in triplets for _ in range(3)] + [pair] * 2
            case _:
                return [tile for _ in range(sets) for tile in self._set(kinds)] + [
                    self.choice(kinds)
                ] * 2

    def _some(self, kinds: list[Tile], count: int) -> list[Tile]:
        return self.sample(kinds, count) if len(kinds) >= count else []

    def _set(self, kinds: list[Tile]) -> list[Tile]:
        low = self.choice(kinds)
        run = [Tile(low + step) for step in range(3)] if low < Tile.S8 else []
        same = run and len({tile.suit for tile in run}) == 1 and set(run) <= set(kinds)
        return run if same and self.random() < 0.7 else [low] * 3


def _dealt(place: int) -> list[int]:
    """Thirteen tiles dealt to the first, second ... in fours, and one more."""
    return [16 * turn + 4 * place + tile for turn in range(3) for tile in range(4)] + [48 + place]


def _lay(tiles: list[Tile], free: set[int], places: list[int], hand: list[Tile]) -> None:
    """Bring the hand's tiles to these places, in exchange for what lies there."""
    for place, tile in zip(places, hand, strict=False):
        if place not in free:
            continue
        found = next((at for at in sorted(free) if tiles[at] is tile), None)
        if found is not None:
            tiles[place], tiles[found] = tiles[found], tiles[place]
            free.discard(place)
