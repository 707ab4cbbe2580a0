"""Things that are none: bare cloth between seams read as a back, the cloth's print as a face.

A back shows no drawing, and neither does the cloth; a ring that is printed on the cloth is read as
hardly anything. What tells them apart is colour. A tile hides the cloth: where a thing shows as
much of the cloth's own colour as no tile of its kind does, it is the cloth, and lines of a print
across it make no tile of it. A letter that is read as a face shows some of the cloth, and is not
of the set's ivory where it is brightest: perhaps it is no tile.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.reading.why import WhyDoubtful
from table_assist.vision.table.colours import OTHER_COLOUR, are_alike, logarithms, sampled

LEAST_KNOWN = 8  # backs, or faces, needed to know the set's colour
ALIKE = 0.10  # between two channels; `colours.OTHER_COLOUR` is another one
BACK = "back"
# Shares of a thing's points that have the cloth's colour. Of real tiles on the cloths of three
# tables at most 0.01 had it (950 readings), of what was printed 0.13 to 0.98 (1,050); a face may
# have ink of the cloth's colour.
HIDES, SHOWS_BACK, SHOWS_FACE = 0.05, 0.2, 0.45
# Before faces are read: what is so far from grey is no ivory in any lamp that is nearly white.
GREY, COLOURED = np.zeros(3, np.float32), 0.5
BRIGHTEST = 0.25  # share of a tile's points that are its ivory, whatever is drawn on it


class BackFilter:
    """Tells them by the colours of the set, also when few tiles are left that show them."""

    def __init__(self) -> None:
        self._backs: NDArray[np.float32] | None = None  # (3,) as `_beside_cloth` has colours
        self._faces: NDArray[np.float32] | None = None
        self._ivory: NDArray[np.float32] | None = None  # (3,) logarithms

    def forget_the_set(self) -> None:
        """Another one may be played with from now on, as machines with two sets do."""
        self._backs = self._faces = self._ivory = None

    def without(
        self, readings: Readings, image: Image, cloth: NDArray[np.float32] | None
    ) -> Readings:
        """The readings without backs and unread things that are cloth; the very same without such.

        A face that may be a print stays, as a ``?``.

        Args:
            image: (h, w, 3) BGR, in which they were read.
            cloth: (3,) the bare table's colour; None: not known.
        """
        if cloth is None:
            return readings
        faces, backs, likely_backs, unread = _kinds(readings)
        shown = sampled(image, readings.polygons[faces])
        readings = self._without_prints(readings, faces, shown, cloth)
        ghosts = set()
        doubted = backs + likely_backs
        if doubted:
            beside, shares = _beside_cloth(sampled(image, readings.polygons[doubted]), cloth)
            # There may be more ghosts than backs: what shows the cloth tells nothing of the backs.
            hiding = beside[: len(backs)][shares[: len(backs)] < HIDES]
            self._backs = _usual(hiding, self._backs)
            if self._backs is not None:
                shows = shares >= SHOWS_BACK
                ghosts |= _cloth_among(doubted, beside, shows, self._backs, OTHER_COLOUR)
        if unread:
            if len(faces) >= LEAST_KNOWN:
                known, _ = _beside_cloth(shown, cloth)
                self._faces = _usual(known, self._faces)
            usual, other = self._faces, OTHER_COLOUR
            if usual is None:
                usual, other = GREY - logarithms(cloth), COLOURED
            beside, shares = _beside_cloth(sampled(image, readings.polygons[unread]), cloth)
            ghosts |= _cloth_among(unread, beside, shares >= SHOWS_FACE, usual, other)
        if not ghosts:
            return readings
        return readings.select([index for index in range(len(readings)) if index not in ghosts])

    def _without_prints(
        self,
        readings: Readings,
        faces: list[int],
        shown: NDArray[np.uint8],
        cloth: NDArray[np.float32],
    ) -> Readings:
        """The readings with a ``?`` for each face that may be printed on the cloth.

        Args:
            shown: (faces, points, 3) of them.
        """
        if not faces:
            return readings
        _, shares = _beside_cloth(shown, cloth)
        # (n, 3) logarithms of the mean of each thing's brightest points, of (n, points, 3)
        most = round(BRIGHTEST * shown.shape[1])
        order = np.argsort(shown.sum(axis=2, dtype=np.int32), axis=1)[:, -most:, None]
        ivory = logarithms(np.take_along_axis(shown, order, axis=1).mean(axis=1, dtype=np.float32))
        self._ivory = _usual(ivory[shares < HIDES], self._ivory)
        if self._ivory is None:
            return readings
        is_print = (shares >= HIDES) & (np.ptp(ivory - self._ivory, axis=1) > OTHER_COLOUR)
        if not is_print.any():
            return readings
        labels, why = list(readings.labels), list(readings.why)
        for index in np.array(faces)[is_print]:
            labels[index], why[index] = UNKNOWN, WhyDoubtful.NOTHING
        return replace(readings, labels=tuple(labels), why=tuple(why))


def _usual(
    seen: NDArray[np.float32], before: NDArray[np.float32] | None
) -> NDArray[np.float32] | None:
    """The usual one of (n, 3) colours, where they are enough; else what it was before."""
    return np.asarray(np.median(seen, axis=0)) if len(seen) >= LEAST_KNOWN else before


def _cloth_among(
    doubted: list[int],
    beside: NDArray[np.float32],
    shows: NDArray[np.bool_],
    usual: NDArray[np.float32],
    other: float,
) -> set[int]:
    """Those that look as the cloth does or show it, and not as usual ones of their kind do.

    Args:
        beside: (n, 3) their colours, and `usual` (3,), as `_beside_cloth` has them.
    """
    is_cloth = (np.ptp(beside, axis=1) < ALIKE) & (np.ptp(beside - usual, axis=1) > other)
    is_printed = shows & (np.ptp(usual) > other)
    return {doubted[index] for index in np.flatnonzero(is_cloth | is_printed)}


def _kinds(readings: Readings) -> tuple[list[int], list[int], list[int], list[int]]:
    """Which are faces, which backs; and of what could not be read, which are likely backs."""
    faces: list[int] = []
    backs: list[int] = []
    likely_backs: list[int] = []
    unread: list[int] = []
    for index, label in enumerate(readings.labels):
        if label == UNKNOWN:
            candidates = readings.candidates[index]
            if candidates:
                (likely_backs if candidates[0].label == BACK else unread).append(index)
        elif label == BACK:
            backs.append(index)
        elif (tile := tile_of(label)) is not None and tile.is_face:
            faces.append(index)
    return faces, backs, likely_backs, unread


def _beside_cloth(
    seen: NDArray[np.uint8], cloth: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How the colours of things, (n, points, 3), compare with the cloth's.

    Returns:
        (n, 3) the logarithms of how many times each mean colour is the cloth's, and (n,) how much
        of each thing has the cloth's colour, 0 to 1.
    """
    ground = logarithms(cloth)
    is_cloth = are_alike(logarithms(seen) - ground, ALIKE)
    return logarithms(seen.mean(axis=1)) - ground, np.asarray(is_cloth.mean(axis=1), np.float32)
