"""Photographs that people send: read when they come, kept until the hand is told."""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from table_assist.photos.photo_hand import PhotoHand, photo_hand, together
from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.picture import Image, decode_picture
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings, picture_report
from table_assist.vision.reading.weights import WeightsError
from table_assist.vision.table.advice import Advice, advise

# A hand fills most of a photograph: at this size a tile is 60 px wide or more.
MOST_SIDE = 1600
KEPT = 24
STACKED_SIDE = 1200
PHOTOGRAPH = "the photograph"


@dataclass(frozen=True, slots=True)
class Photo:
    """A photograph as it was read; image (h, w, 3) BGR, shrunk."""

    id: str
    image: Image
    readings: Readings
    hand: PhotoHand
    advice: tuple[Advice, ...]


class PhotoService:
    """Reads one photograph at a time, and knows the latest ones.

    Args:
        open_reader: opens the networks when the first photograph comes.
    """

    def __init__(self, open_reader: Callable[[], Reader]) -> None:
        self._open_reader = open_reader
        self._reader: Reader | None = None
        self._photos: OrderedDict[str, Photo] = OrderedDict()
        self._reading = threading.Lock()

    def read(self, data: bytes, *, keep: bool = True) -> Photo:
        """Read a picture file; the same bytes again give the same photograph.

        Args:
            keep: it can be asked for by its id for a while; else nothing of it stays.

        Raises:
            PictureError: it is no picture that can be read.
        """
        id = hashlib.sha256(data).hexdigest()[:24]
        known = self._photos.get(id)
        if known is not None:
            return known
        image = decode_picture(data, Path(PHOTOGRAPH), MOST_SIDE)
        with self._reading:
            readings = self._opened().read(image, close_up=True)
        photo = Photo(id, image, readings, photo_hand(id, readings), advise(image, readings))
        if not keep:
            return photo
        self._photos[id] = photo
        while len(self._photos) > KEPT:
            self._photos.popitem(last=False)
        return photo

    def warm(self) -> None:
        """Open the networks in the background: somebody is about to send the first photograph."""

        def open_them() -> None:
            with self._reading, suppress(WeightsError, OwnSetError):  # who sends one is told
                self._opened()

        if self._reader is None and not self._reading.locked():
            threading.Thread(target=open_them, name="photo reader", daemon=True).start()

    def _opened(self) -> Reader:
        if self._reader is None:
            self._reader = self._open_reader()
        return self._reader

    def photo(self, id: str) -> Photo | None:
        """One of the latest photographs; None for another."""
        return self._photos.get(id)

    def tiles(self, ids: Sequence[str]) -> tuple[Tile, ...] | None:
        """All tiles as they were read in these photographs; None where none of them is here."""
        return self.hand(ids).tiles if any(id in self._photos for id in ids) else None

    def hand(self, ids: Sequence[str]) -> PhotoHand:
        """The hand in these photographs together; those that are gone are left out."""
        return together([photo.hand for id in ids if (photo := self._photos.get(id)) is not None])

    def evidence(self, ids: Sequence[str]) -> tuple[Image, str] | None:
        """These photographs one below the other, and what was read in them as JSON text."""
        found = [photo for id in ids if (photo := self._photos.get(id)) is not None]
        if not found:
            return None
        reports = [picture_report(photo.id, photo.readings) for photo in found]
        image = found[0].image if len(found) == 1 else _stacked([each.image for each in found])
        return image, json.dumps({"photos": reports})


def _stacked(images: Sequence[Image]) -> Image:
    """All at one width, one below the other."""
    rows = []
    for image in images:
        height = round(image.shape[0] * STACKED_SIDE / image.shape[1])
        rows.append(cv2.resize(image, (STACKED_SIDE, height), interpolation=cv2.INTER_AREA))
    return np.asarray(np.vstack(rows), np.uint8)
