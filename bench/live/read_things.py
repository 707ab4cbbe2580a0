"""All that was found in a picture with its whole probabilities, before anything is decided."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.recognise import CLASSES, Name
from table_assist.vision.reading.tiling import find_all


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """Boxes and what may be in them.

    Attributes:
        xyxy: (n, 4) in the picture's pixels.
        score: (n,) how surely the detector found something there.
        rows: (n, 51) probabilities, as `recognise.Recogniser.probabilities`.
    """

    xyxy: NDArray[np.float32]
    score: NDArray[np.float32]
    rows: NDArray[np.float32]

    def __post_init__(self) -> None:
        count = len(self.xyxy)
        shapes = self.xyxy.shape, self.score.shape, self.rows.shape
        if shapes != ((count, 4), (count,), (count, CLASSES)):
            raise ValueError(f"boxes, scores and probabilities have shapes {shapes}")

    def __len__(self) -> int:
        return len(self.xyxy)


@dataclass(frozen=True, slots=True)
class TellingReader(Reader):
    """A reader that also knows afterwards what was in boxes in which it named no tile.

    Attributes:
        nothing: (51,) probabilities by the box's bytes.
    """

    nothing: dict[bytes, NDArray[np.float32]] = field(default_factory=dict)

    def decide(
        self, rows: NDArray[np.float32], crops: Image, xyxy: NDArray[np.float32]
    ) -> list[Name | None]:
        """As `Reader.decide`."""
        # Two arguments: a class with slots is made anew, and a bare super() means the first one.
        names = super(TellingReader, self).decide(rows, crops, xyxy)
        for box, row, name in zip(xyxy, rows, names, strict=True):
            if name is None:
                self.nothing[box.tobytes()] = row
        return names


def things_of(eyes: LiveReader, reader: TellingReader) -> Things:
    """A live reader's memory of its newest picture.

    Args:
        reader: the one by which it reads.

    Raises:
        KeyError: it reads by another one.
    """
    named = eyes.named
    rows = [
        reader.nothing[box.tobytes()] if name is None else _row(name)
        for box, name in zip(named.xyxy, named.names, strict=True)
    ]
    return _things(named.xyxy, eyes.scores(), rows)


def read_whole(reader: Reader, image: Image) -> Things:
    """The things in a picture (h, w, 3) BGR, read whole."""
    found = find_all(reader.detector, image)
    rows = reader.recogniser.probabilities(reader.crops(image, found.xyxy))
    return _things(found.xyxy, found.score, list(rows))


def _row(name: Name) -> NDArray[np.float32]:
    if name.row is None:
        raise KeyError(f"nobody kept the probabilities of a thing named {name.label!r}")
    return name.row


def _things(
    xyxy: NDArray[np.float32], score: NDArray[np.float32], rows: Sequence[NDArray[np.float32]]
) -> Things:
    return Things(
        xyxy.astype(np.float32).reshape(-1, 4),
        score.astype(np.float32),
        np.array(rows, np.float32).reshape(-1, CLASSES),
    )
