"""TLS on the table's network: an authority of the machine's own, and who is led to it."""

import http.client
import os
import socket
import ssl
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from flask import Flask

from table_assist.cli.main import main
from tests.stages.visitor import page_token
from tests.stages.web_fakes import FakeTable, opened
from web import authority as part
from web import create_app
from web.access.pairing_sessions import PAIRING_COOKIE, PairingSessions
from web.access.roles import Role
from web.authority import CERTIFICATE_LASTS, Tls, TlsError, given, own
from web.language import page_words
from web.pages.trust_page import TRUST_STEPS
from web.serve import PortUnavailableError, Serving, serve
from web.sockets import PlaceLimits

pytestmark = pytest.mark.slow

NAMES = ("localhost", "127.0.0.1", "192.168.1.5", "table.local")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tls") / "kept"


@pytest.fixture(scope="module")
def tls(folder: Path) -> Tls:
    return own(folder, NAMES)


@pytest.fixture
def app() -> Flask:
    return create_app(FakeTable(opened().snapshot()), "0.0.0.0")


@pytest.fixture
def serving(app: Flask, tls: Tls) -> Iterator[Serving]:
    running = serve(app, "127.0.0.1", 0, tls=tls, tls_port=0)
    yield running
    running.close()


def trusting(folder: Path) -> ssl.SSLContext:
    """A phone that was told to trust the authority, and trusts nobody else."""
    return ssl.create_default_context(cafile=str(folder / "authority.crt"))


def port_of(serving: Serving) -> int:
    return int(serving.tls_url.rstrip("/").rsplit(":", 1)[1])


def get(serving: Serving, folder: Path, path: str, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPSConnection(
        "127.0.0.1", port_of(serving), timeout=10, context=trusting(folder)
    )
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.body = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


def test_a_phone_that_trusts_the_authority_speaks_tls(serving: Serving, folder: Path) -> None:
    answer = get(serving, folder, "/api/table")
    assert answer.status == 200
    assert answer.getheader("Strict-Transport-Security") is None


def test_a_phone_that_was_not_told_does_not(serving: Serving) -> None:
    with (
        socket.create_connection(("127.0.0.1", port_of(serving)), 10) as plain,
        pytest.raises(ssl.SSLCertVerificationError),
    ):
        ssl.create_default_context().wrap_socket(plain, server_hostname="127.0.0.1")


def test_a_live_view_comes_over_tls(serving: Serving, folder: Path) -> None:
    with socket.create_connection(("127.0.0.1", port_of(serving)), 10) as plain:
        viewer = trusting(folder).wrap_socket(plain, server_hostname="127.0.0.1")
        viewer.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        got = b""
        while b"event: view" not in got:
            part = viewer.recv(65536)
            assert part
            got += part
        viewer.close()


def test_who_never_ends_the_handshake_is_ended(app: Flask, tls: Tls) -> None:
    running = serve(app, port=0, tls=tls, tls_port=0, limits=PlaceLimits(first_s=0.3))
    silent = socket.create_connection(("127.0.0.1", port_of(running)), 10)
    silent.settimeout(30)
    assert silent.recv(1) == b""
    silent.close()
    running.close()


def test_who_comes_without_tls_is_led_to_it_and_the_machine_itself_is_not(
    app: Flask, serving: Serving
) -> None:
    client = app.test_client()
    phone = {"REMOTE_ADDR": "192.168.1.20"}
    port = port_of(serving)
    led = client.get("/tv?lang=zh", environ_base=phone, headers={"Host": "192.168.1.5:8000"})
    assert led.status_code == 307
    assert led.headers["Location"] == f"https://192.168.1.5:{port}/tv?lang=zh"
    told = client.post("/api/leave", environ_base=phone, headers={"Host": "192.168.1.5:8000"})
    assert told.status_code == 403
    assert f"https://192.168.1.5:{port}/" in told.json["error"]["en"]
    assert client.get("/tv").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/%0d%0aSet-Cookie:a=b", "/tv?%0d%0aSet-Cookie:a=b", "//evil.example", "/%5Cevil.test"],
)
def test_who_is_led_on_stays_at_this_table(app: Flask, serving: Serving, path: str) -> None:
    host = {"Host": "192.168.1.5:8000"}
    led = app.test_client().get(path, environ_base={"REMOTE_ADDR": "192.168.1.20"}, headers=host)
    assert led.status_code == 307
    assert led.headers["Location"].startswith(f"https://192.168.1.5:{port_of(serving)}/")
    assert "Set-Cookie" not in led.headers


