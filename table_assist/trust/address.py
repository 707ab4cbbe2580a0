"""An address that may hold secrets: a camera's or a board's. It prints itself without them.

What is for people (health, log, errors, reports, the settings' diff) says `str(address)`; only who
opens it reads `whole`. Texts of libraries, which may quote an address, go through
`without_secrets`.
"""

import re
from typing import Final
from urllib.parse import unquote

HIDDEN = "…"
# Which addresses a camera, a board and a broker may have; others are a number, a file, a port's
# name.
CAMERA_SCHEMES = ("rtsp", "rtsps", "http", "https")
BOARD_SCHEMES = ("socket", "rfc2217", "loop", "hwgrep")
BROKER_SCHEMES = ("mqtt", "mqtts")

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>；，。（）]+")
# A piece of a path that nobody would type: chat programs have such tokens in their webhooks'.
_TOKEN = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[\w-]{20,}", re.ASCII)
_ENDS = ".,;:!)]}"  # of the sentence around an address
SHORTEST = 3  # letters of a secret that is sought in other texts: shorter ones are in many words


class Address:
    """Where a camera or a board is.

    >>> Address("rtsp://me:secret@10.0.0.9:554/live?pwd=secret2")
    Address('rtsp://…@10.0.0.9:554/live?…')
    >>> str(Address("0")), str(Address("/dev/ttyUSB0"))
    ('0', '/dev/ttyUSB0')

    Attributes:
        whole: with its secrets: for who opens it, and for the settings' file.
    """

    __slots__ = ("whole",)

    def __init__(self, whole: str = "") -> None:
        self.whole: Final = whole

    @property
    def scheme(self) -> str:
        """The letters before ``://``, small; empty where that is not in it."""
        scheme, mark, _ = self.whole.partition("://")
        return scheme.lower() if mark else ""

    def hide(self, text: str) -> str:
        """The text without what is secret of this address, however it is quoted there."""
        if self.whole:
            text = text.replace(self.whole, str(self))
        # User and password, and the values of the query, as they stand and unquoted; long first
        _, _, rest = self.whole.partition("://")
        user, at, place = rest.rpartition("@")
        found = {user, *user.split(":", 1)} if at else set()
        path, *asked = re.split(r"[?#]", place, maxsplit=1)
        for part in (*path.split("/")[1:], *asked):
            if (asked and part is asked[0]) or re.search(r"[=&;]", part) or _TOKEN.fullmatch(part):
                found |= {part, *(each.partition("=")[2] for each in re.split(r"[&;]", part))}
        found |= {unquote(each) for each in found}
        for secret in sorted(
            (each for each in found if len(each) >= SHORTEST), key=len, reverse=True
        ):
            text = text.replace(secret, HIDDEN)
        return without_secrets(text)

    def __str__(self) -> str:
        return _shown(self.whole)

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"

    def __bool__(self) -> bool:
        return bool(self.whole)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and other.whole == self.whole

    def __hash__(self) -> int:
        return hash(self.whole)


def without_secrets(text: str) -> str:
    """The text with every address in it as an `Address` prints itself.

    >>> without_secrets("no answer from rtsp://me:secret@10.0.0.9/live; again in 2 s")
    'no answer from rtsp://…@10.0.0.9/live; again in 2 s'
    """
    return _ADDRESS.sub(_without, text)


def _without(found: re.Match[str]) -> str:
    address = found[0].rstrip(_ENDS)
    return _shown(address) + found[0][len(address) :]


def _shown(whole: str) -> str:
    scheme, mark, rest = whole.partition("://")
    if not mark:
        # A scheme that was forgotten must not show the password; a file's name may have an @.
        before, at, after = whole.rpartition("@")
        return f"{HIDDEN}@{after}" if at and ":" in before else whole
    # A password that was not quoted may hold / ? # and @ itself.
    _, at, place = rest.rpartition("@")
    place, *asked = re.split(r"[?#]", place, maxsplit=1)
    host, slash, path = place.partition("/")
    parts = [
        HIDDEN if bool(re.search(r"[=&;:]", part) or _TOKEN.fullmatch(part)) else part
        for part in path.split("/")
    ]
    return (
        f"{scheme}://{HIDDEN + '@' if at else ''}{host}{slash}{'/'.join(parts)}"
        f"{'?' + HIDDEN if asked else ''}"
    )
