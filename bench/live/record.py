"""``python -m bench live record``: a corpus of hands as real eyes had them, in files.

One hand of each kind in turn: wherever it is stopped, there are as many of each. What has a file is
not played again.
"""

import argparse
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from bench.live.corpus import (
    Corpus,
    CorpusError,
    CorpusHand,
    CorpusKind,
    Folders,
    kinds_named,
)
from bench.live.sighted import record_hand
from table_assist.capture.sightings.file import ENDING, save_hand
from table_assist.twin.stream import codec
from table_assist.vision.reading.read import open_reader

# Hands a process plays before another one takes over: what they leave in memory goes with it.
HANDS_EACH = 8
MOST_FAILED = 3  # in a row: then something is wrong with all of them
NICE = 19


def run(options: argparse.Namespace) -> int:
    """Record what is missing of a corpus; returns the exit code: 1 where a hand could not be."""
    if options.folder is None:
        raise CorpusError(
            "where are the hands to be kept? give a folder by --folder",
            "牌局要保存在哪里？请用 --folder 指定文件夹",
        )
    corpus = Corpus(options.corpus)
    kinds = kinds_named(options.kind)
    folders = Folders(options.faces, options.invented)
    hands = corpus.hands if options.hands is None else options.hands
    for kind in kinds:
        check(kind.hand(corpus, 0), folders)
    if hasattr(os, "nice"):  # Windows has none
        os.nice(max(0, NICE - os.nice(0)))
    missing = missing_hands(corpus, kinds, hands, options.folder)
    player = _Player(folders, options.folder)
    failed = 0
    try:
        for hand, problem in recorded(missing, player.keep):
            failed += bool(problem)
            what = problem or "kept"
            print(f"{hand.name}, seed {hand.seed}, {hand.rules.id}: {what}", flush=True)
    finally:
        player.close()
    return 1 if failed else 0


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


def check(hand: CorpusHand, folders: Folders) -> None:
    """Refuse what such hands need and is not there, before any is played.

    Raises:
        SaidError: it is missing; the message says what.
        FacesError: there is no such tile set.
    """
    hand.faces(folders)
    hand.own_set(folders)
    if hand.wanted(folders).has_streams:
        codec()


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
    missing: Iterable[CorpusHand], keep: Callable[[CorpusHand], str], most_failed: int = MOST_FAILED
) -> Iterator[tuple[CorpusHand, str]]:
    """Each hand, and why it could not be recorded; nothing where it was.

    Args:
        keep: records one, as `keep_hand`.
        most_failed: after so many failures in a row no other hand is tried.
    """
    failed = 0
    for hand in missing:
        problem = keep(hand)
        failed = failed + 1 if problem else 0
        yield hand, problem
        if failed == most_failed:
            return


class _Player:
    """A process that plays hands; another one after some of them, or where it was killed."""

    def __init__(self, folders: Folders, folder: Path) -> None:
        self._folders, self._folder = folders, folder
        self._pool = _pool()

    def keep(self, hand: CorpusHand) -> str:
        """As `keep_hand`."""
        at = hand.corpus, hand.kind, hand.number, self._folders, self._folder
        try:
            return self._pool.submit(keep_hand, *at).result()
        except BrokenProcessPool as error:  # it was killed, as where memory runs out
            self._pool = _pool()
            return str(error)

    def close(self) -> None:
        """No other hand."""
        self._pool.shutdown(cancel_futures=True)


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=HANDS_EACH)
