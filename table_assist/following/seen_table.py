"""The table as the observation shows it, by the recorded state: rivers, melds, hands, birds."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from table_assist.following.pieces import Piece
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, TableState
from table_assist.rules.play_rules import MarkedTile
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import Meld, MeldKind, is_set
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SURE_PICTURES, Observation, SeenTile, apart_mm
from table_assist.vision.table.zones import ZoneKind

# Pictures in which a thing was seen before it is recorded although its face is not sure, or it is
# nobody's turn; before people are asked about what does not fit; before it lies at rest; before it
# is on its way no more, and the rest of what it belongs to is waited for no longer.
DOUBTFUL_PICTURES, PUZZLING_PICTURES = 5, 8
REST_PICTURES, LONG_PICTURES = 2 * DOUBTFUL_PICTURES, 3 * DOUBTFUL_PICTURES
MELD_TILES = 3
# A tile set apart from its neighbours: half the gap that players leave for a drawn tile.
SET_APART_MM = 8.0
# Tiles of one group touch, and groups lie 8 mm apart. Boxes of touching ones were read as far apart
# as 5 mm, so where so small a gap leaves no whole meld it is none.
TOUCHING_MM, HARDLY_APART_MM = 4.0, 6.0
# From middle to middle, in a tile's widths: where one lacks it is twice its width, and people leave
# less between groups; neighbours of a row are no farther apart than the second.
LACKING, NEIGHBOURS_APART = 1.75, 1.6
# So many recorded tiles may lie there, and are not seen or are read otherwise.
MISSED_AT_MOST = 2
DEALT = 14  # tiles of a hand without melds, with the one that was drawn
# Flowers are laid from here to the right, where melds come last.
FLOWERS_R = -261.0
# Of usual tiles: from one row of a river to the next at least.
ROW_MM = 17.0
# Two tiles of a row cannot lie nearer by this share of their widths: one of them is not there, or
# not there any more.
OVERLAPPING = 0.8
# A share of what a thing may be that is less says nothing: one look in many had it.
LIKELY_FACE = 0.1
# A tile face down nearer to the wall than this may be one of the wall's.
WALL_GAP_MM = 18.0


def pictures_needed(seen: SeenTile) -> int:
    """How often a tile must have been seen to be taken as it was read.

    The white dragon's plain face is what a sleeve or a glare looks like, too.
    """
    is_plain = seen.tile is Tile.WHITE or not seen.tile.is_face
    return DOUBTFUL_PICTURES if is_plain or not seen.is_clear else SURE_PICTURES


@dataclass(frozen=True, slots=True)
class TableSight:
    """The findings of one observation.

    Attributes:
        rivers: of each seat, oldest discard first; of a heap, what lies in the seat's part of it.
        heap: discards are thrown into the middle, whosever they are.
        known: the pieces of discards on record that are seen, by seat and place in its river.
        lost: where those lay that were seen before and are not now.
        strays: of each seat, what was left out of its river.
        laid: what was found before seats, by what is recorded there; filled by `laid_beside`.
    """

    observation: Observation
    rivers: tuple[tuple[SeenTile, ...], ...]
    heap: bool = False
    known: Mapping[tuple[int, int], SeenTile] = field(default_factory=dict, compare=False)
    lost: Mapping[tuple[int, int], Piece] = field(default_factory=dict, compare=False)
    strays: tuple[tuple[SeenTile, ...], ...] = ((),) * 4
    laid: dict[tuple[object, ...], "LaidBeside"] = field(default_factory=dict, compare=False)

    @property
    def thrown(self) -> tuple[SeenTile, ...]:
        """All discards that lie there, the longest seen first."""
        lying = [tile for river in self.rivers for tile in river]
        return tuple(sorted(lying, key=age_rank))

    def owned(self, seen: SeenTile, seat: int, index: int) -> "TableSight":
        """With that tile among the seat's discards, before whomever it lies."""
        if seen in self.rivers[seat]:
            return self
        rivers = [[each for each in river if each != seen] for river in self.rivers]
        rivers[seat].insert(index, seen)
        return replace(self, rivers=tuple(map(tuple, rivers)))


