"""The asker of a request, as far as limits need to know before the app looks at it."""

from dataclasses import dataclass
from typing import Any

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_cookie

from web.access.limits import origin_of
from web.access.pairing_sessions import PairingSessions
from web.access.trust import Trust

BODY_LIMIT = 65536  # bytes of a request, where its endpoint says nothing


@dataclass(frozen=True, slots=True)
class Asker:
    """The sender of a request.

    Attributes:
        sender: what counts as one sender.
        is_kept: this machine itself, or a device that was let in: places are kept for them.
        is_at_door: it asks where a club's tables do.
    """

    sender: str
    is_kept: bool
    is_at_door: bool = False


def asker_of(app: Flask, environ: dict[str, Any]) -> Asker:
    """The asker of the request; quick, since the server's loop waits for it."""
    trust: Trust = app.config["TABLE_TRUST"]
    seen = trust.seen(environ)
    sender = origin_of(seen.get("REMOTE_ADDR", ""))
    sessions: PairingSessions | None = app.extensions.get("sessions")
    token = sessions.token(parse_cookie(environ)) if sessions is not None else ""
    known = sessions.find(token) if sessions is not None and token else None
    return Asker(sender, known is not None or trust.is_local(seen))


def is_proxy(app: Flask, address: str) -> bool:
    """Whether many senders are behind this address."""
    trust: Trust = app.config["TABLE_TRUST"]
    return trust.is_proxy(address)


def body_limit_of(app: Flask, environ: dict[str, Any], asker: Asker) -> int:
    """How many bytes the request may have: what its endpoint declares (`web.access.guard.up_to`).

    Strangers never send more than a command.
    """
    if not asker.is_kept:
        return BODY_LIMIT
    adapter = app.url_map.bind("table")
    try:
        endpoint, _ = adapter.match(environ["PATH_INFO"], environ["REQUEST_METHOD"])
    except HTTPException:
        return BODY_LIMIT
    declared: int = getattr(app.view_functions[endpoint], "body_limit", BODY_LIMIT)
    return declared
