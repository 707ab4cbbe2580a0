"""One process follows, sets up and repairs a table; what is broken never ends it."""

import base64
import json
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from table_assist.game.events import Settled
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import Insert, StartHand
from table_assist.record.evidence import EVIDENCE_SUFFIX, EvidenceMoment, EvidenceStore
from table_assist.record.store import LOG_SCHEMA, Store
from table_assist.settings.config import load_config
from table_assist.upkeep import table_service
from table_assist.upkeep.running import Running, open_table
from table_assist.upkeep.shelf import COARSE_BYTES
from table_assist.upkeep.table_service import Mode
from table_assist.vision.reading.weights import WeightsError
from tests.stages.keeping_table import SETTINGS, Site, run_table, wait_for

pytestmark = pytest.mark.slow

PIECE = 39_000


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "table" / "table.toml"
    path.parent.mkdir()
    path.write_text(SETTINGS, encoding="utf-8")
    return path


def pictures(folder: Path) -> None:
    (folder / "pictures").mkdir()
    (folder / "pictures" / "1.png").write_bytes(b"")


BROKEN = [
    ("[seats\n", "no_toml", 1),
    ("[camera]\nsauce = 1\n", "unknown_key", 2),
    ("[board]\n\nbaud = -1\n", "value", 3),
    ("[rules]\nid = 'riichi'\n", "rules", 2),
    ("[camera]\nsource = 'gone.mp4'\n", "camera", 2),
    ("[camera]\nsource = 'pictures'\ncorners = [[1, 1]]\n", "corners", 3),
    ("[log]\npath = 'table-assist.sqlite'\n", "log_newer", 2),
]


@pytest.mark.parametrize(("text", "kind", "line"), BROKEN)
def test_a_broken_table_starts_in_recovery_and_goes_on_when_it_is_repaired(
    settings: Path, text: str, kind: str, line: int
) -> None:
    pictures(settings.parent)
    if kind == "log_newer":
        with Store(settings.parent / "table-assist.sqlite"):
            pass
        with sqlite3.connect(settings.parent / "table-assist.sqlite") as database:
            database.execute(f"PRAGMA user_version={LOG_SCHEMA + 1}")
        database.close()
    settings.write_text(text, encoding="utf-8")
    with run_table(settings) as site:
        port = site.url
        assert site.modes.table_service.mode is Mode.RECOVERY
        view = site.get("api/setup")
        assert (view["trouble"]["kind"], view["trouble"]["line"]) == (kind, line)
        assert view["trouble"]["file"] == str(settings)
        assert any("Repair it here" in said for said in site.said)
        settings.write_text(SETTINGS + '[log]\npath = "other.sqlite"\n', encoding="utf-8")
        site.become(Mode.TABLE, "api/setup/start", {})
        assert site.url == port
        assert site.get("api/table")["seats"][0]["name"] == "Ana"


def test_missing_weights_lead_to_recovery(settings: Path) -> None:
    missing = True

    def opened(*args: object, **named: object) -> Running:
        if missing:
            raise WeightsError("the weights folder has no manifest.toml", "权重文件夹没有清单")
        return open_table(*args, **named)  # type: ignore[arg-type]

    with run_table(settings, opened=opened) as site:
        assert site.get("api/setup")["trouble"]["kind"] == "weights"
        assert site.modes.table_service.mode is Mode.RECOVERY
        missing = False  # somebody installed the program anew
        site.become(Mode.TABLE, "api/setup/start", {})


def test_a_repair_that_is_none_leads_back_to_recovery(settings: Path) -> None:
    settings.write_text("[seats\n", encoding="utf-8")
    with run_table(settings) as site:
        base = site.get("api/setup")["base"]
        changes = {"seats": {"names": ["A", "B", "C", "D"]}}
        status, answer = site.post("api/setup/save", {"base": base, "changes": changes})
        assert status == 409
        assert "TOML" in answer["error"]["en"]
        assert answer["error"]["zh"]
        assert settings.read_text(encoding="utf-8") == "[seats\n"  # not written
        site.become(Mode.RECOVERY, "api/setup/start", {})
        assert site.get("api/setup")["trouble"]["kind"] == "no_toml"


