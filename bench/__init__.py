"""What developers measure."""

from table_assist.languages.words import UserError


class BenchError(UserError):
    """Something cannot be measured; the message is one sentence."""
