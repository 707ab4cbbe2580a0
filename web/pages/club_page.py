"""The table's club: joined with a code on this page, left, and a referee called from the table."""

import time
from dataclasses import asdict
from functools import partial

from flask import Blueprint, Response

from table_assist.club.calling import CallError, MembershipError
from table_assist.club.orders import MESSAGE_S, ORDER_WINDS, News, Next, clock_left
from table_assist.club.uplink import MOST_REASON, ClubService
from table_assist.languages.words import View, Words, capitalised, phrase, words_view
from table_assist.record.snapshot import Snapshot
from table_assist.trust.installation import open_key
from web.access.roles import STRANGER, Role, is_here, require
from web.answers import json_answer, of_app, the_table
from web.api.bodies import takes, text
from web.language import page_words
from web.pages.shell import render
from web.refusal import RefusedRequest, refuse
from web.view import sentences
from web.view.secrecy import masked

blueprint = Blueprint("club", __name__)
_desk = partial(of_app, ClubService, "club")
MOST_ADDRESS = 200

_OVER = Words("Time is over since", "已超时")


@blueprint.get("/club")
@require(Role.SEAT)
def page() -> str:
    """The table's club."""
    return render("club.html", words=page_words("club"), view="club")


@blueprint.get("/api/club")
@require(Role.SEAT)
def state() -> Response:
    """Whether the table belongs to a club, how far it holds the log, and an open call."""
    desk = _desk()
    membership, call = desk.membership, desk.call
    source = the_table()
    health = next((each for each in source.snapshot.health if each.name == "club"), None)
    return json_answer(
        {
            "hub": "" if membership is None else membership.hub,
            "table": open_key().public,
            "code": desk.code,
            "is_in": membership is not None and membership.is_in,
            "have": 0 if membership is None else membership.have,
            "all": source.snapshot.seq,
            "said": None if health is None or not health.says else words_view(health.says),
            "pictures": desk.gives_pictures,
            "call": None if call is None else str(call.content.get("reason", "")),
        }
    )


@blueprint.get("/api/club/news")
@require(Role.TELEVISION)
def news() -> Response:
    """Answer with the club's news for this table: a message, its clock, seats now and next."""
    desk, now = _desk(), time.time()
    source = the_table()
    said, people = desk.news, source.snapshot.state.people
    left = clock_left(said, now, desk.ahead_s)
    is_new = 0 < said.message_t > now - MESSAGE_S
    is_lost = any(each.name == "club" and each.status == "lost" for each in source.snapshot.health)
    return json_answer(
        {
            "message": words_view(Words("The club: {said}", "俱乐部：{said}", said=said.message))
            if is_new and said.message
            else None,
            "clock": None if left is None else _clock(said, left, is_lost=is_lost),
            "round": words_view(Words("Round {round}", "第 {round} 轮", round=said.round)),
            "names": names if (names := desk.names(people)) and said.round else None,
            "next": [None if each is None else _next(each) for each in said.places(people)],
        }
    )


@blueprint.post("/api/club/join")
@require(Role.ADMIN)
@takes(text("hub", MOST_ADDRESS))
def join(hub: str) -> Response:
    """Ask a club to let this table in; the page then shows a code for its director."""
    if not is_here():
        refuse(
            403, "A club is joined at the table's own machine.", "请在牌桌自己的电脑上加入俱乐部。"
        )
    try:
        _desk().join(hub.strip())
    except (CallError, MembershipError) as error:
        words = Words("{said}.", "{said}。", said=capitalised(error.words))
        raise RefusedRequest(502, words) from error
    return json_answer({"done": True})


@blueprint.post("/api/club/leave")
@require(Role.ADMIN)
@takes()
def leave() -> Response:
    """Belong to no club any more; what it holds stays there."""
    _desk().leave()
    return json_answer({"done": True})


@blueprint.post("/api/club/call")
@require(Role.SEAT)
@takes(text("reason", MOST_REASON, least=0))
def call(reason: str) -> Response:
    """Call a referee of the club to this table."""
    membership = _desk().membership
    if membership is None or not membership.is_in:
        refuse(409, "This table belongs to no club.", "本桌不属于俱乐部。")
    _desk().call_referee(reason.strip())
    return json_answer({"done": True})


@blueprint.post("/api/club/call/over")
@require(Role.SEAT)
@takes()
def over() -> Response:
    """Nobody need come any more."""
    _desk().end_call()
    return json_answer({"done": True})


def _next(place: Next) -> dict[str, object]:
    """Where somebody sits next: said to the player, and to all."""
    wind = ORDER_WINDS[place.seat]
    own = phrase("club_page.you_sit_next", table=place.table, wind=wind)
    every = phrase("club_page.name_table_wind", name=place.name, table=place.table, wind=wind)
    return {**asdict(place), "own": words_view(own), "every": words_view(every)}


def _clock(said: News, left_s: float, *, is_lost: bool) -> dict[str, object]:
    """The clock now; an old word where the hub is not reached."""
    clock = said.clock or {}
    extra, running = clock.get("extra_s", 0), bool(clock.get("running"))
    minutes = round(extra / 60) if type(extra) in (int, float) else 0
    label = Words("The club's clock", "俱乐部计时") if left_s >= 0 else _OVER
    if not running:
        label = Words("The club's clock stands", "俱乐部计时暂停")
    if is_lost:
        label = Words("{label} (club not reached)", "{label}（未连上俱乐部）", label=label)
    if minutes:
        label = phrase("club_page.min_more", label=label, minutes=minutes)
    return {"left_s": round(left_s, 1), "running": running, "label": words_view(label)}


def hall_view(snapshot: Snapshot) -> View:
    """The table as a television of the club shows it; nothing that a spectator here may not see."""
    seen = masked(snapshot, STRANGER)
    state = seen.state
    return {
        "hand": state.hand,
        "phase": state.phase.value,
        "headline": words_view(sentences.headline(seen)),
        "names": list(seen.names),
        "scores": list(state.scores),
        "dealer": state.dealer,
        "wall": state.wall_left if state.is_running else None,
        "rules": words_view(seen.rules.names),
        "profile": state.hash,
        "questions": len(state.questions),
    }
