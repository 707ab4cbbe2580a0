"""A tile that fills the picture is read as itself or asked about, never as what is drawn on it."""

import cv2
import numpy as np
import pytest

from table_assist.tiles.tile import Tile
from table_assist.twin.faces import load_faces
from table_assist.vision.reading.larger import outermost
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.recognise import PART, UNKNOWN, Candidate, Name
from table_assist.vision.reading.why import WhyDoubtful

RING = Name("1p", 0.95, (Candidate("1p", 0.95),))
WHOLE = Name("2p", 0.99, (Candidate("2p", 0.99),))
CUT = Name(UNKNOWN, 0.2, RING.candidates, WhyDoubtful.PART, row=np.eye(PART + 1, dtype="f4")[PART])
DOTS = np.array([[40, 20, 60, 40], [40, 60, 60, 80]], np.float32)
TILE = np.array([[25, 5, 75, 95]], np.float32)
FELT = (40, 110, 60)


@pytest.mark.parametrize(
    ("larger", "dots", "labels"),
    [(WHOLE, 2, ["2p"]), (CUT, 2, ["?", "?"]), (None, 2, ["1p", "1p"]), (WHOLE, 0, ["2p"])],
)
def test_what_lies_in_a_larger_tile_is_no_tile(
    larger: Name | None, dots: int, labels: list[str]
) -> None:
    found = outermost(DOTS[:dots], [RING] * dots, TILE, lambda boxes: [larger] * len(boxes))
    assert [name.label for name in found[1] if name] == labels


def test_what_holds_more_than_a_face_shows_is_no_tile() -> None:
    many = np.concatenate([DOTS] * 5)
    boxes, names = outermost(many, [RING] * 10, TILE, lambda more: [WHOLE] * len(more))
    assert (boxes.tolist(), names) == (many.tolist(), [RING] * 10)


@pytest.mark.slow
@pytest.mark.parametrize("margin", [-0.2, 0.05, 0.3, 0.7])
def test_every_face_in_a_close_up_is_itself_or_asked_about(margin: float) -> None:
    reader = open_reader(threads=1)
    sure = [label for tile in load_faces().pictures if (label := _read(reader, tile, margin))]
    assert margin < 0.5 or len(sure) > 30


def _read(reader: Reader, tile: Tile, margin: float) -> str | None:
    """The name of what fills the picture; none is another tile's."""
    body = cv2.copyMakeBorder(
        cv2.resize(load_faces().on_ground(tile, (225, 238, 240)), (300, 400)),
        *[30] * 4, cv2.BORDER_CONSTANT, value=(225, 238, 240),
    )  # fmt: skip
    edge = round(abs(margin) * 400)
    image = cv2.copyMakeBorder(body, *[edge] * 4, cv2.BORDER_CONSTANT, value=FELT)
    if margin < 0:
        image = np.ascontiguousarray(body[edge:, edge // 2 :])
    named = {label for label in reader.read(np.asarray(image, np.uint8)).labels if label != UNKNOWN}
    assert named <= {str(tile)}
    return max(named, default=None)
