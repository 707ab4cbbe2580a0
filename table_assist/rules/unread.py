"""Shown hands with unread tiles: which faces would make them wins."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product

from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ShownHand
from table_assist.rules.verdict import Completion, Verdict
from table_assist.tiles.melds import Meld
from table_assist.tiles.tile import Tile

# Two unread tiles are 378 hands to judge, three would be 3,654: a person reads them faster.
MOST_UNREAD = 2


def places(shown: ShownHand) -> tuple[Tile, ...]:
    """The tiles without a known face, one for each place: in hand, in melds, among the birds.

    The winning tile counts as one of those in hand, or by itself if all those are known.
    """
    everywhere = shown.tiles + (shown.birds or ())
    unread = tuple(tile for tile in everywhere if not tile.is_face)
    if not shown.winning_tile.is_face and all(tile.is_face for tile in shown.concealed):
        unread += (shown.winning_tile,)
    return unread


def completions(
    rules: RuleSet, shown: ShownHand, judge: Callable[[RuleSet, ShownHand], Verdict]
) -> tuple[Completion, ...]:
    """Each way to read the unread tiles that makes a win; none if more than two are unread."""
    if len(places(shown)) > MOST_UNREAD:
        return ()
    found: dict[tuple[object, ...], Completion] = {}
    for faces, whole in _read(rules, shown):
        verdict = judge(rules, whole)
        if verdict.valid:
            completion = Completion(
                faces, whole.winning_tile, verdict.total, verdict.payments, verdict.patterns
            )
            found.setdefault((faces, verdict.total, verdict.payments), completion)
    return tuple(found.values())


def _read(rules: RuleSet, shown: ShownHand) -> Iterator[tuple[tuple[Tile, ...], ShownHand]]:
    """The hand with faces in place of the unread tiles, in every way the set's copies allow."""
    in_hand = sum(not tile.is_face for tile in shown.concealed)
    elsewhere = shown.tiles[len(shown.concealed) :] + (shown.birds or ())
    known = Counter(shown.tiles + (shown.birds or ()))
    for held in combinations_with_replacement(rules.kinds, in_hand):
        for other in product(rules.kinds, repeat=sum(not tile.is_face for tile in elsewhere)):
            added = Counter(held + other)
            if all(known[tile] + count <= rules.copies for tile, count in added.items()):
                yield from _with_faces(shown, held, other)


def _with_faces(
    shown: ShownHand, held: tuple[Tile, ...], other: tuple[Tile, ...]
) -> Iterator[tuple[tuple[Tile, ...], ShownHand]]:
    concealed = _fill(shown.concealed, iter(held))
    faces = iter(other)
    melds = tuple(
        Meld(meld.kind, _fill(meld.tiles, faces), _fill(meld.supplements, faces))
        for meld in shown.melds
    )
    birds = None if shown.birds is None else _fill(shown.birds, faces)
    known = shown.winning_tile.is_face
    for tile in [shown.winning_tile] if known else sorted(set(held or concealed)):
        whole = replace(shown, concealed=concealed, melds=melds, birds=birds, winning_tile=tile)
        yield held + other, whole


def _fill(tiles: tuple[Tile, ...], faces: Iterator[Tile]) -> tuple[Tile, ...]:
    return tuple(tile if tile.is_face else next(faces) for tile in tiles)
