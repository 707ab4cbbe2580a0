"""The names of this machine's cameras, by the numbers under which OpenCV opens them.

Linux says it in /sys; on Windows the package cv2-enumerate-cameras asks the system. Its numbers
name the way in as well: 700 and up is DirectShow. That way comes first, because the other (Media
Foundation, 1400 and up) can take 12 s to open a camera at 4K. Nothing is opened here. Not tried on
a real Windows machine yet; macOS has numbers only.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

SYSTEM = Path("/sys/class/video4linux")
# OpenCV's numbers of the ways in (videoio.hpp), the better one first.
CAPTURE_APIS = {"win32": (700, 1400)}  # DirectShow, Media Foundation


class Listed(Protocol):
    """A camera as the package lists it: its number within one way in."""

    index: int
    name: str


def camera_names(platform: str = sys.platform, folder: Path = SYSTEM) -> dict[int, str] | None:
    """Number and name of each camera; None where this system does not tell."""
    if platform == "linux":
        if not folder.is_dir():
            return None
        names = {}
        for path in sorted(folder.glob("video*")):
            number = path.name.removeprefix("video")
            try:
                name = (path / "name").read_text(encoding="utf-8", errors="replace").strip()
            except OSError:
                continue  # it was unplugged just now
            if number.isdigit():
                names[int(number)] = name
        return names
    for way in CAPTURE_APIS.get(platform, ()):
        found = _listed(way)
        if found is not None:
            return {way + each.index: each.name for each in found}
    return None


def _listed(way: int) -> list[Listed] | None:
    """The cameras of one way in; None where nobody can be asked, or there are none."""
    try:
        from cv2_enumerate_cameras import enumerate_cameras
    except ImportError:
        return None
    try:
        found: Iterable[Listed] = enumerate_cameras(way)
        return list(found) or None
    except (NotImplementedError, OSError, RuntimeError):
        return None
