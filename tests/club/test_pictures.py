"""Pictures of great hands: given where the owner allows it, and only those that the log knows."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from table_assist.club.acts import ActKind
from table_assist.club.calling import HubLine
from table_assist.club.hub.archive import archive_lines, rebuild
from table_assist.club.hub.database import files, open_base, orders, pictures, pieces
from table_assist.club.hub.desk import hall, open_alarms
from table_assist.club.hub.files import ask_pictures, redrawn, take_pictures
from table_assist.club.orders import Order, OrderKind, kept_orders
from table_assist.club.sending import Sending, is_won, shown, turns_of, vouched_for, why_no_picture
from table_assist.club.standing import GREAT, PICTURED, Won, WonHand, best_of_each, great, won_hands
from table_assist.game.events import Attested, HandShown, Settled
from table_assist.record.crop import readings_json
from table_assist.record.evidence import Evidence
from table_assist.record.log import Retracted
from table_assist.record.snapshot import Snapshot
from table_assist.vision.pictures.picture import PictureError
from table_assist.vision.pictures.small import HIGHEST, MOST_SMALL_BYTES, WIDEST, small_jpeg
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.club.test_acts import Evening
from tests.evidence.test_store import seen
from tests.stages.club_table import ClubTable
from tests.stages.evenings import played
from tests.stages.visitor import Visitor
from web.club.app import close_club_app, create_club_app

pytestmark = pytest.mark.usefixtures("counted")

HANDS = 4
CORNERS = ((0.0, 800.0), (800.0, 800.0), (800.0, 0.0), (0.0, 0.0))  # near left, and so on


def noise(width: int = 900, height: int = 300, seed: int = 1) -> bytes:
    """A JPEG that is hard to make small."""
    pixels = np.random.default_rng(seed).integers(0, 255, (height, width, 3), np.uint8)
    return bytes(cv2.imencode(".jpg", pixels)[1])


class Pictured(Evening):
    """A session that is published, a table whose owner allows pictures, and hands that were won."""

    def __init__(self, app: Flask, folder: Path, *, allows: bool = True) -> None:
        super().__init__(app, folder, tables=1, players=4)
        self.kept: dict[str, Evidence] = {}
        self.asked: set[str] = set()
        table, uplink = self.tables[0], self.uplinks[0]
        self.key, self.ledger = app.extensions["hub_key"], app.extensions["ledger"]
        seen = self.kept.get if allows else None
        uplink._files = Sending(None, uplink._line, table.key, self.key.public, seen=seen)

        def view(snapshot: Snapshot) -> dict[str, Any]:
            return {"hand": snapshot.state.hand, **({"pictures": True} if allows else {})}

        uplink._view = view
        four = [self.ids()[f"P{n}"] for n in (1, 2, 3, 4)]
        self.do("seats", session=1, round=1, table=hall(self.base)[0].id, players=four)
        self.do("publish", session=1, public=True)
        self.up()
        table.play(3, HANDS)
        for entry in table.entries():
            if isinstance(entry.event, HandShown):
                self.photograph(entry.seq)
        self.up()

    def photograph(self, seq: int) -> None:
        """Keep a picture of the entry, and have the log vouch for it."""
        made = Evidence(f"e{seq}", 1.0, b"whole", "{}", noise(300, 100, seed=seq))
        self.kept[made.id] = made
        self.tables[0].tell(Attested("picture", (str(seq), made.digest)))

    def won(self) -> list[dict[str, Any]]:
        """What strangers see of the hands won, by player."""
        stranger = Visitor(self.app, "10.0.0.9")
        found = []
        for player in self.ids().values():
            found += stranger.get(f"/api/player/{player}").get_json()["won"]
        return found

    def ask(self) -> None:
        """As the hub does now and then: asked, sent, the answers come up, and are looked at."""
        ask_pictures(self.base, self.key, self.ledger, self.asked)
        self.up()
        self.up()
        take_pictures(self.base)

    def count(self, table: Any) -> int:
        with self.base.connect() as connection:
            return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def here(content: bytes, turns: int) -> bytes | None:
    """As `redrawn`, without a process of its own for each."""
    try:
        return small_jpeg(content, turns)
    except PictureError:
        return None


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table_assist.club.hub.files.redrawn", here)


@pytest.fixture
def evening(app: Flask, tmp_path: Path, quick: None) -> Pictured:
    return Pictured(app, tmp_path)


def test_the_best_hands_get_their_pictures_and_no_others(evening: Pictured) -> None:
    assert all(each["picture"] is None for each in evening.won())
    evening.ask()
    own = [(each["hand"], each["picture"]) for each in evening.won()]
    with_picture = [picture for _, picture in own if picture]
    assert with_picture
    asked = [
        each.order for each in kept_orders(evening.tables[0].entries())
        if each.order.kind is OrderKind.PICTURE
    ]  # fmt: skip
    assert len(asked) == len(with_picture) <= 4 * PICTURED
    answer = Visitor(evening.app, "10.0.0.9").get(f"/api/picture/{with_picture[0]}.jpg")
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert len(answer.data) <= MOST_SMALL_BYTES
    image = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    great = evening.director.get("/api/great").get_json()["hands"][0]
    assert great["picture"] in with_picture
    # Asked once, whoever asks: another process, and this one again.
    before = evening.count(orders)
    ask_pictures(evening.base, evening.key, evening.ledger, set())
    ask_pictures(evening.base, evening.key, evening.ledger, evening.asked)
    assert (evening.count(orders), take_pictures(evening.base)) == (before, 0)


def test_a_table_whose_owner_does_not_allow_it_is_not_asked_and_gives_none(
    app: Flask, tmp_path: Path
) -> None:
    evening = Pictured(app, tmp_path, allows=False)
    evening.ask()
    assert not [
        k for k in kept_orders(evening.tables[0].entries()) if k.order.kind is OrderKind.PICTURE
    ]
    # One that said so before, and does not allow it any more, refuses.
    evening.uplinks[0]._view = lambda _: {"hand": 1, "pictures": True}
    evening.up()
    evening.ask()
    kept = [
        k for k in kept_orders(evening.tables[0].entries()) if k.order.kind is OrderKind.PICTURE
    ]
    assert kept
    assert all(k.refused == "the table's owner lets the club have no pictures" for k in kept)
    assert evening.count(files) == 0


def test_a_table_is_asked_for_so_many_a_day(
    evening: Pictured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table_assist.club.hub.files.MOST_A_DAY", 1)
    monkeypatch.setattr("table_assist.club.hub.files.ASKED_AT_ONCE", 1)
    for _ in range(3):
        evening.ask()
    assert evening.count(pictures) == 1
    monkeypatch.setattr("table_assist.club.hub.files.DAY_S", 0.0)
    evening.ask()
    assert evening.count(pictures) == 2


def test_a_picture_is_of_what_everybody_may_see(evening: Pictured) -> None:
    evening.ask()
    picture = next(each["picture"] for each in evening.won() if each["picture"])
    stranger = Visitor(evening.app, "10.0.0.9")
    assert stranger.get(f"/api/picture/{picture}.jpg").status_code == 200
    evening.do("publish", session=1, public=False)
    assert stranger.get(f"/api/picture/{picture}.jpg").status_code == 404
    assert evening.director.get(f"/api/picture/{picture}.jpg").status_code == 200
    assert stranger.get("/api/picture/999.jpg").status_code == 404
    # Its file is none of a dispute.
    with evening.base.connect() as connection:
        file = connection.execute(select(pictures.c.file)).scalars().first()
    assert evening.director.get(f"/desk/file/{file}").status_code == 404


def test_a_deleted_picture_is_gone_and_comes_again_when_that_is_taken_back(
    evening: Pictured,
) -> None:
    evening.ask()
    listed = evening.director.get("/api/desk/pictures").get_json()["pictures"]
    one = listed[0]["picture"]
    held = evening.count(pictures), evening.count(files)
    evening.do("picture/remove", picture=one)
    assert evening.director.get(f"/api/picture/{one}.jpg").status_code == 404
    assert evening.director.give("/api/desk/picture/remove", picture=one)[0] == 409
    with evening.base.connect() as connection:
        orphans = select(func.count()).select_from(pieces).where(
            pieces.c.file.not_in(select(files.c.id))
        )  # fmt: skip
        assert connection.execute(orphans).scalar_one() == 0
    evening.ask()  # nobody asks for it by itself
    assert (evening.count(pictures), evening.count(files)) == (held[0] - 1, held[1] - 1)
    assert evening.undo(ActKind.PICTURE) == 200
    evening.ask()
    assert (evening.count(pictures), evening.count(files)) == held


@pytest.mark.parametrize("fault", ["another", "no jpeg", "a bomb", "damaged"])
def test_what_the_log_does_not_vouch_for_or_is_no_picture_is_an_alarm(
    evening: Pictured, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, honest = evening.tables[0], dict(evening.kept)
    content = {
        "another": noise(seed=99),
        "no jpeg": b"<svg onload=alert(1)>" * 20,
        "a bomb": bomb(),
        "damaged": noise()[:2000],
    }[fault]
    for id, each in honest.items():
        seq, other = int(id.removeprefix("e")), Evidence(id, 1.0, each.jpeg, "{}", content)
        evening.kept[id] = other
        assert "does not vouch" in why_no_picture(table.entries(), seq, other)
        if fault != "another":  # its log vouches for nonsense
            table.tell(Attested("picture", (str(seq), other.digest)))
    # A table whose program leaves its own check out.
    monkeypatch.setattr("table_assist.club.sending.why_no_picture", lambda *_: "")
    evening.up()
    evening.ask()
    assert (evening.count(pictures), evening.count(files), evening.count(pieces)) == (0, 0, 0)
    alarms = open_alarms(evening.base)
    assert {row.kind for row in alarms} == {"other picture" if fault == "another" else "picture"}
    assert "picture" in evening.director.get("/api/desk").get_json()["alarms"][0]["says"]["en"]


# What a table may write in place of the order that it has carried out, and whether the picture,
# which is the one that was asked for, is shown: of hand and entry the hub's own order counts.
FORGED: dict[str, tuple[dict[str, Any], bool]] = {
    "no entry": ({"content": {}}, True),
    "no numbers": ({"content": {"hand": "1", "entry": "one"}}, True),
    "another hand": ({"content": {"hand": 1, "entry": 1}}, True),
    "another kind": ({"kind": "message"}, True),
    "a file": ({"kind": "dispute"}, True),
    "no kind": ({"kind": "treasure"}, False),
    "no object": ({"content": [1]}, False),
    "half a character": ({"content": {"entry": "\ud800"}}, False),
    "another key": ({"key": "\0" * 32}, False),
    "digests of another": (
        {"answer": {"jpeg": "0" * 64, "readings": "0" * 64, "turns": 99}},
        False,
    ),
    "no digests": ({"answer": {"jpeg": 5, "readings": "g" * 64, "turns": "north"}}, False),
    "refused": ({"refused": "\0 no"}, True),
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_table_that_forges_the_order_in_its_log_stops_no_pictures(
    evening: Pictured, forged: str
) -> None:
    (changes, is_shown), table = FORGED[forged], evening.tables[0]
    vouch = table.vouch

    def forge(said: Attested) -> None:
        key, kind, content, by, signature, refused, answer = said.fields
        true = {
            "key": key, "kind": kind, "content": json.loads(content), "by": by,
            "signature": signature, "refused": refused, "answer": json.loads(answer),
        }  # fmt: skip
        written = {name: changes.get(name, value) for name, value in true.items()}
        texts = (each if isinstance(each, str) else json.dumps(each) for each in written.values())
        vouch(Attested("club", tuple(texts)))

    table.vouch = forge  # type: ignore[method-assign]
    ask_pictures(evening.base, evening.key, evening.ledger, evening.asked)
    for _ in range(3):
        evening.uplinks[0].turn()
    take_pictures(evening.base)
    own = select(orders.c.order).where(orders.c.kind == OrderKind.PICTURE)
    with evening.base.connect() as connection:
        shown = set(connection.execute(select(pictures.c.entry)).scalars())
        asked = {
            json.loads(order)["content"]["entry"] for order in connection.execute(own).scalars()
        }
    assert asked
    assert shown == (asked if is_shown else set())
    for path in ("desk", "desk/pictures", "desk/orders", "desk/files", "great", "player/1"):
        assert evening.director.get(f"/api/{path}").status_code == 200


def test_the_number_of_a_hand_is_the_tables_word(app: Flask, tmp_path: Path, quick: None) -> None:
    """No column holds it, and no order names it."""
    evening = Pictured(app, tmp_path)
    huge = [
        replace(each, won=replace(each.won, hand=number))
        for number in (10**30, 0, -1)
        for each in won_hands(evening.ledger.logs(), {1})
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("table_assist.club.hub.files.won_hands", lambda *_: huge)
        evening.ask()
    assert evening.count(orders) == 1  # of seats


def bomb() -> bytes:
    """A JPEG of few bytes whose header says 60,000 × 60,000."""
    content = bytearray(noise(64, 64))
    at = content.index(b"\xff\xc0")
    content[at + 5 : at + 9] = (60_000).to_bytes(2, "big") * 2
    return bytes(content)


def test_a_file_of_more_than_a_picture_has_is_not_taken(evening: Pictured) -> None:
    seq = int(next(iter(evening.kept)).removeprefix("e"))
    for id, each in list(evening.kept.items()):
        large = Evidence(id, 1.0, each.jpeg, "{}", noise(1600, 1000))
        evening.kept[id] = large
        evening.tables[0].tell(Attested("picture", (id.removeprefix("e"), large.digest)))
    assert not why_no_picture(evening.tables[0].entries(), seq, evening.kept[f"e{seq}"])
    evening.up()
    evening.ask()
    kept = [
        k for k in kept_orders(evening.tables[0].entries()) if k.order.kind is OrderKind.PICTURE
    ]
    assert all("more than 600,000" in k.refused for k in kept)
    assert evening.count(files) == 0


def test_only_a_shown_hand_that_won_is_ever_given(evening: Pictured) -> None:
    table = evening.tables[0]
    entries = table.entries()
    won = {each.seq for each in entries if is_won(entries, each.seq)}
    shown_ones = {each.seq for each in entries if isinstance(each.event, HandShown)}
    assert won
    assert won <= shown_ones
    for entry in entries:
        if entry.seq not in won:
            refused = why_no_picture(entries, entry.seq, evening.kept.get(f"e{entry.seq}"))
            assert "shows no hand that was won" in refused
    one = min(won)
    assert not why_no_picture(entries, one, evening.kept[f"e{one}"])
    assert "by itself" in why_no_picture(entries, one, None)
    assert vouched_for(entries, one) == shown(evening.kept[f"e{one}"], 0).digest
    table.tell(Retracted(one))
    assert not is_won(table.entries(), one)


def test_a_picture_of_a_hand_that_is_played_waits(tmp_path: Path) -> None:
    table = ClubTable(tmp_path / "one.sqlite")
    every = played("changsha", 3, 2)
    end = next(n for n, event in enumerate(every) if isinstance(event, Settled) and event.winners)
    table.tell(*every[:end])
    assert table.snapshot.state.is_running
    seq = next(e.seq for e in reversed(table.entries()) if isinstance(e.event, HandShown))
    order = Order("a" * 32, OrderKind.PICTURE, {"hand": table.snapshot.state.hand, "entry": seq})
    looked: list[str] = []
    sending = Sending(None, HubLine("http://hall"), table.key, "", seen=looked.append)  # type: ignore[arg-type,func-returns-value]
    assert sending.obeyed(order, table.snapshot, table.entries()) is None
    assert looked == []
    table.tell(every[end])
    done = sending.obeyed(order, table.snapshot, table.entries())
    assert done is not None
    assert "shows the hand by itself" in done.refused
    assert looked == [f"e{seq}"]


def test_an_archive_has_the_pictures(evening: Pictured, tmp_path: Path) -> None:
    evening.ask()
    lines = list(archive_lines(evening.base))
    again = open_base(str(tmp_path / "again.sqlite"))
    rebuild(again, lines)
    made = create_club_app(again)
    picture = next(each["picture"] for each in evening.won() if each["picture"])
    there, here = (
        Visitor(each).get(f"/api/picture/{picture}.jpg").data for each in (evening.app, made)
    )
    assert there == here
    assert here
    close_club_app(made)


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("hangs", range(4))
def test_a_picture_is_turned_so_that_its_hand_is_below(seat: int, hangs: int) -> None:
    """However the camera hangs, and wherever along its side the hand lies."""
    calibration = Calibration(tuple(np.roll(CORNERS, hangs, axis=0)), 800.0)  # type: ignore[arg-type]
    sides = ((-250.0, -360.0), (360.0, -250.0), (250.0, 360.0), (-360.0, 250.0))
    tiles = [seen(x, y) for x, y in (*sides, (-60.0, -150.0), (150.0, 20.0))]
    assert tiles[seat].zone == Zone(ZoneKind.HAND, seat)
    turns = turns_of(readings_json(Observation(0.0, tuple(tiles)), calibration), seat)
    grey = np.zeros((800, 800, 3), np.uint8)
    ((x, y),) = calibration.to_picture(np.array([sides[seat]], np.float32)).astype(int)
    grey[y - 20 : y + 20, x - 20 : x + 20] = 255
    turned = small_jpeg(bytes(cv2.imencode(".jpg", grey)[1]), turns)
    shown = cv2.imdecode(np.frombuffer(turned, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert shown is not None
    height = shown.shape[0]
    assert shown[: height * 9 // 10].max() < 100
    assert shown[height * 9 // 10 :].max() > 200
    assert turns_of("{}", seat) == 0


@pytest.mark.slow
def test_a_picture_is_made_anew_small_and_without_what_else_its_file_held() -> None:
    secret = b"GPS 48.2N 16.4E"
    plain = noise(4000, 1500)
    marked = plain[:2] + b"\xff\xe1" + (2 + len(secret)).to_bytes(2, "big") + secret + plain[2:]
    made = redrawn(marked)
    assert made is not None
    assert len(made) <= MOST_SMALL_BYTES
    assert secret not in made
    image = cv2.imdecode(np.frombuffer(made, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape[1] <= WIDEST
    assert image.shape[0] <= HIGHEST
    progressive = bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1])
    for wrong in (
        progressive,
        b"",
        b"x",
        noise()[:500],
        bytes(cv2.imencode(".png", image)[1]),
        bomb(),
    ):
        assert redrawn(wrong) is None


hands = st.lists(
    st.tuples(st.integers(1, 6), st.integers(1, 500)).map(
        lambda each: WonHand(
            1, "T", 1, 1, (each[0], 7, 8, 9),
            Won(1, 1.0, 1, 0, (each[1], -each[1], 0, 0), True, None, (), None, (), ()),
        )
    ),
    min_size=1, max_size=60,
)  # fmt: skip


@given(hands)
def test_the_best_are_few_and_none_left_out_is_dearer(every: list[WonHand]) -> None:
    chosen = great(every)
    assert len(chosen) == max(1, len(every) // GREAT)
    left = sorted((each.points for each in every), reverse=True)[len(chosen) :]
    assert not left or min(each.points for each in chosen) >= max(left)
    best = best_of_each(every)
    for player in {each.players[0] for each in every}:
        own = sorted((e.points for e in every if e.players[0] == player), reverse=True)
        assert [e.points for e in best if e.players[0] == player] == own[:PICTURED]
