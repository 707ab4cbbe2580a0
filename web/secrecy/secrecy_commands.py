"""Commands that would be guesses at the treasure are not taken from who may not know it."""

from table_assist.contract.commands import (
    Answer,
    Command,
    Correct,
    Insert,
    Rule,
    TellHand,
    TellOpening,
    Undo,
)
from table_assist.contract.secret import is_about_treasure
from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import (
    BirdTurned,
    BonusLaid,
    Claimed,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    HandTold,
    IndicatorTurned,
    IrregularityNoted,
    KongDeclared,
    ReadyDeclared,
)
from table_assist.game.state import Phase
from table_assist.languages.words import Words
from web.access.roles import Viewer
from web.secrecy.secrecy import hidden_questions, is_secret

HIDDEN = Words(
    "The treasure is still a secret: this can be asked once it is revealed.",
    "宝牌尚未公开：公开之后才能这样问。",
)
NO_ADVICE = Words(
    "A hand is being played: what tiles are worth is said when a win is declared.",
    "牌局进行中：有人宣布和牌后才说明牌值多少。",
)
# Facts of the play that everybody sees, and that no verdict rests on before a hand is shown.
_AT_STAKE = (Phase.PLAYING, Phase.SHOWING, Phase.SETTLED)
_PLAIN = (Discarded, Claimed, KongDeclared, Drew, BonusLaid, EggLaid, EggAppended, BirdTurned)


def withheld(command: Command, snapshot: Snapshot, viewer: Viewer) -> Words | None:
    """Why a command that is a guess at the treasure is not taken now; None if it may be given."""
    if not is_secret(snapshot, viewer) or snapshot.state.phase not in _AT_STAKE:
        return None
    match command:
        case Answer(question):
            indicators = {entry.seq for entry in snapshot.entries if is_about_treasure(entry.event)}
            return HIDDEN if question in hidden_questions(snapshot, indicators) else None
        case Correct(seq, event):
            was = next((entry.event for entry in snapshot.entries if entry.seq == seq), None)
            if was is None:
                return None  # of an earlier hand
            same = type(was) is type(event)
            return (
                None if same and not isinstance(event, IndicatorTurned | ReadyDeclared) else HIDDEN
            )
        case Insert(0, ReadyDeclared()):
            return None  # all screens say so, as with the key
        case Insert(before, event):
            earlier = 0 < before < min((entry.seq for entry in snapshot.entries), default=0)
            return None if earlier or isinstance(event, (*_PLAIN, IrregularityNoted)) else HIDDEN
        case TellHand(hand) if viewer.seat not in (None, hand.seat):
            return HIDDEN  # the judge's answer would be one to a guess
        case _:
            return None


def withheld_preview(command: Command, snapshot: Snapshot, viewer: Viewer) -> Words | None:
    """Why a preview is not given now; None if it is.

    A preview leaves no trace, so it must not rest on the treasure at all: before any hand is shown
    nothing does that is made of the plain facts of play.
    """
    told = command.hand if isinstance(command, TellHand) else command
    if isinstance(told, HandTold | TellOpening) and snapshot.is_concealed(told.seat):
        return NO_ADVICE
    if not is_secret(snapshot, viewer):
        return None
    if snapshot.state.phase is not Phase.PLAYING or snapshot.state.shown:
        return HIDDEN
    match command:
        case Correct(_, event) | Insert(_, event):
            return None if isinstance(event, _PLAIN) else HIDDEN
        case Undo(seq):
            was = next((entry.event for entry in snapshot.entries if entry.seq == seq), None)
            return None if isinstance(was, _PLAIN) else HIDDEN
        case Rule():
            return None
        case _:
            return HIDDEN
