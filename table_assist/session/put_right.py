"""What is on record proves to be otherwise by what follows: the camera puts it right by itself.

A crumb, a chip or a shadow at the next place of a river is recorded as the discard of whose turn it
is. If the tile before it is claimed after all, it was none, or came after the claim; and if it was
never read and its seat discards again before anybody else acts, it is clutter. A tile that is laid
before the next player looks like that one's, until they discard, too.
"""

from collections.abc import Sequence
from dataclasses import replace

from table_assist.following.infer import Inferred, step
from table_assist.following.proposed import Proposed
from table_assist.game.events import (
    Beside,
    Claimed,
    Discarded,
    KongDeclared,
)
from table_assist.game.irregular import irregularities
from table_assist.game.state import SEATS, TableState
from table_assist.record.log import Amended, Retracted, Source
from table_assist.record.record import Record
from table_assist.session.bindings import Bindings
from table_assist.tiles.melds import MeldKind
from table_assist.vision.table.observation import Observation


def put_right(
    record: Record, bindings: Bindings, observation: Observation, inferred: Inferred
) -> bool:
    """Whether something on record was put right by what this look adds to it."""
    if not inferred.proposed and not inferred.unexplained:
        return False
    was_none = _take_back(record, bindings, observation, inferred)
    return was_none or _was_laid_astray(record, bindings, observation, inferred)


def _take_back(
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
    has_nobody_acted = not discarded.tile.is_face and inferred.unexplained <= {discarded.seat}
    if not isinstance(event, Claimed) and not (is_instead and has_nobody_acted):
        return False
    record.append(Retracted(seq), Source.CAMERA)
    if is_instead:
        bindings.clutter.add(piece.id, (piece.x_mm, piece.y_mm))
    return True


def _last_discard(record: Record) -> tuple[int, int, Discarded] | None:
    """The entry and its place among those that count, if it was seen and nothing has followed."""
    for index in reversed(range(len(record.counting))):
        seq, event = record.counting[index]
        if isinstance(event, Beside):
            continue
        is_seen = record.last_word(seq).source is Source.CAMERA
        return (seq, index, event) if is_seen and isinstance(event, Discarded) else None
    return None


def _is_explained(state: TableState, proposed: tuple[Proposed, ...]) -> bool:
    """Whether something has happened that the rules let happen."""
    return bool(proposed) and not irregularities(state, proposed[0].event)


def claimed_as_kong(record: Record, proposed: Sequence[Proposed]) -> bool:
    """Whether the pung that was just claimed proves to be a kong: nobody has drawn since.

    Its own three tiles were laid down first, and the claimed one was pushed to them.
    """
    kong = proposed[0].event if proposed else None
    if not isinstance(kong, KongDeclared):
        return False
    seq, claim = next(each for each in reversed(record.counting) if not isinstance(each[1], Beside))
    if not isinstance(claim, Claimed) or (claim.seat, claim.tiles) != (kong.seat, (kong.tile,) * 3):
        return False
    whole = replace(claim, kind=MeldKind.KONG_EXPOSED, tiles=(kong.tile,) * 4)
    record.append(Amended(seq, whole), Source.CAMERA)
    return True


def _was_laid_astray(
    record: Record, bindings: Bindings, observation: Observation, inferred: Inferred
) -> bool:
    """Whether the last discard was the one of the player before, whose own nobody sees.

    It lies in the row of who discards now, and would have discarded twice.
    """
    entry = _last_discard(record)
    again = inferred.proposed[0].event if inferred.proposed else None
    if entry is None or not isinstance(again, Discarded) or again.seat != entry[2].seat:
        return False
    seq, index, laid = entry
    before = next(((n, old) for n, old in reversed(record.counting[:index])
                   if not isinstance(old, Beside)), None)  # fmt: skip
    if before is None or not isinstance(before[1], Discarded) or before[1].tile.is_face:
        return False
    own, owner = before[0], before[1].seat
    piece, moved = (bindings.now.pieces.get((each, 0)) for each in (own, seq))
    if moved is None or piece is not None or (owner + 1) % len(SEATS) != laid.seat:
        return False
    seen = [tile for tile in observation.tiles if tile.id == moved.id]
    if len(seen) != 1:
        return False
    sure = record.last_word(seq).confidence
    record.append(Retracted(seq), Source.CAMERA)
    record.append(Amended(own, Discarded(owner, laid.tile)), Source.CAMERA, confidence=sure)
    bindings.bind(own, seen)
    return True
