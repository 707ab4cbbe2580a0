"""Endpoints for letting devices in and out, and for the admin's password."""

import secrets
import threading
import time
from contextlib import suppress
from functools import partial

from flask import Blueprint, Flask, Response, current_app, request

from table_assist.game.people import alike, with_gone
from table_assist.game.state import SEATS
from table_assist.languages.words import Words, phrase
from table_assist.record.commands import NamePlayer, NotKeptError
from web.access.guard import base_url, code_svg
from web.access.limits import Delays, Limiter, origin_of
from web.access.pairing import (
    CODE_LASTS_S,
    NO_NAME,
    Ask,
    Pairing,
    PairingAnswer,
    PairingError,
    may_decide,
)
from web.access.pairing_sessions import (
    NAME_LIMIT,
    PASSWORD_LIMITS,
    PairingSessions,
    give_cookie,
    sessions,
    take_cookie,
)
from web.access.roles import LOCAL_VIEWER, Role, Viewer, is_here, is_local, require, viewer
from web.access.trust import is_loopback
from web.answers import any_table, json_answer, of_app, refusal_answer
from web.api.bodies import choice, flag, optional, seat, takes, text
from web.refusal import refuse
from web.view.sentences import is_unfollowed

_COMING_IN = threading.Lock()  # one after the other: no two of one name
_TAKEN = phrase("pairing_api.another_phone_sits_there")


blueprint = Blueprint("pairing", __name__, url_prefix="/api")
_pairing = partial(of_app, Pairing, "pairing")

CLAIM_COOKIE = "table_claim"  # only the phone that asked holds it
# A screen that shows a new code every minute, for four seats; a phone that scans a few times.
OFFERS_AT_ONCE, OFFERS_PER_MINUTE = 12.0, 8.0
ASKS_AT_ONCE, ASKS_PER_MINUTE = 6.0, 6.0
EVERYBODY = "everybody"  # guesses from many addresses at once are held back together
ALL_ASKS = 4.0  # times as many as one address may


def init_app(app: Flask) -> None:
    """Give the app pairing; its sessions are there already."""
    app.extensions["pairing"] = Pairing()
    app.extensions["evening_key"] = secrets.token_urlsafe(9)
    app.extensions["offers"] = Limiter(OFFERS_AT_ONCE, OFFERS_PER_MINUTE)
    app.extensions["asks"] = Limiter(ASKS_AT_ONCE, ASKS_PER_MINUTE)
    app.extensions["all_asks"] = Limiter(ALL_ASKS * ASKS_AT_ONCE, ALL_ASKS * ASKS_PER_MINUTE)
    app.extensions["logins"] = Delays()
    app.register_error_handler(PairingError, lambda error: refusal_answer(error.words))
    app.register_blueprint(blueprint)


@blueprint.get("/me")
@require(Role.TELEVISION)
def me() -> Response:
    """Answer with the viewer's role."""
    who = viewer()
    return json_answer(
        {
            "role": who.role,
            "seat": who.seat,
            "name": who.name,
            "device": who.device,
            "local": who is LOCAL_VIEWER,
        }
    )


@blueprint.post("/pair/offer")
@require(Role.TELEVISION)
@takes(choice("role", "seat", "scorer", "referee", "camera"), optional(seat()))
def offer(role: str, seat: int | None) -> Response:
    """Make a code that lets one phone ask for a seat or a role."""
    wanted = Role(role)
    if (wanted is Role.SEAT) != (seat is not None):
        refuse(
            400,
            "A code is for a seat with its number, or for another role without one.",
            "二维码或者用于有编号的座位，或者用于不带座位的角色。",
        )
    if wanted is not Role.SEAT and not may_decide(viewer(), wanted):  # any screen may for a seat
        refuse(
            403,
            "Who is {role} cannot show a code for the role {wanted}.",
            "{role} 不能出示 {wanted} 的二维码。",
            role=viewer().role,
            wanted=wanted,
        )
    by = "" if viewer() is LOCAL_VIEWER else viewer().device or _sender()
    if by:
        _limit("offers", by)
    made = _pairing().offer(wanted, seat, by)
    base, reachable = base_url()
    url = f"{base}/pair/{made.code}"
    return json_answer(
        {
            "code": made.code,
            "url": url,
            "svg": code_svg(url),
            "expires_s": CODE_LASTS_S,
            "reachable": reachable,
            "role": wanted,
            "seat": seat,
        }
    )


@blueprint.post("/pair/ask")
@require(Role.TELEVISION)
@takes(text("code", 40), optional(text("name", NAME_LIMIT, least=0), ""))
def ask(code: str, name: str) -> Response:
    """Ask to be let in, with a code that was scanned."""
    _limit("asks", _sender())
    asked, claim = _pairing().ask(code, name, _sender())
    answer = json_answer(_state(asked))
    give_cookie(answer, CLAIM_COOKIE, claim, 600, "/api/pair")
    return answer


