"""The pages that show the table: television, seat, scorer, overlay; and what installs them."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from table_assist.languages.catalogue import LANGUAGES
from table_assist.languages.words import Words, joined, same
from table_assist.rules.shown import SEAT_COUNT
from web.access.guard import base_url, code_svg, framed, trust_url, uses
from web.access.roles import LOCAL_VIEWER, Role, require, viewer
from web.answers import the_table, to_json
from web.api.clock_api import is_set
from web.api.pairing_api import taken_seats
from web.api.stream import LONGEST_STREAM_DELAY_S, asked_delay
from web.language import chosen_language, page_words
from web.pages.regulars_page import is_kept
from web.pages.shell import FACES_PATH, faces, render
from web.refusal import refuse
from web.view.sentences import is_unfollowed
from web.view.vocabulary import player

blueprint = Blueprint("pages", __name__)
blueprint.get(FACES_PATH)(faces)


@blueprint.get("/")
@require(Role.TELEVISION)
def home() -> str | AnyResponse:
    """The page that fits who asks: the scorer's desk, the own seat, or the television."""
    who = viewer()
    if who.may(Role.SCORER):
        return scorer()
    if who.seat is not None:
        return redirect(url_for("pages.seat", number=who.seat))
    if who.role is Role.CAMERA:
        return redirect(url_for("camera_page.page"))
    hint = request.headers.get("Sec-CH-UA-Mobile")
    if hint == "?1" or "Mobi" in request.headers.get("User-Agent", ""):
        return redirect(url_for("pages.join"))
    return television()


@blueprint.get("/tv")
@require(Role.TELEVISION)
@framed
def television() -> str:
    """The table large, with the picture that phones scan, and without anything to tap."""
    return _inviting("television.html", "television")


@blueprint.get("/seat/<int:number>")
@require(Role.SEAT)
def seat(number: int) -> str:
    """One player's phone: the own seat at the bottom."""
    who = viewer()
    if number >= SEAT_COUNT:
        refuse(
            404,
            "There is no such seat: a table has four.",
            "没有这个座位：一桌四人。",
        )
    source = the_table()
    if who.seat not in (None, number):
        refuse(
            403,
            "This is {other}'s page; this phone is another player's.",
            "这是{other}的页面；这部手机属于另一位玩家。",
            other=player(source.snapshot.names, number),
        )
    if is_unfollowed(source.snapshot):
        _warm()
    return render(
        "seat.html",
        view="seat",
        words=page_words("letting_in", "seat"),
        own=number,
        clock_set=is_set(),
        kept=is_kept(number),
    )


@blueprint.get("/photo")
@require(Role.SEAT)
@uses("camera")
def photo() -> str:
    """A hand that no camera follows: photographed, put right, told."""
    return _photo("photo", page_words("photo"))


@blueprint.get("/worth")
@require(Role.SEAT)
@uses("camera")
def worth() -> str:
    """The page of the own hand's waits or worth: for this phone alone."""
    return _photo("worth", page_words("photo", "worth"))


def _photo(view: str, words: Mapping[str, Words]) -> str:
    _warm()
    who = viewer()
    own = {} if who.seat is None else {"own": who.seat}
    return render(
        "photo.html",
        view=view,
        words=words,
        private=view == "worth",
        keeps=who.may(Role.SCORER),
        **own,
    )


def _warm() -> None:
    """A photograph is about to come."""
    source = the_table()
    if source.photos is not None:
        source.photos.warm()


@blueprint.get("/scorer")
@require(Role.SCORER)
def scorer() -> str:
    """Everything, with one tap to confirm."""
    return _inviting("scorer.html", "scorer", page_words("letting_in", "scorer"))


@blueprint.get("/join")
@require(Role.TELEVISION)
def join() -> str:
    """The page of a phone that scanned the television's picture: whose phone is it?"""
    return render(
        "join.html", view="join", words=page_words("arriving"), taken=sorted(taken_seats())
    )


@blueprint.get("/offline")
@require(Role.TELEVISION)
def offline() -> str:
    """The page that a browser keeps to show while the table's machine cannot be reached."""
    return render("offline.html", view="offline", words=page_words("arriving"))


