"""Every way to lay tiles out in sets and a pair, by trying them all."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

SUITED = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)]
HONOURS = list("ESWNCFP")
FACES = SUITED + HONOURS
Part = tuple[str, ...]


def is_triplet(part: Part) -> bool:
    """Three or four alike."""
    return len(part) > 2 and len(set(part)) == 1


def number(tile: str) -> int:
    return int(tile[0])


def is_outer(tile: str) -> bool:
    """A one, a nine or an honour."""
    return tile in HONOURS or tile[0] in "19"


@cache
def sets_of(tiles: tuple[str, ...]) -> list[tuple[Part, ...]]:
    """Sorted tiles in triplets and runs alone."""
    if not tiles:
        return [()]
    first = tiles[0]
    parts: list[Part] = [(first, first, first)]
    if len(first) == 2:
        parts.append((first, f"{number(first) + 1}{first[1]}", f"{number(first) + 2}{first[1]}"))
    found = []
    for part in parts:
        rest = Counter(tiles)
        rest.subtract(part)
        if min(rest.values()) >= 0:
            found += [(part, *more) for more in sets_of(tuple(sorted(rest.elements())))]
    return found


def complete(tiles: list[str]) -> Iterator[tuple[list[Part], str]]:
    """Sets and the pair's face, in every way."""
    for pair, count in Counter(tiles).items():
        if count >= 2:
            rest = Counter(tiles)
            rest[pair] -= 2
            for laid in sets_of(tuple(sorted(rest.elements()))):
                yield list(laid), pair


def without(tiles: list[str], tile: str) -> list[str]:
    rest = list(tiles)
    rest.remove(tile)
    return rest
