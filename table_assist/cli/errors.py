"""What a user can get wrong: one sentence and exit code 2, no trace."""

from firmware_bridge.chinese import in_chinese
from firmware_bridge.flashing import FlashError
from firmware_bridge.ports import PortError
from table_assist.languages.words import SaidError, UserError

# The bridge knows nothing of the program, so its errors are named.
USER_ERRORS = (UserError, FlashError, PortError)


def sentence(error: Exception, *, chinese: bool) -> str:
    """What went wrong, in the language that was asked for where it has words in it."""
    if chinese and isinstance(error, SaidError):
        return error.words.zh
    if chinese and isinstance(error, FlashError | PortError):
        return in_chinese(str(error))
    return str(error)
