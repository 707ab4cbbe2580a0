"""A regular with another phone: it asks, others at the table or the desk confirm who holds it."""

import time
from collections.abc import Callable

from flask import Blueprint, Flask, Response, current_app

from table_assist.contract.table_source import TableSource
from table_assist.languages.words import Words
from table_assist.regulars.claims import Claims, IdentityClaim
from table_assist.regulars.kept import key_of
from table_assist.regulars.service import RegularsService
from web.access.pairing_sessions import PairingSessions
from web.access.proofs import give_proof, own_proofs
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.api.bodies import flag, takes, text
from web.refusal import RefusedRequest

blueprint = Blueprint("regulars_claims", __name__)
_NOBODY = Words("Nobody is kept by this name.", "没有记住这个名字的人。")
_MANY = Words("Too many phones ask now: wait a little.", "请求的手机太多：请稍候。")
_GONE = Words(
    "This is decided already, or is not this phone's to decide.",
    "此事已有结果，或不由这部手机决定。",
)
_NOT_YOURS = Words("This phone speaks for its own player alone.", "这部手机只能代表本人。")


def init_app(app: Flask, sessions: PairingSessions) -> None:
    """Give the app what the page of regulars asks."""
    app.extensions["regulars_claims"] = Claims(_seats(sessions))
    app.register_blueprint(blueprint)


@blueprint.get("/api/regulars/asked")
@require(Role.SEAT)
def asked() -> Response:
    """Answer with the state of this phone's claim, and the claims that it may confirm."""
    who, claims = viewer(), _claims()
    own = claims.of(who.device, time.time())
    waiting = claims.waiting(who.device, time.time())
    return json_answer(
        {
            "own": None if own is None else {"number": own.number, "state": _state(own)},
            "others": [
                {"claim": each.id, "name": each.name, "number": each.number} for each in waiting
            ],
        }
    )


@blueprint.post("/api/regulars/ask")
@require(Role.SEAT)
@takes()
def ask() -> Response:
    """Say that this phone is its player's, too: of who is kept by the seat's name."""
    who, source = viewer(), _source()
    if who.seat is None:
        raise RefusedRequest(403, _NOT_YOURS)
    name = source.snapshot.names[who.seat]
    if _desk().kept.find(name) is None:
        raise RefusedRequest(404, _NOBODY)
    claim = _claims().ask(who.device, name, since=source.snapshot.t, now=time.time())
    if claim is None:
        raise RefusedRequest(429, _MANY)
    return json_answer({"number": claim.number})


@blueprint.post("/api/regulars/confirm")
@require(Role.SEAT)
@takes(text("claim", 40), flag("yes"))
def confirm(claim: str, *, yes: bool) -> Response:
    """Whether another phone's player is who it says."""
    who = viewer()
    done = _claims().answer(
        claim,
        who.device or "desk",
        yes=yes,
        since=who.since,
        decides=who.may(Role.SCORER),
        now=time.time(),
    )
    if not done:
        raise RefusedRequest(409, _GONE)
    return json_answer({"done": True})


@blueprint.post("/api/regulars/take")
@require(Role.SEAT)
@takes()
def take() -> Response:
    """Take a confirmed claim: the answer carries the proof, once."""
    name = _claims().take(viewer().device, time.time())
    secret = None if name is None else _desk().kept.grant(name)
    if secret is None:
        raise RefusedRequest(409, _GONE)
    answer = json_answer({"name": name})
    give_proof(answer, secret)
    return answer


@blueprint.post("/api/regulars/only")
@require(Role.SEAT)
@takes(text("name", 40))
def only(name: str) -> Response:
    """No other phone is this player's any longer."""
    kept, own = _desk().kept, own_proofs()
    if key_of(name) not in kept.proved(own):
        raise RefusedRequest(403, _NOT_YOURS)
    kept.only(name, own)
    return json_answer({"done": True})


def _state(claim: IdentityClaim) -> str:
    if claim.is_refused:
        return "refused"
    return "granted" if claim.is_granted else "waiting"


def _seats(sessions: PairingSessions) -> Callable[[str], int | None]:
    def seat_of(device: str) -> int | None:
        return next((each.seat for each, _ in sessions.devices if each.id == device), None)

    return seat_of


def _claims() -> Claims:
    found: Claims = current_app.extensions["regulars_claims"]
    return found


def _desk() -> RegularsService:
    found: RegularsService = current_app.extensions["regulars"]
    return found


def _source() -> TableSource:
    found: TableSource = current_app.extensions["table"]
    return found
