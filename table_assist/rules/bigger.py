"""The nearest bigger hand: what another tile, pair or set would have made of a win."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from table_assist.rules.judge import judge
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ShownHand
from table_assist.rules.verdict import Verdict
from table_assist.tiles.tile import Tile

Tiles = tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Bigger:
    """A win that differs in one tile, pair or set, and pays more.

    Attributes:
        out: the tiles of the hand that go.
        instead: the tiles that would have to be there.
        shown: the hand that they make.
    """

    out: Tiles
    instead: Tiles
    shown: ShownHand
    verdict: Verdict


def nearest_bigger(
    rules: RuleSet, shown: ShownHand, seen: Tiles = (), *, waits: bool = False
) -> Bigger | None:
    """The win that pays more with the fewest other tiles; of those the one that pays most.

    Args:
        shown: a hand that wins. The tile that won stays, and so do the melds.
        seen: tiles that lie open elsewhere.
        waits: it has not won yet, so it may wait for another tile.

    Returns:
        None where no other tile, pair or set makes more of it, or the hand does not win.
    """
    now = judge(rules, shown)
    if not now.valid or now.division is None or not all(tile.is_face for tile in shown.tiles):
        return None
    own, lying = shown.winner, Counter(seen)
    for meld in shown.melds:
        lying.update((*meld.tiles, *meld.supplements))
    parts: set[Tiles] = {(tile,) for tile in shown.concealed}
    parts |= {part.tiles for part in now.division.sets if part.meld is None and not part.wilds}
    found = [
        bigger
        for part in sorted(parts)
        for bigger in _with_another(rules, shown, part, lying, waits=waits)
        if bigger.verdict.valid and bigger.verdict.payments[own] > now.payments[own]
    ]
    return min(
        found,
        key=lambda each: (len(each.out), -each.verdict.payments[own], each.instead),
        default=None,
    )


def _with_another(
    rules: RuleSet, shown: ShownHand, part: Tiles, lying: Counter[Tile], *, waits: bool
) -> Iterator[Bigger]:
    rest = Counter(shown.concealed)
    rest.subtract(part)
    for other in _groups(rules, len(part)):
        tiles = rest + Counter(other)
        can_be = all(tiles[tile] + lying[tile] <= rules.copies_of(tile) for tile in other)
        stays = tiles[shown.winning_tile] > 0
        if not can_be or not (stays or waits) or sorted(other) == sorted(part):
            continue
        won = shown.winning_tile if stays else other[-1]
        hand = replace(shown, concealed=tuple(sorted(tiles.elements())), winning_tile=won)
        out, instead = Counter(part) - Counter(other), Counter(other) - Counter(part)
        yield Bigger(
            tuple(sorted(out.elements())),
            tuple(sorted(instead.elements())),
            hand,
            judge(rules, hand),
        )


def _groups(rules: RuleSet, size: int) -> Iterator[Tiles]:
    """All tiles or pairs, or all pungs and chows."""
    kinds = set(rules.kinds)
    for tile in rules.kinds:
        yield (tile,) * size
        if size == 3 and tile.is_suited and tile.number <= 7:
            run = (tile, Tile(tile + 1), Tile(tile + 2))
            if kinds.issuperset(run):
                yield run
