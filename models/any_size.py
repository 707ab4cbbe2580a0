"""Makes an exported detector take inputs of any size: what was fixed for one is worked out inside.

The export for one size keeps as constants the grid of places at which boxes are looked for, and the
shapes in which attention and head lay out their maps. Here they follow the input. At the size of
the export the output stays the same.
"""

from collections.abc import Iterator

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import GraphProto, NodeProto, helper, numpy_helper

STRIDES = (8, 16, 32)  # px of the input for each step of the head's three maps


def any_size(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same network for inputs (1, 3, h, w), each side a multiple of 32.

    Raises:
        ValueError: the network is not laid out as a detector that was exported for one size.
    """
    made = onnx.ModelProto()
    made.CopyFrom(model)
    graph = made.graph
    side = graph.input[0].type.tensor_type.shape.dim[3].dim_value
    places = sum((side // stride) ** 2 for stride in STRIDES)
    least = side // STRIDES[-1]
    nodes: list[NodeProto] = []
    replaced = 0
    for node in graph.node:
        value = _value(node)
        instead = [node]
        if value is None:
            pass
        elif value.shape == (1, 2, places):
            instead = list(_grid(node.output[0], _head_maps(graph)))
        elif value.shape == (1, places):
            instead = list(_steps(node.output[0], _head_maps(graph)))
        elif value.ndim == 1 and value[2:].tolist() == [least, least]:
            maps, channels = _attended(graph, node.output[0]), int(value[1])
            instead = list(_shape_of(node.output[0], maps, channels))
        elif value.ndim == 1 and value[-1] in (places, least**2):
            free = numpy_helper.from_array(np.array([*value[:-1], -1], np.int64))
            instead = [helper.make_node("Constant", [], node.output, value=free)]
        replaced += instead != [node]
        nodes += instead
    # Two grids, the steps, the attention's three shapes and the head's two.
    if replaced != 8:
        raise ValueError(f"{replaced} of 8 fixed sizes were found: no detector of {side} px")
    del graph.node[:], graph.value_info[:]
    graph.node.extend(nodes)
    for value_info, names in ((graph.input[0], ("height", "width")), (graph.output[0], ("n",))):
        dims = value_info.type.tensor_type.shape.dim
        for dim, name in zip(dims[-len(names) :], names, strict=True):
            dim.dim_param = name
    onnx.checker.check_model(made, full_check=True)
    return made


def _value(node: NodeProto) -> NDArray[np.generic] | None:
    if node.op_type != "Constant":
        return None
    return np.asarray(numpy_helper.to_array(node.attribute[0].t))


def _head_maps(graph: GraphProto) -> list[str]:
    """The three maps, finest first, that the head lays side by side as the boxes' distances."""
    made_by = {output: node for node in graph.node for output in node.output}
    joined = next(
        node for node in graph.node if node.op_type == "Concat" and len(node.input) == len(STRIDES)
        and all(made_by[name].op_type == "Reshape" for name in node.input)
    )  # fmt: skip
    return [made_by[name].input[0] for name in joined.input]


def _attended(graph: GraphProto, shape: str) -> str:
    """The map that the attention was made of: it is as large as what is laid out again."""
    made_by = {output: node for node in graph.node for output in node.output}
    node = next(node for node in graph.node if shape in node.input)
    while node.op_type != "Conv":
        node = made_by[node.input[0]]
    return str(node.output[0])


def _grid(name: str, maps: list[str]) -> Iterator[NodeProto]:
    """(1, 2, n) x and y of all places in steps of their map, half a step inside."""
    parts = []
    for index, each in enumerate(maps):
        own = f"{name}_{index}_"
        yield _number(own + "zero", 0)
        yield _number(own + "one", 1)
        yield _number(own + "axis", [1])
        yield _number(own + "flat", [1, 1, -1])
        yield _constant(own + "half", np.array(0.5, np.float32))
        yield _node("Shape", [each], own + "shape", start=2, end=4)
        yield _node("Gather", [own + "shape", own + "zero"], own + "rows")
        yield _node("Gather", [own + "shape", own + "one"], own + "columns")
        for along, count in (("y", "rows"), ("x", "columns")):
            yield _node("Range", [own + "zero", own + count, own + "one"], own + along + "_whole")
            yield _node("Cast", [own + along + "_whole"], own + along + "_float", to=1)
            yield _node("Add", [own + along + "_float", own + "half"], own + along)
        yield _node("Unsqueeze", [own + "y", own + "axis"], own + "y_upright")
        for along, source in (("x", "x"), ("y", "y_upright")):
            yield _node("Expand", [own + source, own + "shape"], own + along + "_all")
            yield _node("Reshape", [own + along + "_all", own + "flat"], own + along + "_flat")
        yield _node("Concat", [own + "x_flat", own + "y_flat"], own + "places", axis=1)
        parts.append(own + "places")
    yield _node("Concat", parts, name, axis=2)


def _steps(name: str, maps: list[str]) -> Iterator[NodeProto]:
    """(1, n) the stride of each place's map."""
    parts = []
    for index, (each, stride) in enumerate(zip(maps, STRIDES, strict=True)):
        own = f"{name}_{index}_"
        yield _number(own + "flat", [1, -1])
        yield _constant(own + "stride", np.array([stride], np.float32))
        yield _node("Shape", [each], own + "shape", start=2, end=4)
        yield _node("Expand", [own + "stride", own + "shape"], own + "all")
        yield _node("Reshape", [own + "all", own + "flat"], own + "steps")
        parts.append(own + "steps")
    yield _node("Concat", parts, name, axis=1)


def _shape_of(name: str, each: str, channels: int) -> Iterator[NodeProto]:
    """(4,) one picture of so many channels, as large as a map."""
    yield _number(name + "_front", [1, channels])
    yield _node("Shape", [each], name + "_size", start=2, end=4)
    yield _node("Concat", [name + "_front", name + "_size"], name, axis=0)


def _number(name: str, value: int | list[int]) -> NodeProto:
    return _constant(name, np.array(value, np.int64))


def _constant(name: str, value: NDArray[np.generic]) -> NodeProto:
    return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(value))


def _node(kind: str, inputs: list[str], output: str, **attributes: int) -> NodeProto:
    node = helper.make_node(kind, inputs, [output], name=output)
    node.attribute.extend(helper.make_attribute(*each) for each in sorted(attributes.items()))
    return node
