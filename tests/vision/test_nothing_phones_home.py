"""What computes the networks tells nobody that it does, and keeps nothing for later."""

import os
import subprocess
import sys
from pathlib import Path

READS = """
import numpy
from table_assist.vision.reading.read import open_reader
open_reader(threads=1).read(numpy.full((640, 640, 3), 90, numpy.uint8))
"""


def test_reading_a_picture_leaves_no_message_for_anybody(tmp_path: Path) -> None:
    """ONNX Runtime writes what it would send to a file in the user's cache first."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    kept.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run([sys.executable, "-c", READS], env=kept | {"HOME": str(tmp_path)}, check=True)
    assert not list(tmp_path.rglob("*"))
