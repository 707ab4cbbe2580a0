"""How the tiles on which a settlement rests were read; what people said of them is sure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from table_assist.following.seen_table import LIKELY
from table_assist.following.told_scale import chances, chances_unread, told_scale
from table_assist.game.events import (
    BirdTurned,
    BonusLaid,
    Claimed,
    Discarded,
    HandLaidDown,
    HandShown,
    IndicatorTurned,
    KongDeclared,
)
from table_assist.game.irregular import visible_tiles
from table_assist.game.state import TableState
from table_assist.game.sureness import LikelyReading
from table_assist.record.log import Entry, Source
from table_assist.record.record import Record
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from table_assist.vision.table.attention import RecordedTile
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.zones import Zone, ZoneKind

Seen = Mapping[int, tuple[SeenTile, ...]]
Read = (
    HandShown
    | HandLaidDown
    | BirdTurned
    | Discarded
    | IndicatorTurned
    | Claimed
    | KongDeclared
    | BonusLaid
)
# Of so many entries, some hands, is taken how well each face of the set is read here.
LATELY, ROUNDS = 600, 4
# So many copies of a face may be left although all lie open: one of those is another face.
MISREAD = 0.01


def tiles_in(event: object) -> tuple[Tile, ...]:
    """The tiles that lie open with it."""
    match event:
        case HandShown() | HandLaidDown():
            return event.concealed
        case Claimed() | BonusLaid():
            return event.tiles
        case BirdTurned() | Discarded() | IndicatorTurned() | KongDeclared():
            return (event.tile,)
    return ()


def legibility(record: Record, seen: Seen, kinds: Sequence[Tile]) -> Mapping[Tile, float]:
    """How often each face of this table's set lies there unread, by what lay open of late.

    Unread ones are shared out among the faces that they may be, by the record if it knows them, the
    more to those that are read seldom (Dempster, Laird and Rubin 1977); a face that was hardly met
    is as all others.
    """
    read: Counter[Tile] = Counter()
    unread = []
    for entry in record.entries[-LATELY:]:
        event = record.event(entry.seq) if entry.source is Source.CAMERA else None
        if not isinstance(event, Read):
            continue
        here, is_said = seen.get(entry.seq, ()), record.is_corrected(entry.seq)
        if not is_said and (not here or (isinstance(event, Discarded) and event.tile.is_face)):
            if not isinstance(event, HandShown | HandLaidDown):  # of before a restart
                read.update(tile for tile in tiles_in(event) if tile.is_face)
            continue
        own = Counter(tile.tile for tile in here if tile.tile.is_face)
        left = Counter(tile for tile in tiles_in(event) if tile.is_face) - own
        read.update(own)
        for tile in here:
            if not tile.tile.is_face:
                shares = chances_unread(tile, kinds)
                known = {face: share for face, share in shares.items() if left[face]}
                unread.append(known or shares)
    usual = (len(unread) + 0.5) / (len(unread) + read.total() + 1)
    found = dict.fromkeys(kinds, usual)
    for _ in range(ROUNDS):
        lost: Counter[Tile] = Counter()
        for shares in unread:
            weights = {face: share * found[face] for face, share in shares.items()}
            total = sum(weights.values()) or 1.0
            lost.update({face: weight / total for face, weight in weights.items()})
        found = {face: (lost[face] + usual) / (read[face] + lost[face] + 1) for face in kinds}
    return found


def chances_here(
    tile: SeenTile,
    kinds: Sequence[Tile],
    unread: Mapping[Tile, float],
    left: Mapping[Tile, int],
) -> Mapping[Tile, float]:
    """How likely an unread tile is each face, by how often each lies unread at this table.

    What something lies over is unread whatever it is; and to a face that it hardly resembles it is
    no nearer because that one is never read.

    Args:
        left: how many of each face lie nowhere else; what lies elsewhere may be misread.
    """
    found = chances_unread(tile, kinds)
    best = max(found, key=found.__getitem__, default=Tile.UNKNOWN)
    weights = {
        face: share
        * max(left[face], MISREAD)
        * (unread[face if share >= LIKELY else best] if tile.is_clear else 1.0)
        for face, share in found.items()
    }
    total = sum(weights.values()) or 1.0
    return {face: weight / total for face, weight in weights.items()}


def copies_left(rules: RuleSet, state: TableState) -> Mapping[Tile, int]:
    """How many of each face do not lie open."""
    lying = Counter(visible_tiles(state))
    return {face: rules.copies_of(face) - lying[face] for face in every_face(rules)}


def every_face(rules: RuleSet) -> tuple[Tile, ...]:
    """Flowers and seasons among them."""
    return (*rules.kinds, *rules.bonus_tiles)


def tiles_read(rules: RuleSet, record: Record, seen: Seen) -> tuple[LikelyReading, ...]:
    """Of the open hands and birds of this win each tile that the camera read.

    Args:
        seen: by entry, as long as it is remembered; an entry of before a restart is as sure as it
            was written down.
    """
    state = record.state
    open_now = (*state.shown, *state.laid_down)
    birds = len(state.birds)
    found: list[LikelyReading] = []
    unread = legibility(record, seen, every_face(rules))
    left = copies_left(rules, state)
    for entry in reversed(record.hand_entries()):
        event = entry.event
        if entry.source is not Source.CAMERA or record.is_corrected(entry.seq):
            birds -= isinstance(event, BirdTurned)
            continue
        is_bird = isinstance(event, BirdTurned) and birds > 0
        if is_bird or (isinstance(event, HandShown | HandLaidDown) and event in open_now):
            found += _readings(rules, event, _seen_of(entry, seen), unread, left)
            birds -= is_bird
    return tuple(found)


def faces_found(record: Record, seen: Seen) -> Iterator[RecordedTile]:
    """Of the open hands and birds the unread tiles of which the record knows the face.

    What is left of a hand beside what was read is the face of a tile that may be one of those.
    """
    for entry in record.hand_entries():
        event = record.event(entry.seq) if entry.seq in seen else None
        if not isinstance(event, HandShown | HandLaidDown | BirdTurned):
            continue
        tiles = (event.tile,) if isinstance(event, BirdTurned) else event.concealed
        left = Counter(tiles) - Counter(each.tile for each in seen[entry.seq])
        unread = [each for each in seen[entry.seq] if not each.tile.is_face]
        for part, each in enumerate(unread if len(unread) <= left.total() else []):
            may_be = {face for face, _ in each.candidates if face.is_face and left[face]}
            if len(may_be) == 1:
                yield RecordedTile((entry.seq, part), each.x_mm, each.y_mm, may_be.pop())


def _seen_of(entry: Entry, seen: Seen) -> Sequence[SeenTile]:
    if entry.seq in seen:
        return seen[entry.seq]
    nowhere = Zone(ZoneKind.HAND, None)
    return [
        SeenTile(tile, entry.confidence, 0.0, 0.0, 0.0, nowhere) for tile in tiles_in(entry.event)
    ]


def _readings(
    rules: RuleSet,
    event: object,
    seen: Sequence[SeenTile],
    unread: Mapping[Tile, float],
    spare: Mapping[Tile, int],
) -> Iterator[LikelyReading]:
    """Of the recorded tiles those that were read as they are recorded, or weighed and named."""
    seat = event.seat if isinstance(event, HandShown | HandLaidDown) else None
    left = Counter(tiles_in(event))
    for each in sorted(seen, key=lambda tile: not tile.tile.is_face):
        if each.tile.is_face and left[each.tile] > 0:
            left[each.tile] -= 1
            yield LikelyReading(seat, each.tile, chances(each, rules.kinds, told_scale()))
        elif not each.tile.is_face:
            elsewhere = {face: count + left[face] for face, count in spare.items()}
            may_be = chances_here(each, tuple(rules.kinds), unread, elsewhere)
            named = max(
                (face for face in left if face.is_face and left[face] > 0),
                key=lambda face: may_be.get(face, 0.0),
                default=None,
            )
            if named is not None:
                left[named] -= 1
                yield LikelyReading(seat, named, may_be)
