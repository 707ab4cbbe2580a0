"""Phones that watch a table: who may, how fast, and what is never taken for the table as it is."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.live.evening import Clock
from table_assist.live.phones import (
    BUSY_PICTURE_S,
    CALM_PICTURE_S,
    LATE_S,
    LEFT_S,
    UNTAKEN_S,
    UNWATCHED_S,
    LateError,
    PhoneError,
    Phones,
    PhoneTold,
    figures,
    remark,
)
from table_assist.vision.pictures.picture import Image, PictureError

FINE = PhoneTold()


@pytest.fixture
def clock() -> Clock:
    return Clock(1000.0)


@pytest.fixture
def phones(clock: Clock) -> Phones:
    return Phones(clock)


def as_jpeg(image: Image, *options: int) -> bytes:
    return bytes(cv2.imencode(".jpg", image, list(options))[1])


def picture(width: int = 640, height: int = 480) -> Image:
    return np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8)


def send(phones: Phones, device: str = "a", data: bytes = b"", age_s: float = 0.0) -> None:
    taken_ms = round(phones.clock_ms - age_s * 1000)
    phones.hand_in(
        device, f"phone {device}", data or as_jpeg(picture()), FINE, taken_ms, phones.run
    )


def test_the_newest_picture_waits_and_is_read_once(phones: Phones) -> None:
    send(phones)
    send(phones)
    phone = phones.watching[0]
    assert phone.read() is not None
    assert (phone.came, phone.skipped) == (2, 1)
    phone_waits = phone.read()
    assert phone_waits is None, "the same picture is not the table as it is now"


def test_two_phones_watch_and_a_third_is_told_so_until_one_has_left(
    phones: Phones, clock: Clock
) -> None:
    send(phones, "a")
    send(phones, "b")
    with pytest.raises(PhoneError, match="phone a and phone b watch this table already"):
        send(phones, "c")
    clock.t += LEFT_S - 1
    send(phones, "b")
    clock.t += 2
    send(phones, "c")
    assert {each.device for each in phones.watching} == {"b", "c"}


def test_a_phone_that_was_let_out_is_gone_at_once(phones: Phones) -> None:
    send(phones, "a")
    phones.is_admitted = lambda device: device != "a"
    assert phones.watching == ()


@pytest.mark.parametrize("age_s", [LATE_S + 0.1, 60.0, -LATE_S - 0.1])
def test_a_picture_of_some_time_ago_is_not_taken(phones: Phones, age_s: float) -> None:
    with pytest.raises(LateError):
        send(phones, age_s=age_s)
    assert phones.watching[0].newest is None
    assert phones.watching[0].refused == 1


def test_a_clock_of_an_earlier_run_is_none(phones: Phones) -> None:
    with pytest.raises(LateError):
        phones.hand_in("a", "a", as_jpeg(picture()), FINE, phones.clock_ms, "before")


def test_the_table_asks_for_five_to_ten_a_second_while_it_looks(
    phones: Phones, clock: Clock
) -> None:
    assert phones.wanted_s == UNWATCHED_S
    phones.want(busy=False)
    assert phones.wanted_s == CALM_PICTURE_S == 0.2
    phones.want(busy=True)
    assert phones.wanted_s == BUSY_PICTURE_S == 0.1
    clock.t += UNTAKEN_S + 0.1
    assert phones.wanted_s == UNWATCHED_S


def huge() -> bytes:
    """A small picture whose header says that it has 400 megapixels."""
    data = bytearray(as_jpeg(picture()))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = (20_000).to_bytes(2, "big") * 2
    return bytes(data)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (huge, "20000 × 20000"),
        (lambda: as_jpeg(picture(), cv2.IMWRITE_JPEG_PROGRESSIVE, 1), "progressive"),
        (lambda: as_jpeg(picture(100, 100)), "100 × 100"),
        (lambda: as_jpeg(picture())[:5000], "cut short"),
        (lambda: bytes(cv2.imencode(".png", picture())[1]), "no JPEG"),
        (lambda: b"\xff\xd8\xff", "cut short"),
        (lambda: b"nothing", "no JPEG"),
    ],
)
def test_what_is_no_plain_picture_is_refused_before_it_is_decoded(
    phones: Phones, make: Callable[[], bytes], why: str
) -> None:
    with pytest.raises(PictureError, match=why):
        send(phones, data=make())
    assert phones.watching[0].refused == 1


@given(st.binary(max_size=300))
def test_no_bytes_do_anything_but_be_refused(tail: bytes) -> None:
    phones = Phones(Clock(1000.0))
    for data in (tail, b"\xff\xd8\xff" + tail):
        with pytest.raises(PictureError):
            send(phones, data=data or b"\0")


@pytest.mark.parametrize(
    ("told", "says"),
    [
        (PhoneTold(battery=15, charging=False), "at 15 %. Plug it in"),
        (PhoneTold(battery=15, charging=True), ""),
        (PhoneTold(pressure="critical"), "overloaded or hot"),
        (PhoneTold(slowed=3.0), "3.0 times as long"),
        (PhoneTold(battery=80, pressure="fair", slowed=1.2), ""),
    ],
)
def test_what_a_person_should_do_about_a_phone_is_said(told: PhoneTold, says: str) -> None:
    words = remark("Shelf", told)
    assert says in words.en
    assert bool(words.en) == bool(says) == bool(words.zh)


def test_a_phone_s_figures_are_told_as_far_as_its_browser_tells_them(phones: Phones) -> None:
    send(phones)
    phone = phones.watching[0]
    assert figures(phone).en == "phone a: 1 pictures, 0 lost."
    phone.told = PhoneTold(80, True, "nominal", 1.4, 3, 90)
    assert figures(phone).en == (
        "phone a: 1 pictures, 3 lost, battery 80 % (charging), load nominal, "
        "1.4 times as slow as at first, turned by 90°."
    )
