"""What a picture costs is counted from the networks' own files."""

import numpy as np
import pytest
from onnx import helper

from models import runtimes, work
from models.runtimes import RuntimeTally, is_same
from table_assist.vision.reading.read import open_reader
from tests.models.test_weights import composed


def test_a_convolution_costs_its_outputs_times_what_each_is_made_of() -> None:
    node = helper.make_node("Conv", ["x", "w"], ["y"])
    shapes = {"x": [1, 8, 10, 12], "w": [16, 8, 3, 3], "y": [1, 16, 10, 12]}
    assert work._of(node, shapes) == 16 * 10 * 12 * 8 * 3 * 3
    grouped = {**shapes, "w": [8, 1, 3, 3], "y": [1, 8, 10, 12]}
    assert work._of(node, grouped) == 8 * 10 * 12 * 9
    product = helper.make_node("MatMul", ["x", "w"], ["y"])
    assert work._of(product, {"x": [4, 7], "w": [7, 5], "y": [4, 5]}) == 4 * 5 * 7
    with pytest.raises(ValueError, match="has the shapes"):
        work._of(node, {"x": [1, 8, 10, 12], "w": [16, 8, 3, 3]})


def test_four_times_the_picture_costs_four_times_as_much() -> None:
    small = work.multiply_adds("detector", 320, 320)
    assert work.multiply_adds("detector", 640, 640) == pytest.approx(4 * small, rel=0.05)
    assert small > 5e8


def test_readings_are_compared_one_by_one() -> None:
    picture, _ = composed(1)
    reader = open_reader(threads=1)
    read = reader.read(picture)
    same, less = RuntimeTally(), RuntimeTally()
    same.add(read, reader.read(picture))
    assert (same.lost, same.more, same.moved, same.most) == (0, 0, 0, 0.0)
    assert same.readings == len(read) > 3
    less.add(read, reader.read(np.zeros_like(picture)))
    assert (less.lost, less.more) == (len(read), 0)
    row = runtimes.rows(read)[0]
    assert is_same(row, row)
    assert not is_same(row, ("no such tile", *row[1:]))
    assert not is_same(row, (row[0], row[1] + 200.0, row[2]))
