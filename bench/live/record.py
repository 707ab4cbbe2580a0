"""``python -m bench live record``: a corpus of hands as real eyes had them, in files.

One hand of each kind in turn: wherever it is stopped, there are as many of each. What has a file is
not played again.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

import cv2

from bench import BenchError
from bench.live.corpus import Corpus, CorpusHand, CorpusKind, Folders, kinds_named
from bench.live.evening import Listener
from bench.live.eyes import RealEyes
from bench.live.moments import (
    ENDING,
    About,
    Happened,
    Heard,
    Lay,
    Looked,
    Lying,
    Moment,
    RecordedHand,
    Said,
    save_hand,
)
from table_assist.capture.manifest import current_weights, program_version
from table_assist.contract.commands import Command
from table_assist.session.from_board import BoardSignal
from table_assist.twin.moment import CameraMoment
from table_assist.twin.optics import codec
from table_assist.twin.scene import PlacedTile
from table_assist.twin.table import TableStep
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.table.attention import NOTHING_DECISIVE, Attention
from table_assist.vision.table.observation import Observation

# Hands a process plays before another one takes over: what they leave in memory goes with it.
HANDS_EACH = 8
MOST_FAILED = 3  # in a row: then something is wrong with all of them
NICE = 19


def run(options: argparse.Namespace) -> int:
    """Record what is missing of a corpus; returns the exit code: 1 where a hand could not be."""
    if options.folder is None:
        raise BenchError("where are the hands to be kept? give a folder by --folder")
    corpus, kinds = Corpus(options.corpus), kinds_named(options.kind)
    folders, folder = Folders(options.faces, options.invented), options.folder
    for kind in kinds:  # what such hands need and is not there is told before any is played
        first = kind.hand(corpus, 0)
        first.faces(folders)
        first.own_set(folders)
        if first.wanted(folders).has_streams:
            codec()
    if hasattr(os, "nice"):  # Windows has none
        os.nice(max(0, NICE - os.nice(0)))
    hands = corpus.hands if options.hands is None else options.hands
    failed, pool = 0, _pool()

    def keep(hand: CorpusHand) -> str:
        nonlocal pool
        at = hand.corpus, hand.kind, hand.number, folders, folder
        try:
            return pool.submit(keep_hand, *at).result()
        except BrokenProcessPool as error:  # it was killed, as where memory runs out
            pool = _pool()
            return str(error)

    try:
        for hand, problem in recorded(missing_hands(corpus, kinds, hands, folder), keep):
            failed += bool(problem)
            told = problem or "kept"
            print(f"{hand.name}, seed {hand.seed}, {hand.rules.id}: {told}", flush=True)
    finally:
        pool.shutdown(cancel_futures=True)
    return 1 if failed else 0


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=HANDS_EACH)


def missing_hands(
    corpus: Corpus, kinds: Sequence[CorpusKind], hands: int, folder: Path
) -> Iterator[CorpusHand]:
    """Those without a file, one of each kind in turn."""
    for number in range(hands):
        for kind in kinds:
            hand = kind.hand(corpus, number)
            if not path_of(hand, folder).exists():
                yield hand


def path_of(hand: CorpusHand, folder: Path) -> Path:
    """Where a hand is kept."""
    return folder / f"{hand.name}{ENDING}"


def keep_hand(corpus: Corpus, kind: CorpusKind, number: int, folders: Folders, folder: Path) -> str:
    """Play a hand and write its file: why that failed; nothing where it did not.

    In a process of its own; neither rule sets nor all errors can be sent there and back.
    """
    hand = kind.hand(corpus, number)
    try:
        reader = open_reader(threads=1, own_set=hand.own_set(folders))
        save_hand(record_hand(hand, folders, reader), path_of(hand, folder))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def recorded(
    missing: Iterable[CorpusHand], keep: Callable[[CorpusHand], str]
) -> Iterator[tuple[CorpusHand, str]]:
    """Each hand, and why it could not be recorded; nothing where it was.

    After `MOST_FAILED` failures in a row no other hand is tried.

    Args:
        keep: records one, as `keep_hand`.
    """
    failed = 0
    for hand in missing:
        problem = keep(hand)
        failed = failed + 1 if problem else 0
        yield hand, problem
        if failed == MOST_FAILED:
            return


# -- what the eyes had -----------------------------------------------------------------------------


@dataclass(slots=True)
class Notes(Listener):
    """Everything that comes to a session, in its order."""

    moments: list[Moment] = field(default_factory=list)

    def happens(self, t: float, step: TableStep) -> None:
        """The truth."""
        self.moments.append(Happened(t, step.events, step.text))

    def said(self, t: float, command: Command, by: str) -> None:
        """A person gives a command."""
        self.moments.append(Said(t, command, by))

    def heard(self, t: float, signal: BoardSignal) -> None:
        """The board says something."""
        self.moments.append(Heard(t, signal.content, signal.origin))


class NotingEyes:
    """Real eyes whose every look is noted down."""

    def __init__(self, eyes: RealEyes, notes: Notes) -> None:
        self._eyes, self._notes, self.tile_set = eyes, notes, eyes.tile_set
        self._attention: Attention = NOTHING_DECISIVE
        self._lies: tuple[PlacedTile, ...] | None = None

    def attend(self, attention: Attention) -> None:
        """As `Eyes.attend`."""
        self._attention = attention
        self._eyes.attend(attention)

    def look(self, moment: CameraMoment, t: float) -> Observation:
        """As `Eyes.look`."""
        if moment.scene.tiles != self._lies:
            self._lies = moment.scene.tiles
            lying = tuple(
                Lying(each.tile, each.x_mm, each.y_mm, each.turn_deg, each.pose.value, each.scale)
                for each in self._lies
            )
            self._notes.moments.append(Lay(t, lying))
        observation = self._eyes.look(moment, t)
        where = self._eyes.observer.calibration
        self._notes.moments.append(Looked(t, observation, self._attention, where, moment.moved_mm))
        return observation


def record_hand(hand: CorpusHand, folders: Folders, reader: Reader) -> RecordedHand:
    """Play a hand of a corpus, and note down what the program had of it.

    Args:
        reader: with the hand's own set, where it has one.
    """
    started = time.process_time()
    cv2.setNumThreads(1)
    wanted, heap, seed = hand.wanted(folders), hand.kind.heap, hand.seed
    lens = wanted.lens(seed)
    eyes = RealEyes(hand.rules, reader, lens, seed=seed, faces=wanted.faces, looks=wanted.looks)
    notes = Notes()
    noting = NotingEyes(eyes, notes)
    table = wanted.table(hand.rules, noting, seed, heap=heap, listener=notes)
    list(wanted.follow(table, hand.rules, seed, 1))
    own = hand.faces(folders) if hand.kind.is_learnt else ""
    about = About(
        corpus=hand.corpus,
        kind=hand.kind.name,
        rules=hand.rules.id,
        seed=seed,
        hand=1,
        heap=heap,
        faces=hand.faces(folders),
        own_set=own,
        size_wh=lens.size_wh,
        tilt_deg=lens.tilt_deg,
        program=program_version(),
        weights=tuple(f"{name} {value}" for name, value in current_weights(own).items()),
        seconds=round(time.process_time() - started, 1),
    )
    return RecordedHand(about, tuple(notes.moments), tuple(table.record.entries))
