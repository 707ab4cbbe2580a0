"""The way of an entry: once each, in order, whatever happens between the table and the hub."""

import os
import re
import shutil
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from playwright.sync_api import Browser, expect
from sqlalchemy import select

from table_assist.club.calling import CallError, refusal
from table_assist.club.hub.database import entries, open_base, reading
from table_assist.club.hub.desk import (
    given_orders,
    hall,
    let_in,
    open_alarms,
    refused_so_far,
    send_out,
    start,
    tell_all,
)
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import all_players, begin_session, publish, take_players
from table_assist.club.hub.rounds import finish
from table_assist.club.hub.seats import accept, seat
from table_assist.club.orders import News, Order, OrderKind, clock_left, kept_orders, news_of
from table_assist.club.uplink import ClubService, Uplink
from table_assist.club.wire import UP, Batch, batch_bytes, is_spectacle
from table_assist.game.events import Attested, SeatsChanged
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import EndHand, StartHand
from table_assist.record.log import Entry, Source
from table_assist.settings.config import Config, LogConfig
from table_assist.trust.installation import key_of_secret, new_secret
from tests.stages.club_table import ClubTable, HallLine, give_order, joined, sent_up, uplink_of
from tests.stages.drawn_hands import serious
from web import create_app
from web.club.app import close_club_app, create_club_app
from web.pages.club_page import hall_view
from web.serve import serve


def stored(app: Flask) -> list[tuple[int, int, str, str]]:
    with reading(app.extensions["base"]) as connection:
        query = select(entries).order_by(entries.c.log, entries.c.seq)
        return [tuple(row) for row in connection.execute(query)]


def on_disk(table: ClubTable) -> list[tuple[int, str, str]]:
    return [(seq, seal, line) for seq, line, seal in table.store.rows_after(0, 100_000)]


def line_of(uplink: Uplink) -> HallLine:
    line = uplink._line
    assert isinstance(line, HallLine)
    return line


def alarms(app: Flask) -> list[str]:
    return [row.kind for row in open_alarms(app.extensions["base"])]


@pytest.fixture
def table(tmp_path: Path) -> ClubTable:
    return ClubTable(tmp_path / "table.sqlite")


