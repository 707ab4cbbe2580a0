"""``python -m bench live calibrate``: how often a told tile is so, by recorded hands."""

import argparse
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

from bench.live.corpus import CorpusError, kinds_named
from bench.live.replay import ALL, corpus_in
from bench.live.told import ToldPiece, told_pieces
from table_assist.capture.sightings.file import load_hand
from table_assist.following.told_scale import ToldScale, save_scale

EDGES = (0.0, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 1.01)
Hands = Sequence[tuple[str, list[ToldPiece]]]


def run(options: argparse.Namespace) -> int:
    """Measure each half of the hands by a fit on the other, and keep the fit on all; returns 0."""
    kinds = [kind.name for kind in kinds_named(options.kind)]
    paths = corpus_in(options.folder, kinds, options.hands, is_final=False)
    hands = [(about.kind, told_pieces(load_hand(path).moments)) for path, about in paths]
    if len(hands) < 2:
        raise CorpusError(
            "a fit on a hand is measured on another one: two are needed",
            "用一局拟合须用另一局检验：至少要有两局",
        )
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
