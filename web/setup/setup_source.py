"""What the assistant, the table's keeping and the trial refuse."""

from table_assist.languages.words import Words


class RefusedError(Exception):
    """The wish cannot be done; the message is one sentence, ``words`` in both languages.

    Args:
        words: a sentence that is there in one language only stands for both.
    """

    def __init__(self, words: Words | str) -> None:
        self.words = words if isinstance(words, Words) else Words(words, words)
        super().__init__(self.words.en)
