"""A table that phones watch: each with a calibration of its own, their views put together.

Whose pictures people see, and evidence keeps, is one phone at a time: the leader. Where the table
lies in a picture is remembered for one camera.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from table_assist.languages.words import NOTHING, SPACE, UserError, Words, joined, phrase, same
from table_assist.live.sight import Sight, Turn, why_hidden
from table_assist.phones.phones import CALM_S, Phone, Phones, figures, remark
from table_assist.phones.service import calibration_file
from table_assist.settings.config import Config
from table_assist.settings.edit import kept_watcher
from table_assist.vision.pictures.camera import Camera, CameraHealth, CameraStatus, Picture
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.calibration import load_calibration
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.unseen import WhyUnseen

LEADER_GONE_S = 10.0  # a leader that is away for so long is followed by the other
_STANDING = (
    CameraStatus.LIVE,
    CameraStatus.COVERED,
    CameraStatus.STALE,
    CameraStatus.WAITING,
    CameraStatus.LOST,
)


@dataclass(slots=True)
class _Watching:
    """One phone's camera.

    Attributes:
        placed: how often it was shown where the table lies, when that was looked at last.
        words: why that is not known.
    """

    phone: Phone
    camera: Camera
    placed: int = -1
    words: Words = NOTHING
    read_t: float = 0.0

    @property
    def device(self) -> str:
        """Names it among the cameras."""
        return self.phone.device

    @property
    def is_fresh(self) -> bool:
        """Its newest picture is not too old to count."""
        return self.camera.health().status in (CameraStatus.LIVE, CameraStatus.COVERED)


class PhoneSight(Sight):
    """Phones, and as `CountedCamera` for who counts.

    They are told with each answer how many pictures are wanted.

    Args:
        now: seconds since the epoch.
        note_place: is told which phone was shown where the table lies, and the file that says it;
            None: it cannot be used.
    """

    def __init__(
        self,
        config: Config,
        phones: Phones,
        reader: Reader,
        now: Callable[[], float] = time.time,
        note_place: Callable[[str, Path | None], None] = lambda device, path: None,
    ) -> None:
        super().__init__()
        self._note_place = note_place
        self._config = config
        self._phones = phones
        self._reader = reader
        self._now = now
        self._changed = threading.Condition()
        self._watching: dict[str, _Watching] = {}
        self._current: _Watching | None = None
        self._leader = ""
        self._generation = 0
        self._took_s = 0.0
        self.taken_s: float | None = None

    # -- counted -------------------------------------------------------------------------------

    @property
    def came(self) -> int:
        """Pictures so far, of the phones that watch."""
        return sum(each.phone.came for each in self._all())

    @property
    def skipped(self) -> int:
        """Pictures that were replaced by newer ones."""
        return sum(each.phone.skipped for each in self._all())

    # -- what is seen --------------------------------------------------------------------------

    @property
    def shown(self) -> int | None:
        """As `Sight`, as with all below."""
        current = self._current
        if current is None or current.device != self._leader:
            return None
        return self._generation

    @property
    def is_lost(self) -> bool:
        """None of them knows where the table lies."""
        return bool(self._watching) and super().is_lost

    @property
    def words(self) -> Words:
        """People's advice on each phone."""
        said = [words for each in self._all() for words in self._said(each) if words]
        return joined(said, SPACE)

    @property
    def figures(self) -> Words:
        """The phones' own figures."""
        said = [figures(each.phone) for each in self._all()]
        return joined(said, SPACE)

    def start(self) -> None:
        """Phones come by themselves."""
        self._meet()

    def close(self) -> None:
        """Let them go."""
        super().close()
        for each in self._all():
            each.camera.close()

    def next_picture(self, wait_s: float) -> Picture | None:
        """The next picture of any phone, the one first whose was taken longest ago."""
        self._meet()
        with self._changed:
            self._changed.wait_for(lambda: any(each.camera.has_new for each in self._all()), wait_s)
            waiting = [each for each in self._all() if each.camera.has_new]
        self._phones.want(busy=self.is_busy and self._took_s < CALM_S)
        if not waiting:
            return None
        next_one = min(waiting, key=lambda each: each.read_t)
        picture = next_one.camera.next_picture(0.0)
        if picture is None:
            return None
        self._current = next_one
        self.taken_s = next_one.read_t = self._now()
        self._place(next_one)
        self._lead(next_one)
        counting = (each.device for each in self._all() if each is next_one or self._counts(each))
        self.turn = Turn(next_one.device, tuple(counting))
        return picture

    def hidden(self) -> WhyUnseen | None:
        """Whether its lens is covered."""
        return None if self._current is None else why_hidden(self._current.camera.health())

    def see(self, picture: Picture) -> Observation | None:
        """Look at a phone's picture; what all phones together see."""
        started = time.monotonic()
        found = super().see(picture)
        self._took_s = time.monotonic() - started
        return found

    def health(self) -> CameraHealth:
        """Of the phone that fares best."""
        watching = self._all()
        if not watching:
            return CameraHealth(CameraStatus.WAITING, None, _NOBODY)
        ready = [each for each in watching if self.eye(each.device)] or watching
        healths = [each.camera.health() for each in ready]
        return min(healths, key=lambda each: _STANDING.index(each.status))

    # -- the phones ----------------------------------------------------------------------------

    def _all(self) -> tuple[_Watching, ...]:
        return tuple(self._watching.values())

    def _counts(self, watching: _Watching) -> bool:
        """Whether what it saw last is how the table is now."""
        eye = self.eye(watching.device)
        return eye is not None and eye.own is not None and watching.is_fresh

    def _meet(self) -> None:
        """Take in who has come, and let go who was let out."""
        before, known = self._watching, {}
        for phone in self._phones.watching:
            one = before.get(phone.device)
            is_same = one is not None and one.phone is phone
            known[phone.device] = one if one and is_same else self._begin(phone)
        self._watching = known  # whole: others read it meanwhile
        for device, one in before.items():
            if known.get(device) is not one:
                one.camera.close()
                self.place(device, None)

    def _begin(self, phone: Phone) -> _Watching:
        kind = SourceKind(lambda: phone, same(phone.name), is_live=True, waits=True)
        stale_s = self._config.camera.stale_s
        camera = Camera(kind, stale_s=stale_s, now=self._now, changed=self._changed)
        return _Watching(phone, camera.start())

    def _place(self, one: _Watching) -> None:
        """Learn where the table lies in its pictures, when somebody has shown it."""
        if one.placed == one.phone.placed:
            return
        one.placed, one.words = one.phone.placed, NOTHING
        name, path = one.phone.name, calibration_file(self._config, one.device)
        watcher = None
        if not path.exists():
            one.words = phrase("phone_sight.does_not_know_yet", name=name)
        else:
            try:
                watcher = kept_watcher(
                    self._config, self._reader, load_calibration(path), one.device
                )
            except UserError as error:  # the corners, the zones, or the set that is learnt
                one.words = Words("{name}: {error}.", "{name}：{error}。", name=name, error=error)
        self.place(one.device, watcher, path)
        self._note_place(one.device, None if watcher is None else path)

    def _lead(self, one: _Watching) -> None:
        leader = self._watching.get(self._leader)
        if leader is one:
            return
        age_s = None if leader is None else leader.camera.health().age_s
        is_there = leader is not None and age_s is not None and age_s <= LEADER_GONE_S
        if is_there and (self.eye(self._leader) is not None or self.eye(one.device) is None):
            return  # it reads the table, or the other does not
        self._leader = one.device
        self._generation += 1

    def _said(self, one: _Watching) -> Iterator[Words]:
        health, eye, name = one.camera.health(), self.eye(one.device), one.phone.name
        if health.status is not CameraStatus.LIVE:
            yield Words("{says}.", "{says}。", says=health.says) if health.says else NOTHING
        elif one.words:
            yield one.words
        elif eye is not None and eye.trouble:
            yield Words("{name}: {trouble}.", "{name}：{trouble}。", name=name, trouble=eye.trouble)
        elif eye is not None and eye.watcher.words:
            said = eye.watcher.words
            yield Words("{name}: {said}", "{name}：{said}", name=name, said=said)
        yield remark(name, one.phone.told)


_NOBODY = phrase("phone_sight.no_phone_sends_pictures")
