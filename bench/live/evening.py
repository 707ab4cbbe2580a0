"""Evenings followed by the program, hand by hand beside the truth."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from random import Random

from bench.board import Board, FaultyLine, LineFault
from bench.live.clumsy import Clumsiness, clumsily
from bench.live.compared import HandFigures, compare
from bench.live.disturb import Disturber, Hardness
from bench.live.eyes import StandInEyes
from firmware_bridge.events import EventContent
from firmware_bridge.frames import encode
from firmware_bridge.messages import Hello, StatusRequest, acknowledge_frame, order_frame
from firmware_bridge.receiver import EventsLost, Reading, Receiver
from table_assist.game.events import Event, Settled
from table_assist.game.fold import replay
from table_assist.record.commands import Command, Settle
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import BoardSignal, board_signal
from table_assist.session.session import WITHOUT_A_PERSON, Session
from table_assist.twin.evening import play_evening
from table_assist.twin.moment import CameraMoment
from table_assist.twin.river import Fit, RiverStyle
from table_assist.twin.table import Manners, TableStep, tapped
from table_assist.upkeep.demo import NAMES, PEOPLE
from table_assist.vision.table.observation import Observation

SERVE_STEP_S, LINES_A_STEP = 0.04, 8
HARD_LINE = 0.15


class SimulatedWire:
    """The virtual board and what listens to it, on simulated time: the bytes of a real port.

    What is delivered waits for `acknowledge`; around a share of signals the line does harm.
    """

    def __init__(
        self,
        seed: int,
        clock: Callable[[], float],
        deliver: Callable[[Reading], None],
        *,
        faults: float = 0.0,
    ) -> None:
        self._rng = Random(f"wire-{seed}")
        self._clock, self._deliver, self._faults = clock, deliver, faults
        self._served_t = clock()
        self.board = Board(seed, self._ms())
        self._line, self._orders = FaultyLine(seed), FaultyLine(seed + 1)
        self._receiver = Receiver()
        self.acknowledge = self._receiver.stored  # for a reading that is on disk
        self._unplugged_until, self._asked_at = 0.0, -1.0

    def happen(self, content: EventContent) -> None:
        """Something happens at the board."""
        if self._rng.random() < self._faults:
            fault = self._rng.choice(list(LineFault))
            self._line.harm(fault, self._rng.randint(1, 4))
            if self._rng.random() < 0.3:
                self._orders.harm(LineFault.DROP, 2)
            if self._rng.random() < 0.15:
                self._unplugged_until = self._clock() + self._rng.uniform(0.5, 3.0)
        self.board.happen(content, self._ms())

    def serve(self) -> None:
        """Bring over whatever the time since the last call had room for."""
        while self._served_t < self._clock():
            self._served_t = min(self._served_t + SERVE_STEP_S, self._clock())
            self._move()

    def _move(self) -> None:
        if self._served_t < self._unplugged_until:
            self._receiver.reopened()
            return
        for _ in range(LINES_A_STEP):
            line = self.board.step(self._ms())
            if line is None:
                break
            data = self._line.carry(line)
            for item in self._receiver.feed(data, now_s=self._served_t, received_s=self._served_t):
                if isinstance(item, Reading):
                    self._deliver(item)
        if self._receiver.wants_greeting and self._served_t - self._asked_at >= 0.5:
            self._asked_at = self._served_t
            self.board.receive(self._orders.carry(encode(order_frame(StatusRequest(), 1))))
        due = self._receiver.take_acknowledgement()
        if due is not None:
            self.board.receive(self._orders.carry(encode(acknowledge_frame(due))))

    def _ms(self) -> int:
        return int(self._served_t * 1000)


@dataclass(slots=True)
class Clock:
    """The simulated time of day."""

    t: float = 0.0

    def __call__(self) -> float:
        """Seconds since the evening began."""
        return self.t


@dataclass(frozen=True, slots=True)
class Looked:
    """A picture was looked at, and the session was told this."""

    t: float
    observation: Observation


@dataclass(frozen=True, slots=True)
class Heard:
    """The board said something."""

    t: float
    content: EventContent | EventsLost | Hello
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A person gave a command."""

    t: float
    command: Command
    by: str = PEOPLE


@dataclass(frozen=True, slots=True)
class Happened:
    """The truth, which the program is never told: what people do now."""

    t: float
    events: tuple[Event, ...] = ()


Moment = Looked | Heard | Said | Happened


