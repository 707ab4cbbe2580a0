"""Simulated evenings read by the whole program, as fast as it can, beside the truth.

The camera's pictures are rendered and read, the board's lines go over a real pseudo-terminal; only
the clock is simulated. The truth never reaches the program: it is compared afterwards.
"""

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from firmware_bridge.events import EventContent
from firmware_bridge.link import Link, LinkItem, LinkTiming
from firmware_bridge.messages import Hello
from firmware_bridge.receiver import Reading
from firmware_bridge.simulator import VirtualBoard
from table_assist.following.told_scale import told_scale
from table_assist.game.events import Answered, Asked, Event, Settled, Transfers, WallExhausted
from table_assist.game.state import NO_TRANSFERS
from table_assist.record.course import BESIDE, key_of, matched
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import board_signal
from table_assist.session.questions import unread_in
from table_assist.session.session import Session
from table_assist.twin.evening import play_evening
from table_assist.twin.render import Renderer
from table_assist.twin.river import RiverStyle
from table_assist.twin.table import Manners, tapped
from table_assist.vision.table.watcher import Watcher

# A hand's truth beside what the record gained in the meantime.

SETTLED = Settled.__name__
_SEAT = re.compile(r"\{([0-3])\}")


@dataclass(frozen=True, slots=True)
class HandFigures:
    """One hand: what was so, and what the program made of it without help.

    Attributes:
        evening: the seed that it can be played again with.
        hand: its number in that evening, from 1.
        ledger: what the record moved; None when it did not settle the hand.
        events_true: of the truth.
        events_right: of these, in the record, in their order.
        missing: true events that the record lacks, as text, the first few.
        surplus: recorded events that are not true, as text, the first few.
        questions: what people were asked, but for what only they can know and have said.
        in_question: a question is open about one of the entries that are not true.
        beliefs: of each entry of the camera, and of the settlement: what it is, how sure the
            program was (0 to 1), and whether it is so, in whatever order.
        tile_set: whose faces lay there; empty where nobody said.
    """

    rules: str
    evening: int
    hand: int
    truth: Transfers
    ledger: Transfers | None
    events_true: int
    events_right: int
    missing: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    in_question: bool = False
    beliefs: tuple[tuple[str, float, bool], ...] = ()
    tile_set: str = ""

    @property
    def is_right(self) -> bool:
        """The ledger moved what it should have."""
        return self.ledger == self.truth

    @property
    def is_silently_wrong(self) -> bool:
        """A wrong settlement stands, or none does, and no open question is about the reason.

        What else was asked in the hand is no excuse.
        """
        if self.is_right:
            return False
        return not (self.questions if self.ledger is None else self.in_question)

    def to_json(self) -> dict[str, object]:
        """The fields by name, but what was believed."""
        said = {"right": self.is_right, "silently_wrong": self.is_silently_wrong, "beliefs": ()}
        return asdict(self) | said


def compare(
    rules: str, evening: int, hand: int, truth: Sequence[Event], record: Record, first: int
) -> HandFigures:
    """The hand's truth beside the entries after the number `first`."""
    gained = [event for seq, event in record.counting if seq > first]
    entries = [
        (seq, event)
        for seq, event in record.counting
        if seq > first and not isinstance(event, BESIDE)
    ]
    got = [event for _, event in entries]
    truth = [event for event in truth if not isinstance(event, BESIDE)]
    true = next((e.transfers for e in truth if isinstance(e, Settled)), NO_TRANSFERS)
    exhausted = next((e for e in truth if isinstance(e, WallExhausted)), None)
    if exhausted is not None:
        true = exhausted.transfers
    answered = {e.question for e in gained if isinstance(e, Answered) and e.answer}
    pairs = matched(truth, got)
    in_truth, in_record = {a for a, _ in pairs}, {b for _, b in pairs}
    untrue = {seq for at, (seq, _) in enumerate(entries) if at not in in_record}
    ends = [event for event in got if isinstance(event, Settled | WallExhausted)]
    ledger = ends[-1].transfers if ends else None
    beliefs, so = [], Counter(map(key_of, truth))
    for seq, event in entries:
        word = record.last_word(seq)
        if isinstance(event, Settled):
            beliefs.append((SETTLED, word.confidence, ledger == true))
        elif word.source is Source.CAMERA and unread_in(event) is None:
            sure = told_scale().chance(word.confidence)
            beliefs.append((type(event).__name__, sure, so[key_of(event)] > 0))
            so[key_of(event)] -= 1  # a second one alike is another fact
    return HandFigures(
        rules=rules,
        evening=evening,
        hand=hand,
        truth=true,
        ledger=ledger,
        events_true=len(truth),
        events_right=len(pairs),
        missing=tuple(str(e) for i, e in enumerate(truth) if i not in in_truth)[:4],
        surplus=tuple(str(e) for i, e in enumerate(got) if i not in in_record)[:4],
        questions=tuple(
            _SEAT.sub(lambda seat: f"Seat {int(seat[1]) + 1}", event.text.en)
            for event in gained
            if isinstance(event, Asked) and event.question not in answered
        ),
        in_question=any(asked.about in untrue for asked in record.state.questions),
        beliefs=tuple(beliefs),
    )


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
                # A person taps on the page; what is not asked cannot be answered
                said = tapped(command, record.state)
                if said is not None:
                    wire.session.put_command(said, PEOPLE)
                    wire.session.drain()
            for signal in step.signals:
                wire.send(signal)
            for _ in range(PICTURES_PER_STEP):
                clock.t += step.seconds / PICTURES_PER_STEP
                watcher.attend(wire.session.attention)
                wire.session.process(watcher.look(renderer.picture(step.scene), clock.t))
            truth += step.events
        yield compare(rules.id, seed, hand, truth, record, first)


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
