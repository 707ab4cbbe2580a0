"""The one writer: every picture, signal and command becomes an entry of the log or a question.

`process` is called by one thread only (`run` is that thread's loop); everybody else reads
`snapshot` and hands commands to `submit`. What the board says is acknowledged once it is on disk.
"""

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from table_assist.game.acceptance import AcceptedBy
from table_assist.game.events import Attested, BoardSaid, Settled
from table_assist.game.people import Names, called, seated
from table_assist.languages.words import SPACE, Plural, Words, joined
from table_assist.record.commands import Change, Command, NotKeptError, TellHand
from table_assist.record.log import Entry, Source
from table_assist.record.photographer import Album, Photographer, Shot
from table_assist.record.record import Record
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.rules.profile import Profile
from table_assist.session.bindings import Bindings
from table_assist.session.books import outcome
from table_assist.session.command_handler import CommandHandler
from table_assist.session.from_board import BoardInput, BoardSignal
from table_assist.session.from_camera import CameraInput
from table_assist.session.kong_keys import KongKeys
from table_assist.session.preview import preview
from table_assist.tiles.tile import Tile
from table_assist.vision.photos.photo_hand import PhotoService
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.observation import Observation, SeenTile

# When a settlement that is shown is accepted by itself.


@dataclass(frozen=True, slots=True)
class _Shown:
    """A settlement as people see it.

    Attributes:
        since: the last entry when it came to be shown as it is.
        at: when it is accepted, seconds since the epoch.
    """

    settled: Settled
    since: int
    at: float


# A settlement that is less sure is accepted by a person: of 400 modelled hands one in sixteen.
WITHOUT_A_PERSON = 0.99


class SettleClock:
    """Gives people time to object; what changes starts it anew, what is doubtful stops it.

    Args:
        after_s: how long a settlement without a doubt is shown; 0: not at all, and then only what
            blocks the settlement itself is waited for.
    """

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._shown: _Shown | None = None

    @property
    def at(self) -> float | None:
        """When the settlement is accepted, seconds since the epoch; None where no time runs."""
        return None if self._shown is None else self._shown.at

    def is_due(self, handler: CommandHandler, now: float) -> bool:
        """Whether the settlement that the handler shows is accepted now."""
        settled = handler.outcome.settled
        if settled is not None and (handler.record.state.told or handler.waits_for_payers):
            settled = None  # what nobody followed is accepted by a person
        if handler.certainty < WITHOUT_A_PERSON:
            settled = None  # the page says which tile to look at
        state = handler.record.state
        is_asked = any(each.question.hand == state.hand for each in state.questions)
        if settled is None or (self._after_s > 0 and is_asked):  # then people accept it
            self._shown = None
            return False
        if self._after_s <= 0:
            return True
        # The last entry that is more than a word of the board's from which nothing follows
        entries = reversed(handler.record.entries)
        since = next((e.seq for e in entries if not isinstance(e.event, BoardSaid)), 0)
        if self._shown is None or (self._shown.settled, self._shown.since) != (settled, since):
            self._shown = _Shown(settled, since, now + self._after_s)
            return False
        if now < self._shown.at:
            return False
        self._shown = None
        return True


# A memory of late things only.

Kept = TypeVar("Kept")


