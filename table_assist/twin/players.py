"""The simulated players: what they discard, claim and lay down.

A player decides from a `View` alone: the own tiles and what lies open on the table. Each decision
is a pure function of the view and the player's habits, so the same view gives the same decision.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from table_assist.melds import Meld, MeldKind
from table_assist.tiles import COPIES, SUITED, Tile
from table_assist.twin.aims import Aim, Counts, count, distances, laid

# Nearer than this a player counts the tiles that would help; further off neighbours will do.
_COUNTS_HELP_FROM = 2.0


@dataclass(frozen=True, slots=True)
class Habits:
    """How one player differs from another.

    Attributes:
        turns_claimed: lays the claimed tile of a meld sideways.
        likes: tiles lacking that the player overlooks (or, negative, fears) for a kind of win.
        eagerness: a claim must bring the hand nearer to a win by one tile less this.
        caution: weight of discarding what others have discarded.
    """

    turns_claimed: bool
    likes: tuple[tuple[Aim, float], ...] = ()
    eagerness: float = 0.0
    caution: float = 0.0


# One for Generals, one for triplets, a careful one for pairs, one for flushes.
HABITS: tuple[Habits, Habits, Habits, Habits] = (
    Habits(turns_claimed=True, likes=((Aim.GENERALS, 0.8),)),
    Habits(turns_claimed=False, likes=((Aim.TRIPLETS, 1.1),), eagerness=0.5),
    Habits(turns_claimed=True, likes=((Aim.SEVEN_PAIRS, 0.6),), caution=0.5),
    Habits(turns_claimed=False, likes=((Aim.FLUSH, 1.6),), caution=0.2),
)


@dataclass(frozen=True, slots=True)
class View:
    """What one player sees.

    Attributes:
        concealed: the own tiles in ascending order.
        melds: of each seat.
        rivers: of each seat, oldest first.
        wall_left: tiles left in the wall.
    """

    seat: int
    dealer: int
    concealed: tuple[Tile, ...]
    melds: tuple[tuple[Meld, ...], ...]
    rivers: tuple[tuple[Tile, ...], ...]
    wall_left: int

    @property
    def own_melds(self) -> tuple[Meld, ...]:
        """This seat's melds."""
        return self.melds[self.seat]


@dataclass(frozen=True, slots=True)
class Claim:
    """A wish to take the last discard.

    Attributes:
        tiles: those that go down from the hand, the discard not included.
    """

    kind: MeldKind
    tiles: tuple[Tile, ...]


def choose_discard(view: View, habits: Habits) -> Tile:
    """The tile that the hand can best do without."""
    counts = count(view.concealed)
    options = {tile: _without(counts, (tile,)) for tile in dict.fromkeys(view.concealed)}
    far = {tile: _distance(left, view.own_melds, habits) for tile, left in options.items()}
    nearest = min(far.values())
    candidates = [tile for tile in options if far[tile] == nearest]
    if len(candidates) == 1:
        return candidates[0]
    seen = _seen(view)
    discarded = count(tile for river in view.rivers for tile in river)

    def worth(tile: Tile) -> tuple[float, int]:
        kept = options[tile]
        if nearest <= _COUNTS_HELP_FROM:
            value = _help(kept, view.own_melds, habits, seen=seen, nearest=nearest)
        else:
            value = -_company(counts, tile)
        return value + habits.caution * discarded[tile], -tile

    return max(candidates, key=worth)


def choose_claim(view: View, habits: Habits, tile: Tile, *, may_chow: bool) -> Claim | None:
    """What to take the discard for, if it brings the hand nearer to a win; else nothing."""
    counts = count(view.concealed)
    best: Claim | None = None
    limit = _distance(counts, view.own_melds, habits) - 1 + habits.eagerness
    for claim in _possible_claims(counts, tile, view.wall_left, may_chow=may_chow):
        melds = (*view.own_melds, Meld(claim.kind, tuple(sorted((*claim.tiles, tile)))))
        far = _after_claim(_without(counts, claim.tiles), melds, claim.kind, habits)
        # A kong costs nothing: the three tiles were a set already.
        allowed = limit + 1 if claim.kind.is_kong else limit
        if far <= allowed and (best is None or far < limit):
            best, limit = claim, far
    return best


