"""Looks as arrays: each thing and each tile is kept once, however many looks it stays as it was.

All numbers are kept as they are, but the probabilities: each is the nearest of 65,536 steps of a
logarithm, so it is off by 0.03 % of itself at most, and what is below 1e-14 counts as that. The
largest of a row is what the others leave: it is off by 0.03 % of these.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.vision.reading.recognise import CLASSES
from table_assist.vision.reading.things import Things
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.zones import Zone, ZoneKind

STEPS_PER_NAT = 2000.0
_LAST = np.iinfo(np.uint16).max
CANDIDATES = 3  # of a tile on the table
THING = np.dtype([("xyxy", "<f4", (4,)), ("score", "<f4"), ("row", "<u2", (CLASSES,))])
TILE = np.dtype([
    ("tile", "<i2"), ("zone", "<i2"), ("is_clear", "?"), ("known", "u1"), ("pictures", "<i4"),
    ("id", "<i4"), ("confidence", "<f8"), ("x_mm", "<f8"), ("y_mm", "<f8"), ("width_mm", "<f8"),
    ("age_s", "<f8"), ("candidates", "<i2", (CANDIDATES,)),
    ("confidences", "<f8", (CANDIDATES,)),
])  # fmt: skip
LYING = np.dtype([
    ("tile", "<i2"), ("pose", "u1"), ("x_mm", "<f8"), ("y_mm", "<f8"), ("turn_deg", "<f8"),
    ("scale", "<f8"),
])  # fmt: skip
_KINDS = tuple(ZoneKind)
_SEATS = 5  # four, and none
_TILES = {int(tile): tile for tile in Tile}


def quantised(rows: NDArray[np.float32]) -> NDArray[np.uint16]:
    """(n, 51) probabilities as steps of their logarithm."""
    least = np.exp(-_LAST / STEPS_PER_NAT)
    steps = -np.log(np.maximum(rows.astype(np.float64), least)) * STEPS_PER_NAT
    return np.clip(np.rint(steps), 0, _LAST).astype(np.uint16)


def probabilities(steps: NDArray[np.uint16]) -> NDArray[np.float32]:
    """The (n, 51) probabilities of such steps; each row sums to 1."""
    rows = np.exp(steps.astype(np.float64) / -STEPS_PER_NAT)
    if len(rows):
        each, best = np.arange(len(rows)), steps.argmin(axis=1)
        rows[each, best] = 0.0
        rows[each, best] = np.maximum(1.0 - rows.sum(axis=1), 0.0)
    return rows.astype(np.float32)


class Pool:
    """Records of one kind, each kept once, and lists of them."""

    def __init__(self, kind: np.dtype[np.void]) -> None:
        self._kind = kind
        self._places: dict[bytes, int] = {}
        self._lists: list[NDArray[np.uint32]] = []

    def add(self, records: NDArray[np.void]) -> None:
        """One more list."""
        places = self._places
        rows = records.tobytes()
        size = self._kind.itemsize
        each = (rows[start : start + size] for start in range(0, len(rows), size))
        found = [places.setdefault(row, len(places)) for row in each]
        self._lists.append(np.array(found, np.uint32))

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """All of it, for a file."""
        flat = np.concatenate(self._lists) if self._lists else np.empty(0, np.uint32)
        return {
            name: np.frombuffer(b"".join(self._places), self._kind),
            f"{name}_lists": flat,
            f"{name}_counts": np.array([len(each) for each in self._lists], np.uint32),
        }


@dataclass(frozen=True, slots=True)
class Pooled:
    """A pool as it was read back.

    Raises:
        ValueError: the arrays do not belong together.
    """

    records: NDArray[np.void]
    lists: tuple[NDArray[np.uint32], ...]

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], name: str, kind: np.dtype[np.void]) -> "Pooled":
        """The pool of that name."""
        records, flat, counts = (arrays[f"{name}{end}"] for end in ("", "_lists", "_counts"))
        if records.dtype != kind or int(counts.sum()) != len(flat):
            raise ValueError(f"the arrays of {name!r} do not belong together")
        if len(flat) and int(flat.max()) >= len(records):
            raise ValueError(f"there are {len(records)} {name}, and number {flat.max()} is wanted")
        ends = np.cumsum(counts.astype(np.int64))
        return cls(records, tuple(np.split(flat.astype(np.uint32), ends[:-1])) if len(ends) else ())


def thing_records(things: Things) -> NDArray[np.void]:
    """Things for a pool."""
    records = np.zeros(len(things), THING)
    records["xyxy"], records["score"] = things.xyxy, things.score
    records["row"] = quantised(things.rows)
    return records


def things_from(records: NDArray[np.void]) -> Things:
    """The things of records."""
    rows = probabilities(records["row"].reshape(-1, CLASSES))
    return Things(records["xyxy"].reshape(-1, 4).copy(), records["score"].copy(), rows)


def tile_records(tiles: Iterable[SeenTile]) -> NDArray[np.void]:
    """Tiles for a pool.

    Raises:
        ValueError: one has more candidates than a look tells.
    """
    return np.array([_tile_row(tile) for tile in tiles], TILE).reshape(-1)


def tiles_from(records: NDArray[np.void]) -> tuple[SeenTile, ...]:
    """The tiles of records."""
    return tuple(_tile(row) for row in records.tolist())


def _tile_row(seen: SeenTile) -> tuple[object, ...]:
    if len(seen.candidates) > CANDIDATES:
        raise ValueError(f"a tile has {len(seen.candidates)} candidates, more than {CANDIDATES}")
    spare = CANDIDATES - len(seen.candidates)
    tiles = [int(tile) for tile, _ in seen.candidates] + [int(Tile.UNKNOWN)] * spare
    confidences = [confidence for _, confidence in seen.candidates] + [0.0] * spare
    return (
        int(seen.tile), zone_number(seen.zone), seen.is_clear, len(seen.candidates), seen.pictures,
        seen.id, seen.confidence, seen.x_mm, seen.y_mm, seen.width_mm, seen.age_s,
        tiles, confidences,
    )  # fmt: skip


def _tile(row: Sequence[Any]) -> SeenTile:
    (tile, zone, clear, known, pictures, id, confidence, x, y, width, age, tiles, confidences) = row
    likely = zip(tiles[:known], confidences[:known], strict=True)
    return SeenTile(
        tile=_TILES[tile],
        confidence=confidence,
        x_mm=x,
        y_mm=y,
        width_mm=width,
        zone=zone_of(zone),
        candidates=tuple([(_TILES[each], share) for each, share in likely]),
        pictures=pictures,
        id=id,
        age_s=age,
        is_clear=clear,
    )


def zone_number(zone: Zone) -> int:
    """A zone as one number."""
    return _KINDS.index(zone.kind) * _SEATS + (0 if zone.seat is None else zone.seat + 1)


@cache
def zone_of(number: int) -> Zone:
    """The zone of such a number."""
    kind, seat = divmod(number, _SEATS)
    return Zone(_KINDS[kind], seat - 1 if seat else None)
