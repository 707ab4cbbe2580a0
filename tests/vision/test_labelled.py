"""A labelled folder: every usual layout is read, and a broken line is named by file and line."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose

from table_assist.vision.enrolment.labelled import LabelError, read_folder, read_labels


def picture(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), np.zeros((20, 40, 3), np.uint8))
    return path


def labels(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_images_beside_labels_with_folders_alike_below(tmp_path: Path) -> None:
    picture(tmp_path / "images" / "val" / "a.jpg")
    labels(tmp_path / "labels" / "val" / "a.txt", "4 0.5 0.5 0.2 0.4\n")
    (found,) = read_folder(tmp_path)
    assert found.labels.names == ("5m",)
    assert_allclose(found.labels.xyxy((40, 20)), [[16, 6, 24, 14]])


def test_labels_beside_their_pictures(tmp_path: Path) -> None:
    picture(tmp_path / "a.PNG")
    labels(tmp_path / "a.txt", "42 0.5 0.5 1 1\n\n43 0.1 0.1 0.1 0.1\n")
    (found,) = read_folder(tmp_path)
    assert found.labels.names == ("back", "d1")


def test_an_outline_counts_by_its_upright_box(tmp_path: Path) -> None:
    path = labels(tmp_path / "a.txt", "0 0.5 0.1 0.9 0.5 0.5 0.8 0.2 0.5")
    assert_allclose(read_labels(path).shares, [[0.2, 0.1, 0.9, 0.8]])


def test_an_empty_label_file_says_that_there_is_nothing(tmp_path: Path) -> None:
    picture(tmp_path / "a.jpg")
    labels(tmp_path / "a.txt", "")
    (found,) = read_folder(tmp_path)
    assert len(found.labels) == 0


def test_a_picture_without_labels_is_left_out(tmp_path: Path) -> None:
    picture(tmp_path / "a.jpg")
    labels(tmp_path / "a.txt", "0 0.5 0.5 0.2 0.4")
    picture(tmp_path / "b.jpg")
    assert [each.path.name for each in read_folder(tmp_path)] == ["a.jpg"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("x 0.5 0.5 0.2 0.4", "is not numbers"),
        ("49 0.5 0.5 0.2 0.4", "class 49; there are 0 to 48"),
        ("-1 0.5 0.5 0.2 0.4", "class -1"),
        ("1.5 0.5 0.5 0.2 0.4", r"class 1\.5"),
        ("1 0.5 0.5 0.2", "4 values"),
        ("1 0.5 0.5 0.2 0.4 0.9", "6 values"),
        ("1 0.5 0.5 0 0.4", "the box is empty"),
        ("1 0.5 0.5 -0.2 0.4", "the box is empty"),
        ("1 nan 0.5 0.2 0.4", "not a number"),
        ("1 20 10 8 8", "in shares of the picture"),
        ("1 0.5 0.5 inf 0.4", "in shares of the picture"),
    ],
)
def test_a_broken_line_is_named_by_file_and_line(tmp_path: Path, line: str, said: str) -> None:
    path = labels(tmp_path / "a.txt", f"0 0.5 0.5 0.2 0.4\n{line}\n")
    with pytest.raises(LabelError, match=said) as error:
        read_labels(path)
    assert str(error.value).startswith(f"{path}, line 2: ")


def test_a_label_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LabelError, match=r"a\.txt cannot be read"):
        read_labels(path)


def test_what_is_no_folder_of_pictures_is_named(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="there is no folder"):
        read_folder(tmp_path / "none")
    with pytest.raises(LabelError, match="there are no pictures"):
        read_folder(tmp_path)
    picture(tmp_path / "a.jpg")
    with pytest.raises(LabelError, match="has a label file"):
        read_folder(tmp_path)
