"""Whether other ways to compute the networks read every picture as ONNX Runtime's float32 does.

`python -m models.runtimes [--photos FOLDER]`: drawn tables, and photographs if there are any; each
reading is compared with the program's own. An int8 network is made here of ours, calibrated on
other drawn tables; OpenVINO is tried where it is installed. Nothing of this is in the program: what
changes one reading has no place there.
"""

import argparse
import importlib.util
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray

from models.pictures import scaled
from table_assist.rules.registry import find_rules
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.vision.pictures.picture import Image, load_picture
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.weights import WEIGHTS

SIZE_WH = (1920, 1080)
PX_PER_MM = 1.3
STEPS = (25, 60)  # of an evening: early and late in its first hand
CALIBRATION_SEED = 4_000  # beyond those that are compared
CALIBRATION_TABLES = 6
SAME = 0.5  # boxes that share so much of both are of the same thing
PERCENTILE = 99.999  # of what a layer gives, the rest is cut off
FIRST = 3  # layers that see the picture
SHARE = 0.75  # of its size, for a picture in fewer passes
NETWORKS = ("detector", "recogniser")
HEAD = "/model.23/"  # of the detector: boxes and scores
Array = NDArray[np.float32]
Row = tuple[str, Array, float]  # label, (4, 2) corners, surety


class RuntimeSession(Protocol):
    """The runtime of a network."""

    def run(self, names: list[str], feed: Mapping[str, Array]) -> list[Array]:
        """The named outputs for one input."""
        ...


class Reads(Protocol):
    """The reader of a picture."""

    def read(self, picture: Image) -> Readings:
        """Tiles and dice."""
        ...


class OpenVino:
    """A network on OpenVINO, which sends nothing anywhere (it asks nobody before it is asked)."""

    def __init__(self, path: Path, precision: str, threads: int) -> None:
        import openvino

        hints = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": precision}
        self._compiled = openvino.Core().compile_model(path, "CPU", hints)

    def run(self, names: list[str], feed: Mapping[str, Array]) -> list[Array]:
        """As `RuntimeSession`."""
        answer = self._compiled(dict(feed))
        return [np.asarray(answer[name]) for name in names]


@dataclass(slots=True)
class RuntimeTally:
    """How one way fared.

    Attributes:
        lost: the program's readings that it does not have, or names otherwise.
        more: those that it has and the program has not.
        moved: as named, and the surety differs by more than a thousandth.
        seconds: of the processor.
    """

    pictures: int = 0
    readings: int = 0
    lost: int = 0
    more: int = 0
    moved: int = 0
    most: float = 0.0
    seconds: float = 0.0
    changed: set[int] = field(default_factory=set)

    def add(self, own: Readings, other: Readings) -> None:
        """One picture, read both ways."""
        left = rows(other)
        for reading in rows(own):
            place = next((n for n, each in enumerate(left) if is_same(reading, each)), None)
            if place is None:
                self.lost += 1
                self.changed.add(self.pictures)
                continue
            differs = abs(left.pop(place)[2] - reading[2])
            self.most = max(self.most, differs)
            self.moved += differs > 0.001
        self.more += len(left)
        if left:
            self.changed.add(self.pictures)
        self.pictures += 1
        self.readings += len(own)

    def line(self, name: str) -> str:
        """The figures in words."""
        return (
            f"{name}: {self.lost} of {self.readings} readings in {len(self.changed)} of "
            f"{self.pictures} pictures are lost or otherwise named, {self.more} are new; "
            f"{self.moved} are surer or less sure by over 0.001, {self.most:.4f} at most; "
            f"{self.seconds / max(1, self.pictures):.2f} s of processor a picture"
        )


def rows(readings: Readings) -> list[Row]:
    """The readings one by one."""
    polygons, sure = readings.polygons, readings.confidence
    return [(label, polygons[n], float(sure[n])) for n, label in enumerate(readings.labels)]


def is_same(own: Row, other: Row) -> bool:
    """Whether two readings name the same tile at the same place."""
    return own[0] == other[0] and _shared(own[1], other[1]) >= SAME


def _shared(own: Array, other: Array) -> float:
    """Intersection over union of the boxes around both."""
    low = np.maximum(own.min(axis=0), other.min(axis=0))
    high = np.minimum(own.max(axis=0), other.max(axis=0))
    common = float(np.clip(high - low, 0, None).prod())
    areas = [float((each.max(axis=0) - each.min(axis=0)).prod()) for each in (own, other)]
    return common / max(sum(areas) - common, 1e-9)


def drawn(seeds: Sequence[int]) -> Iterator[Image]:
    """Simulated tables, each seed with its own table, light and tiles."""
    for seed in seeds:
        lens = Lens(size_wh=SIZE_WH, px_per_mm=PX_PER_MM)
        renderer = Renderer(load_faces(), look_of(seed), lens, seed)
        steps = list(play_evening(seed, find_rules("changsha"), hands=1))
        for number in STEPS:
            yield renderer.picture(steps[min(number, len(steps) - 1)].scene)


def with_sessions(threads: int, make: Callable[[str], RuntimeSession]) -> Reader:
    """The program's reader on other sessions."""
    reader = open_reader(threads=threads)
    for name in NETWORKS:
        network = getattr(reader, name)._network
        network._session = _Named(make(name), network._session)
    return reader


class Shrunk:
    """The program's reader on pictures of a share of their size: fewer and smaller passes."""

    def __init__(self, reader: Reader, share: float) -> None:
        self._reader, self._share = reader, share

    def read(self, picture: Image) -> Readings:
        """As `Reader.read`, in the picture's own pixels."""
        found = self._reader.read(scaled(picture, self._share))
        return replace(found, polygons=found.polygons / np.float32(self._share))


