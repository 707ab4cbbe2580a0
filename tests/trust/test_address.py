"""An address prints itself without its secrets, wherever it is printed."""

import json
import socket
import string
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.link import Link, LinkTiming
from table_assist.cli.main import main
from table_assist.live.manifest import plain_settings
from table_assist.settings.config import ConfigError, load_config, parse_config
from table_assist.settings.edit import differing
from table_assist.trust import post as posting
from table_assist.trust.installation import Address
from table_assist.trust.post import NoAnswerError, post
from table_assist.upkeep.running import open_table
from web import create_app
from web.serve import serve

CAMERA = "rtsp://user:secret1@127.0.0.1:9/live?pwd=secret2"
BOARD = "socket://user:secret3@127.0.0.1:9/?token=secret4"
SECRETS = ("secret1", "secret2", "secret3", "secret4", "user:")


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    corners = "corners = [[200, 1000], [1700, 1000], [1500, 100], [400, 100]]"
    path.write_text(
        f'[camera]\nsource = "{CAMERA}"\n{corners}\n[board]\nport = "{BOARD}"\n', encoding="utf-8"
    )
    return path


def told(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret in text]


def test_a_token_in_a_path_is_no_address_s_name() -> None:
    """As chat programs give them out for webhooks: who has it may write there."""
    token = "aB3dE5fG7hI9jK1lM3nO5pQ7"
    address = Address(f"https://chat.example/api/webhooks/{token}")
    assert str(address) == "https://chat.example/api/webhooks/…"
    assert token not in address.hide(f"404 for /api/webhooks/{token}")
    assert str(Address("rtsp://10.0.0.9/Streaming/Channels/101")).endswith(
        "/Streaming/Channels/101"
    )


words = st.text(string.ascii_letters + string.digits + "@/?#:&=%!$~.,;-_", min_size=4, max_size=12)


@given(user=words, password=words, query=words)
def test_no_part_of_a_secret_is_printed(user: str, password: str, query: str) -> None:
    user, password, query = f"U{user}U", f"P{password}P", f"Q{query}Q"
    address = Address(f"rtsp://{user}:{password}@host.example:554/live?pwd={query}")
    for text in (str(address), repr(address), f"{address}", f"no answer from {address}: gone"):
        assert not any(each in text for each in (user, password, query))
    quoted = f"could not open {address.whole!r}: {address.whole} said 401"
    assert not any(each in address.hide(quoted) for each in (user, password, query))
    assert json.dumps({"a": str(address)})
    with pytest.raises(TypeError):
        json.dumps({"a": address})  # nobody writes one by accident


@pytest.mark.parametrize(
    "text",
    [
        "rtsp://u:pass/word@host/live",
        "rtsp://u:p@ss@host/live",
        "rtsp://host/user=admin&password=pass&channel=1",
        "rtsp://host/live#pass",
        "user:pass@host/live",
    ],
)
def test_odd_addresses_hide_their_secrets_too(text: str) -> None:
    assert "pass" not in str(Address(text))
    assert "host" in str(Address(text))


def test_who_looks_at_a_table_that_cannot_be_opened_reads_no_password(settings: Path) -> None:
    """The attack: a camera and a board that cannot be reached, and everything anybody can ask."""
    running = open_table(settings)
    table = running.table
    table.start()
    serving = serve(create_app(table), port=0)
    try:
        deadline = time.monotonic() + 60
        status: dict[str, str] = {}
        lost = {"camera": "lost", "board": "lost"}
        while time.monotonic() < deadline and not lost.items() <= status.items():
            time.sleep(0.1)
            view = urllib.request.urlopen(f"{serving.url}api/table", timeout=10).read().decode()
            status = {each["name"]: each["status"] for each in json.loads(view)["health"]}
            assert told(view) == []
        assert lost.items() <= status.items()
        assert "127.0.0.1:9" in view, "people are told which camera it is"
    finally:
        serving.close()
        table.stop()


def test_doctor_and_recordings_hold_no_password(
    settings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["doctor", "--config", str(settings), "--seconds", "0"])
    said = capsys.readouterr()
    assert "127.0.0.1:9" in said.out
    assert told(said.out + said.err) == []
    assert told(json.dumps(plain_settings(load_config(settings)))) == []


