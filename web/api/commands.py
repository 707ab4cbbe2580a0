"""The table's commands: what each is called, who may give it, what its body holds.

One table of them makes the endpoints, their description, and what can be previewed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from table_assist.game.acceptance import is_for_all
from table_assist.game.events import Asked, HandTold
from table_assist.game.question import QuestionId
from table_assist.languages.words import Words, phrase
from table_assist.record.commands import (
    AcceptSettlement,
    Answer,
    BeginGame,
    ChangeSeats,
    ChooseDealer,
    Command,
    Correct,
    DeclareReady,
    DeclareWin,
    EndHand,
    Insert,
    NamePlayer,
    PassLastTile,
    PlaceAntes,
    RaiseObjection,
    Rule,
    SetClock,
    Settle,
    StartHand,
    TellBirds,
    TellDraw,
    TellHand,
    TellOpening,
    TellTreasure,
    Undo,
    WithdrawAcceptance,
)
from table_assist.record.snapshot import Snapshot
from table_assist.rules.play_rules import DeadHand
from web.access.roles import Role, Viewer, role_words
from web.api.bodies import (
    Fields,
    antes,
    choice,
    event,
    face,
    faces,
    flag,
    four,
    optional,
    or_none,
    reason,
    seat,
    text,
    texts,
    told_hand,
    whole,
)
from web.view.asked_view import is_asked
from web.view.sentences import is_unfollowed
from web.view.vocabulary import player

LARGEST_WHOLE = (1 << 53) - 1  # the largest whole number that a browser's script can count to
MOST_TOKENS = 99
MOST_POINTS = 1_000_000
LAST_HAND = 9999
MOST_TIME_S = 86_400

Check = Callable[[Command, Viewer, Snapshot], Words | None]


@dataclass(frozen=True, slots=True)
class Spec:
    """One command as the API offers it.

    Attributes:
        role: the least that may give it.
        tells: what it does, for the description.
        make: the command from the body's values.
        check: why this viewer may not give it now; None if it may.
        given_by: the command with who gives it, where that is a part of it.
    """

    name: str
    role: Role
    tells: str
    fields: Fields
    make: Callable[..., Command]
    check: Check = lambda command, who, snapshot: None  # anybody may
    given_by: Callable[[Command, Viewer, Snapshot], Command] = lambda said, who, snapshot: said


def _not_yours(seat: int, snapshot: Snapshot) -> Words:
    return phrase("commands.this_phone_speaks", other=player(snapshot.names, seat))


def _told_by_others(command: Command, who: Viewer, snapshot: Snapshot) -> Words | None:
    """A player tells another's hand, too, but does not change what somebody else has told."""
    assert isinstance(command, TellHand)
    seat, wins = command.hand.seat, command.hand.winning_tile is not None
    is_declared = seat in snapshot.state.declared
    if who.seat not in (None, seat) and snapshot.is_followed and wins and not is_declared:
        return _not_yours(seat, snapshot)  # nobody but the player declares a win
    told = [
        entry
        for entry in snapshot.entries
        if isinstance(entry.event, HandTold) and entry.event.seat == seat
    ]
    if who.seat in (None, seat) or not told or told[-1].by == who.by:
        return None
    return phrase("commands.this_hand_is_told", other=player(snapshot.names, seat))


def _own_win(command: Command, who: Viewer, snapshot: Snapshot) -> Words | None:
    """A word alone would hold a table up at which only a hand that is told can end it."""
    if is_unfollowed(snapshot):
        return phrase("commands.nobody_follows_this_table")
    return _own_seat(command, who, snapshot)


def _own_seat(command: Any, who: Viewer, snapshot: Snapshot) -> Words | None:
    """A player speaks for the own seat, everybody above for any; of commands that have one."""
    if who.seat is not None and who.seat != command.seat:
        return _not_yours(command.seat, snapshot)
    return None


def _own_question(command: Command, who: Viewer, snapshot: Snapshot) -> Words | None:
    """A player answers what is asked about the own seat alone, or what all are asked."""
    assert isinstance(command, Answer)
    if who.seat is None:
        return None
    asked = _asked(command, snapshot)
    if asked is None:
        return None  # the table says so better
    if not is_asked(asked, who.seat, snapshot):
        return phrase("commands.this_question")
    return None


def _asked(command: Answer, snapshot: Snapshot) -> Asked | None:
    return next((q for q in snapshot.state.questions if q.question == command.question), None)


