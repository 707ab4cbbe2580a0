"""The demands of a table that speaks TLS on requests without it."""

from dataclasses import dataclass
from urllib.parse import quote

from flask import Flask, Response, current_app, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from web.access.roles import is_here
from web.access.trust import PASSED_ON, host_name
from web.refusal import refuse

OPEN = ("/trust", "/authority.crt", "/static/", "/manifest.webmanifest", "/worker.js")
HSTS_S = 31_536_000


@dataclass(frozen=True, slots=True)
class Secured:
    """How the table speaks TLS.

    Attributes:
        port: where it does.
        plain_port: where it does not; whoever comes there is led on.
        authority: that phones are to trust first, as DER; empty where they do already.
        fingerprint: of the authority.
        hsts: whether browsers shall never try without TLS again.
    """

    port: int
    plain_port: int
    authority: bytes = b""
    fingerprint: str = ""
    hsts: bool = False


def secured() -> Secured | None:
    """How this table speaks TLS; None where it does not."""
    found: Secured | None = current_app.config.get("TABLE_TLS")
    return found


def init_app(app: Flask) -> None:
    """Lead on who comes without TLS, once `TABLE_TLS` is set."""
    app.before_request(_lead_on)
    app.after_request(_remember)


def https_url(path: str = "") -> str:
    """This table's own address with TLS, by the name it was asked under."""
    found = secured()
    assert found is not None
    name = host_name(request.host)
    shown = f"[{name}]" if ":" in name else name
    return f"https://{shown}:{found.port}{path}"


def _lead_on() -> AnyResponse | None:
    found = secured()
    if found is None or request.scheme == "https" or request.environ.get(PASSED_ON):
        return None
    # A browser of this machine sends its request over no network.
    if is_here() or request.path.startswith(OPEN):
        return None
    if request.method not in ("GET", "HEAD"):
        url = https_url("/")
        refuse(403, "This table speaks TLS: open {url}.", "本牌桌使用 TLS：请打开 {url}。", url=url)
    path = quote(request.path, safe="/:;@!$&'()*+,=~")  # as it came: no line of ours ends in it
    query = request.query_string.decode("ascii", "replace")
    whole = f"{path}?{query}" if query else path
    return redirect(https_url(whole), 307)


def _remember(response: Response) -> Response:
    found = secured()
    if found is not None and found.hsts and request.scheme == "https":
        response.headers["Strict-Transport-Security"] = f"max-age={HSTS_S}"
    return response