def beyond(
    lying: Iterable[SeenTile], recorded: Iterable[Tile]
) -> tuple[list[SeenTile], Counter[Tile]]:
    """What is not on record by its face of what lies there, and of the record what is not read."""
    left, rest = Counter(recorded), []
    for seen in lying:
        if seen.tile.is_face and left[seen.tile] > 0:
            left[seen.tile] -= 1
        else:
            rest.append(seen)
    return rest, left


def age_rank(tile: SeenTile) -> tuple[int, int]:
    """Smaller for what lies there longer: beside a hand a tile is looked at less often."""
    return tile.id, -tile.pictures


def sight_of(rules: RuleSet, observation: Observation, *, heap: bool = False) -> TableSight:
    """The observation as these rules let it be: faces of the set, and no more of one than it has.

    Of one tile too many the least sure is taken for unread.
    """
    lying = rules.lying(rules.chosen)
    found: dict[SeenTile, SeenTile] = {}
    reach = observation.layout.river - WALL_GAP_MM * observation.times
    for tile in observation.tiles if lying.discards_down else ():
        # A tile face down among the discards is one of them, whatever its face (CL-37)
        is_near = max(abs(tile.x_mm), abs(tile.y_mm)) < reach
        if tile.tile is Tile.BACK and tile.zone.kind is ZoneKind.RIVER and is_near:
            found[tile] = replace(tile, tile=Tile.UNKNOWN, candidates=())
    for seat in SEATS if lying.marked is MarkedTile.MIDDLE_TURNED else ():
        # Of an open hand: what lies face down between two of a kind is the third of them (CL-67)
        lies = observation.in_zone(ZoneKind.HAND, seat)
        row = sorted(lies, key=lambda tile: tile.to_seat(seat)[0])
        for left, middle, right in zip(row, row[1:], row[2:], strict=False):
            same = left.tile is right.tile and left.tile.is_face
            near = max(_gap(left, middle, seat), _gap(middle, right, seat)) <= TOUCHING_MM
            if same and near and middle.tile is Tile.BACK:
                found[middle] = replace(middle, tile=left.tile, candidates=())
    copies = {tile: rules.copies_of(tile) for tile in Tile}
    tiles = [
        replace(tile, tile=Tile.UNKNOWN) if tile.tile.is_face and not copies[tile.tile] else tile
        for tile in (found.get(tile, tile) for tile in observation.tiles)
    ]
    counts = Counter(tile.tile for tile in tiles if tile.tile.is_face)
    for face, count in counts.items():
        spare = count - copies[face]
        if spare > 0:
            own = [i for i, tile in enumerate(tiles) if tile.tile is face]
            own.sort(key=lambda i: (tiles[i].confidence, tiles[i].pictures))
            for i in own[:spare]:
                tiles[i] = replace(tiles[i], tile=Tile.UNKNOWN)
    observation = replace(observation, tiles=tuple(tiles))
    rivers = tuple(river_order(observation, seat) for seat in range(4))
    return TableSight(observation, rivers, heap)


def river_order(observation: Observation, seat: int) -> tuple[SeenTile, ...]:
    """The seat's river, oldest discard first: row by row from the centre, left to right."""
    wall = piece_of_wall(observation, seat)
    tiles = [
        (*tile.to_seat(seat), tile)
        for tile in observation.in_zone(ZoneKind.RIVER, seat)
        if not _is_likely_back(tile) and tile not in wall
    ]
    tiles.sort(key=lambda item: item[1])
    rows: list[list[tuple[float, float, SeenTile]]] = []
    for item in tiles:
        # A new row begins half a tile's length further out than the last one's first tile.
        if not rows or item[1] - rows[-1][0][1] > ROW_MM * observation.times:
            rows.append([])
        rows[-1].append(item)
    return tuple(item[2] for row in rows for item in sorted(row, key=lambda placed: placed[0]))


