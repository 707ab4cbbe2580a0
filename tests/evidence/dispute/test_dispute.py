"""A dispute in one file: what is in it, and that nobody changes it unnoticed."""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_assist.cli.main import main
from table_assist.game.events import (
    Attested,
    Drew,
    Event,
    HandAbandoned,
    HandShown,
    HandStarted,
    Settled,
    WallBuilt,
    WinDeclared,
    WinRefused,
)
from table_assist.game.state import TableState
from table_assist.record.dispute.file import (
    DisputeError,
    NoSuchHandError,
    disputed_hand,
    hands_of,
    laws_of,
    pack_dispute,
    read_dispute,
)
from table_assist.record.dispute.verify import judged_again, verify
from table_assist.record.evidence import Evidence
from table_assist.record.log import (
    Amended,
    Entry,
    Retracted,
    Source,
    entry_from_json,
    entry_to_json,
)
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from table_assist.trust.installation import InstallationKey
from table_assist.twin.play.hand import play_hand
from web.pages.dispute_page import dispute_page

_SECRET = Ed25519PrivateKey.generate()
KEY = InstallationKey(_SECRET, _SECRET.public_key().public_bytes_raw().hex())
NAMES = ("Ana", "Ben", "陈德", "Dai <b>")


def evening(rules_id: str, hands: int = 3, seed: int = 3) -> tuple[Entry, ...]:
    """An evening by bots as a real table records it: no concealed hand is known."""
    rules, random, state = find_rules(rules_id), Random(seed), TableState()
    record = Record(None, lambda: 1.0e9)
    for _ in range(hands):
        events, state = play_hand(rules, state, random)
        for event in events:
            known = replace(event, hands=()) if isinstance(event, HandStarted) else event
            known = replace(known, tile=Tile.UNKNOWN) if isinstance(known, Drew) else known
            record.append(known, Source.CAMERA, by="Ana, scorer")
    return tuple(record.entries)


def won(entries: tuple[Entry, ...]) -> int:
    """The number of a hand that somebody won."""
    return next(
        hand
        for hand in hands_of(entries)
        if isinstance(end := disputed_hand(entries, hand).end, Settled) and end.winners
    )


def packed(entries: tuple[Entry, ...], hand: int) -> bytes:
    return pack_dispute(
        entries,
        hand,
        made_t=1.0e9,
        program="0",
        page=lambda disputed, seal, pictures: dispute_page(disputed, seal, pictures, made_t=1.0e9),
        evidence=[("e1", Evidence("e1", 1.0, b"picture", '{"tiles": []}', b"crop"))],
        overlay=lambda evidence: b"drawn over " + evidence.jpeg,
        key=KEY,
    )


def wrong(path: Path, noted: str = "") -> list[str]:
    return [finding.text.en for finding in verify(read_dispute(path), noted) if not finding.ok]


