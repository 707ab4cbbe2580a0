"""What a picture shows, said in the table's terms: which tile lies where, in whose zone."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from table_assist.tiles import Tile, parse_tile
from table_assist.vision.calibration import Calibration
from table_assist.vision.zones import Layout, Zone, ZoneKind, to_seat, zone_at


class Readings(Protocol):
    """What the reader gives: one row for each thing it found."""

    @property
    def polygon(self) -> NDArray[np.float32]:
        """Shape (n, 4, 2), pixels."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Tile text, ``back``, ``d1``-``d6`` or ``?``."""

    @property
    def confidence(self) -> NDArray[np.float32]:
        """Shape (n,), 0-1."""

    @property
    def candidates(self) -> tuple[tuple[tuple[str, float], ...], ...]:
        """For each row the likeliest labels with their confidence, best first."""


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile on the table.

    Attributes:
        tile: UNKNOWN when the reader is not sure, BACK when it lies face down.
        x_mm: centre, as `y_mm`, from the table's centre.
        width_mm: extent along the owning seat's `r` axis (along x where no seat owns the zone).
        candidates: likeliest faces, best first, with their confidence.
        pictures: in how many pictures it was seen there.
    """

    tile: Tile
    confidence: float
    x_mm: float
    y_mm: float
    width_mm: float
    zone: Zone
    candidates: tuple[tuple[Tile, float], ...] = ()
    pictures: int = 1


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything seen on the table at one moment.

    Attributes:
        t: seconds since the epoch.
        dice: the faces of the dice in the middle, in ascending order.
    """

    t: float
    tiles: tuple[SeenTile, ...]
    dice: tuple[int, ...] = ()

    def in_zone(self, kind: ZoneKind, seat: int | None = None) -> tuple[SeenTile, ...]:
        """The zone's tiles; of all seats when the zone has an owner and no seat is given."""
        return tuple(
            tile
            for tile in self.tiles
            if tile.zone.kind is kind and (seat is None or tile.zone.seat == seat)
        )


def observe(readings: Readings, calibration: Calibration, layout: Layout, t: float) -> Observation:
    """Place readings on the table; what lies outside it is left out."""
    count = len(readings.labels)
    corners = calibration.to_table(readings.polygon.reshape(-1, 2)).reshape(count, 4, 2)
    tiles: list[SeenTile] = []
    dice: list[int] = []
    for row in range(count):
        x, y = (float(v) for v in corners[row].mean(0))
        zone = zone_at(x, y, layout)
        label = readings.labels[row]
        if zone.kind is ZoneKind.ELSEWHERE:
            continue
        if label[0] == "d":
            dice.append(int(label[1]))
            continue
        tiles.append(
            SeenTile(
                tile=tile_of(label),
                confidence=float(readings.confidence[row]),
                x_mm=x,
                y_mm=y,
                width_mm=_width(corners[row], zone.seat),
                zone=zone,
                candidates=tuple(
                    (tile_of(name), float(p))
                    for name, p in readings.candidates[row]
                    if name[0] != "d"
                ),
            )
        )
    return Observation(t, tuple(tiles), tuple(sorted(dice)))


def tile_of(label: str) -> Tile:
    """The tile a reader's label means.

    >>> tile_of("back"), tile_of("5m")
    (<Tile.BACK: 42>, <Tile.M5: 4>)
    """
    return Tile.BACK if label == "back" else parse_tile(label)


def _width(corners_mm: NDArray[np.float32], seat: int | None) -> float:
    across = [to_seat(float(x), float(y), seat or 0)[0] for x, y in corners_mm]
    return max(across) - min(across)
