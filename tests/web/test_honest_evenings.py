"""Each hand of every honest evening verifies: names said, renamed, moved, corrected, restored."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from table_assist.cli.main import main
from table_assist.game.events import HandStarted, SeatsChanged, Settled
from table_assist.game.fold import replay
from table_assist.game.people import seated
from table_assist.live.live_table import LiveTable
from table_assist.record.dispute.file import read_dispute
from table_assist.record.snapshot import Snapshot
from table_assist.record.store import Store
from table_assist.rules.registry import find_rules
from table_assist.settings.config import Config, LogConfig, RulesConfig
from table_assist.tiles.tile import Tile
from table_assist.trust.installation import open_key
from tests.evidence.dispute.test_dispute import evening as simulated
from tests.stages.phone import Phone, sit
from tests.stages.visitor import HERE, OTHER, PHONE, Visitor
from tests.stages.web_fakes import NAMES, FakeTable
from tests.web.test_pairing import let_in
from web import create_app
from web.serve import serve
from web.view.present import present
from web.view.vocabulary import person_names

SAID = ("Ann", "Bo", "小赵", "Du")
WON = ["1m", "2m", "3m", "4m", "5m", "6m", "7s", "8s", "9s", "1p", "2p", "3p", "5s", "5s"]


class Evening:
    """A table with its server: what is kept is its log alone."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log.sqlite"
        self.phones: list[Phone] = []
        self.begin()

    def begin(self) -> None:
        config = Config(rules=RulesConfig(id="wanzhou"), log=LogConfig(str(self.log)))
        self.table = LiveTable(config, camera=None, reader=None, vouches=open_key().public)
        self.table.start()
        app = create_app(self.table, host="0.0.0.0")
        self.serving = serve(app, port=0)
        self.key: str = app.extensions["evening_key"]
        self.port = int(self.serving.url.rstrip("/").rsplit(":", 1)[1])
        self.desk = Phone(self.port, 1)

    def end(self) -> None:
        self.serving.close()
        self.table.stop()

    def sit(self) -> None:
        self.phones = sit(self.port, self.key, SAID)

    def do(self, phone: Phone, path: str, **body: object) -> None:
        status, said = phone.post(f"/api/{path}", body)
        assert status == 200, said

    def win(self, seat: int = 1) -> None:
        teller = self.phones[seat] if self.phones else self.desk
        hand = {"seat": seat, "concealed": WON, "winning_tile": "5s"}
        self.do(teller, "tell", hand=hand, dealer=None if self.table.snapshot.state.hand else 0)
        seen = self.desk.json("/api/table")["acceptance"]["seen"]
        for payer in {0, 1, 2, 3} - {seat}:
            phone = self.phones[payer] if self.phones else self.desk
            self.do(phone, "accept", seat=payer, seen=seen)


def silent(evening: Evening) -> None:
    evening.win()


def names_said(evening: Evening) -> None:
    evening.sit()
    evening.win()


def renamed(evening: Evening) -> None:
    names_said(evening)
    evening.do(evening.phones[1], "name", seat=1, name="Bartholomew")
    evening.win(2)


def cheated(evening: Evening) -> None:
    """Du tries it every way, with two phones and none of the others; what is honest stands."""
    names_said(evening)
    du, scores = evening.phones[3], list(evening.table.snapshot.state.scores)
    hand = {"seat": 3, "concealed": WON, "winning_tile": "5s"}
    other = Phone(evening.port, 9)
    for phone, path, body in (
        (other, "pair/sit", {"key": evening.key, "seat": 3, "name": "Bo\u200b"}),  # Bo once more
        (other, "pair/sit", {"key": evening.key, "seat": 1, "name": "Eve"}),
        (du, "name", {"seat": 3, "name": "Во"}),
        (du, "name", {"seat": 1, "name": "Nobody"}),
        (du, "tell", {"hand": hand | {"seat": 1, "discarder": 0}}),  # Bo's hand, otherwise
        (du, "accept", {"seat": 0, "seen": "2 3 -8-8-8+24"}),
        (du, "withdraw", {"seat": 1}),
        (du, "game", {"points": 100, "floor": None, "length": 0}),  # and all begin anew
        (du, "rule", {"seat": 1, "transfers": [0, -9, 0, 9], "reason": "late"}),
        (du, "correct", {"seq": 3, "event": {"type": "Discarded", "seat": 0, "tile": "1m"}}),
        (du, "undo", {"seq": 3}),
        (du, "settle", {"seen": ""}),
        (du, "seats", {"came_from": [3, 0, 1, 2]}),
        (du, "devices/revoke", {"device": "0"}),
        (other, "house", {"text": "", "names": []}),
        (other, "camera/pair", {"name": "x"}),
        (other, "admin/password", {"password": "correct horse"}),
    ):
        status, said = phone.post(f"/api/{path}", body)
        assert status in (400, 403, 404, 405, 409), (path, said)
    assert list(evening.table.snapshot.state.scores) == scores
    evening.win(2)


