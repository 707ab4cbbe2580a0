"""The meld that tiles which lie together before a seat are, and which of them was claimed."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise, permutations, product
from math import prod

from table_assist.following.seen_table import LONG_PICTURES, fewest
from table_assist.following.told_scale import chances_unread
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile
from table_assist.vision.reading.one_set import SURE_TOGETHER
from table_assist.vision.reading.whole import USUAL_ASPECT
from table_assist.vision.table.observation import SeenTile

# The share by which a tile's box may err; and how much better it must fit that one lies sideways.
SIZE_ERROR, TURNED_SURELY = 0.055, 8.0
# Of more unread tiles than these not every face is tried with every other.
MOST_TOGETHER = 4
# So many ways to name the unread tiles of a group are tried.
MOST_NAMINGS = 2000
# Of groups that look like no meld so many are none; of those that lie there for long, so many.
ODD, ODD_RESTING = 0.05, 0.005


def faces_together(
    group: Sequence[SeenTile],
    is_meld: Callable[[tuple[Tile, ...]], bool],
    worth: Callable[[tuple[Tile, ...]], object] = tuple,
    kinds: Iterable[Tile] = (),
) -> tuple[Tile, ...]:
    """A group's faces; an unread tile is what it likely is if that alone makes a meld of all.

    A tile that is 6p by two thirds, else 9p, is 6p beside 4p 5p. Where another meld is nearly as
    likely and not of the same worth, or what it looks like makes none, it stays unread.

    Args:
        kinds: all faces that it may show; none: only those that its reader names.
    """
    seen = tuple(tile.tile for tile in group)
    unread = seen.count(Tile.UNKNOWN)
    if not 0 < unread <= MOST_TOGETHER:
        return seen
    every, most = tuple(kinds), int(MOST_NAMINGS ** (1 / unread))
    fitting: list[tuple[float, tuple[Tile, ...]]] = []
    choices = [_choices(tile, every)[:most] for tile in group]
    for combined in product(*choices):
        faces = tuple(face for face, _ in combined)
        if is_meld(faces):
            fitting.append((prod(share for _, share in combined), faces))
    best = max(fitting, default=(0.0, seen))
    legal = sum(share for share, _ in fitting)
    alike = sum(share for share, faces in fitting if worth(faces) == worth(best[1]))
    return best[1] if is_sure(alike, legal, group) else seen


def is_sure(alike: float, legal: float, group: Sequence[SeenTile]) -> bool:
    """Whether tiles are what so much of all that they may be says, and that the rules let lie."""
    odd = ODD if fewest(group) < LONG_PICTURES else ODD_RESTING
    return alike > SURE_TOGETHER * (legal + odd * (1 - legal))


def _choices(tile: SeenTile, kinds: Sequence[Tile]) -> list[tuple[Tile, float]]:
    """The faces that a tile may show, and how likely, the likeliest first: one where it is read."""
    if tile.tile is not Tile.UNKNOWN:
        return [(tile.tile, 1.0)]
    named = {face: share for face, share in tile.candidates if face.is_face}
    found = chances_unread(tile, kinds) if kinds else named
    return sorted(found.items(), key=lambda each: -each[1])


def claimed_meld(faces: tuple[Tile, ...], claimed: Tile) -> Meld | None:
    """The meld that these tiles are, the claimed one among them; None when they are none.

    One tile that could not be read, or lies face down, is filled in when the others leave only one
    choice.
    """
    faces = tuple(Tile.UNKNOWN if tile is Tile.BACK else tile for tile in faces)
    kinds = (MeldKind.KONG_EXPOSED,) if len(faces) == 4 else (MeldKind.PUNG, MeldKind.CHOW)
    unread = faces.count(Tile.UNKNOWN)
    if unread > 1:
        return None
    known = [tile for tile in faces if tile is not Tile.UNKNOWN]
    choices = [t for t in Tile if t.is_face] if unread else [Tile.UNKNOWN]
    fits = []
    for choice in choices:
        tiles = tuple(sorted([*known, choice] if unread else known))
        fits += [
            Meld(kind, tiles)
            for kind in kinds
            if Meld(kind, tiles).is_well_formed and (claimed in tiles or not claimed.is_face)
        ]
    return fits[0] if len(fits) == 1 else None


def likely_melds(
    group: Sequence[SeenTile], claimed: Tile, kinds: Iterable[Tile], *, chow: bool
) -> dict[Meld, float]:
    """The melds that a group of which some tiles are unread may be, and how likely each is.

    Args:
        claimed: is among them, where it was read.
        chow: who laid them may claim one.
    """
    faces = tuple(kinds)
    shares: list[Mapping[Tile, float]] = [
        chances_unread(tile, faces) if tile.tile is Tile.UNKNOWN else {tile.tile: 1.0}
        for tile in group
    ]
    alike = MeldKind.KONG_EXPOSED if len(group) == 4 else MeldKind.PUNG
    melds = [Meld(alike, (face,) * len(group)) for face in faces]
    if chow and len(group) == 3:
        chows = (Meld(MeldKind.CHOW, faces[first : first + 3]) for first in range(len(faces)))
        melds += [meld for meld in chows if meld.is_well_formed]
    found = {
        meld: sum(
            float(prod(share.get(face, 0.0) for share, face in zip(shares, lying, strict=True)))
            for lying in set(permutations(meld.tiles))
        )
        for meld in melds
        if claimed in meld.tiles or not claimed.is_face
    }
    total = sum(found.values())
    return {meld: share / total for meld, share in found.items() if share > 0}


def likely_kongs(group: Sequence[SeenTile], kinds: Iterable[Tile]) -> dict[Meld, float]:
    """The concealed kongs that a group may be by its open tiles, and how likely each is."""
    up = [tile for tile in group if tile.tile is not Tile.BACK]
    alike = likely_melds(up, Tile.UNKNOWN, kinds, chow=False)
    kong = MeldKind.KONG_CONCEALED
    return {Meld(kong, (meld.tiles[0],) * 4): share for meld, share in alike.items()}


def as_many_as_left(
    shares: Mapping[Meld, float], rules: RuleSet, lying: Counter[Tile]
) -> dict[Meld, float]:
    """The melds of which the set has copies enough beside what lies open elsewhere."""
    left = {
        meld: share
        for meld, share in shares.items()
        if all(lying[face] + n <= rules.copies_of(face) for face, n in Counter(meld.tiles).items())
    }
    total = sum(left.values())
    return {meld: share / total for meld, share in left.items()}


def may_become_meld(faces: Sequence[Tile], claimed: Tile, *, chow: bool) -> bool:
    """Whether tiles may lie in a meld with the claimed one, the others of which are not seen.

    Args:
        chow: who laid them may claim one.
    """
    known = [tile for tile in faces if tile.is_face]
    if not known or not claimed.is_face:
        return False
    if all(tile is claimed for tile in known):
        return True
    if not chow or len(set(known)) < len(known):
        return False
    chows = (tuple(sorted({*known, claimed, tile})) for tile in Tile if tile.is_face)
    return any(Meld(MeldKind.CHOW, tiles).is_well_formed for tiles in chows)


def claimed_from(giver: int, seat: int, faces: tuple[Tile, ...], claimed: Tile) -> Meld | None:
    """The seat's claim from the giver, if it is possible: a chow only from the seat before it."""
    meld = claimed_meld(faces, claimed)
    is_chow = meld is not None and meld.kind is MeldKind.CHOW
    return None if is_chow and (giver + 1) % 4 != seat else meld