def piece_of_wall(observation: Observation, seat: int) -> list[SeenTile]:
    """What stands in the seat's river, and has for long: backs in a row, and what is among them."""
    tiles = observation.in_zone(ZoneKind.RIVER, seat)
    places = [tile.to_seat(seat) for tile in tiles]
    backs = [place for place, tile in zip(places, tiles, strict=True)
             if tile.tile is Tile.BACK and tile.pictures >= REST_PICTURES]  # fmt: skip
    along, out = sorted(r for r, _ in backs), sorted(d for _, d in backs)
    row_mm = ROW_MM * observation.times
    if len(backs) <= MELD_TILES or out[-1] - out[0] > 1.5 * row_mm:
        return []
    return [
        tile
        for (r, d), tile in zip(places, tiles, strict=True)
        if d > out[0] - row_mm and along[0] - 2 * row_mm < r < along[-1] + 2 * row_mm
    ]


def hand_faces(observation: Observation, seat: int, most: int = DEALT) -> list[SeenTile]:
    """Face-up tiles in the seat's hand row, left to right.

    Args:
        most: where more lie there, unread things that lie apart from all read tiles are none.
    """
    lying = [t for t in observation.in_zone(ZoneKind.HAND, seat) if not _is_likely_back(t)]
    tiles = sorted(lying, key=lambda tile: -tile.to_seat(seat)[0])
    lacks_mm = (LACKING - 1) * observation.tile_mm
    is_lost = most % MELD_TILES == 1  # of one that was won a tile may lie elsewhere
    is_whole = is_lost and len(tiles) == most and len(groups_of(tiles, seat, lacks_mm)) == 1
    if tiles and not is_whole:  # what lay there for much longer than the others is none of them
        longest = 2 * (median(tile.pictures for tile in tiles) + LONG_PICTURES)
        tiles = [tile for tile in tiles if tile.pictures <= longest]
    groups = groups_of(tiles, seat, lacks_mm)
    if len(tiles) > most:
        groups = [each for each in groups if any(tile.tile.is_face for tile in each)]
    return [tile for each in groups for tile in each][::-1]


def standing_tiles(observation: Observation, seat: int) -> int | None:
    """How many tiles stand in the seat's hand row; None where some may not have been read.

    Each one must show its back, and none may lack among them: there is no gap for a tile.
    """
    row = observation.in_zone(ZoneKind.HAND, seat)
    places = sorted(tile.to_seat(seat)[0] for tile in row)
    widest = LACKING * observation.tile_mm
    lacks = any(right - left > widest for left, right in pairwise(places))
    return None if lacks or any(tile.tile is not Tile.BACK for tile in row) else len(row)


def _is_likely_back(seen: SeenTile) -> bool:
    """Standing tiles show a little of their backs: they are none of a shown hand's tiles."""
    if seen.tile is not Tile.UNKNOWN:
        return seen.tile is Tile.BACK
    likeliest = next((each for each in seen.candidates if each[0] is not Tile.UNKNOWN), None)
    return likeliest is not None and likeliest[0] is Tile.BACK and likeliest[1] >= LIKELY_FACE


def set_apart(tiles: Sequence[SeenTile], seat: int) -> Tile:
    """The drawn tile that lies apart at the right-hand end; UNKNOWN when none does."""
    if len(tiles) == 1:
        return tiles[0].tile
    return tiles[-1].tile if is_last_apart(tiles, seat) else Tile.UNKNOWN


def is_last_apart(tiles: Sequence[SeenTile], seat: int) -> bool:
    """Whether the tile at the right-hand end lies apart from its neighbour."""
    if len(tiles) < 2:
        return False
    return _gap(tiles[-2], tiles[-1], seat) >= SET_APART_MM


def _gap(left: SeenTile, right: SeenTile, seat: int) -> float:
    """Between two tiles of a row, in mm."""
    begins = right.to_seat(seat)[0] - right.width_mm / 2
    ends = left.to_seat(seat)[0] + left.width_mm / 2
    return begins - ends


