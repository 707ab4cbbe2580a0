"""One hand's sightings as one file: NumPy's arrays in a zip, whole or not there at all."""

import io
import json
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bench import BenchError
from bench.live.moments import (
    About,
    Happened,
    Heard,
    Lay,
    Looked,
    Lying,
    Moment,
    RecordedHand,
    Said,
    Seen,
)
from bench.live.read_things import Things
from table_assist.record.json_rows import from_row, to_row
from table_assist.record.log import entry_from_json, entry_to_json
from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.motion import Box
from table_assist.vision.reading.recognise import CLASSES
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import Calibration, Point
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone
from table_assist.vision.table.zones import Layout, Zone, ZoneKind

VERSION = 2  # 1 had 50 probabilities of each thing
ENDING = ".npz"
MOST_BYTES = 512_000_000  # unpacked
POSES = ("face_up", "face_down", "standing", "stacked", "topped", "turned")
_DAMAGES = (
    EOFError, KeyError, IndexError, ValueError, TypeError, AttributeError, OSError, MemoryError,
    NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error, tokenize.TokenError,
)  # fmt: skip
Arrays = dict[str, NDArray[Any]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _SeenRow:
    size_wh: tuple[int, int]
    window: Box
    corners_px: tuple[Point, Point, Point, Point] | None
    side_mm: float
    moving_shape: tuple[int, int]
    hidden_shape: tuple[int, int]
    has_still: bool


@dataclass(frozen=True, slots=True)
class _LookedRow:
    """A look without its tiles and things."""

    t: float
    dice: tuple[int, ...]
    seen_dice: tuple[SeenDie, ...]
    unavailable: tuple[OccludedZone, ...]
    tile_mm: float
    measured_mm: float | None
    layout: Layout
    partly_hidden: tuple[Zone, ...]
    wanted: tuple[Zone, ...]
    bare: tuple[Zone, ...]
    is_undealt: bool
    moved_mm: Point
    seen: _SeenRow | None


@dataclass(frozen=True, slots=True)
class _LayRow:
    t: float


_ROWS: dict[str, type] = {
    "looked": _LookedRow, "heard": Heard, "said": Said, "lay": _LayRow, "happened": Happened,
}  # fmt: skip


def save_hand(hand: RecordedHand, path: Path) -> None:
    """Write a hand; the file is there when all of it is.

    Raises:
        BenchError: the place cannot be written to.
    """
    unfinished = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **_arrays(hand))
        unfinished.replace(path)
    except OSError as error:
        raise BenchError(f"{path} cannot be written: {error.strerror}") from error


def load_hand(path: Path) -> RecordedHand:
    """Read a hand.

    Raises:
        BenchError: there is none, it is damaged, or of another version.
    """
    return _read(path, _hand)


def load_about(path: Path) -> About:
    """Read only which hand it is.

    Raises:
        BenchError: as `load_hand`, as far as it is read.
    """
    return _read(path, _about)


def _read(path: Path, understand: Callable[[Mapping[str, NDArray[Any]]], T]) -> T:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror}") from error
    try:
        _check_size(data)
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            version = _head(arrays)["version"]
            if version == VERSION:
                return understand(arrays)
    except _DAMAGES as error:
        raise BenchError(f"the recorded hand {path} is damaged: {error}") from error
    raise BenchError(f"the recorded hand {path} has version {version!r}, expected {VERSION}")


