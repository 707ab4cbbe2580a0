"""Phones that watch the table: the newest picture of each, and what each says of itself.

The pages hand in pictures from their threads; one thread takes them. At most two phones watch at a
time: a third is told so.
"""

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from table_assist.languages.words import COMMA, NOTHING, Words, WordsError, joined, phrase, same
from table_assist.vision.pictures.picture import Image, decode_frame
from table_assist.vision.pictures.sources import THE_PHONE, SourceKind

MOST_PHONES = 2
# Seconds from one picture to the next: while something happens, while nothing does, unwatched.
BUSY_PICTURE_S, CALM_PICTURE_S, UNWATCHED_S = 0.1, 0.2, 1.0
LEFT_S = 60.0  # a phone that was silent for so long gives its place to another
UNTAKEN_S = 3.0  # nobody takes pictures any more
LATE_S = 1.5  # what was taken longer ago is not the table as it is now
PHONE_WAIT_S = 0.5


class PhoneError(WordsError):
    """A phone's picture is not taken."""


class LateError(PhoneError):
    """The picture is too old, or its phone's clock was set by an earlier run of the program."""


@dataclass(frozen=True, slots=True)
class PhoneTold:
    """A phone's own figures; None and empty where its browser does not tell.

    Attributes:
        battery: percent.
        pressure: of its processor: nominal, fair, serious or critical.
        slowed: how many times longer than at first it takes to make a picture.
        lost: pictures that it made and did not bring here.
        turned: degrees by which its page was turned since it began; the picture is turned back.
    """

    battery: int | None = None
    charging: bool | None = None
    pressure: str = ""
    slowed: float | None = None
    lost: int = 0
    turned: int = 0


class Phone:
    """One phone; what it sent last, and how it fares.

    Attributes:
        device: the id of its session.
        came: pictures so far.
        skipped: replaced by newer ones before they were taken.
        refused: late or damaged.
    """

    def __init__(self, device: str, name: str, changed: threading.Condition) -> None:
        self.device = device
        self.name = name
        self.told = PhoneTold()
        self.came = self.skipped = self.refused = 0
        self.heard_s = 0.0
        self.placed = 0  # how often somebody has shown it where the table lies
        self.newest: Image | None = None
        self._changed = changed
        self._untaken = False

    def put(self, image: Image, told: PhoneTold) -> None:
        """A picture has come."""
        with self._changed:
            self.came += 1
            self.skipped += self._untaken
            self.newest, self.told, self._untaken = image, told, True
            self._changed.notify_all()

    def read(self) -> Image | None:
        """Its newest picture, once; waits a moment for it. None: none came."""
        with self._changed:
            self._changed.wait_for(lambda: self._untaken, PHONE_WAIT_S)
            image = self.newest if self._untaken else None
            self._untaken = False
            return image


