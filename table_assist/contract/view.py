"""What a page is given: values in the shape of JSON."""

from typing import Any

from table_assist.words import Words

View = dict[str, Any]


def words_view(words: Words) -> View:
    """Both languages; the page chooses."""
    return {"en": words.en, "zh": words.zh}
