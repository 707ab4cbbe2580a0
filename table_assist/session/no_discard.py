"""A discard that was none: play goes on as if nothing lay there.

A crumb, a chip or a shadow at the next place of a river is recorded as the discard of whose turn it
is. If the tile before it is claimed after all, it was none, or came after the claim; and if it was
never read and its seat discards again before anybody else acts, it is clutter.
"""

from dataclasses import replace

from table_assist.following.infer import Inferred, step
from table_assist.following.proposed import Proposed
from table_assist.game.events import Agreed, Answered, Asked, BoardSaid, Claimed, Discarded
from table_assist.game.irregular import irregularities
from table_assist.game.state import TableState
from table_assist.record.log import Retracted, Source
from table_assist.record.record import Record
from table_assist.session.bindings import Bindings
from table_assist.vision.table.observation import Observation

_BESIDE = (Agreed, Answered, Asked, BoardSaid)


def take_back(
    record: Record, bindings: Bindings, observation: Observation, inferred: Inferred
) -> bool:
    """Whether the last discard was taken back, since the table is explained without it alone."""
    entry = _last_discard(record)
    piece = None if entry is None else bindings.now.pieces.get((entry[0], 0))
    if entry is None or piece is None or _is_explained(record.state, inferred.proposed):
        return False
    tiles = tuple(tile for tile in observation.tiles if tile.id != piece.id)
    if len(tiles) == len(observation.tiles):
        return False
    seq, index, discarded = entry
    before, bound = record.state_before(index), bindings.now
    bound = replace(bound, slots=tuple(slot for slot in bound.slots if slot.key[0] != seq))
    without = step(before, replace(observation, tiles=tiles), bound).proposed
    if not _is_explained(before, without):
        return False
    event = without[0].event
    is_instead = isinstance(event, Discarded) and event.seat == discarded.seat
    if not isinstance(event, Claimed) and (not is_instead or discarded.tile.is_face):
        return False
    record.append(Retracted(seq), Source.CAMERA)
    if is_instead:
        bindings.clutter.add(piece.id, (piece.x_mm, piece.y_mm))
    return True


def _last_discard(record: Record) -> tuple[int, int, Discarded] | None:
    """The entry and its place among those that count, if it was seen and nothing has followed."""
    for index in reversed(range(len(record.counting))):
        seq, event = record.counting[index]
        if isinstance(event, _BESIDE):
            continue
        is_seen = record.last_word(seq).source is Source.CAMERA
        return (seq, index, event) if is_seen and isinstance(event, Discarded) else None
    return None


def _is_explained(state: TableState, proposed: tuple[Proposed, ...]) -> bool:
    """Whether something has happened that the rules let happen."""
    return bool(proposed) and not irregularities(state, proposed[0].event)
