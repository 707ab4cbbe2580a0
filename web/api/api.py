"""JSON in and out: the view, pictures, evidence, and the commands of people at the table."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, current_app

from table_assist.game.allowed import refuse_ready
from table_assist.game.choices import refuse_replacement
from table_assist.game.offered import offer_now
from table_assist.game.people import Names
from table_assist.game.state import SEATS, Phase
from table_assist.languages.words import View, Words, phrase, words_view
from table_assist.record.commands import Change, Command, NotKeptError, key_of
from table_assist.record.seal import SHOWN_LETTERS
from table_assist.record.snapshot import Snapshot, has_secret
from table_assist.rules.profile import plain_profile
from table_assist.rules.sheet.sheet import make_sheet
from table_assist.rules.shown import Call
from table_assist.rules.verdict import Refusal
from table_assist.tiles.melds import tile_words
from web.access.roles import Role, require, role_words, viewer
from web.answers import file_answer, json_answer, refusal_answer, the_table, to_json
from web.api import openapi
from web.api.bodies import BodyError, choice, key_given, mapping, read_fields, takes
from web.api.commands import BY_NAME, SPECS, Spec
from web.api.stream import Viewers, asked_delay
from web.refusal import RefusedRequest, refuse
from web.view.claims_view import why_not
from web.view.present import present
from web.view.secrecy import masked, shown_evidence, shown_picture, withheld, withheld_preview
from web.view.sentences import is_unfollowed
from web.view.vocabulary import player, with_names, with_placeholders

# For who learns: what the seat may do now, why not, and what the rules say of it.
#
# The rules' words are those of the printed sheet. Nobody's concealed tiles are looked at.

_NEEDS = {
    Call.CHOW: phrase("api.you_may_chow"),
    Call.PUNG: Words("You may pung {tile}, with two of it.", "可以碰 {tile}：手里要有两张相同的。"),
    Call.KONG: phrase("api.you_may_kong"),
    Call.WIN: phrase("api.you_may_win"),
}
_NO = {
    Call.CHOW: Words("No chow: {why}", "不能吃：{why}"),
    Call.PUNG: Words("No pung: {why}", "不能碰：{why}"),
    Call.KONG: Words("No kong: {why}", "不能杠：{why}"),
    Call.WIN: Words("No win: {why}", "不能和：{why}"),
}
_DRAW = Words("It is your turn: draw a tile from the wall.", "轮到你：从牌墙摸一张。")
_MAY_KONG = phrase("api.with_four_alike")
_WAIT = Words("{who} has the turn: watch the discard.", "轮到 {who}：注意打出的牌。")
_NO_HAND_PLAYED = Words(
    "No hand is played: nothing is to be decided.", "现在没有牌局：不用做决定。"
)
_ALL = ("patterns", "conditions", "claims", "ready", "opening")  # what a moment may be about


def learn_view(snapshot: Snapshot, seat: int) -> View:
    """The seat's choices now, and the sheet's rows of all that matters now.

    Args:
        snapshot: as the viewer may know it.
    """
    said = list(_now(snapshot, seat))
    ids = {refusal.id for _, _, refusal in said if refusal is not None}
    for _, verdict in snapshot.verdicts:
        ids |= {each.id for each in verdict.patterns} | {each.id for each in verdict.refusals}
    return {
        "now": [{"may": may, "words": words_view(words)} for may, words, _ in said],
        "rules": [
            {
                "id": row.id,
                "name": None if row.names is None else words_view(row.names),
                "value": None if row.value is None else words_view(row.value),
                "words": [words_view(each) for each in row.words],
            }
            for section in (make_sheet(plain_profile(snapshot.rules)).sections if ids else ())
            if section.id in _ALL
            for row in section.rows
            if row.id in ids and row.words
        ],
    }


def _now(snapshot: Snapshot, seat: int) -> Iterator[tuple[bool, Words, Refusal | None]]:
    state = snapshot.state
    if state.phase is Phase.SHOWING:
        yield True, phrase("api.hand_lies_open_look"), None
        return
    if state.phase is not Phase.PLAYING or is_unfollowed(snapshot):
        yield (
            False,
            phrase("api.phone_does_not_see") if is_unfollowed(snapshot) else _NO_HAND_PLAYED,
            None,
        )
        return
    offer = offer_now(state)
    if offer is not None and offer.tile.is_face and offer.seat != seat:
        face = tile_words(offer.tile)
        for call, words in _NEEDS.items():
            refused = why_not(snapshot.state, offer, seat, call)
            if refused is None:
                said = words.filled(tile=face)
            else:
                said = with_names(_NO[call].filled(why=refused.words), snapshot.names)
            yield refused is None, said, refused
        return
    turn = state.turn if state.holder is None else state.holder
    if turn != seat:
        yield False, _WAIT.filled(who=player(snapshot.names, turn)), None
        return
    if state.holder is None:
        yield True, _DRAW, None
        return
    yield True, phrase("api.it_is_your_turn"), None
    refused = refuse_replacement(state)
    no_kong = None if refused is None else _NO[Call.KONG].filled(why=refused.words)
    yield refused is None, no_kong or _MAY_KONG, refused
    if not state.seats[seat].ready and refuse_ready(state, seat) is None:
        yield True, phrase("api.you_may_say_once", ready=snapshot.rules.ready_names), None


blueprint = Blueprint("api", __name__, url_prefix="/api")


@blueprint.get("/table")
@require(Role.TELEVISION)
def table() -> Response:
    """The view of the newest snapshot, or of one so many seconds ago, as the viewer may know it."""
    who, delay = viewer(), asked_delay()
    viewers: Viewers = current_app.extensions["viewers"]
    snapshot = viewers.behind(delay).source.snapshot if delay else the_table().snapshot
    if snapshot is None:
        refuse(
            404,
            "Nothing that was asked for is {delay} s old yet: ask again then.",
            "尚无 {delay} 秒前的数据，请稍后再试。",
            delay=delay,
        )
    return json_answer(present(masked(snapshot, who), who))


@blueprint.get("/picture.jpg")
@require(Role.SEAT)
def picture() -> Response:
    """The camera's latest picture; what is secret is black in it."""
    return _jpeg(shown_picture(the_table(), viewer()))


