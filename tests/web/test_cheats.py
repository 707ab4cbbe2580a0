"""A cheat at a table with phones: each of these ways was tried, and none moves a point."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_assist.game.events import Event, HandShown, HandStarted, WallBuilt, WinDeclared
from table_assist.game.start import told_hand_started
from table_assist.game.state import TableState
from table_assist.live.live_table import LiveTable
from table_assist.record.log import Entry, Source
from table_assist.record.snapshot import SourceHealth
from table_assist.record.store import Store
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.settings.config import Config, LogConfig, RulesConfig, SeatsConfig
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.phone import Phone, let_in, sit
from tests.stages.visitor import page_token
from web import create_app
from web.serve import serve

NAMES = ("Ann", "Bo", "Chen", "Du")
WON = ["1m", "2m", "3m", "4m", "5m", "6m", "7s", "8s", "9s", "1p", "2p", "3p", "5s", "5s"]
JUNK = ["1m", "1m", "2m", "4m", "5m", "7m", "7s", "8s", "3s", "1p", "2p", "3p", "5s", "9s"]
FOUR_ALIKE = ["1m", "1m", "1m", "1m", "3m", "3m", "3m", "9p", "9p", "9p", "9p", "7p", "7p", "7p"]


class Table:
    """A table with its server, and what its own machine says."""

    def __init__(self, live: LiveTable, port: int, key: str) -> None:
        self.live, self.port, self.key = live, port, key
        self.desk = Phone(port, 1)

    def sit(self) -> list[Phone]:
        if self.live.snapshot.is_followed:
            return [let_in(self.port, 2 + n, n, name) for n, name in enumerate(NAMES)]
        return sit(self.port, self.key, NAMES)

    @property
    def scores(self) -> list[int]:
        return list(self.live.snapshot.state.scores)


@contextmanager
def opened(
    folder: Path,
    rules: str,
    *,
    followed: bool = False,
    names: tuple[str, ...] = SeatsConfig().names,
) -> Iterator[Table]:
    log = LogConfig(str(folder / "log.sqlite"))
    config = Config(rules=RulesConfig(id=rules), log=log, seats=SeatsConfig(names))
    live = LiveTable(config, camera=None, reader=None)
    if followed:
        live.eyes.health = lambda: SourceHealth("camera", "live", last_t=time.time())  # type: ignore[method-assign]
    live.start()
    app = create_app(live, host="0.0.0.0")
    serving = serve(app, port=0)
    try:
        yield Table(live, int(serving.url.split(":")[2].strip("/")), app.extensions["evening_key"])
    finally:
        serving.close()
        live.stop()


@pytest.mark.parametrize("name", ["Bo\u200b", "Во", "bo ", "B0", "seat 3", "3 号位"])
def test_nobody_sits_down_under_a_name_that_looks_like_another(tmp_path: Path, name: str) -> None:
    with opened(tmp_path, "wanzhou") as table:
        sit(table.port, table.key, ("Ann", "Bo"))
        body = {"key": table.key, "seat": 3, "name": name}
        status, said = Phone(table.port, 9).post("/api/pair/sit", body)
        assert status == 409, said


def test_a_name_goes_with_its_phone_and_one_of_the_settings_stays(tmp_path: Path) -> None:
    """Else who moves is called as who sat there before, and the points are another's."""
    with opened(tmp_path, "wanzhou", names=("Seat 1", "Seat 2", "Chen", "Seat 4")) as table:
        ann, bo = sit(table.port, table.key, ("Ann", "Bo"))
        assert bo.post("/api/leave", {})[0] == 200
        for seat, name, status in ((1, "Ann", 200), (3, "Chen", 409), (3, "Bo", 200)):
            body = {"key": table.key, "seat": seat, "name": name}
            assert (bo if seat == 3 else ann).post("/api/pair/sit", body)[0] == status
        assert table.live.snapshot.names == ("Seat 1", "Ann", "Chen", "Bo")
        assert bo.post("/api/name", {"seat": 3, "name": "chen"})[0] == 409


@pytest.mark.parametrize("watches", [True, False])
def test_two_players_give_away_no_seat_whose_own_phone_watches(
    tmp_path: Path, watches: bool
) -> None:
    with opened(tmp_path, "wanzhou") as table:
        ann, bo, chen, _ = table.sit()
        if watches:
            line = bo.watch()
        thief = Phone(table.port, 9)
        offered = thief.post("/api/pair/offer", {"role": "seat", "seat": 1})[1]
        assert thief.post("/api/pair/ask", {"code": offered["code"], "name": "Bob"})[0] == 200
        (asked,) = bo.json("/api/pair/waiting")["waiting"]
        assert asked["replaces"]
        for cheat in (ann, chen):
            cheat.post("/api/pair/decide", {"request": asked["request"], "allow": True})
        assert thief.post("/api/pair/enter", {})[0] == (409 if watches else 200)
        assert bo.json("/api/me")["role"] == ("seat" if watches else "television")
        if watches:
            line.close()


