"""A tile that fills the picture is read as itself or asked about, never as what is drawn on it."""

import cv2
import numpy as np
import pytest

from table_assist.twin.faces import load_faces
from table_assist.vision.reading.larger import outermost
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.recognise import PART, UNKNOWN, Candidate, Name
from table_assist.vision.reading.why import WhyDoubtful

RING = Name("1p", 0.95, (Candidate("1p", 0.95),))
WHOLE = Name("2p", 0.99, (Candidate("2p", 0.99),))
CUT = Name(UNKNOWN, 0.2, RING.candidates, WhyDoubtful.PART, row=np.eye(PART + 1, dtype="f4")[PART])
GROUND = Name(UNKNOWN, 0.2, WHOLE.candidates, WhyDoubtful.NOTHING)
DOTS = np.array([[40, 20, 60, 40], [40, 60, 60, 80]], np.float32)
TILE = np.array([[25, 5, 75, 95]], np.float32)
FELT, IVORY = (40, 110, 60), (225, 238, 240)


@pytest.mark.parametrize(
    ("larger", "dots", "labels"),
    [
        (WHOLE, 2, ["2p"]),
        (CUT, 2, ["?", "?"]),
        (None, 2, ["1p", "1p"]),
        (WHOLE, 0, ["2p"]),
        (GROUND, 2, ["1p", "1p"]),
    ],
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
@pytest.mark.parametrize(("margin", "named"), [(-80, 0), (20, 3), (120, 12)])
def test_every_face_in_a_close_up_is_itself_or_asked_about(margin: int, named: int) -> None:
    reader, faces, right = open_reader(threads=1), load_faces(), 0
    for tile in [*faces.pictures][margin // 20 % 3 :: 3]:
        face = cv2.resize(faces.on_ground(tile, IVORY), (300, 400))
        body = cv2.copyMakeBorder(face, *[30] * 4, cv2.BORDER_CONSTANT, value=IVORY)
        around = cv2.copyMakeBorder(body, *[max(0, margin)] * 4, cv2.BORDER_CONSTANT, value=FELT)
        image = np.ascontiguousarray(around[max(0, -margin) :], np.uint8)
        sure = set(reader.read(image).labels) - {UNKNOWN}
        assert sure <= {str(tile)}
        right += bool(sure)
    assert right >= named
