"""Whether the treasure is in any byte that is not its player's."""

import argparse
import tempfile
from pathlib import Path

from bench.web.leaks.search import search


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench secrecy``; exit code 1 if anything leaks, or there was no secret."""
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        report = search(
            options.hands,
            Path(folder) / "devices.json",
            first_seed=options.first_seed,
            every=options.every,
            stride=options.stride,
        )
    print("\n".join(report.lines), flush=True)
    return 1 if report.leaks or not report.entitled or not report.revealed else 0