def test_the_settings_diff_shows_that_an_address_changed_and_not_its_password() -> None:
    lines = differing(f'source = "{CAMERA}"\n', 'source = "0"\n')
    assert told("\n".join(lines)) == []
    assert any(line.startswith("-source") for line in lines)


def test_errors_about_a_setting_do_not_quote_its_password() -> None:
    for table in (
        {"camera": CAMERA},
        {"camera": {"source": [CAMERA]}},
        {"board": {"port": [BOARD]}},
    ):
        with pytest.raises(ConfigError) as error:
            parse_config(table)
        assert told(str(error.value)) == []


PROGRAM = """
import logging
from table_assist.cli.main import main
main(["verify", "nowhere"])
try:
    raise OSError("could not open " + CAMERA)
except OSError:
    logging.getLogger("somebody").exception("it failed")
"""


def test_a_traceback_in_the_log_quotes_no_password() -> None:
    code = f"CAMERA = {CAMERA!r}\n{PROGRAM}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "OSError: could not open rtsp://…@127.0.0.1:9/live?…" in done.stderr
    assert told(done.stderr) == []


def test_a_link_names_its_port_without_secrets_in_all_that_it_says() -> None:
    said: list[str] = []
    address = Address(BOARD)
    quick = LinkTiming(poll_s=0.01, first_wait_s=0.01)
    link = Link(BOARD, lambda item: said.append(repr(item)), timing=quick, say=address.hide)
    link.start()
    deadline = time.monotonic() + 60
    while not said and time.monotonic() < deadline:
        time.sleep(0.01)
    said.append(repr(link.health))
    link.stop()
    assert len(said) > 1
    assert told(" ".join(said)) == []


@pytest.mark.parametrize(
    "port", ["spy:///dev/ttyUSB0?file=/tmp/x", "alt://x?class=os", "cp2110://x"]
)
def test_a_board_has_an_address_of_a_closed_list(port: str) -> None:
    with pytest.raises(ConfigError, match=r"board\.port is"):
        parse_config({"board": {"port": port}})


@pytest.mark.parametrize("source", ["file:///etc/passwd", "ftp://x/y", "concat://a", "tcp://x:1"])
def test_a_camera_has_an_address_of_a_closed_list(source: str) -> None:
    with pytest.raises(ConfigError, match=r"camera\.source is"):
        parse_config({"camera": {"source": source}})


def test_a_spying_port_truncates_no_file(tmp_path: Path) -> None:
    """The attack: pyserial's own scheme opens a file of anybody's choice for writing."""
    victim = tmp_path / "precious"
    victim.write_text("precious")
    settings = tmp_path / "table.toml"
    settings.write_text(f'[board]\nport = "spy:///dev/null?file={victim}"\n')
    with pytest.raises(ConfigError):
        open_table(settings)
    assert main(["doctor", "--config", str(settings), "--port", f"spy:///dev/null?file={victim}"])
    assert victim.read_text() == "precious"


def test_a_newer_settings_file_is_refused_in_one_sentence() -> None:
    with pytest.raises(ConfigError, match="format is 2; this program knows 1"):
        parse_config({"format": 2})
    assert parse_config({"format": 1}) == parse_config({})


@contextmanager
def dripping(head: bytes, drop: bytes) -> Iterator[str]:
    """Somebody who begins an answer and goes on with it for ever, a little at a time."""
    is_over = threading.Event()

    def answer() -> None:
        line, _ = listener.accept()
        with suppress(OSError), line:
            line.sendall(head)
            while not is_over.wait(0.05):
                line.sendall(drop)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            is_over.set()
            thread.join()


@pytest.mark.parametrize(
    ("head", "drop"),
    [
        (b"HTTP/1.1 2", b"0"),
        (b"HTTP/1.1 200 OK\r\nA: ", b"x"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"x"),
        (b"HTTP/1.1 307 No\r\nLocation: ", b"/"),
    ],
)
def test_an_answer_that_drips_ends(
    head: bytes, drop: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "POST_LONGEST_S", 0.4)
    begun = time.monotonic()
    with dripping(head, drop) as url, pytest.raises(NoAnswerError):
        post(url, b"x", {}, wait_s=5)
    assert time.monotonic() - begun < 15  # it would go on for ever, or as long as it may elsewhere
