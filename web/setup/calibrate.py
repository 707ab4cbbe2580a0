"""The page on which a person looks at the table's corners, and drags them where they belong."""

from functools import partial

from flask import Blueprint, Flask, Response, current_app, render_template

from table_assist.live.corners import CalibrationService
from table_assist.settings.config import Corners
from web.access import guard
from web.answers import file_answer, json_answer, of_app, refusal_answer, to_json
from web.api.bodies import Field, takes
from web.api.camera_api import CORNERS, present
from web.language import by_language, chosen_language, page_words
from web.pages.shell import app_of
from web.refusal import refuse, whole_sentence

blueprint = Blueprint("calibrate", __name__)
_desk = partial(of_app, CalibrationService, "desk")
LARGEST_MM = 10_000


def create_calibrate_app(desk: CalibrationService, host: str = "127.0.0.1") -> Flask:
    """The page of one calibration; guarded as the dashboard is.

    Raises:
        NetworkRefusedError: the network could reach the host.
    """
    guard.only_here(host)
    return app_of([blueprint], host, desk=desk)


@blueprint.get("/")
def page() -> str:
    """The page; what is on it comes from `state`."""
    return render_template(
        "calibrate.html",
        token=current_app.config["TABLE_TOKEN"],
        words=page_words("calibrate"),
        page_words=to_json(by_language(page_words("calibrate"))),
        language=chosen_language(),
    )


@blueprint.get("/picture.jpg")
def picture() -> Response:
    """The picture that is calibrated on."""
    return file_answer(_desk().picture, "image/jpeg")


@blueprint.get("/api/calibrate")
def state() -> Response:
    """Everything on the page."""
    return json_answer(present(_desk().view))


@blueprint.post("/api/calibrate/corners")
@takes(CORNERS)
def corners(corners: Corners) -> Response:
    """Place the corners: ``{"corners": [[x, y], ...]}`` in pixels, seat 0's left one first."""
    _desk().place(corners)
    return json_answer(present(_desk().view))


@blueprint.post("/api/calibrate/well")
@takes(Field("mm", {"type": "number", "minimum": 0, "maximum": LARGEST_MM}, float))
def well(mm: float) -> Response:
    """Mark the window over the dice by its radius in mm: ``{"mm": 50}``; 0: there is none."""
    if mm > _desk().view.most_well_mm:
        refuse(
            400,
            "The window over the dice must fit the table's middle.",
            "骰子窗口须在牌桌中央之内。",
        )
    _desk().mark_well(mm)
    return json_answer(present(_desk().view))


@blueprint.post("/api/calibrate/<any(find, turn):what>")
@takes()
def change(what: str) -> Response:
    """Look for the table, or make the next side seat 0's: ``{}``."""
    getattr(_desk(), what)()
    return json_answer(present(_desk().view))


@blueprint.post("/api/calibrate/save")
@takes()
def save() -> Response:
    """Keep the corners: ``{}``."""
    refused = _desk().save()
    if refused is not None:
        return refusal_answer(whole_sentence(refused))
    return json_answer(present(_desk().view))


@blueprint.post("/api/calibrate/seen")
@takes()
def seen() -> Response:
    """The page shows that all is done: ``{}``."""
    _desk().seen()
    return json_answer({"ok": True})
