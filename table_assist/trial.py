"""Simulated evenings read by the whole program, as fast as it can, beside the truth.

The camera's pictures are rendered and read, the board's lines go over a real pseudo-terminal; only
the clock is simulated. The truth never reaches the program: it is compared afterwards.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from firmware_bridge.events import EventContent
from firmware_bridge.link import Item, Link, LinkTiming
from firmware_bridge.messages import Hello
from firmware_bridge.receiver import Reading
from firmware_bridge.simulator import VirtualBoard
from table_assist.game.events import (
    Answered,
    Asked,
    BoardSaid,
    Event,
    HandStarted,
    Settled,
    Transfers,
    WallBuilt,
    WallExhausted,
)
from table_assist.game.record import Record
from table_assist.game.state import NO_TRANSFERS
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session import Session
from table_assist.signals import board_signal
from table_assist.twin.evening import play_evening
from table_assist.twin.render import Renderer
from table_assist.vision.watcher import Watcher

# A camera that is read three times a second sees a step of a second so often.
PICTURES_PER_STEP = 3
NAMES = ("Seat 1", "Seat 2", "Seat 3", "Seat 4")
SIGNAL_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class HandResult:
    """One hand: what was so, and what the program made of it.

    Attributes:
        ledger_transfers: what the record moved; None when it did not settle the hand.
        events_right: true events that the record has, in their order.
        questions: how often the people were asked something.
        silent_error: the ledger differs from the truth and nothing was asked.
    """

    hand: int
    rules: str
    true_transfers: Transfers
    ledger_transfers: Transfers | None
    events_true: int
    events_right: int
    questions: int
    silent_error: bool

    def to_json(self) -> dict[str, object]:
        """The fields by name."""
        return asdict(self)


def run_trial(
    rules: RuleSet, watcher: Watcher, renderer: Renderer, *, seed: int, hands: int
) -> Iterator[HandResult]:
    """Play, watch and compare, hand by hand.

    Raises:
        TimeoutError: a signal of the virtual board did not arrive.
    """
    clock = _Clock()
    record = Record(None, clock)
    session = Session(plain_profile(rules), NAMES, record, now=clock)
    with VirtualBoard(seed=seed) as board, _Wire(board, session) as wire:
        truth: list[Event] = []
        first = 0
        for step in play_evening(seed, rules, hands=hands):
            if any(isinstance(event, WallBuilt) for event in step.events) and truth:
                yield _compare(rules.id, truth, record, first)
                truth, first = [], len(record.entries)
            for signal in step.signals:
                wire.send(signal)
            for _ in range(PICTURES_PER_STEP):
                clock.t += step.seconds / PICTURES_PER_STEP
                session.process(watcher.look(renderer.picture(step.scene), clock.t))
            truth += step.events
        yield _compare(rules.id, truth, record, first)


class _Clock:
    """The simulated time of day."""

    def __init__(self) -> None:
        self.t = 0.0

    def __call__(self) -> float:
        return self.t


class _Wire:
    """The serial line between the virtual board and the session; waits for each signal."""

    def __init__(self, board: VirtualBoard, session: Session) -> None:
        self._board = board
        self._session = session
        self._sent = self._arrived = 0
        self._link = Link(board.port, self._deliver, timing=LinkTiming(poll_s=0.002))

    def __enter__(self) -> "_Wire":
        self._link.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._link.stop()

    def send(self, content: EventContent) -> None:
        """Let it happen at the board and return when the session has recorded it.

        Raises:
            TimeoutError: it did not arrive.
        """
        self._sent += 1
        self._board.happen(content)
        until = time.monotonic() + SIGNAL_TIMEOUT_S
        while self._arrived < self._sent:
            if time.monotonic() > until:
                raise TimeoutError(f"the board's {content} did not arrive: {self._link.health}")
            time.sleep(0.001)
        self._session.drain()

    def _deliver(self, item: Item) -> None:
        if not isinstance(item, Reading):
            return
        signal = board_signal(item, self._link.acknowledge)
        if signal is not None:
            self._session.put(signal)
            self._arrived += not isinstance(signal.content, Hello)  # nobody sent a greeting


def _compare(rules: str, truth: Sequence[Event], record: Record, first: int) -> HandResult:
    """The hand's truth beside the entries that the record gained in the meantime."""
    gained = [event for seq, event in record.counting if seq > first]
    got = [event for event in gained if not isinstance(event, Asked | Answered | BoardSaid)]
    asked = sum(isinstance(event, Asked) for event in gained)
    true = next((e.transfers for e in truth if isinstance(e, Settled)), NO_TRANSFERS)
    ledger = next((e.transfers for e in reversed(got) if isinstance(e, Settled)), None)
    if ledger is None and any(_key(e) == _key(truth[-1]) for e in got):
        ledger = NO_TRANSFERS
    hand = next((e.hand for e in truth if isinstance(e, HandStarted)), 0)
    return HandResult(
        hand=hand,
        rules=rules,
        true_transfers=true,
        ledger_transfers=ledger,
        events_true=len(truth),
        events_right=_common([_key(e) for e in truth], [_key(e) for e in got]),
        questions=asked,
        silent_error=ledger != true and not asked,
    )


def _key(event: Event) -> object:
    """What two records of one event agree in: the words of a settlement may differ."""
    if isinstance(event, Settled):
        return ("settled", frozenset(event.winners), event.transfers)
    if isinstance(event, HandStarted):
        return ("started", event.dealer)
    if isinstance(event, WallExhausted):
        return ("exhausted", event.dealer_next, event.transfers)
    return event


def _common(true: Sequence[object], got: Sequence[object]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(got) + 1)
    for one in true:
        before = 0
        for index, other in enumerate(got, start=1):
            kept = row[index]
            row[index] = before + 1 if one == other else max(row[index], row[index - 1])
            before = kept
    return row[-1]
