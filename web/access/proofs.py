"""Proofs that a phone is a regular's: secrets in a cookie, which no script of a page reads."""

from flask import Response, request

COOKIE = "table_regular"
LASTS_S = 400 * 86400  # browsers keep none longer
MOST = 4  # a phone that a family shares


def own_proofs() -> tuple[str, ...]:
    """The secrets that come with this request."""
    said = request.cookies.get(COOKIE, "")
    return tuple(filter(None, said.split(".")))[:MOST]


def give_proof(response: Response, secret: str) -> None:
    """The phone keeps another secret."""
    kept = ".".join((secret, *own_proofs())[:MOST])
    response.set_cookie(
        COOKIE,
        kept,
        max_age=LASTS_S,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
        path="/",
    )
