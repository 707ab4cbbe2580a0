"""The one writer: every picture, signal and command becomes an entry of the log or a question.

`process` is called by one thread only (`run` is that thread's loop); everybody else reads
`snapshot` and hands commands to `submit`. What the board says is acknowledged once it is on disk.
"""

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from firmware_bridge.messages import Hello
from firmware_bridge.receiver import EventsLost
from table_assist.doubts import Doubt
from table_assist.game.course import birds_due
from table_assist.game.events import (
    Answered,
    Asked,
    BirdTurned,
    Discarded,
    Event,
    HandAbandoned,
    HandShown,
    Settled,
    WinRefused,
)
from table_assist.game.irregular import irregularities
from table_assist.game.log import Amended, Retracted, Source
from table_assist.game.record import Record
from table_assist.game.state import Phase
from table_assist.infer import Inferred, Proposed, Reread, step
from table_assist.questions import (
    about_corrected,
    about_irregular,
    about_reread,
    about_surplus_birds,
    about_unread,
    with_tile,
)
from table_assist.rules.profile import Profile
from table_assist.settling import (
    Outcome,
    after_answer,
    drawn_hand,
    is_derived,
    outcome,
)
from table_assist.signals import (
    BoardSignal,
    Table,
    boot_id_of,
    may_come_again,
    read_command,
    read_signal,
    restart_doubt,
    said,
)
from table_assist.snapshot import (
    Answer,
    Change,
    ChooseDealer,
    Command,
    Correct,
    DeclareWin,
    EndHand,
    Evidence,
    Insert,
    PlaceAntes,
    Rule,
    Settle,
    Snapshot,
    SourceHealth,
    StartHand,
    TellTreasure,
    Undo,
)
from table_assist.tiles import Tile, parse_tile
from table_assist.vision.observe import Observation

logger = logging.getLogger(__name__)

# A command that the writer has not looked at after this long is answered with an apology.
COMMAND_TIMEOUT_S = 10.0
NOTICES_KEPT = 20
YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class _Request:
    command: Command
    by: str
    reply: "queue.SimpleQueue[str | None]" = field(default_factory=queue.SimpleQueue)


Item = Observation | BoardSignal | SourceHealth | _Request