def turned_birds(observation: Observation) -> list[SeenTile]:
    """The face-up tiles where birds are turned."""
    return [t for t in observation.in_zone(ZoneKind.BIRDS) if not _is_likely_back(t)]


def turned_treasures(observation: Observation) -> list[SeenTile]:
    """Tiles that were looked at and lie face up now: in the middle, or where they stood."""
    return turned_in_wall(observation) + turned_birds(observation)


def turned_in_wall(observation: Observation) -> list[SeenTile]:
    """The face-up tiles in the wall, the longest seen first."""
    tiles = [t for t in observation.in_zone(ZoneKind.WALL) if not _is_likely_back(t)]
    return sorted(tiles, key=lambda tile: -tile.pictures)


# --- Before a seat


@dataclass(frozen=True, slots=True)
class LaidBeside:
    """The open tiles before a seat beside its recorded melds.

    Attributes:
        added: (which meld, tile) that lies at a recorded meld.
        fresh: tiles of no recorded meld, from the right.
        is_whole: the recorded melds are fully seen; else nothing is told.
    """

    added: tuple[tuple[int, SeenTile], ...] = ()
    fresh: tuple[SeenTile, ...] = ()
    is_whole: bool = True


def flowers(state: TableState, observation: Observation, seat: int) -> tuple[SeenTile, ...]:
    """The seat's flowers and seasons, in the order laid; what lies at their place unread is one."""
    pitch = observation.tile_mm
    row = [(tile.to_seat(seat)[0], tile) for tile in observation.in_zone(ZoneKind.MELDS, seat)]
    last = max((r for r, tile in row if tile.tile.is_bonus), default=FLOWERS_R - pitch)
    known = len(state.seats[seat].bonus)
    reach = max(last, FLOWERS_R + pitch * (known - 1)) + 1.5 * pitch
    melds = [r for r, tile in row if tile.tile.is_face and not tile.tile.is_bonus]
    border = min(melds, default=400.0) - 1.5 * pitch
    found = [
        (r, tile)
        for r, tile in row
        if tile.tile.is_bonus or (tile.tile is Tile.UNKNOWN and r < min(reach, border))
    ]
    return tuple(tile for _, tile in sorted(found, key=lambda item: item[0]))


def melds_row(state: TableState, observation: Observation, seat: int) -> list[SeenTile]:
    """The open tiles before the seat, flowers aside, in the order laid: from the right.

    More than four backs side by side are a hand or a wall, seen askew.
    """
    laid = flowers(state, observation, seat) if rules_in_force(state).bonus_tiles else ()
    row = [tile for tile in observation.in_zone(ZoneKind.MELDS, seat) if tile not in laid]
    row.sort(key=lambda tile: -tile.to_seat(seat)[0])
    runs = ([tile for tile in group if tile.tile is Tile.BACK] for group in groups_of(row, seat))
    standing = [tile for backs in runs if len(backs) > 4 for tile in backs]
    return [tile for tile in row if tile not in standing]


def laid_beside(
    state: TableState,
    sight: TableSight,
    seat: int,
    *,
    without: tuple[SeenTile, ...] = (),
) -> LaidBeside:
    """The new tiles before the seat.

    Args:
        without: things that are taken for no tiles.
    """
    own = state.seats[seat]
    key = (seat, own.melds, own.bonus, without)
    if key not in sight.laid:
        row = [x for x in melds_row(state, sight.observation, seat) if x not in without]
        laid = _laid(row, recorded_melds(state, seat), seat, sight.observation.tile_mm)
        sight.laid[key] = laid or LaidBeside(is_whole=False)
    return sight.laid[key]


