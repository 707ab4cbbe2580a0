"""An open question as JSON: its answers side by side, what each does, who has said what so far."""

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import View, words_view
from table_assist.game.acceptance import Acceptance, is_settlement
from table_assist.game.deciding import is_decided, is_for_all, said_to
from table_assist.game.events import Agreed, Asked, IrregularityNoted, Penalised, WallExhausted
from table_assist.game.question import QuestionKind
from table_assist.game.refused import after_refusal
from table_assist.game.state import Phase
from table_assist.record.log import Source
from table_assist.words import COMMA, Words, joined
from web.access.roles import Viewer
from web.view import sentences
from web.view.names import player, with_placeholders
from web.view.question_seats import is_asked
from web.view.vocabulary import signed

_SHOW_AGAIN = Words("Look at it again", "重新看牌")
_SHOWN_AGAIN = Words("The hand is taken back and shown once more.", "撤回亮牌，重新亮一次。")
_SETTLE_SO = Words("Settle it like this", "就这样结算")
# What an answer is called, and what it does.
_ANSWERS: dict[tuple[QuestionKind, str], tuple[Words, Words]] = {
    (QuestionKind.REFUSE, "no"): (_SHOW_AGAIN, _SHOWN_AGAIN),
    (QuestionKind.OBJECTION, "yes"): (
        Words("It stands", "牌没有错"),
        Words("The objection is over; who pays accepts.", "异议结束；由付分者确认。"),
    ),
    (QuestionKind.OBJECTION, "no"): (_SHOW_AGAIN, _SHOWN_AGAIN),
    (QuestionKind.PLAYED_ON, "yes"): (
        Words("It was a false win", "是诈和"),
        Words("It is refused, with what that costs here.", "判为无效，并按规则赔付。"),
    ),
    (QuestionKind.PLAYED_ON, "no"): (
        Words("No false win", "不是诈和"),
        Words("Nothing is paid for it.", "不赔付。"),
    ),
    (QuestionKind.TOGETHER, "no"): (
        _SHOW_AGAIN,
        Words("All of them are taken back.", "全部撤回。"),
    ),
    (QuestionKind.OPEN, "yes"): (_SETTLE_SO, Words("The hand is over.", "本局结束。")),
    (QuestionKind.OPEN, "no"): (_SHOW_AGAIN, _SHOWN_AGAIN),
    (QuestionKind.SETTLE, "yes"): (_SETTLE_SO, Words("The hand is over.", "本局结束。")),
    (QuestionKind.SETTLE, "no"): (_SHOW_AGAIN, _SHOWN_AGAIN),
    (QuestionKind.UNSETTLED, "yes"): (
        Words("It was given up", "作废"),
        Words("No win is paid.", "不计和牌。"),
    ),
    (QuestionKind.UNSETTLED, "no"): (
        Words("Settle it", "结算"),
        Words("It is settled as it is recorded.", "按记录结算。"),
    ),
    # Said and not asked: nothing follows.
    **dict.fromkeys(
        (
            (QuestionKind.SIZE, "yes"),
            (QuestionKind.WALL, "yes"),
            (QuestionKind.DICE, "yes"),
            (QuestionKind.EXCHANGE, "yes"),
            (QuestionKind.RESTART, "yes"),
            (QuestionKind.LOST, "yes"),
        ),
        (Words("Seen", "知道了"), Words("", "")),
    ),
    **dict.fromkeys(
        (
            (QuestionKind.CORRECTED, "no"),
            (QuestionKind.LATE, "no"),
            (QuestionKind.UNREAD_DISCARDS, "no"),
        ),
        (_SHOW_AGAIN, _SHOWN_AGAIN),
    ),
    **dict.fromkeys(
        ((QuestionKind.BIRDS, "no"), (QuestionKind.SURPLUS, "no")),
        (
            Words("Turn them up again", "重新翻鸟"),
            Words("Hand and birds are taken back and read anew.", "撤回亮牌和鸟牌，重新识别。"),
        ),
    ),
    (QuestionKind.TURNED, "no"): (
        Words("Read it again", "重新识别"),
        Words("The record of the turned tile is taken back.", "撤回翻牌的记录。"),
    ),
    (QuestionKind.TREASURE, "no"): (
        Words("Name it again", "重新报宝"),
        Words("What was named first is taken back.", "撤回先报的宝牌。"),
    ),
    (QuestionKind.KONG, "yes"): (
        Words("A mistake", "误按"),
        Words("Nothing is recorded for the key.", "按键不作记录。"),
    ),
    (QuestionKind.KONG, "no"): (
        Words("There was a kong", "确有杠"),
        Words("It is not on record: put it in at the desk.", "杠尚未记录：请在记分台补记。"),
    ),
}
_NOTHING = Words("", "")
_REFUSE = Words("Refuse the win", "判为无效")
_DEAD = Words("the hand is dead", "手牌作废")
_FREE = Words("it costs nothing here, and play goes on", "本规则不赔付，继续打牌")


