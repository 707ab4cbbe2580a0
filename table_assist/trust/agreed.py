"""Two who know each other's keys agree on secrets for one connection (X25519: RFC 7748).

A signature costs a hundred times what a code of a shared secret costs (HMAC: RFC 2104). So a
connection begins with a signature of each, over a fresh share of each; what follows has a code.
"""

import hmac
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

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
