"""The key by which messages are signed, and the signature: as Standard Webhooks 1.0 has it.

Source: the specification "Standard Webhooks" (github.com/standard-webhooks/standard-webhooks):
the HMAC-SHA256 of ``id.timestamp.body``, in base64 behind ``v1,``; keys are ``whsec_`` and base64.
"""

import base64
import binascii
import hashlib
import hmac
import os
import secrets
from pathlib import Path

MARK = "whsec_"
KEY_BYTES = 32
LEAST_BYTES = 24


def open_key(path: Path) -> bytes:
    """The key in the file; a new one is made where there is no file, for its owner alone.

    Raises:
        ValueError: the file holds no key.
        OSError: it cannot be read or made.
    """
    if not path.exists():
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            made = secrets.token_bytes(KEY_BYTES)
            file.write(f"{MARK}{base64.b64encode(made).decode()}\n")
            file.flush()
            os.fsync(file.fileno())
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    try:
        if not text.startswith(MARK):
            raise ValueError
        key = base64.b64decode(text.removeprefix(MARK), validate=True)
        if len(key) < LEAST_BYTES:
            raise ValueError
    except (ValueError, binascii.Error):
        # Without what stands in it: it may be another secret.
        raise ValueError(
            f"{path} holds no key: it is {MARK} and {LEAST_BYTES} bytes or more in base64"
        ) from None
    return key


def signature(key: bytes, id: str, timestamp: int, body: bytes) -> str:
    """The value of the header ``webhook-signature``.

    >>> signature(b"k" * 24, "msg_1", 1700000000, b"{}")[:3]
    'v1,'
    """
    content = b"%s.%d.%s" % (id.encode(), timestamp, body)
    return f"v1,{base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()}"
