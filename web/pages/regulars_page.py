"""People who come again: kept, shown with what the logs say of them, exported, deleted."""

import time
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from flask import Blueprint, Response, request

from table_assist.game.people import name_words
from table_assist.game.state import SEATS
from table_assist.languages.words import Words, phrase, words_view
from table_assist.record.export import spreadsheet
from table_assist.record.regulars import (
    KNOWN_LANGUAGES,
    PLAYER_COLOURS,
    Known,
    Regular,
    RegularsService,
    can_rate,
    key_of,
)
from table_assist.rules.registry import rule_sets
from web.access.pairing_sessions import give_cookie
from web.access.roles import Role, Viewer, require, viewer
from web.answers import file_answer, json_answer, of_app, the_table, to_json
from web.api.bodies import choice, flag, takes, text, whole
from web.language import chosen_language, page_words
from web.pages.shell import render
from web.refusal import RefusedRequest, refuse
from web.view.vocabulary import person_names

# Proofs that a phone is a regular's: secrets in a cookie, which no script of a page reads.

REGULAR_COOKIE = "table_regular"
REGULAR_LASTS_S = 400 * 86400  # browsers keep none longer
MOST_ON_A_PHONE = 4  # a phone that a family shares


def own_proofs() -> tuple[str, ...]:
    """The secrets that come with this request."""
    return tuple(filter(None, request.cookies.get(REGULAR_COOKIE, "").split(".")))[:MOST_ON_A_PHONE]


blueprint = Blueprint("regulars", __name__)
_desk = partial(of_app, RegularsService, "regulars")
_NAME_FIRST = Words("Say a name first: others know you by it.", "请先起个名字：大家靠它认你。")
_NOT_YOURS = Words("This phone may delete its own player alone.", "这部手机只能删除本人。")


@blueprint.get("/regulars")
@require(Role.SEAT)
def page() -> str:
    """The page of people and their logs: oneself; for the scorer everybody."""
    language, who = chosen_language(), viewer()
    name = "" if who.seat is None else _name_at(who, who.seat)
    known = []
    for each in _known():
        row = _as_json(each)
        for tally in row["rules"]:
            tally["name"] = tally["name"].get(language, tally["name"]["en"])
        phones = _desk().kept.phones(each.regular.name)
        known.append((row, phones, each.regular.key == key_of(name)))
    return render(
        "regulars.html",
        view="regulars",
        words=page_words("regulars"),
        known=known,
        rates=can_rate(),
        unproved=name if _is_elsewhere(name) else "",
    )


@blueprint.get("/api/regulars.json")
@require(Role.SEAT)
def export() -> Response:
    """All that is kept and counted, as a file: of oneself; of everybody for the scorer."""
    found = [_as_json(each) for each in _known()]
    return file_answer(to_json({"regulars": found}), "application/json", "regulars.json")


@blueprint.get("/api/regulars.csv")
@require(Role.SCORER)
def for_a_club() -> Response:
    """The names as a club's list of players, which its desk takes over."""
    rows = [("name", "number"), *((each.name, each.key) for each in _desk().kept.all())]
    return file_answer(spreadsheet(rows), "text/csv", "players.csv")


@blueprint.get("/api/regulars/colours")
@require(Role.TELEVISION)
def colours() -> Response:
    """Each seat's colour, 1 to 8, as its player has chosen; 0: the seat's own."""
    kept = {each.key: each.colour for each in _desk().kept.all()}
    chosen = [kept.get(key_of(name), 0) for name in the_table().snapshot.names]
    return json_answer({"colours": [0 if chosen.count(each) > 1 else each for each in chosen]})


@blueprint.get("/api/regulars/seat/<int:seat>")
@require(Role.SEAT)
def who_sits(seat: int) -> Response:
    """Answer with the player of the own seat; null for a stranger, and without the proof."""
    name = _name_at(viewer(), seat)
    found = _desk().kept.find(name) if name and _may_see(name) else None
    me = None if found is None else asdict(found)
    return json_answer({"name": name, "me": me, "elsewhere": _is_elsewhere(name)})


