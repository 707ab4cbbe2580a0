"""A laid-down hand in photographs, each tile with its place; and those that people send.

One picture or several: views of the same tiles, or one of the hand and one of its melds.
"""

import hashlib
import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, Tiles, parse_tile
from table_assist.vision.photos.arrange import ArrangedHand, Group, Side, arrange_hand
from table_assist.vision.pictures.picture import Image, decode_picture
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings, picture_report
from table_assist.vision.reading.rows import sizes
from table_assist.vision.reading.weights import WeightsError
from table_assist.vision.reading.why import WhyDoubtful
from table_assist.vision.table.advice import Advice, advise

HAND = 14
# Two pictures show the same hand where so much of the smaller one is in the other.
SAME_HAND = 0.7
# A hand lies by itself: tiles that touch it and are none of it make a heap, from so many on.
HEAP_TILES = 6
TOUCHING = 1.6  # tile sizes between two middles
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PhotoTile:
    """A tile as it was read.

    Attributes:
        photo: the photograph's id.
        box: left, top, width, height, as shares of the picture's width and height.
        candidates: the likeliest faces of an unread one, the likeliest first.
        why: what is in doubt about it; None: nothing, or nobody has told.
    """

    tile: Tile
    photo: str
    box: Box
    candidates: Tiles = ()
    why: WhyDoubtful | None = None


@dataclass(frozen=True, slots=True)
class SeenMeld:
    """A set that lies apart; `side` is where the turned tile says that it came from."""

    kind: MeldKind
    tiles: tuple[PhotoTile, ...]
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class PhotoHand:
    """A hand as photographs show it.

    Attributes:
        winning: which of the concealed tiles lies apart or turned; None: no one does.
        others: tiles in the pictures that were not taken as part of the hand.
        crowding: how many of those lie so close to it that it may be any part of a heap.
    """

    concealed: tuple[PhotoTile, ...] = ()
    melds: tuple[SeenMeld, ...] = ()
    winning: int | None = None
    bonus: tuple[PhotoTile, ...] = ()
    others: tuple[PhotoTile, ...] = ()
    crowding: int = 0

    @property
    def is_heap(self) -> bool:
        """Nobody can tell which tiles of the picture are the hand."""
        return self.crowding >= HEAP_TILES

    @property
    def size(self) -> int:
        """Tiles, a kong counted as three."""
        return len(self.concealed) + 3 * len(self.melds)

    @property
    def tiles(self) -> Tiles:
        """All of them as they were read."""
        melds = (tile for meld in self.melds for tile in meld.tiles)
        return tuple(each.tile for each in (*self.concealed, *self.bonus, *melds))

    @property
    def unread(self) -> int:
        """How many tiles nobody has named."""
        tiles = (*self.concealed, *(tile for meld in self.melds for tile in meld.tiles))
        return sum(not each.tile.is_face for each in tiles)


def photo_hand(photo: str, readings: Readings) -> PhotoHand:
    """The hand in one photograph."""
    arranged = arrange_hand(readings)
    return _PhotoReader(photo, readings, arranged).hand()


