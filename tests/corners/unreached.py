"""Branches that no settled hand of bots takes, and why: by file and function."""

from fnmatch import fnmatch

REASONS: dict[str, str] = {}


def why(file: str, function: str) -> str:
    """The reason; empty where hands should go."""
    return next((why for part, why in REASONS.items() if fnmatch(f"{file}:{function}", part)), "")