def choose_kong(view: View, habits: Habits) -> tuple[MeldKind, Tile] | None:
    """A kong to lay from the own hand after a draw, where it does not set the hand back."""
    if view.wall_left == 0:
        return None
    counts = count(view.concealed)
    now = min(
        _distance(_without(counts, (tile,)), view.own_melds, habits)
        for tile in dict.fromkeys(view.concealed)
    )
    for tile in dict.fromkeys(view.concealed):
        if counts[tile] == COPIES:
            kind, used = MeldKind.KONG_CONCEALED, (tile,) * COPIES
            melds = (*view.own_melds, Meld(kind, used))
        elif Meld(MeldKind.PUNG, (tile,) * 3) in view.own_melds:
            kind, used, melds = MeldKind.KONG_ADDED, (tile,), view.own_melds
        else:
            continue
        if _distance(_without(counts, used), melds, habits) <= now:
            return kind, tile
    return None


def _possible_claims(
    counts: Counts, tile: Tile, wall_left: int, *, may_chow: bool
) -> Iterator[Claim]:
    if counts[tile] >= 3 and wall_left > 0:
        yield Claim(MeldKind.KONG_EXPOSED, (tile,) * 3)
    if counts[tile] >= 2:
        yield Claim(MeldKind.PUNG, (tile,) * 2)
    if may_chow:
        for low in range(max(1, tile.number - 2), min(7, tile.number) + 1):
            run = [Tile(tile - tile.number + number) for number in range(low, low + 3)]
            run.remove(tile)
            if counts[run[0]] and counts[run[1]]:
                yield Claim(MeldKind.CHOW, tuple(run))


def _after_claim(counts: Counts, melds: tuple[Meld, ...], kind: MeldKind, habits: Habits) -> float:
    """How far the hand is after the claim, its discard made if one is due."""
    if kind.is_kong:
        return _distance(counts, melds, habits)
    held = [tile for tile in SUITED if counts[tile]]
    return min(_distance(_without(counts, (tile,)), melds, habits) for tile in held)


def _distance(counts: Counts, melds: tuple[Meld, ...], habits: Habits) -> float:
    """Tiles lacking for the win that the player likes best."""
    likes = dict(habits.likes)
    return min(lacking - likes.get(aim, 0.0) for aim, lacking in distances(counts, laid(melds)))


def _help(
    counts: Counts, melds: tuple[Meld, ...], habits: Habits, *, seen: Counts, nearest: float
) -> float:
    """How many unseen tiles would bring the hand nearer."""
    unseen = 0
    for tile in SUITED:
        if seen[tile] < COPIES and counts[tile] < COPIES:
            more = (*counts[:tile], counts[tile] + 1, *counts[tile + 1 :])
            if _distance(more, melds, habits) < nearest:
                unseen += COPIES - seen[tile]
    return unseen


def _company(counts: Counts, tile: Tile) -> float:
    """How much a tile has around it: its copies, neighbours, and being a 2, 5 or 8."""
    value = 3.0 * (counts[tile] - 1) + (0.75 if tile.number in (2, 5, 8) else 0.0)
    for step, weight in ((1, 2.0), (2, 1.0)):
        for number in (tile.number - step, tile.number + step):
            if 1 <= number <= 9 and counts[tile - tile.number + number]:
                value += weight
    return value


def _seen(view: View) -> Counts:
    """All tiles that the player can see."""
    return count(
        (
            *view.concealed,
            *(tile for river in view.rivers for tile in river),
            *(tile for melds in view.melds for meld in melds for tile in meld.tiles),
        )
    )


def _without(counts: Counts, tiles: Iterable[Tile]) -> Counts:
    left = list(counts)
    for tile in tiles:
        left[tile] -= 1
    return tuple(left)