@blueprint.post("/pair/sit")
@require(Role.TELEVISION)
@takes(text("key", 40), seat(), text("name", NAME_LIMIT))
def sit(key: str, seat: int, name: str) -> Response:
    """Take a free seat at a table that nobody follows, with the code of this machine's own screen.

    Who can scan it sits in the room; where somebody sits already, people are asked.
    """
    _limit("asks", _sender())
    expected: str = current_app.extensions["evening_key"]
    if not _by_players() or not secrets.compare_digest(key.encode(), expected.encode()):
        return refusal_answer(phrase("pairing_api.this_code"))
    with _COMING_IN:
        if _is_called(name, seat):
            return refusal_answer(phrase("pairing_api.somebody_at_the_table", name=name))
        token = sessions().sit(seat, name, since=_table_time())
        return refusal_answer(_TAKEN) if token is None else _come_in(token, Role.SEAT, seat, name)


def _by_players() -> bool:
    """Whether people sit down by themselves: nobody follows the table."""
    source = any_table()
    return source is not None and is_unfollowed(source.snapshot)


def _is_called(name: str, seat: int) -> bool:
    """Whether another has a name that looks the same, and a phone that is in, or never had one."""
    source = any_table()
    if source is None:
        return False
    snapshot = source.snapshot
    state, gone = snapshot.state, _gone_seats()
    return bool(alike(name, seat, with_gone(snapshot.names, state.names, state.people, gone)))


def _gone_seats() -> frozenset[int]:
    """The seats without a phone, the one that this phone leaves among them."""
    return frozenset(SEATS) - (taken_seats() - {viewer().seat})


def taken_seats() -> set[int]:
    """The seats whose phones are in."""
    found = (device.seat for device, _ in sessions().devices if device.role is Role.SEAT)
    return {seat for seat in found if seat is not None}


@blueprint.get("/pair/state")
@require(Role.TELEVISION)
def state() -> Response:
    """Answer with the state of this phone's question."""
    claim = request.cookies.get(CLAIM_COOKIE, "")
    asked = _pairing().state(claim) if claim else None
    if asked is None:
        return json_answer({"state": PairingAnswer.EXPIRED if claim else PairingAnswer.NONE})
    return json_answer(_state(asked))


@blueprint.post("/pair/enter")
@require(Role.TELEVISION)
@takes()
def enter() -> Response:
    """Come in, once somebody has said yes: the answer carries the session's cookie."""
    asked = _pairing().enter(request.cookies.get(CLAIM_COOKIE, ""))
    with _COMING_IN:
        is_taken = asked.seat is not None and _is_called(asked.name, asked.seat)
        name = NO_NAME if is_taken else asked.name
        token = sessions().open(asked.role, asked.seat, name, since=_table_time())
        answer = _come_in(token, asked.role, asked.seat, name)
    answer.delete_cookie(CLAIM_COOKIE, path="/api/pair", httponly=True, samesite="Strict")
    return answer


def _come_in(token: str, role: Role, seat: int | None, name: str) -> Response:
    """The session's cookie; who sits down is called as it said."""
    gone = _gone_seats()
    if viewer().device:  # who comes in as somebody else leaves as who it was
        sessions().close(viewer().device)
    source = any_table()
    if source is not None and seat is not None and name != NO_NAME:
        by = getattr(sessions().find(token), "by", "")
        with suppress(NotKeptError):  # then the seat has its old name, and the phone is in
            source.submit(NamePlayer(seat, name, gone), by, "")
    answer = json_answer({"role": role, "seat": seat})
    give_cookie(answer, sessions().cookie, token)
    return answer


@blueprint.get("/pair/waiting")
@require(Role.SEAT)
def waiting() -> Response:
    """The phones that wait for this viewer's word."""
    return json_answer(waiting_view(viewer(), sessions(), _pairing(), players=_by_players()))


@blueprint.post("/pair/decide")
@require(Role.SEAT)
@takes(text("request", 40), flag("allow"))
def decide(request: str, *, allow: bool) -> Response:
    """Let a waiting phone in, or not."""
    _pairing().decide(request, viewer(), allow=allow, players=_by_players())
    return json_answer({"ok": True})


@blueprint.get("/devices")
@require(Role.SEAT)
def devices() -> Response:
    """The devices that were let in: all of them for the admin, else those one may let out."""
    who = viewer()
    return json_answer(
        {
            "devices": [
                {
                    "device": device.id,
                    "role": device.role,
                    "seat": device.seat,
                    "name": device.name,
                    "since": device.since,
                    "seen": seen,
                    "until": device.until,
                    "own": device.id == who.device,
                }
                for device, seen in sessions().devices
                if _may_revoke(who, device.id, device.role)
            ]
        }
    )


