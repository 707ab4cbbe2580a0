"""Evenings followed by the program, hand by hand beside the truth."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bench.live.clumsy import Clumsiness, clumsily
from bench.live.eyes import StandInEyes
from bench.live.wire import SimulatedWire
from firmware_bridge.receiver import Reading
from table_assist.contract.commands import Command
from table_assist.game.events import Event
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import BoardSignal, board_signal
from table_assist.session.session import Session
from table_assist.twin.demo.headless import HandFigures, compare
from table_assist.twin.disturb import CameraMoment, Disturber, Hardness
from table_assist.twin.evening import play_evening
from table_assist.twin.fit import Fit
from table_assist.twin.river import RiverStyle
from table_assist.twin.steps import TableStep, tapped
from table_assist.twin.table import Manners

NAMES = ("Seat 1", "Seat 2", "Seat 3", "Seat 4")
PEOPLE = "the people at the table"
# A hand that went wrong is put right before the next one: so each stands for itself.
HANDS = 4
HARD_LINE = 0.15


@dataclass(slots=True)
class Clock:
    """The simulated time of day."""

    t: float = 0.0

    def __call__(self) -> float:
        """Seconds since the evening began."""
        return self.t


class Listener:
    """Is told what reaches the program beside pictures, and the truth before it happens."""

    def happens(self, t: float, step: TableStep) -> None:
        """A step begins."""

    def said(self, t: float, command: Command, by: str) -> None:
        """A person gives a command."""

    def heard(self, t: float, signal: BoardSignal) -> None:
        """The board says something."""


class EveningTable:
    """The program's side of one simulated table, without threads and on simulated time.

    Args:
        listener: is told what comes to the session, before it comes.

    Attributes:
        heap: discards are thrown into the middle.
    """

    def __init__(
        self,
        rules: RuleSet,
        eyes: StandInEyes,
        *,
        seed: int,
        hardness: Hardness | None = None,
        line_faults: float = 0.0,
        heap: bool = False,
        store: Store | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.clock = Clock()
        self._rules = rules
        self._eyes = eyes
        self.heap = heap
        self._listener = listener or Listener()
        self._disturber = Disturber(seed, hardness)
        self.record = Record(store, self.clock)
        self.session = self._session()
        self.wire = SimulatedWire(seed, self.clock, self._hear, faults=line_faults)

    def follow(self, step: TableStep) -> None:
        """Let one step happen, and watch it."""
        self._listener.happens(self.clock.t, step)
        for command in step.commands:
            said = tapped(command, self.record.state)
            if said is not None:
                self._listener.said(self.clock.t, said, PEOPLE)
                self.session.put_command(said, PEOPLE)
                self.session.drain()
        for signal in step.signals:
            self.wire.happen(signal)
        self.watch(self._disturber.moments(step))

    def watch(self, moments: Iterable[CameraMoment], taps: Sequence[Command] = ()) -> None:
        """Let the camera meet these moments, after people have tapped this."""
        for command in taps:
            self.session.put_command(command, PEOPLE)
            self.session.drain()
        for moment in moments:
            self.clock.t += moment.seconds
            self.wire.serve()
            # The very same picture again is none: the camera leaves it out.
            if moment.arrives and not moment.is_frozen:
                self._eyes.attend(self.session.attention)
                self.session.process(self._eyes.look(moment, self.clock.t))

    def put_right(self, truth: Sequence[Event]) -> None:
        """As people would have: the record is what really happened so far."""
        self.session.drain()
        self.record = Record(None, self.clock)
        for event in truth:
            self.record.append(event, Source.PERSON)
        self.session = self._session()

    def _session(self) -> Session:
        return Session(
            plain_profile(self._rules), NAMES, self.record, now=self.clock, heap=self.heap
        )

    def _hear(self, reading: Reading) -> None:
        signal = board_signal(reading, self.wire.acknowledge)
        if signal is not None:
            self._listener.heard(self.clock.t, signal)
            self.session.process(signal)


def follow_evening(
    rules: RuleSet,
    table: EveningTable,
    *,
    seed: int,
    hands: int,
    clumsiness: Clumsiness | None = None,
    tile_scale: float = 1.0,
) -> Iterator[HandFigures]:
    """Play, watch and compare, hand by hand; after a game the next one begins with nothing.

    Args:
        clumsiness: how clumsy the people are; None: not at all.
        tile_scale: times as large as usual their tiles are.
    """
    truth: list[Event] = []  # of the game
    begun, first, hand, game = 0, 0, 1, 1
    river = RiverStyle.HEAP if table.heap else RiverStyle.ROWS
    manners = Manners(river=river, tile_scale=tile_scale)
    steps = play_evening(seed, rules, hands=hands, manners=manners)
    if clumsiness is not None:
        steps = clumsily(steps, clumsiness, seed, Fit(tile_scale))
    for step in steps:
        if step.hand != hand:
            yield compare(rules.id, seed, hand, truth[begun:], table.record, first)
            if step.game != game:
                truth, game = [], step.game
                table.put_right(truth)
            elif not _stands_right(table.record.state, replay(truth)):
                table.put_right(truth)
            begun, first, hand = len(truth), len(table.record.entries), step.hand
        table.follow(step)
        truth += step.events
    yield compare(rules.id, seed, hand, truth[begun:], table.record, first)


def _stands_right(state: TableState, so: TableState) -> bool:
    """Whether the next hand can begin as it should: a wrong one must not make the next wrong."""
    return (state.scores, state.phase, state.hand, state.dealer_next) == (
        so.scores,
        so.phase,
        so.hand,
        so.dealer_next,
    )
