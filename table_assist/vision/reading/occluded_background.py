"""The memory of readings below a large thing: when it goes, only what is new is read.

An arm that rests over the table is read as a change. When it is drawn back, most of what comes to
light is as it was, and what was read of it still holds until it is read again: the discard left
behind is the change. Whether an arm came or a row of tiles was laid down cannot be told, so what
was there before never outvotes what lies there now: it comes back only where something has just
gone, and it is forgotten after a while.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.motion import (
    Watched,
    changed_blocks,
    taken_over,
    touched,
    with_beside,
)
from table_assist.vision.reading.detect import Detections
from table_assist.vision.reading.named_boxes import same_boxes
from table_assist.vision.reading.tiling import Found

Blocks = NDArray[np.bool_]
LONGEST_S = 10.0  # what has lain for longer stays: what was below it is past


@dataclass(frozen=True, slots=True)
class OccludedBackground:
    """The table as it was last read without what lies over it.

    Attributes:
        reference: the picture of that time, where anything is covered.
        covered: (rows, columns) of blocks that were read anew with something over them.
        since_t: (rows, columns) when that came to lie there.
        found: what each piece had found there.
    """

    reference: Watched
    covered: Blocks
    since_t: NDArray[np.float64]
    found: tuple[Found, ...]

    def bare_again(self, now: Watched, gone: Blocks) -> Blocks:
        """(rows, columns) of covered blocks that look as they did before, and did not until now.

        Args:
            gone: blocks that are not as they were last read. What was laid down where something
                like it lay before looks as it did then, too, and nothing has gone.
        """
        if not (self.covered & gone).any():
            return np.zeros_like(self.covered)
        alike = self.covered & ~changed_blocks(self.reference, now)
        # Beside what has gone lies what it resembled: its edge, and its shadow's.
        return np.asarray(alike & with_beside(alike & gone), np.bool_)


def nothing_under(
    reference: Watched, found: Sequence[Found], covered: Blocks
) -> OccludedBackground:
    """Nothing is covered."""
    empty = tuple(_only(each, np.zeros(len(each.cut_off), np.bool_)) for each in found)
    return OccludedBackground(reference, np.zeros_like(covered), np.zeros(covered.shape), empty)


def cover(
    under: OccludedBackground, reference: Watched, found: Sequence[Found], blocks: Blocks, t: float
) -> OccludedBackground:
    """Something came to lie over these blocks.

    Args:
        reference: what was last read of each place.
        found: by each piece, all that it had found.
    """
    fresh = with_beside(blocks) & ~under.covered
    lost = []
    for old, each in zip(under.found, found, strict=True):
        boxes = each.detections.xyxy
        # A thing that reaches below an earlier cover is no sight of a bare table.
        is_bare = ~touched(boxes, reference, under.covered)
        lost.append(join(old, _only(each, is_bare & touched(boxes, reference, fresh))))
    remembered = taken_over(under.reference, reference, fresh)
    since_t = np.where(fresh, t, under.since_t)
    return OccludedBackground(remembered, under.covered | fresh, since_t, tuple(lost))


def forget_old(under: OccludedBackground, t: float) -> OccludedBackground:
    """Readings that have been covered for long are forgotten."""
    return forget(under, under.covered & (t - under.since_t > LONGEST_S))


def forget(under: OccludedBackground, blocks: Blocks) -> OccludedBackground:
    """Something new lies in these blocks: what was found there before is past."""
    if not blocks.any() or not under.covered.any():
        return under
    found = tuple(without(each, under.reference, blocks) for each in under.found)
    return replace(under, covered=under.covered & ~blocks, found=found)


def uncover(
    under: OccludedBackground, blocks: Blocks
) -> tuple[OccludedBackground, tuple[Found, ...]]:
    """These blocks are bare again.

    Returns:
        What is still covered, and what each piece had found that lies wholly open now.
    """
    covered = under.covered & ~blocks
    kept, back = [], []
    for each in under.found:
        is_hidden = touched(each.detections.xyxy, under.reference, covered)
        kept.append(_only(each, is_hidden))
        back.append(_only(each, ~is_hidden))
    return replace(under, covered=covered, found=tuple(kept)), tuple(back)


def beside_bare(
    under: OccludedBackground,
    bare: Blocks,
    now: Watched,
    named: NDArray[np.float32],
    lost: NDArray[np.float32],
    seen: Sequence[Found],
) -> NDArray[np.float32]:
    """(n, 4) things that are open again but for an edge, on which something new lies.

    What was read of them before holds no more, and their edge alone is no change of theirs.

    Args:
        named: (n, 4) boxes of what was known until now.
        lost: (n, 4) what is open but for an edge already.
        seen: what each piece has found that still holds.
    """
    boxes = np.concatenate([named, *(each.detections.xyxy for each in under.found)])
    boxes = np.concatenate([lost, boxes[touched(boxes, now, bare)]])
    holding = np.concatenate([each.detections.xyxy for each in seen])
    return boxes[[same is None for same in same_boxes(boxes, holding)]]


def join(one: Found, other: Found) -> Found:
    """Both lists."""
    return Found(
        Detections(
            np.concatenate([one.detections.xyxy, other.detections.xyxy]),
            np.concatenate([one.detections.score, other.detections.score]),
        ),
        np.concatenate([one.cut_off, other.cut_off]),
    )


def without(found: Found, now: Watched, blocks: Blocks) -> Found:
    """Of what was found, what lies elsewhere."""
    return _only(found, ~touched(found.detections.xyxy, now, blocks))


def within(found: Found, now: Watched, blocks: Blocks) -> Found:
    """Of what was found, what lies there."""
    return _only(found, touched(found.detections.xyxy, now, blocks))


def _only(found: Found, mask: Blocks) -> Found:
    detections = found.detections
    return Found(Detections(detections.xyxy[mask], detections.score[mask]), found.cut_off[mask])
