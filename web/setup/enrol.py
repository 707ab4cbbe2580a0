"""The page on which a person looks at what was read of their own tiles."""

from collections.abc import Sequence
from typing import Protocol

from flask import Blueprint, Flask, Response, current_app, render_template
from werkzeug.exceptions import HTTPException

from table_assist.contract.view import words_view
from table_assist.languages.words import Words
from table_assist.tiles.tile import Tile
from table_assist.tiles.tile_words import tile_words
from table_assist.vision.enrolment.review import LEFT_OUT, NOTHING, ReviewPage
from web.access import guard
from web.answers import bare_app, error_answer, json_answer, json_object, refusal_answer, to_json
from web.language import by_language
from web.refusal import refuse

# The words of the enrolment page, in English and Chinese; {} is filled in by the page.

PAGE = {
    "title": Words("Your own tiles", "认识您的牌"),
    "script": Words("This page needs JavaScript.", "本页需要 JavaScript。"),
    "other": Words("中文", "English"),
    "summary": Words("{tiles} tiles in {pictures}", "{pictures}，共 {tiles} 张牌"),
    "one_picture": Words("1 picture", "1 张照片"),
    "pictures": Words("{} pictures", "{} 张照片"),
    "all_clear": Words(
        "Nothing is in doubt. Look over the tiles, then press Learn.",
        "看来都没有疑问。请浏览一遍，然后按“学习”。",
    ),
    "first": Words("Look at these first", "先看这些"),
    "first_help": Words(
        "Is the name beside each one right? Confirm it, or tap the tile to correct it. "
        "What nobody confirms is left out.",
        "右边写的对吗？对就确认，不对就点牌更正。未确认的不会用来学习。",
    ),
    "right": Words("Right", "对"),
    "all_right": Words("All of these are right", "这些都对"),
    "tiles": Words("Every tile, by its face", "全部牌，按牌面排列"),
    "tiles_help": Words(
        "Is one in the wrong place? Tap it, and say what it is.",
        "有混进来的？点它，选出正确的牌面。",
    ),
    "too_many": Words("{count} in one picture", "一张照片里有 {count} 张"),
    "missing": Words("Not in the pictures", "照片里没有"),
    "missing_help": Words(
        "The program reads these as before. Take another picture with them to teach them too.",
        "这些仍按原样识别；再拍一张有它们的照片就能学会。",
    ),
    "photos": Words("Your pictures", "您的照片"),
    "photos_help": Words(
        "Tiles with an outline were found. Tiles without one were missed and are not learnt.",
        "有框的是找到的牌；没有框的被漏掉了，这次不会学。",
    ),
    "done": Words("Learn", "学习"),
    "doubtful": Words("{} to look at", "还有 {} 处待看"),
    "none_doubtful": Words("All clear", "没有疑问"),
    "what": Words("What is this?", "这是什么牌？"),
    "likely": Words("Likely", "可能是"),
    "nothing": Words("not a tile", "不是牌"),
    "left_out": Words("leave it out", "不要这张"),
    "close": Words("Close", "关闭"),
    "learning": Words("Learning your tiles", "正在学习您的牌"),
    "learning_help": Words(
        "The program looks at each tile in many ways, then tests what it learnt on the others.",
        "每张牌都换着样子看，再用其余的牌来检验。",
    ),
    "learnt": Words("{} is known now", "已经认识“{}”"),
    "learnt_help": Words(
        "You can close this page. Use the set with --set {}.",
        "可以关闭本页。使用时加上 --set {}。",
    ),
    "failed": Words("It could not be learnt", "没有学成"),
    "gone": Words(
        "The program does not answer: it was ended, or this page is old.",
        "程序没有回应：可能已经结束，或本页已过时。",
    ),
    "confirmed": Words("confirmed", "已确认"),
    "read_as": Words("read as {}", "认作{}"),
}


blueprint = Blueprint("enrol", __name__)
FACES = tuple(tile for tile in Tile if tile.is_face)
KEPT = {"Cache-Control": "private, max-age=3600"}
MOST_CONFIRMED = 2000


class ReviewSource(Protocol):
    """The review as its page sees it; every member may be used from any thread."""

    crops: tuple[bytes, ...]
    shown: tuple[bytes, ...]

    @property
    def view(self) -> ReviewPage:
        """The page's view now."""
        ...

    def correct(self, indices: Sequence[int], label: str) -> Words | None:
        """Name things; one sentence why not, or None."""
        ...

    def confirm(self, indices: Sequence[int]) -> Words | None:
        """Say that things are right as they are; one sentence why not, or None."""
        ...

    def finish(self) -> Words | None:
        """Learn; one sentence why not, or None."""
        ...

    def seen(self) -> None:
        """The page shows how it ended."""
        ...


def create_enrol_app(review: ReviewSource, host: str = "127.0.0.1") -> Flask:
    """The page of one enrolment; guarded as the dashboard is.

    Raises:
        NetworkRefusedError: the network could reach the host.
    """
    guard.only_here(host)
    app = bare_app()
    guard.init_app(app, host)
    # A whole set said to be right at once takes more than one command at the table.
    app.config["MAX_CONTENT_LENGTH"] = 6 * MOST_CONFIRMED + guard.BODY_LIMIT
    app.extensions["review"] = review
    app.register_blueprint(blueprint)
    app.register_error_handler(HTTPException, error_answer)
    return app


@blueprint.get("/")
def page() -> str:
    """The page; what is on it comes from `state`."""
    names = {str(tile): tile_words(tile) for tile in (*FACES, Tile.BACK)}
    names |= {NOTHING: PAGE["nothing"], LEFT_OUT: PAGE["left_out"]}
    return render_template(
        "enrol.html",
        token=current_app.config["TABLE_TOKEN"],
        words=PAGE,
        page_words=to_json(by_language(PAGE)),
        tile_names=to_json(by_language(names)),
        faces=" ".join(str(tile) for tile in FACES),
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
def label() -> Response:
    """Name things: ``{"items": [their numbers], "label": "5m"}``."""
    guard.check_post()
    body = json_object()
    text = body.get("label")
    if not isinstance(text, str):
        refuse(400, "'label' must be a text.", "'label' 应为文本。")
    return _answer(_review().correct(_items(body), text))


@blueprint.post("/api/enrol/right")
def right() -> Response:
    """Say that things are right as they are: ``{"items": [their numbers]}``."""
    guard.check_post()
    return _answer(_review().confirm(_items(json_object())))


@blueprint.post("/api/enrol/done")
def done() -> Response:
    """Learn what is on the page: ``{}``."""
    guard.check_post()
    json_object()
    return _answer(_review().finish())


@blueprint.post("/api/enrol/seen")
def seen() -> Response:
    """The page shows how it ended, and needs nothing more: ``{}``."""
    guard.check_post()
    json_object()
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
    return Response(pictures[index], 200, KEPT, "image/jpeg")


def _items(body: dict[str, object]) -> list[int]:
    indices = body.get("items")
    if not isinstance(indices, list) or any(type(index) is not int for index in indices):
        refuse(400, "'items' must be a list of numbers.", "'items' 应为数字列表。")
    return indices


def _review() -> ReviewSource:
    review: ReviewSource = current_app.extensions["review"]
    return review