def test_the_hub_holds_the_log_as_it_is(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    table.play(1, hands=2)
    sent_up(uplink)
    assert [row[1:] for row in stored(app)] == on_disk(table)
    assert hall(app.extensions["base"])[0].view["hand"] == 2


def test_standings_say_what_of_a_log_is_on_its_way(table: ClubTable, app: Flask) -> None:
    uplink, client = joined(table, app), app.test_client()
    base = app.extensions["base"]
    session = begin_session(base, "Monday")
    publish(base, session, public=True)
    table.play(1, hands=6)

    def missing() -> list[dict[str, object]]:
        return list(client.get(f"/api/standings/{session}").get_json()["behind"])

    assert uplink.turn()
    to_come = len(on_disk(table)) - len(stored(app))
    assert missing() == [{"table": "Table 1", "entries": to_come}]
    note = f"Table 1: {to_come} entries of its log are on their way."
    assert note in client.get(f"/api/standings/{session}.csv").text
    assert client.get(f"/print/standings/{session}").status_code == 200
    sent_up(uplink)
    assert missing() == []
    table.tell(Attested("x", ()))
    uplink.turn()
    assert missing() == []


def test_batches_and_answers_that_are_lost_change_nothing(table: ClubTable, app: Flask) -> None:
    uplink, random = joined(table, app), Random(3)
    for seed in range(3):
        table.play(seed)
        for _ in range(20):
            line_of(uplink).fault = random.choice(("before", "after", ""))
            try:
                uplink.turn()
            except CallError:
                continue
    sent_up(uplink)
    assert [row[1:] for row in stored(app)] == on_disk(table)
    assert alarms(app) == []


def test_a_program_that_starts_again_goes_on_where_the_hub_is(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)  # and is killed: the file is older than what the hub holds
    table.close()
    table.open()
    again = uplink_of(table, app)
    table.play(1)
    sent_up(again)
    assert [row[1:] for row in stored(app)] == on_disk(table)
    assert len({row[0] for row in stored(app)}) == 1


def test_a_restored_log_goes_up_anew_and_is_told(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    backup = table.path.with_suffix(".backup")
    table.store.copy_to(backup)
    table.play(1)
    sent_up(uplink)
    before = stored(app)
    uplink.stop()
    table.close()
    shutil.copy(backup, table.path)
    for beside in ("-wal", "-shm"):
        Path(f"{table.path}{beside}").unlink(missing_ok=True)
    table.open()
    again = uplink_of(table, app)
    table.play(5)
    sent_up(again)
    assert stored(app)[: len(before)] == before
    newest = max(row[0] for row in stored(app))
    assert [row[1:] for row in stored(app) if row[0] == newest] == on_disk(table)
    assert alarms(app) == ["restored"]


def test_a_copied_table_is_never_merged(table: ClubTable, app: Flask, tmp_path: Path) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    uplink.stop()
    table.store.copy_to(tmp_path / "copy.sqlite")
    shutil.copy(table.path.with_suffix(".club.json"), tmp_path / "copy.club.json")
    copy = ClubTable(tmp_path / "copy.sqlite", key=table.key)
    other = uplink_of(copy, app)
    copy.t += 50
    table.play(1)
    copy.play(1)
    sent_up(uplink)
    before = stored(app)
    sent_up(other)
    assert stored(app) == before
    assert alarms(app) == ["conflict"]
    assert copy.health is not None
    assert copy.health.status == "lost"
    assert "copied" in copy.health.says.en
    table.play(1)
    sent_up(uplink)
    assert [row[1:] for row in stored(app)] == on_disk(table)


def test_a_log_that_was_left_does_not_go_on(table: ClubTable, app: Flask, tmp_path: Path) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    uplink.stop()
    newer = ClubTable(tmp_path / "other.sqlite", key=table.key)
    other = uplink_of(newer, app, uplink.membership)
    newer.play(2)
    sent_up(other)
    table.play(1)
    uplink.turn()
    uplink.turn()
    assert alarms(app) == ["two logs"]
    assert table.health is not None
    assert "another log" in table.health.says.en.lower()


def test_a_wrong_clock_changes_no_order(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    for back in (0.0, -86_400.0, 10 * 86_400.0):
        table.t += back
        table.play(1)
        sent_up(uplink)
    assert [row[1:] for row in stored(app)] == on_disk(table)


def test_strangers_and_repetitions_are_refused_and_counted(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    before, base = stored(app), app.extensions["base"]
    line = line_of(uplink)
    for body, signature in line.sent[2:]:
        line.ask("/api/uplink", body, signature)
    assert refused_so_far(base)["repetition"] >= len(line.sent) // 2 - 2
    stranger = key_of_secret(new_secret())
    body = batch_bytes(Batch(uplink.membership.epoch, 10_000, 0, ()))
    _, got = line.ask("/api/uplink", body, stranger.sign(UP, body))
    assert b'"out"' in got
    for forged in (b"", b"{}", stranger.sign(UP, body).replace(stranger.public.encode(), b"00")):
        with pytest.raises(CallError, match="403"):
            line.ask("/api/uplink", body, forged)
    assert refused_so_far(base)["stranger"] == 1
    assert refused_so_far(base)["unsigned"] == 3
    assert stored(app) == before


def test_malformed_batches_are_refused_and_counted(table: ClubTable, app: Flask) -> None:
    uplink, random = joined(table, app), Random(7)
    table.play(1)
    sent_up(uplink)
    before, line = stored(app), line_of(uplink)
    whole = max((body for body, _ in line.sent), key=len)
    refused = 0
    count = 300 * int(os.environ.get("TABLE_ASSIST_FUZZ", "1"))
    for _ in range(count):
        body = bytearray(whole)
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(body))
            match random.randrange(3):
                case 0:
                    del body[at : at + random.randint(1, 40)]
                case 1:
                    body[at] = random.randrange(256)
                case _:
                    body[at:at] = random.choice(
                        (b"\0", b"\\u0000", b"NaN", b'"', b"\n", b"[" * 900)
                    )
        answer = line.client.post(
            "/api/uplink", data=bytes(body),
            headers={"Table-Assist-Signature": table.key.sign(UP, bytes(body)).decode()},
        )  # fmt: skip
        assert answer.status_code in (200, 400)
        refused += answer.status_code == 400
    assert refused > count * 2 // 3
    assert refused_so_far(app.extensions["base"])["malformed"] == refused
    assert stored(app) == before


def test_a_table_that_was_sent_out_is_heard_no_more(table: ClubTable, app: Flask) -> None:
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    before = stored(app)
    send_out(app.extensions["base"], hall(app.extensions["base"])[0].id)
    table.play(1)
    uplink.turn()
    assert stored(app) == before
    assert table.health is not None
    assert table.health.status == "lost"


def test_an_order_becomes_one_entry_and_comes_back(table: ClubTable, app: Flask) -> None:
    uplink, base, key = joined(table, app), app.extensions["base"], app.extensions["hub_key"]
    (here,) = hall(base)
    for _ in range(2):
        give_order(
            base, key, [here.id], OrderKind.MESSAGE, {"en": "Tea", "zh": "茶"}, "Ada", once="tea"
        )
    ruling = {"seat": 1, "transfers": [-3, 1, 1, 1], "en": "Late", "zh": "迟到"}
    give_order(base, key, [here.id], OrderKind.RULING, ruling, "Ada")
    line_of(uplink).fault = "after"
    with pytest.raises(CallError):
        uplink.turn()
    for _ in range(3):
        uplink.turn()
    kept = kept_orders(table.entries())
    assert [(each.order.kind, each.refused) for each in kept] == [
        (OrderKind.MESSAGE, ""),
        (OrderKind.RULING, ""),
    ]
    assert table.snapshot.state.scores == (-3, 1, 1, 1)
    assert all(row.seq for row in given_orders(base))


def test_an_order_that_the_hub_did_not_sign_is_not_obeyed(table: ClubTable, app: Flask) -> None:
    uplink, base = joined(table, app), app.extensions["base"]
    (here,) = hall(base)
    give_order(base, key_of_secret(new_secret()), [here.id], OrderKind.MESSAGE, {"en": "x"}, "Eve")
    uplink.turn()
    assert kept_orders(table.entries()) == ()


CSV = "number,name,hidden\n" + "".join(f"{n},Player {n},{'yes' * (n == 8)}\n" for n in range(1, 9))


def test_who_leaves_a_table_is_told_where_to_go_wherever_one_sits(
    app: Flask, tmp_path: Path
) -> None:
    base, key = app.extensions["base"], app.extensions["hub_key"]
    take_players(base, CSV)
    session = begin_session(base, "Monday")
    made = [ClubTable(tmp_path / f"{n}.sqlite") for n in (1, 2)]
    lines = [joined(table, app, f"Table {n}") for n, table in enumerate(made, start=1)]
    one, two, three, four, five, six, seven, eight = (row.id for row in all_players(base))
    first = ((one, two, three, four), (five, six, seven, eight))
    second = ((five, two, eight, one), (three, six, seven, four))
    accept(base, session, 1, (first, second), "Ada")
    for number in (1, 2):
        if number > 1:
            finish(base, Ledger(base), session, number - 1, "all have signed", "Ada")
        seat(base, key, session, number, "Ada")
        for line in lines:
            sent_up(line)
        if number == 1:
            made[0].play(1)
            made[0].tell(SeatsChanged((3, 0, 1, 2)))
            assert news_of(made[0].entries()).next == ()
    news, people = news_of(made[0].entries()), made[0].snapshot.state.people
    assert people != (0, 1, 2, 3)
    by_person = {0: ("Table 1", 3), 1: ("Table 1", 1), 2: ("Table 2", 0), 3: ("Table 2", 3)}
    assert [(p and (p.table, p.seat)) for p in news.places(people)] == [
        by_person[person] for person in people
    ]
    assert news.round == 2
    told = [line for each in made for line in map(str, each.entries())]
    assert not any("Player 8" in line for line in told), "who is hidden is told by number"
    made[0].play(1)
    assert news_of(made[0].entries()).next == (), "with the next hand it is done"


def test_damaged_orders_are_no_news() -> None:
    for content in ({"next": "x"}, {"next": [{"player": "x"}]}, {"next": [{}], "round": "x"}):
        event = Order("0" * 32, OrderKind.SEATS, content).as_event()
        news = news_of([Entry(1, 1.0, Source.RULES, event)])
        assert (news.next, news.round) == ((), 0)
    assert clock_left(News(clock={"left_s": "x"}), 1.0, None) is None


def test_the_clock_runs_by_the_hubs_own_whatever_clock_the_table_has() -> None:
    clock = {"left_s": 600, "running": True, "at": 1000}
    news = News(clock=clock, clock_t=5060.0)
    assert clock_left(news, 5070.0, None) == 590, "fresh when it came: nothing better is known"
    # The hub's clock says 1070 where the table's says 5070: the order waited a minute.
    assert clock_left(news, 5070.0, -4000.0) == 530
    stands = News(clock={**clock, "running": False}, clock_t=5060.0)
    assert clock_left(stands, 9999.0, -4000.0) == 600
    assert clock_left(News(), 1.0, 1.0) is None


def test_arefusal_of_the_hub_is_said_in_both_languages() -> None:
    said = refusal(403, '{"error":{"en":"No.","zh":"不行。"}}'.encode())
    assert isinstance(said, CallError)
    assert (said.words.en, said.words.zh) == (
        "the club refuses (403): No",
        "俱乐部拒绝（403）：不行",
    )
    assert "<html>" in refusal(502, b"<html>").words.zh


def test_pages_at_the_table_say_what_the_club_says(browser: Browser, tmp_path: Path) -> None:
    hub = create_club_app(open_base(str(tmp_path / "club.sqlite")))
    club = serve(hub, port=0)
    live = LiveTable(Config(log=LogConfig(str(tmp_path / "log.sqlite"))), camera=None, reader=None)
    desk = ClubService(live, tmp_path / "table.club.json", hall_view)
    own = serve(create_app(live, club=desk), port=0)
    live.start()
    base, key = hub.extensions["base"], hub.extensions["hub_key"]
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    complaints: list[str] = []
    try:
        desk.join(club.url)
        page = context.new_page()
        for _ in range(200):
            if let_in(base, desk.code, "Table 1"):
                break
            page.wait_for_timeout(50)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{own.url}?lang=en")
        take_players(base, CSV)
        session = begin_session(base, "Monday")
        four = tuple(row.id for row in all_players(base)[:4])
        accept(base, session, 1, ((four,), ((four[1], four[0], four[3], four[2]),)), "Ada")
        line = page.locator("#club")
        seat(base, key, session, 1, "Ada")
        finish(base, Ledger(base), session, 1, "all have signed", "Ada")
        seat(base, key, session, 2, "Ada")
        start(base, key, 50, "Ada")
        tell_all(base, key, "Tea is served", "Ada")
        expect(line).to_contain_text("Player 2: Table 1, East", timeout=15_000)
        expect(line).to_contain_text("The club: Tea is served", timeout=15_000)
        expect(line.locator("b")).to_have_text(re.compile("^49:"))
        expect(line).to_contain_text("The club's clock")
        assert serious(page) == []
        phone = context.new_page()
        phone.set_viewport_size({"width": 390, "height": 844})
        phone.goto(f"{own.url}seat/1?lang=en")
        expect(phone.locator("#club")).to_contain_text("You sit next at Table 1, East.")
        expect(phone.locator("#club")).not_to_contain_text("Player 1")
        expect(phone.locator("#club")).not_to_contain_text("South")
        phone.goto(f"{own.url}club?lang=zh")
        expect(phone.locator("#club")).to_contain_text("俱乐部：Tea is served")
        expect(phone.locator("#hub")).to_have_attribute("href", club.url)
        assert live.submit(StartHand(0), "Ann") is None
        expect(line).not_to_contain_text("East", timeout=15_000)
        assert hall(base)[0].name == "Table 1"
        expect(line).to_contain_text("Round 2: Player 2 · Player 1 · Player 4 · Player 3")
        assert live.submit(EndHand(), "Ann") is None
        phone.goto(f"{own.url}seat/1?lang=en")
        expect(phone.locator("#seals")).to_contain_text("this device keeps: 1")
        phone.goto(f"{own.url}club?lang=en")
        phone.get_by_role("link", name="Compare this device's seals there").click()
        expect(phone).to_have_url(re.compile(f"^{club.url}seals#table="))
        expect(phone.locator("#told")).to_have_text(re.compile("of 1 seals agree"))
        expect(phone.locator("#rows li")).to_have_count(1)
        for _ in range(20):
            if "1 of 1" in phone.locator("#told").inner_text():
                break  # the hub had the hand at once, or a moment later
            phone.wait_for_timeout(500)
            phone.reload()
        expect(phone.locator("#rows li")).to_contain_text("agrees")
        assert complaints == []
    finally:
        context.close()
        desk.stop()
        own.close()
        live.stop()
        club.close()
        close_club_app(hub)


@pytest.mark.parametrize("gives", [True, False])
def test_a_table_says_whether_its_owner_lets_the_club_have_pictures(
    tmp_path: Path, gives: bool
) -> None:
    live = LiveTable(Config(log=LogConfig(str(tmp_path / "log.sqlite"))), camera=None, reader=None)
    seen = live.evidence if gives else None
    desk = ClubService(live, tmp_path / "table.club.json", hall_view, seen=seen)
    client = create_app(live, club=desk).test_client()
    assert client.get("/api/club").get_json()["pictures"] is gives
    view = desk._seen(live.snapshot)
    assert is_spectacle(view)
    assert ("pictures" in view) is gives
    live.close()