def test_no_settings_at_all_are_set_up_and_followed(tmp_path: Path) -> None:
    settings = tmp_path / "new" / "table.toml"
    with run_table(settings) as site:
        assert site.modes.table_service.mode is Mode.SETUP
        wait_for(lambda: len(site.said) >= 2)
        assert site.said[0].startswith("Welcome.")
        view = site.get("api/setup")
        assert view["trouble"] is None
        assert view["is_new"]
        changes = {
            "seats": {"names": ["A", "B", "C", "德"]},
            "rules": {"id": "changsha", "options": {"bird_origin": "winner"}},
            "board": {"port": None},
        }
        planned = site.do("api/setup/preview", {"base": view["base"], "changes": changes})
        assert not settings.exists()  # shown before it is written
        assert planned["trouble"] is None
        assert '+names = ["A", "B", "C", "德"]' in planned["diff"]
        site.do("api/setup/save", {"base": view["base"], "changes": changes})
        site.become(Mode.TABLE, "api/setup/start", {})
        assert [seat["name"] for seat in site.get("api/table")["seats"]] == ["A", "B", "C", "德"]


def test_whoever_changes_nothing_can_begin_all_the_same(tmp_path: Path) -> None:
    settings = tmp_path / "table.toml"
    with run_table(settings) as site:
        base = site.get("api/setup")["base"]
        assert not site.do("api/setup/save", {"base": base, "changes": {}})["is_new"]
        site.become(Mode.TABLE, "api/setup/start", {})


def test_an_empty_file_is_followed_by_hand_and_the_assistant_is_offered(settings: Path) -> None:
    settings.write_text("\n")
    with run_table(settings) as site:
        assert site.modes.table_service.mode is Mode.TABLE
        wait_for(lambda: len(site.said) == 2)
        assert site.said[1].endswith(f"{site.url}setup")


def test_what_the_form_would_write_is_checked_as_the_file_is(settings: Path) -> None:
    with run_table(settings, Mode.SETUP) as site:
        base = site.get("api/setup")["base"]

        def preview(changes: object) -> tuple[int, object]:
            status, answer = site.post("api/setup/preview", {"base": base, "changes": changes})
            return status, answer.get("trouble")

        status, trouble = preview({"seats": {"names": ["A", "B", "C", " "]}})
        assert (status, trouble["key"]) == (200, "seats.names")  # type: ignore[index]
        status, trouble = preview({"rules": {"options": {"bird_origin": "moon"}}})
        assert (status, trouble["key"]) == (200, "rules.options")  # type: ignore[index]
        assert preview({"log": {"path": "/etc/passwd"}})[0] == 409  # no form changes that
        assert preview({"camera": 3})[0] == 400
        assert settings.read_text(encoding="utf-8") == SETTINGS


def test_a_file_that_was_changed_meanwhile_is_not_overwritten(settings: Path) -> None:
    with run_table(settings, Mode.SETUP) as site:
        base = site.get("api/setup")["base"]
        settings.write_text("# by hand\n", encoding="utf-8")
        changes = {"eyes": {"learns": False}}
        status, answer = site.post("api/setup/save", {"base": base, "changes": changes})
        assert status == 409
        assert "somebody else" in answer["error"]["en"]
        assert settings.read_text(encoding="utf-8") == "# by hand\n"


def test_a_table_pauses_to_be_set_up_and_goes_on_with_its_scores(settings: Path) -> None:
    with run_table(settings) as site:
        status, _ = site.post("api/setup/camera", {"source": "0"})
        assert status == 409  # the camera is the table's
        play(site)
        before = site.get("api/table")
        site.become(Mode.SETUP, "api/setup/pause", {})
        with pytest.raises(OSError, match="404"):
            site.get("api/table")
        site.become(Mode.TABLE, "api/setup/start", {})
        after = site.get("api/table")
        assert after["seq"] == before["seq"]
        assert [seat["score"] for seat in after["seats"]] == [
            seat["score"] for seat in before["seats"]
        ]


