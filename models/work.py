"""How much a picture costs: multiply-adds, passes and crops of whole pictures, memory.

`python -m models.work` counts them from the networks' files and on a drawn table, so they are the
same on every machine. What a machine makes of them, `python -m bench eyes` measures.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import onnx
from onnx import ModelProto, NodeProto, shape_inference

from bench.reading import SEED, table_scenes
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.vision.pictures.picture import Image, save_picture
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.recognise import CROP_SIZE
from table_assist.vision.reading.weights import WEIGHTS

PIECE = 640
SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
TABLE_MM, FILLED = 800.0, 0.98  # the table fills so much of the picture's height
# A program of its own that reads a picture, and says what it held at most.
READ = """
import pathlib, sys
from table_assist.cli.main import main
main(["read", "--json", sys.argv[1]])
print(pathlib.Path("/proc/self/status").read_text())
"""
Shapes = dict[str, list[int]]


@cache
def multiply_adds(name: str, height: int, width: int) -> int:
    """Of one pass over one picture: those of convolutions and matrix products."""
    model = onnx.load(WEIGHTS / f"{name}.onnx")
    wanted = (1, 3, height, width)
    for axis, size in zip(model.graph.input[0].type.tensor_type.shape.dim, wanted, strict=True):
        axis.dim_value = size
    model = shape_inference.infer_shapes(model, data_prop=True)
    shapes = _shapes(model)
    return sum(_of(node, shapes) for node in model.graph.node)


def _shapes(model: ModelProto) -> Shapes:
    graph = model.graph
    found = {each.name: list(each.dims) for each in graph.initializer}
    for value in (*graph.input, *graph.value_info, *graph.output):
        found[value.name] = [axis.dim_value for axis in value.type.tensor_type.shape.dim]
    return found


def _of(node: NodeProto, shapes: Shapes) -> int:
    """Each value of the output is a sum of so many products.

    Raises:
        ValueError: a shape is not known, so nothing could be counted.
    """
    if node.op_type not in ("Conv", "ConvTranspose", "Gemm", "MatMul"):
        return 0
    out, weights = shapes.get(node.output[0], []), shapes.get(node.input[1], [])
    if not out or not weights or 0 in (*out, *weights):
        raise ValueError(f"{node.op_type} {node.name} has the shapes {out} and {weights}")
    if node.op_type == "Conv":  # weights: outputs, inputs of the group, height, width
        return prod(out) * prod(weights[1:])
    if node.op_type == "ConvTranspose":
        return prod(shapes[node.input[0]]) * prod(weights[1:])
    return prod(out) * shapes[node.input[0]][-1]


class _Counting:
    """A network's session that adds up what goes through it."""

    def __init__(self, name: str, own: Any) -> None:
        self._name, self._own = name, own
        self.passes = self.pictures = self.work = 0

    def run(self, names: list[str], feed: dict[str, Any]) -> Any:
        (given,) = feed.values()
        count, _, height, width = given.shape
        self.passes += 1
        self.pictures += count
        self.work += count * multiply_adds(self._name, height, width)
        return self._own.run(names, feed)


def lines() -> Iterator[str]:
    """The figures in words."""
    one, crop = multiply_adds("detector", PIECE, PIECE), CROP_SIZE
    yield f"detector, one pass over {PIECE} x {PIECE} px: {one / 1e9:.2f} thousand million"
    yield f"recogniser, one crop: {multiply_adds('recogniser', crop, crop) / 1e6:.1f} million"
    scene = table_scenes()[0]
    for width, height in SIZES:
        lens = Lens(size_wh=(width, height), px_per_mm=FILLED * height / TABLE_MM)
        picture = Renderer(load_faces(), look_of(SEED), lens, SEED).picture(scene)
        reader, counted = open_reader(), {}
        for name in ("detector", "recogniser"):
            network = getattr(reader, name)._network
            counted[name] = network._session = _Counting(name, network._session)
        things = len(reader.read(picture))
        work = sum(each.work for each in counted.values())
        yield (
            f"a whole table at {width} x {height}, {things} things: "
            f"{counted['detector'].passes} passes, {counted['recogniser'].pictures} crops, "
            f"{work / 1e9:.1f} thousand million multiply-adds"
        )
    yield f"memory of `table-assist read` on the last, most: {peak_mb(picture):.0f} MB"


def peak_mb(picture: Image) -> float:
    """The most that a program of its own holds that reads the picture (Linux)."""
    with tempfile.TemporaryDirectory(prefix="work-") as folder:
        path = Path(folder) / "table.png"
        save_picture(path, picture)
        command = [sys.executable, "-c", READ, str(path)]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    line = next(line for line in told.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1000


if __name__ == "__main__":
    print("\n".join(lines()))
