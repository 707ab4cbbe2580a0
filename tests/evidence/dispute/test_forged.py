"""A dispute against people who do not trust each other: every forgery that was tried."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.cli.main import main
from table_assist.game.events import Attested, Settled
from table_assist.record.dispute.file import (
    DISPUTE_LOG,
    DISPUTE_MANIFEST,
    DISPUTE_PURPOSE,
    DISPUTE_SIGNATURE,
    attestations,
    disputed_hand,
    hands_of,
    pack_dispute,
    read_dispute,
    rule_sheet,
)
from table_assist.record.dispute.verify import verify
from table_assist.record.evidence import Evidence
from table_assist.record.log import Entry, Source, entry_from_json, entry_to_json
from table_assist.record.seal import SHOWN_LETTERS, hand_seals, is_canonical, seal_after, sealed
from table_assist.trust.installation import InstallationKey, fingerprint_of, open_key, signer_of
from tests.evidence.dispute.test_dispute import NAMES, evening

Entries = tuple[Entry, ...]

Members = dict[str, bytes]
PICTURE = Evidence("e9", 1.0, b"a picture", '{"tiles": ["5p"]}', b"a crop")
EVENING = evening("changsha", hands=1)


@pytest.fixture
def key(tmp_path: Path) -> InstallationKey:
    return open_key(tmp_path / "home")


@pytest.fixture
def log(key: InstallationKey) -> Entries:
    """An evening of which the log vouches for key, names, rules and a picture."""
    entries = list(evening("wanzhou"))
    hand = disputed_hand(entries, 1)
    sheet = rule_sheet(hand.profile or hand.rules.id, hand.rules, hand.hash)
    picture = Attested("picture", ("9", PICTURE.digest))
    for each in (*attestations(key.public, NAMES, sheet), picture):
        entries.append(Entry(len(entries) + 1, 1.0e9, Source.RULES, each))
    return tuple(entries)


def disputed(log: Entries) -> int:
    return next(h for h in hands_of(log) if isinstance(disputed_hand(log, h).end, Settled))


def packed(log: Entries, key: InstallationKey | None) -> bytes:
    return pack_dispute(
        log,
        disputed(log),
        made_t=1.0e9,
        program="0",
        page=lambda disputed, seal, pictures: f"a page of {seal}",
        evidence=[("e9", PICTURE)],
        key=key,
    )


def members_of(content: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(members: Members) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def forged(content: bytes, key: InstallationKey, change: Callable[[Members], None]) -> bytes:
    """The owner of the machine changes what he likes, hashes it and signs it anew."""
    members = members_of(content)
    change(members)
    manifest = json.loads(members.pop(DISPUTE_MANIFEST))
    del members[DISPUTE_SIGNATURE]
    if "names" in members:
        manifest["names"] = json.loads(members.pop("names"))
    manifest["sha256"] = {name: hashlib.sha256(each).hexdigest() for name, each in members.items()}
    manifest["seal"] = members[DISPUTE_LOG].decode().split("\n")[-2].split(" ")[0]
    members[DISPUTE_MANIFEST] = json.dumps(manifest, ensure_ascii=False, indent=1).encode()
    members[DISPUTE_SIGNATURE] = key.sign(DISPUTE_PURPOSE, members[DISPUTE_MANIFEST])
    return zipped(members)


def resealed(members: Members, change: Callable[[list[str]], None]) -> None:
    lines = [row.partition(" ")[2] for row in members[DISPUTE_LOG].decode().split("\n")[:-1]]
    change(lines)
    rows, seal = [], ""
    for line in lines:
        seal = seal_after(seal, line)
        rows.append(f"{seal} {line}\n")
    members[DISPUTE_LOG] = "".join(rows).encode()


def wrong(content: bytes, folder: Path, noted: str = "") -> list[str]:
    path = folder / "x.zip"
    path.write_bytes(content)
    return [each.text.en for each in verify(read_dispute(path), noted) if not each.ok]


def seal_of(log: Entries, hand: int) -> str:
    chain = [(seal, entry) for (seal, _), entry in zip(sealed(log), log, strict=True)]
    return next(each.seal for each in hand_seals(chain) if each.hand == hand)


def test_an_honest_file_proves_what_can_be_proven_and_says_what_not(
    log: Entries, key: InstallationKey, tmp_path: Path
) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(packed(log, key))
    findings = verify(read_dispute(path), seal_of(log, disputed(log))[:SHOWN_LETTERS])
    assert [each.text.en for each in findings if not each.ok] == []
    said = " ".join(each.text.en for each in findings if each.is_proven)
    assert f"signed by the installation {key.fingerprint}" in said
    for what in ("players' names", "rule sheet", "picture and readings of entry 9"):
        assert f"The {what}: as the log vouches." in said
    assert [each.text.en for each in findings if not each.is_proven] == [
        "Not proven: that the owner of the machine wrote down the truth in the first place, "
        "and when.",
    ]


def test_a_file_of_earlier_that_holds_a_time_stamp_is_read(
    log: Entries, key: InstallationKey, tmp_path: Path
) -> None:
    stamp = Entry(len(log) + 1, 1.0e9, Source.RULES, Attested("stamp", ("9", "MAA=")))
    path = tmp_path / "x.zip"
    path.write_bytes(packed((*log, stamp), key))
    assert [each.text.en for each in verify(read_dispute(path)) if not each.ok] == []


def test_an_altered_and_resealed_log_does_not_have_the_seal_that_phones_keep(
    log: Entries, key: InstallationKey, tmp_path: Path
) -> None:
    def double(lines: list[str]) -> None:
        for place, line in enumerate(lines):
            entry = entry_from_json(line)
            if isinstance(entry.event, Settled):
                a, b, c, d = (2 * points for points in entry.event.transfers)
                event = replace(entry.event, transfers=(a, b, c, d))
                lines[place] = entry_to_json(replace(entry, event=event))

    bad = forged(packed(log, key), key, lambda members: resealed(members, double))
    found = wrong(bad, tmp_path, seal_of(log, disputed(log)))
    assert any("does not have the seal" in text for text in found)


def test_a_seal_is_of_that_hand_and_at_least_sixteen_letters(
    log: Entries, key: InstallationKey, tmp_path: Path
) -> None:
    content, own = packed(log, key), seal_of(log, disputed(log))
    assert wrong(content, tmp_path, own[:SHOWN_LETTERS]) == []
    for short in (own[:2], own[: SHOWN_LETTERS - 1], "zz" * 8):
        assert any("prove nothing" in text for text in wrong(content, tmp_path, short))
    other = next(seal for seal, _ in sealed(log))
    assert any("does not have the seal" in text for text in wrong(content, tmp_path, other))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("evidence/e9.jpg", "picture and readings of entry 9: not those"),
        ("evidence/e9.json", "picture and readings of entry 9: not those"),
        ("evidence/e9.crop.jpg", "picture and readings of entry 9: not those"),
        ("rules.html", "rule sheet: not those"),
        ("names", "players' names: not those"),
    ],
)
def test_replaced_pictures_readings_rules_and_names_are_found(
    log: Entries, key: InstallationKey, tmp_path: Path, name: str, told: str
) -> None:
    def replaced(members: Members) -> None:
        members[name] = b'["Eve", "Ben", "C", "D"]' if name == "names" else b"something else"

    assert any(told in text for text in wrong(forged(packed(log, key), key, replaced), tmp_path))


def test_a_file_that_another_installation_signed_or_nobody_is_found(
    log: Entries, key: InstallationKey, tmp_path: Path
) -> None:
    other = open_key(tmp_path / "other")
    assert other.public != key.public
    assert any("not the installation" in each for each in wrong(packed(log, other), tmp_path))
    assert any("proves nothing" in each for each in wrong(packed(log, None), tmp_path))
    members = members_of(packed(log, key))
    members[DISPUTE_MANIFEST] = members[DISPUTE_MANIFEST].replace(
        b'"program": "0"', b'"program": "1"'
    )
    assert any("proves nothing" in each for each in wrong(zipped(members), tmp_path))


def test_a_key_that_nobody_reads_does_not_pass(
    log: Entries, key: InstallationKey, tmp_path: Path
) -> None:
    """The attack: what is not read is changed until the seal begins as it should."""

    def grind(lines: list[str]) -> None:
        lines[4] = lines[4][:-1] + ',"try":12345}'

    bad = forged(packed(log, key), key, lambda members: resealed(members, grind))
    assert any("Entry 5 of the log was changed" in text for text in wrong(bad, tmp_path))


def test_a_log_that_was_changed_proves_nothing_by_what_still_stands_in_it(
    log: Entries, key: InstallationKey, tmp_path: Path
) -> None:
    """An early entry is changed, and every seal stays as it was: the noted one, too."""
    seal = seal_of(log, disputed(log))[:SHOWN_LETTERS]

    def early(members: Members) -> None:
        rows = members[DISPUTE_LOG].decode().split("\n")
        rows[2] = rows[2][:-1] + " }"
        members[DISPUTE_LOG] = "\n".join(rows).encode()

    path = tmp_path / "x.zip"
    path.write_bytes(forged(packed(log, key), key, early))
    findings = verify(read_dispute(path), seal)
    said = [each.text.en for each in findings if each.ok and each.is_proven]
    assert not [text for text in said if "seal" in text or "vouches" in text]
    found = [each.text.en for each in findings if not each.ok]
    assert any("does not follow from its entries" in text for text in found)
    assert any("vouches for no picture" in text for text in found)


def test_a_signature_proves_nothing_of_what_was_not_signed(
    log: Entries, key: InstallationKey, tmp_path: Path
) -> None:
    members = members_of(packed(log, key))
    members["rules.html"] = b"other rules"
    path = tmp_path / "x.zip"
    path.write_bytes(zipped(members))
    findings = verify(read_dispute(path))
    assert not [each for each in findings if each.ok and "signed by" in each.text.en]
    assert any("signed something else" in each.text.en for each in findings if not each.ok)


@given(st.sampled_from(EVENING))
def test_only_a_line_that_this_program_writes_is_canonical(entry: Entry) -> None:
    line = entry_to_json(entry)
    row = json.loads(line)
    compact = {"ensure_ascii": False, "separators": (",", ":")}
    assert is_canonical(line)
    for other in (
        f" {line}",
        f'{line[:-1]},"seq":1}}',
        f'{line[:-1]},"more":1}}',
        json.dumps(row, ensure_ascii=False),
        json.dumps(dict(reversed(row.items())), **compact),  # type: ignore[arg-type]
        json.dumps({**row, "event": {**row["event"], "more": 1}}, **compact),  # type: ignore[arg-type]
    ):
        assert not is_canonical(other), other


def test_the_key_is_made_once_for_its_owner_alone_and_signs_for_one_purpose(tmp_path: Path) -> None:
    key = open_key(tmp_path)
    assert open_key(tmp_path).public == key.public
    assert (tmp_path / "installation.key").stat().st_mode & 0o777 == 0o600
    signature = key.sign("dispute", b"content")
    assert signer_of(signature, "dispute", b"content") == key.public
    assert signer_of(signature, "backup", b"content") == ""
    assert signer_of(signature, "dispute", b"other") == ""
    assert signer_of(b"{}", "dispute", b"content") == ""
    assert fingerprint_of(key.public) == key.fingerprint
    assert len(key.fingerprint.split()) == 8


def test_no_word_of_the_file_itself_excuses_it_from_a_signature(
    log: Entries, key: InstallationKey, tmp_path: Path
) -> None:
    """The attack: `format: 1`, no signature, another winner, whole seals."""
    members = members_of(packed(log, key))
    manifest = json.loads(members[DISPUTE_MANIFEST]) | {"format": 1, "installation": ""}
    members[DISPUTE_MANIFEST] = json.dumps(manifest).encode()
    del members[DISPUTE_SIGNATURE]
    path = tmp_path / "x.zip"
    path.write_bytes(zipped(members))
    first, *_ = verify(read_dispute(path))
    assert not first.ok
    assert "proves nothing" in first.text.en
    assert main(["verify", str(path)]) == 1
