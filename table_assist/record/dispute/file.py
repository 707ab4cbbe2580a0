"""A dispute in one file: a hand of the log up to now, the pictures, the rules, a page to read.

A ZIP archive. ``dispute.json`` names every other member with its sha256. ``log.jsonl`` has a line
for each entry of the log: its seal, a space, the entry as JSON; see `game.seal`.
"""

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from table_assist.game.events import (
    Attested,
    Decision,
    End,
    HandStarted,
    IrregularityNoted,
    WinRefused,
)
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.outcome import HandEnd, end_of_hand
from table_assist.game.people import Names, called
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import NONE, SaidError, WordsError, same
from table_assist.record.evidence import Evidence
from table_assist.record.log import Entry, effective, entry_from_json
from table_assist.record.private import (
    DAMAGED_ARCHIVE,
    TooLargeError,
    digest,
    parsed,
    small,
    unpacked_size,
)
from table_assist.record.seal import sealed
from table_assist.rules.options import Law
from table_assist.rules.profile import Profile, profile_hash
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.printed import Form, print_sheet
from table_assist.rules.sheet.sheet import make_sheet
from table_assist.rules.verdict import Verdict
from table_assist.trust.installation import InstallationKey, signer_of

UNNAMED = ("Seat 1", "Seat 2", "Seat 3", "Seat 4")


def attestations(public: str, names: Sequence[str], sheet: bytes) -> tuple[Attested, ...]:
    """The attestations at the start of an evening."""
    return (
        Attested("key", (public,)),
        Attested("names", tuple(names)),
        Attested("rules", (hashlib.sha256(sheet).hexdigest(),)),
    )


def not_yet_said(said: Iterable[Attested], entries: Iterable[Entry]) -> Iterator[Attested]:
    """The attestations that are not already the log's last ones of their kind."""
    last: dict[str, Attested] = {}
    for entry in entries:
        if isinstance(entry.event, Attested):
            last[entry.event.kind] = entry.event
    return (each for each in said if last.get(each.kind) != each)


def names_then(
    said: Names, entries: Sequence[Entry], seq: int, listed_here: Names = UNNAMED
) -> Names:
    """What the players were called: as they had said, else as the log says the settings did.

    Args:
        seq: so many entries had been written; names that were first vouched for later count, too.
        listed_here: the settings' names, for a log that vouches for none.
    """
    listed = [
        (e.seq, e.event.fields)
        for e in entries
        if isinstance(e.event, Attested) and e.event.kind == "names" and len(e.event.fields) == 4
    ]
    if not listed:
        return called(said, listed_here)
    by_then = [fields for at, fields in listed if at <= seq]
    a, b, c, d = by_then[-1] if by_then else listed[0][1]
    return called(said, (a, b, c, d))


def vouched(entries: Iterable[Entry], kind: str) -> tuple[tuple[str, ...], ...]:
    """The log's attestations of one kind, oldest first."""
    found = (entry.event for entry in entries)
    return tuple(e.fields for e in found if isinstance(e, Attested) and e.kind == kind)


def log_names(entries: Sequence[Entry], listed_here: Names = UNNAMED) -> Names:
    """What the players are called at a log's end."""
    state = TableState()
    for _, event in effective(entries):
        state = apply(state, event)
    return names_then(state.names, entries, len(entries), listed_here)


class NoSuchHandError(WordsError):
    """The log has no such hand; the message says which it has."""


@dataclass(frozen=True, slots=True)
class DisputedHand:
    """A hand as the log counts it.

    Attributes:
        entries: those of the hand that count, corrections applied, oldest first.
        first_seq: the number of the hand's first entry; `last_seq` of its last.
        before: the state before the hand's first entry.
        before_end: the state before what ended it; the latest state if nothing has.
        ended: what the rules make of the hand as it is recorded; None if they cannot tell.
        why_not: why not, in one sentence.
        end: what the log says ended it; None while it is running.
        names: the players', by person, as the log has them at the hand's end.
    """

    hand: int
    rules: RuleSet
    profile: str
    hash: str
    entries: tuple[Entry, ...]
    first_seq: int
    last_seq: int
    before: TableState
    before_end: TableState
    ended: HandEnd | None
    why_not: str
    end: End | None
    names: Names

    @property
    def decisions(self) -> tuple[Entry, ...]:
        """The entries that something was decided by."""
        return tuple(entry for entry in self.entries if isinstance(entry.event, Decision))


def hands_of(entries: Iterable[Entry]) -> tuple[int, ...]:
    """The numbers of the hands that were begun."""
    return tuple(e.hand for _, e in effective(entries) if isinstance(e, HandStarted))


