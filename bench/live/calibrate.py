"""``python -m bench live calibrate``: how often a told tile is so, by recorded hands."""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import hypot

import numpy as np

from bench import BenchError
from bench.live.corpus import kinds_named
from bench.live.moments import Lay, Looked, Lying, Moment, load_hand
from bench.live.replay import ALL, corpus_in
from table_assist.following.seen_table import SURE_PICTURES
from table_assist.following.told_scale import ToldScale, save_scale
from table_assist.tiles.tile import Tile
from table_assist.twin.scene import PlacedTile, Pose
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.viewpoint import viewpoint

EDGES = (0.0, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 1.01)
# A told tile is the piece whose middle lies so near: less than half a tile.
NEAR_MM = 12.0
# A table is bumped by less; what agrees within so much is one shift.
FARTHEST_MM, AGREE_MM = 60.0, 4.0
Point = tuple[float, float]
Lain = tuple[Tile | None, float, float]


@dataclass(frozen=True, slots=True)
class ToldPiece:
    """One piece where it lay, by the last clear look at it.

    Attributes:
        true: the face that it shows; None: none, or nothing lies there.
    """

    tile: Tile
    confidence: float
    true: Tile | None

    @property
    def is_so(self) -> bool:
        """Whether it is what was told."""
        return self.tile is self.true


Hands = Sequence[tuple[str, list[ToldPiece]]]


def run(options: argparse.Namespace) -> int:
    """Measure each half of the hands by a fit on the other, and keep the fit on all; returns 0."""
    kinds = [kind.name for kind in kinds_named(options.kind)]
    paths = corpus_in(options.folder, kinds, options.hands, is_final=False)
    hands = [
        (about.kind, told_pieces(load_hand(path).moments, about.size_wh)) for path, about in paths
    ]
    if len(hands) < 2:
        raise BenchError("a fit on a hand is measured on another one: two are needed")
    measured = [*_measured(hands[::2], hands[1::2]), *_measured(hands[1::2], hands[::2])]
    print("| tables | pieces | wrong | said wrong as told | fitted |\n|---|---|---|---|---|")
    for kind in (*dict.fromkeys(kind for kind, _ in hands), ALL):
        print(_kind_line(kind, [(told, p) for of, told, p in measured if kind in (of, ALL)]))
    print("\n| said | as told: pieces | said | so | fitted: pieces | said | so |")
    print("|---|---|---|---|---|---|---|")
    as_told = [(told.confidence, told.is_so) for _, told, _ in measured]
    after = [(p, told.is_so) for _, told, p in measured]
    for low, high in pairwise(EDGES):
        print(f"| from {low:g} | {_bin(as_told, low, high)} | {_bin(after, low, high)} |")
    found = fit([told for _, told in hands])
    print(f"\n{found.pieces} pieces of {len(hands)} hands, kept: {found}")
    save_scale(found)
    return 0


def fit(hands: Sequence[list[ToldPiece]]) -> ToldScale:
    """The share that is right, which never falls where the reader was surer.

    Neighbours that would fall are one block (pool adjacent violators); each block has one wrong
    and one right piece more than were counted, so nothing is ever certain.
    """
    every = [piece for hand in hands for piece in hand]
    said: dict[float, list[bool]] = {}
    for piece in every:
        said.setdefault(round(piece.confidence, 5), []).append(piece.is_so)
    blocks: list[list[float]] = []  # least confidence, right, pieces
    for confidence in sorted(said):
        blocks.append([confidence, sum(said[confidence]), len(said[confidence])])
        while len(blocks) > 1 and _share(blocks[-2]) >= _share(blocks[-1]):
            _, right, count = blocks.pop()
            blocks[-1][1] += right
            blocks[-1][2] += count
    low = tuple(block[0] for block in blocks)
    shares = tuple(round((block[1] + 1) / (block[2] + 2), 6) for block in blocks)
    rising = tuple(max(shares[: at + 1]) for at in range(len(shares)))
    return ToldScale(low, rising, round(_stuck(hands), 3), len(every))


def _share(block: list[float]) -> float:
    return block[1] / block[2]


def _stuck(hands: Sequence[list[ToldPiece]]) -> float:
    """Of pairs of pieces with one true face, one told wrongly: how often both are told alike."""
    alike = pairs = 0
    for hand in hands:
        for one, other in combinations(hand, 2):
            if one.true is other.true is not None and not (one.is_so and other.is_so):
                pairs += 1
                alike += one.tile is other.tile
    return (alike + 1) / (pairs + 2)