class _Named:
    """A session that answers what else the program asks as its own one does."""

    def __init__(self, session: RuntimeSession, own: Any) -> None:
        self.run = session.run
        self.get_inputs, self.get_outputs = own.get_inputs, own.get_outputs


class Int8:
    """Our networks with int8 weights and activations (QDQ), calibrated on drawn tables.

    Args:
        names: the networks that are made so; the others stay in float32.
    """

    def __init__(self, folder: Path, threads: int, names: Sequence[str] = NETWORKS) -> None:
        self._folder, self._threads, self._names = folder, threads, names
        self._seen: dict[str, list[Mapping[str, Array]]] = {name: [] for name in NETWORKS}
        self._calibrate()

    def session(self, name: str) -> RuntimeSession:
        """The network, made where it is not there yet."""
        from onnxruntime.quantization import (
            CalibrationDataReader,
            CalibrationMethod,
            QuantType,
            quantize_static,
        )

        if name not in self._names:
            return self._opened(WEIGHTS / f"{name}.onnx")
        feeds = iter(self._seen[name])

        class RuntimeSeen(CalibrationDataReader):  # type: ignore[misc]
            def get_next(self) -> Any:
                return next(feeds, None)

        made = self._folder / f"{name}.onnx"
        # The layers after the last convolution (boxes beside scores) have no one scale for int8.
        kinds = ["Conv", "Gemm", "MatMul"]
        quantize_static(
            str(WEIGHTS / f"{name}.onnx"), str(made), RuntimeSeen(),
            per_channel=True, op_types_to_quantize=kinds,
            nodes_to_exclude=ends_of(name), activation_type=QuantType.QUInt8,
            calibrate_method=CalibrationMethod.Percentile,
            extra_options={"CalibPercentile": PERCENTILE},
        )  # fmt: skip
        return self._opened(made)

    def _opened(self, path: Path) -> RuntimeSession:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        session: RuntimeSession = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        return session

    def _calibrate(self) -> None:
        """Note what goes into each network while tables are read."""
        reader = open_reader(threads=self._threads)
        for name in NETWORKS:
            network = getattr(reader, name)._network
            network._session = _Noting(network._session, self._seen[name])
        seeds = range(CALIBRATION_SEED, CALIBRATION_SEED + CALIBRATION_TABLES)
        for picture in drawn(seeds):
            reader.read(picture)


def ends_of(name: str) -> list[str]:
    """The layers that stay in float32: the first ones, and those that say boxes, scores, names."""
    nodes = [
        node.name
        for node in onnx.load(WEIGHTS / f"{name}.onnx").graph.node
        if node.op_type in ("Conv", "Gemm", "MatMul")
    ]
    head = [each for each in nodes if each.startswith(HEAD)]
    return [*nodes[:FIRST], *(head or nodes[-1:])]


class _Noting:
    """A session that keeps what it is given: pieces of one size, as many as calibration needs."""

    MOST = 24

    def __init__(self, own: Any, seen: list[Mapping[str, Array]]) -> None:
        self._own, self._seen = own, seen
        self.get_inputs, self.get_outputs = own.get_inputs, own.get_outputs

    def run(self, names: list[str], feed: Mapping[str, Array]) -> Any:
        (given,) = feed.values()
        if len(self._seen) < self.MOST and (
            not self._seen or next(iter(self._seen[0].values())).shape == given.shape
        ):
            self._seen.append({name: array.copy() for name, array in feed.items()})
        return self._own.run(names, feed)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, help="a folder of photographs, compared as well")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    pictures = list(drawn(range(options.first_seed, options.first_seed + options.tables)))
    if options.photos is not None:
        kinds = (".jpg", ".jpeg", ".png")
        paths = sorted(p for p in options.photos.iterdir() if p.suffix.lower() in kinds)
        pictures += [load_picture(path) for path in paths]
    own = open_reader(threads=options.threads)
    began = time.process_time()
    read = [own.read(picture) for picture in pictures]
    took = (time.process_time() - began) / len(pictures)
    print(f"ONNX Runtime, float32: {took:.2f} s of processor a picture", flush=True)
    with tempfile.TemporaryDirectory(prefix="runtimes-") as folder:
        for name, open_other in ways(Path(folder), options.threads):
            reader, tally = open_other(), RuntimeTally()
            for picture, before in zip(pictures, read, strict=True):
                began = time.process_time()
                after = reader.read(picture)
                tally.seconds += time.process_time() - began
                tally.add(before, after)
            print(tally.line(name), flush=True)


def ways(folder: Path, threads: int) -> Iterator[tuple[str, Callable[[], Reads]]]:
    """The ways that can be tried here."""
    if importlib.util.find_spec("openvino") is not None:
        for precision in ("f32", "bf16"):

            def make(name: str, precision: str = precision) -> RuntimeSession:
                return OpenVino(WEIGHTS / f"{name}.onnx", precision, threads)

            yield f"OpenVINO, {precision}", partial(with_sessions, threads, make)
    for names in (("detector",), ("recogniser",), NETWORKS):

        def quantised(names: Sequence[str] = names) -> Reader:
            return with_sessions(threads, Int8(folder, threads, names).session)

        yield f"ONNX Runtime, int8 {' and '.join(names)}", quantised
    yield (
        f"pictures of {SHARE:.0%} of their size",
        lambda: Shrunk(open_reader(threads=threads), SHARE),
    )


if __name__ == "__main__":
    main()
