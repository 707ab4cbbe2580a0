"""Whether a dispute file is what it was, and whether the rules say what it says."""

from collections.abc import Iterator

from table_assist.dispute.file import DisputeFile
from table_assist.dispute.hand import NoSuchHandError, disputed_hand
from table_assist.dispute.judging import Finding, judged_again
from table_assist.record.seal import SHOWN, seal_after
from table_assist.rules.profile import profile_hash
from table_assist.words import Words, words_of


def verify(file: DisputeFile, noted: str = "") -> tuple[Finding, ...]:
    """Everything that was looked at.

    Args:
        noted: letters of the hand's seal as somebody noted them at the table; empty for none.
    """
    return (
        *_members(file),
        *_chain(file),
        *_noted(file, noted),
        *_judged(file),
    )


def _members(file: DisputeFile) -> Iterator[Finding]:
    known = file.manifest.get("sha256")
    wanted: dict[str, object] = dict(known) if isinstance(known, dict) else {}
    for name in sorted({*wanted, *file.hashes}):
        found = file.hashes.get(name)
        if found is None:
            yield Finding(False, Words(f"{name} is missing.", f"缺少 {name}。"))
        elif found != wanted.get(name):
            yield Finding(
                False,
                Words(f"{name} is not what was packed.", f"{name} 与打包时不同。"),
            )
    if not any(file.hashes.get(name) is None for name in wanted):
        count = len(file.hashes)
        yield Finding(True, Words(f"{count} members were looked at.", f"已核对 {count} 个文件。"))


def _chain(file: DisputeFile) -> Iterator[Finding]:
    """Every entry's seal follows from the one before; the first that does not is told."""
    before = ""
    for place, (seal, line, entry) in enumerate(
        zip(file.seals, file.lines, file.entries, strict=True), start=1
    ):
        if entry.seq != place or seal_after(before, line) != seal:
            yield Finding(
                False,
                Words(
                    f"Entry {place} of the log was changed, or one is missing before it.",
                    f"日志第 {place} 条被改动，或其前缺少条目。",
                ),
            )
            return
        before = seal
    if file.manifest.get("seal") != before or file.manifest.get("entries") != len(file.lines):
        yield Finding(False, Words("The log's end is missing.", "日志末尾缺失。"))
        return
    count = len(file.lines)
    yield Finding(
        True,
        Words(
            f"The seals of {count} entries follow from each other; the last is {before[:SHOWN]}.",
            f"{count} 条日志的封印前后相符，最后为 {before[:SHOWN]}。",
        ),
    )


def _noted(file: DisputeFile, noted: str) -> Iterator[Finding]:
    wanted = noted.strip().lower().replace(" ", "").replace("-", "")
    if not wanted:
        return
    number = _hand_of(file)
    try:
        last = disputed_hand(file.entries, number).last_seq
    except ValueError:
        return
    # The hand's seal may have grown since it was noted: corrections are entries, too.
    place = next((i for i, seal in enumerate(file.seals, 1) if seal.startswith(wanted)), 0)
    if not place:
        yield Finding(
            False,
            Words(
                f"No entry has the seal {wanted}: this is not the record that was noted.",
                f"没有封印为 {wanted} 的条目：这不是当时的记录。",
            ),
        )
        return
    later = max(last - place, 0)
    yield Finding(
        True,
        Words(
            f"The seal {wanted} is that of entry {place}; {later} entries of the hand came later.",
            f"封印 {wanted} 是第 {place} 条；此后本局又有 {later} 条。",
        ),
    )


def _judged(file: DisputeFile) -> Iterator[Finding]:
    number = _hand_of(file)
    try:
        hand = disputed_hand(file.entries, number)
    except NoSuchHandError as error:
        yield Finding(False, error.words)
        return
    except ValueError as error:
        why = words_of(error)
        text = f"The hand cannot be judged again: {why.en}."
        yield Finding(False, Words(text, f"无法重新判定: {why.zh}。"))
        return
    if hand.hash:
        same = profile_hash(hand.rules, hand.profile or hand.rules.id) == hand.hash
        yield Finding(
            same,
            Words(
                f"The rules are {hand.rules.id}, {hand.profile or 'no profile'}, as then."
                if same
                else f"The rules {hand.rules.id} of this program are not those of the hand.",
                f"规则 {hand.rules.id} 与当时相同。"
                if same
                else f"本程序的规则 {hand.rules.id} 与当时不同。",
            ),
        )
    yield from judged_again(hand)


def _hand_of(file: DisputeFile) -> int:
    number = file.manifest.get("hand")
    return number if type(number) is int else 0
