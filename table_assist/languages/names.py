"""What people call themselves, as it may stand in every list, sentence and line of a log."""

import unicodedata

from table_assist.languages.words import Words

UNSHOWN = Words(
    "a name has a letter that is seen, and no control characters, turned directions or braces",
    "名字须有可见的字，且不含控制字符、文字方向控制符或花括号",
)
# They turn or isolate what stands beside them, or end the line.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")  # letters by kind, and yet nothing is seen


def clean_name(text: str) -> str:
    r"""The name as it is written, without what stands around it; empty where it cannot be shown.

    Joiners, the ideographic space, and combining and right-to-left marks belong to a name.

    >>> clean_name(" Ann "), clean_name("Bob\u202egnp"), clean_name("\u200b\u200b")
    ('Ann', '', '')
    """
    name = text.strip()
    kinds = [unicodedata.category(each) for each in name]
    if (
        any(kind in ("Cc", "Cs", "Cn") for kind in kinds)
        or _TURNING & set(name)
        or set("{}") & set(name)
    ):
        return ""
    seen = (kind[0] in "LNPS" for kind, each in zip(kinds, name, strict=True) if each not in _BLANK)
    return name if any(seen) else ""
