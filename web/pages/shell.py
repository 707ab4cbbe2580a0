"""The frame of every page: its app, guarded; language, colours, words.

``render("referee.html", words=MINE)`` gives a template the shared context; it extends ``base.html``
and says its words with ``say("key")``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, current_app, render_template, request
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter, Map

from table_assist.languages.catalogue import LANGUAGES
from table_assist.languages.words import Words
from table_assist.tiles.melds import tile_words
from table_assist.tiles.tile import Tile
from web import language
from web.access import guard
from web.access.roles import Role, require, viewer
from web.access.trust import DIRECT, Trust
from web.answers import MOST_INT, MOST_NUMBER, error_answer, to_json
from web.language import LANGUAGE_NAMES, by_language, chosen_language, in_language, page_words

THEMES = ("dark", "light")
FACES_PATH = "/static/faces.json"  # among what a phone keeps for when the table is away
EYES = ("large", "strong", "still")  # letters, contrast, motion


def app_of(served: Iterable[Blueprint], host: str, trust: Trust = DIRECT, **parts: object) -> Flask:
    """An app of these pages, with all templates and static files.

    Args:
        host, trust: as `guard.init_app`.
        parts: what the pages are about, by name.
    """
    app = Flask(__name__.removesuffix(".pages.shell"))
    language.init_app(app)
    app.url_map.converters |= {"int": _Int, "number": _Number}
    app.extensions |= parts
    app.register_error_handler(HTTPException, error_answer)
    guard.init_app(app, host, trust)
    for each in served:
        app.register_blueprint(each)
    return app


class _Int(IntegerConverter):
    """A whole number of an address, no larger than any database holds."""

    most = MOST_INT

    def __init__(self, map: Map, **given: Any) -> None:
        super().__init__(map, **{"max": self.most, **given})


class _Number(_Int):
    """No larger than JSON holds."""

    most = MOST_NUMBER


def chosen_theme() -> str | None:
    """``dark`` or ``light`` by the address or as chosen before; None for the device's own."""
    for said in (request.args.get("theme"), request.cookies.get("theme")):
        if said in THEMES:
            return str(said)
    return None


def drawn_faces() -> dict[str, str]:
    """Tiles' pictures (SVG) by the names of their files."""
    files = sorted((Path(__file__).parents[1] / "static" / "tiles").glob("*.svg"))
    return {path.stem: path.read_text(encoding="utf-8") for path in files}


@require(Role.TELEVISION)
def faces() -> Response:
    """Answer with all tiles' pictures; a page brings them before it shows one."""
    answer = Response(to_json(drawn_faces()), mimetype="application/json")
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def render(template: str, *, words: Mapping[str, Words] | None = None, **context: object) -> str:
    """A page in the reader's language.

    Args:
        template: extends ``base.html``.
        words: the page's own, beside those of every page; keys must not be theirs.
        context: for the template.
    """
    all_words = {**page_words("table"), **(words or {})}
    language = chosen_language()
    who = viewer()
    # How the reader wants to see: some of ``large``, ``strong`` and ``still``
    said = request.cookies.get("eyes", "").split(".")
    return render_template(
        template,
        token=guard.token(),
        words=in_language(all_words, language),
        page_words=in_single_quotes(to_json(by_language(all_words))),
        tile_names=in_single_quotes(
            to_json(by_language({str(tile): tile_words(tile) for tile in Tile}))
        ),
        faces=FACES_PATH,
        language=LANGUAGES[language],
        languages=[(tag, LANGUAGES[tag], name) for tag, name in LANGUAGE_NAMES.items()],
        theme=chosen_theme(),
        eyes=" ".join(each for each in EYES if each in said),
        viewer=who,
        may={role.value: who.may(role) for role in Role},
        is_cared_for="admin" in current_app.blueprints,  # a demo has no settings to care for
        has_club="club" in current_app.blueprints,
        installs="pages" in current_app.blueprints,  # there is no table to install before set-up
        **context,
    )


def in_single_quotes(json: str) -> Markup:
    """JSON for an attribute in single quotes: a third shorter than with every `"` escaped."""
    escaped = json.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;")
    return Markup(escaped)  # what would end the attribute is escaped


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph.

    Attributes:
        kind: as `print.css` has it; empty for plain text.
        lead: stands before it in bold letters.
    """

    text: str
    kind: str = ""
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of figures.

    Attributes:
        left: columns that stand to the left, as words do.
        has_sum: the last row is one.
        is_whole: it is not parted between two pages.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    left: Sequence[int] = ()
    has_sum: bool = False
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Signatures:
    """Lines to sign on, with what stands below each."""

    names: Sequence[str]


Part = Line | Grid | Signatures


def printed(title: str, parts: Sequence[Part], kind: str = "") -> str:
    """The page in the reader's language.

    Args:
        kind: ``wall`` for two columns in the largest letters that two pages hold.
    """
    language = chosen_language()
    return render_template(
        "print.html",
        language=LANGUAGES[language],
        title=title,
        parts=parts,
        kind=kind,
        button=page_words("table")["print"].said(language),
    )