@pytest.mark.parametrize(
    "host", ["evil.example@127.0.0.1", "127.0.0.1#@evil.example", "127.0.0.1/x", "[::1]x", "::1",
             "127.0.0.1:x", "127.0.0.1:80:80", "127.0.0.1\\@evil.example", "127.0.0.1?x"],
)  # fmt: skip
def test_a_host_that_is_more_than_a_name_is_none(app: Flask, serving: Serving, host: str) -> None:
    for peer in ("127.0.0.1", "192.168.1.20"):
        asked = app.test_client().get(
            "/tv", environ_base={"REMOTE_ADDR": peer}, headers={"Host": host}
        )
        assert asked.status_code == 421


def test_the_session_s_cookie_is_secure_over_tls(app: Flask, serving: Serving) -> None:
    app.extensions["sessions"].set_password("a long password")
    client = app.test_client()
    asked = {"base_url": "https://192.168.1.5", "environ_base": {"REMOTE_ADDR": "192.168.1.20"}}
    token = page_token(client.get("/tv", **asked).text)
    come_in = client.post(
        "/api/admin/login",
        json={"password": "a long password"},
        headers={"X-Table-Token": token},
        **asked,
    )
    assert come_in.status_code == 200
    assert f"{PAIRING_COOKIE}_" in come_in.headers["Set-Cookie"]
    assert "Secure" in come_in.headers["Set-Cookie"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("agent", "first"),
    [
        ("Mozilla/5.0 (Linux; Android 16)", "android"),
        ("(iPad; CPU OS 19)", "ios"),
        ("?", "android"),
    ],
)
def test_the_page_tells_each_system_how_to_trust(
    app: Flask, serving: Serving, tls: Tls, language: str, agent: str, first: str
) -> None:
    head = {"Host": "192.168.1.5:8000", "User-Agent": agent}
    phone = {"REMOTE_ADDR": "192.168.1.20"}
    page = app.test_client().get(f"/trust?lang={language}", environ_base=phone, headers=head)
    assert page.status_code == 200
    assert page.text.index(TRUST_STEPS[first][0]) < min(
        page.text.index(name) for key, (name, _) in TRUST_STEPS.items() if key != first
    )
    assert getattr(TRUST_STEPS[first][1], language)[:20] in page.text
    assert getattr(page_words("trust")["trust_title"], language) in page.text
    assert tls.fingerprint in page.text
    loaded = app.test_client().get("/authority.crt", environ_base=phone, headers=head)
    assert loaded.data == tls.authority
    assert loaded.mimetype == "application/x-x509-ca-cert"


def test_without_certificates_of_its_own_there_is_nothing_to_trust(app: Flask) -> None:
    assert app.test_client().get("/trust").status_code == 404
    assert app.test_client().get("/authority.crt").status_code == 404


