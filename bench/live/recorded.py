"""Hands as real eyes had them, in files: recorded once, followed again without pictures.

``python -m bench live record`` plays what a folder lacks, one hand of each kind of table in turn;
``replay`` follows what lies there again; ``calibrate`` fits by it how often a told tile is so.
A hand is one file: a line of JSON each, packed; whole or not there at all.
"""

import argparse
import gzip
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import combinations, count, islice
from multiprocessing import get_context
from pathlib import Path

import cv2

from bench import BenchError, report
from bench.live.compared import HandFigures, compare
from bench.live.evening import EveningTable, Followed, Happened, Heard, Looked, Moment, Said
from bench.live.eyes import RealEyes, StandInEyes
from bench.live.hands import LiveTally, WantedHands
from models.world import WorldLooks, look_from
from table_assist.following.told_scale import SCALE_FILE, ToldScale
from table_assist.game.events import Event
from table_assist.live.manifest import current_weights, program_version
from table_assist.record.json_rows import from_row, to_row
from table_assist.record.log import Entry, entry_from_json, entry_to_json
from table_assist.record.record import Record
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from table_assist.twin.moment import CameraMoment
from table_assist.twin.scene import Scene
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.reading.read import open_reader
from table_assist.vision.table.observation import SURE_PICTURES, Observation
from table_assist.vision.table.viewpoint import Viewpoint, viewpoint

DAMAGED_FILE = EOFError, KeyError, ValueError, TypeError, AttributeError, OSError, zlib.error
HAND_FORMAT = 4  # 3 kept where every tile lay, and the table's corners, in each look
MOST_BYTES = 512_000_000  # unpacked
HANDS_OF_A_KIND = 30  # of each kind
HANDS_EACH = 8  # by one process: what they leave in memory goes with it
SEEDS = 1000  # from one kind's to the next
HALF_TILE_MM = 12.0  # half a tile: a told tile is the piece whose middle lies so near
ALL_KINDS = "all kinds"

_WORLD = WantedHands(1, real=True, looks=WorldLooks.WORLD)
_HELD_OUT = replace(_WORLD, looks=WorldLooks.HELD_OUT)
# How the hands of each kind are played. A set that was learnt meets the evenings of one that was
# not: what learning is worth.
PLAYED_KINDS = {
    "usual": replace(_WORLD, looks=WorldLooks.USUAL),
    "world": _WORLD,
    "held-out": _HELD_OUT,
    "held-out-learnt": _HELD_OUT,
    "askew": _WORLD,
    "harsh-rows": replace(_WORLD, noise="harsh"),
    "harsh-heap": replace(_WORLD, noise="harsh"),
    "clumsy": replace(_WORLD, noise="clumsy"),
    "invented": _WORLD,
    "4k": _WORLD,
    "stream": _WORLD,
}
HEAP_KIND, LEARNT_KIND = "harsh-heap", "held-out-learnt"
ASKEW_DEG = range(20, 36)
FITS: dict[str, Callable[[int], bool]] = {  # not every seed is of these kinds
    "4k": lambda seed: _WORLD.lens(seed).size_wh == (3840, 2160),
    "stream": lambda seed: look_from(_WORLD.looks, seed).optics.stream_mbit > 0,
}


@dataclass(frozen=True, slots=True)
class ToldPiece:
    """The truth of a told piece, by the last clear look at it; None: no face lies there."""

    tile: Tile
    confidence: float
    true: Tile | None

    @property
    def is_so(self) -> bool:
        """Whether it is what was told."""
        return self.tile is self.true


_MOMENT_ROWS: dict[str, type] = {kind.__name__: kind for kind in (Looked, Heard, Said, Happened)}


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """One hand."""

    kind: str  # of table, as in `PLAYED_KINDS`
    rules: str
    seed: int
    moments: tuple[Moment, ...]  # in the order in which they came
    log: tuple[Entry, ...]  # what the program that saw it live wrote down
    told: tuple[ToldPiece, ...] = ()  # the pieces that were told with a face
    made: tuple[str, ...] = ()  # the program, networks and tile set that it was recorded with

    @property
    def truth(self) -> tuple[Event, ...]:
        """The true events, in their order."""
        happened = (each for each in self.moments if isinstance(each, Happened))
        return tuple(event for each in happened for event in each.events)


