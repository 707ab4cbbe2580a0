"""How the table stands, for machines outside: what the television shows, in few words.

It is made of the television's view and of nothing else: a treasure that is hidden from anybody,
and what nobody but a player may see of a hand, are not in it.
"""

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import View, words_view
from table_assist.game.question import QuestionId
from table_assist.languages.words import NOTHING, Words, joined
from table_assist.record.history import PlayedHand
from web.access.roles import STRANGER
from web.secrecy.secrecy import masked
from web.view.names import player, with_placeholders
from web.view.sentences import headline
from web.view.vocabulary import signed

UNSEEN = ("stale", "covered", "lost", "unread")


def standing(snapshot: Snapshot, last_win: PlayedHand | None) -> View:
    """The table's standing as everybody may know it.

    Args:
        snapshot: as the session has it; what is hidden is taken out here.
        last_win: the last hand that somebody won; None where nobody has.
    """
    shown = masked(snapshot, STRANGER)
    state, names = shown.state, shown.names
    camera = next((each for each in shown.health if each.name == "camera"), None)
    asked = [(each.question, with_placeholders(each.text, names)) for each in state.questions]
    return {
        "table": words_view(headline(shown)),
        "rules": words_view(shown.rules.names),
        "hand": state.hand,
        "phase": state.phase.value,
        "seats": [
            {"name": words_view(player(names, seat)), "score": state.scores[seat]}
            for seat in range(len(names))
        ],
        "question_open": bool(asked),
        "questions": [_question(*each) for each in asked],
        "camera": "none" if camera is None else camera.status,
        "camera_lost": camera is not None and camera.status in UNSEEN,
        "camera_says": words_view(NOTHING if camera is None else camera.says),
        "last_win": None if last_win is None else last_win_view(shown, last_win),
    }


def _question(id: QuestionId, text: Words) -> View:
    return {"id": str(id), "text": words_view(text)}


def last_win_view(snapshot: Snapshot, played: PlayedHand) -> View:
    """The winners and the transfers, by the names that the players have now."""
    seats = [snapshot.state.people.index(person) for person in played.winners]
    won = [
        Words("{who} {points}", "{who} {points}", who=who, points=signed(points))
        for seat in seats
        for who, points in [
            (player(snapshot.names, seat), played.transfers[snapshot.state.people[seat]])
        ]
    ]
    return {
        "hand": played.hand,
        "text": words_view(joined(won)),
        "winners": [words_view(player(snapshot.names, seat)) for seat in seats],
        "t": played.ended_s,
    }
