"""Reading archives that somebody else may have made: never more than what was agreed.

A few KiB can unpack to gigabytes, and an archive's own word on its sizes is anybody's. So bytes
are counted as they come, and what is kept in memory is limited.
"""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

CHUNK = 1 << 20
MOST_MEMBERS = 100_000
# The errors that reading a spoiled archive may raise.
DAMAGES = (KeyError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error)


class TooLargeError(ValueError):
    """Something unpacks to more than it may; the message says what."""


def unpacked_size(archive: zipfile.ZipFile, most: int) -> int:
    """The unpacked size that the archive tells.

    Raises:
        TooLargeError: that is more than the limit, or there are too many members.
    """
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise TooLargeError(f"it has {len(members)} members, more than {MOST_MEMBERS}")
    size = sum(info.file_size for info in members)
    if size > most:
        raise TooLargeError(f"it unpacks to {size} bytes, more than {most}")
    return size


def chunks(archive: zipfile.ZipFile, name: str, most: int) -> Iterator[bytes]:
    """A member's bytes, piece by piece.

    Raises:
        TooLargeError: there are more than the limit.
        Exception: any of `DAMAGES`, where it cannot be read.
    """
    left = most
    with archive.open(name) as source:
        while chunk := source.read(CHUNK):
            left -= len(chunk)
            if left < 0:
                raise TooLargeError(f"{name} unpacks to more than {most} bytes")
            yield chunk


def small(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """A member that is kept in memory as a whole; raises as `chunks`."""
    return b"".join(chunks(archive, name, most))


def digest(archive: zipfile.ZipFile, name: str, most: int) -> str:
    """A member's SHA-256; raises as `chunks`."""
    found = hashlib.sha256()
    for chunk in chunks(archive, name, most):
        found.update(chunk)
    return found.hexdigest()


def parsed(content: bytes | str) -> Any:
    """JSON of anybody's.

    Raises:
        ValueError: it is none, or it is nested without end.
    """
    try:
        return json.loads(content)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