@blueprint.post("/devices/revoke")
@require(Role.SEAT)
@takes(text("device", 40))
def revoke(device: str) -> Response:
    """Let a device out at once."""
    found = next((each for each, _ in sessions().devices if each.id == device), None)
    if found is None or not _may_revoke(viewer(), found.id, found.role):
        return refusal_answer(
            Words("There is no such device (any more).", "没有这台设备（或已移除）。")
        )
    sessions().close(found.id)
    return json_answer({"ok": True})


@blueprint.post("/leave")
@require(Role.TELEVISION)
@takes()
def leave() -> Response:
    """Give the own session up."""
    if viewer().device:
        sessions().close(viewer().device)
    answer = json_answer({"ok": True})
    take_cookie(answer)
    return answer


@blueprint.post("/admin/login")
@require(Role.TELEVISION)
@takes(
    text("password", PASSWORD_LIMITS[1]), optional(text("name", NAME_LIMIT, least=0), "an admin")
)
def login(password: str, name: str) -> Response:
    """Come in as admin from the network, by the password."""
    if not sessions().has_password:
        return refusal_answer(phrase("pairing_api.no_password_is_set"))
    wait_s = _begin_login()
    if wait_s:
        refuse(
            429,
            "Too many wrong passwords: wait {wait_s} seconds.",
            "密码错误次数过多：请等 {wait_s} 秒。",
            wait_s=f"{wait_s:.0f}",
        )
    delays: Delays = current_app.extensions["logins"]
    if not sessions().is_password(password):
        delays.failed(_sender(), more=0)
        refuse(403, "This is not the password.", "密码不对。")
    delays.passed(_sender())
    if viewer().device:
        sessions().close(viewer().device)
    token = sessions().open(Role.ADMIN, None, name or "an admin", since=_table_time())
    answer = json_answer({"role": Role.ADMIN})
    give_cookie(answer, sessions().cookie, token)
    return answer


@blueprint.post("/admin/password")
@require(Role.ADMIN)
@takes(text("password", PASSWORD_LIMITS[1], least=PASSWORD_LIMITS[0]))
def choose_password(password: str) -> Response:
    """Choose the admin's password, on the table's own machine only."""
    if not is_local():
        refuse(
            403,
            "The password is chosen on the table's own machine.",
            "密码须在牌桌所用的电脑上设置。",
        )
    sessions().set_password(password)
    return json_answer({"ok": True})


def waiting_view(
    who: Viewer, known: PairingSessions, pairing: Pairing, *, players: bool
) -> dict[str, object]:
    """The phones that wait for the viewer's word, as JSON; `players` as in `may_say`."""
    seats = {device.seat for device, _ in known.devices if device.role is Role.SEAT}
    return {
        "waiting": [
            {
                "request": ask.id,
                "number": ask.number,
                "role": ask.role,
                "seat": ask.seat,
                "name": ask.name,
                "address": ask.address,
                "missing": ask.missing_after(who),
                "replaces": ask.role is Role.SEAT and ask.seat in seats,
            }
            for ask, _ in pairing.waiting(who, players=players)
        ]
    }


def _may_revoke(who: Viewer, device: str, role: Role) -> bool:
    return device == who.device or who.role is Role.ADMIN or may_decide(who, role)


def _state(asked: Ask) -> dict[str, object]:
    return {
        "state": asked.answer,
        "number": asked.number,
        "role": asked.role,
        "seat": asked.seat,
    }


def _begin_login() -> float:
    """A try at the password: 0 where the sender may, else in how many seconds.

    When tries come from very many addresses, all are held back a little, but for this machine.
    """
    delays: Delays = current_app.extensions["logins"]
    if is_here():
        return delays.begin(_sender())
    wait_s = delays.wait_s(EVERYBODY) or delays.begin(_sender())
    often: Limiter = current_app.extensions["all_asks"]
    if not wait_s and often.take("logins") > 0:
        delays.failed(EVERYBODY)
    return wait_s


def _limit(name: str, sender: str) -> None:
    limit: Limiter = current_app.extensions[name]
    wait_s = limit.take(sender)
    if wait_s:
        refuse(
            429,
            "Too many tries: wait {wait_s} seconds.",
            "尝试次数过多：请等 {wait_s} 秒。",
            wait_s=f"{wait_s:.0f}",
        )


def _table_time() -> float:
    """Now, by the table's clock; by this machine's where no table is followed."""
    source = any_table()
    return time.time() if source is None else source.snapshot.t


def _sender() -> str:
    """The sender as it is counted; one that comes through a proxy here is not the machine."""
    sender = origin_of(request.remote_addr or "")
    return sender if is_here() or not is_loopback(sender) else f"by way of {sender}"