def _laid(row: list[SeenTile], melds: "_Lying", seat: int, tile_mm: float) -> LaidBeside | None:
    """Of two that overlap the one that was seen longer is a tile, unless a meld lacks the other."""
    found = None
    for sign in (1, -1):
        kept = _without_overlapping(row, seat, tile_mm, sign)
        laid = _in_order(kept, melds, seat) or _anyhow(kept, melds)
        if laid is not None and not laid.fresh:
            return laid  # or grows by the other
        found = found or laid
    if found is not None:
        return found
    # What is amiss with one tile of a recorded meld hides no meld that is laid beside it.
    kept = _without_overlapping(row, seat, tile_mm, 1)
    laid = _in_order(kept, melds, seat, amiss=1)
    return None if laid is None or len(laid.fresh) < MELD_TILES else laid


_Lying = list[tuple[Meld, tuple[Tile, ...]]]


def lie_at_their_places(state: TableState, row: list[SeenTile], seat: int) -> bool:
    """Whether the recorded melds lie in a row as they were laid, as far as their tiles are read."""
    return _in_order(row, recorded_melds(state, seat), seat) is not None


def recorded_melds(state: TableState, seat: int) -> _Lying:
    """The seat's melds on record, each with its tiles as they lie."""
    rules = rules_in_force(state)
    lying = rules.lying(rules.chosen)
    return [(meld, lying.faces(meld)) for meld in state.seats[seat].melds]


def _in_order(
    row: list[SeenTile], melds: _Lying, seat: int, *, amiss: int = 0
) -> LaidBeside | None:
    """As melds are laid: one after the other from the right, an added tile at its meld's left.

    Args:
        amiss: so many tiles may surely show another face than is recorded, or have gone.
    """
    added: list[tuple[int, SeenTile]] = []
    at = 0
    for number, (meld, tiles) in enumerate(melds):
        here = row[at : at + len(tiles)]
        if not _same(here, tiles):
            amiss -= 1
            here = here[:-1] if _lacks_one(here[:-1], tiles) else here
            # One of as many may surely show another face than is recorded.
            if amiss < 0 or not (
                len(here) < len(tiles)
                or any(
                    each.tile.is_face
                    and each.is_clear
                    and each.pictures >= DOUBTFUL_PICTURES
                    and _lacks_one([one for one in here if one is not each], tiles)
                    for each in here
                )
            ):
                return None
        at += len(here)
        if not _may_grow(meld) or at >= len(row):
            continue
        run = _beside(row[at:], here[-1], seat, TOUCHING_MM)
        run = run or _beside(row[at:], here[-1], seat, HARDLY_APART_MM)
        most = 1 if meld.kind is MeldKind.PUNG else 2 if _may_be_meld(run) else len(run)
        if len(run) <= most and all(_fits(meld, tile.tile) for tile in run):
            added += [(number, tile) for tile in run]
            at += len(run)
    return LaidBeside(tuple(added), tuple(row[at:]))


def _without_overlapping(
    row: Sequence[SeenTile], seat: int, tile_mm: float, sign: int
) -> list[SeenTile]:
    """A row without what is seen in a tile: for a moment when the table is bumped, or for ever.

    Of two the unread one is no tile, else the one that was seen less; with the sign -1 the other
    one. Small tiles lie nearer than usual ones, and how small they are may not be known yet.
    """
    if row:
        tile_mm = min(tile_mm, median(tile.width_mm for tile in row))
    kept: list[SeenTile] = []
    for tile in row:
        place = tile.to_seat(seat)[0]
        if kept and kept[-1].to_seat(seat)[0] - place < OVERLAPPING * tile_mm:
            two = (kept[-1], tile)
            kept[-1] = max(two, key=lambda each: (sign * each.tile.is_face, sign * each.pictures))
        else:
            kept.append(tile)
    return kept


def _beside(row: Sequence[SeenTile], last: SeenTile, seat: int, apart_mm: float) -> list[SeenTile]:
    """The tiles that lie so near to the last one, or to one that does."""
    run: list[SeenTile] = []
    for tile in row:
        if _gap(tile, run[-1] if run else last, seat) > apart_mm:
            break
        run.append(tile)
    return run