class Phones:
    """The phones that watch one table; any thread.

    Args:
        now: seconds of a clock that does not go back.

    Attributes:
        run: names this run of the program: a phone's idea of `clock_ms` holds for it alone.
        is_admitted: whether a session is still let in.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.run = secrets.token_hex(4)
        self.is_admitted: Callable[[str], bool] = lambda _: True
        self._now = now
        self._changed = threading.Condition()
        self._phones: dict[str, Phone] = {}
        self._every_s = UNWATCHED_S
        self._taken_s = -UNTAKEN_S

    @property
    def clock_ms(self) -> int:
        """Now, as a phone is told it."""
        return round(self._now() * 1000)

    @property
    def watching(self) -> tuple[Phone, ...]:
        """The phones, in the order in which they came; those that were let out are gone."""
        with self._changed:
            for device in [each for each in self._phones if not self.is_admitted(each)]:
                del self._phones[device]
            return tuple(self._phones.values())

    def find(self, device: str, name: str = "") -> Phone:
        """The phone of a session; a new one takes a place.

        Raises:
            PhoneError: two others watch already.
        """
        known = {each.device: each for each in self.watching}
        with self._changed:
            phone = known.get(device)
            if phone is None:
                if len(self._phones) >= MOST_PHONES:
                    left = min(self._phones.values(), key=lambda each: each.heard_s)
                    if self._now() - left.heard_s < LEFT_S:
                        names = [each.name for each in self._phones.values()]
                        raise PhoneError.told("two_watch", names=names[0], names_2=names[1])
                    del self._phones[left.device]
                phone = self._phones[device] = Phone(device, name, self._changed)
            phone.heard_s = self._now()
            phone.name = name or phone.name
            return phone

    def hand_in(
        self, device: str, name: str, data: bytes, told: PhoneTold, taken_ms: int, run: str
    ) -> Phone:
        """Take a picture of a phone.

        Args:
            taken_ms: when it was taken, by `clock_ms` as the phone knows it.
            run: as it knows it.

        Raises:
            PhoneError: there is no place for it; or, a `LateError`, it shows how it was.
            PictureError: it is no picture.
        """
        phone = self.find(device, name)
        age_s = self._now() - taken_ms / 1000
        try:
            if run != self.run or not -LATE_S < age_s <= LATE_S:
                raise LateError.told("too_old", age_s=f"{age_s:.1f}")
            image = decode_frame(data, name or "the phone")
        except Exception:
            phone.refused += 1
            raise
        phone.put(image, told)
        return phone

    @property
    def wanted_s(self) -> float:
        """How long it is to wait from one picture to the next."""
        with self._changed:
            unwatched = self._now() - self._taken_s > UNTAKEN_S
            return UNWATCHED_S if unwatched else self._every_s

    def want(self, *, busy: bool) -> None:
        """Pictures are being taken, and how many are wanted."""
        with self._changed:
            self._taken_s = self._now()
            self._every_s = BUSY_PICTURE_S if busy else CALM_PICTURE_S

    def source(self) -> SourceKind:
        """The first phone as a source, for trying."""
        return SourceKind(lambda: _First(self), THE_PHONE, is_live=True, waits=True)


class _First:
    """The pictures of whichever phone came first."""

    def __init__(self, phones: Phones) -> None:
        self._phones = phones

    def read(self) -> Image | None:
        """Its newest picture; None: none came for a moment."""
        self._phones.want(busy=False)
        watching = self._phones.watching
        if not watching:
            time.sleep(PHONE_WAIT_S)
            return None
        return watching[0].read()


# --- How it fares, in words

LOW_BATTERY = 20  # percent
TOO_SLOW = 2.5  # times as long as at first: a hot phone slows itself down


def remark(name: str, told: PhoneTold) -> Words:
    """Advice on a phone to a person; nothing while it fares well."""
    if told.battery is not None and told.battery <= LOW_BATTERY and not told.charging:
        return phrase("phones.battery_is_at_plug", name=name, battery=told.battery)
    if told.pressure in ("serious", "critical"):
        return phrase("phones.is_overloaded_or_hot", name=name)
    if told.slowed is not None and told.slowed >= TOO_SLOW:
        return phrase("phones.takes_times_as_long", name=name, slowed=f"{told.slowed:.1f}")
    return NOTHING


def figures(phone: Phone) -> Words:
    """The phone's own figures, in one line."""
    told = phone.told
    lost = told.lost + phone.refused
    said = [
        Words("{n} pictures", "{n} 张画面", n=phone.came),
        Words("{n} lost", "丢失 {n} 张", n=lost),
    ]
    if told.battery is not None:
        charging = Words(" (charging)", "（充电中）") if told.charging else NOTHING
        said.append(phrase("phones.battery", n=told.battery, charging=charging))
    if told.pressure:
        load = _PRESSURES.get(told.pressure, same(told.pressure))
        said.append(Words("load {load}", "负荷 {load}", load=load))
    if told.slowed is not None:
        said.append(phrase("phones.times_as_slow", slowed=f"{told.slowed:.1f}"))
    if told.turned:
        said.append(Words("turned by {n}°", "已转 {n}°", n=told.turned))
    return Words("{name}: {said}.", "{name}：{said}。", name=phone.name, said=joined(said, COMMA))


_PRESSURES = {
    "nominal": Words("nominal", "正常"),
    "fair": Words("fair", "尚可"),
    "serious": Words("serious", "较高"),
    "critical": Words("critical", "过高"),
}