def _check_size(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = sum(info.file_size for info in archive.infolist())
    if size > MOST_BYTES:
        raise ValueError(f"it unpacks to {size} bytes, more than {MOST_BYTES}")


# -- writing ---------------------------------------------------------------------------------------


def _arrays(hand: RecordedHand) -> Arrays:
    things, tiles, lying = Pool(THING), Pool(TILE), Pool(LYING)
    fates, bits, lines = [np.empty(0, np.uint8)], [np.empty(0, np.uint8)], []
    for moment in hand.moments:
        match moment:
            case Looked(observation=observation, seen=seen):
                tiles.add(tile_records(observation.tiles))
                if seen is not None:
                    things.add(thing_records(seen.things))
                    fates.append(seen.fates.astype(np.uint8))
                    bits += [np.packbits(seen.hidden), np.packbits(seen.moving)]
                    if seen.still is not None:
                        things.add(thing_records(seen.still))
            case Lay():
                lying.add(np.array([_lying_row(each) for each in moment.tiles], LYING).reshape(-1))
        lines.append(_line(moment))
    head = {
        "version": VERSION,
        "about": to_row(hand.about),
        "log": [entry_to_json(entry) for entry in hand.log],
    }
    return {
        "head": _text(json.dumps(head, ensure_ascii=False)),
        "moments": _text("\n".join(lines)),
        **things.arrays("things"),
        **tiles.arrays("tiles"),
        **lying.arrays("lying"),
        "fates": np.concatenate(fates),
        "bits": np.concatenate(bits),
    }


def _line(moment: Moment) -> str:
    row: object = moment
    kind = type(moment).__name__.lower()
    match moment:
        case Looked():
            row = _looked_row(moment)
        case Lay():
            row = _LayRow(moment.t)
    return json.dumps({"kind": kind, **to_row(row)}, ensure_ascii=False, separators=(",", ":"))


def _looked_row(looked: Looked) -> _LookedRow:
    told, wanted, seen = looked.observation, looked.attention, looked.seen
    row = None
    if seen is not None:
        where = seen.calibration
        row = _SeenRow(
            seen.size_wh, seen.window, None if where is None else where.corners_px,
            0.0 if where is None else where.side_mm,
            _shape(seen.moving), _shape(seen.hidden), seen.still is not None,
        )  # fmt: skip
    return _LookedRow(
        looked.t, told.dice, told.seen_dice, told.unavailable, told.tile_mm, told.measured_mm,
        told.layout, _sorted(told.partly_hidden), _sorted(wanted.wanted), _sorted(wanted.bare),
        wanted.is_undealt, looked.moved_mm, row,
    )  # fmt: skip


def _sorted(zones: Iterable[Zone]) -> tuple[Zone, ...]:
    return tuple(sorted(zones, key=lambda zone: (zone.kind, zone.seat or 0)))


def _shape(cells: NDArray[np.bool_]) -> tuple[int, int]:
    rows, columns = cells.shape
    return rows, columns


def _lying_row(tile: Lying) -> tuple[object, ...]:
    return (
        int(tile.tile), POSES.index(tile.pose), tile.x_mm, tile.y_mm, tile.turn_deg, tile.scale,
    )  # fmt: skip


def _text(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)


# -- reading ---------------------------------------------------------------------------------------


def _head(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    head: dict[str, Any] = json.loads(arrays["head"].tobytes())
    return head


def _about(arrays: Mapping[str, NDArray[Any]]) -> About:
    about: About = from_row(About, _head(arrays)["about"])
    return about


def _hand(arrays: Mapping[str, NDArray[Any]]) -> RecordedHand:
    log = tuple(entry_from_json(text) for text in _head(arrays)["log"])
    every = {name: arrays[name] for name in arrays}
    return RecordedHand(_about(arrays), tuple(_Moments(every).read()), log)


class _Moments:
    """Puts the looks together again."""

    def __init__(self, arrays: Arrays) -> None:
        self._lines = arrays["moments"].tobytes().decode().split("\n")
        self._things = Pooled.of(arrays, "things", THING)
        self._all_things = things_from(self._things.records)
        self._tiles = Pooled.of(arrays, "tiles", TILE)
        self._lying = Pooled.of(arrays, "lying", LYING)
        self._each_tile = tiles_from(self._tiles.records)
        self._each_lying = tuple(_lying(row) for row in self._lying.records.tolist())
        self._fates, self._bits = arrays["fates"], arrays["bits"]
        self._next = {"things": 0, "tiles": 0, "lying": 0, "fates": 0, "bits": 0}

    def read(self) -> Iterator[Moment]:
        """The moments in their order."""
        for line in self._lines:
            if not line:
                continue
            row = json.loads(line)
            read = from_row(_ROWS[row.pop("kind")], row)
            match read:
                case _LookedRow():
                    yield self._looked(read)
                case _LayRow(t):
                    places = self._lying.lists[self._count("lying", 1)]
                    yield Lay(t, tuple(self._each_lying[i] for i in places.tolist()))
                case _:
                    yield read

    def _looked(self, row: _LookedRow) -> Looked:
        places = self._tiles.lists[self._count("tiles", 1)]
        told = Observation(
            row.t, tuple(self._each_tile[i] for i in places.tolist()), row.dice, row.seen_dice,
            row.unavailable, row.tile_mm, row.measured_mm, row.layout, frozenset(row.partly_hidden),
        )  # fmt: skip
        wanted = Attention(frozenset(row.wanted), frozenset(row.bare), row.is_undealt)
        seen = None if row.seen is None else self._seen(row.seen)
        return Looked(row.t, told, wanted, seen, row.moved_mm)

    def _seen(self, row: _SeenRow) -> Seen:
        things = self._some_things()
        first = self._count("fates", len(things))
        corners = row.corners_px
        return Seen(
            row.size_wh, row.window,
            None if corners is None else Calibration(corners, row.side_mm),
            things, self._fates[first : first + len(things)],
            hidden=self._cells(row.hidden_shape), moving=self._cells(row.moving_shape),
            still=self._some_things() if row.has_still else None,
        )  # fmt: skip

    def _some_things(self) -> Things:
        every = self._all_things
        places = self._things.lists[self._count("things", 1)]
        return Things(every.xyxy[places], every.score[places], every.rows[places])

    def _cells(self, shape: tuple[int, int]) -> NDArray[np.bool_]:
        count = shape[0] * shape[1]
        size = -(-count // 8)
        first = self._count("bits", size)
        packed = self._bits[first : first + size]
        return np.unpackbits(packed, count=count).astype(np.bool_).reshape(shape)

    def _count(self, name: str, more: int) -> int:
        first = self._next[name]
        self._next[name] += more
        return first


def _lying(row: tuple[Any, ...]) -> Lying:
    tile, pose, x, y, turn, scale = row
    return Lying(Tile(tile), x, y, turn, POSES[pose], scale)


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
