"""Whether a dispute file is what it was, and whether the rules say what it says."""

import hashlib
from collections.abc import Iterator

from table_assist.contract.evidence import digest_of_hashes
from table_assist.evidence.dispute.attested import log_names, vouched
from table_assist.evidence.dispute.file import DisputeFile
from table_assist.evidence.dispute.hand import NoSuchHandError, disputed_hand
from table_assist.evidence.dispute.judging import Rejudged, judged_again
from table_assist.languages.words import Words, words_of
from table_assist.record.seal import SHOWN, hand_seals, is_canonical, seal_after
from table_assist.rules.profile import profile_hash
from table_assist.trust.installation import fingerprint_of

_NOTHING = hashlib.sha256(b"").hexdigest()


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
        *_limits(file),
    )


def _members(file: DisputeFile) -> Iterator[Rejudged]:
    for name, found in _differing(file):
        if found is None:
            yield Rejudged(False, Words("{name} is missing.", "缺少 {name}。", name=name))
        else:
            yield Rejudged(
                False,
                Words("{name} is not what was packed.", "{name} 与打包时不同。", name=name),
            )
    if all(found is not None for _, found in _differing(file)):
        count = len(file.hashes)
        yield Rejudged(
            True, Words("{count} members were looked at.", "已核对 {count} 个文件。", count=count)
        )


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
        yield Rejudged(
            False,
            Words(
                "Entry {whole} of the log was changed, or one is missing before it.",
                "日志第 {whole} 条被改动，或其前缺少条目。",
                whole=whole + 1,
            ),
        )
    elif not _is_whole(file):
        yield Rejudged(False, Words("The log's end is missing.", "日志末尾缺失。"))
    else:
        last = file.seals[-1][:SHOWN] if file.seals else ""
        yield Rejudged(
            True,
            Words(
                "The seals of {count} entries follow from each other; the last is {last}.",
                "{count} 条日志的封印前后相符，最后为 {last}。",
                count=count,
                last=last,
            ),
        )


def _signed(file: DisputeFile) -> Iterator[Rejudged]:
    """Which installation wrote the file, and whether it is the one whose log it holds."""
    if not file.signer:
        yield Rejudged(
            False,
            Words(
                "The file has no valid signature: it proves nothing.",
                "文件没有有效签名：不能证明任何事。",
            ),
        )
        return
    shown = fingerprint_of(file.signer)
    if _differing(file):
        yield Rejudged(
            False,
            Words(
                "The installation {shown} has signed something else than what is in the file now.",
                "安装 {shown} 所签的不是文件现在的内容。",
                shown=shown,
            ),
        )
        return
    keys = [fields for fields in vouched(file.entries, "key")]
    if keys and (file.signer,) not in keys:
        yield Rejudged(
            False,
            Words(
                "The file is signed by {shown}, which is not the installation that kept the log.",
                "文件由 {shown} 签名，但日志不是该安装所记。",
                shown=shown,
            ),
        )
        return
    yield Rejudged(
        True,
        Words(
            "The file is signed by the installation {shown}: compare with what it showed then.",
            "文件由安装 {shown} 签名：请与当时显示的指纹比对。",
            shown=shown,
        ),
    )


def _noted(file: DisputeFile, noted: str) -> Iterator[Rejudged]:
    """Whether the hand has the seal that somebody has noted."""
    wanted = noted.strip().lower().replace(" ", "").replace("-", "")
    if not wanted:
        yield Rejudged(
            True,
            Words(
                "Nobody's note of the seal was compared: that nothing was rewritten is not proven.",
                "没有与任何人记下的封印比对：无法证明记录未被重写。",
            ),
            False,
        )
        return
    if len(wanted) < SHOWN or not set(wanted) <= set("0123456789abcdef"):
        yield Rejudged(
            False,
            Words(
                "A seal is at least {shown} of the letters 0 to 9 and a to f; fewer prove nothing.",
                "封印至少需 {shown} 位（0–9、a–f），少了无法证明。",
                shown=SHOWN,
            ),
        )
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
        yield Rejudged(
            False,
            Words(
                "Hand {number} shows the seal {wanted}, which does not follow from its entries.",
                "第 {number} 局写有封印 {wanted}，但与其条目不符。",
                number=number,
                wanted=wanted,
            ),
        )
        return
    if found:
        yield Rejudged(
            True,
            Words(
                "Hand {number} has the seal {wanted}: nothing up to it was changed since.",
                "第 {number} 局的封印是 {wanted}：此前记录未被改动。",
                number=number,
                wanted=wanted,
            ),
        )
        return
    yield Rejudged(
        False,
        Words(
            "Hand {number} does not have the seal {wanted}: this is not the record of then.",
            "第 {number} 局没有封印 {wanted}：这不是当时的记录。",
            number=number,
            wanted=wanted,
        ),
    )