def _answered_by(command: Command, who: Viewer, snapshot: Snapshot) -> Command:
    """A player's answer to what all are asked is one voice."""
    assert isinstance(command, Answer)
    asked = _asked(command, snapshot)
    if who.seat is None or asked is None or not is_for_all(asked, snapshot.state):
        return command
    return replace(command, seat=who.seat)


def _without_camera(command: Command, who: Viewer, snapshot: Snapshot) -> Words | None:
    """A player does it at a table that nobody follows; elsewhere it is the scorer's."""
    if who.seat is None or is_unfollowed(snapshot):
        return None
    return role_words(Role.SCORER, who.role)


def _next_game(command: Command, who: Viewer, snapshot: Snapshot) -> Words | None:
    """A player begins one where that takes nobody's points: the last one is over, or not played."""
    game = snapshot.state.game
    if who.seat is None or snapshot.state.game_over or not game.played:
        return _without_camera(command, who, snapshot)
    return Words("The game is not over yet: the scorer ends it.", "本场尚未结束：由记分员结束。")


def _recent(command: Command, who: Viewer, snapshot: Snapshot) -> Words | None:
    """The scorer takes back what belongs to the present hand; a referee anything."""
    assert isinstance(command, Undo)
    if who.may(Role.REFEREE) or any(entry.seq == command.seq for entry in snapshot.entries):
        return None
    return phrase("commands.only_a_referee_takes")


def _this_hand(command: Command, who: Viewer, snapshot: Snapshot) -> Words | None:
    """The scorer settles what is shown, and says what that was; a referee any hand."""
    assert isinstance(command, Settle)
    if not command.hand and not command.seen:
        return phrase("commands.say_which_settlement")
    if who.may(Role.REFEREE) or command.hand in (0, snapshot.state.hand):
        return None
    return Words("Only a referee settles an earlier hand.", "以前的牌局只有裁判可以结算。")


def _told_before(command: Command, who: Viewer, snapshot: Snapshot) -> Words | None:
    """Only who knows the treasure says it again: else guesses would be answered."""
    assert isinstance(command, TellTreasure)
    refused = _own_seat(command, who, snapshot)
    if refused is not None:
        return refused
    if who.seat is not None and not snapshot.state.seats[who.seat].ready:
        return phrase("commands.only_a_seat")
    if who.seat is None and snapshot.state.treasures:
        return phrase("commands.treasure_was_told_already")
    return None


def _rule(**given: Any) -> Command:
    dead = given.pop("dead")
    return Rule(**given, dead=None if dead is None else DeadHand(dead))