@blueprint.get("/learn/<int:seat>")
@require(Role.SEAT)
def learn(seat: int) -> Response:
    """Answer with the own seat's choices now and why not the rest, with the rule sheet's words."""
    who = viewer()
    if seat not in SEATS or who.seat not in (None, seat):
        refuse(403, "This phone learns for its own seat alone.", "这部手机只为自己的座位讲解。")
    return json_answer(learn_view(masked(the_table().snapshot, who), seat))


@blueprint.get("/evidence/<id>")
@require(Role.SEAT)
def evidence(id: str) -> Response:
    """Answer with the readings of the picture that a question or an entry rests on."""
    found = shown_evidence(the_table(), id, viewer())
    if found is None:
        refuse(404, "There is no such evidence (any more).", "没有这份画面证据（或已删除）。")
    return json_answer(
        {
            "id": found.id,
            "t": found.t,
            "readings": found.readings,
            "picture": bool(found.jpeg),
            "crop": bool(found.crop),
        }
    )


@blueprint.get("/evidence/<id>/picture.jpg")
@require(Role.SEAT)
def evidence_picture(id: str) -> Response:
    """The whole picture that was kept as evidence."""
    found = shown_evidence(the_table(), id, viewer())
    return _jpeg(None if found is None else found.jpeg)


@blueprint.get("/evidence/<id>/crop.jpg")
@require(Role.SEAT)
def evidence_crop(id: str) -> Response:
    """The part of the picture that is in question."""
    found = shown_evidence(the_table(), id, viewer())
    if found is None or not found.crop:
        return Response(status=204)  # usual where nobody kept a picture: no page need complain
    return _jpeg(found.crop)


