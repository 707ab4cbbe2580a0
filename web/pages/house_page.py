"""The page on which a house chooses its rules, sees what each changes, and passes them on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from flask import Blueprint, Response, current_app, request

from table_assist.languages.words import View, Words, phrase, words_of, words_view
from table_assist.rules.house.shown_hands import shown_hands
from table_assist.rules.options import Option
from table_assist.rules.profile import (
    Profile,
    ProfileError,
    differing,
    id_of,
    parse_profile,
    plain_profile,
    profile_text,
    read_profile,
)
from table_assist.rules.registry import rule_sets
from table_assist.rules.sheet.names import SheetRow
from table_assist.rules.sheet.sheet import make_sheet
from table_assist.vision.pictures.code import read_code
from table_assist.vision.pictures.picture import PictureError, decode_picture
from web.access import guard
from web.access.guard import code_svg
from web.access.roles import Role, require, viewer
from web.answers import any_table, file_answer, json_answer
from web.api.bodies import mapping, takes, text
from web.api.photo_api import MOST_PHOTO_BYTES, PHOTO_TYPES
from web.language import chosen_language, page_words
from web.pages.shell import Line, printed, render
from web.refusal import RefusedRequest, refuse

# A house's rules as the sheet that hangs on the wall: A4, two columns, two pages at most.

_FOOT = phrase("house_page.rule_set_profile_fingerprint")
# The played part hangs on the wall. The rest is in the whole sheet.
_SECTIONS = ("shapes", "conditions", "patterns", "opening", "ready", "laws")


def _rules(profile: Profile, language: str) -> Iterator[Line]:
    sections = {section.id: section for section in make_sheet(profile).sections}
    changed = [row for row in sections["options"].rows if row.is_changed]
    if changed:
        yield Line(Words("Agreed in this house", "本桌约定").said(language), "head")
        for row in changed:
            value = "" if row.value is None else row.value.said(language)
            yield Line(value, lead=f"• {row.words[0].said(language).rstrip('.。')}:")
    for id in _SECTIONS:
        if id in sections and any(not row.is_off for row in sections[id].rows):
            section = sections[id]
            unit = section.value.said(language)
            yield Line(section.title.said(language) + (f" ({unit})" if unit else ""), "head")
            yield from (_line(row, language) for row in sections[id].rows if not row.is_off)


def _line(row: SheetRow, language: str) -> Line:
    """A rule by its number, or a pattern by its name and value."""
    # How a refusal is worded is for the table's page, not for the wall.
    told = [each for each in row.words if not each.en.startswith("Refused with")]
    words = " ".join(each.said(language) for each in told)
    if row.names is None:
        return Line(words, lead=row.id) if "-" in row.id else Line(f"• {words}")
    name, value = row.names.said(language), "" if row.value is None else row.value.said(language)
    lead = f"{name} {value}".strip()
    return Line(words, lead=f"{lead}:" if words else lead)


blueprint = Blueprint("house", __name__)
CODE_SIDE = 2400  # a code fills a good part of its picture
PROFILE_LIMIT = 8_000  # characters of a profile's file; with every option changed ours has 2,000
CODE_LIMIT = 1_600  # bytes that a camera still reads from a screen


@blueprint.get("/rules")
@require(Role.SEAT)
def page() -> str:
    """The house's rules; what is on it comes from `view`."""
    writes = viewer().may(Role.ADMIN) and "setup" in current_app.blueprints
    return render("house.html", view="house", words=page_words("house"), writes=writes)


@blueprint.get("/api/house")
@require(Role.SEAT)
def begun() -> Response:
    """The rules that are played here; the first rule set's where no table is followed."""
    source = any_table()
    rules = rule_sets()[0] if source is None else source.snapshot.rules
    return json_answer(_view(plain_profile(rules)))


@blueprint.post("/api/house")
@require(Role.SEAT)
@takes(text("id", 64, least=0), text("name", 80, least=0), text("rules"), mapping("options"))
def chosen(id: str, name: str, rules: str, options: dict[str, Any]) -> Response:
    """A profile as it is chosen: every rule with what each choice would change."""
    name = name.strip()
    table = {"id": id or (id_of(name) if name else rules), "rules": rules, "options": options}
    names = {each.id: each.names.en for each in rule_sets()}
    try:
        profile = parse_profile(table | {"name": name or names.get(rules, rules)})
    except ProfileError as error:
        _refuse(error)
    return json_answer(_view(profile))