def save_hand(hand: RecordedHand, path: Path) -> None:
    """Write a hand; the file is there when all of it is."""
    head = {"version": HAND_FORMAT, "kind": hand.kind, "rules": hand.rules, "seed": hand.seed,
            "made": hand.made, "log": [entry_to_json(entry) for entry in hand.log],
            "told": [to_row(piece) for piece in hand.told]}  # fmt: skip
    unfinished = path.with_suffix(".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(unfinished, "wt", encoding="utf-8", compresslevel=6) as file:
        file.writelines(f"{json.dumps(row)}\n" for row in (head, *map(to_row, hand.moments)))
    unfinished.replace(path)


def load_hand(path: Path) -> RecordedHand:
    """Read a hand; `BenchError` where there is none, it is damaged, or of another version."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            head, *rows = map(json.loads, file.read(MOST_BYTES).splitlines())
        if head["version"] != HAND_FORMAT:
            raise BenchError(f"{path} has version {head['version']!r}, expected {HAND_FORMAT}")
        return RecordedHand(
            head["kind"], head["rules"], head["seed"],
            tuple(from_row(_MOMENT_ROWS[row["type"]], row) for row in rows),
            tuple(map(entry_from_json, head["log"])),
            tuple(from_row(ToldPiece, row) for row in head["told"]),
            tuple(head["made"]),
        )  # fmt: skip
    except FileNotFoundError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror}") from error
    except DAMAGED_FILE as error:
        raise BenchError(f"the recorded hand {path} is damaged: {error}") from error


def run(options: argparse.Namespace) -> int:
    """Record, follow again or calibrate; 1 where a hand failed, or is wrong without a question."""
    folder, kinds = options.folder, options.kind or list(PLAYED_KINDS)
    for kind in kinds:
        if kind not in PLAYED_KINDS:
            raise BenchError(f"there is no kind {kind!r}; there are {', '.join(PLAYED_KINDS)}")
    if folder is None:
        raise BenchError("where are the recorded hands? give a folder by --folder")
    if options.mode == "record":
        return _record(options, kinds)
    if not folder.is_dir():
        raise BenchError(f"there is no folder {str(folder)!r} of recorded hands")
    every = (_file(folder, kind, n) for kind in kinds for n in range(options.hands or SEEDS))
    found = [path for path in every if path.exists()]
    if not found:
        raise BenchError(f"{folder} has no such recorded hand")
    return _calibrate(found) if options.mode == "calibrate" else _replay(options, found)


def wanted_hand(
    kind: str, number: int, first: int, folders: Mapping[str, Path | None]
) -> WantedHands:
    """How the hand of that number, from 0, is played, with seeds from `first` on.

    `folders` has tile sets that are not in this program, by the option that names them;
    `BenchError` where one lacks.
    """
    place = first + SEEDS * list(PLAYED_KINDS).index("held-out" if kind == LEARNT_KIND else kind)
    seeds = (seed for seed in count(place) if kind not in FITS or FITS[kind](seed))
    seed = next(islice(seeds, number, None))
    option = {"held-out": "faces", LEARNT_KIND: "faces", "invented": "invented"}.get(kind, "")
    faces = folders.get(option)
    if option and faces is None:
        raise BenchError(f"the kind {kind!r} needs tile sets: give their folder by --{option}")
    tilt = float(ASKEW_DEG[seed * 7 % len(ASKEW_DEG)]) if kind == "askew" else None
    return replace(PLAYED_KINDS[kind], seed=seed, faces=faces, tilt_deg=tilt)


def _record(options: argparse.Namespace, kinds: Sequence[str]) -> int:
    """What has no file yet, one of each kind in turn."""
    for kind in kinds:  # what is not there is told before anything is played
        wanted_hand(kind, 0, options.seed, vars(options))
    numbers = range(HANDS_OF_A_KIND if options.hands is None else options.hands)
    every = [(kind, number) for number in numbers for kind in kinds]
    missing = [each for each in every if not _file(options.folder, *each).exists()]
    failed = 0
    # An executor that is given all its work at once waits for ever where its first process ends.
    with get_context("spawn").Pool(1, maxtasksperchild=HANDS_EACH) as pool:
        problems = pool.imap(partial(keep_hand, options), missing)
        for (kind, number), problem in zip(missing, problems, strict=True):
            failed += bool(problem)
            print(f"{kind} {number}: {problem or 'kept'}", flush=True)
    return int(failed > 0)


def _file(folder: Path, kind: str, number: int) -> Path:
    return folder / f"{kind}-{number:03d}.hand.gz"


def keep_hand(options: argparse.Namespace, which: tuple[str, int]) -> str:
    """Play a hand and write its file: why that failed; nothing where it did not."""
    kind, number = which
    try:
        rules = rule_sets()[number % len(rule_sets())]
        hand = _seen_hand(kind, wanted_hand(kind, number, options.seed, vars(options)), rules)
        save_hand(hand, _file(options.folder, kind, number))
    except Exception as error:  # neither rule sets nor all errors can be sent to another process
        return f"{type(error).__name__}: {error}"
    return ""


class NotingEyes:
    """Real eyes of which is noted down which piece each told tile is."""

    def __init__(self, eyes: RealEyes, size_wh: tuple[int, int]) -> None:
        self._eyes, self.tile_set = eyes, eyes.tile_set
        self._size_wh, self.attend, self._scene = size_wh, eyes.attend, Scene()
        self._told: dict[int, ToldPiece] = {}
        self._latest: dict[int, ToldPiece] = {}

    @property
    def told(self) -> tuple[ToldPiece, ...]:
        """Each piece, by the last look before the table changed again."""
        return tuple((self._told | self._latest).values())

    def look(self, moment: CameraMoment, t: float) -> Observation:
        """As `Eyes.look`."""
        if moment.scene.tiles != self._scene.tiles:
            self._told |= self._latest
            self._scene, self._latest = moment.scene, {}
        seen, where = self._eyes.look(moment, t), self._eyes.observer.calibration
        above = None if where is None else viewpoint(where, self._size_wh)
        if above is not None and moment.moved_mm == (0.0, 0.0):  # a bumped table lies elsewhere
            self._latest = told_pieces(seen, moment.scene, above)
        return seen


def told_pieces(seen: Observation, scene: Scene, above: Viewpoint) -> dict[int, ToldPiece]:
    """By id, the pieces that are told with a face, clearly and now."""
    lying = []
    for piece in scene.tiles:
        if piece.shows is not None and piece.shows.is_face:
            # Its middle is seen between where it stands and where its top seems to lie.
            foot, top = (
                complex(*above.seen_at(piece.x_mm, piece.y_mm, mm)) for mm in (0, piece.size_mm[2])
            )
            lying.append((foot, top - foot, piece.shows))
    told = {}
    for tile in seen.tiles:
        is_sure = tile.pictures >= SURE_PICTURES and tile.is_clear and tile.age_s == 0
        if tile.tile.is_face and tile.id and is_sure:
            seen_at = complex(tile.x_mm, tile.y_mm)
            off = sorted((_off(seen_at - foot, up), face) for foot, up, face in lying)
            near = [face for mm, face in off if mm < HALF_TILE_MM]
            # Of two that lie so near, as in a heap, it may be either.
            true = tile.tile if tile.tile in near else next(iter(near), None)
            told[tile.id] = ToldPiece(tile.tile, tile.confidence, true)
    return told


def _off(place: complex, up: complex) -> float:
    """How far a place is from the line between 0 and another."""
    share = (place * up.conjugate()).real / max(abs(up) ** 2, 1e-9)
    return abs(place - min(max(share, 0.0), 1.0) * up)


def _seen_hand(kind: str, wanted: WantedHands, rules: RuleSet) -> RecordedHand:
    """A hand as real eyes see it."""
    cv2.setNumThreads(1)
    seed, own = wanted.seed, ""
    eyes = wanted.real_eyes(rules, seed, open_reader(threads=1))
    if kind == LEARNT_KIND:
        own = eyes.tile_set
        eyes = wanted.real_eyes(rules, seed, open_reader(threads=1, own_set=find_set(own)))
    noting = NotingEyes(eyes, wanted.lens(seed).size_wh)
    weights = (f"{name} {value}" for name, value in current_weights(own).items())
    made = (program_version(), eyes.tile_set, *weights)
    return replace(noted_hand(kind, wanted, rules, noting), told=noting.told, made=made)


def noted_hand(kind: str, wanted: WantedHands, rules: RuleSet, eyes: StandInEyes) -> RecordedHand:
    """Play the first hand of an evening, and note down what comes to the program."""
    seed, notes, harsh = wanted.seed, list[Moment](), wanted.noise == "harsh"
    heap = kind == HEAP_KIND
    table = EveningTable(rules, eyes, seed=seed, harsh=harsh, heap=heap, notes=notes)
    list(wanted.play(table, seed, 1))
    return RecordedHand(kind, rules.id, seed, tuple(notes), tuple(table.record.entries))


def follow_again(hand: RecordedHand) -> tuple[HandFigures, Record]:
    """Let everything come to a new session again, on a clock of its own."""
    table = Followed(find_rules(hand.rules), heap=hand.kind == HEAP_KIND)
    for moment in hand.moments:
        table.clock.t = moment.t
        table.take(moment)
    return compare(hand.rules, hand.seed, 1, hand.truth, table.record, 0), table.record


def _replay(options: argparse.Namespace, paths: Sequence[Path]) -> int:
    rows: dict[str, LiveTally] = {}
    for path in paths:
        hand = load_hand(path)
        figures, _ = follow_again(hand)
        for name in (hand.kind, ALL_KINDS):
            rows.setdefault(name, LiveTally(name, eyes="recorded")).add(figures)
        if not (options.json or figures.is_right):
            report({"file": str(path)} | figures.to_json(), as_json=False)
    for row in rows.values():
        report(row.to_json(), as_json=options.json)
    return int(bool(rows[ALL_KINDS].silent))


def _calibrate(paths: Sequence[Path]) -> int:
    """Measure each half of the hands by a fit on the other, and keep the fit on all."""
    hands = [load_hand(path).told for path in paths]
    if len(hands) < 2:
        raise BenchError("a fit on a hand is measured on another one: two are needed")
    pieces = [piece for hand in hands for piece in hand]
    fitted = sum(
        1 - fit(hands[1 - half :: 2]).chance(piece.confidence)
        for half in (0, 1)
        for hand in hands[half::2]
        for piece in hand
    )
    told = {"pieces": len(pieces), "wrong": sum(not piece.is_so for piece in pieces),
            "told": sum(1 - piece.confidence for piece in pieces), "fitted": fitted}  # fmt: skip
    found = fit(hands)
    report(told | {"kept": asdict(found)}, as_json=True)
    SCALE_FILE.write_text(json.dumps(asdict(found)) + "\n", encoding="utf-8")
    return 0


def fit(hands: Sequence[Sequence[ToldPiece]]) -> ToldScale:
    """The share that is right, which never falls where the reader was surer.

    Neighbours that would fall are one block (pool adjacent violators); each block has one wrong
    and one right piece more than were counted, so nothing is ever certain.
    """
    said: dict[float, list[bool]] = {}
    for piece in (piece for hand in hands for piece in hand):
        said.setdefault(round(piece.confidence, 5), []).append(piece.is_so)
    blocks: list[tuple[float, int, int]] = []  # least confidence, right, pieces
    for least in sorted(said):
        right, pieces = sum(said[least]), len(said[least])
        while blocks and blocks[-1][1] * pieces >= right * blocks[-1][2]:
            least, more, others = blocks.pop()
            right, pieces = right + more, pieces + others
        blocks.append((least, right, pieces))
    shares = [round((right + 1) / (pieces + 2), 6) for _, right, pieces in blocks]
    rising = tuple(max(shares[: at + 1]) for at in range(len(shares)))
    # Of pairs with one true face, one told wrongly: how often both are told alike.
    pairs = [
        one.tile is other.tile
        for hand in hands
        for one, other in combinations(hand, 2)
        if one.true is other.true is not None and not (one.is_so and other.is_so)
    ]
    stuck = round((sum(pairs) + 1) / (len(pairs) + 2), 3)
    from_sure = tuple(least for least, _, _ in blocks)
    return ToldScale(from_sure, rising, stuck, sum(map(len, said.values())))
