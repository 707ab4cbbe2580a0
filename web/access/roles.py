"""Roles, the viewer behind a request, the role that an endpoint asks for; and TLS.

A role includes all below it; the camera's stands apart. Roles are decided here, on the server;
pages only draw what a role may do. The treasure is no matter of rank: see `web.view.secrecy`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import ParamSpec, Protocol, TypeVar
from urllib.parse import quote

from flask import Flask, Response, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from table_assist.game.people import giver
from table_assist.languages.words import Words, phrase
from web.access.trust import DIRECT, PASSED_ON_KEY, Trust, host_name
from web.refusal import RefusedRequest, refuse

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


class Role(StrEnum):
    """A viewer's role at this table, the least first."""

    TELEVISION = "television"  # looks; everybody in the network
    CAMERA = "camera"  # a phone that watches the table; it does nothing else
    SEAT = "seat"  # a player's own phone
    SCORER = "scorer"
    REFEREE = "referee"
    ADMIN = "admin"  # the local machine, and who has the password

    def includes(self, other: "Role") -> bool:
        """Whether this role may do all that the other may.

        >>> Role.REFEREE.includes(Role.SEAT), Role.SEAT.includes(Role.SCORER)
        (True, False)
        """
        if Role.CAMERA in (self, other):  # nobody sends pictures in its place
            return self is other or other is Role.TELEVISION
        return _ORDER[self] >= _ORDER[other]


_ROLE_NAMES = {
    Role.TELEVISION: Words("somebody who looks on", "旁观者"),
    Role.CAMERA: Words("a phone that watches the table", "摄像手机"),
    Role.SEAT: Words("a player", "玩家"),
    Role.SCORER: Words("the scorer", "记分员"),
    Role.REFEREE: Words("the referee", "裁判"),
    Role.ADMIN: Words("the admin", "管理员"),
}
_ORDER = {role: place for place, role in enumerate(Role)}


@dataclass(frozen=True, slots=True)
class Viewer:
    """The person or screen that looks, or gives a command.

    Attributes:
        seat: whose phone it is, for the role SEAT only.
        name: of the device; empty for the local machine and for strangers.
        device: id of the session; empty where there is none.
        since: when the device was let in, by the table's clock.
    """

    role: Role
    seat: int | None = None
    name: str = ""
    device: str = ""
    since: float = 0.0

    def __post_init__(self) -> None:
        if (self.role is Role.SEAT) != (self.seat is not None):
            raise ValueError(f"a viewer with the role {self.role} has the seat {self.seat}")

    def may(self, role: Role) -> bool:
        """Whether the viewer's role includes this one."""
        return self.role.includes(role)

    @property
    def by(self) -> str:
        """How the log names who gave a command: ``Anna's phone (scorer)``, a player by `giver`."""
        if self.seat is not None:
            return giver(self.name, self.seat, self.device)
        return f"{self.name} ({self.role})" if self.name else str(self.role)


LOCAL_VIEWER = Viewer(Role.ADMIN)
STRANGER = Viewer(Role.TELEVISION)


class Sessions(Protocol):
    """The holders of cookies; `pairing_sessions` has the real one."""

    def viewer(self) -> Viewer | None:
        """The viewer that the request's cookie stands for; None without a valid one."""
        ...


def viewer() -> Viewer:
    """This request's viewer: its session's, else the local machine, else a stranger."""
    found: Viewer | None = g.get("viewer")
    if found is None:
        sessions: Sessions | None = current_app.extensions.get("sessions")
        found = sessions.viewer() if sessions is not None else None
        if found is None:
            found = LOCAL_VIEWER if is_local() else STRANGER
        g.viewer = found
    return found


def is_here() -> bool:
    """Whether the request comes from this machine itself, whoever may be the admin."""
    trust: Trust = current_app.config.get("TABLE_TRUST", DIRECT)
    return trust.is_here(request.environ)


def is_local() -> bool:
    """Whether the request comes from this machine itself, and that makes its sender the admin."""
    trust: Trust = current_app.config.get("TABLE_TRUST", DIRECT)
    return trust.is_local(request.environ)


def require(
    role: Role,
) -> Callable[[Callable[Parameters, Returned]], Callable[Parameters, Returned]]:
    """Declare the role an endpoint asks for; stands directly above its function.

    Every endpoint declares one, or the app does not start.
    """

    def declare(view: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
        @wraps(view)
        def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
            if not viewer().may(role):
                raise RefusedRequest(403, role_words(role, viewer().role))
            return view(*args, **kwargs)

        guarded.__dict__["required_role"] = role
        return guarded

    return declare


def role_words(needed: Role, own: Role) -> Words:
    """The sentence that this role may not do it, and which may."""
    may, are = _ROLE_NAMES[needed], _ROLE_NAMES[own]
    return phrase("roles.this_is_for_here", may=may, are=are)


def declared(app: Flask) -> dict[str, Role | None]:
    """Each endpoint's declared role, by its name; None for one that has none."""
    found: dict[str, Role | None] = {
        name: getattr(view, "required_role", None) for name, view in app.view_functions.items()
    }
    if "static" in found:
        found["static"] = Role.TELEVISION  # Flask's own: scripts, style sheets, drawn tiles
    return found


def finish(app: Flask) -> None:
    """Refuse to go on with an endpoint that anybody could use because nobody said who may.

    Raises:
        RuntimeError: with the endpoints that declare no role.
    """
    open_to_all = sorted(name for name, role in declared(app).items() if role is None)
    if open_to_all:
        raise RuntimeError(f"these endpoints declare no role: {', '.join(open_to_all)}")


OPEN_PATHS = ("/trust", "/authority.crt", "/static/", "/manifest.webmanifest", "/worker.js")
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
    if secured() is None or request.scheme == "https" or request.environ.get(PASSED_ON_KEY):
        return None
    # A browser of this machine sends its request over no network.
    if is_here() or request.path.startswith(OPEN_PATHS):
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