@pytest.mark.parametrize("seats", [(0, 1), (0, 0)])
def test_of_two_that_sit_down_at_once_under_one_name_one_does(
    tmp_path: Path, seats: tuple[int, int]
) -> None:
    with opened(tmp_path, "wanzhou") as table, ThreadPoolExecutor(2) as both:
        phones = [Phone(table.port, 9 + seat) for seat in range(2)]
        body = {"key": table.key, "name": "Twin"}
        tried = [
            both.submit(phone.post, "/api/pair/sit", body | {"seat": seat})
            for seat, phone in zip(seats, phones, strict=True)
        ]
        came = [each.result()[0] for each in tried]
        assert sorted(came) == [200, 409]


def test_two_tables_of_one_machine_keep_a_phone_each(tmp_path: Path) -> None:
    """One browser keeps the cookies of all ports of a machine together."""
    with opened(tmp_path / "a", "wanzhou") as one, opened(tmp_path / "b", "wanzhou") as two:
        (phone,) = sit(one.port, one.key, ("Ann",))
        (other,) = sit(two.port, two.key, ("Ann",))
        other.cookies |= phone.cookies
        phone.cookies = other.cookies
        assert [each.json("/api/me")["role"] for each in (phone, other)] == ["seat", "seat"]


def test_a_name_is_no_person(tmp_path: Path) -> None:
    """Du calls his phone as Bo is called; what Bo told stays."""
    with opened(tmp_path, "wanzhou") as table:
        _, bo, _, _ = table.sit()
        hand = {"seat": 1, "concealed": WON, "winning_tile": "5s"}
        assert bo.post("/api/tell", {"hand": hand, "dealer": 0})[0] == 200
        du = let_in(table.port, 9, 3, "Bo")
        status, _ = du.post("/api/tell", {"hand": hand | {"discarder": 2}, "dealer": 0})
        assert status == 403
        by = [e.by for e in table.live.entries() if isinstance(e.event, WinDeclared)]
        assert len(by) == 1
        assert by[0].startswith("Bo (seat 2, ")
        assert table.live.snapshot.names[3] != "Bo"


@pytest.mark.parametrize("teller", [3, 1])
def test_the_accused_has_a_voice(tmp_path: Path, teller: int) -> None:
    """Who told it or not: a false win is not dead by the word of those who gain by that."""
    with opened(tmp_path, "classical") as table:
        phones = table.sit()
        hand = {"seat": 1, "concealed": JUNK, "winning_tile": "9s"}
        assert phones[teller].post("/api/tell", {"hand": hand, "dealer": 0})[0] == 200
        (asked,) = table.desk.json("/api/table")["questions"]
        for seat in (3, 2, 0):
            phones[seat].post("/api/answer", {"question": asked["id"], "answer": "yes"})
            (asked,) = phones[0].json("/api/table")["questions"]
        assert "does not gain" in asked["choices"][0]["waits_for"]["en"]
        assert not table.live.snapshot.state.refused
        assert phones[1].post("/api/answer", {"question": asked["id"], "answer": "no"})[0] == 200
        assert not table.live.snapshot.state.shown


def test_who_wins_has_a_voice_in_a_hand_that_another_told(tmp_path: Path) -> None:
    with opened(tmp_path, "wanzhou") as table:
        phones = table.sit()
        hand = {"seat": 1, "concealed": WON, "winning_tile": "5s"}
        assert phones[3].post("/api/tell", {"hand": hand, "dealer": 0})[0] == 200
        seen = table.desk.json("/api/table")["acceptance"]["seen"]
        for seat in (0, 2, 3, 1):
            assert table.scores == [0, 0, 0, 0]
            phones[seat].post("/api/accept", {"seat": seat, "seen": seen})
        assert table.scores == [-2, 6, -2, -2]


def test_at_a_followed_table_nobody_declares_another_one_s_win(tmp_path: Path) -> None:
    with opened(tmp_path, "wanzhou", followed=True) as table:
        phones = table.sit()
        table.desk.post("/api/start", {"seat": 0})
        hand = {"seat": 1, "concealed": WON, "winning_tile": "5s"}
        assert phones[3].post("/api/tell", {"hand": hand})[0] == 403
        assert phones[3].post("/api/win", {"seat": 1})[0] == 403
        assert phones[3].post("/api/ready", {"seat": 1})[0] == 403


