"""An open question as JSON: its answers side by side, what each does, who has said what so far."""

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import View, words_view
from table_assist.game.acceptance import Acceptance, is_settlement
from table_assist.game.deciding import is_decided, is_for_all, said_to
from table_assist.game.events import Agreed, Asked, IrregularityNoted, Penalised, WallExhausted
from table_assist.game.question import QuestionKind
from table_assist.game.refused import after_refusal
from table_assist.game.state import Phase
from table_assist.languages.words import COMMA, Words, joined
from table_assist.record.log import Source
from web.access.roles import Viewer
from web.view import sentences
from web.view.answer_words import answer_words
from web.view.names import player, with_placeholders
from web.view.question_seats import is_asked
from web.view.vocabulary import signed

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
    label, does = answer_words(asked, answer)
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
    """The effect of refusing a win here: it is a false win, with its cost."""
    cost = false_win_cost(snapshot, seat)
    return _REFUSE, Words("A false win: {cost}.", "诈和：{cost}。", cost=cost)


def false_win_cost(snapshot: Snapshot, seat: int) -> Words:
    """The cost of a false win of the seat by the rules in force, in a few words."""
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