class _PhotoReader:
    def __init__(self, photo: str, readings: Readings, arranged: ArrangedHand) -> None:
        self._photo = photo
        self._readings = readings
        self._arranged = arranged

    def hand(self) -> PhotoHand:
        found = self._arranged
        # The tile apart stands last among the concealed ones
        return PhotoHand(
            self._tiles(found.concealed, found.concealed_at),
            tuple(
                SeenMeld(meld.kind, self._tiles(meld.tiles, at), side)
                for meld, at, side in zip(
                    found.melds, found.melds_at, found.claimed_from, strict=True
                )
            ),
            None if found.winning_tile is None or not found.concealed else len(found.concealed) - 1,
            self._tiles(found.bonus, found.bonus_at),
            self._tiles([Tile.UNKNOWN] * len(found.left_out), tuple(found.left_out)),
            self._crowding(),
        )

    def _crowding(self) -> int:
        found, centres = self._arranged, self._readings.centres
        left_out = list(found.left_out)
        hand = [
            *found.concealed_at,
            *found.bonus_at,
            *(at for meld in found.melds_at for at in meld),
        ]
        if not left_out or not hand:
            return 0
        across = centres[left_out][:, None] - centres[hand][None]
        near = np.hypot(across[..., 0], across[..., 1]).min(1)
        return int((near < TOUCHING * np.median(sizes(self._readings)[hand])).sum())

    def _tiles(self, tiles: Sequence[Tile], at: Group) -> tuple[PhotoTile, ...]:
        return tuple(
            PhotoTile(
                Tile.UNKNOWN if tile is Tile.BACK and len(tiles) != 4 else tile,
                self._photo,
                self._box(index),
                self._candidates(index),
                self._readings.why[index],
            )
            for tile, index in zip(tiles, at, strict=False)
        )

    def _box(self, index: int) -> Box:
        width, height = self._readings.size_wh
        corners = self._readings.polygons[index]
        left, top = (float(each) for each in corners.min(0))
        right, bottom = (float(each) for each in corners.max(0))
        return (left / width, top / height, (right - left) / width, (bottom - top) / height)

    def _candidates(self, index: int) -> Tiles:
        named = []
        for each in self._readings.candidates[index]:
            try:
                named.append(parse_tile(each.label))
            except ValueError:
                continue
        return tuple(tile for tile in named if tile.is_face)


def together(hands: Sequence[PhotoHand]) -> PhotoHand:
    """Several photographs together: one more view of the hand, or one more part of it."""
    if not hands:
        return PhotoHand()
    found = hands[0]
    for hand in hands[1:]:
        if found.size + hand.size <= HAND:
            winning = found.winning
            if winning is None and hand.winning is not None:
                winning = len(found.concealed) + hand.winning
            found = PhotoHand(
                (*found.concealed, *hand.concealed),
                (*found.melds, *hand.melds),
                winning,
                (*found.bonus, *hand.bonus),
                (*found.others, *hand.others),
                max(found.crowding, hand.crowding),
            )
        elif _share(found, hand) >= SAME_HAND:
            found = _better(found, hand)
        else:
            found = hand  # another hand: the latest picture counts
    return found


def _share(one: PhotoHand, other: PhotoHand) -> float:
    """How much of the smaller hand is in the other one."""
    a, b = _faces(one), _faces(other)
    least = min(a.total(), b.total())
    return (a & b).total() / least if least else 0.0


def _faces(hand: PhotoHand) -> Counter[Tile]:
    melded = (each.tile for meld in hand.melds for each in meld.tiles)
    tiles = (*(each.tile for each in hand.concealed), *melded)
    return Counter(tile for tile in tiles if tile.is_face)


def _better(one: PhotoHand, other: PhotoHand) -> PhotoHand:
    """Of two views the one with the right number of tiles and the fewest unread ones.

    What only one of two like rows left unread, the other names.
    """
    best, rest = sorted((one, other), key=lambda hand: (abs(hand.size - HAND), hand.unread))
    if best.unread != 1 or best.size != rest.size:
        return best
    missing = _faces(rest) - _faces(best)
    if rest.unread or missing.total() != 1:
        return best
    tile = next(iter(missing))
    concealed = tuple(
        each if each.tile.is_face else replace(each, tile=tile) for each in best.concealed
    )
    return replace(best, concealed=concealed)


# A hand fills most of a photograph: at this size a tile is 60 px wide or more.
PHOTO_SIDE = 1600
PHOTOS_KEPT = 24
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
        image = decode_picture(data, Path(PHOTOGRAPH), PHOTO_SIDE)
        with self._reading:
            readings = self._opened().read(image, close_up=True)
        photo = Photo(id, image, readings, photo_hand(id, readings), advise(image, readings))
        if not keep:
            return photo
        self._photos[id] = photo
        while len(self._photos) > PHOTOS_KEPT:
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

    def tiles(self, ids: Sequence[str]) -> Tiles | None:
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
        if len(found) == 1:
            return found[0].image, json.dumps({"photos": reports})
        rows = []  # all at one width
        for image in (photo.image for photo in found):
            height = round(image.shape[0] * STACKED_SIDE / image.shape[1])
            rows.append(cv2.resize(image, (STACKED_SIDE, height), interpolation=cv2.INTER_AREA))
        return np.asarray(np.vstack(rows), np.uint8), json.dumps({"photos": reports})