@blueprint.get("/seals")
@require(Role.SEAT)
def seals() -> Response:
    """The seal of each hand, which every phone keeps; none of a hand with a hidden treasure."""
    snapshot = the_table().snapshot
    log, known = the_table().hand_seals()
    withheld = snapshot.state.hand if has_secret(snapshot) else None
    return json_answer(
        {
            "log": log[:SHOWN_LETTERS],
            "withheld": withheld,
            "hands": [
                {"hand": each.hand, "seq": each.seq, "seal": each.seal[:SHOWN_LETTERS]}
                for each in known
                if each.hand != withheld
            ],
        }
    )


@blueprint.get("/openapi.json")
@require(Role.TELEVISION)
def description() -> Response:
    """This description."""
    return json_answer(openapi.describe(current_app))


@blueprint.post("/preview")
@require(Role.SEAT)
@takes(choice("command", *BY_NAME), mapping("body"))
def preview(command: str, body: dict[str, object]) -> Response:
    """Answer with a command's effect; nothing is recorded by asking."""
    spec = BY_NAME[command]
    try:
        made = spec.make(**read_fields(body, spec.fields))
    except BodyError as error:
        raise RefusedRequest(400, error.words) from error
    _check(spec, made)
    refused = withheld_preview(made, the_table().snapshot, viewer())
    if refused:
        return refusal_answer(refused)
    change = the_table().preview(made)
    if isinstance(change, Words):
        return refusal_answer(change)
    return json_answer(change_view(change, the_table().snapshot.names))


def change_view(change: Change, names: Names) -> dict[str, Any]:
    """A change as JSON."""
    return {
        "scores_before": list(change.scores_before),
        "scores_after": list(change.scores_after),
        "hands": [asdict(hand) for hand in change.hands],
        "questions": [
            {
                "id": str(asked.question),
                "text": words_view(with_placeholders(asked.text, names)),
                "about": asked.about,
                "choices": list(asked.choices),
            }
            for asked in change.questions
        ],
        "unsettled": list(change.unsettled),
        "sentences": [words_view(words) for words in change.sentences],
    }


def _endpoint(spec: Spec) -> Callable[..., Response]:
    @require(spec.role)
    @takes(*spec.fields)
    def give(**given: Any) -> Response:
        who = viewer()
        command, by = spec.given_by(spec.make(**given), who, the_table().snapshot), who.by
        key = key_of(command, by, key_given())
        before = the_table().was_done(key)  # what was allowed and done is not judged anew
        if not before:
            _check(spec, command)
        try:
            refused = the_table().submit(command, by, key)
        except NotKeptError as error:
            return refusal_answer(error.words, 503, saved=False)
        if refused is not None:
            return refusal_answer(refused)
        return json_answer({"ok": True, "before": True} if before else {"ok": True})

    give.__doc__ = spec.tells
    return give


def _check(spec: Spec, command: Command) -> None:
    """Abort where the viewer's role, or what it may not know, stands against the command."""
    who, snapshot = viewer(), the_table().snapshot
    if not who.may(spec.role):
        raise RefusedRequest(403, role_words(spec.role, who.role))
    refused = spec.check(command, who, snapshot)
    if refused:
        raise RefusedRequest(403, refused)
    refused = withheld(command, snapshot, who)
    if refused:
        raise RefusedRequest(409, refused)


def _jpeg(content: bytes | None) -> Response:
    if not content:
        refuse(404, "There is no picture to be seen here now.", "现在没有可看的画面。")
    return file_answer(content, "image/jpeg")


for each in SPECS:
    blueprint.add_url_rule(
        f"/{each.name}", endpoint=each.name, view_func=_endpoint(each), methods=["POST"]
    )

__all__ = ["blueprint", "change_view", "to_json"]
