"""The key of this installation, by which it is known again; secrets agreed on; addresses.

The key says which installation wrote a file, not that what it wrote is true: who can log in to the
machine can sign anything. Against that person only the seals on other people's phones help.
"""

import hashlib
import hmac
import json
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from table_assist.languages.words import UserError

KEY_FILE = "installation.key"


class InstallationKeyError(UserError):
    """The key cannot be read or made; the message is one sentence with its file."""


@dataclass(frozen=True, slots=True)
class InstallationKey:
    """An Ed25519 key (RFC 8032).

    Attributes:
        public: 64 hexadecimal letters, for everybody.
    """

    _secret: Ed25519PrivateKey
    public: str

    @property
    def fingerprint(self) -> str:
        """For people to compare."""
        return fingerprint_of(self.public)

    def sign(self, purpose: str, content: bytes) -> bytes:
        """A member for a file: the public key, and the signature of content for one purpose."""
        signature = self._secret.sign(_signed(purpose, content)).hex()
        return json.dumps({"key": self.public, "signature": signature}).encode()


def open_key(folder: Path | None = None) -> InstallationKey:
    """This user's key; made the first time.

    Raises:
        InstallationKeyError: it cannot be read or made.
    """
    path = (folder or key_folder()) / KEY_FILE
    try:
        if not path.exists():
            _make(path)
        return key_of_secret(path.read_text("ascii"))
    except (OSError, ValueError) as error:
        raise InstallationKeyError(
            f"the key of this installation {path} cannot be used: {error}"
        ) from error


def new_secret() -> str:
    """64 hexadecimal letters from which `key_of_secret` makes a key: for who keeps it elsewhere."""
    return (
        Ed25519PrivateKey.generate()
        .private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        .hex()
    )


def key_of_secret(text: str) -> InstallationKey:
    """The key of a secret.

    Raises:
        ValueError: it is none.
    """
    secret = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text))
    return InstallationKey(secret, secret.public_key().public_bytes_raw().hex())


def signer_of(signature: bytes, purpose: str, content: bytes) -> str:
    """The public key that has signed the content for this purpose; empty where none has."""
    try:
        row = json.loads(signature)
        public, signed = str(row["key"]), bytes.fromhex(row["signature"])
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(signed, _signed(purpose, content))
    except (ValueError, KeyError, TypeError, InvalidSignature):
        return ""
    return public


def fingerprint_here() -> str:
    """Of this user's key; empty where none can be had."""
    try:
        return open_key().fingerprint
    except InstallationKeyError:
        return ""


def fingerprint_of(public: str) -> str:
    """Eight groups of four letters.

    >>> fingerprint_of("00" * 32)
    '6668 7aad f862 bd77 6c8f c18b 8e9f 8e20'
    """
    letters = hashlib.sha256(bytes.fromhex(public)).hexdigest()[:32]
    return " ".join(letters[at : at + 4] for at in range(0, 32, 4))


def hash_of(secret: str) -> str:
    """By what a secret is known again where nobody may read it."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def key_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where this user's key is.

    >>> str(key_folder({"XDG_DATA_HOME": "/data"}, "linux"))
    '/data/table-assist'
    """
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or Path.home())
    if platform == "win32":
        base = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    elif platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "table-assist"


def _make(path: Path) -> None:
    """A new key for its owner alone; of two programs that make one, the first one's stays."""
    text = new_secret()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(opened, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    try:
        with suppress(FileExistsError):
            os.link(beside, path)
    except OSError:  # a file system without links
        if not path.exists():
            beside.replace(path)
            return
    beside.unlink(missing_ok=True)


def _signed(purpose: str, content: bytes) -> bytes:
    return f"table-assist {purpose}\n".encode() + content


CODE_BYTES = 32


@dataclass(frozen=True, slots=True)
class Share:
    """One side's share, for one connection.

    Attributes:
        public: 64 hexadecimal letters, for the other side.
    """

    _secret: X25519PrivateKey
    public: str

    def agreed(self, other: str, info: bytes) -> tuple[bytes, bytes]:
        """Two secrets of 32 bytes that both sides have: HKDF (RFC 5869) without a salt.

        Args:
            other: the other side's share.
            info: what both sides have said.

        Raises:
            ValueError: the other's is no share.
        """
        shared = self._secret.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(other)))
        both = HKDF(SHA256(), 64, None, info).derive(shared)
        return both[:32], both[32:]


def new_share(secret: str = "") -> Share:
    """A share; of a known secret (64 hexadecimal letters) for who compares.

    >>> new_share("01" * 32).public[:8]
    'a4e09292'
    """
    own = X25519PrivateKey.from_private_bytes(bytes.fromhex(secret)) if secret else None
    own = own or X25519PrivateKey.generate()
    return Share(own, own.public_key().public_bytes_raw().hex())


class Coded:
    """Messages of one direction, each with the code of its number and its content."""

    def __init__(self, secret: bytes) -> None:
        self._secret, self._number = secret, 0

    def packed(self, content: bytes) -> bytes:
        """The next message: code, content."""
        return self._code(content) + content

    def opened(self, message: bytes) -> bytes | None:
        """The content of the next message; None where its code is not the other side's."""
        content = message[CODE_BYTES:]
        is_own = hmac.compare_digest(self._code(content), message[:CODE_BYTES])
        return content if is_own else None

    def _code(self, content: bytes) -> bytes:
        self._number += 1
        return hmac.digest(self._secret, self._number.to_bytes(8, "big") + content, "sha256")


HIDDEN_TEXT = "…"
# Which addresses a camera, a board and a broker may have; others are a number, a file, a port's
# name.
CAMERA_SCHEMES = ("rtsp", "rtsps", "http", "https")
BOARD_SCHEMES = ("socket", "rfc2217", "loop", "hwgrep")
BROKER_SCHEMES = ("mqtt", "mqtts")

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>；，。（）]+")
# A piece of a path that nobody would type: chat programs have such tokens in their webhooks'.
_TOKEN = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[\w-]{20,}", re.ASCII)
_ENDS = ".,;:!)]}"  # of the sentence around an address
# Letters of a secret that is sought in other texts: shorter ones are in many words
SHORTEST_SECRET = 3


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
            (each for each in found if len(each) >= SHORTEST_SECRET), key=len, reverse=True
        ):
            text = text.replace(secret, HIDDEN_TEXT)
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
        return f"{HIDDEN_TEXT}@{after}" if at and ":" in before else whole
    # A password that was not quoted may hold / ? # and @ itself.
    _, at, place = rest.rpartition("@")
    place, *asked = re.split(r"[?#]", place, maxsplit=1)
    host, slash, path = place.partition("/")
    parts = [
        HIDDEN_TEXT if bool(re.search(r"[=&;:]", part) or _TOKEN.fullmatch(part)) else part
        for part in path.split("/")
    ]
    return (
        f"{scheme}://{HIDDEN_TEXT + '@' if at else ''}{host}{slash}{'/'.join(parts)}"
        f"{'?' + HIDDEN_TEXT if asked else ''}"
    )
