"""Remarks that commands print beside their answer."""

import sys


def progress(text: str) -> None:
    """A line for the person at the terminal, apart from what a program would read."""
    print(text, file=sys.stderr, flush=True)
