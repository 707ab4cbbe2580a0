"""The one page."""

from flask import Blueprint, Flask, current_app, render_template

from table_assist.rules.words import Words
from table_assist.tiles import Tile
from web.stream import to_json
from web.words import PAGE, tile_words

blueprint = Blueprint("pages", __name__)


def init_app(app: Flask) -> None:
    """Give the app its page."""
    app.register_blueprint(blueprint)


@blueprint.get("/")
def page() -> str:
    """The table, its scores and its events."""
    return render_template(
        "table.html",
        token=current_app.config["TABLE_TOKEN"],
        words=PAGE,
        page_words=to_json(_by_language(PAGE)),
        tile_names=to_json(_by_language({str(tile): tile_words(tile) for tile in Tile})),
    )


def _by_language(words: dict[str, Words]) -> dict[str, dict[str, str]]:
    return {
        "en": {key: each.en for key, each in words.items()},
        "zh": {key: each.zh for key, each in words.items()},
    }
