"""One picture is of one set: an unsure tile is weighed by the tiles that are surely named there.

Tiles of one face of one set look alike to the network, however they lie, and other faces do not:
99 of 100 pairs of one face have a cosine above 0.87, 99 of 100 tiles none above 0.86 with another
face. So a surely named 9m beside it tells of a doubtful one whether it is a 9m, too.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.picture import Array
from table_assist.vision.reading.recognise import NOTHING_CLASS, Name
from table_assist.vision.reading.support import copies
from table_assist.vision.reading.why import WhyDoubtful

FACES = 42  # the first classes
EXAMPLE = 0.9  # of a tile's confidence: what is hardly sure teaches its error
ASKED_ABOUT = 0.001  # less likely faces are not asked about
# Log odds that two tiles are of one face, by their cosine; fitted on 433 photographs and not on
# those that the figures are of.
SAME_FACE_COSINE, SLOPE, MOST_ODDS = 0.88, 40.0, 3.0
# Of all faces: less sure ones are weighed, and from here what is named only beside others is sure
SURE_TOGETHER = 0.95


def weighed(names: Sequence[Name | None]) -> Mapping[int, Array]:
    """The probabilities (51,) of those unsure faces of a picture of which its sure ones tell.

    No limit has a say here: a face may be sure for its limit, and is weighed all the same.
    """
    rows: dict[int, Array] = {}
    looks: dict[int, Array] = {}
    for i, name in enumerate(names):
        if name is None or name.why not in (None, WhyDoubtful.FACE):
            continue  # of glare and of parts other tiles know nothing
        if name.row is not None and name.looks is not None:
            rows[i], looks[i] = name.row, name.looks
    firsts = {i: int(row[:NOTHING_CLASS].argmax()) for i, row in rows.items()}
    firsts = {i: face for i, face in firsts.items() if face < FACES}
    doubted = {i: rows[i] for i, face in firsts.items() if rows[i][face] < SURE_TOGETHER}
    asked = np.zeros(FACES, np.bool_)
    for row in doubted.values():
        asked |= row[:FACES] >= ASKED_ABOUT
    examples = {i: face for i, face in firsts.items() if asked[face] and rows[i][face] >= EXAMPLE}
    if not examples or not doubted:
        return {}
    many = Counter(face for i, face in examples.items() if i not in doubted)
    gone = [face for face, count in many.items() if count >= copies(Tile(face))]
    known, faces = np.stack([looks[i][0] for i in examples]).T, np.array([*examples.values()])
    cosine = np.stack([(looks[i] @ known).max(axis=0) for i in doubted])
    cosine[np.equal.outer([*doubted], [*examples])] = SAME_FACE_COSINE  # nobody vouches for himself
    likeness = np.full((len(doubted), FACES), SAME_FACE_COSINE, np.float32)
    for face in np.unique(faces).tolist():
        same = cosine[:, faces == face]
        # Like a face is what is like all of its examples: one of them may be named falsely
        likeness[:, face] = np.minimum(
            same.max(axis=1), np.maximum(same.min(axis=1), SAME_FACE_COSINE)
        )
    found = ((i, _weigh(rows[i], like, gone)) for i, like in zip(doubted, likeness, strict=True))
    return {i: row for i, row in found if _is_sure(row, rows[i])}


def _weigh(row: Array, likeness: Array, gone: Sequence[int]) -> Array:
    """One tile's probabilities by its likeness to each face: `SAME_FACE_COSINE` tells nothing.

    Of faces that are `gone` all that a set has is surely read elsewhere in the picture.

    Unlikeness rules out only faces of the suit that it seems to be of: where the network hesitates
    between suits, it has not seen such a tile, and the true face may be none of those it names.
    """
    odds = np.clip(SLOPE * (likeness - SAME_FACE_COSINE), -MOST_ODDS, MOST_ODDS)
    odds[gone] = -np.inf
    # A face is easily confused within a suit, within honours, and within flowers and seasons
    suits = np.array([
        "bonus" if tile.is_bonus else str(tile)[-1] if tile.is_suited else "honour"
        for tile in map(Tile, range(FACES))
    ])  # fmt: skip
    odds[(odds < 0) & (suits != suits[int(row[:FACES].argmax())])] = 0
    found = row.copy()
    found[:FACES] = row[:FACES] * np.exp(odds)
    found[:FACES] *= row[:FACES].sum() / max(float(found[:FACES].sum()), 1e-9)
    return found


def _is_sure(row: Array, before: Array) -> bool:
    """Whether it is sure now, and of what was likeliest before: others only confirm."""
    first = int(row[:FACES].argmax())
    is_confirmed = first == int(before[:NOTHING_CLASS].argmax())
    return bool(is_confirmed and row[first] >= SURE_TOGETHER * row[:NOTHING_CLASS].sum())