class Followed:
    """The program's side of a table, without threads and on simulated time."""

    def __init__(self, rules: RuleSet, *, heap: bool = False) -> None:
        self.clock, self.rules, self.heap = Clock(), rules, heap
        self._begin(Record(None, self.clock))

    def take(self, moment: Moment) -> None:
        """What comes to the session; the truth does not."""
        match moment:
            case Looked(_, observation):
                self.session.process(observation)
            case Heard(_, content, origin):
                self.session.process(BoardSignal(content, origin))
            case Said(_, command, by):
                self.session.put_command(command, by)
                self.session.drain()

    def _begin(self, record: Record) -> None:
        self.record, profile = record, plain_profile(self.rules)
        self.session = Session(profile, NAMES, record, now=self.clock, heap=self.heap)


class EveningTable(Followed):
    """The same before a simulated table; harsh: pictures are disturbed, the board's line damages.

    What comes to the session is noted down in `notes`, before it comes; and the truth.
    """

    def __init__(
        self,
        rules: RuleSet,
        eyes: StandInEyes,
        *,
        seed: int,
        harsh: bool = False,
        heap: bool = False,
        notes: list[Moment] | None = None,
    ) -> None:
        super().__init__(rules, heap=heap)
        self._eyes, self._seed, self._notes = eyes, seed, notes
        self._disturber = Disturber(seed, Hardness() if harsh else None)
        self.wire = SimulatedWire(seed, self.clock, self._hear, faults=HARD_LINE * harsh)

    def take(self, moment: Moment) -> None:
        """It is noted down, too."""
        self._note(moment)
        super().take(moment)

    def follow(self, step: TableStep) -> None:
        """Let one step happen, and watch it."""
        self.take(Happened(self.clock.t, step.events))
        for command in step.commands:
            said = tapped(command, self.record.state)
            if said is not None:
                self.take(Said(self.clock.t, said))
        for signal in step.signals:
            self.wire.happen(signal)
        self.watch(self._disturber.moments(step))

    def watch(self, moments: Iterable[CameraMoment]) -> None:
        """Let the camera meet these moments."""
        for moment in moments:
            self.clock.t += moment.seconds
            self.wire.serve()
            # The very same picture again is none: the camera leaves it out.
            if moment.arrives and not moment.is_frozen:
                self._eyes.attend(self.session.attention)
                self.take(Looked(self.clock.t, self._eyes.look(moment, self.clock.t)))

    def play(
        self, hands: int, *, clumsiness: Clumsiness | None = None, tile_scale: float = 1.0
    ) -> Iterator[HandFigures]:
        """Play, watch and compare, hand by hand; after a game the next one begins with nothing.

        A hand that went wrong is put right before the next one: so each stands for itself.
        """
        truth: list[Event] = []  # of the game
        last, begun = 1, 0
        river = RiverStyle.HEAP if self.heap else RiverStyle.ROWS
        manners = Manners(river=river, tile_scale=tile_scale)
        steps = play_evening(self._seed, self.rules, hands=hands, manners=manners)
        if clumsiness is not None:
            steps = clumsily(steps, clumsiness, self._seed, Fit(tile_scale))
        for (game, hand), own in groupby(steps, lambda step: (step.game, step.hand)):
            if game != last:
                last, truth = game, []
                self._put_right(truth)
            elif not self._stands_right(truth):
                # People settle it by themselves: what was seen of it stays as it is.
                self.session.drain()
                for event in truth[begun:]:
                    if isinstance(event, Settled):
                        self.record.append(event, Source.PERSON)
                if not self._stands_right(truth):
                    self._put_right(truth)
            begun, first = len(truth), len(self.record.entries)
            for step in own:
                self.follow(step)
                truth += step.events
            self._go_on()
            yield compare(self.rules.id, self._seed, hand, truth[begun:], self.record, first)

    def _go_on(self) -> None:
        """Who goes on with the next hand accepts what is shown, though the page bids to look."""
        shown = self.session.snapshot
        waits = shown.sureness is not None and shown.sureness.probability < WITHOUT_A_PERSON
        if waits and not shown.state.questions:
            super().take(Said(self.clock.t, Settle()))

    def _stands_right(self, truth: Sequence[Event]) -> bool:
        """Whether the next hand can begin as it should."""
        states = self.record.state, replay(truth)
        here, there = ((x.scores, x.phase, x.hand, x.dealer_next) for x in states)
        return here == there

    def _put_right(self, truth: Sequence[Event]) -> None:
        """As people would have: the record is what really happened so far."""
        self.session.drain()
        record = Record(None, self.clock)
        for event in truth:
            record.append(event, Source.PERSON)
        self._begin(record)

    def _hear(self, reading: Reading) -> None:
        signal = board_signal(reading, self.wire.acknowledge)
        if signal is not None:
            self._note(Heard(self.clock.t, signal.content, signal.origin))
            self.session.process(signal)

    def _note(self, moment: Moment) -> None:
        if self._notes is not None:
            self._notes.append(moment)
