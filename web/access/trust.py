"""Whom the table believes about where a request comes from.

A program on this machine that passes requests on (a proxy with TLS, say) is seen at the loopback
address, as the machine's own browser is. Where it is named here, what comes from it is never this
machine's own, and its word on the sender is taken; nobody else's is.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from table_assist.languages.words import UserError

Environ = dict[str, Any]
# A name or an address, and a port: what an address on the web may hold besides names another.
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s@/?#\\:\[\]]+)(:[0-9]{0,5})?")
Network = IPv4Network | IPv6Network

# Any of these says that somebody else's request was passed on: it is not from this machine.
FORWARDING = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")
PASSED_ON_KEY = "table.passed_on"  # in the environ: a proxy that is trusted passed the request on


class TrustError(UserError, ValueError):
    """An address or name cannot be used; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Trust:
    """The command line's words on proxies and names.

    Attributes:
        public: scheme and host under which a proxy shows this table, as ``https://table.example``.
        proxies: from where such a proxy passes requests on.
        local_admin: whether who sits at the machine is the admin without a password.
        framed_by: origins whose pages may show the views that have nothing to tap.
    """

    public: str = ""
    proxies: tuple[Network, ...] = ()
    local_admin: bool = True
    framed_by: tuple[str, ...] = ()

    @property
    def public_host(self) -> str:
        """The public name without scheme, with its port if it has one."""
        return urlsplit(self.public).netloc

    @property
    def asks_everybody(self) -> bool:
        """Whether nobody is the admin for being at the machine."""
        return not self.local_admin or any(each.is_loopback for each in self.proxies)

    def is_proxy(self, address: str) -> bool:
        """Whether requests from this address are passed on by a trusted proxy."""
        found = plain_address(address)
        return found is not None and any(found in each for each in self.proxies)

    def seen(self, environ: Environ) -> Environ:
        """The request as whoever made it sees it: sender, scheme and host."""
        if not self.is_proxy(environ.get("REMOTE_ADDR", "")):
            return environ
        last = environ.get("HTTP_X_FORWARDED_FOR", "").rsplit(",", 1)[-1].strip()
        sender = last if plain_address(last) is not None else environ["REMOTE_ADDR"]
        public = urlsplit(self.public)
        return environ | {
            PASSED_ON_KEY: True,
            "REMOTE_ADDR": sender,
            "wsgi.url_scheme": public.scheme,
            "table.asked_host": environ.get("HTTP_HOST", ""),
            "HTTP_HOST": public.netloc,
        }

    def is_local(self, environ: Mapping[str, Any]) -> bool:
        """Whether a request, as `seen`, is the admin's for coming from this machine itself."""
        return self.local_admin and self.is_here(environ)

    def is_here(self, environ: Mapping[str, Any]) -> bool:
        """Whether a request, as `seen`, comes from this machine itself, as far as can be told."""
        if environ.get(PASSED_ON_KEY):
            return False
        if any(f"HTTP_{name.upper().replace('-', '_')}" in environ for name in FORWARDING):
            return False
        sender = plain_address(environ.get("REMOTE_ADDR", ""))
        if sender is None or not sender.is_loopback:
            return False
        # Under another name it was passed on by something that hides itself.
        return is_loopback(host_name(environ.get("HTTP_HOST", "")))


DIRECT = Trust()  # there is no proxy


def parse_trust(
    public: str, proxies: Iterable[str], *, local_admin: bool, framed_by: Iterable[str] = ()
) -> Trust:
    """The trust that the command line names.

    >>> parse_trust("https://table.example", ["127.0.0.1"], local_admin=True).public_host
    'table.example'

    Raises:
        TrustError: a name or an address is none, or a proxy has no name to show.
    """
    for each in framed_by:
        if not re.fullmatch(r"https?://[A-Za-z0-9.\-\[\]:]+", each):
            raise TrustError(f"an origin is as http://homeassistant.local:8123, not {each!r}")
    networks = []
    for each in proxies:
        try:
            networks.append(ip_network(each))
        except ValueError as error:
            raise TrustError(
                f"a trusted proxy is an address as 127.0.0.1 or 10.0.0.0/24, not {each!r}"
            ) from error
    try:
        parts = urlsplit(public)
        parts.port  # noqa: B018 - it raises where it is no number
    except ValueError as error:
        raise TrustError(f"the public address {public!r} cannot be read: {error}") from error
    whole = parts.scheme in ("http", "https") and parts.hostname and not parts.path.strip("/")
    if public and (not whole or parts.username or parts.query):
        raise TrustError(f"the public address is as https://table.example, not {public!r}")
    if networks and not public:
        raise TrustError(
            f"a trusted proxy ({networks[0]}) needs the public address it shows the table under"
        )
    shown = f"{parts.scheme}://{parts.netloc}" if public else ""
    return Trust(shown, tuple(networks), local_admin, tuple(framed_by))


class Trusting:
    """A WSGI app that sees each request as its sender does."""

    def __init__(self, app: Callable[..., Any], trust: Trust) -> None:
        self._app, self._trust = app, trust

    def __call__(self, environ: Environ, start: Callable[..., Any]) -> Any:
        """Pass the request on."""
        return self._app(self._trust.seen(environ), start)


@lru_cache(4096)
def plain_address(text: str) -> Any:
    """The IP address, an IPv4 one as such; None where it is none."""
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found  # how IPv4 arrives at an IPv6 socket


def is_loopback(name: str) -> bool:
    """Whether a name or address always means the machine itself.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("table.local")
    (True, True, False)
    """
    if name.lower() == "localhost":
        return True
    found = plain_address(name)
    return found is not None and bool(found.is_loopback)


def host_name(host: str) -> str:
    """A Host header's name without its port; empty where it cannot be read.

    >>> host_name("[::1]:8000"), host_name("table.local"), host_name("evil@127.0.0.1")
    ('::1', 'table.local', '')
    """
    if not _HOST.fullmatch(host):
        return ""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