def test_nothing_gives_advice_on_a_hand_that_is_played(tmp_path: Path) -> None:
    with opened(tmp_path, "wanzhou", followed=True) as table:
        phones = table.sit()
        table.desk.post("/api/start", {"seat": 0})
        hand = {"seat": 1, "concealed": WON[:13], "winning_tile": None}
        whole = {"seat": 1, "concealed": WON, "winning_tile": "5s"}
        for who in (phones[1], table.desk, phones[1]):
            assert who.post("/api/waits", {"hand": hand, "dealer": 0})[0] == 409
            assert who.post("/api/bigger", {"hand": whole, "dealer": 0})[0] == 409
            assert who.post("/api/told", {"hand": whole, "dealer": 0})[0] == 409
            tell = {"command": "tell", "body": {"hand": whole}}
            assert who.post("/api/preview", tell)[0] == 409
            phones[2].post("/api/win", {"seat": 2})  # it may be refused, and the others play on
        assert phones[2].post("/api/told", {"hand": whole | {"seat": 2}, "dealer": 0})[0] == 200


def test_a_settlement_that_rests_on_what_was_told_waits_for_all_payers(tmp_path: Path) -> None:
    """A dealt hand that scores, told by who gains; then another one wins, seen by the camera."""
    with opened(tmp_path, "changsha", followed=True) as table:
        phones = table.sit()
        table.desk.post("/api/start", {"seat": 0})
        told = phones[0].post("/api/opening", {"seat": 0, "tiles": FOUR_ALIKE})
        assert told[0] == 200, told
        phones[1].post("/api/win", {"seat": 1})
        hand = {"seat": 1, "concealed": WON, "winning_tile": "5s"}
        assert phones[1].post("/api/tell", {"hand": hand})[0] == 200
        birds = table.desk.json("/api/table")
        assert birds["settles_at"] is None
        assert table.scores == [0, 0, 0, 0]


def camera_log(rules: str, *events: Event) -> list[Entry]:
    profile = plain_profile(find_rules(rules))
    started = told_hand_started(profile, TableState(), 0)
    assert isinstance(started, HandStarted)
    every = (WallBuilt(), started, *events)
    t = time.time() - 60
    return [Entry(n, t + n, Source.CAMERA, each) for n, each in enumerate(every, start=1)]


def test_who_wins_does_not_name_the_unread_tile_of_the_own_hand_alone(tmp_path: Path) -> None:
    shown = HandShown(1, parse_tiles("111m2345678m999m?"), Tile.M9, self_drawn=True)
    with Store(tmp_path / "log.sqlite") as store:
        store.append(camera_log("wanzhou", WinDeclared(1), shown))
    with opened(tmp_path, "wanzhou") as table:
        phones = table.sit()
        asked = table.desk.json("/api/table")["questions"][0]
        answer = {"question": asked["id"], "answer": "5m"}
        assert phones[1].post("/api/answer", answer)[0] == 200
        assert asked["id"] in [q["id"] for q in table.desk.json("/api/table")["questions"]]
        assert phones[0].post("/api/answer", answer)[0] == 200, "who pays has a voice"
        shown_now = table.desk.json("/api/table")
        assert shown_now["settles_at"] is None
        assert shown_now["acceptance"]["by"] == "payers"
        assert table.scores == [0, 0, 0, 0]


def lines_of(height: int, width: int) -> bytes:
    made = cv2.imencode(".jpg", np.zeros((height, width, 3), np.uint8))[1]
    return bytes(made)


def test_pictures_of_one_phone_leave_the_table_to_the_others(tmp_path: Path) -> None:
    """Fourteen large pictures at once: an objection gets through; a line is no picture."""
    with opened(tmp_path, "wanzhou") as table:
        ann, bo, _, _ = table.sit()
        token = page_token(ann.get("/tv")[1].decode())
        large = lines_of(2000, 10_000)

        def send(_: int) -> int:
            return ann.send("/api/house/picture", large, "image/jpeg", token)[0]

        with ThreadPoolExecutor(14) as many:
            sent = many.map(send, range(14))
            before = time.monotonic()
            assert bo.get("/api/table")[0] == 200
            assert time.monotonic() - before < 5.0
            assert set(sent) <= {422, 503}
        assert ann.send("/api/house/picture", lines_of(20, 65_000), "image/jpeg", token)[0] == 422
