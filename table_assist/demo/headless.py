"""Simulated evenings read by the whole program, as fast as it can, beside the truth.

The camera's pictures are rendered and read, the board's lines go over a real pseudo-terminal; only
the clock is simulated. The truth never reaches the program: it is compared afterwards.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from firmware_bridge.events import EventContent
from firmware_bridge.link import Item, Link, LinkTiming
from firmware_bridge.messages import Hello
from firmware_bridge.receiver import Reading
from firmware_bridge.simulator import VirtualBoard
from table_assist.contract.commands import Command
from table_assist.game.events import (
    Answered,
    Asked,
    BoardSaid,
    BonusLaid,
    Claimed,
    EggLaid,
    Event,
    HandLaidDown,
    HandShown,
    HandStarted,
    IndicatorTurned,
    IrregularityNoted,
    Penalised,
    Settled,
    StartingHandShown,
    Transfers,
    WallExhausted,
    WinRefused,
)
from table_assist.game.state import NO_TRANSFERS
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import board_signal
from table_assist.session.session import Session
from table_assist.tiles import Tile
from table_assist.twin.evening import play_evening
from table_assist.twin.render import Renderer
from table_assist.twin.river import RiverStyle
from table_assist.twin.steps import tapped
from table_assist.twin.table import Manners
from table_assist.vision.table.observer import Watcher

# A camera that is read three times a second sees a step of a second so often.
PICTURES_PER_STEP = 3
NAMES = ("Seat 1", "Seat 2", "Seat 3", "Seat 4")
SIGNAL_TIMEOUT_S = 10.0
# Who gives the commands that the people at the table would.
PEOPLE = "the people at the table"


@dataclass(frozen=True, slots=True)
class HandResult:
    """One hand: what was so, and what the program made of it.

    Attributes:
        ledger_transfers: what the record moved; None when it did not settle the hand.
        events_right: true events that the record has, in their order.
        questions: how often the people were asked what they had not said already.
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
    rules: RuleSet,
    watcher: Watcher,
    renderer: Renderer,
    *,
    seed: int,
    hands: int,
    river: RiverStyle = RiverStyle.ROWS,
) -> Iterator[HandResult]:
    """Play, watch and compare, hand by hand.

    Args:
        river: where the players put their discards; the program is told so.

    Raises:
        TimeoutError: a signal of the virtual board did not arrive.
    """
    clock = _Clock()
    record = Record(None, clock)
    heap = river is RiverStyle.HEAP

    def open_session() -> Session:
        return Session(plain_profile(rules), NAMES, record, now=clock, heap=heap)

    with VirtualBoard(seed=seed) as board, _Wire(board, open_session()) as wire:
        truth: list[Event] = []
        first, hand, game = 0, 1, 1
        for step in play_evening(seed, rules, hands=hands, manners=Manners(river=river)):
            if step.hand != hand:
                yield _compare(rules.id, hand, truth, record, first)
                truth, first, hand = [], len(record.entries), step.hand
            if step.game != game:
                first, game, record = 0, step.game, Record(None, clock)
                wire.session = open_session()
            for command in step.commands:
                _tap(wire.session, command, record)
            for signal in step.signals:
                wire.send(signal)
            for _ in range(PICTURES_PER_STEP):
                clock.t += step.seconds / PICTURES_PER_STEP
                wire.session.process(watcher.look(renderer.picture(step.scene), clock.t))
            truth += step.events
        yield _compare(rules.id, hand, truth, record, first)


def _tap(session: Session, command: Command, record: Record) -> None:
    """A person taps on the page; what is not asked cannot be answered."""
    said = tapped(command, record.state)
    if said is not None:
        session.put_command(said, PEOPLE)
        session.drain()


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
        self.session = session
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
        self.session.drain()

    def _deliver(self, item: Item) -> None:
        if not isinstance(item, Reading):
            return
        signal = board_signal(item, self._link.acknowledge)
        if signal is not None:
            self.session.put(signal)
            self._arrived += not isinstance(signal.content, Hello)  # nobody sent a greeting


def _compare(
    rules: str, hand: int, truth: Sequence[Event], record: Record, first: int
) -> HandResult:
    """The hand's truth beside the entries that the record gained in the meantime."""
    gained = [event for seq, event in record.counting if seq > first]
    got = [event for event in gained if not isinstance(event, Asked | Answered | BoardSaid)]
    said = {event.question for event in gained if isinstance(event, Answered) and event.answer}
    asked = sum(isinstance(event, Asked) and event.question not in said for event in gained)
    truth = as_recorded(truth)
    true = _moved(truth) or NO_TRANSFERS
    ledger = _moved(got)
    return HandResult(
        hand=hand,
        rules=rules,
        true_transfers=true,
        ledger_transfers=ledger,
        events_true=len(truth),
        events_right=_common([key_of(e) for e in truth], [key_of(e) for e in got]),
        questions=asked,
        silent_error=ledger != true and not asked,
    )


def as_recorded(truth: Sequence[Event]) -> list[Event]:
    """The truth as a record keeps it: a tile that is revealed takes the place of the secret."""
    kept: list[Event] = []
    for event in truth:
        if isinstance(event, IndicatorTurned) and event.tile.is_face:
            secret = replace(event, tile=Tile.UNKNOWN)
            at = next((i for i in reversed(range(len(kept))) if kept[i] == secret), None)
            if at is not None:
                kept[at] = event
                continue
        kept.append(event)
    return kept


def _moved(events: Sequence[Event]) -> Transfers | None:
    """What the last end of a hand moved; None without one."""
    ends = [event for event in events if isinstance(event, Settled | WallExhausted)]
    return ends[-1].transfers if ends else None


def key_of(event: Event) -> object:  # noqa: C901 - one arm per event
    """What two records of one event agree in: words and the order of a hand's tiles may differ."""
    match event:
        case Settled(winners, transfers):
            return Settled, frozenset(winners), transfers
        case WallExhausted(dealer_next, transfers):
            return WallExhausted, dealer_next, transfers
        case HandStarted(_, _, dealer, wall_left):
            return HandStarted, dealer, wall_left
        case HandShown(seat, concealed, winning_tile, self_drawn, rush):
            return HandShown, seat, tuple(sorted(concealed)), winning_tile, self_drawn, rush
        case BonusLaid(seat, tiles) | StartingHandShown(seat, tiles) | EggLaid(seat, tiles):
            return type(event), seat, tuple(sorted(tiles))
        case HandLaidDown(seat, concealed):
            return HandLaidDown, seat, tuple(sorted(concealed))
        case Claimed(seat, kind, tiles, discarder):
            return Claimed, seat, kind, tuple(sorted(tiles)), discarder
        case WinRefused(seat):
            return WinRefused, seat
        case IrregularityNoted(seat, irregularity):
            return IrregularityNoted, seat, irregularity
        case Penalised(transfers):
            return Penalised, transfers
        case _:
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
