"""Time stamps by an authority (RFC 3161): who is no party says that something was there by then.

The authority is sent a hash and nothing else. What it answers is kept as it came, with its
certificates in it, so that anybody can check it later without asking anyone.
"""

import hashlib
import ssl
import warnings
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cryptography.x509 import (
    Certificate,
    load_der_x509_certificate,
    load_pem_x509_certificates,
)
from cryptography.x509.oid import NameOID
from rfc3161_client import (
    HashAlgorithm,
    PKIStatus,
    TimestampRequestBuilder,
    TimeStampResponse,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from table_assist.languages.words import UserError
from table_assist.trust.post import WAIT_S, NoAnswerError, post

_CERTIFICATES = 0xA0  # the tag of the certificates in a signature (RFC 5652)
_LONG = 0x80  # from here on a length says how many bytes it has itself


class StampError(UserError):
    """There is no stamp, or it is none of this; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """An authority's statement.

    Attributes:
        at: when it says that it has seen the content, UTC.
        authority: its name, as its certificate has it.
        is_known: a certificate that is trusted speaks for it.
    """

    at: datetime
    authority: str
    is_known: bool


def ask_for_stamp(url: str, content: bytes, *, wait_s: float = WAIT_S) -> bytes:
    """Have the content's hash stamped; the answer, which `read_stamp` reads.

    Raises:
        StampError: the authority cannot be reached, refuses, or answers something else.
    """
    asked = TimestampRequestBuilder().data(content).hash_algorithm(HashAlgorithm.SHA256).build()
    kind = {"Content-Type": "application/timestamp-query"}
    try:
        got = post(url, asked.as_bytes(), kind, wait_s=wait_s)
    except NoAnswerError as error:
        raise StampError(f"the time stamp authority {error}") from error
    found = _decoded(got)
    if found.tst_info.nonce != asked.nonce:
        raise StampError("the time stamp answers another question")
    _refuse_other(found, content)
    return got


def read_stamp(answer: bytes, content: bytes, roots: Iterable[Certificate] = ()) -> Stamp:
    """A kept answer's statement on the content.

    Args:
        roots: certificates that are trusted to speak for authorities.

    Raises:
        StampError: it is no stamp of this content, or nobody has signed it.
    """
    try:
        return _read(_decoded(answer), content, list(roots))
    except StampError:
        raise
    except Exception as error:  # of certificates that somebody made up: a dozen kinds
        raise StampError(f"the time stamp cannot be read: {error}") from error


def _read(found: TimeStampResponse, content: bytes, trusted: list[Certificate]) -> Stamp:
    _refuse_other(found, content)
    own = [load_der_x509_certificate(each) for each in found.signed_data.certificates]
    signer = next((each for each in own if _is_signer(found, each)), None)
    if signer is None:
        raise StampError("the time stamp does not hold its signer's certificate")
    hashed = hashlib.sha256(content).digest()
    is_known = bool(trusted) and _is_signed(found, hashed, trusted)
    # Signed at all? Whoever signed it vouches for himself then, and for nobody else.
    if not is_known and not _is_signed(found, hashed, own):
        raise StampError("the time stamp's signature is not valid")
    return Stamp(found.tst_info.gen_time, _name(signer), is_known)


def known_roots(more: Path | None = None) -> tuple[Certificate, ...]:
    """The certificates that this system trusts, and those of a PEM file.

    Raises:
        StampError: the file cannot be read.
    """
    found = []
    with warnings.catch_warnings():  # systems keep certificates that no standard allows
        warnings.simplefilter("ignore")
        for der in ssl.create_default_context().get_ca_certs(binary_form=True):
            with suppress(ValueError):
                found.append(load_der_x509_certificate(der))
    if more is not None:
        try:
            found += load_pem_x509_certificates(more.read_bytes())
        except (OSError, ValueError) as error:
            raise StampError(f"the certificates in {more} cannot be read: {error}") from error
    return tuple(found)


def _decoded(answer: bytes) -> TimeStampResponse:
    try:
        found = decode_timestamp_response(sorted_certificates(answer))
        is_granted = found.status == PKIStatus.GRANTED
        why = "" if is_granted else ", ".join(found.status_string)
        if is_granted:
            _ = found.tst_info.gen_time, found.signed_data.certificates  # whether they can be read
    except (ValueError, TypeError, IndexError) as error:
        raise StampError("the answer is no time stamp") from error
    if not is_granted:
        raise StampError(f"the time stamp authority refuses: {why or found.status}")
    return found


def sorted_certificates(answer: bytes) -> bytes:
    """The answer with its certificates in the order that DER wants, and the library insists on.

    OpenSSL, with which many authorities work, writes them as they come. They are not part of what
    is signed; their signatures are checked whatever their order.

    Raises:
        ValueError, IndexError: this is no answer.
    """
    inside = _content(answer, 0, len(answer))
    status_end = _content(answer, *inside)[1]
    if status_end == inside[1]:
        return answer  # it says no
    token = _content(answer, status_end, inside[1])
    kind_end = _content(answer, *token)[1]
    at, end = _content(answer, *_content(answer, kind_end, token[1]))
    for _ in range(3):  # version, digest algorithms, what is signed
        at = _content(answer, at, end)[1]
    if answer[at] != _CERTIFICATES:
        return answer
    start, end = _content(answer, at, end)
    found, at = [], start
    while at < end:
        after = _content(answer, at, end)[1]
        found.append(answer[at:after])
        at = after
    return answer[:start] + b"".join(sorted(found)) + answer[end:]


def _content(der: bytes, at: int, end: int) -> tuple[int, int]:
    """Where the content of the DER value at a place begins and ends."""
    start, length = at + 2, der[at + 1]
    if length >= _LONG:
        count = length - _LONG
        start, length = start + count, int.from_bytes(der[start : start + count])
    if start + length > end:
        raise ValueError(f"a value at {at} ends behind what it is in")
    return start, start + length


def _refuse_other(found: TimeStampResponse, content: bytes) -> None:
    if found.tst_info.message_imprint.message != hashlib.sha256(content).digest():
        raise StampError("the time stamp is of something else")


def _is_signer(found: TimeStampResponse, certificate: Certificate) -> bool:
    return any(
        (each.issuer, each.serial_number) == (certificate.issuer, certificate.serial_number)
        for each in found.signed_data.signer_infos
    )


def _is_signed(found: TimeStampResponse, hashed: bytes, roots: list[Certificate]) -> bool:
    # Never with the answer's own certificates as `intermediates`: the library trusts those, too.
    verifier = VerifierBuilder(roots=roots).build()
    try:
        return verifier.verify(found, hashed)
    except (VerificationError, ValueError):
        return False


def _name(certificate: Certificate) -> str:
    names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    shown = str(names[0].value) if names else certificate.subject.rfc4514_string()
    return "".join(each for each in shown if each.isprintable())[:80]
