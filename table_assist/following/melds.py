"""Melds: claims, the three kongs, eggs and what is put to them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from table_assist.following.claimed_tiles import (
    as_many_as_left,
    claimed_from,
    claimed_meld,
    faces_together,
    is_sure,
    likely_kongs,
    likely_melds,
    may_become_meld,
    turned_tile,
)
from table_assist.following.proposed import Exposed, Proposed
from table_assist.following.rivers import fresh_discards, is_discard_gone
from table_assist.following.seen_table import (
    DOUBTFUL_PICTURES,
    HARDLY_APART_MM,
    LACKING,
    LIKELY_FACE,
    LONG_PICTURES,
    PUZZLING_PICTURES,
    REST_PICTURES,
    TOUCHING_MM,
    TableSight,
    age_rank,
    fewest,
    groups_of,
    laid_beside,
    least,
    unfound,
)
from table_assist.following.told_scale import chances_unread
from table_assist.game.events import Claimed, Discarded, EggAppended, EggLaid, KongDeclared
from table_assist.game.fold import apply
from table_assist.game.holding import with_seat
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import visible_tiles
from table_assist.game.state import SEATS, TableState
from table_assist.game.turn import on_turn, thrown
from table_assist.rules.play_rules import Appended
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile
from table_assist.vision.reading.one_set import SURE_TOGETHER
from table_assist.vision.table.observation import SURE_PICTURES, SeenTile, apart_mm


def claim(state: TableState, sight: TableSight) -> Proposed | None:
    """A new meld with the last discard, which is gone, or with a tile of an egg."""
    given = state.given_up
    groups = chain(_each_group(state, sight), _with_unfound(state, sight))
    for seat, group in groups if given is not None else ():
        assert given is not None
        faces = faces_together(group, _made_with(given[1]))
        if Tile.BACK in faces and not _hides_claimed(state, faces):
            continue
        if not (_is_taken(state, sight, given[0]) or _is_unseen(state, sight, group)):
            continue
        if given[0] == seat and state.robbable is None:
            continue
        meld = claimed_meld(faces, given[1])
        if meld is None and fewest(group) >= DOUBTFUL_PICTURES:
            meld = _likeliest(state, group, seat)
        if meld is not None:
            event = Claimed(seat, meld.kind, meld.tiles, given[0])
            return Proposed(event, least(group), seen=group)
    found = _egg_from_discard(state, sight) or _unexposed_chow(state, sight)
    if found is None and sight.heap and fresh_discards(state, sight, on_turn(state)):
        return unseen_discard(state, sight)  # what lies there may be the claimer's own discard
    return found


def _with_unfound(
    state: TableState, sight: TableSight
) -> Iterator[tuple[int, tuple[SeenTile, ...]]]:
    """Two tiles of a meld with the last discard, and as unread the third, which is not found."""
    given, tile_mm = state.given_up, sight.observation.tile_mm
    if given is None:
        return
    for seat in SEATS:
        laid, chow = laid_beside(state, sight, seat), (given[0] + 1) % len(SEATS) == seat
        for group in groups_of(laid.fresh, seat, tile_mm + TOUCHING_MM):
            faces = [tile.tile for tile in group]
            waited = fewest(group) >= LONG_PICTURES
            if len(group) == 2 and waited and may_become_meld(faces, given[1], chow=chow):
                one, other = group
                x_mm, y_mm = 2 * other.x_mm - one.x_mm, 2 * other.y_mm - one.y_mm
                if apart_mm(other, one) > LACKING * tile_mm:
                    x_mm, y_mm = (one.x_mm + other.x_mm) / 2, (one.y_mm + other.y_mm) / 2
                yield seat, (*group, unfound(other, x_mm, y_mm))


def _likeliest(state: TableState, group: Sequence[SeenTile], seat: int) -> Meld | None:
    """What a group with unread tiles is rather than all else; a settlement weighs it again.

    What its read tiles leave open stays unread.
    """
    given, faces = state.last_discard, [tile.tile for tile in group]
    unread = faces.count(Tile.UNKNOWN)
    if given is None or state.robbable is not None or Tile.BACK in faces or not unread:
        return None
    if len(group) == 4 and any(_back_share(tile) > LIKELY_FACE for tile in group):
        return None  # it may be a concealed kong, for which others pay
    follows = (given[0] + 1) % len(SEATS) == seat
    rules, lying = rules_in_force(state), Counter(visible_tiles(state))
    lying.subtract(given[1:])  # it is among them
    shares = likely_melds(group, given[1], rules.kinds, chow=follows)
    found = as_many_as_left(shares, rules, lying)
    best = max(found, key=found.__getitem__, default=None)
    if best is None:
        return None
    kind = best.kind
    alike = sum(share for meld, share in found.items() if meld.kind is kind)
    if kind is not MeldKind.CHOW:
        known = best.tiles if unread < len(faces) or given[1].is_face else ()
    elif given[1] in faces or not given[1].is_face:
        known = tuple(face for face in faces if face.is_face)
    else:
        known = given[1], *(face for face in faces if face.is_face)
    if kind is MeldKind.CHOW and len(known) == 1:  # else one that is not laid down yet
        known, alike = best.tiles, (found[best] > SURE_TOGETHER)
    tiles = (*known, *(Tile.UNKNOWN,) * (len(faces) - len(known)))
    return Meld(kind, tuple(sorted(tiles))) if alike > 0.5 else None


def _made_with(claimed: Tile) -> Callable[[tuple[Tile, ...]], bool]:
    """Whether tiles are a meld with the claimed one among them."""
    return lambda faces: claimed_meld(faces, claimed) is not None


def _hides_claimed(state: TableState, faces: Sequence[Tile]) -> bool:
    """Three of a kind and a back: a kong with a discard, where that one lies face down (CL-44)."""
    rules = rules_in_force(state)
    down = rules.lying(rules.chosen).claimed_kong_tile_down
    return down and len(faces) == 4 and list(faces).count(Tile.BACK) == 1


def _unexposed_chow(state: TableState, sight: TableSight) -> Proposed | None:
    """The discard is gone, and the next player has discarded: a chow to be laid down later (CL-41).

    Where the rules let it be. The chow's other tiles are unread until then.
    """
    given, rules = state.last_discard, rules_in_force(state)
    late = rules.chosen.get("chow_exposure") == "before_next_claim_or_draw"
    if not late or given is None or not given[1].is_suited or state.holder is not None:
        return None
    seat = (given[0] + 1) % len(SEATS)
    discarded = fresh_discards(state, sight, seat) and is_discard_gone(state, sight)
    laid = laid_beside(state, sight, seat)
    if seat != state.turn or not discarded or sight.heap or laid.fresh or not laid.is_whole:
        return None
    tiles = (Tile.UNKNOWN, given[1], Tile.UNKNOWN)
    return Proposed(Claimed(seat, MeldKind.CHOW, tiles, given[0]), 0.5)


def exposed(state: TableState, sight: TableSight) -> Exposed | None:
    """A chow that was claimed before is laid down."""
    for seat, group in _each_group(state, sight):
        faces = tuple(sorted(tile.tile for tile in group))
        for number, meld in enumerate(state.seats[seat].melds):
            if not meld.is_unexposed:
                continue
            claimed = next((tile for tile in meld.tiles if tile.is_face), Tile.UNKNOWN)
            if claimed in faces and Meld(MeldKind.CHOW, faces).is_well_formed:
                return Exposed(seat, number, faces)
    return None


def with_exposed(state: TableState, found: Exposed | None) -> TableState:
    """The state as it is once the chow is on record as it lies."""
    if found is None:
        return state
    own = state.seats[found.seat]
    melds = list(own.melds)
    melds[found.number] = Meld(MeldKind.CHOW, found.tiles)
    return with_seat(state, found.seat, replace(own, melds=tuple(melds)))


def _egg_from_discard(state: TableState, sight: TableSight) -> Proposed | None:
    """The discard is gone and lies with an egg of another seat, where the rules allow it."""
    given = state.last_discard
    if given is None or rules_in_force(state).eggs is None or state.holder is not None:
        return None
    if not is_discard_gone(state, sight):
        return None
    for seat in SEATS:
        laid = laid_beside(state, sight, seat)
        for number, tile in laid.added:
            fits = tile.tile is given[1] and tile.pictures >= SURE_PICTURES
            meld = state.seats[seat].melds[number]
            if seat != given[0] and fits and meld.kind is MeldKind.LUCKY_EGG:
                appended = EggAppended(seat, _egg(state, seat, number), given[1])
                return Proposed(appended, 1.0, seen=(tile,))
    return None


def _each_group(state: TableState, sight: TableSight) -> Iterator[tuple[int, tuple[SeenTile, ...]]]:
    """Of each seat its new melds that lie there surely."""
    for seat in SEATS:
        for group in sure_groups(state, sight, seat):
            yield seat, group


def sure_groups(state: TableState, sight: TableSight, seat: int) -> list[tuple[SeenTile, ...]]:
    """Of `new_groups` those that lie there surely; what is likelier a back than a face is one."""
    groups = (group for group in new_groups(state, sight, seat) if all(map(_lies_surely, group)))
    return [
        tuple(replace(t, tile=Tile.BACK) if _back_share(t) > 0.5 else t for t in group)
        for group in groups
    ]


def _back_share(tile: SeenTile) -> float:
    """How likely an unread tile is one that lies face down."""
    return dict(tile.candidates).get(Tile.BACK, 0.0) if tile.tile is Tile.UNKNOWN else 0.0


def new_groups(state: TableState, sight: TableSight, seat: int) -> list[tuple[SeenTile, ...]]:
    """Groups that may be new melds before the seat, the oldest first.

    One that is no meld, or not read, does not hide those after it; nor does what has lain there
    for longer than a meld that is laid beside it, or over it.
    """
    fresh = laid_beside(state, sight, seat).fresh
    found = _melds_of(fresh, seat)
    if any(map(_is_meld, found)):
        return found
    newest = min((tile.pictures for tile in fresh), default=0)
    old = tuple(tile for tile in fresh if tile.pictures - newest >= PUZZLING_PICTURES)
    new = _melds_of(laid_beside(state, sight, seat, without=old).fresh, seat) if old else ()
    return [group for group in new if _is_meld(group)] or found


def _is_meld(group: Sequence[SeenTile]) -> bool:
    return claimed_meld(tuple(tile.tile for tile in group), Tile.UNKNOWN) is not None


def _melds_of(fresh: Sequence[SeenTile], seat: int) -> list[tuple[SeenTile, ...]]:
    """Three or four that lie together, by the gaps between them."""
    found: list[tuple[SeenTile, ...]] = []
    for group in groups_of(fresh, seat):
        if len(group) > 4:
            found += _split(group)
        elif len(group) > 2:
            found.append(group)
    near = groups_of(fresh, seat, HARDLY_APART_MM)
    return found + [group for group in near if len(group) in (3, 4) and group not in found]


def _lies_surely(tile: SeenTile) -> bool:
    return tile.pictures >= (SURE_PICTURES if tile.is_clear else DOUBTFUL_PICTURES)


def is_claim_unsure(state: TableState, sight: TableSight) -> bool:
    """Whether the last discard is gone, and may be in a meld that does not lie surely yet.

    What was discarded after it is not recorded before it: the claim would be lost between them.
    """
    if sight.heap and _is_claimers_discard(state, sight):
        return True
    given = state.given_up
    if given is None or not _is_taken(state, sight, given[0]):
        return False
    if partly_seen(state, sight):
        return True
    for seat in SEATS:
        groups = () if seat == given[0] else new_groups(state, sight, seat)
        if any(_becomes_claimed(group, given[1]) for group in groups):
            return True
    return False


def _becomes_claimed(group: tuple[SeenTile, ...], claimed: Tile) -> bool:
    """Whether it is a meld with that tile, and does not lie there surely yet."""
    if claimed_meld(faces_together(group, _made_with(claimed)), claimed) is not None:
        return not all(map(_lies_surely, group))
    is_unread = any(tile.tile is Tile.UNKNOWN for tile in group)
    return is_unread and fewest(group) < DOUBTFUL_PICTURES


def partly_seen(state: TableState, sight: TableSight, pictures: int = 0) -> frozenset[int]:
    """Seats before which lies, for a while at most, what may be a part of the claimed meld.

    Args:
        pictures: in how many it was seen at least.
    """
    given = state.given_up
    if given is None or not _is_taken(state, sight, given[0]):
        return frozenset()
    return frozenset(
        seat
        for seat in SEATS
        if seat != given[0]
        for chow in [(given[0] + 1) % len(SEATS) == seat]
        for group in groups_of(laid_beside(state, sight, seat).fresh, seat)
        if len(group) < 3 and may_become_meld([tile.tile for tile in group], given[1], chow=chow)
        if pictures <= max(tile.pictures for tile in group) < LONG_PICTURES
    )


def _is_claimers_discard(state: TableState, sight: TableSight) -> bool:
    """Whether what is new in a heap came after a meld whose claimed tile nobody saw.

    Such a meld is recorded once it has lain for a while, and so long whoever is on turn has not
    discarded what came later.
    """
    turn = on_turn(state)
    fresh = fresh_discards(state, sight, turn)
    if not fresh:
        return False
    return any(
        fewest(group) < REST_PICTURES
        and max(map(age_rank, group)) < min(map(age_rank, fresh))
        and claimed_from(turn, seat, tuple(tile.tile for tile in group), Tile.UNKNOWN) is not None
        for seat in SEATS
        if seat != turn
        for group in new_groups(state, sight, seat)
    )


def _split(group: tuple[SeenTile, ...]) -> list[tuple[SeenTile, ...]]:
    """Melds that touch each other: kongs first, else by threes."""
    for size in (4, 3):
        faces = [tile.tile for tile in group[:size]]
        if len(group) - size in (3, 4) and len(set(faces) - {Tile.BACK, Tile.UNKNOWN}) == 1:
            return [group[:size], group[size:]]
    return [group[:3], group[3:]] if len(group) in (6, 7) else []


def _is_taken(state: TableState, sight: TableSight, giver: int) -> bool:
    """Whether the tile that was given up lies where it lay no more."""
    robbed = state.robbable
    if robbed is None:
        return is_discard_gone(state, sight)
    if robbed.kind is not MeldKind.LUCKY_EGG:
        return False  # a kong's tile can only be won
    eggs = [meld for meld in state.seats[giver].melds if meld.supplements[-1:] == (robbed.tile,)]
    return bool(eggs) and not laid_beside(state, sight, giver).is_whole


def _is_unseen(state: TableState, sight: TableSight, group: Sequence[SeenTile]) -> bool:
    """Whether an unread discard lies in no heap: whatever may be it came after the meld."""
    given = state.last_discard
    if not sight.heap or given is None or given[1].is_face or state.robbable is not None:
        return False
    left = Counter(thrown(state))
    earlier = left.pop(Tile.UNKNOWN, 1) - 1  # unread ones, the oldest of what nobody knows
    other = []
    for seen in sight.thrown:
        if left[seen.tile] > 0:
            left[seen.tile] -= 1
        else:
            other.append(age_rank(seen))
    return len(other) > earlier and sorted(other)[earlier] > max(map(age_rank, group))


# --- From the own hand


def own_meld(state: TableState, sight: TableSight, seat: int) -> Proposed | None:
    """A concealed or added kong, or a tile put to an egg.

    Whose turn it is not has a discard before it that is not seen yet: that is waited for.
    """
    laid = laid_beside(state, sight, seat)
    on_turn_now = seat == on_turn(state)
    for number, tile in laid.added:
        proposed = _added(state, seat, number, tile, alone=len(laid.fresh) == 0)
        if proposed is not None and (on_turn_now or tile.pictures >= REST_PICTURES):
            return proposed
    rules = rules_in_force(state)
    shows = rules.lying(rules.chosen).concealed_kong_up
    patience = SURE_PICTURES if on_turn_now else REST_PICTURES
    for group in sure_groups(state, sight, seat):
        faces = [tile.tile for tile in group if tile.tile is not Tile.BACK]
        if len(group) != 4 or len(faces) not in shows:
            continue
        is_read = len({face for face in faces if face.is_face}) == 1
        face = next(each for each in faces if each.is_face) if is_read else _of_a_kong(state, group)
        needed = patience if is_read else max(patience, LONG_PICTURES)
        if face.is_face and fewest(group) >= needed:
            event = KongDeclared(seat, MeldKind.KONG_CONCEALED, face)
            return Proposed(event, least(group), seen=group)
    return None


def _of_a_kong(state: TableState, group: Sequence[SeenTile]) -> Tile:
    """The likeliest face of an unread concealed kong; none of it lies elsewhere."""
    rules, lying = rules_in_force(state), Counter(visible_tiles(state))
    shares = as_many_as_left(likely_kongs(group, rules.kinds), rules, lying)
    best = max(shares, key=shares.__getitem__, default=None)
    return best.tiles[0] if best is not None and shares[best] > 0.5 else Tile.UNKNOWN


def _added(
    state: TableState, seat: int, number: int, seen: SeenTile, *, alone: bool
) -> Proposed | None:
    meld, rules = state.seats[seat].melds[number], rules_in_force(state)
    if seen.tile is Tile.UNKNOWN:
        seen = _put_to(meld, seen, rules)
    if not seen.tile.is_face or seen.pictures < (DOUBTFUL_PICTURES if alone else SURE_PICTURES):
        return None
    if not seen.is_clear and seen.pictures < DOUBTFUL_PICTURES:
        return None
    if meld.kind is MeldKind.PUNG:
        event = KongDeclared(seat, MeldKind.KONG_ADDED, seen.tile)
        return Proposed(event, seen.confidence, seen=(seen,))
    if rules.eggs is None:
        return None
    refused = rules.eggs.refuse(Appended(meld.tiles, seen.tile), rules.chosen)
    if refused is not None and seen.pictures < DOUBTFUL_PICTURES:
        return None
    appended = EggAppended(seat, _egg(state, seat, number), seen.tile)
    return Proposed(appended, seen.confidence, seen=(seen,))


def _put_to(meld: Meld, seen: SeenTile, rules: RuleSet) -> SeenTile:
    """An unread tile at a meld as the likeliest that may be put there: each is worth the same."""
    chances, eggs = chances_unread(seen, rules.kinds), rules.eggs
    fitting = [face for face in chances if meld.kind is MeldKind.PUNG and face in meld.tiles]
    if meld.kind is MeldKind.LUCKY_EGG and eggs is not None:
        tried = ((face, Appended(meld.tiles, face)) for face in chances)
        fitting = [face for face, put in tried if eggs.refuse(put, rules.chosen) is None]
    legal = sum(chances[face] for face in fitting)
    if legal < 0.5 and not is_sure(legal, legal, (seen,)):
        return seen
    best = max(fitting, key=chances.__getitem__)
    return replace(seen, tile=best, confidence=chances[best])


def _egg(state: TableState, seat: int, number: int) -> int:
    """Which of the seat's eggs the meld is, from 0."""
    before = state.seats[seat].melds[:number]
    return sum(meld.kind is MeldKind.LUCKY_EGG for meld in before)


