"""Pictures of a set to learn it from: every face in each, labelled where it lies."""

from collections import Counter
from pathlib import Path

import pytest

from models.crops import read_labels
from models.materials import LABELS, OWN_FACES
from models.set_pictures import COPIES, PICTURES, SIZE_WH, write_pictures
from table_assist.twin.faces import faces_in
from table_assist.vision.pictures.picture import load_picture


@pytest.mark.slow
def test_each_picture_shows_every_face_where_its_label_says(tmp_path: Path) -> None:
    write_pictures(OWN_FACES, tmp_path, seed=1)
    pictures = sorted((tmp_path / "images").iterdir())
    assert len(pictures) == PICTURES
    for path in pictures:
        image = load_picture(path)
        assert image.shape[1::-1] == SIZE_WH
        labels, boxes = read_labels(path, *SIZE_WH)
        shown = Counter(LABELS[label] for label in labels.tolist())
        faces = {str(tile) for tile in faces_in(OWN_FACES) if tile.is_face}
        assert shown == dict.fromkeys(faces, COPIES)
        for left, top, right, bottom in boxes.round().astype(int).tolist():
            assert 40 < right - left < 200
            # A tile is a light thing with a print on it.
            assert image[top:bottom, left:right].std() > 10