def _may_be_meld(run: Sequence[SeenTile]) -> bool:
    """Whether there may be a meld in what lies at an egg; else the egg has grown for long."""
    threes = [tuple(each.tile for each in run[n : n + 3]) for n in range(len(run) - 2)]
    return any(each.pictures < REST_PICTURES for each in run) or any(
        Tile.UNKNOWN in three or is_set(MeldKind.CHOW, three) or is_set(MeldKind.PUNG, three)
        for three in threes
    )


def _anyhow(row: list[SeenTile], melds: _Lying) -> LaidBeside | None:
    """However the tiles lie: each recorded one is found among them, and one beside any is added."""
    rest = list(row)
    for _, tiles in melds:
        for tile in tiles:
            match = next((s for s in rest if s.tile is tile), None) or next(
                (s for s in rest if s.tile is Tile.UNKNOWN or tile is Tile.UNKNOWN), None
            )
            if match is None:
                return None
            rest.remove(match)
    growing = [n for n, (meld, _) in enumerate(melds) if _may_grow(meld)]
    beside = [apart_mm(tile, other) for tile in rest for other in row if other is not tile]
    if len(rest) == 1 and min(beside, default=0.0) < 2 * rest[0].width_mm:
        fitting = [n for n in growing if _fits(melds[n][0], rest[0].tile)]
        if len(fitting) == 1:
            return LaidBeside(((fitting[0], rest[0]),))
    return LaidBeside(fresh=tuple(rest))


def _same(seen: Sequence[SeenTile], tiles: Sequence[Tile]) -> bool:
    """Whether these are the tiles, as far as both are known."""
    if len(seen) != len(tiles):
        return False
    left = Counter(tiles)
    left.subtract(tile.tile for tile in seen)
    wild = left[Tile.UNKNOWN]  # recorded unread ones above 0, seen unread ones below
    over = -sum(n for tile, n in left.items() if tile is not Tile.UNKNOWN and n < 0)
    return over <= max(wild, 0)


def _lacks_one(seen: Sequence[SeenTile], tiles: Sequence[Tile]) -> bool:
    """Whether these are the tiles but for one that has gone."""
    faces = Counter(tile.tile for tile in seen)
    return len(seen) == len(tiles) - 1 and not faces - Counter(tiles)


def _may_grow(meld: Meld) -> bool:
    return meld.kind in (MeldKind.PUNG, MeldKind.LUCKY_EGG)


def _fits(meld: Meld, tile: Tile) -> bool:
    if tile is Tile.BACK:
        return False
    return meld.kind is MeldKind.LUCKY_EGG or tile in (Tile.UNKNOWN, *meld.tiles)


def groups_of(
    tiles: Iterable[SeenTile], seat: int, apart_mm: float = TOUCHING_MM
) -> list[tuple[SeenTile, ...]]:
    """Tiles of a row, from the right, as they lie together, with no wider gap between two."""
    groups: list[list[SeenTile]] = []
    for tile in tiles:
        if not groups or _gap(tile, groups[-1][-1], seat) > apart_mm:
            groups.append([])
        groups[-1].append(tile)
    return [tuple(group) for group in groups]


def unfound(beside: SeenTile, x_mm: float, y_mm: float) -> SeenTile:
    """A tile that must lie there beside others and is not found: it is not read."""
    return replace(
        beside, tile=Tile.UNKNOWN, confidence=0, x_mm=x_mm, y_mm=y_mm, candidates=(), id=0
    )


def faces_of(seen: SeenTile) -> tuple[Tile, ...]:
    """The likeliest faces, best first."""
    return tuple(tile for tile, _ in seen.candidates if tile.is_face)


def least(tiles: Iterable[SeenTile]) -> float:
    """How surely the least sure of these tiles is read."""
    return min(tile.confidence for tile in tiles)


def fewest(tiles: Iterable[SeenTile]) -> int:
    """In how many pictures the newest of these tiles was seen."""
    return min(tile.pictures for tile in tiles)
