"""`python -m bench hands`: bots play whole hands, each event of them is checked."""

import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from table_assist.rules.registry import find_rules
from table_assist.twin.play.many import HandsTally, play_many

# Hands that one process plays in one go.
_CHUNK = 100


@dataclass(frozen=True, slots=True)
class BotHands:
    """The bots' hands of one rule set.

    Attributes:
        seconds: of all processes together.
    """

    rules: str
    tally: HandsTally
    seconds: float

    @property
    def line(self) -> str:
        """The figures in one line."""
        hands, events = self.tally.hands, self.tally.events
        won = {count: number for count, number in sorted(self.tally.winners.items()) if count}
        ends = ", ".join(f"{number} with {count} winner(s)" for count, number in won.items())
        drawn = self.tally.winners[0]
        return (
            f"{self.rules}: {hands} hands, {events.total()} events, {drawn} drawn, "
            f"{ends or 'none won'}; {1000 * self.seconds / hands:.1f} ms a hand"
        )


def bench_hands(rules: Iterable[str], hands: int, seed: str, processes: int) -> Iterator[BotHands]:
    """Play so many hands of each rule set; the first thing that does not hold ends it.

    The processes begin empty: a copy of one in which threads or a network run may stand still.

    Raises:
        BrokenError: with the seed of the hand.
        ValueError: there is no such rule set.
    """
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for id in rules:
            find_rules(id)
            chunks = [
                (id, min(_CHUNK, hands - first), f"{seed}-{first}")
                for first in range(0, hands, _CHUNK)
            ]
            tally, seconds = HandsTally(), 0.0
            for part, took in pool.map(_play_chunk, chunks):
                tally.add(part)
                seconds += took
            yield BotHands(id, tally, seconds)


def _play_chunk(chunk: tuple[str, int, str]) -> tuple[HandsTally, float]:
    id, hands, seed = chunk
    started = time.process_time()
    tally = play_many(find_rules(id), hands, seed)
    return tally, time.process_time() - started


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
