"""A certificate authority of this machine's own, so that phones can speak TLS without a cloud.

The authority is made once and lasts ten years; phones are told to trust it once. It is bound by
name constraints to private addresses and local names: whoever stole its key could pass for a
machine in somebody's home network, and for no site of the internet. The certificate that the
server shows is made by it, for the names and addresses that this machine has now.
"""

import os
import socket
import ssl
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from table_assist.languages.words import UserError
from table_assist.record.private import write_whole

CERTIFICATE = "table.crt"
AUTHORITY_LASTS = timedelta(days=3650)
CERTIFICATE_LASTS = timedelta(days=397)  # what browsers take from any authority
RENEW_BEFORE = timedelta(days=30)
CERTIFIED_BEFORE = timedelta(days=1)  # phones whose clock is slow
LOCAL_NAMES = ("localhost", "local", "lan", "home.arpa", "internal")
PRIVATE = tuple(
    ip_network(each)
    for each in (
        "10.0.0.0/8",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
)


class TlsError(UserError, ValueError):
    """TLS cannot be begun; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The settings of a server with TLS.

    Attributes:
        authority: that phones are to trust, as DER; empty where it is somebody else's.
        left_out: names that the authority may not speak for.
    """

    context: ssl.SSLContext
    authority: bytes = b""
    left_out: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """The authority's SHA-256, as phones show it."""
        if not self.authority:
            return ""
        digest = x509.load_der_x509_certificate(self.authority).fingerprint(hashes.SHA256())
        return digest.hex(":").upper()


def given(certificate: Path, key: Path) -> Tls:
    """TLS with somebody's own files.

    Raises:
        TlsError: they cannot be read, or do not belong together.
    """
    return Tls(_context(certificate, key))


def own(folder: Path, names: Iterable[str], *, now: datetime | None = None) -> Tls:
    """TLS with this machine's own authority, which is made where there is none.

    Args:
        folder: keeps authority and certificate; for its owner alone.
        names: host names and addresses under which the table is found.

    Raises:
        TlsError: the folder cannot be used.
    """
    now = now or datetime.now(UTC)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)
        authority, authority_key = _authority(folder, tuple(names), now)
        names = tuple(dict.fromkeys(name.lower() for name in names))
        allowed = tuple(name for name in names if _may_speak_for(authority, name))
        if not _fits(folder / CERTIFICATE, authority, allowed, now):
            key = ec.generate_private_key(ec.SECP256R1())
            made = _certificate(authority, authority_key, key, allowed, now)
            write_whole(folder / "table.key", _pem_of(key))
            write_whole(folder / CERTIFICATE, made.public_bytes(serialization.Encoding.PEM))
    except (OSError, ValueError, TypeError) as error:
        raise TlsError(f"the certificates in {folder} cannot be used: {error}") from error
    der = authority.public_bytes(serialization.Encoding.DER)
    left_out = tuple(name for name in names if name not in allowed)
    return Tls(_context(folder / CERTIFICATE, folder / "table.key"), der, left_out)


def lasts_until(certificate: Path) -> datetime:
    """When a certificate runs out; of a chain the first one, which is the server's.

    Raises:
        TlsError: it cannot be read.
    """
    try:
        return x509.load_pem_x509_certificates(certificate.read_bytes())[0].not_valid_after_utc
    except (OSError, ValueError) as error:
        raise TlsError(f"the certificate {certificate} cannot be read: {error}") from error


def own_names(addresses: Iterable[str]) -> tuple[str, ...]:
    """The names and addresses by which this machine is found in its network."""
    host = socket.gethostname().lower()
    short = host.split(".")[0]
    found = ["localhost", "127.0.0.1", "::1", *addresses, f"{short}.local", short]
    if host.endswith(tuple(f".{each}" for each in LOCAL_NAMES)):
        found.append(host)
    with suppress(OSError):  # a name that nobody knows is no reason to go without TLS
        found += [str(each[4][0]) for each in socket.getaddrinfo(host, None)]
    return tuple(dict.fromkeys(name.split("%")[0] for name in found if name))


def _context(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        reason = getattr(error, "strerror", None) or getattr(error, "reason", None) or error
        raise TlsError(
            f"the certificate {certificate} and the key {key} cannot be used: {reason}"
        ) from error
    return context


def _authority(
    folder: Path, names: tuple[str, ...], now: datetime
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """The authority that is kept, or a new one."""
    certificate_file, key_file = folder / "authority.crt", folder / "authority.key"
    if certificate_file.exists() and key_file.exists():
        kept = x509.load_pem_x509_certificate(certificate_file.read_bytes())
        key = serialization.load_pem_private_key(key_file.read_bytes(), None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise ValueError("the authority's key is of another kind")
        if kept.not_valid_after_utc - now > CERTIFICATE_LASTS:
            return kept, key
    key = ec.generate_private_key(ec.SECP256R1())
    called = f"table-assist {socket.gethostname()} {os.urandom(3).hex()}"[:64]
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, called)])
    made = (
        _begun(name, name, key, now, AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(_permitted(names), None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    write_whole(key_file, _pem_of(key))
    write_whole(certificate_file, made.public_bytes(serialization.Encoding.PEM))
    return made, key


def _certificate(
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
    key: ec.EllipticCurvePrivateKey,
    names: tuple[str, ...],
    now: datetime,
) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "table-assist")])
    return (
        _begun(name, authority.subject, key, now, CERTIFICATE_LASTS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(list(map(_general, names))), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()),
            critical=False,
        )
        .sign(authority_key, hashes.SHA256())
    )


def _begun(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    now: datetime,
    lasts: timedelta,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CERTIFIED_BEFORE)
        .not_valid_after(now - CERTIFIED_BEFORE + lasts)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _permitted(names: tuple[str, ...]) -> list[x509.GeneralName]:
    """The names that the authority may speak for: private ones, and those wanted now."""
    permitted: list[x509.GeneralName] = [x509.DNSName(name) for name in LOCAL_NAMES]
    permitted += [x509.IPAddress(network) for network in PRIVATE]
    for name in names:
        general = _general(name.lower())
        if isinstance(general, x509.DNSName):
            permitted.append(general)
        elif not any(ip_address(name) in network for network in PRIVATE):
            permitted.append(x509.IPAddress(ip_network(name)))
    return permitted


def _may_speak_for(authority: x509.Certificate, name: str) -> bool:
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = constraints.permitted_subtrees or ()
    try:
        address = ip_address(name)
    except ValueError:
        names = [each.value for each in permitted if isinstance(each, x509.DNSName)]
        return any(name == each or name.endswith(f".{each}") for each in names)
    networks = [each.value for each in permitted if isinstance(each, x509.IPAddress)]
    return any(address in ip_network(str(each)) for each in networks)


def _fits(path: Path, authority: x509.Certificate, names: tuple[str, ...], now: datetime) -> bool:
    """Whether the certificate that is kept will do."""
    if not path.exists() or not path.with_suffix(".key").exists():
        return False
    kept = x509.load_pem_x509_certificate(path.read_bytes())
    try:
        kept.verify_directly_issued_by(authority)
    except Exception:
        return False  # another authority's
    said = kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    is_fresh = kept.not_valid_before_utc <= now < kept.not_valid_after_utc - RENEW_BEFORE
    return is_fresh and set(map(_general, names)) <= set(said)


def _pem_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
