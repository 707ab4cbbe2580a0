"""The guard of the dashboard: its addresses, known hosts, same origin, the page's own token.

A page on another site can make a browser send requests here, and can make its own name resolve to
this machine. The first is stopped by origin, content type and token; the second by the Host
header, which then carries the foreign name. What a viewer may do once it talks is in
`web.access.roles`.
"""

import hmac
import io
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from ipaddress import ip_address
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

import segno
from flask import Flask, Response, current_app, request

from table_assist.languages.words import UserError, Words
from web.access import roles
from web.access.limits import Limiter, origin_of
from web.access.roles import LOCAL_VIEWER, secured, viewer
from web.access.trust import DIRECT, Trust, Trusting, host_name, is_loopback, plain_address
from web.refusal import refuse

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

TOKEN_HEADER = "X-Table-Token"
COMMAND_LIMIT = 4096  # bytes; the longest command is under 2000
WILDCARDS = ("", "0.0.0.0", "::")
POSTS_AT_ONCE, POSTS_PER_MINUTE = 60.0, 600.0  # of one network sender; nobody taps so fast
FRAMES_AT_ONCE, FRAMES_PER_MINUTE = 20.0, 720.0  # of a phone that watches the table: ten a second
OPENER = "Cross-Origin-Opener-Policy"
NAMED_SECURE = ("localhost", "127.0.0.1", "[::1]")  # what browsers trust without https
POLICY_HEADER, _NO_FRAME = "Content-Security-Policy", "frame-ancestors 'none'"
HEADERS = {
    POLICY_HEADER: "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; " + _NO_FRAME,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # a pairing code stands in the address
    "Cross-Origin-Resource-Policy": "same-origin",
    OPENER: "same-origin",
}
# The features that a page's scripts may ask a phone for; `uses` gives them to one page.
PHONE_FEATURES = ("camera", "microphone", "geolocation")


class NetworkRefusedError(UserError, ValueError):
    """A page that asks nobody who they are was to be served to the network."""


def only_here(host: str) -> None:
    """For pages without roles: they are for the machine's own people.

    Raises:
        NetworkRefusedError: others could reach the address.
    """
    try:
        is_here = ip_address(host).is_loopback
    except ValueError:
        is_here = host.lower() == "localhost"
    if not is_here:
        raise NetworkRefusedError(
            f"this page is for this machine alone and not for {host or 'every address'}; from "
            "another machine, ssh -L PORT:127.0.0.1:PORT brings it over (--port chooses PORT)"
        )


def init_app(app: Flask, host: str, trust: Trust = DIRECT) -> None:
    """Guard every request of the app.

    Args:
        app: the app; its configuration gets the token and the body limit.
        host: the address the server is bound to; it and the names of this machine are accepted in
            the Host header. Bound to every address, any literal address is: another site's page
            cannot have one as its name.
        trust: whom to believe about where requests come from.
    """
    app.extensions["picture_places"] = [], threading.Condition()
    app.config["TABLE_TRUST"] = trust
    app.wsgi_app = Trusting(app.wsgi_app, trust)  # type: ignore[assignment, method-assign]
    app.config["TABLE_TOKEN"] = secrets.token_urlsafe(24)
    app.config["MAX_CONTENT_LENGTH"] = COMMAND_LIMIT
    names = {"localhost", "127.0.0.1", "::1", host.lower(), host_name(trust.public_host)}
    if host in WILDCARDS:
        own = socket.gethostname().lower()
        # What routers call it: nobody can have these names on the internet.
        near = {f"{own.split('.')[0]}.{each}" for each in ("local", "lan", "home.arpa", "internal")}
        names |= {own, f"{own}.local"} | near
    app.config["TABLE_HOSTS"] = frozenset(names - set(WILDCARDS))
    app.config["TABLE_ANY_ADDRESS"] = host in WILDCARDS
    app.config["TABLE_POSTS"] = Limiter(POSTS_AT_ONCE, POSTS_PER_MINUTE)
    app.config["TABLE_FRAMES"] = Limiter(FRAMES_AT_ONCE, FRAMES_PER_MINUTE)
    app.before_request(_check_address)
    roles.init_app(app)
    app.after_request(_add_headers)


def token() -> str:
    """The token that the pages of this viewer must send back with every command.

    Another session's token does not fit, and none outlives its session.
    """
    table = current_app.extensions.get("sessions")
    if table is None:
        own: str = current_app.config["TABLE_TOKEN"]
        return own
    who = viewer()
    name = who.device or ("local" if who is LOCAL_VIEWER else "stranger")
    return hmac.new(table.key, f"page {name}".encode(), "sha256").hexdigest()