def _measured(hands: Hands, fitted_on: Hands) -> list[tuple[str, ToldPiece, float]]:
    scale = fit([told for _, told in fitted_on])
    return [
        (kind, told, scale.chance(told.confidence)) for kind, pieces in hands for told in pieces
    ]


def _kind_line(kind: str, pieces: Sequence[tuple[ToldPiece, float]]) -> str:
    wrong = Counter(told.is_so for told, _ in pieces)[False]
    said = sum(1 - told.confidence for told, _ in pieces)
    fitted = sum(1 - chance for _, chance in pieces)
    return f"| {kind} | {len(pieces)} | {wrong} | {said:.1f} | {fitted:.1f} |"


def _bin(said: Sequence[tuple[float, bool]], low: float, high: float) -> str:
    own = [each for each in said if low <= each[0] < high]
    if not own:
        return "0 | – | –"
    mean, so = (sum(column) / len(own) for column in zip(*own, strict=True))
    return f"{len(own)} | {mean:.5f} | {so:.5f}"


# -- what was told, and what lay there ------------------------------------------------------------


def told_pieces(moments: Sequence[Moment], size_wh: tuple[int, int]) -> list[ToldPiece]:
    """Of each piece that was told with a face, by the last look before the table changed again."""
    tiles: Sequence[Lying] = ()
    latest: Looked | None = None
    found: dict[int, ToldPiece] = {}
    for moment in (*moments, Lay(0.0, ())):
        match moment:
            case Lay():
                if latest is not None:
                    found |= _told(latest, tiles, size_wh)
                tiles, latest = moment.tiles, None
            case Looked():
                latest = moment
    return list(found.values())


def _told(looked: Looked, tiles: Sequence[Lying], size_wh: tuple[int, int]) -> dict[int, ToldPiece]:
    camera = None if looked.calibration is None else viewpoint(looked.calibration, size_wh)
    if camera is None:
        return {}
    lying: list[Lain] = []
    for each in tiles:
        placed = PlacedTile(
            each.tile, each.x_mm, each.y_mm, each.turn_deg, Pose(each.pose), each.scale
        )
        face = placed.shows if placed.shows is not None and placed.shows.is_face else None
        # Its middle is seen as if it lay in the table's plane.
        x, y = camera.seen_at(each.x_mm, each.y_mm, placed.size_mm[2])
        lying.append((face, (each.x_mm + x) / 2, (each.y_mm + y) / 2))
    seen_tiles = [each for each in looked.observation.tiles if each.tile.is_face]
    shift = _shift(seen_tiles, lying)
    return {
        each.id: ToldPiece(each.tile, each.confidence, _true(each, lying, shift))
        for each in seen_tiles
        if each.id and each.pictures >= SURE_PICTURES and each.is_clear and each.age_s == 0
    }


def _shift(seen: Sequence[SeenTile], lying: Sequence[Lain]) -> Point:
    """By how much all is seen beside where it lies, as on a bumped table: what most tiles say."""
    places = np.array([(each.x_mm, each.y_mm) for each in seen]).reshape(-1, 2)
    others = np.array([(x, y) for _, x, y in lying]).reshape(-1, 2)
    alike = np.array([[face is each.tile for face, _, _ in lying] for each in seen], bool)
    off = places[:, None] - others[None]
    is_near = np.abs(off).max(axis=2, initial=0.0) < FARTHEST_MM
    near = off[alike.reshape(len(seen), len(lying)) & is_near]
    if not len(near):
        return 0.0, 0.0
    agree = (np.abs(near[:, None] - near[None]) < AGREE_MM).all(axis=2)
    x, y = near[agree[agree.sum(axis=1).argmax()]].mean(axis=0).tolist()
    return x, y


def _true(seen: SeenTile, lying: Sequence[Lain], shift: Point) -> Tile | None:
    """The face of the piece that lies there."""

    def off(piece: Lain) -> float:
        return hypot(piece[1] + shift[0] - seen.x_mm, piece[2] + shift[1] - seen.y_mm)

    near = sorted((piece for piece in lying if off(piece) < NEAR_MM), key=off)
    faces = [face for face, _, _ in near if face is not None]
    # Of two that lie so near, as in a heap, it may be either.
    return seen.tile if seen.tile in faces else next(iter(faces), None)