class Session:
    """Follows one table.

    Args:
        record: where entries go; an earlier evening in it goes on.
        now: seconds since the epoch.
    """

    def __init__(
        self,
        profile: Profile,
        names: tuple[str, str, str, str],
        record: Record,
        *,
        now: Callable[[], float],
    ) -> None:
        self._profile = profile
        self._rules = profile.rules
        self._names = names
        self._record = record
        self._now = now
        self._inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._health: dict[str, SourceHealth] = {}
        self._notices: list[str] = []
        self._stored: list[Callable[[], None]] = []
        self._outcome = Outcome()
        self._covered = False
        self._candidates: dict[int, tuple[Tile, ...]] = {}
        self._resumed = may_come_again(record.last_origins)
        self._boot_id = boot_id_of(record.last_origins)
        self.version = 0
        self.snapshot = self._take_snapshot()

    # -- for readers, any thread ---------------------------------------------------------------

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """Block until there is a snapshot with a version above `after`; None when there is none."""
        with self._changed:
            if self._changed.wait_for(lambda: self.version > after, timeout_s):
                return self.snapshot
        return None

    def submit(self, command: Command, by: str = "") -> str | None:
        """Hand a command to the writer; None when it was done, else why not, in one sentence.

        Args:
            by: who gives it, with name and role; kept in the entries that it makes.
        """
        request = _Request(command, by)
        self._inbox.put(request)
        try:
            return request.reply.get(timeout=COMMAND_TIMEOUT_S)
        except queue.Empty:
            return "the table is busy; please try again"

    def put_command(self, command: Command, by: str = "") -> None:
        """Hand a command to the writer without waiting for what becomes of it."""
        self._inbox.put(_Request(command, by))

    def preview(self, command: Command) -> Change | str:
        """What the command would change, or one sentence why it would be refused."""
        return f"what {type(command).__name__} changes cannot be shown yet"

    def evidence(self, id: str) -> Evidence | None:
        """The picture and readings kept under an id of the snapshot; None when there are none."""
        return None

    def put(self, item: Observation | BoardSignal | SourceHealth) -> None:
        """Hand in what a source has."""
        self._inbox.put(item)

    # -- for the writer ------------------------------------------------------------------------

    def run(self, stop: threading.Event) -> None:
        """Process what comes in until `stop` is set."""
        while not stop.is_set():
            try:
                item = self._inbox.get(timeout=0.2)
            except queue.Empty:
                continue
            try:
                self.process(item)
            except Exception as error:
                logger.exception("the session could not process %r", item)
                self._notice(f"The program met a fault and left something out: {error}")

    def drain(self) -> None:
        """Process what has come in so far, in this thread: for running without threads."""
        while not self._inbox.empty():
            self.process(self._inbox.get())

    def process(self, item: Item) -> None:
        """Take one item in, record what follows from it, and publish."""
        before = self._visible()
        reply: str | None = "the command met a fault of this program; see its log"
        try:
            match item:
                case Observation():
                    self._see(step(self._record.state, item))
                case BoardSignal():
                    self._hear(item)
                case SourceHealth(name):
                    self._health[name] = item
                case _Request(command, by):
                    reply = self._obey(command, by)
            self._conclude()
        finally:  # what was recorded is saved and told, whatever came after
            self._save()
            if before != self._visible():
                self._publish()
            if isinstance(item, _Request):
                item.reply.put(reply)

    # -- pictures ------------------------------------------------------------------------------

    def _see(self, inferred: Inferred) -> None:
        self._covered = inferred.covered
        for proposed in inferred.proposed:
            self._record_seen(proposed)
        for reread in inferred.reread:
            self._reread(reread)
        for doubt in inferred.doubts:
            self._ask(doubt)

    def _record_seen(self, proposed: Proposed) -> None:
        event = self._not_again(proposed.event)
        if event is None:
            return
        wrong = irregularities(self._record.state, event)
        seq = self._record.append(event, Source.CAMERA, confidence=proposed.confidence)
        self._candidates[seq] = proposed.candidates
        hand = self._record.state.hand
        if wrong:
            self._ask(about_irregular(hand, seq, event, wrong), about=seq)
        if isinstance(event, Discarded):
            doubt = about_unread(hand, seq, event, proposed.candidates, self._rules.kinds)
            if doubt is not None:
                self._ask(doubt, about=seq)

    def _not_again(self, event: Event) -> Event | None:
        """What may be recorded of a proposal: people's corrections stick, and birds are counted."""
        state = self._record.state
        if isinstance(event, HandShown):
            known = [seq for seq, old in self._record.counting if old in state.shown]
            if any(
                self._record.is_corrected(seq) and self._seat_of(seq) == event.seat for seq in known
            ):
                self._ask(about_corrected(state.hand, event))
                return None
        if isinstance(event, BirdTurned) and len(state.birds) >= birds_due(self._rules, state):
            self._ask(about_surplus_birds(state.hand))
            return None
        if event in self._record.rejected():
            unread = Discarded(event.seat, Tile.UNKNOWN) if isinstance(event, Discarded) else None
            return None if unread in self._record.rejected() else unread
        return event

    def _seat_of(self, seq: int) -> int | None:
        event = self._record.event(seq)
        return event.seat if isinstance(event, HandShown) else None

    def _reread(self, reread: Reread) -> None:
        """The camera sees another face than is recorded: an unread tile is filled in, else ask."""
        seq = self._record.discard_seq(reread.seat, reread.index)
        if seq is None:
            return
        if reread.recorded.is_face:
            self._ask(about_reread(self._record.state.hand, seq, reread), about=seq)
            return
        filled = Discarded(reread.seat, reread.tile)
        if filled in self._record.rejected():
            return
        self._record.append(Amended(seq, filled), Source.CAMERA)
        for question in self._record.state.questions:
            if question.about == seq:
                self._record.append(Answered(question.question, ""), Source.CAMERA)

    # -- the board -----------------------------------------------------------------------------

    def _hear(self, signal: BoardSignal) -> None:
        content = signal.content
        if isinstance(content, Hello):
            self._greet(content)
            return
        self._stored.append(signal.stored)
        if signal.origin in self._resumed:
            return
        self._resumed = frozenset()
        state = self._record.state
        meaning = read_signal(state, content, self._table())
        seq, origin = 0, signal.origin
        for event in meaning.events:
            seq = self._record.append(event, Source.BOARD, origin=origin)
            origin = ""  # the first entry stands for the signal
        if not meaning.events:
            self._record.append(said(content), Source.BOARD, origin=origin)
        for doubt in meaning.doubts:
            if isinstance(content, EventsLost):
                doubt = replace(doubt, question=f"{doubt.question}-{self._record.seq}")
            self._ask(doubt, about=seq)
        if meaning.notice:
            self._notice(meaning.notice)

    def _greet(self, board: Hello) -> None:
        """A board that starts anew in a hand has forgotten what it kept."""
        known, self._boot_id = self._boot_id, board.boot_id
        doubt = restart_doubt(self._record.state, board.boot_id)
        if known not in ("", board.boot_id) and doubt is not None:
            self._ask(doubt)

    def _table(self) -> Table:
        state = self._record.state
        return Table(
            profile=self._profile,
            drawn=drawn_hand(self._rules, state),
        )

    # -- people --------------------------------------------------------------------------------

    def _obey(self, command: Command, by: str) -> str | None:
        match command:
            case Answer(question, answer):
                return self._answer(question, answer)
            case Undo(seq):
                why = self._record.why_kept(seq)
                if why:
                    return why
                self._record.append(Retracted(seq), Source.PERSON)
                return None
            case PlaceAntes() | ChooseDealer() | TellTreasure() | Settle():
                return "this cannot be said yet"
            case Correct() | Insert() | Rule():
                return "this cannot be changed yet"
            case StartHand() | DeclareWin() | EndHand():
                meaning = read_command(self._record.state, command, self._table())
                for event in meaning.events:
                    self._record.append(event, Source.PERSON)
                return self._named(meaning.notice) or None

    def _answer(self, question: str, answer: str) -> str | None:
        asked = next((q for q in self._record.state.questions if q.question == question), None)
        if asked is None:
            return f"the question {question!r} is not open (any more)"
        if answer not in asked.choices:
            return f"{answer!r} is no choice; there are {list(asked.choices)}"
        consequence = self._consequence(asked, answer)
        if consequence is not None:
            self._record.append(consequence, Source.PERSON)
            for event in after_answer(self._rules, self._record.state, consequence):
                self._record.append(event, Source.RULES)
        self._record.append(Answered(question, answer), Source.PERSON)
        return None

    def _consequence(self, asked: Asked, answer: str) -> Event | Amended | Retracted | None:
        ended = self._record.state.phase not in (Phase.PLAYING, Phase.SHOWING)
        if ended and isinstance(asked.if_yes, HandAbandoned | Settled | WinRefused):
            return None  # the hand is over: there is nothing left to end
        if answer == YES:
            if asked.if_yes is not None and asked.about:
                return Amended(asked.about, asked.if_yes)
            return asked.if_yes
        if answer == NO:
            return Retracted(asked.about) if asked.about and asked.if_yes is None else None
        event = self._record.event(asked.about)
        if event is None:
            return None
        return Amended(asked.about, with_tile(event, parse_tile(answer)))

    # -- what follows --------------------------------------------------------------------------

    def _conclude(self) -> None:
        """Judge what is shown; settle when nothing is open, ask when something is."""
        self._outcome = outcome(self._rules, self._record, self._candidates)
        wanted = {doubt.question for doubt, _ in self._outcome.doubts}
        for question in self._record.state.questions:
            if is_derived(question.question) and question.question not in wanted:
                self._record.append(Answered(question.question, ""), Source.RULES)
        for doubt, about in self._outcome.doubts:
            self._ask(doubt, about=about)
        if self._outcome.settled is not None:
            self._record.append(self._outcome.settled, Source.RULES)
            self._outcome = outcome(self._rules, self._record)

    def _ask(self, doubt: Doubt, about: int = 0) -> None:
        """Put a doubt to the people; once it is open, or a person has answered it, not again."""
        if any(question.question == doubt.question for question in self._record.state.questions):
            return
        if any(
            isinstance(event, Answered) and event.answer and event.question == doubt.question
            for _, event in self._record.counting
        ):
            return
        english, chinese = (self._named(text) for text in doubt.text)
        asked = Asked(
            doubt.question, (english, chinese), doubt.choices, about, doubt.if_yes, doubt.blocks
        )
        self._record.append(asked, Source.RULES)

    def _notice(self, text: str) -> None:
        self._notices = [*self._notices, self._named(text)][-NOTICES_KEPT:]

    def _named(self, text: str) -> str:
        for seat, name in enumerate(self._names):
            text = text.replace(f"{{{seat}}}", name)
        return text

    # -- publishing ----------------------------------------------------------------------------

    def _save(self) -> None:
        self._record.save()
        trouble = self._record.trouble
        self._health["log"] = SourceHealth("log", "lost" if trouble else "live", trouble)
        if self._record.is_saved:
            for stored in self._stored:
                stored()
            self._stored.clear()

    def _publish(self) -> None:
        with self._changed:
            self.snapshot = self._take_snapshot()
            self.version += 1
            self._changed.notify_all()

    def _visible(self) -> tuple[object, ...]:
        """Changes whenever a reader would see a difference."""
        return (self._record.seq, self._health_now(), tuple(self._notices))

    def _health_now(self) -> tuple[SourceHealth, ...]:
        """A camera whose pictures lack most of the recorded tiles is covered, however live."""
        sources = dict(self._health)
        camera = sources.get("camera")
        if self._covered and camera is not None and camera.status == "live":
            text = "Much of what must lie on the table is not seen: is something in the way?"
            sources["camera"] = replace(camera, status="covered", message=text)
        return tuple(sources.values())

    def _take_snapshot(self) -> Snapshot:
        return Snapshot(
            seq=self._record.seq,
            t=self._now(),
            names=self._names,
            rules=self._rules,
            state=self._record.state,
            entries=self._record.hand_entries(),
            verdicts=self._outcome.verdicts,
            settlement=self._outcome.settlement,
            history=tuple(self._record.history),
            health=self._health_now(),
            notices=tuple(self._notices),
        )
