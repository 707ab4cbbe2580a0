"""What the eyes had before anything was decided: every box, with its whole probabilities."""

from dataclasses import replace

import numpy as np

from bench.live.read_things import TellingReader, read_whole, things_of
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.recognise import LABELS, NOTHING, Candidate, Name
from tests.stages.vision_stubs import ColourRecogniser, RectangleDetector, draw

KNOWN = {"5p": (40, 40), "unsure": (200, 40), "nothing": (360, 40), "back": (40, 200)}


def picture() -> Image:
    image = np.full((400, 600, 3), 40, np.uint8)
    for label, (left, top) in KNOWN.items():
        draw(image, label, left, top)
    return image


def telling() -> TellingReader:
    return TellingReader(RectangleDetector(640), ColourRecogniser(), limits=Limits.alike(0.6))


def test_every_box_is_told_also_what_is_rather_no_tile() -> None:
    reader = telling()
    eyes = LiveReader(reader)
    readings = eyes.read(picture())
    things = things_of(eyes, reader)
    assert len(readings) == 3
    assert len(things) == 4
    by_place = {
        (round(x), round(y)): row for (x, y, *_), row in zip(things.xyxy, things.rows, strict=False)
    }
    assert by_place[KNOWN["nothing"]].argmax() == NOTHING
    assert by_place[KNOWN["5p"]].argmax() == LABELS.index("5p")
    assert by_place[KNOWN["unsure"]][:3].tolist() == [np.float32(p) for p in (0.5, 0.3, 0.18)]
    assert (things.score >= 0.5).all()


def test_what_stays_as_it_was_is_told_with_what_it_was_named_by() -> None:
    reader = replace(telling(), stretch=1.0)
    eyes = LiveReader(reader)
    eyes.read(picture(), 0.0)
    before = things_of(eyes, reader)
    changed = picture()
    draw(changed, "9s", 200, 200)
    for t in (1.0, 1.2, 1.4, 1.6):
        eyes.read(changed, t)
    after = things_of(eyes, reader)
    assert len(after) == 5
    rows = {box.tobytes(): row for box, row in zip(after.xyxy, after.rows, strict=False)}
    assert all(
        np.array_equal(rows[b.tobytes()], row)
        for b, row in zip(before.xyxy, before.rows, strict=False)
    )


def test_a_picture_read_whole_is_told_as_the_live_one() -> None:
    reader = telling()
    eyes = LiveReader(reader)
    eyes.read(picture())
    whole, live = read_whole(reader, picture()), things_of(eyes, reader)
    assert sorted(map(tuple, whole.xyxy.tolist())) == sorted(map(tuple, live.xyxy.tolist()))


def test_telling_changes_nothing_of_what_is_read() -> None:
    plain = Reader(RectangleDetector(640), ColourRecogniser(), limits=Limits.alike(0.6))
    one, other = plain.read(picture()), telling().read(picture())
    assert one.labels == other.labels
    assert one.candidates == other.candidates


def test_two_names_are_the_same_whatever_they_were_decided_by() -> None:
    known = (Candidate("5p", 0.9),)
    assert Name("5p", 0.9, known, None, np.zeros(51, np.float32)) == Name("5p", 0.9, known)