def check_post(
    types: tuple[str, ...] = ("application/json",), limited_by: str = "TABLE_POSTS"
) -> None:
    """Abort unless the request is from our own page, and of one of these content types.

    Args:
        limited_by: which limit it counts for.

    Raises:
        HTTPException: 415 for another content type, 403 for another origin or a wrong token, 429
            for a sender of the network that sends too many.
    """
    if request.mimetype not in types:
        wanted = " or ".join(types)
        refuse(
            415,
            "This must be sent as {wanted}.",
            "须以 {wanted} 发送。",
            wanted=Words(wanted, "、".join(types)),
        )
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.host}":
        refuse(
            403,
            "A command must come from this page, not from {origin}.",
            "命令必须来自本页面，而不是 {origin}。",
            origin=origin[:80],
        )
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        refuse(
            403,
            "A command must come from this page, not from another site.",
            "命令必须来自本页面，而不是其他网站。",
        )
    if not hmac.compare_digest(request.headers.get(TOKEN_HEADER, "").encode(), token().encode()):
        refuse(
            403,
            "The page is older than the running program: reload it.",
            "页面比正在运行的程序旧：请刷新。",
        )
    limit: Limiter = current_app.config[limited_by]
    who = viewer()
    if who is not LOCAL_VIEWER:
        wait_s = limit.take(who.device or origin_of(request.remote_addr or ""))
        if wait_s:
            refuse(
                429,
                "Too many commands: wait {wait_s} seconds.",
                "命令过多：请等 {wait_s} 秒。",
                wait_s=f"{wait_s:.0f}",
            )


def up_to(
    size: int,
) -> Callable[[Callable[Parameters, Returned]], Callable[Parameters, Returned]]:
    """Let requests to an endpoint be so many bytes, for who was let in; stands under `require`.

    The server reads the declaration (`web.access.asker`), and takes more from nobody else.
    """

    def declare(view: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
        @wraps(view)
        def letting(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
            request.max_content_length = size
            return view(*args, **kwargs)

        letting.__dict__["body_limit"] = size
        return letting

    return declare


# Of the threads for admitted phones pictures hold a few, and a device's own at most two.
PICTURES_AT_ONCE, PICTURES_OF_ONE, PICTURE_WAIT_S = 4, 2, 20.0


@contextmanager
def picture_place() -> Iterator[None]:
    """A place among the pictures that are read: an objection gets through whatever is sent."""
    held: list[str]  # the devices whose pictures are read now
    changed: threading.Condition
    held, changed = current_app.extensions["picture_places"]
    device = viewer().device
    with changed:
        is_free = held.count(device) < PICTURES_OF_ONE and changed.wait_for(
            lambda: len(held) < PICTURES_AT_ONCE, PICTURE_WAIT_S
        )
        if is_free:
            held.append(device)
    if not is_free:
        refuse(503, "Other pictures are being read: try again.", "正在读取其他照片：请稍后再试。")
    try:
        yield
    finally:
        with changed:
            held.remove(device)
            changed.notify()


def uses(
    *features: str,
) -> Callable[[Callable[Parameters, Returned]], Callable[Parameters, Returned]]:
    """Let a page's scripts ask for the phone's camera; stands under `require`.

    Raises:
        ValueError: a feature is not one of `PHONE_FEATURES`.
    """
    unknown = set(features) - set(PHONE_FEATURES)
    if unknown:
        raise ValueError(f"no features of a phone: {', '.join(sorted(unknown))}")

    def declare(view: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
        view.__dict__["features"] = features
        return view

    return declare


def framed(view: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """Let the origins that the command line names show a page with nothing to tap; as `uses`."""
    view.__dict__["framed"] = True
    return view


def _check_address() -> None:
    """The name must be ours; another site's page may link here, but not use up places or codes."""
    name = host_name(request.environ.get("table.asked_host", request.headers.get("Host", "")))
    config = current_app.config
    is_address = config["TABLE_ANY_ADDRESS"] and plain_address(name) is not None
    if name.lower() not in config["TABLE_HOSTS"] and not is_address:
        refuse(
            421,
            "Nothing here answers to the name {name}.",
            "这里不使用 {name} 这个名字。",
            name=f"{name[:80]!r}",
        )
    is_api = request.path.startswith(("/api/", "/static/", "/admin/", "/metrics"))
    if is_api and request.headers.get("Sec-Fetch-Site") == "cross-site":
        refuse(403, "This is for the table's own pages only.", "仅供牌桌自己的页面使用。")


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if not (request.is_secure or request.host.rpartition(":")[0] in NAMED_SECURE):
        response.headers.pop(OPENER, None)  # a browser would only complain of it
    view = current_app.view_functions.get(request.endpoint or "")
    origins = current_app.config["TABLE_TRUST"].framed_by
    if origins and getattr(view, "framed", False):
        policy = HEADERS[POLICY_HEADER].replace(_NO_FRAME, f"frame-ancestors {' '.join(origins)}")
        response.headers[POLICY_HEADER] = policy
    own = getattr(view, "features", ())  # nothing, unless the page declares it
    allowed = (f"{each}=({'self' if each in own else ''})" for each in PHONE_FEATURES)
    response.headers["Permissions-Policy"] = ", ".join(allowed)
    return response


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
    if bound not in WILDCARDS and is_loopback(bound):
        return f"{request.scheme}://{request.host}", False
    found = secured()
    scheme, port = (request.scheme, port) if found is None else ("https", found.port)
    address = own_address() if bound in WILDCARDS else bound
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
