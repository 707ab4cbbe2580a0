"""A table that phones watch: each with a calibration of its own, their views put together.

Whose pictures people see, and evidence keeps, is one phone at a time: the leader. Where the table
lies in a picture is remembered for one camera.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from table_assist.languages.words import NOTHING, SPACE, UserError, Words, joined, phrase, same
from table_assist.live.camera_service import calibration_file
from table_assist.live.phones import CALM_PICTURE_S, Phone, Phones, figures, remark
from table_assist.live.sight import Eye, Sight, Turn
from table_assist.settings.config import Config
from table_assist.settings.edit import kept_watcher
from table_assist.vision.pictures.camera import Camera, CameraStatus, Picture
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import load_calibration
from table_assist.vision.table.observation import Observation

LEADER_GONE_S = 10.0  # a leader that is away for so long is followed by the other


@dataclass(slots=True, kw_only=True)
class PhoneEye(Eye):
    """One phone's camera.

    Attributes:
        placed: how often it was shown where the table lies, when that was looked at last.
        words: why that is not known.
    """

    phone: Phone
    placed: int = -1
    words: Words = NOTHING

    @property
    def counts(self) -> bool:
        """What it saw last is how the table is now."""
        fresh = CameraStatus.LIVE, CameraStatus.COVERED
        return self.own is not None and self.camera.health().status in fresh


class PhoneSight(Sight):
    """Phones, which come and go, by their devices.

    They are told with each answer how many pictures are wanted.

    Args:
        now: seconds since the epoch.
        note_place: is told which phone was shown where the table lies, and the file that says it;
            None: it cannot be used.
    """

    eyes: Mapping[str, PhoneEye]

    def __init__(
        self,
        config: Config,
        phones: Phones,
        reader: Reader,
        now: Callable[[], float] = time.time,
        note_place: Callable[[str, Path | None], None] = lambda device, path: None,
    ) -> None:
        super().__init__({})
        self._note_place = note_place
        self._config = config
        self._phones = phones
        self._reader = reader
        self._now = now
        self._changed = threading.Condition()
        self._took_s = 0.0

    @property
    def words(self) -> Words:
        """People's advice on each phone."""
        said = [words for each in self.eyes.values() for words in _said(each) if words]
        return joined(said, SPACE)

    @property
    def figures(self) -> Words:
        """The phones' own figures."""
        return joined([figures(each.phone) for each in self.eyes.values()], SPACE)

    def next_picture(self, wait_s: float) -> Picture | None:
        """The next picture of any phone, the one first whose was taken longest ago."""
        self._meet()
        eyes = self.eyes.values()
        with self._changed:
            self._changed.wait_for(lambda: any(each.camera.has_new for each in eyes), wait_s)
            waiting = [each for each in eyes if each.camera.has_new]
        if not waiting:
            return None
        one = min(waiting, key=lambda each: each.camera.taken_s or 0.0)
        picture = one.camera.next_picture(0.0)
        if picture is not None:
            self._place(one)
            self._lead(one)
            counting = tuple(each.phone.device for each in eyes if each is one or each.counts)
            self.turn = Turn(one.phone.device, counting)
        return picture

    def pace(self) -> None:
        """Each is told with its next answer."""
        self._phones.want(busy=self.is_busy and self._took_s < CALM_PICTURE_S)

    def see(self, picture: Picture, attention: Attention) -> Observation | None:
        """Look at a phone's picture; what all phones together see."""
        started = time.monotonic()
        found = super().see(picture, attention)
        self._took_s = time.monotonic() - started
        return found

    # -- the phones ----------------------------------------------------------------------------

    def _meet(self) -> None:
        """Take in who has come, and let go who was let out."""
        before, known = self.eyes, {}
        for phone in self._phones.watching:
            one = before.get(phone.device)
            is_same = one is not None and one.phone is phone
            known[phone.device] = one if one and is_same else self._begin(phone)
        self.eyes = known
        for device, one in before.items():
            if known.get(device) is not one:
                one.camera.close()

    def _begin(self, phone: Phone) -> PhoneEye:
        kind = SourceKind(lambda: phone, same(phone.name), is_live=True, waits=True)
        stale_s = self._config.camera.stale_s
        camera = Camera(kind, stale_s=stale_s, now=self._now, changed=self._changed)
        return PhoneEye(camera.start(), phone=phone)

    def _place(self, one: PhoneEye) -> None:
        """Learn where the table lies in its pictures, when somebody has shown it."""
        if one.placed == one.phone.placed:
            return
        device, name = one.phone.device, one.phone.name
        one.kept = calibration_file(self._config, device)
        one.placed, one.words = one.phone.placed, NOTHING
        one.watcher, one.own, one.trouble = None, None, NOTHING
        if not one.kept.exists():
            one.words = phrase("phone_sight.does_not_know_yet", name=name)
        else:
            try:
                shown = load_calibration(one.kept)
                one.watcher = kept_watcher(self._config, self._reader, shown, device)
            except UserError as error:  # the corners, the zones, or the set that is learnt
                one.words = Words("{name}: {error}.", "{name}：{error}。", name=name, error=error)
        self._note_place(device, one.kept if one.watcher else None)

    def _lead(self, one: PhoneEye) -> None:
        leader = self.eyes.get(self._leader)
        if leader is one:
            return
        age_s = None if leader is None else leader.camera.health().age_s
        is_there = age_s is not None and age_s <= LEADER_GONE_S
        if leader and is_there and (leader.watcher is not None or one.watcher is None):
            return  # it reads the table, or the other does not
        self._leader = one.phone.device
        self._generation += 1


def _said(one: PhoneEye) -> Iterator[Words]:
    health, name = one.camera.health(), one.phone.name
    if health.status is not CameraStatus.LIVE:
        yield Words("{says}.", "{says}。", says=health.says) if health.says else NOTHING
    elif one.words:
        yield one.words
    elif one.trouble:
        yield Words("{name}: {trouble}.", "{name}：{trouble}。", name=name, trouble=one.trouble)
    elif one.watcher is not None and one.watcher.words:
        said = one.watcher.words
        yield Words("{name}: {said}", "{name}：{said}", name=name, said=said)
    yield remark(name, one.phone.told)
