"""How the tiles on which a settlement rests were read; what people said of them is sure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from table_assist.following.told_scale import chances, chances_unread, told_scale
from table_assist.game.events import BirdTurned, HandLaidDown, HandShown
from table_assist.game.sureness import LikelyReading
from table_assist.record.log import Entry, Source
from table_assist.record.record import Record
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from table_assist.vision.table.attention import RecordedTile
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.zones import Zone, ZoneKind

Seen = Mapping[int, tuple[SeenTile, ...]]


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
    for entry in reversed(record.hand_entries()):
        event = entry.event
        if entry.source is not Source.CAMERA or record.is_corrected(entry.seq):
            birds -= isinstance(event, BirdTurned)
            continue
        if isinstance(event, HandShown | HandLaidDown) and event in open_now:
            found += _readings(rules, event.seat, event.concealed, _seen_of(entry, seen))
        elif isinstance(event, BirdTurned) and birds > 0:
            found += _readings(rules, None, (event.tile,), _seen_of(entry, seen))
            birds -= 1
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
    event = entry.event
    tiles = (event.tile,) if isinstance(event, BirdTurned) else event.concealed  # type: ignore[union-attr]
    nowhere = Zone(ZoneKind.HAND, None)
    return [SeenTile(tile, entry.confidence, 0.0, 0.0, 0.0, nowhere) for tile in tiles]


def _readings(
    rules: RuleSet, seat: int | None, tiles: Sequence[Tile], seen: Sequence[SeenTile]
) -> Iterator[LikelyReading]:
    """Of the recorded tiles those that were read as they are recorded, or weighed and named."""
    left = Counter(tiles)
    for each in sorted(seen, key=lambda tile: not tile.tile.is_face):
        if each.tile.is_face and left[each.tile] > 0:
            left[each.tile] -= 1
            yield LikelyReading(seat, each.tile, chances(each, rules.kinds, told_scale()))
        elif not each.tile.is_face:
            may_be = chances_unread(each, rules.kinds)
            named = max(
                (face for face in left if face.is_face and left[face] > 0),
                key=lambda face: may_be.get(face, 0.0),
                default=None,
            )
            if named is not None:
                left[named] -= 1
                yield LikelyReading(seat, named, may_be)
