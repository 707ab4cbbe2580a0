"""Whether a sentence is there in English and in Chinese."""

import re

from table_assist.languages.words import Words

_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def is_in_both(words: Words) -> bool:
    """Whether there is an English sentence, and a Chinese one that is another."""
    return bool(re.search(r"[A-Za-z]", words.en)) and bool(_CHINESE.search(words.zh))


def english(words: Words | None) -> str:
    """What a refusal says, which must be in both languages; empty for none."""
    if words is None:
        return ""
    assert is_in_both(words), words
    return words.en
