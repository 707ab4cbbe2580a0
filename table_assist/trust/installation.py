"""The key of this installation: it signs what leaves the table, so that it is known again.

The key says which installation wrote a file, not that what it wrote is true: who can log in to the
machine can sign anything. Against that person only the seals on other people's phones help.
"""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
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