def turned_tile(group: Sequence[SeenTile]) -> Tile:
    """The tile that lies sideways: it is the claimed one. UNKNOWN where not surely just one does.

    By how wide the tiles are beside each other, and how far apart: whatever their size.
    """
    tried: tuple[int | None, ...] = (None, *range(len(group)))
    misfits = sorted((_misfit(group, turned), number) for number, turned in enumerate(tried))
    (best, number), (second, _) = misfits[:2]
    turned = tried[number]
    if turned is None or second - best < TURNED_SURELY:
        return Tile.UNKNOWN
    return group[turned].tile


def _misfit(group: Sequence[SeenTile], turned: int | None) -> float:
    """How ill it fits that this tile lies sideways, None: that none does; in squares of errors."""
    sides = [USUAL_ASPECT if place == turned else 1.0 for place in range(len(group))]
    between = [(a + b) / 2 for a, b in pairwise(sides)]
    seat = group[0].zone.seat or 0
    places = [tile.to_seat(seat)[0] for tile in group]
    steps = [a - b for a, b in pairwise(places)]
    return _off([tile.width_mm for tile in group], sides) + _off(steps, between)


def _off(seen: Sequence[float], due: Sequence[float]) -> float:
    scale = sum(seen) / sum(due)
    return sum(((a / scale - b) / SIZE_ERROR) ** 2 for a, b in zip(seen, due, strict=True))