def _vouched(file: DisputeFile) -> Iterator[Rejudged]:
    """Whether pictures, names and rules are those of which the log itself has the hashes."""
    if not vouched(file.entries, "key"):
        yield Rejudged(
            True,
            Words(
                "The log is of an older program: pictures, names and rule sheet are not proven.",
                "日志来自旧版本：图像、姓名和规则表未获证明。",
            ),
            False,
        )
        return
    if not _is_whole(file):
        yield Rejudged(
            False,
            Words(
                "A log that was changed vouches for no picture, name or rule sheet.",
                "被改动的日志不能为图像、姓名和规则表作证。",
            ),
        )
        return
    yield _same(_named(file), Words("players' names", "玩家姓名"))
    sheet = file.hashes.get("rules.html", "")
    yield _same((sheet,) in vouched(file.entries, "rules"), Words("rule sheet", "规则表"))
    pictures = dict(fields for fields in vouched(file.entries, "picture") if len(fields) == 2)
    for seq in _pictures_of(file):
        base = f"evidence/e{seq}"
        ends = (".jpg", ".json", ".crop.jpg")
        digest = digest_of_hashes(*(file.hashes.get(f"{base}{end}", _NOTHING) for end in ends))
        what = Words("picture and readings of entry {seq}", "第 {seq} 条的图像与读数", seq=seq)
        if f"{base}.jpg" not in file.hashes:
            said = Words(
                "The {what} are missing: they were deleted, or lost with a disk.",
                "缺少{what}：已删除或丢失。",
                what=what,
            )
            yield Rejudged(True, said, False)
        elif str(seq) in pictures:
            yield _same(pictures[str(seq)] == digest, what)
        else:
            said = Words(
                "The {what} are not vouched for by the log: they are not proven.",
                "日志没有为{what}作证：未获证明。",
                what=what,
            )
            yield Rejudged(True, said, False)


def _named(file: DisputeFile) -> bool:
    """Whether the file's names are those of the hand, or those when an older program packed it."""
    try:
        hand = disputed_hand(file.entries, _hand_of(file))
    except ValueError:
        return False
    return file.manifest.get("names") in (list(hand.names), list(log_names(file.entries)))


def _pictures_of(file: DisputeFile) -> list[int]:
    """The entries whose pictures are in the file, or belong there as the log says."""
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
    return sorted((own & said) | there)


def _same(is_same: bool, said: Words) -> Rejudged:
    if is_same:
        return Rejudged(
            True,
            Words("The {said}: as the log vouches.", "{said}与日志所证相符。", said=said),
        )
    return Rejudged(
        False,
        Words("The {said}: not those of the log.", "{said}与日志所证不符。", said=said),
    )


def _limits(file: DisputeFile) -> Iterator[Rejudged]:
    """The limits of any file's proof."""
    yield Rejudged(
        True,
        Words(
            "Not proven: that the owner of the machine wrote down the truth in the first place, "
            "and when.",
            "无法证明：机器的主人当初记下的就是事实，以及何时记下。",
        ),
        False,
    )


def _judged(file: DisputeFile) -> Iterator[Rejudged]:
    number = _hand_of(file)
    try:
        hand = disputed_hand(file.entries, number)
    except NoSuchHandError as error:
        yield Rejudged(False, error.words)
        return
    except ValueError as error:
        text = Words(
            "The hand cannot be judged again: {why}.", "无法重新判定：{why}。", why=words_of(error)
        )
        yield Rejudged(False, text)
        return
    if hand.hash:
        same = profile_hash(hand.rules, hand.profile or hand.rules.id) == hand.hash
        yield Rejudged(
            same,
            Words(
                "The rules are {rules}, {profile}, as then.",
                "规则 {rules} 与当时相同。",
                rules=hand.rules.id,
                profile=hand.profile or "no profile",
            )
            if same
            else Words(
                "The rules {rules} of this program are not those of the hand.",
                "本程序的规则 {rules} 与当时不同。",
                rules=hand.rules.id,
            ),
        )
    yield from judged_again(hand)


def _hand_of(file: DisputeFile) -> int:
    number = file.manifest.get("hand")
    return number if type(number) is int else 0