def test_a_backup_is_downloaded_uploaded_looked_into_and_put_back(settings: Path) -> None:
    with run_table(settings) as site:
        play(site)
        before = site.get("api/table")["seq"]
        name = site.do("api/admin/backup", {"evidence": False})["name"]
        content = site.read(f"admin/backup/{name}")
        play(site)
        assert site.get("api/table")["seq"] > before
        for offset in range(0, len(content), PIECE):
            piece = content[offset : offset + PIECE]
            sent = {"offset": offset, "data": base64.b64encode(piece).decode()}
            assert site.do("api/admin/upload", sent)["received"] == offset + len(piece)
        inside = site.do("api/admin/inside", {"name": ".upload"})
        assert inside["own"]
        assert inside["facts"]["names"][2] == "陈德"
        assert {file["kind"] for file in inside["files"]} == {"settings", "log"}
        site.become(Mode.TABLE, "api/admin/restore", {"name": ".upload"})
        assert site.get("api/table")["seq"] == before
        assert "is kept in" in site.get("api/admin")["told"]["en"]


def test_what_is_no_backup_or_anothers_is_refused(settings: Path) -> None:
    with run_table(settings, Mode.SETUP) as site:
        garbage = base64.b64encode(b"no backup at all").decode()
        site.do("api/admin/upload", {"offset": 0, "data": garbage})
        for path in ("inside", "restore"):
            status, answer = site.post(f"api/admin/{path}", {"name": ".upload"})
            assert status == 409
            assert "no backup" in answer["error"]["en"]
        assert site.post("api/admin/inside", {"name": "../table.toml"})[0] == 409
        assert site.post("api/admin/upload", {"offset": 99, "data": garbage})[0] == 409
        with pytest.raises(OSError, match="404"):
            site.read("admin/backup/table.toml")


def test_no_page_makes_or_deletes_a_backup_by_being_looked_at(settings: Path) -> None:
    with run_table(settings) as site:
        name = site.do("api/admin/backup", {"evidence": False})["name"]
        app = site.modes.app
        assert app is not None
        reading = {"GET", "HEAD", "OPTIONS"}
        paths = [str(r) for r in app.url_map.iter_rules() if r.methods and r.methods <= reading]
        client = app.test_client()
        for path in [*paths, f"/admin/backup/{name}"]:
            if path != "/api/stream":
                client.get(path.replace("<name>", "x"), headers={"Sec-Fetch-Site": "none"}).close()
        kept = site.get("api/admin")["backups"]
        assert [each["name"] for each in kept if each["reason"] == "by-hand"] == [name]
        for path in (f"/admin/backup/{name}", "/metrics"):
            cross = client.get(path, headers={"Sec-Fetch-Site": "cross-site"})
            assert cross.status_code == 403
        assert client.get("/admin/backup/..%2Ftable.toml").status_code == 404


