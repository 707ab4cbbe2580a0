"""Whether a dispute file is what it was, and whether the rules say what it says."""

import hashlib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from table_assist.game.events import Settled, WallExhausted, WinRefused
from table_assist.game.fold import apply
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import TableState
from table_assist.languages.words import SEMICOLON, Words, joined, unended, words_of
from table_assist.record.dispute.file import (
    DisputedHand,
    DisputeFile,
    NoSuchHandError,
    disputed_hand,
    log_names,
    vouched,
)
from table_assist.record.evidence import digest_of_hashes
from table_assist.record.log import Source
from table_assist.record.seal import SHOWN_LETTERS, hand_seals, is_canonical, seal_after
from table_assist.rules.profile import profile_hash
from table_assist.trust.installation import fingerprint_of


@cache
def _rows() -> dict[str, tuple[str, str, str]]:
    return tomllib.loads(Path(__file__).with_name("judged.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Rejudged:
    """One thing that was looked at.

    Attributes:
        ok: it is as it should be.
        is_proven: False where nothing speaks against it, and nothing proves it.
        text: one sentence.
    """

    ok: bool
    text: Words
    is_proven: bool = True

    @classmethod
    def of(cls, which: str, **given: object) -> "Rejudged":
        """The line of that name in ``judged.toml``, filled in."""
        mark, en, zh = _rows()[which]
        return cls(mark != "NO", Words(en, zh, **given), mark != "--")

    @property
    def mark(self) -> str:
        """``ok`` for proven, ``NO`` for not as it should be, ``--`` for not proven."""
        if not self.ok:
            return "NO"
        return "ok" if self.is_proven else "--"


def judged_again(hand: DisputedHand) -> Iterator[Rejudged]:
    """The rules' verdict on each refusal and on the settlement, beside the recorded one."""
    state, ended = hand.before, False
    for entry in hand.entries:
        event = entry.event
        match event:
            case WinRefused(seat):
                yield _refusal(state, seat)
            case Settled(transfers=recorded) | WallExhausted(transfers=recorded) if not ended:
                ended = True
                by_person = entry.source is Source.PERSON
                yield _settlement(state, entry.seq, recorded, by_person=by_person)
            case _:
                pass
        state = apply(state, event)  # type: ignore[arg-type]
    if not ended:
        yield Rejudged.of("unsettled", hand=hand.hand)


def _refusal(state: TableState, seat: int) -> Rejudged:
    try:
        verdict = end_of_hand(state).settlement.verdicts.get(seat)
    except ValueError:
        verdict = None
    if verdict is None:
        return Rejudged.of("refused_unshown", seat=seat)
    if verdict.valid:
        return Rejudged.of("refused_wrongly", seat=seat)
    why = joined([unended(refusal.words) for refusal in verdict.refusals], SEMICOLON)
    return Rejudged.of("refused_rightly", seat=seat, said=why)


def _settlement(
    state: TableState, seq: int, recorded: tuple[int, ...], *, by_person: bool
) -> Rejudged:
    try:
        total = end_of_hand(state).total
    except ValueError as error:
        why = words_of(error)
        name = "settled_by_person" if by_person else "settled_by_rules"
        return Rejudged.of(name, seq=seq, why=why)
    if tuple(total) == tuple(recorded):
        return Rejudged.of("settled_rightly", seq=seq, points=_points(recorded))
    return Rejudged.of(
        "settled_wrongly", seq=seq, points=_points(recorded), points_2=_points(total)
    )


def _points(transfers: tuple[int, ...]) -> str:
    return " ".join(f"{points:+d}" for points in transfers)


_NO_BYTES = hashlib.sha256(b"").hexdigest()


def verify(file: DisputeFile, noted: str = "") -> tuple[Rejudged, ...]:
    """Everything that was looked at.

    Args:
        noted: letters of the hand's seal as somebody noted them at the table; empty for none.
    """
    return (
        *_signed(file),
        *_members(file),
        *_chain(file),
        *_noted(file, noted),
        *_vouched(file),
        *_judged(file),
        Rejudged.of("limits"),
    )


def _members(file: DisputeFile) -> Iterator[Rejudged]:
    for name, found in _differing(file):
        if found is None:
            yield Rejudged.of("file_missing", name=name)
        else:
            yield Rejudged.of("file_changed", name=name)
    if all(found is not None for _, found in _differing(file)):
        yield Rejudged.of("files_whole", count=len(file.hashes))


def _differing(file: DisputeFile) -> list[tuple[str, str | None]]:
    """The members that are not as the manifest says, with their hashes; None for one that lacks."""
    known = file.manifest.get("sha256")
    wanted: dict[str, object] = dict(known) if isinstance(known, dict) else {}
    names = sorted({*wanted, *file.hashes})
    return [(n, file.hashes.get(n)) for n in names if file.hashes.get(n) != wanted.get(n)]


def _whole(file: DisputeFile) -> int:
    """So many entries are whole: each seal follows from the one before."""
    before = ""
    for place, (seal, line, entry) in enumerate(
        zip(file.seals, file.lines, file.entries, strict=True)
    ):
        follows = seal_after(before, line) == seal and is_canonical(line)
        if entry.seq != place + 1 or not follows:
            return place
        before = seal
    return len(file.lines)


def _is_whole(file: DisputeFile) -> bool:
    """Whether the whole log is, its end, too."""
    last = file.seals[-1] if file.seals else ""
    ends = file.manifest.get("seal") == last and file.manifest.get("entries") == len(file.lines)
    return ends and _whole(file) == len(file.lines)


def _chain(file: DisputeFile) -> Iterator[Rejudged]:
    """Every entry's seal follows from the one before; the first that does not is told."""
    whole, count = _whole(file), len(file.lines)
    if whole < count:
        yield Rejudged.of("entry_changed", whole=whole + 1)
    elif not _is_whole(file):
        yield Rejudged.of("end_missing")
    else:
        last = file.seals[-1][:SHOWN_LETTERS] if file.seals else ""
        yield Rejudged.of("log_whole", count=count, last=last)


def _signed(file: DisputeFile) -> Iterator[Rejudged]:
    """Which installation wrote the file, and whether it is the one whose log it holds."""
    if not file.signer:
        yield Rejudged.of("unsigned")
        return
    shown = fingerprint_of(file.signer)
    if _differing(file):
        yield Rejudged.of("signed_other_content", shown=shown)
        return
    keys = [fields for fields in vouched(file.entries, "key")]
    if keys and (file.signer,) not in keys:
        yield Rejudged.of("signed_by_other", shown=shown)
        return
    yield Rejudged.of("signed", shown=shown)


def _noted(file: DisputeFile, noted: str) -> Iterator[Rejudged]:
    """Whether the hand has the seal that somebody has noted."""
    wanted = noted.strip().lower().replace(" ", "").replace("-", "")
    if not wanted:
        yield Rejudged.of("nothing_noted")
        return
    if len(wanted) < SHOWN_LETTERS or not set(wanted) <= set("0123456789abcdef"):
        yield Rejudged.of("note_short", shown=SHOWN_LETTERS)
        return
    number = _hand_of(file)
    chain = zip(file.seals, file.entries, strict=True)
    places = {each.seq for each in hand_seals(chain) if each.hand == number}
    try:
        places.add(disputed_hand(file.entries, number).last_seq)
    except ValueError:
        return
    found = [place for place in places if file.seals[place - 1].startswith(wanted)]
    if found and min(found) > _whole(file):
        yield Rejudged.of("note_unfounded", number=number, wanted=wanted)
        return
    if found:
        yield Rejudged.of("note_fits", number=number, wanted=wanted)
        return
    yield Rejudged.of("note_differs", number=number, wanted=wanted)


def _vouched(file: DisputeFile) -> Iterator[Rejudged]:
    """Whether pictures, names and rules are those of which the log itself has the hashes."""
    if not vouched(file.entries, "key"):
        yield Rejudged.of("older_log")
        return
    if not _is_whole(file):
        yield Rejudged.of("log_vouches_not")
        return
    yield _same(_named(file), Words("players' names", "玩家姓名"))
    sheet = file.hashes.get("rules.html", "")
    yield _same((sheet,) in vouched(file.entries, "rules"), Words("rule sheet", "规则表"))
    pictures = dict(fields for fields in vouched(file.entries, "picture") if len(fields) == 2)
    # The entries whose pictures are in the file, or belong there as the log says
    try:
        own = {entry.seq for entry in disputed_hand(file.entries, _hand_of(file)).entries}
    except ValueError:
        own = set()
    said = {int(fields[0]) for fields in vouched(file.entries, "picture") if fields[0].isdigit()}
    there = {
        int(name[len("evidence/e") : -len(".jpg")])
        for name in file.hashes
        if name.startswith("evidence/e") and name[len("evidence/e") : -len(".jpg")].isdigit()
    }
    for seq in sorted((own & said) | there):
        base = f"evidence/e{seq}"
        ends = (".jpg", ".json", ".crop.jpg")
        digest = digest_of_hashes(*(file.hashes.get(f"{base}{end}", _NO_BYTES) for end in ends))
        what = Words("picture and readings of entry {seq}", "第 {seq} 条的图像与读数", seq=seq)
        if f"{base}.jpg" not in file.hashes:
            yield Rejudged.of("picture_missing", what=what)
        elif str(seq) in pictures:
            yield _same(pictures[str(seq)] == digest, what)
        else:
            yield Rejudged.of("picture_unvouched", what=what)


def _named(file: DisputeFile) -> bool:
    """Whether the file's names are those of the hand, or those when an older program packed it."""
    try:
        hand = disputed_hand(file.entries, _hand_of(file))
    except ValueError:
        return False
    return file.manifest.get("names") in (list(hand.names), list(log_names(file.entries)))


def _same(is_same: bool, said: Words) -> Rejudged:
    return Rejudged.of("vouched" if is_same else "not_vouched", said=said)


def _judged(file: DisputeFile) -> Iterator[Rejudged]:
    number = _hand_of(file)
    try:
        hand = disputed_hand(file.entries, number)
    except NoSuchHandError as error:
        yield Rejudged(False, error.words)
        return
    except ValueError as error:
        yield Rejudged.of("hand_unjudged", why=words_of(error))
        return
    if hand.hash:
        same = profile_hash(hand.rules, hand.profile or hand.rules.id) == hand.hash
        name, profile = ("rules_same" if same else "rules_other"), hand.profile or "no profile"
        yield Rejudged.of(name, rules=hand.rules.id, profile=profile)
    yield from judged_again(hand)


def _hand_of(file: DisputeFile) -> int:
    number = file.manifest.get("hand")
    return number if type(number) is int else 0