@blueprint.post("/api/house/file")
@require(Role.SEAT)
@takes(text("text", PROFILE_LIMIT, least=0))
def opened(text: str) -> Response:
    """A profile from its file, or from what a code says."""
    return json_answer(_view(_read(text)))


@blueprint.post("/api/house/picture")
@require(Role.SEAT)
@guard.up_to(MOST_PHOTO_BYTES)
def scanned() -> Response:
    """A profile from a picture of its code."""
    guard.check_post(PHOTO_TYPES)
    try:
        with guard.picture_place():
            found = read_code(decode_picture(request.get_data(), Path("the picture"), CODE_SIDE))
    except PictureError as error:
        refuse(
            422,
            "This picture cannot be read: {words_of}.",
            "无法读取：{words_of}。",
            words_of=words_of(error),
        )
    if not found:
        refuse(422, "There is no code in this picture.", "照片中没有二维码。")
    return json_answer(_view(_read(found)))


@blueprint.get("/rules/code.svg")
@require(Role.SEAT)
def code() -> Response:
    """A profile's file as a QR code."""
    content = profile_text(_asked())
    if len(content.encode()) > CODE_LIMIT:
        raise RefusedRequest(413, page_words("house")["house_too_long"])
    svg = code_svg(content).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return file_answer(svg, "image/svg+xml")


@blueprint.get("/rules/sheet")
@require(Role.SEAT)
def sheet() -> str:
    """A profile as the sheet that hangs on the wall, in the language asked for."""
    profile = _asked()
    language = chosen_language()
    names = profile.rules.names.said(language)
    foot = _FOOT.filled(rules=names, id=profile.id, sign=profile.hash[:16])
    title = profile.name if profile.id != profile.rules.id else names
    return printed(title, [Line(foot.said(language), "foot"), *_rules(profile, language)], "wall")


def _asked() -> Profile:
    given = request.args.get("profile", "")
    if len(given) > PROFILE_LIMIT:
        refuse(413, "This profile is too long.", "规则档过长。")
    return _read(given)


def _read(text: str) -> Profile:
    try:
        return read_profile(text)
    except ProfileError as error:
        _refuse(error)


def _refuse(error: ProfileError) -> NoReturn:
    refuse(
        422, "These house rules cannot be used: {error}.", "约定无法使用：{error}。", error=error
    )


# --- What the page draws


def _view(profile: Profile) -> View:
    content = profile_text(profile)
    return {
        "rule_sets": [{"id": each.id, "names": words_view(each.names)} for each in rule_sets()],
        "id": profile.id,
        "name": "" if profile.id == profile.rules.id else profile.name,
        "rules": profile.rules.id,
        "hash": profile.hash,
        "options": dict(differing(profile.rules)),
        "text": content,
        "fits_code": len(content.encode()) <= CODE_LIMIT,
        "rows": [_row(profile, option) for option in profile.rules.options_as_asked],
    }


def _row(profile: Profile, option: Option) -> View:
    amount = isinstance(option.values, range)
    return {
        "name": option.name,
        "words": words_view(option.words),
        "value": profile.rules.chosen[option.name],
        "default": option.default,
        "said_default": words_view(option.say(option.default)),
        "choices": []
        if amount
        else [{"value": each, "says": words_view(option.say(each))} for each in option.values],
        "least": option.values[0],
        "most": option.values[-1],
        "is_amount": amount,
        "unseen": words_view(option.unseen) if option.unseen else None,
        "shown": [
            {
                "hands": [[str(tile) for tile in hand] for hand in shown.hands],
                "situation": [words_view(each) for each in shown.situation],
                "outcomes": [
                    {
                        "value": value,
                        "says": words_view(option.say(value)),
                        "comes_to": words_view(words),
                    }
                    for value, words in shown.outcomes
                ],
            }
            for shown in shown_hands(profile.rules, option)
        ],
    }
