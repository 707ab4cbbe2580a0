"""A dispute in one file: the log up to now, the pictures, the rules, a page to read.

A ZIP archive. ``dispute.json`` names every other member with its sha256. ``log.jsonl`` has a line
for each entry of the log: its seal, a space, the entry as JSON; see `game.seal`.
"""

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from table_assist.contract.evidence import Evidence
from table_assist.evidence.dispute.hand import DisputedHand, disputed_hand
from table_assist.languages.words import SaidError
from table_assist.record.json_rows import (
    DAMAGES,
    TooLargeError,
    digest,
    parsed,
    small,
    unpacked_size,
)
from table_assist.record.log import Entry, entry_from_json
from table_assist.record.seal import sealed
from table_assist.rules.profile import Profile, profile_hash
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.printed import Form, print_sheet
from table_assist.rules.sheet.sheet import make_sheet
from table_assist.trust.installation import InstallationKey, signer_of

# 2: signed by the installation; the log vouches for pictures, names and rules.
FORMAT = 2
FORMATS = (1, FORMAT)
MANIFEST, LOG, SIGNATURE = "dispute.json", "log.jsonl", "dispute.sig"
PURPOSE = "dispute"
MOST_BYTES = 2_000_000_000  # of all members, which are read piece by piece
# The memory limits: a log of a thousand hands is some 20 MB.
MOST_LOG_BYTES, MOST_ENTRIES = 64_000_000, 200_000
MOST_MANIFEST_BYTES, MOST_SIGNATURE_BYTES = 4_000_000, 1_000


class DisputeError(SaidError):
    """The file is no dispute that can be read; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class DisputeFile:
    """The content of a dispute file as it was read; nothing is checked yet.

    Attributes:
        manifest: ``dispute.json``.
        seals: after each entry.
        lines: each entry as JSON.
        entries: the same, read.
        hashes: the sha256 of every other member.
        signer: the public key that has signed the manifest; empty where none has.
    """

    manifest: Mapping[str, object]
    seals: tuple[str, ...]
    lines: tuple[str, ...]
    entries: tuple[Entry, ...]
    hashes: Mapping[str, str]
    signer: str = ""


def pack_dispute(
    entries: Sequence[Entry],
    hand: int,
    *,
    made_t: float,
    program: str,
    page: Callable[[DisputedHand, str, Sequence[str]], str],
    evidence: Iterable[tuple[str, Evidence]] = (),
    overlay: Callable[[Evidence], bytes] | None = None,
    key: InstallationKey | None = None,
) -> bytes:
    """The file's content.

    Args:
        entries: the whole log.
        made_t: seconds since the epoch.
        page: writes the page to read, of the hand, its seal and the ids of its pictures.
        evidence: (id, evidence) of what is to be in it.
        overlay: draws what was read over a picture, as JPEG.
        key: signs it; None for nobody.

    Raises:
        NoSuchHandError: the log has no such hand.
    """
    disputed = disputed_hand(entries, hand)
    chain = list(sealed(entries))
    members: dict[str, bytes] = {LOG: "".join(f"{s} {line}\n" for s, line in chain).encode()}
    pictures: list[str] = []
    for id, each in evidence:
        pictures.append(id)
        members[f"evidence/{id}.jpg"] = each.jpeg
        members[f"evidence/{id}.json"] = each.readings.encode()
        if each.crop:
            members[f"evidence/{id}.crop.jpg"] = each.crop
        if overlay is not None:
            members[f"evidence/{id}.overlay.jpg"] = overlay(each)
    id = disputed.profile or disputed.rules.id
    members["rules.html"] = rule_sheet(id, disputed.rules, disputed.hash)
    seal = chain[-1][0]
    hand_seal = chain[disputed.last_seq - 1][0]
    members["dispute.html"] = page(disputed, hand_seal, pictures).encode()
    manifest = {
        "format": FORMAT,
        "program": program,
        "installation": "" if key is None else key.fingerprint,
        "made_t": made_t,
        "names": list(disputed.names),
        "hand": hand,
        "rules": disputed.rules.id,
        "profile": disputed.profile,
        "hash": disputed.hash,
        "hash_now": profile_hash(disputed.rules, id),
        "options": dict(disputed.rules.chosen),
        "entries": len(chain),
        "seal": seal,
        "hand_seal": hand_seal,
        "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in members.items()},
    }
    members[MANIFEST] = json.dumps(manifest, ensure_ascii=False, indent=1).encode()
    if key is not None:
        members[SIGNATURE] = key.sign(PURPOSE, members[MANIFEST])
    return _zipped(members)


def rule_sheet(id: str, rules: RuleSet, hash: str) -> bytes:
    """The rules as they are printed into the file."""
    return print_sheet(make_sheet(Profile(id, id, rules, hash)), Form.HTML).encode()


def read_dispute(path: Path) -> DisputeFile:
    """Read a file.

    Raises:
        DisputeError: it cannot be read, is damaged, or is of a later format.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked_size(archive, MOST_BYTES)
            signed, signature = small(archive, MANIFEST, MOST_MANIFEST_BYTES), b""
            manifest = parsed(signed)
            if SIGNATURE in archive.namelist():
                signature = small(archive, SIGNATURE, MOST_SIGNATURE_BYTES)
            rows = _rows(small(archive, LOG, MOST_LOG_BYTES))
            hashes = {
                name: digest(archive, name, MOST_BYTES)
                for name in archive.namelist()
                if name not in (MANIFEST, SIGNATURE)
            }
    except TooLargeError as error:
        raise DisputeError.told("too_large", name=path.name, error=error) from error
    except (OSError, zipfile.BadZipFile, NotImplementedError, KeyError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise DisputeError.told("no_dispute", name=path.name, why=why) from error
    except (*DAMAGES, ValueError) as error:  # encrypted, cut off, damaged inside
        raise DisputeError.told("damaged", name=path.name, error=error) from error
    if not isinstance(manifest, dict) or manifest.get("format") not in FORMATS:
        raise DisputeError.told("other_format", name=path.name, format=FORMAT)
    seals, lines = (
        zip(*(row.partition(" ")[::2] for row in rows), strict=True) if rows else ((), ())
    )
    try:
        entries = tuple(entry_from_json(line) for line in lines)
    except ValueError as error:
        raise DisputeError.told("log_unread", name=path.name, error=error) from error
    signer = signer_of(signature, PURPOSE, signed)
    return DisputeFile(manifest, tuple(seals), tuple(lines), entries, hashes, signer)


def _rows(log: bytes) -> list[str]:
    count = log.count(b"\n")
    if count > MOST_ENTRIES:
        raise TooLargeError(f"its log has {count} entries, more than {MOST_ENTRIES}")
    # Not splitlines: a name may hold a character that it takes for the end of a line.
    return [row for row in log.decode().split("\n") if row]


def _zipped(members: Mapping[str, bytes]) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()