def egg(state: TableState, sight: TableSight, seat: int) -> Proposed | None:
    """A lucky egg, as long as its owner has not discarded; of two the older one first."""
    rules = rules_in_force(state)
    if rules.eggs is None or state.seats[seat].discards:
        return None
    eggs, chosen = rules.eggs, rules.chosen

    def kind_of(tiles: Sequence[Tile]) -> str | None:
        is_read = all(each.is_face for each in tiles)
        return eggs.kind_of(tuple(sorted(tiles)), chosen) if is_read else None

    runs = groups_of(laid_beside(state, sight, seat).fresh, seat)
    grown = [
        run[:n] for run in runs for n in (3, 4) if len(run) > 4 and all(map(_lies_surely, run))
    ]
    lying = (*sure_groups(state, sight, seat), *grown)
    for group in sorted(lying, key=lambda tiles: max(map(age_rank, tiles))):
        faces = faces_together(
            group, lambda tiles: kind_of(tiles) is not None, kind_of, rules.kinds
        )
        if kind_of(faces):
            return Proposed(EggLaid(seat, tuple(sorted(faces))), least(group), seen=group)
        if Tile.UNKNOWN in faces and fewest(group) < LONG_PICTURES:
            return None  # what lies beside it later would be taken for this one
    return None


def is_egg_unsure(state: TableState, sight: TableSight, seat: int) -> bool:
    """Whether what may be an egg is not read yet: its owner's first discard came after it."""
    if rules_in_force(state).eggs is None or state.seats[seat].discards:
        return False
    tiles = [tile for group in new_groups(state, sight, seat) for tile in group]
    return any(tile.tile is Tile.UNKNOWN and tile.pictures < LONG_PICTURES for tile in tiles)


