"""``table-assist bench live record``: a corpus of hands as real eyes had them, in files.

One hand of each kind in turn: wherever it is stopped, there are as many of each. What has a file is
not played again.
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from table_assist.bench.live.corpus import (
    Corpus,
    CorpusError,
    Folders,
    Hand,
    Kind,
    kinds_named,
)
from table_assist.bench.live.sighted import record_hand
from table_assist.capture.sightings.file import ENDING, save_hand
from table_assist.twin.stream import codec
from table_assist.vision.reading.read import open_reader

# Hands a process plays before another one takes over: what they leave in memory goes with it.
HANDS_EACH = 8
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
    os.nice(max(0, NICE - os.nice(0)))
    missing = missing_hands(corpus, kinds, hands, options.folder)
    failed = 0
    for hand, problem in _recorded(missing, folders, options.folder):
        failed += bool(problem)
        print(f"{hand.name}, seed {hand.seed}, {hand.rules.id}: {problem or 'kept'}", flush=True)
    return 1 if failed else 0


def missing_hands(
    corpus: Corpus, kinds: Sequence[Kind], hands: int, folder: Path
) -> Iterator[Hand]:
    """Those without a file, one of each kind in turn."""
    for number in range(hands):
        for kind in kinds:
            hand = kind.hand(corpus, number)
            if not path_of(hand, folder).exists():
                yield hand


def path_of(hand: Hand, folder: Path) -> Path:
    """Where a hand is kept."""
    return folder / f"{hand.name}{ENDING}"


def check(hand: Hand, folders: Folders) -> None:
    """Refuse what such hands need and is not there, before any is played.

    Raises:
        SaidError: it is missing; the message says what.
        FacesError: there is no such tile set.
    """
    hand.faces(folders)
    hand.own_set(folders)
    if hand.wanted(folders).has_streams:
        codec()


def keep_hand(corpus: Corpus, kind: Kind, number: int, folders: Folders, folder: Path) -> None:
    """Play a hand and write its file. In a process of its own: rule sets cannot be sent there."""
    hand = kind.hand(corpus, number)
    reader = open_reader(threads=1, own_set=hand.own_set(folders))
    save_hand(record_hand(hand, folders, reader), path_of(hand, folder))


def _recorded(
    missing: Iterator[Hand], folders: Folders, folder: Path
) -> Iterator[tuple[Hand, str]]:
    """Each hand, and why it could not be recorded; nothing where it was."""
    pool = _pool()
    try:
        for hand in missing:
            problem = ""
            try:
                pool.submit(
                    keep_hand, hand.corpus, hand.kind, hand.number, folders, folder
                ).result()
            except BrokenProcessPool as error:  # it was killed, as where memory runs out
                problem = str(error)
                pool = _pool()
            except OSError:
                raise
            except Exception as error:
                problem = f"{type(error).__name__}: {error}"
            yield hand, problem
    finally:
        pool.shutdown(cancel_futures=True)


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=HANDS_EACH)