def test_an_evening_s_pictures_are_deleted_by_a_button(settings: Path) -> None:
    with run_table(settings) as site:
        log = Path(load_config(settings).log.path)
        store = EvidenceStore(log.with_name(f"{log.name}{EVIDENCE_SUFFIX}"))
        moment = EvidenceMoment(1, 1)
        store.keep([(moment, b"")], t=1.0e9, jpeg=b"a picture", readings="[]")
        store.close()
        (evening,) = site.get("api/admin")["evenings"]
        assert (evening["hands"], evening["pictures"], evening["held"]) == (1, 1, 0)
        assert site.do("api/admin/forget", {"day": evening["day"]})["evenings"] == []
        assert stat.S_IMODE(settings.stat().st_mode) == 0o600
        assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_downloads_come_with_settings_named_from_the_folder_one_is_in(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(settings.parent)
    with run_table(Path(settings.name)) as site:
        backup = site.do("api/admin/backup", {"evidence": False})["name"]
        assert site.read(f"admin/backup/{backup}").startswith(b"PK")


def test_the_doctor_examines_a_running_table_without_its_devices(settings: Path) -> None:
    with run_table(settings) as site:
        assert site.do("api/admin/examine", {})["mode"] == "table"
        wait_for(lambda: site.get("api/admin")["examined"] is not None)
        view = site.get("api/admin")
        found = {finding["id"] for finding in view["findings"]}
        assert {"settings", "rules", "record"} <= found
        assert not found & {"port", "board", "camera"}
        assert not view["examining"]


def test_the_page_tells_since_when_a_thing_is_wrong(settings: Path) -> None:
    with run_table(settings) as site:

        def check(id: str) -> dict[str, object]:
            return next(each for each in site.get("api/admin")["checks"] if each["id"] == id)

        wait_for(lambda: any(each["id"] == "settings" for each in site.get("api/admin")["checks"]))
        good_since = check("settings")["since"]
        site.modes.table_service.tick()
        assert check("settings") == check("settings") | {"state": "good", "since": good_since}
        settings.write_text(SETTINGS + "\n# changed\n", encoding="utf-8")
        site.modes.table_service.tick()
        wrong = check("settings")
        assert wrong["state"] == "doubt"
        assert wrong["since"] > good_since  # type: ignore[operator]
        site.modes.table_service.tick()
        assert check("settings")["since"] == wrong["since"]


def test_a_day_without_a_backup_makes_one_by_itself(settings: Path) -> None:
    with run_table(settings) as site:
        play(site)
        site.modes.table_service.tick()
        kept = [backup["reason"] for backup in site.get("api/admin")["backups"]]
        assert kept == ["daily"]


def test_two_who_look_at_once_make_one_backup(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies: list[Path] = []
    copy_log = LiveTable.copy_log

    def slowly(table: LiveTable, log: Path, target: Path) -> None:
        copies.append(target)
        threading.Event().wait(1)  # a second look, if one comes, comes now
        copy_log(table, log, target)

    monkeypatch.setattr(LiveTable, "copy_log", slowly)
    with run_table(settings) as site:
        play(site)
        looks = [threading.Thread(target=site.modes.table_service.tick) for _ in range(3)]
        for look in looks:
            look.start()
        for look in looks:
            look.join()
        assert len(copies) == 1


def test_a_game_that_is_over_is_backed_up(settings: Path) -> None:
    with run_table(settings) as site:
        play(site)
        running = site.modes.table_service.running
        assert running is not None
        over = Settled((1,), (-14, 14, 0, 0), 1, game_over=True)
        assert running.table.submit(StartHand(0)) is None
        assert running.table.submit(Insert(0, over)) is None
        site.modes.table_service.tick()
        site.modes.table_service.tick()
        kept = [backup["reason"] for backup in site.get("api/admin")["backups"]]
        assert kept.count("after-game") == 1


def test_nothing_that_holds_the_log_is_handed_out_while_a_treasure_is_hidden(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = True
    monkeypatch.setattr(table_service, "has_secret", lambda snapshot: hidden)
    with run_table(settings) as site:
        play(site)
        name = site.do("api/admin/backup", {"evidence": False})["name"]  # kept, not handed out
        assert site.get("api/admin")["hidden"]
        with pytest.raises(OSError, match="409"):
            site.read(f"admin/backup/{name}")
        site.become(Mode.SETUP, "api/setup/pause", {})  # a pause does not reveal it
        with pytest.raises(OSError, match="409"):
            site.read(f"admin/backup/{name}")
        status, _ = site.post("api/setup/camera", {"source": "7"})
        assert status == 409  # nor is shown what the camera sees
        (backup,) = (b for b in site.get("api/admin")["backups"] if b["name"] == name)
        assert backup["size"] % COARSE_BYTES == 0  # packed, it would tell how long the log is
        site.become(Mode.TABLE, "api/setup/start", {})
        hidden = False
        wait_for(lambda: not site.get("api/admin")["hidden"])
        assert site.read(f"admin/backup/{name}")


def play(site: Site) -> None:
    """A hand begins and ends."""
    site.do("api/start", {"seat": 0})
    site.do("api/end", {})


def test_metrics_are_counted_and_hold_nothing_of_the_play(settings: Path) -> None:
    with run_table(settings) as site:
        play(site)

        def counted(text: str) -> dict[str, str]:
            lines = [line for line in text.splitlines() if not line.startswith("#")]
            return dict(line.rsplit(" ", 1) for line in lines)

        # The table's own news of its health go the same way, now and then.
        queue = "table_assist_session_queue_items"
        wait_for(lambda: counted(site.read("metrics").decode())[queue] == "0.0")
        text = site.read("metrics").decode()
        figures = counted(text)
        assert float(figures["table_assist_start_time_seconds"]) > 1_700_000_000
        assert float(figures['table_assist_entries_total{source="person"}']) >= 2
        assert float(figures["table_assist_disk_free_bytes"]) > 0
        assert float(figures["table_assist_log_size_bytes"]) > 0
        assert figures["table_assist_live_viewers"] == "0.0"
        assert 'table_assist_source_live{source="log"}' in figures
        assert not any(name in text for name in json.loads('["Ana", "Ben", "陈德", "Dai"]'))
