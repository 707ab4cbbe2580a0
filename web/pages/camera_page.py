"""The page of a phone that watches the table; it needs no table to be followed."""

from flask import Blueprint, current_app

from web.access.guard import trust_url, uses
from web.access.roles import Role, require, viewer
from web.language import page_words
from web.pages.shell import render

blueprint = Blueprint("camera_page", __name__)


@blueprint.get("/camera")
@require(Role.TELEVISION)
@uses("camera")
def page() -> str:
    """The page of such a phone; others are told how to become one."""
    return render(
        "camera.html",
        view="camera",
        words=page_words("camera"),
        is_camera=viewer().role is Role.CAMERA,
        is_wanted=current_app.extensions["cameras"] is not None,
        trust=trust_url(),
    )


@blueprint.get("/pair/<code>")
@require(Role.TELEVISION)
def pair(code: str) -> str:
    """The page of a phone that scanned a code: it asks to be let in."""
    return render("pair.html", view="pair", words=page_words("arriving"), code=code)