def rewritten(content: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize("rules_id", [rules.id for rules in rule_sets()])
def test_every_hand_of_an_untouched_evening_is_verified(rules_id: str, tmp_path: Path) -> None:
    entries = evening(rules_id, hands=2)
    for hand in hands_of(entries):
        path = tmp_path / f"{hand}.zip"
        path.write_bytes(packed(entries, hand))
        assert wrong(path) == []


def test_the_file_holds_pictures_rules_and_a_page_that_reads_without_a_network(
    tmp_path: Path,
) -> None:
    entries = evening("changsha", hands=4)
    hand = won(entries)
    listed = Entry(len(entries) + 1, 1.0e9, Source.RULES, Attested("names", NAMES))
    entries = (*entries, listed)
    path = tmp_path / "d.zip"
    path.write_bytes(packed(entries, hand))
    file = read_dispute(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.read("evidence/e1.jpg") == b"picture"
        assert archive.read("evidence/e1.overlay.jpg") == b"drawn over picture"
        assert archive.read("evidence/e1.crop.jpg") == b"crop"
        page, rules = archive.read("dispute.html").decode(), archive.read("rules.html")
    assert "Dai &lt;b&gt;" in page
    assert "<b>Dai" not in page
    assert "http" not in page
    seal = str(file.manifest["hand_seal"])
    assert seal in page
    for law in laws_of(disputed_hand(entries, hand)):
        assert law.number in page
    assert b"Changsha" in rules


def test_a_changed_entry_is_found_by_its_seal(tmp_path: Path) -> None:
    entries = evening("wanzhou")
    hand = won(entries)
    place = next(
        i for i, e in enumerate(entries) if isinstance(e.event, Settled) and e.event.winners
    )

    def change(members: dict[str, bytes]) -> None:
        rows = members["log.jsonl"].decode().splitlines()
        seal, line = rows[place].split(" ", 1)
        entry = entry_from_json(line)
        assert isinstance(entry.event, Settled)
        a, b, c, d = entry.event.transfers
        forged = replace(entry, event=replace(entry.event, transfers=(a + 3, b - 3, c, d)))
        rows[place] = f"{seal} {entry_to_json(forged)}"
        members["log.jsonl"] = ("\n".join(rows) + "\n").encode()

    path = tmp_path / "d.zip"
    path.write_bytes(rewritten(packed(entries, hand), change))
    found = wrong(path)
    assert "log.jsonl is not what was packed." in found
    assert f"Entry {place + 1} of the log was changed, or one is missing before it." in found
    assert any("by the rules it is" in text for text in found)


def test_a_missing_member_and_a_cut_log_are_found(tmp_path: Path) -> None:
    entries = evening("changchun")
    content = packed(entries, 1)
    path = tmp_path / "d.zip"
    path.write_bytes(rewritten(content, lambda members: members.pop("evidence/e1.jpg")))
    assert "evidence/e1.jpg is missing." in wrong(path)

    def cut(members: dict[str, bytes]) -> None:
        members["log.jsonl"] = b"".join(members["log.jsonl"].splitlines(keepends=True)[:-1])

    path.write_bytes(rewritten(content, cut))
    assert "The log's end is missing." in wrong(path)


def test_a_correction_counts_and_stays_to_be_seen(tmp_path: Path) -> None:
    entries = evening("changsha", hands=4)
    hand = won(entries)
    end = next(e for e in disputed_hand(entries, hand).entries if isinstance(e.event, Settled))
    assert isinstance(end.event, Settled)
    worse = replace(end.event, transfers=tuple(2 * p for p in end.event.transfers))
    amended = Entry(len(entries) + 1, 2e9, Source.PERSON, Amended(end.seq, worse), by="Bo, referee")
    path = tmp_path / "d.zip"
    path.write_bytes(packed((*entries, amended), hand))
    (found,) = wrong(path)
    assert f"Entry {end.seq} moves" in found
    taken_back = Entry(len(entries) + 2, 2e9, Source.PERSON, Retracted(amended.seq))
    path.write_bytes(packed((*entries, amended, taken_back), hand))
    assert wrong(path) == []


def test_a_refusal_of_a_winning_hand_is_said(tmp_path: Path) -> None:
    entries = evening("wanzhou")
    hand = won(entries)
    disputed = disputed_hand(entries, hand)
    end = next(e for e in disputed.entries if isinstance(e.event, Settled))
    seat = disputed.before_end.shown[0].seat
    event: Event = WinRefused(seat, ("no_such_reason",))
    amended = Entry(len(entries) + 1, 2e9, Source.PERSON, Amended(end.seq, event))
    path = tmp_path / "d.zip"
    path.write_bytes(packed((*entries, amended), hand))
    assert f"The win of seat {seat} was refused, and by the rules it is a win." in wrong(path)


def test_a_hand_that_is_not_in_the_log_is_named() -> None:
    with pytest.raises(NoSuchHandError, match="no hand 9; there are 1, 2, 3"):
        disputed_hand(evening("changsha"), 9)


def test_another_archive_or_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(rewritten(packed(evening("changsha", 1), 1), lambda m: m.pop("dispute.json")))
    with pytest.raises(DisputeError):
        read_dispute(path)

    def later(members: dict[str, bytes]) -> None:
        manifest = json.loads(members["dispute.json"])
        members["dispute.json"] = json.dumps(manifest | {"format": 3}).encode()

    path.write_bytes(rewritten(packed(evening("changsha", 1), 1), later))
    with pytest.raises(DisputeError, match="format 1 to 2"):
        read_dispute(path)


def test_the_commands_pack_and_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = evening("classical", hands=2)
    with Store(tmp_path / "table-assist.sqlite") as store:
        store.append(entries)
    config = tmp_path / "table.toml"
    config.write_text('[rules]\nid = "classical"\n')
    path = tmp_path / "d.zip"
    assert main(["dispute", "2", str(path), "--config", str(config)]) == 0
    assert main(["verify", str(path)]) == 0
    assert "NO " not in capsys.readouterr().out
    assert main(["verify", str(path), "--lang", "zh", "--seal", "0" * 16]) == 1
    assert "NO  第 2 局没有封印 0000000000000000" in capsys.readouterr().out
    assert main(["dispute", "7", str(path), "--config", str(config)]) == 2
    assert "no hand 7" in capsys.readouterr().err


WHOLE, BROKEN = "123m456m789s123p55s", "123m456m789s124p55s"


def said_of(*events: Event) -> list[tuple[str, str]]:
    record = Record(None, lambda: 1.0e9)
    begin = (WallBuilt(), HandStarted(1, "changsha", 0, 55), WinDeclared(1))
    for event in (*begin, *events, HandAbandoned()):
        record.append(event, Source.PERSON)
    return [(each.mark, each.text.en) for each in judged_again(disputed_hand(record.entries, 1))]


def shown(tiles: str) -> HandShown:
    return HandShown(1, parse_tiles(tiles), parse_tile("5s"), self_drawn=True)


def test_a_win_that_does_not_hold_was_rightly_refused() -> None:
    first = said_of(shown(BROKEN), WinRefused(1, ("structure",)))[0]
    assert first[0] == "ok"
    assert first[1].startswith("The win of seat 1 was rightly refused: ")
    assert len(first[1]) > len("The win of seat 1 was rightly refused: .")


def test_a_win_that_holds_and_was_refused_is_told() -> None:
    first = said_of(shown(WHOLE), WinRefused(1, ("structure",)))[0]
    assert first == ("NO", "The win of seat 1 was refused, and by the rules it is a win.")


def test_of_a_hand_that_was_not_shown_nothing_is_claimed() -> None:
    first = said_of(WinRefused(1, ()))[0]
    assert first == ("ok", "The win of seat 1 was refused; its hand was not shown.")


@pytest.mark.parametrize("tiles", [WHOLE, BROKEN])
def test_a_hand_that_was_given_up_was_not_settled(tiles: str) -> None:
    assert said_of(shown(tiles))[-1][1] == "Hand 1 was not settled."