def disputed_hand(entries: Sequence[Entry], hand: int) -> DisputedHand:
    """The hand of that number.

    Raises:
        NoSuchHandError: none of that number was begun.
        ValueError: its rule set is not known any more.
    """
    counting, written = effective(entries), {entry.seq: entry for entry in entries}
    starts = [i for i, (_, event) in enumerate(counting) if isinstance(event, HandStarted)]
    number = {counting[i][1].hand: i for i in starts}  # type: ignore[union-attr]
    if hand not in number:
        known = ", ".join(map(str, number))
        raise NoSuchHandError.told("no_hand", hand=hand, said=same(known) if known else NONE)
    first = number[hand]
    after = [i for i in starts if i > first]
    stop = after[0] if after else len(counting)
    state = TableState()
    for _, event in counting[:first]:
        state = apply(state, event)
    before = before_end = state
    end, own, ended_seq = None, [], len(entries)
    for seq, event in counting[first:stop]:
        if isinstance(event, End) and end is None:
            before_end, end, ended_seq = state, event, seq
        state = apply(state, event)
        was = written[seq]
        own.append(Entry(seq, was.t, was.source, event, was.confidence, was.origin, was.by))
    if end is None:
        before_end = state
    ended: HandEnd | None = None
    why_not = "no hand was running"
    if before_end.phase in (Phase.PLAYING, Phase.SHOWING):
        try:
            ended, why_not = end_of_hand(before_end), ""
        except ValueError as error:
            why_not = str(error)
    return DisputedHand(
        hand=hand,
        rules=rules_in_force(before_end),
        profile=before_end.profile,
        hash=before_end.hash,
        entries=tuple(own),
        first_seq=own[0].seq,
        last_seq=own[-1].seq,
        before=before,
        before_end=before_end,
        ended=ended,
        why_not=why_not,
        end=end,
        names=names_then(before_end.names, entries, ended_seq),
    )


def verdicts_of(hand: DisputedHand) -> tuple[tuple[int, Verdict], ...]:
    """(seat, verdict) of every hand that lay open at the end, judged again."""
    if hand.ended is None:
        return ()
    verdicts = hand.ended.settlement.verdicts
    return tuple((shown.seat, verdicts[shown.seat]) for shown in hand.before_end.shown)


def laws_of(hand: DisputedHand) -> tuple[Law, ...]:
    """The numbered rules on which its verdicts rest, in the rule set's order."""
    named: set[str] = set()
    for _, verdict in verdicts_of(hand):
        named |= {counted.id for counted in verdict.patterns}
        named |= {refusal.id for refusal in verdict.refusals}
    for entry in hand.entries:
        if isinstance(entry.event, WinRefused):
            named |= {*entry.event.refusals, "false_win"}
        elif isinstance(entry.event, IrregularityNoted):
            named.add(entry.event.irregularity)
    chosen = hand.rules.chosen
    return tuple(law for law in hand.rules.laws if law.explains in named and law.in_force(chosen))


# 2: signed by the installation; the log vouches for pictures, names and rules.
DISPUTE_FORMAT = 2
DISPUTE_FORMATS = (1, DISPUTE_FORMAT)
DISPUTE_MANIFEST, DISPUTE_LOG, DISPUTE_SIGNATURE = "dispute.json", "log.jsonl", "dispute.sig"
DISPUTE_PURPOSE = "dispute"
MOST_FILE_BYTES = 2_000_000_000  # of all members, which are read piece by piece
# The memory limits: a log of a thousand hands is some 20 MB.
MOST_LOG_BYTES, MOST_ENTRIES = 64_000_000, 200_000
MOST_DISPUTE_MANIFEST, MOST_SIGNATURE_BYTES = 4_000_000, 1_000


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
    members: dict[str, bytes] = {
        DISPUTE_LOG: "".join(f"{s} {line}\n" for s, line in chain).encode()
    }
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
        "format": DISPUTE_FORMAT,
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
    members[DISPUTE_MANIFEST] = json.dumps(manifest, ensure_ascii=False, indent=1).encode()
    if key is not None:
        members[DISPUTE_SIGNATURE] = key.sign(DISPUTE_PURPOSE, members[DISPUTE_MANIFEST])
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


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
            unpacked_size(archive, MOST_FILE_BYTES)
            signed, signature = small(archive, DISPUTE_MANIFEST, MOST_DISPUTE_MANIFEST), b""
            manifest = parsed(signed)
            if DISPUTE_SIGNATURE in archive.namelist():
                signature = small(archive, DISPUTE_SIGNATURE, MOST_SIGNATURE_BYTES)
            rows = _rows(small(archive, DISPUTE_LOG, MOST_LOG_BYTES))
            hashes = {
                name: digest(archive, name, MOST_FILE_BYTES)
                for name in archive.namelist()
                if name not in (DISPUTE_MANIFEST, DISPUTE_SIGNATURE)
            }
    except TooLargeError as error:
        raise DisputeError.told("too_large", name=path.name, error=error) from error
    except (OSError, zipfile.BadZipFile, NotImplementedError, KeyError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise DisputeError.told("no_dispute", name=path.name, why=why) from error
    except (*DAMAGED_ARCHIVE, ValueError) as error:  # encrypted, cut off, damaged inside
        raise DisputeError.told("damaged", name=path.name, error=error) from error
    if not isinstance(manifest, dict) or manifest.get("format") not in DISPUTE_FORMATS:
        raise DisputeError.told("other_format", name=path.name, format=DISPUTE_FORMAT)
    seals, lines = (
        zip(*(row.partition(" ")[::2] for row in rows), strict=True) if rows else ((), ())
    )
    try:
        entries = tuple(entry_from_json(line) for line in lines)
    except ValueError as error:
        raise DisputeError.told("log_unread", name=path.name, error=error) from error
    signer = signer_of(signature, DISPUTE_PURPOSE, signed)
    return DisputeFile(manifest, tuple(seals), tuple(lines), entries, hashes, signer)


def _rows(log: bytes) -> list[str]:
    count = log.count(b"\n")
    if count > MOST_ENTRIES:
        raise TooLargeError(f"its log has {count} entries, more than {MOST_ENTRIES}")
    # Not splitlines: a name may hold a character that it takes for the end of a line.
    return [row for row in log.decode().split("\n") if row]
