"""Simulated evenings read by the whole program, as fast as it can, beside the truth.

The camera's pictures are rendered and read, the board's lines go over a real pseudo-terminal; only
the clock is simulated. The truth never reaches the program: it is compared afterwards.
"""

import time
from collections.abc import Iterator

from firmware_bridge.events import EventContent
from firmware_bridge.link import Link, LinkItem, LinkTiming
from firmware_bridge.messages import Hello
from firmware_bridge.receiver import Reading
from firmware_bridge.simulator import VirtualBoard
from table_assist.contract.commands import Command
from table_assist.game.events import Event
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import board_signal
from table_assist.session.session import Session
from table_assist.twin.demo.compare import HandFigures, compare
from table_assist.twin.evening import play_evening
from table_assist.twin.render import Renderer
from table_assist.twin.river import RiverStyle
from table_assist.twin.steps import tapped
from table_assist.twin.table import Manners
from table_assist.vision.table.watcher import Watcher

# A camera that is read three times a second sees a step of a second so often.
PICTURES_PER_STEP = 3
NAMES = ("Seat 1", "Seat 2", "Seat 3", "Seat 4")
SIGNAL_TIMEOUT_S = 10.0
# The giver of the commands that the people at the table would give.
PEOPLE = "the people at the table"


def run_trial(
    rules: RuleSet,
    watcher: Watcher,
    renderer: Renderer,
    *,
    seed: int,
    hands: int,
    river: RiverStyle = RiverStyle.ROWS,
) -> Iterator[HandFigures]:
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
                yield compare(rules.id, seed, hand, truth, record, first)
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
                watcher.attend(wire.session.attention)
                wire.session.process(watcher.look(renderer.picture(step.scene), clock.t))
            truth += step.events
        yield compare(rules.id, seed, hand, truth, record, first)


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

    def _deliver(self, item: LinkItem) -> None:
        if not isinstance(item, Reading):
            return
        signal = board_signal(item, self._link.acknowledge)
        if signal is not None:
            self.session.put(signal)
            self._arrived += not isinstance(signal.content, Hello)  # nobody sent a greeting