SPECS = (
    Spec(
        "answer",
        Role.SEAT,
        "Answer an open question with one of its choices.",
        (text("question", 400), text("answer")),
        lambda question, answer: Answer(QuestionId.parse(question), answer),
        _own_question,
        _answered_by,
    ),
    Spec(
        "win",
        Role.SEAT,
        "Declare a win, as the win key would, at a table that is followed.",
        (seat(),),
        DeclareWin,
        _own_win,
    ),
    Spec(
        "ready",
        Role.SEAT,
        "Declare ready, as the ready key would.",
        (seat(),),
        DeclareReady,
        _own_seat,
    ),
    Spec(
        "pass",
        Role.SEAT,
        "Leave the wall's last tile to the next, as the pass key would.",
        (seat(),),
        PassLastTile,
        _own_seat,
    ),
    Spec(
        "treasure",
        Role.SEAT,
        "Say which tile names the treasure, as a player who is ready has seen it.",
        (seat(), face("tile")),
        TellTreasure,
        _told_before,
    ),
    Spec(
        "tell",
        Role.SEAT,
        "Tell a hand that no camera followed; it is judged and shown to all.",
        (
            told_hand("hand"),
            optional(or_none(seat("dealer"))),
            optional(or_none(face("indicator"))),
            optional(texts("photos", 8), ()),
            optional(or_none(antes("antes"))),
        ),
        TellHand,
        _told_by_others,
    ),
    Spec(
        "opening",
        Role.SEAT,
        "Tell a dealt hand that scores before play, as it was shown.",
        (seat(), faces("tiles", 14), optional(or_none(seat("dealer")))),
        TellOpening,
    ),
    Spec(
        "object",
        Role.SEAT,
        "Object to the hand that is shown: it is not settled before a person has answered.",
        (seat(),),
        RaiseObjection,
        _own_seat,
    ),
    Spec(
        "accept",
        Role.SEAT,
        "Accept the settlement that is shown, as a player whose word it waits for.",
        (seat(), text("seen", 80)),
        AcceptSettlement,
        _own_seat,
    ),
    Spec(
        "withdraw",
        Role.SEAT,
        "Take the own acceptance back, and what was settled by it.",
        (seat(),),
        WithdrawAcceptance,
        _own_seat,
    ),
    Spec(
        "name",
        Role.SEAT,
        "Say the name of the player who sits there.",
        (seat(), text("name", 40)),
        NamePlayer,
        _own_seat,
    ),
    Spec(
        "clock",
        Role.SEAT,
        "Give everybody so much time, in seconds, or let the clock stand; 0: no limit.",
        (
            whole("evening_s", 0, MOST_TIME_S),
            whole("round_s", 0, MOST_TIME_S),
            whole("think_s", 0, MOST_TIME_S),
            flag("running"),
        ),
        SetClock,
        _without_camera,
    ),
    Spec(
        "birds",
        Role.SEAT,
        "Tell the birds that were turned after a win.",
        (faces("tiles", 8),),
        TellBirds,
    ),
    Spec(
        "draw",
        Role.SEAT,
        "Say that a hand that no camera followed ended with the wall, and nobody won.",
        (
            optional(or_none(seat("last_drawer"))),
            optional(or_none(seat("dealer"))),
            optional(or_none(seat("last_passed"))),
            optional(flag("chased"), False),
        ),
        TellDraw,
        _without_camera,
    ),
    Spec(
        "undo",
        Role.SCORER,
        "Take an entry back: of this hand, or as referee any.",
        (whole("seq", 1, LARGEST_WHOLE),),
        Undo,
        _recent,
    ),
    Spec(
        "start",
        Role.SCORER,
        "Start a hand at a table without a board: the seat deals.",
        (seat(),),
        lambda seat: StartHand(seat),
    ),
    Spec("end", Role.SCORER, "End the hand without a win.", (), EndHand),
    Spec(
        "game",
        Role.SEAT,
        "Begin a game: from how many points, and what ends it besides the rules.",
        (
            whole("points", 0, MOST_POINTS),
            optional(or_none(whole("floor", -MOST_POINTS, MOST_POINTS))),
            whole("length", 0, LAST_HAND, default=0),
        ),
        BeginGame,
        _next_game,
    ),
    Spec(
        "antes",
        Role.SCORER,
        "Say what is staked on the next hand.",
        (flag("double_down"), four("challenges", 0, MOST_TOKENS)),
        PlaceAntes,
    ),
    Spec(
        "seats",
        Role.SCORER,
        "Say who sits where from the next hand on: for each seat, the seat its player comes from.",
        (four("came_from", 0, 3), optional(or_none(whole("east", 0, 3)))),
        ChangeSeats,
    ),
    Spec("dealer", Role.SCORER, "Say who deals the next hand.", (seat(),), ChooseDealer),
    Spec(
        "settle",
        Role.SCORER,
        "Accept the settlement that is shown; as referee also that of an earlier hand.",
        (whole("hand", 0, LARGEST_WHOLE, default=0), optional(text("seen", 80, least=0), "")),
        Settle,
        _this_hand,
    ),
    Spec(
        "correct",
        Role.REFEREE,
        "Say what an entry's event was in truth, in this hand or an earlier one.",
        (whole("seq", 1, LARGEST_WHOLE), event("event")),
        Correct,
    ),
    Spec(
        "insert",
        Role.REFEREE,
        "Say what is missing before an entry; 0: at the end.",
        (whole("before", 0, LARGEST_WHOLE), event("event")),
        Insert,
    ),
    Spec(
        "rule",
        Role.REFEREE,
        "A referee's ruling: an irregularity, points, a dead hand, or all of it.",
        (
            seat(),
            text("irregularity", 80, least=0),
            four("transfers", -MOST_POINTS, MOST_POINTS),
            reason("reason"),
            optional(or_none(choice("dead", *(each.value for each in DeadHand)))),
            whole("before", 0, LARGEST_WHOLE, default=0),
        ),
        _rule,
    ),
)
BY_NAME = {spec.name: spec for spec in SPECS}