@blueprint.get("/worker.js")
@require(Role.TELEVISION)
def worker() -> Response:
    """The service worker; from the root, so that it may stand in for every page."""
    return current_app.send_static_file("worker.js")


def _inviting(template: str, view: str, words: Mapping[str, Words] | None = None) -> str:
    """A page with what phones scan to join, where they can reach this table.

    On the machine's own screen, at a table that nobody follows, it lets them sit down at once.
    """
    base, reachable = base_url()
    trusted = trust_url()
    url = trusted or f"{base}/join"
    source = the_table()
    is_open = (
        viewer() is LOCAL_VIEWER
        and is_unfollowed(source.snapshot)
        and len(taken_seats()) < SEAT_COUNT
    )
    key = current_app.extensions["evening_key"]
    scanned = f"{url}#{key}" if is_open and not trusted else url
    code = Markup(code_svg(scanned)) if reachable else ""
    return render(
        template,
        view=view,
        words=words,
        join_code=code,
        join_url=url,
        join_open=is_open,
        clock_set=is_set(),
    )


@blueprint.get("/manifest.webmanifest")
@require(Role.TELEVISION)
def manifest() -> Response:
    """Answer with the manifest by which a phone puts the dashboard among its apps."""
    language = chosen_language()
    icons = [
        {"src": url_for("static", filename=f"icons/{name}"), "sizes": size, "type": kind}
        | ({"purpose": "maskable"} if "maskable" in name else {})
        for name, size, kind in (
            ("icon.svg", "any", "image/svg+xml"),
            ("icon-192.png", "192x192", "image/png"),
            ("icon-512.png", "512x512", "image/png"),
            ("maskable-512.png", "512x512", "image/png"),
        )
    ]
    name = page_words("table")["title"].said(language)
    return Response(
        to_json(
            {
                "id": "/",
                "name": name,
                "short_name": page_words("table")["short_title"].said(language),
                "lang": LANGUAGES[language],
                "dir": "ltr",
                "start_url": "/",
                "display": "standalone",
                "background_color": "#0f1714",
                "theme_color": "#0f1714",
                "icons": icons,
            }
        ),
        mimetype="application/manifest+json",
    )


OVERLAY_PARTS = ("all", "now", "scores", "win")


@dataclass(frozen=True, slots=True)
class OverlaySource:
    """One browser source of a picture of 1920 x 1080; places and sizes in its pixels."""

    part: str
    x: int
    y: int
    width: int
    height: int


OVERLAY_SOURCES = (
    OverlaySource("all", 0, 0, 1920, 1080),
    OverlaySource("scores", 0, 960, 1920, 120),
    OverlaySource("now", 0, 0, 760, 320),
    OverlaySource("win", 1040, 0, 880, 960),
)


@blueprint.get("/overlay")
@require(Role.TELEVISION)
@framed
def page() -> str:
    """Scores and reveals on a transparent ground: ``?show=scores``, and ``?delay=20`` seconds."""
    part, delay = request.args.get("show", "all"), asked_delay()
    if part not in OVERLAY_PARTS:
        refuse(
            400,
            "show is one of {names}.",
            "show 只能是 {names}。",
            names=joined(map(same, OVERLAY_PARTS)),
        )
    return render("overlay.html", view="overlay", part=part, delay=delay)


@blueprint.get("/obs")
@require(Role.TELEVISION)
def sources() -> str:
    """Address, size and place of each source, for a delay in seconds."""
    delay, (base, reachable) = asked_delay(), base_url()
    return render(
        "obs.html",
        view="obs",
        words=page_words("overlay"),
        rows=[
            (source, f"{base}/overlay{_asked(source.part, delay)}") for source in OVERLAY_SOURCES
        ],
        delay=delay,
        longest=LONGEST_STREAM_DELAY_S,
        reachable=reachable,
    )


def _asked(part: str, delay: int) -> str:
    said = {"show": part} if part != "all" else {}
    said |= {"delay": str(delay)} if delay else {}
    return f"?{urlencode(said)}" if said else ""