class Recent(dict[int, Kept]):
    """By number, and only of the latest: what was put in first goes first.

    >>> recent = Recent(2)
    >>> for number in (3, 4, 5): recent[number] = str(number)
    >>> recent
    {4: '4', 5: '5'}
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, number: int, kept: Kept) -> None:
        super().__setitem__(number, kept)
        if len(self) > self._most:
            del self[next(iter(self))]


# People's words become entries of the record, or are refused.


class PeopleInput:
    """Tells the command handler what people say.

    Args:
        album: keeps the pictures of what is corrected.
    """

    def __init__(self, handler: CommandHandler, album: Album) -> None:
        self._handler = handler
        self._album = album

    def handle(self, command: Command, by: str, key: str) -> Words | None:
        """Do what a person says, all of it or nothing, and once; why not, for that person to read.

        Args:
            by: who says it, with name and role.
            key: of this very command: what was done under it is not done again.
        """
        record = self._handler.record
        if record.done_by(key):
            return None
        seq = record.seq
        self._album.hold(command)
        try:
            return self._handler.execute(command, by, key)
        except Exception:
            record.forget(seq)
            raise


logger = logging.getLogger(__name__)

# A command that the writer has not looked at after this long is withdrawn; one that it is busy
# with is waited for as long again.
COMMAND_TIMEOUT_S = 10.0
BUSY = Words(
    "The table is busy, and nothing was done: please try again.",
    "牌桌正忙，什么也没有做：请再试一次。",
)
STILL_BUSY = Words(
    "The table is still busy with this. Try again to learn what became of it.",
    "牌桌仍在处理：再试一次即可得知结果。",
)
FAULT = Words(
    "the command met a fault of this program; see its log", "执行命令时程序出错，详见程序日志"
)
_MUCH_COVERED = Words(
    "Much of what must lie on the table is not seen: is something in the way?",
    "桌上应有的牌大多看不到：是否有东西挡住了？",
)
NOTICES_KEPT = 20
# Entries whose other likely faces are known: those of some hands, as questions are about late ones.
CANDIDATES_KEPT = 512
# How the tiles of open hands and birds were read is known of so many entries: of a hand or two.
SEEN_KEPT = 64
# So often time passes for a table at which nothing happens.
SESSION_TICK_S = 0.2


Reply = Words | None | NotKeptError


@dataclass(frozen=True, slots=True)
class _Request:
    """A command that waits: the writer takes it, or who gave it takes it back; never both."""

    command: Command
    by: str = ""
    key: str = ""
    reply: "queue.SimpleQueue[Reply]" = field(default_factory=queue.SimpleQueue)
    _taken: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> bool:
        """Whether it is the caller's: the first one's that asks."""
        return self._taken.acquire(blocking=False)


@dataclass(frozen=True, slots=True)
class _Preview:
    command: Command
    reply: "queue.SimpleQueue[Change | Words]" = field(default_factory=queue.SimpleQueue)


Arrival = Observation | BoardSignal | SourceHealth | Attested | _Request | _Preview


class Session:
    """Follows one table.

    Args:
        record: where entries go; an earlier evening in it goes on.
        now: seconds since the epoch.
        settle_after_s: how long a settlement without a doubt is shown before it is accepted by
            itself; 0: at once.
        accepted_by: how one that waits for people is accepted on their phones.
        heap: discards are thrown into the middle, and not before who discards them.
        photographer: keeps the pictures of what is decided or doubted; None for nobody.
        photos: has the photographs by which people tell hands; None for none.
        pieces: the file that keeps where the tiles of the record lie; None for none.
        attested_words: what people are told of an entry that the log vouches for; None for nothing.
    """

    def __init__(
        self,
        profile: Profile,
        names: Names,
        record: Record,
        *,
        now: Callable[[], float],
        settle_after_s: float = 0.0,
        accepted_by: AcceptedBy = AcceptedBy.PAYERS,
        photographer: Photographer | None = None,
        heap: bool = False,
        photos: PhotoService | None = None,
        pieces: Path | None = None,
        attested_words: Callable[[Entry], Words | None] | None = None,
    ) -> None:
        self._names = names
        self._attested_words = attested_words
        self._record = record
        self._now = now
        self._clock = SettleClock(settle_after_s)
        self._bindings = Bindings(record, pieces)
        self._album = Album(record, photographer, self._bindings.places)
        self._photos = photos
        self._candidates = Recent[tuple[Tile, ...]](CANDIDATES_KEPT)
        seen = Recent[tuple[SeenTile, ...]](SEEN_KEPT)
        self._handler = CommandHandler(
            profile, names, record, self._candidates, seen, accepted_by=accepted_by
        )
        kong_keys = KongKeys(now)
        self._camera = CameraInput(
            self._handler,
            self._candidates,
            now=now,
            heap=heap,
            kong_keys=kong_keys,
            seen=seen,
            bindings=self._bindings,
        )
        self._board = BoardInput(self._handler, kong_keys, lambda: self._camera.is_wall_gone)
        self._people = PeopleInput(self._handler, self._album)
        self._inbox: queue.SimpleQueue[Arrival] = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._health: dict[str, SourceHealth] = {}
        self._notices: list[Words] = []
        self._attention = self._camera.attention
        self.version = 0
        # A hand that won before a restart is judged before the first look: none takes its place.
        shown = outcome(self._handler.rules, record)
        self._handler.outcome = replace(shown, settled=None)
        self.snapshot = self._take_snapshot()

    # -- for readers, any thread ---------------------------------------------------------------

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """Block until there is a snapshot with a version above `after`; None when there is none."""
        with self._changed:
            if self._changed.wait_for(lambda: self.version > after, timeout_s):
                return self.snapshot
        return None

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        """Hand a command to the writer; None when it is done and on disk, else why not.

        Args:
            by: who gives it, with name and role; kept in the entries that it makes.
            key: of this very command (`key_of`): what was done under it is not done again.

        Raises:
            NotKeptError: it was withdrawn, or is not on disk (yet).
        """
        request = _Request(command, by, key)
        self._inbox.put(request)
        reply = _reply_to(request)
        if isinstance(reply, NotKeptError):
            raise reply
        return reply

    def put_command(self, command: Command, by: str = "", key: str = "") -> None:
        """Hand a command to the writer without waiting for what becomes of it."""
        self._inbox.put(_Request(command, by, key))

    def was_done(self, key: str) -> bool:
        """Whether a command was done under this key."""
        return self._record.done_by(key) > 0

    def preview(self, command: Command) -> Change | Words:
        """The command's effect, or one sentence why it would be refused."""
        request = _Preview(command)
        self._inbox.put(request)
        try:
            return request.reply.get(timeout=COMMAND_TIMEOUT_S)
        except queue.Empty:
            return BUSY

    @property
    def profile(self) -> Profile:
        """By which the next hand is played."""
        return self._handler.profile

    @property
    def unsaved(self) -> Words | None:
        """The entries that are not on disk, in one sentence; None when all are."""
        return _unsaved(self._record)

    @property
    def attention(self) -> Attention:
        """The places of the table that must be seen now, whatever is remembered of it."""
        return self._attention

    @property
    def waiting(self) -> int:
        """Items that have come in and are not processed yet."""
        return self._inbox.qsize()

    def entries(self) -> tuple[Entry, ...]:
        """The whole record, every entry as it was written down."""
        return tuple(self._record.entries)

    def put(self, item: Observation | BoardSignal | SourceHealth | Attested) -> None:
        """Hand in what a source has."""
        self._inbox.put(item)

    # -- for the writer ------------------------------------------------------------------------

    def run(self, stop: threading.Event) -> None:
        """Process what comes in until `stop` is set."""
        while not stop.is_set():
            try:
                item = self._inbox.get(timeout=SESSION_TICK_S)
            except queue.Empty:
                self._guarded(None)
                continue
            self._guarded(item)

    def _guarded(self, item: Arrival | None) -> None:
        try:
            self.process(item)
        except Exception as error:
            logger.exception("the session could not process %r", item)
            self._notice(
                Words(
                    "The program met a fault and left something out: {error}",
                    "程序出错，有内容未处理：{error}",
                    error=error,
                )
            )

    def drain(self) -> None:
        """Process what has come in so far, in this thread: for running without threads."""
        while not self._inbox.empty():
            self.process(self._inbox.get())

    def process(self, item: Arrival | None) -> None:
        """Take one item in, record what follows from it, and publish.

        Args:
            item: None only lets time pass.
        """
        if isinstance(item, _Preview):
            change: Change | Words = FAULT
            try:
                change = preview(self._handler, item.command)
            finally:
                item.reply.put(change)
            return
        if isinstance(item, _Request) and not item.take():
            return  # it was withdrawn
        before, seq = self._visible(), self._record.seq
        reply: Reply = FAULT
        try:
            reply = self._take_in(item)
            self._conclude()
            self._attention = self._camera.attention
            self._album.add(seq, self._photographed(item))
        finally:  # what was recorded is saved and told, whatever came after
            self._save()
            self._bindings.keep()
            if before != self._visible():
                self._publish()
            if isinstance(item, _Request):
                item.reply.put(self._when_kept(item, reply))

    def _photographed(self, item: Arrival | None) -> Shot | None:
        """The photographs that a told hand was read from, as one picture."""
        told = item.command if isinstance(item, _Request) else None
        if not isinstance(told, TellHand) or self._photos is None:
            return None
        kept = self._photos.evidence(told.photos)
        return None if kept is None else Shot(self._now(), kept[0], readings=kept[1])

    def _as_read(self, command: Command) -> Command:
        """With what the photographs of a told hand were read as, whatever its teller says."""
        if not isinstance(command, TellHand):
            return command
        read = None if self._photos is None else self._photos.tiles(command.photos)
        return replace(command, hand=replace(command.hand, read=read))

    def _take_in(
        self, item: Observation | BoardSignal | SourceHealth | Attested | _Request | None
    ) -> Reply:
        match item:
            case Attested():
                seq = self._record.append(item, Source.RULES)
                if self._attested_words is not None:
                    self._tell(self._attested_words(self._record.entries[seq - 1]))
            case Observation():
                self._tell(self._camera.handle(item))
            case BoardSignal():
                self._tell(self._board.handle(item))
            case SourceHealth(name, status):
                self._health[name] = item
                sources = [self._health.get(each) for each in ("camera", "board")]
                self._handler.is_followed = any(s and s.status != "none" for s in sources)
                if name == "board":
                    self._camera.sees_dice = status == "none" or not item.tells_dice
            case _Request():
                return self._people.handle(self._as_read(item.command), item.by, item.key)
            case None:
                pass
        return None

    def _when_kept(self, request: _Request, reply: Reply) -> Reply:
        """Only what is on disk is called done."""
        unsaved = _unsaved(self._record)
        if reply is not None or unsaved is None:
            return reply
        first_unsaved = self._record.seq - self._record.unsaved + 1
        if 0 < self._record.done_by(request.key) < first_unsaved:
            return None  # it was done, and saved, before
        return NotKeptError(
            Words(
                "This is done, but not saved: {unsaved}",
                "已执行，但尚未保存：{unsaved}",
                unsaved=unsaved,
            )
        )

    # -- what follows --------------------------------------------------------------------------

    def _conclude(self) -> None:
        """Judge what is shown; settle in time when nothing is open, ask when something is."""
        self._handler.conclude()
        self._camera.wait()
        if not self._handler.soon and self._clock.is_due(self._handler, self._now()):
            self._handler.accept()

    def _tell(self, news: Words | None) -> None:
        if news is not None:
            self._notice(news)

    def _notice(self, words: Words) -> None:
        self._notices = [*self._notices, self._handler.named(words)][-NOTICES_KEPT:]

    # -- publishing ----------------------------------------------------------------------------

    def _save(self) -> None:
        self._record.save()
        trouble = _unsaved(self._record)
        self._health["log"] = (
            SourceHealth("log", "live") if trouble is None else SourceHealth("log", "lost", trouble)
        )
        if self._record.is_saved:
            self._board.saved()

    def _publish(self) -> None:
        with self._changed:
            self.snapshot = self._take_snapshot()
            self.version += 1
            self._changed.notify_all()

    def _visible(self) -> tuple[object, ...]:
        """Changes whenever a reader would see a difference."""
        return (self._record.seq, self._health_now(), tuple(self._notices), self._clock.at)

    def _health_now(self) -> tuple[SourceHealth, ...]:
        """A camera of whose pictures nothing is recorded says so, however live.

        One by which hardly a discard is read says so, after what it may say of its pictures.
        """
        sources = dict(self._health)
        camera = sources.get("camera")
        if camera is not None and camera.status == "live":
            if self._camera.covered:
                sources["camera"] = replace(camera, status="unread", says=_MUCH_COVERED)
            elif self._camera.idle:
                sources["camera"] = replace(camera, status="idle", says=self._camera.idle)
            elif self._camera.hopeless.en:
                both = joined((camera.says, self._camera.hopeless), SPACE)
                sources["camera"] = replace(camera, says=both)
        return tuple(sources.values())

    def _take_snapshot(self) -> Snapshot:
        people = self._record.state.people
        return Snapshot(
            seq=self._record.seq,
            t=self._now(),
            names=seated(called(self._record.state.names, self._names), people),
            rules=self._handler.rules,
            state=self._record.state,
            entries=self._record.hand_entries(),
            verdicts=self._handler.outcome.verdicts,
            settlement=self._handler.outcome.settlement,
            history=tuple(
                (hand, seated(moved, people), seated(scores, people))
                for hand, moved, scores in self._record.history
            ),
            health=self._health_now(),
            notices=tuple(self._notices),
            settles_at=self._clock.at,
            evidence=self._album.questions(),
            entry_evidence=self._album.entries(),
            acceptance=self._handler.acceptance(),
            sureness=self._handler.sureness,
        )


def _reply_to(request: _Request) -> Reply:
    try:
        return request.reply.get(timeout=COMMAND_TIMEOUT_S)
    except queue.Empty:
        if request.take():
            return NotKeptError(BUSY, is_withdrawn=True)
    try:
        return request.reply.get(timeout=COMMAND_TIMEOUT_S)
    except queue.Empty:
        return NotKeptError(STILL_BUSY)


def _unsaved(record: Record) -> Words | None:
    if record.is_saved:
        return None
    count, why = record.unsaved, record.trouble or "not tried yet"
    return Plural(
        count,
        "{n} entry is not saved ({why}).",
        "{n} entries are not saved ({why}).",
        "有 {n} 条记录尚未保存（{why}）。",
        why=why,
    )
