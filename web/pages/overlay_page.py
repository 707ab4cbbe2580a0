"""The overlay of streaming software, and the page with its sources ready-made."""

from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Blueprint, request

from table_assist.languages.words import joined, same
from web.access.guard import base_url, framed
from web.access.roles import Role, require
from web.api.stream import LONGEST_S, asked_delay
from web.language import page_words
from web.pages.shell import render
from web.refusal import refuse

blueprint = Blueprint("overlay", __name__)

PARTS = ("all", "now", "scores", "win")


@dataclass(frozen=True, slots=True)
class OverlaySource:
    """One browser source of a picture of 1920 x 1080; places and sizes in its pixels."""

    part: str
    x: int
    y: int
    width: int
    height: int


SOURCES = (
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
    if part not in PARTS:
        refuse(
            400, "show is one of {names}.", "show 只能是 {names}。", names=joined(map(same, PARTS))
        )
    return render("overlay.html", view="overlay", part=part, delay=delay)


@blueprint.get("/obs")
@require(Role.TELEVISION)
def sources() -> str:
    """Address, size and place of each source, for a delay in seconds."""
    delay, (base, reachable) = asked_delay(), base_url()
    rows = [(source, f"{base}/overlay{_asked(source.part, delay)}") for source in SOURCES]
    return render(
        "obs.html",
        view="obs",
        words=page_words("overlay"),
        rows=rows,
        delay=delay,
        longest=LONGEST_S,
        reachable=reachable,
    )


def _asked(part: str, delay: int) -> str:
    said = {"show": part} if part != "all" else {}
    said |= {"delay": str(delay)} if delay else {}
    return f"?{urlencode(said)}" if said else ""
