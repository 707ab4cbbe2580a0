"""Photographs in, and what was read in them out; what a told hand would come to."""

from collections.abc import Callable

from flask import Blueprint, Response, request

from table_assist.game.events import HandTold
from table_assist.languages.words import View, Words, called, words_of
from table_assist.record.snapshot import Snapshot
from table_assist.rules.shown import Antes
from table_assist.tiles.tile import Tile
from table_assist.vision.photos.photo_hand import PHOTOGRAPH, PhotoService
from table_assist.vision.pictures.picture import PictureError, jpeg
from web.access import guard
from web.access.roles import Role, require, viewer
from web.answers import file_answer, json_answer, the_table
from web.api.bodies import antes, face, optional, or_none, seat, takes, texts, told_hand
from web.refusal import RefusedRequest, refuse
from web.view.secrecy import NO_ADVICE, masked
from web.view.told_view import (
    bigger_view,
    dealer_view,
    heap_words,
    photo_hand_view,
    photo_view,
    state_before,
    told_view,
    waits_view,
)

blueprint = Blueprint("photo_api", __name__, url_prefix="/api")
MOST_PHOTO_BYTES = 12_000_000  # phones shrink their pictures to a tenth of it before they send them
PHOTO_TYPES = ("application/octet-stream", "image/jpeg", "image/png", "image/webp", "image/heic")
MOST_PHOTOS = 8


@blueprint.post("/photo")
@require(Role.SEAT)
@guard.up_to(MOST_PHOTO_BYTES)
def read() -> Response:
    """Read a photograph of a hand; the same photograph again is the same one."""
    return _read(keep=True)


@blueprint.post("/photo/private")
@require(Role.SEAT)
@guard.up_to(MOST_PHOTO_BYTES)
def read_privately() -> Response:
    """Read a photograph for who sends it alone: nothing of it is kept."""
    return _read(keep=False)


def _read(*, keep: bool) -> Response:
    guard.check_post(PHOTO_TYPES)
    try:
        with guard.picture_place():
            photo = _desk().read(request.get_data(), keep=keep)
    except PictureError as error:
        refuse(
            422,
            "This picture cannot be read: {error}.",
            "这张照片无法辨认：{error}。",
            error=called(words_of(error), PHOTOGRAPH, Words("the photograph", "照片")),
        )
    if photo.hand.is_heap:
        raise RefusedRequest(422, heap_words(photo.hand))
    return json_answer(photo_view(photo, the_table().snapshot.rules))


@blueprint.get("/photo/<id>.jpg")
@require(Role.SEAT)
def picture(id: str) -> Response:
    """A photograph that was sent a short while ago."""
    photo = _desk().photo(id)
    if photo is None:
        refuse(404, "This photograph is not kept any more.", "这张照片已不再保留。")
    return file_answer(jpeg(photo.image), "image/jpeg")


@blueprint.post("/photos")
@require(Role.SEAT)
@takes(texts("photos", MOST_PHOTOS))
def hand(photos: tuple[str, ...]) -> Response:
    """Answer with the hand in several photographs, who deals it, and the faces of its set."""
    snapshot = _snapshot()
    return json_answer(
        {
            "hand": photo_hand_view(_desk().hand(photos)),
            "dealer": dealer_view(snapshot),
            "faces": [str(tile) for tile in (*snapshot.rules.kinds, *snapshot.rules.bonus_tiles)],
        }
    )


@blueprint.post("/told")
@require(Role.SEAT)
@takes(
    told_hand("hand"),
    seat("dealer"),
    optional(or_none(face("indicator"))),
    optional(or_none(antes("antes"))),
)
def told(hand: HandTold, dealer: int, indicator: Tile | None, antes: Antes | None) -> Response:
    """Answer with the open questions about a hand, and its result; nothing is recorded."""
    if the_table().snapshot.is_concealed(hand.seat):
        raise RefusedRequest(409, NO_ADVICE)
    snapshot = _snapshot()
    return _reckoned(
        lambda: told_view(snapshot, hand, state_before(snapshot, dealer, indicator, antes))
    )


@blueprint.post("/waits")
@require(Role.SEAT)
@takes(told_hand("hand"), seat("dealer"), optional(or_none(face("indicator"))))
def waits(hand: HandTold, dealer: int, indicator: Tile | None) -> Response:
    """Answer with the waits of the own hand of thirteen tiles; nothing is recorded."""
    _check_own(hand)
    snapshot = _between_hands()
    return _reckoned(lambda: waits_view(hand, state_before(snapshot, dealer, indicator)))


@blueprint.post("/bigger")
@require(Role.SEAT)
@takes(told_hand("hand"), seat("dealer"), optional(or_none(face("indicator"))))
def bigger(hand: HandTold, dealer: int, indicator: Tile | None) -> Response:
    """The nearest hand that is bigger than the own one; nothing is recorded."""
    _check_own(hand)
    snapshot = _between_hands()
    return _reckoned(
        lambda: {"bigger": bigger_view(hand, state_before(snapshot, dealer, indicator))}
    )


def _check_own(hand: HandTold) -> None:
    who = viewer()
    if who.seat not in (None, hand.seat):
        refuse(
            403,
            "This phone is seat {seat}'s: it reckons for that seat alone.",
            "这部手机属于座位 {seat}，只为该座位计算。",
            seat=who.seat,
        )


def _reckoned(make: Callable[[], View]) -> Response:
    try:
        return json_answer(make())
    except ValueError as error:
        refuse(409, "This cannot be reckoned: {why}.", "无法计算：{why}。", why=words_of(error))


def _desk() -> PhotoService:
    desk = the_table().photos
    if desk is None:
        refuse(404, "This table takes no photographs.", "本桌不收照片。")
    return desk


def _between_hands() -> Snapshot:
    """The same; refused while a hand is played that the table follows."""
    if the_table().snapshot.is_in_play:
        raise RefusedRequest(409, NO_ADVICE)
    return _snapshot()


def _snapshot() -> Snapshot:
    """As this viewer may know it: what a hand comes to must not tell the treasure."""
    return masked(the_table().snapshot, viewer())


for _endpoint in (read, read_privately):
    _endpoint.__dict__["media"] = PHOTO_TYPES
