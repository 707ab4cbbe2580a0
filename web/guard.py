"""Who may talk to the dashboard: known hosts, same origin, the page's own token.

A page on another site can make a browser send requests here, and can make its own name resolve to
this machine. The first is stopped by origin, content type and token; the second by the Host
header, which then carries the foreign name.
"""

import hmac
import secrets
import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, request

TOKEN_HEADER = "X-Table-Token"
BODY_LIMIT = 4096  # bytes; the longest command is under 200
WILDCARDS = ("", "0.0.0.0", "::")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def init_app(app: Flask, host: str) -> None:
    """Guard every request of the app.

    Args:
        app: the app; its configuration gets the token and the body limit.
        host: the address the server is bound to; it and the names of this machine are accepted in
            the Host header. Bound to every address, any literal address is: another site's page
            cannot have one as its name.
    """
    app.config["TABLE_TOKEN"] = secrets.token_urlsafe(24)
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    names = {"localhost", "127.0.0.1", "::1", host.lower()}
    if host in WILDCARDS:
        own = socket.gethostname().lower()
        names |= {own, f"{own}.local", f"{own.split('.')[0]}.local"}
    app.config["TABLE_HOSTS"] = frozenset(names - set(WILDCARDS))
    app.config["TABLE_ANY_ADDRESS"] = host in WILDCARDS
    app.before_request(_check_host)
    app.after_request(_add_headers)


def check_post() -> None:
    """Abort unless the request is JSON from our own page.

    Raises:
        HTTPException: 415 for another content type, 403 for another origin or a wrong token.
    """
    if request.mimetype != "application/json":
        abort(415, "A command must be sent as application/json.")
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        abort(403, f"A command must come from this page, not from {origin[:80]}.")
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        abort(403, "A command must come from this page, not from another site.")
    token = request.headers.get(TOKEN_HEADER, "")
    if not hmac.compare_digest(token.encode(), current_app.config["TABLE_TOKEN"].encode()):
        abort(403, "The page is older than the running program: reload it.")


def host_is_known(name: str, known: frozenset[str], any_address: bool) -> bool:
    """Whether a Host header's name, its port removed, is one of ours."""
    if name.lower() in known:
        return True
    if not any_address:
        return False
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _check_host() -> None:
    try:
        name = urlsplit(f"//{request.headers.get('Host', '')}").hostname or ""
    except ValueError:
        name = ""
    config = current_app.config
    if not host_is_known(name, config["TABLE_HOSTS"], config["TABLE_ANY_ADDRESS"]):
        abort(421, f"This table does not answer to the name {name[:80]!r}.")


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