def question_view(snapshot: Snapshot, viewer: Viewer | None, asked: Asked) -> View:
    """One question; ``said``: who has given which answer, where it takes more than one."""
    own = None if viewer is None else viewer.seat
    for_all = is_for_all(asked, snapshot.state)
    said = said_to(asked.question, snapshot.state.agreed) if for_all else {}
    return {
        "id": str(asked.question),
        "evidence": dict(snapshot.evidence).get(asked.question),
        "mine": own is None or is_asked(asked, own, snapshot),
        "for_all": for_all,
        "blocks": asked.blocks,
        "text": words_view(with_placeholders(asked.text, snapshot.names)),
        "about": asked.about,
        "choices": [_choice(snapshot, asked, choice, said, own) for choice in asked.choices],
    }


def _choice(
    snapshot: Snapshot, asked: Asked, answer: str, said: dict[int, str], own: int | None
) -> View:
    tile = sentences.choice_tile(answer)
    label, does = _ANSWERS.get(
        (asked.question.kind, answer), (sentences.answer_words(answer), _NOTHING)
    )
    if (asked.question.kind, answer) == (QuestionKind.REFUSE, "yes"):
        label, does = _refusal(snapshot, asked.question.seat or 0)
    others = [seat for seat, word in said.items() if word == answer]
    alone = own is None or not is_for_all(asked, snapshot.state)
    decides = alone or is_decided(asked, answer, {*others, own or 0}, snapshot.state)
    return {
        "answer": answer,
        "tile": None if tile is None else str(tile),
        "label": words_view(label),
        "does": words_view(does),
        "said": [words_view(player(snapshot.names, seat)) for seat in others],
        "decides": decides,
    }


def _refusal(snapshot: Snapshot, seat: int) -> tuple[Words, Words]:
    """What refusing a win does here: it is a false win, with what that costs."""
    cost = false_win_cost(snapshot, seat)
    return _REFUSE, Words("A false win: {cost}.", "诈和：{cost}。", cost=cost)


def false_win_cost(snapshot: Snapshot, seat: int) -> Words:
    """What a false win of the seat costs by the rules in force, in a few words."""
    said = []
    for event in after_refusal(snapshot.state, seat, snapshot.rules):
        if isinstance(event, Penalised):
            said += [
                Words("{who} {points}", "{who} {points}", who=who, points=signed(points))
                for at, points in enumerate(event.transfers)
                if points and (who := player(snapshot.names, at))
            ]
        if isinstance(event, IrregularityNoted) and event.dead is not None:
            said.append(_DEAD)
    return joined(said, COMMA) if said else _FREE


def acceptance_view(snapshot: Snapshot) -> View | None:
    """Whose word the settlement shown waits for, who has given it, and how many are missing."""
    waits = snapshot.acceptance
    if waits is None:
        return _given(snapshot)
    return {
        "done": False,
        "drawn": False,
        "seen": waits.settlement,
        "by": waits.by.value,
        "seats": list(waits.seats),
        "accepted": list(waits.accepted),
        "missing": waits.missing,
        "words": words_view(_accepted_words(snapshot, waits)),
    }


def _given(snapshot: Snapshot) -> View | None:
    """Of a hand that is over: whose word it rests on, who may take it back."""
    state = snapshot.state
    if state.phase is not Phase.SETTLED:
        return None
    given = {
        entry.event.seat
        for entry in snapshot.entries
        if isinstance(entry.event, Agreed)
        and is_settlement(entry.event, state.hand, entry.event.seat)
    }
    drawn = any(
        isinstance(entry.event, WallExhausted) and entry.source is Source.PERSON
        for entry in snapshot.entries
    )
    nobody = words_view(_NOTHING)
    return {
        "done": True,
        "drawn": drawn,
        "seen": "",
        "by": "",
        "seats": [],
        "accepted": sorted(given),
        "missing": 0,
        "words": nobody,
    }


def _accepted_words(snapshot: Snapshot, waits: Acceptance) -> Words:
    """Who has accepted, and who is waited for, as everybody at the table reads it."""
    open_seats = [seat for seat in waits.seats if seat not in waits.accepted]
    names = joined([player(snapshot.names, seat) for seat in open_seats])
    done = len(waits.accepted)
    if waits.missing < len(open_seats):
        return Words(
            "{done} accepted; {missing} more of {names}",
            "{done} 人已确认；还需 {names} 中 {missing} 人",
            done=done,
            missing=waits.missing,
            names=names,
        )
    return Words(
        "{done} accepted; waits for {names}", "{done} 人已确认；等 {names}", done=done, names=names
    )
