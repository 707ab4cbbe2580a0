"""The pages on which a table is set up and broken settings are repaired; for the admin only."""

from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import Any, ParamSpec

from flask import Blueprint, Response, render_template, request

from table_assist.languages.catalogue import LANGUAGES
from table_assist.languages.words import UserError, View, Words, words_of
from table_assist.settings.trouble import REPAIRABLE, trouble_of
from table_assist.upkeep.setup.assistant import Assistant
from table_assist.upkeep.table_service import RefusedError
from web.access import guard
from web.access.roles import Role, is_local, require
from web.answers import file_answer, json_answer, of_app, refusal_answer, to_json
from web.api.bodies import Field, flag, mapping, optional, takes, text
from web.api.json_schema import OBJECT
from web.api.photo_api import MOST_PHOTO_BYTES, PHOTO_TYPES
from web.language import LANGUAGE_NAMES, by_language, chosen_language, in_language, page_words
from web.pages.shell import chosen_theme
from web.refusal import refuse, whole_sentence

blueprint = Blueprint("setup", __name__)
_assistant = partial(of_app, Assistant, "setup")
SETUP_LIMIT = 60_000  # bytes; the server takes 65,536
Parameters = ParamSpec("Parameters")
_ELSEWHERE = Words(
    "The table is set up at the machine itself: open this page there.",
    "请在运行程序的机器上打开本页进行设置。",
)


def render(template: str, words: Mapping[str, Words], view: str, **context: object) -> str:
    """A page that needs nothing of the table: there may be none."""
    language = chosen_language()
    return render_template(
        template,
        token=guard.token(),
        words=in_language(words, language),
        page_words=to_json(by_language(words)),
        language=LANGUAGES[language],
        languages=[(tag, LANGUAGES[tag], name) for tag, name in LANGUAGE_NAMES.items()],
        theme=chosen_theme(),
        view=view,
        **context,
    )


def refusing(view: Callable[Parameters, Response]) -> Callable[Parameters, Response]:
    """Answer what cannot be done with its sentence, in both languages."""

    @wraps(view)
    def answering(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Response:
        try:
            return view(*args, **kwargs)
        except RefusedError as refused:
            words = refused.words
        except REPAIRABLE as error:
            words = trouble_of(error, Path(), "").says
        except (UserError, ValueError) as error:
            words = whole_sentence(words_of(error))
        return refusal_answer(words)

    return answering


def administers(view: Callable[Parameters, Response]) -> Callable[Parameters, Response]:
    """For who runs the table: as `require`, and `refusing`."""
    return require(Role.ADMIN)(refusing(view))


def here(view: Callable[Parameters, Response]) -> Callable[Parameters, Response]:
    """An endpoint that opens devices and addresses is for the machine itself."""

    @wraps(view)
    def answering(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Response:
        if not is_local():
            raise RefusedError(_ELSEWHERE)
        return view(*args, **kwargs)

    return answering


def changed(name: str) -> Field:
    """Changes as ``{"seats": {"names": [...]}}``."""
    return Field(name, {"type": "object", "additionalProperties": OBJECT})


@blueprint.get("/setup")
@require(Role.ADMIN)
def page() -> str:
    """The assistant; what is on it comes from `state`."""
    return render("setup.html", page_words("frame", "setup"), "setup")


@blueprint.get("/api/setup")
@administers
def state() -> Response:
    """The file, its values and what may be chosen; elsewhere without what is secret in it."""
    return json_answer(_assistant().view(at_machine=is_local()))


@blueprint.post("/api/setup/preview")
@administers
@guard.up_to(SETUP_LIMIT)
@takes(text("base"), changed("changes"))
def preview(base: str, changes: dict[str, dict[str, Any]]) -> Response:
    """Answer with how the file would differ with some keys changed."""
    return json_answer(_assistant().preview(base, changes, at_machine=is_local()))


@blueprint.post("/api/setup/save")
@administers
@guard.up_to(SETUP_LIMIT)
@takes(text("base"), changed("changes"))
def save(base: str, changes: dict[str, dict[str, Any]]) -> Response:
    """Write the file with some keys changed."""
    return json_answer(_assistant().save(base, changes, at_machine=is_local()))


@blueprint.get("/api/setup/devices")
@administers
@here
def devices() -> Response:
    """Cameras and serial ports of this machine."""
    return json_answer(_assistant().devices())


@blueprint.get("/api/setup/trials")
@administers
def trials() -> Response:
    """How camera, calibration, enrolment and board are doing."""
    return json_answer(_assistant().trials())


@blueprint.get("/api/setup/picture.jpg")
@require(Role.ADMIN)
def picture() -> Response:
    """The tried camera's newest picture."""
    content = _assistant().picture()
    if content is None:
        refuse(404, "There is no picture yet.", "还没有画面。")
    return file_answer(content, "image/jpeg")


@blueprint.post("/api/setup/tiles/photograph")
@administers
@guard.up_to(MOST_PHOTO_BYTES)
def add_photograph() -> Response:
    """Keep a photograph from a phone or a file for the enrolment."""
    guard.check_post(PHOTO_TYPES)
    return json_answer(_assistant().add_photograph(request.get_data()))


@blueprint.post("/api/setup/start")
@administers
@takes(optional(flag("by_phones")))
def start(*, by_phones: bool | None) -> Response:
    """Follow the table with what is set up."""
    _assistant().start(by_phones=bool(by_phones))
    return json_answer({"ok": True})


@blueprint.post("/api/setup/pause")
@administers
@here
@takes()
def pause() -> Response:
    """Leave the table to set it up; only at the machine, where the assistant is shown then."""
    _assistant().pause()
    return json_answer({"ok": True})


def _does(
    path: str,
    name: str,
    do: Callable[..., View],
    tells: str,
    *fields: Field,
    only_here: bool = True,
) -> None:
    """A wish that the assistant fulfils with the body's values, answered with what it tells."""

    @takes(*fields)
    def wish(**given: Any) -> Response:
        return json_answer(do(_assistant(), **given))

    view = administers(here(wish) if only_here else wish)
    view.__doc__ = tells
    blueprint.add_url_rule(f"/api/setup/{path}", name, view, methods=["POST"])


_does(
    "sheet", "sheet", Assistant.sheet, "The rule sheet with some options.",
    text("rules"), mapping("options"), only_here=False,
)  # fmt: skip
_does("camera", "camera", Assistant.try_camera, "Open a camera.", text("source"))
_does(
    "advice", "advice", Assistant.advise,
    "Answer with advice that makes the tiles in the newest picture easier to read.",
)  # fmt: skip
_does("calibrate", "calibrate", Assistant.calibrate, "Begin a calibration.")
_does(
    "tiles/picture", "add_picture", Assistant.add_picture,
    "Keep the newest picture for the enrolment.",
)  # fmt: skip
_does(
    "tiles/clear", "clear_pictures", Assistant.clear_pictures,
    "Forget the pictures for the enrolment.", only_here=False,
)  # fmt: skip
_does(
    "tiles/read", "enrol", Assistant.enrol, "Read the pictures as a tile set.", text("name")
)  # fmt: skip
_does(
    "board", "board", Assistant.try_board, "Listen to a board; nowhere ends it.",
    text("at", 400, least=0),
)  # fmt: skip
