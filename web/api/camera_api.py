"""A phone that watches the table: its pictures in, and what its page needs to know out.

Only a device that was let in as a camera may use any of it. Nobody gets a picture here.
"""

import json
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Flask, Response, current_app, request

from table_assist.languages.words import Words, phrase, words_of, words_view
from table_assist.live.camera_service import CameraService
from table_assist.live.corners import CalibrateView
from table_assist.live.phones import LateError, Phone, PhoneError, PhoneTold
from table_assist.vision.pictures.picture import PictureError
from web.access import guard
from web.access.roles import Role, require, viewer
from web.answers import json_answer, refusal_answer
from web.api.bodies import Field, takes
from web.api.json_schema import list_of
from web.refusal import RefusedRequest, refuse, whole_sentence

blueprint = Blueprint("camera", __name__, url_prefix="/api/camera")
MOST_FRAME_BYTES = 3_000_000  # a 4K picture of a table has 2 MB at the page's quality
TOLD_HEADER = "X-Phone"
MOST_TOLD = 400  # characters
FRAME_TYPES = ("image/jpeg",)
PRESSURES = ("", "nominal", "fair", "serious", "critical")
FURTHEST_PX = 100_000.0  # a corner farther out is a mistake, not a table
MOST_COUNT = 1 << 40


def init_app(app: Flask, desk: CameraService | None) -> None:
    """Let phones watch this app's table; None: its settings name another camera."""
    app.extensions["cameras"] = desk
    app.register_error_handler(PhoneError, lambda error: refusal_answer(error.words))
    app.register_blueprint(blueprint)


@blueprint.get("")
@require(Role.CAMERA)
def state() -> Response:
    """Answer with all that the page must know before it sends pictures."""
    desk, who = _desk(), viewer()
    try:
        phone = desk.phones.find(who.device, who.name)
    except PhoneError as error:
        return refusal_answer(error.words, 404)
    return json_answer(_state(desk, phone))


@blueprint.post("/frame")
@require(Role.CAMERA)
@guard.up_to(MOST_FRAME_BYTES)
def frame() -> Response:
    """Take a picture; the answer says how soon the next is wanted."""
    guard.check_post(FRAME_TYPES, "TABLE_FRAMES")
    desk, who = _desk(), viewer()
    told, taken_ms, run = _told(request.headers.get(TOLD_HEADER, ""))
    try:
        phone = desk.phones.hand_in(who.device, who.name, request.get_data(), told, taken_ms, run)
    except LateError as error:
        return refusal_answer(error.words, 409, late=True, **_clock(desk))
    except PictureError as error:
        why = words_of(error)
        refuse(422, "This picture cannot be read: {why}.", "画面无法辨认：{why}。", why=why)
    return json_answer(_state(desk, phone))


@blueprint.post("/aim")
@require(Role.CAMERA)
@takes()
def aim() -> Response:
    """Look for the table in the newest picture."""
    return _aimed(lambda desk, device: desk.aim(device))


_COORDINATE = {"type": "number", "minimum": -FURTHEST_PX, "maximum": FURTHEST_PX}
CORNERS = Field(
    "corners",
    list_of(list_of(_COORDINATE, 2, 2), 4, 4),
    lambda value: tuple((float(x), float(y)) for x, y in value),
)


@blueprint.post("/corners")
@require(Role.CAMERA)
@takes(CORNERS)
def corners(corners: tuple[tuple[float, float], ...]) -> Response:
    """Show where the table's corners are in the picture that was aimed with."""
    return _aimed(lambda desk, device: desk.place(device, corners))


@blueprint.post("/turn")
@require(Role.CAMERA)
@takes()
def turn() -> Response:
    """The next side is the first seat's."""
    return _aimed(lambda desk, device: desk.turn(device))


@blueprint.post("/keep")
@require(Role.CAMERA)
@takes()
def keep() -> Response:
    """Keep the corners: the table is read by them from now on."""
    desk, who = _desk(), viewer()
    desk.keep(who.device)
    return json_answer(_state(desk, desk.phones.find(who.device, who.name)))


@blueprint.post("/tiles/aim")
@require(Role.CAMERA)
@takes()
def aim_at_tiles() -> Response:
    """See whether the tiles in the newest picture can be made known by it."""
    return _aimed(lambda desk, device: desk.aim_at_tiles(device))


@blueprint.post("/tiles/take")
@require(Role.CAMERA)
@takes()
def take_tiles() -> Response:
    """Keep the newest picture for the enrolment of a tile set."""
    try:
        return json_answer({"pictures": _desk().take_tiles(viewer().device)})
    except ValueError as error:
        return refusal_answer(words_of(error))


def _aimed(look: Callable[[CameraService, str], CalibrateView]) -> Response:
    view = look(_desk(), viewer().device)
    says = _words(view.refused or view.says or None)
    return json_answer({**present(view), "good": view.refused is None, "says": says})


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


def _state(desk: CameraService, phone: Phone) -> dict[str, object]:
    return {
        **_clock(desk),
        "every_ms": round(desk.phones.wanted_s * 1000),
        "name": phone.name,
        "came": phone.came,
        "refused": phone.refused,
        "placed": desk.is_placed(phone.device),
        "tiles": desk.takes_tiles,
    }


def _clock(desk: CameraService) -> dict[str, object]:
    return {"run": desk.phones.run, "now_ms": desk.phones.clock_ms}


def _told(text: str) -> tuple[PhoneTold, int, str]:
    """The phone's own words on itself and on the picture."""
    try:
        row: Any = json.loads(text) if len(text) <= MOST_TOLD else None
        charging, pressure, run = row.get("charging"), row.get("pressure", ""), row["run"]
        if (
            charging not in (True, False, None)
            or pressure not in PRESSURES
            or not (isinstance(run, str) and len(run) <= 16)
        ):
            raise ValueError(row)
        told = PhoneTold(
            battery=None if row.get("battery") is None else _whole(row["battery"], 100),
            charging=charging,
            pressure=pressure,
            slowed=_number(row.get("slowed"), 10_000),
            lost=_whole(row.get("lost"), MOST_COUNT),
            turned=_whole(row.get("turned"), 359),
        )
        return told, _whole(row["taken_ms"], MOST_COUNT), run
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise RefusedRequest(400, _ODD_HEADER) from error


def _number(value: object, most: int) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise ValueError(value)
    return value


def _whole(value: object, most: int) -> int:
    number = _number(value, most)
    return 0 if number is None else round(number)


def _desk() -> CameraService:
    desk: CameraService | None = current_app.extensions["cameras"]
    if desk is None:
        refuse(
            404,
            'This table is watched by another camera: set source = "phone" under [camera].',
            '本桌使用其他摄像头：请在 [camera] 下写 source = "phone"。',
        )
    return desk


_ODD_HEADER = phrase("camera_api.must_be_the_pages", told_header=TOLD_HEADER, most_told=MOST_TOLD)
frame.__dict__["media"] = FRAME_TYPES
