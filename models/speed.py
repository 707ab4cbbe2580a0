"""Times the exported detector on ONNX Runtime, and on OpenVINO if it is there."""

import argparse
import importlib.util
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import onnxruntime

from table_assist.vision.reading.weights import WEIGHTS

WARM_UP = 3


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each runtime: the median processor time of a pass over one 640 px piece."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=30)
    options = parser.parse_args(arguments)
    piece = np.random.default_rng(0).random((1, 3, 640, 640), np.float32)
    for name, run in _runtimes(WEIGHTS / "detector.onnx", piece):
        print(f"{name}: {1000 * _median_s(run, options.passes):.1f} ms of one thread")


def _runtimes(path: Path, piece: object) -> list[tuple[str, Callable[[], object]]]:
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, settings)
    feed = {session.get_inputs()[0].name: piece}
    found: list[tuple[str, Callable[[], object]]] = [
        ("ONNX Runtime, float32", lambda: session.run(None, feed))
    ]
    if importlib.util.find_spec("openvino") is None:
        return found
    import openvino

    for precision in ("f32", "bf16"):
        settings_ov = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": precision}
        compiled = openvino.Core().compile_model(path, "CPU", settings_ov)
        found.append((f"OpenVINO, {precision}", partial(compiled, piece)))
    return found


def _median_s(run: Callable[[], object], passes: int) -> float:
    times = []
    for _ in range(WARM_UP + passes):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return statistics.median(times[WARM_UP:])


if __name__ == "__main__":
    main()
