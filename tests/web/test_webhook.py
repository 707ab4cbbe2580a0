"""A webhook is told of each settled hand: signed, whatever happens between."""

import base64
import hashlib
import hmac
import http.server
import json
import random
import threading
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from table_assist.game.events import End
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import EndHand, StartHand, Undo
from table_assist.record.export import played_hands
from table_assist.settings.config import ConfigError, load_config, parse_config
from table_assist.settings.edit import differing
from table_assist.trust.installation import Address
from table_assist.trust.post import post
from table_assist.upkeep.backup.backup import holds_secrets, make_backup
from tests.evidence.dispute.test_dispute import evening
from tests.stages.broker import until
from tests.stages.web_fakes import empty_snapshot
from web.api import webhook
from web.api.outlets import Outlets
from web.api.webhook import HOOK_SOONEST_S, WebhookOutlet, due, open_key, signature

KEY = b"k" * 32


@dataclass
class Receiver:
    """A web server that keeps what it is told, and answers as it is told to."""

    url: str = ""
    status: int = 204
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def bodies(self) -> list[dict]:
        return [json.loads(body) for _, body in self.got]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if made.status < 300:
                made.got.append(({k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(made.status)
            self.send_header("Location", made.url + "elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_address[1]}/hook?token=hush-hush"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    (tmp_path / "table.toml").write_text("")
    made = LiveTable(load_config(tmp_path / "table.toml"), camera=None, reader=None)
    made.start()
    yield made
    made.stop()


def outlet(table: LiveTable, url: str, folder: Path, **changes: object) -> WebhookOutlet:
    return WebhookOutlet(Address(url), KEY, folder / "told", table, **changes)


def play(table: LiveTable) -> None:
    assert table.submit(StartHand(0)) is None
    assert table.submit(EndHand()) is None


def take_back(table: LiveTable) -> None:
    ended = max(entry.seq for entry in table.entries() if isinstance(entry.event, End))
    assert table.submit(Undo(ended)) is None


def test_the_signature_is_that_of_the_published_example() -> None:
    """The example of the specification's own libraries."""
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    made = signature(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_settled_hand_is_told_signed(table: LiveTable, receiver: Receiver, tmp_path) -> None:
    told = outlet(table, receiver.url, tmp_path, now=lambda: 1_700_000_000.9)
    told.check(0.0)
    play(table)
    told.check(1.0)
    told.check(2.0)
    ((headers, body),) = receiver.got
    said = json.loads(body)
    assert (said["type"], said["data"]["hand"], said["data"]["end"]) == (
        "hand.settled",
        1,
        "abandoned",
    )
    assert said["data"]["names"] == ["Seat 1", "Seat 2", "Seat 3", "Seat 4"]
    signed = b"%s.1700000000.%s" % (headers["webhook-id"].encode(), body)
    by_hand = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{by_hand}"
    assert headers["webhook-timestamp"] == "1700000000"


def test_what_is_told_is_what_the_log_says() -> None:
    """Winners, points and scores of an evening, each added up anew."""
    log = evening("wanzhou")
    hands = played_hands(log)
    assert any(each.winners for each in hands)
    scores = [0, 0, 0, 0]
    for message, hand in zip(due("log", hands, {}, empty_snapshot()), hands, strict=True):
        data = json.loads(message.body)["data"]
        assert data["winners"] == list(hand.winners)
        assert sum(data["transfers"]) == 0
        moved = zip(scores, data["transfers"], data["penalties"], strict=True)
        scores = [sum(each) for each in moved]
        assert data["scores"] == scores


def test_what_was_over_before_is_not_told(table: LiveTable, receiver: Receiver, tmp_path) -> None:
    play(table)
    told = outlet(table, receiver.url, tmp_path)
    told.check(0.0)
    assert receiver.got == []
    play(table)
    told.check(1.0)
    assert [each["data"]["hand"] for each in receiver.bodies] == [2]


def test_a_hand_that_is_taken_back_is_told_and_told_anew(
    table: LiveTable, receiver: Receiver, tmp_path
) -> None:
    told = outlet(table, receiver.url, tmp_path)
    told.check(0.0)
    play(table)
    told.check(1.0)
    take_back(table)
    told.check(2.0)
    told.check(3.0)
    assert table.submit(EndHand()) is None
    told.check(4.0)
    kinds = [each["type"] for each in receiver.bodies]
    assert kinds == ["hand.settled", "hand.taken_back", "hand.settled"]
    ids = [headers["webhook-id"] for headers, _ in receiver.got]
    assert ids[0] == ids[2] != ids[1]


@pytest.mark.parametrize("status", [500, 404, 302])
def test_who_refuses_is_asked_again_later_and_told_in_order(
    table: LiveTable, receiver: Receiver, tmp_path, status: int
) -> None:
    told = outlet(table, receiver.url, tmp_path)
    told.check(0.0)
    receiver.status = status
    play(table)
    told.check(1.0)
    assert told.health.status == "lost"
    assert str(status) in told.health.says.en
    play(table)
    receiver.status = 204
    told.check(1.0 + HOOK_SOONEST_S / 2)
    assert receiver.got == []
    told.check(1.0 + HOOK_SOONEST_S)
    assert [each["data"]["hand"] for each in receiver.bodies] == [1, 2]
    assert told.health.status == "live"


def test_who_is_not_there_is_named_without_the_secret(table: LiveTable, tmp_path) -> None:
    url = "http://127.0.0.1:1/hook/key=hush-hush?token=hush-too"
    told = outlet(table, url, tmp_path)
    told.check(0.0)
    play(table)
    told.check(1.0)
    assert told.health.status == "lost"
    assert "hush" not in repr(told.health)


class KilledError(BaseException):
    """The program ends here."""


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_lost_wherever_the_program_ends(
    table: LiveTable, tmp_path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Killed before the message, after it, or before that is noted: the last word arrives."""
    chance, got = random.Random(seed), []
    kept = WebhookOutlet._keep

    def may_end() -> None:
        if chance.random() < 0.3:
            raise KilledError

    def send(url: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        may_end()
        got.append((headers["webhook-id"], json.loads(body)))
        may_end()
        return b""

    def keep(self: WebhookOutlet, log: str, told: Mapping[int, str]) -> None:
        may_end()
        kept(self, log, told)
        may_end()

    outlet(table, "http://x/", tmp_path).check(0.0)
    monkeypatch.setattr(WebhookOutlet, "_keep", keep)
    for _ in range(12):
        (take_back if table.snapshot.history and chance.random() < 0.3 else play)(table)
        if not table.snapshot.history or table.snapshot.state.is_running:
            assert table.submit(EndHand()) is None
        try:
            outlet(table, "http://x/", tmp_path, send=send).check(0.0)
        except KilledError:
            continue
    monkeypatch.setattr(WebhookOutlet, "_keep", kept)
    monkeypatch.setattr(chance, "random", lambda: 1.0)
    outlet(table, "http://x/", tmp_path, send=send).check(0.0)
    last = {body["data"]["hand"]: (id, body["data"]) for id, body in got}
    hands = played_hands(table.entries())
    for message in due(table.hand_seals()[0], hands, {}, table.snapshot):
        assert last[message.hand] == (message.id, json.loads(message.body)["data"])
    assert last.keys() == {each.hand for each in hands}


def test_what_is_not_on_disk_is_not_told(
    table: LiveTable, receiver: Receiver, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = outlet(table, receiver.url, tmp_path)
    told.check(0.0)
    play(table)
    monkeypatch.setattr(webhook, "_is_kept", lambda snapshot: False)
    told.check(1.0)
    assert receiver.got == []


def test_the_settings_are_enough(
    receiver: Receiver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the file to a message that whoever holds the key can check."""
    monkeypatch.setattr(webhook, "HOOK_LOOK_S", 0.02)
    settings = tmp_path / "table.toml"
    settings.write_text(f'[webhook]\naddress = "{receiver.url}"\n')
    config = load_config(settings)
    table, health = LiveTable(config, camera=None, reader=None), []
    table.start()
    outlets = Outlets(config, table, health.append)
    outlets.start()
    try:
        until(lambda: (tmp_path / "table-assist.sqlite.webhook-told").exists(), "the beginning")
        play(table)
        until(lambda: bool(receiver.got), "the message")
    finally:
        outlets.stop()
        table.stop()
    path = tmp_path / "table-assist.sqlite.webhook-key"
    assert path.stat().st_mode & 0o777 == 0o600
    headers, body = receiver.got[0]
    at = int(headers["webhook-timestamp"])
    made = signature(open_key(path), headers["webhook-id"], at, body)
    assert headers["webhook-signature"] == made
    assert all(each.status == "live" for each in health)


def test_a_key_is_made_once_and_another_file_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "key"
    assert open_key(path) == open_key(path)
    path.write_text("root:$6$hash")
    with pytest.raises(ValueError, match="holds no key") as refused:
        open_key(path)
    assert "hash" not in str(refused.value)


def test_the_posts_of_this_program_follow_nobody_elsewhere(receiver: Receiver) -> None:
    receiver.status = 307
    with pytest.raises(Exception, match="answers 307"):
        post(receiver.url, b"{}", {})


def test_the_secrets_of_the_address_are_not_shown() -> None:
    with pytest.raises(ConfigError, match=r"webhook\.address"):
        parse_config({"webhook": {"address": "file:///etc/passwd"}})
    before = '[webhook]\naddress = "https://x/hook?token=hush"\n'
    after = '[webhook]\naddress = "https://x/hook?token=hush2"\nkey = "/etc/shadow"\n'
    assert "hush" not in "\n".join(differing(before, after))


def test_the_key_does_not_leave_in_a_backup(tmp_path: Path) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text(
        '[webhook]\naddress = "https://x/hook?token=hush-hush"\n'
        '[mqtt]\nbroker = "mqtts://me:hush-hush@home:8883"\n'
    )
    key = tmp_path / "table-assist.sqlite.webhook-key"
    secret = base64.b64encode(open_key(key))
    (tmp_path / "table-assist.sqlite.webhook-told").write_text("{}")
    make_backup(settings, tmp_path / "backup.zip", now_s=0.0)
    assert holds_secrets(tmp_path / "backup.zip")  # it is handed out at the machine alone
    with zipfile.ZipFile(tmp_path / "backup.zip") as file:
        content = b"".join(file.read(each) for each in file.namelist())
    assert secret not in content
    assert b"hush" in content
