"""The page on which a person looks at the table's corners, and drags them where they belong."""

from dataclasses import dataclass
from typing import Protocol

from flask import Blueprint, Flask, Response, current_app, render_template
from werkzeug.exceptions import HTTPException

from table_assist.languages.words import NOTHING, Words, words_view
from table_assist.phones.corners import CornersFrom
from table_assist.settings.config import Corners
from table_assist.vision.table.zone_views import ZoneView
from web.access import guard
from web.answers import bare_app, error_answer, json_answer, refusal_answer, to_json
from web.api.bodies import Field, takes
from web.api.camera_api import CORNERS
from web.language import by_language, chosen_language, page_words
from web.refusal import refuse, whole_sentence

blueprint = Blueprint("calibrate", __name__)
LARGEST_MM = 10_000


@dataclass(frozen=True, slots=True)
class CalibrateView:
    """Everything on the page.

    Attributes:
        size_wh: of the picture.
        refused: why these corners cannot be kept; None when they can.
        says: what speaks against taking them unseen.
        well_mm: the radius of the window over the dice, at most `most_well_mm`; 0: there is none.
    """

    size_wh: tuple[int, int]
    corners: Corners
    origin: CornersFrom
    zones: tuple[ZoneView, ...]
    refused: Words | None
    is_kept: bool
    says: Words = NOTHING
    well_mm: float = 0.0
    most_well_mm: float = 0.0


class CalibrateSource(Protocol):
    """The calibration as its page sees it; every member may be used from any thread."""

    picture: bytes

    @property
    def view(self) -> CalibrateView:
        """The page's view now."""
        ...

    def find(self) -> None:
        """Look for the table again."""
        ...

    def place(self, corners: Corners) -> None:
        """The person's corners."""
        ...

    def mark_well(self, radius_mm: float) -> None:
        """The window over the dice; 0: there is none."""
        ...

    def turn(self) -> None:
        """The next side is seat 0's."""
        ...

    def save(self) -> Words | None:
        """Keep the corners; one sentence why not, or None."""
        ...

    def seen(self) -> None:
        """The page shows that all is done."""
        ...


def create_calibrate_app(desk: CalibrateSource, host: str = "127.0.0.1") -> Flask:
    """The page of one calibration; guarded as the dashboard is.

    Raises:
        NetworkRefusedError: the network could reach the host.
    """
    guard.only_here(host)
    app = bare_app()
    guard.init_app(app, host)
    app.extensions["desk"] = desk
    app.register_blueprint(blueprint)
    app.register_error_handler(HTTPException, error_answer)
    return app


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
    return Response(_desk().picture, 200, {"Cache-Control": "no-store"}, "image/jpeg")


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


def present(view: CalibrateView) -> dict[str, object]:
    """The page's content as JSON-shaped values."""
    return {
        "size": list(view.size_wh),
        "corners": [[round(x, 1), round(y, 1)] for x, y in view.corners],
        "origin": view.origin.value,
        "says": words_view(view.says and whole_sentence(view.says)),
        "refused": _words(view.refused),
        "kept": view.is_kept,
        "well": {"mm": view.well_mm, "most": view.most_well_mm},
        "zones": [
            {
                "kind": zone.zone.kind.value,
                "seat": zone.zone.seat,
                "polygon": [[round(x, 1), round(y, 1)] for x, y in zone.polygon_px],
                "px": round(zone.px_per_tile, 1),
                "refused": _words(zone.refused),
                "doubt": _words(zone.doubt),
            }
            for zone in view.zones
        ],
    }


def _words(words: Words | None) -> dict[str, str] | None:
    return None if words is None else words_view(whole_sentence(words))


def _desk() -> CalibrateSource:
    desk: CalibrateSource = current_app.extensions["desk"]
    return desk
