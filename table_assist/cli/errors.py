"""Errors that a user can make: one sentence and exit code 2, no trace."""

from firmware_bridge.flashing import FlashError
from firmware_bridge.ports import PortError
from table_assist.languages.board_words import board_words
from table_assist.languages.words import SaidError, UserError

# The bridge knows nothing of the program, so its errors are named.
USER_ERRORS = (UserError, FlashError, PortError)


def sentence(error: Exception, language: str) -> str:
    """The error's sentence, in the language that was asked for where it has words in it."""
    if isinstance(error, SaidError):
        return error.words.said(language)
    if isinstance(error, FlashError | PortError):
        return board_words(str(error)).said(language)
    return str(error)