def test_the_authority_is_made_once_and_the_keys_are_the_owner_s_alone(
    folder: Path, tls: Tls
) -> None:
    before = (folder / "table.crt").read_bytes()
    assert own(folder, NAMES).authority == tls.authority
    assert (folder / "table.crt").read_bytes() == before
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for name in ("authority.key", "table.key"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600


def test_a_certificate_is_made_anew_for_a_new_address_or_before_it_ends(tmp_path: Path) -> None:
    first = own(tmp_path, NAMES)
    certificate = tmp_path / "table.crt"
    before = certificate.read_bytes()
    moved = own(tmp_path, (*NAMES, "192.168.7.9"))
    assert moved.authority == first.authority
    assert certificate.read_bytes() != before
    before = certificate.read_bytes()
    later = own(tmp_path, NAMES, now=datetime.now(UTC) + CERTIFICATE_LASTS - timedelta(days=20))
    assert later.authority == first.authority
    assert certificate.read_bytes() != before


def test_the_authority_speaks_for_no_site_of_the_internet(tmp_path: Path) -> None:
    own(tmp_path, NAMES)
    outside = own(tmp_path, (*NAMES, "bank.example", "203.0.113.7"))
    assert outside.left_out == ("bank.example", "203.0.113.7")
    certificate = x509.load_pem_x509_certificate((tmp_path / "table.crt").read_bytes())
    said = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert "bank.example" not in said.get_values_for_type(x509.DNSName)


def test_what_a_thief_of_the_key_signs_for_another_site_is_not_believed(tmp_path: Path) -> None:
    own(tmp_path, NAMES)
    now = datetime.now(UTC)
    made, key = part._authority(tmp_path, NAMES, now)
    theirs = part.ec.generate_private_key(part.ec.SECP256R1())
    forged = part._certificate(made, key, theirs, ("bank.example",), now)
    (tmp_path / "table.key").write_bytes(part._pem_of(theirs))
    pem = forged.public_bytes(part.serialization.Encoding.PEM)
    (tmp_path / "table.crt").write_bytes(pem)
    bank = given(tmp_path / "table.crt", tmp_path / "table.key")
    client, server = ssl.MemoryBIO(), ssl.MemoryBIO()
    phone = trusting(tmp_path).wrap_bio(client, server, server_hostname="bank.example")
    thief = bank.context.wrap_bio(server, client, server_side=True)
    for side in (phone, thief):
        with pytest.raises(ssl.SSLWantReadError):
            side.do_handshake()
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        phone.do_handshake()


def test_one_s_own_files_are_served(tmp_path: Path, app: Flask, folder: Path, tls: Tls) -> None:
    brought = given(folder / "table.crt", folder / "table.key")
    assert brought.authority == b""
    running = serve(app, port=0, tls=brought, tls_port=0, hsts=True)
    answer = get(running, folder, "/api/table")
    assert answer.getheader("Strict-Transport-Security") == "max-age=31536000"
    running.close()


def test_files_that_do_not_fit_are_one_sentence(
    tmp_path: Path, folder: Path, tls: Tls, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(TlsError, match="cannot be used: "):
        given(folder / "table.crt", folder / "authority.key")
    with pytest.raises(TlsError, match="No such file"):
        given(tmp_path / "none.crt", tmp_path / "none.key")
    (tmp_path / "authority.crt").write_text("no certificate")
    (tmp_path / "authority.key").write_text("no key")
    with pytest.raises(TlsError, match="cannot be used"):
        own(tmp_path, NAMES)
    assert main(["run", "--config", str(tmp_path / "t.toml"), "--certificate", "x"]) == 2
    assert "--certificate and --key belong together" in capsys.readouterr().err


def test_a_taken_tls_port_is_one_sentence_and_frees_the_other(app: Flask, tls: Tls) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortUnavailableError, match=f"port {port}: .*--tls-port"):
            serve(app, port=0, tls=tls, tls_port=port)


def test_a_password_chosen_at_the_terminal_counts_for_the_running_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = PairingSessions(tmp_path / "t.devices.json")
    phone = running.open(Role.SEAT, 1, "Ana", since=0.0)
    read, write = os.pipe()
    os.write(write, b"tortoise and hare\n")
    os.close(write)
    with os.fdopen(read) as typed:
        monkeypatch.setattr("sys.stdin", typed)
        assert main(["password", "--config", str(tmp_path / "t.toml")]) == 0
    assert running.has_password
    assert running.is_password("tortoise and hare")
    assert running.find(phone) is not None


def test_without_a_local_admin_no_page_is_opened_for_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = str(tmp_path / "t.toml")
    assert main(["trial", "--config", settings, "--no-local-admin"]) == 2
    assert "Without a local admin nothing is set up" in capsys.readouterr().err
