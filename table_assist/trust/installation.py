"""The key of this installation: it signs what leaves the table, so that it is known again.

The key says which installation wrote a file, not that what it wrote is true: who can log in to the
machine can sign anything. Against that person only the seals on other people's phones help.
"""

import hashlib
import hmac
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from table_assist.languages.words import UserError

NAME = "installation.key"


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
    path = (folder or key_folder()) / NAME
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
