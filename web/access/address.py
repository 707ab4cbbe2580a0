"""Where a phone finds this table, and that as a picture to scan."""

import io
import socket
from urllib.parse import urlsplit

import segno
from flask import current_app, request

from web.access import guard
from web.access.secured import secured
from web.access.trust import Trust, host_name, is_loopback


def code_svg(url: str) -> str:
    """An address as a QR code, which scales."""
    return segno.make(url, error="m", micro=False, encoding="utf-8").svg_inline(
        omitsize=True, border=4
    )


def code_text(url: str) -> str:
    """An address as a QR code for a terminal, lines of half blocks."""
    written = io.StringIO()
    segno.make(url, error="l", micro=False, encoding="utf-8").terminal(out=written, compact=True)
    return written.getvalue().rstrip("\n")


def base_url() -> tuple[str, bool]:
    """Where a phone finds this table, and whether it can."""
    trust: Trust = current_app.config["TABLE_TRUST"]
    if trust.public:
        return trust.public, True
    parts = urlsplit(f"//{request.host}")
    name, port = parts.hostname or "", parts.port
    if not is_loopback(name):
        return f"{request.scheme}://{request.host}", True
    bound: str = current_app.config["TABLE_HOST"]
    if bound not in guard.WILDCARDS and is_loopback(bound):
        return f"{request.scheme}://{request.host}", False
    found = secured()
    scheme, port = (request.scheme, port) if found is None else ("https", found.port)
    address = own_address() if bound in guard.WILDCARDS else bound
    if address is None:
        return f"{request.scheme}://{request.host}", False
    shown = f"[{address}]" if ":" in address else address
    return f"{scheme}://{shown}{f':{port}' if port else ''}", True


def trust_url() -> str:
    """Where a phone learns to trust this table before it speaks TLS; empty where it need not."""
    found, (base, reachable) = secured(), base_url()
    if found is None or not found.authority or not reachable:
        return ""
    name = host_name(urlsplit(base).netloc)
    shown = f"[{name}]" if ":" in name else name
    return f"http://{shown}:{found.plain_port}/trust"


def own_address() -> str | None:
    """This machine's address in its network; connecting a datagram socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1: stands for anywhere
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if is_loopback(address) else address
