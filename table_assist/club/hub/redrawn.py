"""A table's picture, decoded and made anew in a process of its own: whatever it holds harms none.

`python -m table_assist.club.hub.redrawn BYTES TURNS` reads a JPEG and writes another; it takes so
much memory at most.
"""

import subprocess
import sys
from collections.abc import Sequence

from table_assist.evidence.dispute.apart import yield_to_table
from table_assist.vision.pictures.picture import PictureError
from table_assist.vision.pictures.small import MOST_BYTES, small_jpeg

MEMORY_BYTES = 1_500_000_000
LONGEST_S = 30.0


def redrawn(content: bytes, turns: int = 0, *, memory_bytes: int = MEMORY_BYTES) -> bytes | None:
    """A small JPEG of the same, turned clockwise by so many quarters.

    None where it is no picture that can be decoded.
    """
    command = [sys.executable, "-m", __name__, str(memory_bytes), str(turns)]
    try:
        done = subprocess.run(
            command, input=content, capture_output=True, timeout=LONGEST_S, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if not done.returncode and 0 < len(done.stdout) <= MOST_BYTES else None


def main(arguments: Sequence[str]) -> int:
    """The process that redraws."""
    memory_bytes, turns = map(int, arguments)
    yield_to_table(memory_bytes)
    try:
        made = small_jpeg(sys.stdin.buffer.read(), turns)
    except PictureError:
        return 1
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