def seats_changed(evening: Evening) -> None:
    names_said(evening)
    evening.do(evening.desk, "seats", came_from=[1, 2, 3, 0])
    evening.phones = evening.phones[1:] + evening.phones[:1]
    evening.win(2)


def corrected(evening: Evening) -> None:
    names_said(evening)
    evening.do(evening.phones[0], "withdraw", seat=0)
    seen = evening.desk.json("/api/table")["acceptance"]["seen"]
    evening.do(evening.phones[0], "accept", seat=0, seen=seen)


def restarted(evening: Evening) -> None:
    names_said(evening)
    evening.end()
    evening.phones = []
    evening.begin()
    evening.win(3)


def restored(evening: Evening) -> None:
    """The log is written anew by its rows, as a backup's is, and the evening goes on."""
    names_said(evening)
    evening.end()
    given = evening.log.rename(evening.log.with_name("given.sqlite"))
    with Store(given, reads_only=True) as store:
        store.copy_to(evening.log)
    evening.phones = []
    evening.begin()
    evening.win(3)


def followed(evening: Evening) -> None:
    evening.end()
    evening.log.unlink()
    with Store(evening.log) as store:
        store.append(simulated("wanzhou"))
    evening.begin()
    evening.sit()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.end()


@pytest.mark.parametrize(
    "play",
    [silent, names_said, cheated, renamed, seats_changed, corrected, restarted, restored, followed],
)
def test_every_hand_of_an_honest_evening_verifies(
    table: Evening, play: Callable[[Evening], None], tmp_path: Path
) -> None:
    play(table)
    seals = table.desk.json("/api/seals")["hands"]
    assert seals
    named = set[tuple[str, ...]]()
    for each in seals:
        path = tmp_path / "hand.zip"
        path.write_bytes(table.desk.get(f"/api/disputes/{each['hand']}/file")[1])
        assert main(["verify", str(path)]) == 0
        assert main(["verify", str(path), "--seal", each["seal"]]) == 0
        names = read_dispute(path).manifest["names"]
        assert isinstance(names, list)
        named.add(tuple(names))
    if play is renamed:
        assert {each[1] for each in named} == {"Bo", "Bartholomew"}


ROUND_OVER = (
    HandStarted(1, "classical", 3, 75, dead=16),
    Settled((1,), (-10, 30, -10, -10), 0, (), Tile.SOUTH),
)
MOVED = SeatsChanged((2, 0, 1, 3), east=2)


def table_after(*events: object) -> Snapshot:
    state = replay(events)  # type: ignore[arg-type]
    names = seated(NAMES, state.people)
    return Snapshot(len(events), 9.0, names, find_rules("classical"), state, ())


def test_the_page_asks_for_new_seats_once_and_shows_them() -> None:
    before, after = table_after(*ROUND_OVER), table_after(*ROUND_OVER, MOVED)
    assert present(before)["new_seats"]
    view = present(after)
    assert not view["new_seats"]
    assert [seat["name"] for seat in view["seats"]] == [NAMES[2], NAMES[0], NAMES[1], NAMES[3]]
    assert [seat["score"] for seat in view["seats"]] == [-10, -10, 30, -10]
    assert person_names(after) == NAMES


def test_a_phone_follows_its_player() -> None:
    table = FakeTable(table_after(*ROUND_OVER))
    app = create_app(table)
    desk, phone = Visitor(app, HERE), Visitor(app, PHONE)
    let_in(desk, phone, {"role": "seat", "seat": 1})
    assert phone.get("/api/me").json["seat"] == 1
    table.publish(table_after(*ROUND_OVER, MOVED))
    assert phone.get("/api/me").json["seat"] == 2
    assert [each["seat"] for each in desk.get("/api/devices").json["devices"]] == [2]
    other = Visitor(app, OTHER)
    let_in(desk, other, {"role": "seat", "seat": 1})
    table.publish(table_after(*ROUND_OVER))
    assert other.get("/api/me").json["seat"] == 0


@pytest.mark.parametrize("people", [(0, 1, 2, 3), (2, 0, 1, 3)])
def test_an_earlier_hand_is_told_with_the_names_of_those_who_played_it(
    people: tuple[int, int, int, int],
) -> None:
    snapshot = table_after(*ROUND_OVER)
    state = replace(snapshot.state, people=people)
    moved = replace(snapshot, state=state, names=seated(NAMES, people))
    assert person_names(moved) == NAMES
