"""The evening, told: one page at the end, and a picture of it to send."""

from collections.abc import Sequence

from flask import Blueprint, Flask, Response, current_app, request
from markupsafe import Markup

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.table_source import TableSource
from table_assist.game.people import name_words
from table_assist.languages.words import COMMA, Words, joined, unended
from table_assist.record.evening import Evening, EveningMoment, evening_of, fewest_payments
from table_assist.settings.config import MoneyConfig
from web.access.roles import Role, require
from web.language import chosen_language
from web.pages.evening_picture import picture_of
from web.pages.score_sheet import score_sheet
from web.pages.shell import render
from web.view.evening_words import EVENING
from web.view.names import person_names, with_seats
from web.view.vocabulary import signed

blueprint = Blueprint("evening_page", __name__)
MOST_FED = 3


def init_app(app: Flask, money: MoneyConfig) -> None:
    """Give the app the page."""
    app.extensions["money"] = money
    app.register_blueprint(blueprint)


@blueprint.get("/evening")
@require(Role.TELEVISION)
def page() -> str:
    """The standing with its curve, what people will talk about, who owes whom."""
    snapshot, evening = _now()
    language = chosen_language()
    names, money = _called(snapshot), _money()
    sentences = told(evening, names)
    return render(
        "evening.html",
        view="evening",
        words=EVENING,
        drawn=Markup(picture_of(evening, names, snapshot.rules.names, sentences, language)),
        standing=[
            (names[person].said(language), evening.balance[person], place)
            for place, person in enumerate(standing(evening), 1)
        ],
        told=[each.said(language) for each in sentences],
        payments=[
            (names[payer].said(language), names[payee].said(language), points, money.amount(points))
            for payer, payee, points in fewest_payments(evening.balance)
        ],
        played=len(evening.hands),
    )


@blueprint.get("/evening/score-sheet")
@require(Role.SEAT)
def sheet() -> str:
    """Every hand that is over, to print and to sign."""
    source, language = _source(), chosen_language()
    snapshot = source.snapshot
    names = [each.said(language) for each in _called(snapshot)]
    return score_sheet(source.entries(), names, snapshot.rules.names, language, _money())


@blueprint.get("/evening.svg")
@require(Role.TELEVISION)
def picture() -> Response:
    """The same as a picture, without a link in it."""
    snapshot, evening = _now()
    names = _called(snapshot)
    sentences = told(evening, names)
    drawn = picture_of(evening, names, snapshot.rules.names, sentences, chosen_language())
    headers = {"Cache-Control": "no-store"}
    if "save" in request.args:
        headers["Content-Disposition"] = 'attachment; filename="evening.svg"'
    return Response(drawn, 200, headers, "image/svg+xml")


def standing(evening: Evening) -> list[int]:
    """The people, who has most first."""
    return sorted(range(4), key=lambda person: -evening.balance[person])


def told(evening: Evening, names: Sequence[Words]) -> list[Words]:
    """A sentence for everything that people will talk about."""
    said = []
    if evening.best is not None:
        said.append(_best(evening.best, names))
    if evening.swing is not None:
        who, moved = names[evening.swing.person], signed(evening.swing.points)
        hand = evening.swing.hand.hand
        said.append(
            Words(
                "Dearest hand: {who} {moved}, hand {hand}",
                "最贵的一局：{who} {moved}，第{hand}局",
                who=who,
                moved=moved,
                hand=hand,
            )
        )
    if evening.dealer is not None and evening.dealer[1] > 1:
        person, row = evening.dealer
        who = names[person]
        said.append(
            Words(
                "Longest dealer: {who}, {row} hands in a row",
                "连庄最长：{who}，{row} 局",
                who=who,
                row=row,
            )
        )
    if evening.fed:
        most = [
            Words(
                "{names} → {names_2} {times}×",
                "{names} → {names_2} {times} 次",
                names=names[fed.giver],
                names_2=names[fed.winner],
                times=fed.times,
            )
            for fed in evening.fed[:MOST_FED]
        ]
        several = joined(most, COMMA)
        said.append(Words("Who fed whom: {several}", "谁给谁点炮：{several}", several=several))
    return said


def _best(best: EveningMoment, names: Sequence[Words]) -> Words:
    who, moved, hand = names[best.person], signed(best.points), best.hand.hand
    made = Words("", "")
    line = next((step for step in best.hand.steps if not step.en.endswith(":")), None)
    if line is not None:
        said = with_seats(line, [names[person] for person in best.hand.people])
        made = Words(" ({said})", "（{said}）", said=unended(said))
    return Words(
        "Best hand: {who} {moved}, hand {hand}{made}",
        "最大的一局：{who} {moved}，第{hand}局{made}",
        who=who,
        moved=moved,
        hand=hand,
        made=made,
    )


def _called(snapshot: Snapshot) -> list[Words]:
    return [name_words(name, person) for person, name in enumerate(person_names(snapshot))]


def _money() -> MoneyConfig:
    found: MoneyConfig = current_app.extensions["money"]
    return found


def _now() -> tuple[Snapshot, Evening]:
    source = _source()
    return source.snapshot, evening_of(source.entries())


def _source() -> TableSource:
    found: TableSource = current_app.extensions["table"]
    return found
