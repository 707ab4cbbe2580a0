"""The key of a command: whoever sends it again, because no answer came, sends the same key."""

import re

from flask import request

from web.refusal import refuse

# Made up by the page for each command: the same command that comes again is known by it.
KEY_HEADER = "Idempotency-Key"
_KEY = re.compile(r"[A-Za-z0-9-]{16,64}")


def key_given() -> str:
    """The key that the page made up for this very command; empty for none."""
    key = request.headers.get(KEY_HEADER, "")
    if key and not _KEY.fullmatch(key):
        refuse(
            400,
            "{key_header} must be 16 to 64 letters, digits and dashes.",
            "{key_header} 应为 16 到 64 个字母、数字或连字符。",
            key_header=KEY_HEADER,
        )
    return key
