"""A camera of its own source, as tests open it."""

import time
from collections.abc import Callable
from pathlib import Path

from table_assist.languages.words import same
from table_assist.trust.installation import Address
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.sources import PictureSource, SourceKind, find_source


def open_pictures(
    source: int | str | Path | Address | PictureSource,
    *,
    stale_s: float = 1.5,
    now: Callable[[], float] = time.time,
) -> Camera:
    """A camera for a configured source, or for any object with ``read()``; not started yet.

    An object is asked for a picture whenever the last was taken, as a file is.

    Raises:
        CameraError: there is no such file or folder, or it holds no pictures.
    """
    if isinstance(source, int | str | Path | Address):
        kind = find_source(source)
    else:
        given = source
        kind = SourceKind(lambda: given, same(type(given).__name__), is_live=False)
    return Camera(kind, stale_s=stale_s, now=now)
