"""Time stamps of others: asked for beside the game, kept in the log, found again by `verify`."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from table_assist.cli.main import main
from table_assist.contract.commands import EndHand, StartHand
from table_assist.evidence.dispute.attested import stamps_in
from table_assist.evidence.dispute.file import pack_dispute, read_dispute
from table_assist.evidence.dispute.verify import verify
from table_assist.game.events import Attested
from table_assist.live import stamper
from table_assist.live.live_table import LiveTable
from table_assist.record.export import read_log
from table_assist.record.log import Entry, Source
from table_assist.record.seal import HandSeal, sealed
from table_assist.settings.config import ConfigError, load_config, parse_config
from table_assist.settings.edit import EditError
from table_assist.settings.elsewhere import refuse_moves
from table_assist.trust.address import Address
from table_assist.trust.installation import open_key
from table_assist.trust.stamps import (
    WAIT_S,
    StampError,
    ask_for_stamp,
    known_roots,
    read_stamp,
    sorted_certificates,
)
from tests.evidence.dispute.test_dispute import evening, won
from tests.stages.stamping import Authority, stamping

NAMES = ("Ana", "Ben", "陈德", "Dai")


@pytest.fixture(scope="module")
def _authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    with stamping(tmp_path_factory.mktemp("authority")) as made:
        yield made


@pytest.fixture
def authority(_authority: Authority) -> Authority:
    _authority.manner = "stamp"
    _authority.asked.clear()
    return _authority


# -- a stamp ---------------------------------------------------------------------------------------


def test_an_authority_stamps_a_hash_and_learns_nothing_else(authority: Authority) -> None:
    content = b"5aadd7704f14a643"
    answer = ask_for_stamp(authority.url, content)
    (asked,) = authority.asked
    assert content not in asked
    assert len(asked) < 100
    stamp = read_stamp(answer, content, known_roots(authority.root))
    assert (stamp.authority, stamp.is_known) == ("Stamper", True)
    assert abs(stamp.at.timestamp() - time.time()) < 60


def test_an_authority_that_nobody_knows_vouches_for_nothing(authority: Authority) -> None:
    """Its root comes with the stamp: whoever trusted that would trust anybody."""
    answer = ask_for_stamp(authority.url, b"seal")
    assert not read_stamp(answer, b"seal").is_known
    assert not read_stamp(answer, b"seal", known_roots()).is_known


def test_what_was_changed_is_no_stamp(authority: Authority) -> None:
    answer = ask_for_stamp(authority.url, b"seal")
    roots = known_roots(authority.root)
    with pytest.raises(StampError, match="of something else"):
        read_stamp(answer, b"other", roots)
    passed = []
    for at in range(0, len(answer), 7):
        forged = answer[:at] + bytes([answer[at] ^ 1]) + answer[at + 1 :]
        try:
            found = read_stamp(forged, b"seal", roots)
        except StampError:
            continue
        passed.append((at, found))
    # What is not signed may differ (the other certificate, the answer's own words); what is, not.
    at = read_stamp(answer, b"seal", roots).at
    assert all(found.at == at for _, found in passed)
    assert len(passed) < len(answer) / 7 / 2
    for cut in range(0, len(answer), 97):
        with pytest.raises(StampError):
            read_stamp(answer[:cut], b"seal", roots)


def test_the_order_of_certificates_does_not_matter(authority: Authority) -> None:
    answer = ask_for_stamp(authority.url, b"seal")
    ordered = sorted_certificates(answer)
    assert sorted(ordered) == sorted(answer)
    assert sorted_certificates(ordered) == ordered
    assert read_stamp(ordered, b"seal", known_roots(authority.root)).is_known


@pytest.mark.parametrize(
    ("manner", "why"),
    [
        ("refuse", "answers 503"),
        ("lead elsewhere", "answers 302"),
        ("answer nonsense", "no time stamp|refuses"),
        ("never end", "does not end"),
        ("say nothing", "does not answer"),
    ],
)
def test_an_authority_that_fails_is_told_in_one_sentence(
    authority: Authority, manner: str, why: str
) -> None:
    authority.manner = manner
    with pytest.raises(StampError, match=why):
        ask_for_stamp(authority.url, b"seal", wait_s=0.3 if manner == "say nothing" else WAIT_S)
    wait_for(lambda: bool(authority.asked))  # who is not waited for long may hear it later
    assert len(authority.asked) == 1


@pytest.mark.parametrize("url", ["file:///etc/passwd", "http://127.0.0.1:9/", "http://[/"])
def test_no_other_address_is_opened(url: str) -> None:
    with pytest.raises(StampError):
        ask_for_stamp(url, b"seal", wait_s=1)


# -- beside the game -------------------------------------------------------------------------------


def test_it_is_tried_again_later_and_later_and_a_later_stamp_is_enough() -> None:
    asked: list[bytes] = []
    kept: list[Attested] = []
    works = False

    def ask(url: str, content: bytes) -> bytes:
        asked.append(content)
        if not works:
            raise StampError(f"{url} does not answer")
        return b"stamp"

    newest = HandSeal(1, 10, "aa")
    at = Address("https://me:secret@stamps.example/tsr")
    mine = stamper.Stamper(at, lambda: newest, kept.append, ask=ask)
    for now in range(0, 400, 10):
        mine.check(float(now))
    assert len(asked) == 4  # at 0, 30, 90 and 210 s
    assert mine.health.status == "lost"
    assert "secret" not in mine.health.says.en
    works, newest = True, HandSeal(3, 30, "cc")
    mine.check(1000.0)
    mine.check(1001.0)
    assert [each.fields[0] for each in kept] == ["30"]
    assert (asked[-1], mine.health.status) == (b"cc", "live")
    entries = [Entry(1, 1.0, Source.RULES, kept[0])]
    again = stamper.Stamper(at, lambda: newest, kept.append, entries, ask=ask)
    again.check(2000.0)
    assert len(kept) == 1  # after a restart, too, it is known what is stamped


def test_a_silent_authority_delays_neither_the_game_nor_its_end(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority.manner = "say nothing"
    monkeypatch.setattr(stamper, "LOOK_S", 0.01)
    (tmp_path / "table.toml").write_text(f'[stamps]\nauthority = "{authority.url}"\n')
    table = LiveTable(load_config(tmp_path / "table.toml"), camera=None, reader=None)
    table.start()
    try:
        assert table.submit(StartHand(0)) is None
        assert table.submit(EndHand()) is None
        wait_for(lambda: bool(authority.asked))
        before = time.monotonic()
        assert table.submit(StartHand(1)) is None
        assert time.monotonic() - before < 5
    finally:
        before = time.monotonic()
        table.stop()
    assert time.monotonic() - before < 5
    assert stamps_in(read_log(tmp_path / "table-assist.sqlite")) == []


def test_nobody_is_asked_unless_the_settings_name_an_authority(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamper, "LOOK_S", 0.01)
    (tmp_path / "table.toml").write_text("")
    table = LiveTable(load_config(tmp_path / "table.toml"), camera=None, reader=None)
    assert table._stamper is None
    table.close()


def test_a_hand_that_ends_is_stamped_and_verify_finds_the_stamp(
    authority: Authority,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(stamper, "LOOK_S", 0.01)
    settings = tmp_path / "table.toml"
    settings.write_text(f'[stamps]\nauthority = "{authority.url}"\n')
    table = LiveTable(load_config(settings), camera=None, reader=None, vouches=open_key().public)
    table.start()
    try:
        assert table.submit(StartHand(0)) is None
        assert table.submit(EndHand()) is None
        wait_for(lambda: bool(stamps_in(table.entries())))
        assert table.submit(StartHand(1)) is None
    finally:
        table.stop()
    file = tmp_path / "d.zip"
    config = ["--config", str(settings)]
    assert main(["dispute", "1", str(file), *config]) == 0
    capsys.readouterr()
    assert main(["verify", str(file), "--authority", str(authority.root)]) == 0
    assert "ok  The authority Stamper saw the log up to entry" in capsys.readouterr().out
    assert main(["verify", str(file)]) == 0
    said = capsys.readouterr().out
    assert "--  Stamper says that it saw the log" in said
    assert main(["verify", str(file), "--authority", str(settings)]) == 2
    assert main(["dispute", "2", str(file), *config]) == 0
    assert main(["verify", str(file), "--authority", str(authority.root)]) == 0
    assert "The time stamps are of earlier hands" in capsys.readouterr().out


def test_a_stamp_of_another_record_is_found_out(authority: Authority, tmp_path: Path) -> None:
    """The attack: the record is rewritten, and the old stamp is put behind it."""
    log = evening("wanzhou")
    seal = list(sealed(log))[-1][0]
    kept: list[Attested] = []
    ask = stamper.Stamper(Address(authority.url), lambda: HandSeal(3, len(log), seal), kept.append)
    ask.check(0.0)
    (stamp,) = kept
    honest = (*log, Entry(len(log) + 1, 1.0e9, Source.RULES, stamp))
    rewritten = (replace(log[0], t=log[0].t + 1), *honest[1:])
    said = {}
    for name, entries in (("honest", honest), ("rewritten", rewritten)):
        path = tmp_path / f"{name}.zip"
        path.write_bytes(
            pack_dispute(
                entries,
                won(log),
                NAMES,
                made_t=1.0,
                program="0",
                page=lambda hand, seal, pictures: "x",
                key=open_key(),
            )
        )
        findings = verify(read_dispute(path), authority=authority.root)
        said[name] = [(each.ok, each.text.en) for each in findings if "stamp" in each.text.en]
        said[name] += [(each.ok, each.text.en) for each in findings if "saw" in each.text.en]
    assert [ok for ok, _ in said["honest"]] == [True]
    assert said["rewritten"] == [
        (False, f"The time stamp of entry {len(log)} is none: the time stamp is of something else.")
    ]


# -- the setting -----------------------------------------------------------------------------------


@pytest.mark.parametrize("authority", ["ftp://x/", "file:///etc/passwd", "stamps.example/tsr"])
def test_an_authority_is_asked_over_http_alone(authority: str) -> None:
    with pytest.raises(ConfigError, match=r"stamps\.authority"):
        parse_config({"stamps": {"authority": authority}})


def test_the_authority_is_named_at_the_machine_alone() -> None:
    with pytest.raises(EditError, match=r"stamps\.authority is set at the table's own machine"):
        refuse_moves("", '[stamps]\nauthority = "http://10.0.0.1/"\n')


def wait_for(condition: object) -> None:
    assert callable(condition)
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