@blueprint.post("/api/regulars/seat/<int:seat>")
@require(Role.SEAT)
@takes(
    whole("colour", 0, PLAYER_COLOURS),
    choice("language", *KNOWN_LANGUAGES),
    flag("large"),
    flag("strong"),
    flag("still"),
    flag("voice"),
)
def remember(seat: int, **chosen: Any) -> Response:
    """Keep the player of the own seat, or what was chosen anew."""
    name = _name_at(viewer(), seat)
    if not name:
        raise RefusedRequest(409, _NAME_FIRST)
    who, desk = viewer(), _desk().kept
    wanted = replace(Regular(name), **chosen)
    # Without the word of others, what was played under the name before this phone came is not its.
    secret = None if who.may(Role.SCORER) else desk.meet(replace(wanted, since=who.since))
    if secret is None and not _may_see(name):
        raise RefusedRequest(403, phrase("regulars_page.is_remembered_with_another", name=name))
    kept = desk.keep(wanted) if secret is None else desk.find(name)
    answer = json_answer({"name": name, "me": None if kept is None else asdict(kept)})
    if secret is not None:
        proofs = ".".join((secret, *own_proofs())[:MOST_ON_A_PHONE])
        give_cookie(answer, REGULAR_COOKIE, proofs, REGULAR_LASTS_S)
    return answer


@blueprint.post("/api/regulars/forget")
@require(Role.SEAT)
@takes(text("name", 40))
def forget(name: str) -> Response:
    """Delete somebody: oneself, or as scorer anybody."""
    if not _may_see(name):
        raise RefusedRequest(403, _NOT_YOURS)
    if not _desk().kept.forget(name, max(the_table().snapshot.t, time.time())):
        refuse(404, "Nobody is kept by this name.", "没有记住这个名字的人。")
    return json_answer({"done": True})


@blueprint.post("/api/regulars/only")
@require(Role.SEAT)
@takes(text("name", 40))
def only(name: str) -> Response:
    """No other phone is this player's any longer."""
    kept, own = _desk().kept, own_proofs()
    if key_of(name) not in kept.proved(own):
        refuse(403, "This phone speaks for its own player alone.", "这部手机只能代表本人。")
    kept.only(name, own)
    return json_answer({"done": True})


def is_kept(seat: int) -> bool:
    """Whether who sits there is remembered."""
    return _desk().kept.find(the_table().snapshot.names[seat]) is not None


def _may_see(name: str) -> bool:
    """Whether what is kept under a name is this phone's: proved, or it has the desk."""
    return viewer().may(Role.SCORER) or key_of(name) in _desk().kept.proved(own_proofs())


def _is_elsewhere(name: str) -> bool:
    """Whether somebody is kept by this name, and nothing proves that it is this phone's."""
    return bool(name) and _desk().kept.find(name) is not None and not _may_see(name)


def _name_at(who: Viewer, seat: int) -> str:
    """Of who sits there, whom the viewer may speak for; empty for who has said no name."""
    if seat not in SEATS or who.seat not in (None, seat):
        refuse(403, "This phone may speak for its own seat alone.", "这部手机只能代表自己的座位。")
    name = the_table().snapshot.names[seat]
    return "" if name_words(name, seat) != Words(name, name) else name


def _known() -> list[Known]:
    """Whom this phone may see."""
    source = the_table()
    every = _desk().known(source.entries(), person_names(source.snapshot))
    return [each for each in every if _may_see(each.regular.name)]


def _as_json(known: Known) -> dict[str, Any]:
    names = {rules.id: words_view(rules.names) for rules in rule_sets()}
    return {
        **asdict(known.regular),
        "uncounted": known.uncounted,
        "rating": round(known.course[-1], 2) if known.course else None,
        "games": len(known.course),
        "rules": [
            {
                "rules": rules,
                "name": names.get(rules, {"en": rules, "zh": rules}),
                **asdict(tally),
                "chance": round(tally.chance, 1),
                "spread": round(tally.spread, 1),
            }
            for rules, tally in known.tallies
        ],
    }
