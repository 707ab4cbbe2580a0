"""A trained network on ONNX Runtime: one array in, one or more arrays out."""

import os

import numpy as np

from table_assist.vision.pictures.picture import Array
from table_assist.vision.reading.weights import WeightsError


class Network:
    """One loaded network with one input; everything is float32."""

    def __init__(self, model: bytes, threads: int | None = None) -> None:
        """Load a network.

        Args:
            model: the file's bytes.
            threads: threads that compute; None: one per core, four at most.

        Raises:
            WeightsError: ONNX Runtime does not accept the bytes.
        """
        # Nothing leaves the machine. From 1.29 on ONNX Runtime tells its makers what it runs: the
        # switch counts when it is loaded; the call alone would come after the first message.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        # A table without a camera needs none, and is not to wait for it.
        import onnxruntime

        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or default_threads()
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Threads that wait by spinning would take the cores from the camera and the dashboard.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                model, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # ONNX Runtime's errors have no common named base
            reason = str(error).strip().splitlines() or [type(error).__name__]
            raise WeightsError(
                "the network cannot be loaded: {reason}", "网络无法载入：{reason}", reason=reason[0]
            ) from error
        self._input = self._session.get_inputs()[0].name
        # As exported; the first is what the network is called for
        self.output_names = tuple(output.name for output in self._session.get_outputs())

    @property
    def input_shape(self) -> tuple[int | None, ...]:
        """The input's shape as exported; None where any size goes."""
        shape = self._session.get_inputs()[0].shape
        return tuple(size if isinstance(size, int) else None for size in shape)

    def __call__(self, array: Array) -> Array:
        """Compute the first output for one input."""
        return self.outputs(array, self.output_names[0])[0]

    def outputs(self, array: Array, *names: str) -> tuple[Array, ...]:
        """Compute the named outputs for one input, in one pass."""
        answer = self._session.run(list(names), {self._input: array})
        return tuple(np.asarray(output, np.float32) for output in answer)


def default_threads() -> int:
    """One per core that this process may use, four at most."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(4, cores or 1))  # a 640 px picture does not become faster with more