def is_older_unsure(state: TableState, sight: TableSight, seat: int) -> bool:
    """Whether a group that is not read yet lay there before the seat's discard: a claim, perhaps.

    Of a heap nobody can tell whose the discard is.
    """
    fresh = () if sight.heap else fresh_discards(state, sight, seat)
    return bool(fresh) and any(
        fewest(group) < LONG_PICTURES
        and max(map(age_rank, group)) < min(map(age_rank, fresh))
        and not _may_be_egg(state, other, group)
        for other, group in _each_group(state, sight)
        if other != seat and any(tile.tile is Tile.UNKNOWN for tile in group)
    )


# --- What was too quick to be seen


def unseen_discard(state: TableState, sight: TableSight) -> Proposed | None:
    """A discard that was claimed before the camera saw it: whose turn it is has made it."""
    turn = on_turn(state)
    fresh = fresh_discards(state, sight, turn)
    for seat, group in _each_group(state, sight):
        if seat == turn or _may_be_egg(state, seat, group):
            continue
        faces = faces_together(group, _made_with(Tile.UNKNOWN))
        if Tile.BACK in faces and not _hides_claimed(state, faces):
            continue
        if fresh and min(map(age_rank, fresh)) < max(map(age_rank, group)):
            continue  # it lay there before the meld did, in a heap nobody's
        if fewest(group) < DOUBTFUL_PICTURES:
            continue
        last = state.last_discard
        done = fresh_discards(state, sight, seat) if not sight.heap else ()
        if (
            last is not None
            and not done
            and claimed_from(last[0], seat, faces, last[1]) is not None
        ):
            continue  # it is being laid out, and the discard still lies in the river
        meld = claimed_from(turn, seat, faces, Tile.UNKNOWN)
        if meld is None and fewest(group) >= LONG_PICTURES:
            unread = apply(state, Discarded(turn, Tile.UNKNOWN))
            meld = _likeliest(unread, group, seat)
        if meld is None:
            continue
        kinds = tuple(dict.fromkeys(meld.tiles))
        tile = kinds[0] if len(kinds) == 1 else turned_tile(group)
        if may_be_from_egg(state, turn, tile):
            tile = Tile.UNKNOWN  # called from an egg, it was no discard: people are to say
        return Proposed(Discarded(turn, tile), least(group), kinds)
    return None


def _may_be_egg(state: TableState, seat: int, group: Sequence[SeenTile]) -> bool:
    """Whether a group that is not read may be an egg of who has not discarded yet."""
    is_unread = any(tile.tile is Tile.UNKNOWN for tile in group)
    may_lay = rules_in_force(state).eggs is not None and not state.seats[seat].discards
    return is_unread and may_lay


def may_be_from_egg(state: TableState, seat: int, tile: Tile) -> bool:
    """Whether the tile may have been put to an egg of the seat before another seat called it."""
    rules = rules_in_force(state)
    if rules.eggs is None:
        return False
    return any(
        not tile.is_face or rules.eggs.refuse(Appended(egg.tiles, tile), rules.chosen) is None
        for egg in state.seats[seat].eggs
    )
