"""The page on which a person looks at what was read of their own tiles."""

from functools import partial

from flask import Blueprint, Flask, Response, current_app, render_template

from table_assist.languages.words import Words, words_view
from table_assist.tiles.melds import tile_words
from table_assist.tiles.tile import Tile
from table_assist.vision.enrolment.review import LEFT_OUT, NO_TILE, Review, ReviewPage
from web.access import guard
from web.answers import json_answer, of_app, refusal_answer, to_json
from web.api.bodies import Field, takes, text
from web.api.json_schema import list_of, whole_number
from web.language import by_language, page_words
from web.pages.shell import app_of
from web.refusal import refuse

blueprint = Blueprint("enrol", __name__)
_review = partial(of_app, Review, "review")
ENROLLED_FACES = tuple(tile for tile in Tile if tile.is_face)
KEPT_AN_HOUR = {"Cache-Control": "private, max-age=3600"}
MOST_CONFIRMED = 2000
LAST_PICTURE = 99_999
ITEMS = Field("items", list_of(whole_number(0, LAST_PICTURE), 0, LAST_PICTURE))


def create_enrol_app(review: Review, host: str = "127.0.0.1") -> Flask:
    """The page of one enrolment; guarded as the dashboard is.

    Raises:
        NetworkRefusedError: the network could reach the host.
    """
    guard.only_here(host)
    app = app_of([blueprint], host, review=review)
    # A whole set said to be right at once takes more than one command at the table.
    app.config["MAX_CONTENT_LENGTH"] = 6 * MOST_CONFIRMED + guard.COMMAND_LIMIT
    return app


@blueprint.get("/")
def page() -> str:
    """The page; what is on it comes from `state`."""
    names = {str(tile): tile_words(tile) for tile in (*ENROLLED_FACES, Tile.BACK)}
    names |= {NO_TILE: page_words("enrol")["nothing"], LEFT_OUT: page_words("enrol")["left_out"]}
    return render_template(
        "enrol.html",
        token=current_app.config["TABLE_TOKEN"],
        words=page_words("enrol"),
        page_words=to_json(by_language(page_words("enrol"))),
        tile_names=to_json(by_language(names)),
        faces=" ".join(str(tile) for tile in ENROLLED_FACES),
    )


@blueprint.get("/api/enrol")
def state() -> Response:
    """Everything on the page."""
    return json_answer(present(_review().view))


@blueprint.get("/crop/<int:index>.jpg")
def crop(index: int) -> Response:
    """One thing alone."""
    return _picture(_review().crops, index)


@blueprint.get("/picture/<int:index>.jpg")
def picture(index: int) -> Response:
    """A whole picture with what was found in it."""
    return _picture(_review().shown, index)


@blueprint.post("/api/enrol/label")
@takes(ITEMS, text("label"))
def label(items: list[int], label: str) -> Response:
    """Name things: ``{"items": [their numbers], "label": "5m"}``."""
    return _answer(_review().correct(items, label))


@blueprint.post("/api/enrol/right")
@takes(ITEMS)
def right(items: list[int]) -> Response:
    """Say that things are right as they are: ``{"items": [their numbers]}``."""
    return _answer(_review().confirm(items))


@blueprint.post("/api/enrol/done")
@takes()
def done() -> Response:
    """Learn what is on the page: ``{}``."""
    return _answer(_review().finish())


@blueprint.post("/api/enrol/seen")
@takes()
def seen() -> Response:
    """The page shows how it ended, and needs nothing more: ``{}``."""
    _review().seen()
    return json_answer({"ok": True})


def present(view: ReviewPage) -> dict[str, object]:
    """The page's content as JSON-shaped values."""
    return {
        "name": view.name,
        "stage": view.stage.value,
        "pictures": list(view.pictures),
        "progress": round(view.progress, 3),
        "lines": [words_view(line) for line in view.lines],
        "items": [
            {
                "picture": item.picture,
                "label": item.label,
                "sure": item.sure,
                "confirmed": item.confirmed,
                "candidates": list(item.candidates),
                "kind": item.kind,
            }
            for item in view.items
        ],
    }


def _answer(refused: Words | None) -> Response:
    if refused is not None:
        return refusal_answer(refused)
    return json_answer(present(_review().view))


def _picture(pictures: tuple[bytes, ...], index: int) -> Response:
    if index >= len(pictures):
        refuse(404, "There is no picture {index}.", "没有第 {index} 张画面。", index=index)
    return Response(pictures[index], 200, KEPT_AN_HOUR, "image/jpeg")
