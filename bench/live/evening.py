"""Evenings followed by the program, hand by hand beside the truth."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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
from table_assist.game.state import TableState
from table_assist.record.commands import Command, Settle
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import board_signal
from table_assist.session.session import WITHOUT_A_PERSON, Session
from table_assist.twin.evening import play_evening
from table_assist.twin.moment import CameraMoment
from table_assist.twin.river import Fit, RiverStyle
from table_assist.twin.table import Manners, TableStep, tapped
from table_assist.vision.table.observation import Observation

# The serial line on simulated time: the virtual board's half and the host's half, and faults.
#
# The same bytes as over a real port, and nothing waits: what takes a quarter of a second at a table
# takes none here. Everything is drawn from the seed.

SERVE_STEP_S = 0.04
LINES_A_STEP = 8


class SimulatedWire:
    """A board and what listens to it.

    Args:
        clock: simulated seconds.
        deliver: takes each reading once; acknowledges with `acknowledge` when it is stored.
        faults: the share of signals around which the line does harm.
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
        self._clock = clock
        self._deliver = deliver
        self._faults = faults
        self._served_t = clock()
        self._board = Board(seed, self._ms())
        self._line, self._orders = FaultyLine(seed), FaultyLine(seed + 1)
        self._receiver = Receiver()
        self._unplugged_until = 0.0
        self._asked_at = -1.0

    def happen(self, content: EventContent) -> None:
        """Something happens at the board."""
        if self._rng.random() < self._faults:
            fault = self._rng.choice(list(LineFault))
            self._line.harm(fault, self._rng.randint(1, 4))
            if self._rng.random() < 0.3:
                self._orders.harm(LineFault.DROP, 2)
            if self._rng.random() < 0.15:
                self._unplugged_until = self._clock() + self._rng.uniform(0.5, 3.0)
        self._board.happen(content, self._ms())

    def serve(self) -> None:
        """Bring over whatever the time since the last call had room for."""
        while self._served_t < self._clock():
            self._served_t = min(self._served_t + SERVE_STEP_S, self._clock())
            self._move()

    def acknowledge(self, reading: Reading) -> None:
        """The reading is on disk."""
        self._receiver.stored(reading)

    @property
    def pending(self) -> int:
        """Events that the board keeps because nobody has acknowledged them."""
        return self._board.pending

    def _move(self) -> None:
        if self._served_t < self._unplugged_until:
            self._receiver.reopened()
            return
        for _ in range(LINES_A_STEP):
            line = self._board.step(self._ms())
            if line is None:
                break
            data = self._line.carry(line)
            for item in self._receiver.feed(data, now_s=self._served_t, received_s=self._served_t):
                if isinstance(item, Reading):
                    self._deliver(item)
        if self._receiver.wants_greeting and self._served_t - self._asked_at >= 0.5:
            self._asked_at = self._served_t
            self._board.receive(self._orders.carry(encode(order_frame(StatusRequest(), 1))))
        due = self._receiver.take_acknowledgement()
        if due is not None:
            self._board.receive(self._orders.carry(encode(acknowledge_frame(due))))

    def _ms(self) -> int:
        return int(self._served_t * 1000)


SEAT_NAMES = ("Seat 1", "Seat 2", "Seat 3", "Seat 4")
PEOPLE = "the people at the table"
# A hand that went wrong is put right before the next one: so each stands for itself.
HANDS_AN_EVENING = 4
HARD_LINE = 0.15


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
    by: str = ""


@dataclass(frozen=True, slots=True)
class Happened:
    """The truth, which the program is never told: what people do now."""

    t: float
    events: tuple[Event, ...] = ()


Moment = Looked | Heard | Said | Happened


class EveningTable:
    """The program's side of one simulated table, without threads and on simulated time.

    Args:
        notes: what comes to the session is noted down there, before it comes; and the truth.

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
        notes: list[Moment] | None = None,
    ) -> None:
        self.clock = Clock()
        self._rules = rules
        self._eyes = eyes
        self.heap = heap
        self._notes = notes
        self._disturber = Disturber(seed, hardness)
        self.record = Record(store, self.clock)
        self.session = self._session()
        self.wire = SimulatedWire(seed, self.clock, self._hear, faults=line_faults)

    def follow(self, step: TableStep) -> None:
        """Let one step happen, and watch it."""
        self._note(Happened(self.clock.t, step.events))
        for command in step.commands:
            said = tapped(command, self.record.state)
            if said is not None:
                self._note(Said(self.clock.t, said, PEOPLE))
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
                seen = self._eyes.look(moment, self.clock.t)
                self._note(Looked(self.clock.t, seen))
                self.session.process(seen)

    def go_on(self) -> None:
        """Who goes on with the next hand accepts what is shown, though the page bids to look."""
        shown = self.session.snapshot
        waits = shown.sureness is not None and shown.sureness.probability < WITHOUT_A_PERSON
        if waits and not shown.state.questions:
            self.session.put_command(Settle(), PEOPLE)
            self.session.drain()

    def pay(self, hand: Sequence[Event]) -> None:
        """As people do who settle a hand by themselves: what was seen of it stays as it is."""
        self.session.drain()
        for event in hand:
            if isinstance(event, Settled):
                self.record.append(event, Source.PERSON)

    def put_right(self, truth: Sequence[Event]) -> None:
        """As people would have: the record is what really happened so far."""
        self.session.drain()
        self.record = Record(None, self.clock)
        for event in truth:
            self.record.append(event, Source.PERSON)
        self.session = self._session()

    def _session(self) -> Session:
        return Session(
            plain_profile(self._rules), SEAT_NAMES, self.record, now=self.clock, heap=self.heap
        )

    def _hear(self, reading: Reading) -> None:
        signal = board_signal(reading, self.wire.acknowledge)
        if signal is not None:
            self._note(Heard(self.clock.t, signal.content, signal.origin))
            self.session.process(signal)

    def _note(self, moment: Moment) -> None:
        if self._notes is not None:
            self._notes.append(moment)


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
            table.go_on()
            yield compare(rules.id, seed, hand, truth[begun:], table.record, first)
            if step.game != game:
                truth, game = [], step.game
                table.put_right(truth)
            elif not _stands_right(table.record.state, replay(truth)):
                table.pay(truth[begun:])
                if not _stands_right(table.record.state, replay(truth)):
                    table.put_right(truth)
            begun, first, hand = len(truth), len(table.record.entries), step.hand
        table.follow(step)
        truth += step.events
    table.go_on()
    yield compare(rules.id, seed, hand, truth[begun:], table.record, first)


def _stands_right(state: TableState, so: TableState) -> bool:
    """Whether the next hand can begin as it should: a wrong one must not make the next wrong."""
    here, there = ((x.scores, x.phase, x.hand, x.dealer_next) for x in (state, so))
    return here == there
