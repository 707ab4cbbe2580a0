"""Photographs in, and what was read in them out; what a told hand would come to."""

from flask import Blueprint, Flask, Response, current_app, request

from table_assist.contract.table_source import TableSource
from table_assist.game.events import HandTold
from table_assist.photos.desk import PhotoDesk
from table_assist.tiles import Tile
from table_assist.vision.pictures.picture import PictureError, jpeg
from web.access import guard
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.api.bodies import face, optional, or_none, seat, takes, texts
from web.api.event_bodies import told_hand
from web.refusal import refuse
from web.view.told_view import dealer_view, photo_hand_view, photo_view, told_view

blueprint = Blueprint("photo_api", __name__, url_prefix="/api")
MOST_BYTES = 12_000_000  # phones shrink their pictures to a tenth of it before they send them
PHOTO_TYPES = ("image/jpeg", "image/png", "image/webp")
MOST_PHOTOS = 8


def init_app(app: Flask) -> None:
    """Give the app its photographs."""
    app.register_blueprint(blueprint)


@blueprint.post("/photo")
@require(Role.SEAT)
@guard.up_to(MOST_BYTES)
def read() -> Response:
    """Read a photograph of a hand; the same photograph again is the same one."""
    guard.check_post(PHOTO_TYPES)
    try:
        photo = _desk().read(request.get_data())
    except PictureError as error:
        refuse(422, f"This picture cannot be read: {error}.", f"照片无法辨认：{error}。")
    return json_answer(photo_view(photo))


@blueprint.get("/photo/<id>.jpg")
@require(Role.SEAT)
def picture(id: str) -> Response:
    """A photograph that was sent a short while ago."""
    photo = _desk().photo(id)
    if photo is None:
        refuse(404, "This photograph is not kept any more.", "这张照片已不再保留。")
    return Response(jpeg(photo.image), 200, {"Cache-Control": "no-store"}, "image/jpeg")


@blueprint.post("/photos")
@require(Role.SEAT)
@takes(texts("photos", MOST_PHOTOS))
def hand(photos: tuple[str, ...]) -> Response:
    """What several photographs show together, and who deals the hand that they belong to."""
    return json_answer(
        {"hand": photo_hand_view(_desk().hand(photos)), "dealer": dealer_view(_source().snapshot)}
    )


@blueprint.post("/told")
@require(Role.SEAT)
@takes(told_hand("hand"), seat("dealer"), optional(or_none(face("indicator"))))
def told(hand: HandTold, dealer: int, indicator: Tile | None) -> Response:
    """What must still be asked about a hand, and what it comes to; nothing is recorded."""
    who = viewer()
    if who.seat is not None and who.seat != hand.seat:
        refuse(
            403,
            f"This phone is seat {who.seat}'s and cannot speak for seat {hand.seat}.",
            f"这部手机属于座位 {who.seat}，不能代替座位 {hand.seat}。",
        )
    try:
        return json_answer(told_view(_source().snapshot, hand, dealer, indicator))
    except ValueError as error:
        refuse(409, f"This cannot be reckoned: {error}.", f"无法计算：{error}。")


def _desk() -> PhotoDesk:
    desk = _source().photos
    if desk is None:
        refuse(404, "This table takes no photographs.", "本桌不收照片。")
    return desk


def _source() -> TableSource:
    source: TableSource = current_app.extensions["table"]
    return source


read.__dict__["media"] = PHOTO_TYPES
