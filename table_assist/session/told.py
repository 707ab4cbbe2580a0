"""What people tell at a table that is followed: a settlement that rests on it waits for all payers.

Whether it does is what the rules say of the hand with it and without it, not a list of kinds. A
player's own win is the player's own word, and ready before the tile that is won with. What the
camera sees as it was told is the camera's (`late_faces`).
"""

from dataclasses import replace

from table_assist.game.course import due_end, next_step
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    Beside,
    HandTold,
    LastTilePassed,
    ReadyDeclared,
    Transfers,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.holding import declares_now
from table_assist.game.in_force import rules_in_force
from table_assist.game.outcome import end_of_hand
from table_assist.game.people import seat_of
from table_assist.game.question import TOLD, QuestionId, QuestionKind
from table_assist.game.side_payments import told_before
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.step import Act
from table_assist.languages.words import SPACE, Words, joined, words_of
from table_assist.record.log import Amended, Entry, Retracted, Source
from table_assist.record.record import Record
from table_assist.rules.settlement import Laid, LaidKind
from table_assist.session.dice_thrown import SignalEffect
from table_assist.tiles.tile import Tile

Result = tuple[Transfers, tuple[int, ...]] | str  # points and winners, or why there is none
_OWN_WORD = WinDeclared | ReadyDeclared | LastTilePassed


def rests_on_told(record: Record, *, is_followed: bool) -> bool:
    """Whether the hand would be settled otherwise without what the players' phones told of it."""
    seen = any(each.source in (Source.CAMERA, Source.BOARD) for each in record.hand_entries())
    told = _told(record) if is_followed or seen else []
    return bool(told) and _without(record, told) != comes_to(record.state)


def who_lose(record: Record) -> frozenset[int]:
    """The winners who get less by what others' phones told, or whose hand another one told."""
    now, told = comes_to(record.state), _told(record)
    found = set[int]()
    if isinstance(now, str):
        return frozenset()
    for seat in now[1]:
        others = [entry for entry in told if seat_of(entry.by) not in (None, seat)]
        before = _without(record, others) if others else now
        if not isinstance(before, str) and seat in before[1]:
            is_less = now[0][seat] < before[0][seat]
        else:
            is_less = any(
                (isinstance(entry.event, HandTold) and entry.event.seat == seat) for entry in others
            )
        found |= {seat} if is_less else set()
    return frozenset(found)


def _told(record: Record) -> list[Entry]:
    counting = record.hand_entries()
    since = min((entry.seq for entry in counting), default=record.seq + 1)
    # Ready that was declared after the tile fell that is won with is told, too.
    return [
        entry
        for entry in record.entries[since - 1 :]
        if record.stands(entry.seq)
        and (
            # ready was declared after the tile fell that is won with
            (
                isinstance(entry.event, ReadyDeclared)
                and declares_now(record.state, entry.event.seat)
            )
            or (is_told(entry) and not _is_seen(record, entry))
        )
    ]


def _without(record: Record, entries: list[Entry]) -> Result:
    without = record.copy()
    for entry in reversed(entries):
        without.append(Retracted(entry.seq), Source.RULES)
    return comes_to(without.state)


def is_told(entry: Entry) -> bool:
    """Whether a player's phone says it, and it is more than the player's own word."""
    by_player = entry.source is Source.PERSON and seat_of(entry.by) is not None
    return by_player and not isinstance(entry.event, Beside | _OWN_WORD)


def _is_seen(record: Record, entry: Entry) -> bool:
    event = entry.event
    about = event.seq if isinstance(event, Amended) else entry.seq
    return record.last_word(about).source is Source.CAMERA


def comes_to(state: TableState) -> Result:
    """What the hands shown move, and who wins; or why that cannot be said."""
    try:
        ended = end_of_hand(state)
    except ValueError as error:
        return str(error)
    return ended.total, ended.winners


def drawn_as_told(state: TableState, end: WallExhausted) -> Doubt:
    """Nobody has won, and who pays for what was told says so first."""
    text = Words(
        "Nobody has won, and points move by what a player told. Is the hand drawn as shown?",
        "无人和牌，但按玩家所报有计分。按所示流局吗？",
    )
    question = QuestionId(state.hand, QuestionKind.DRAWN, subject=TOLD)
    return Doubt(question, text, ("yes",), if_yes=end)


# --- A hand that nobody can win any more: whether it is one, and how it ends


def is_played_out(state: TableState) -> bool:
    """Whether the wall is empty, or nobody wanted its last tile, and nobody has won."""
    if state.phase is not Phase.PLAYING:
        return False
    return next_step(rules_in_force(state), state).act is Act.NOBODY_WINS


def drawn(state: TableState) -> SignalEffect:
    """Nobody wins; where not all is known that is paid all the same, people say so first.

    Where a draw pays by kongs, nor is it while somebody is asked about what lies before a seat.
    """
    try:
        due = due_end(state, drawn=True)
    except ValueError as error:  # who deals next cannot be told
        why = words_of(error)
        text = Words("Nobody has won, but {why}.", "无人和牌，但{why}。", why=why)
        return SignalEffect((), (Doubt(QuestionId(state.hand, QuestionKind.DRAWN), text),))
    if due.end is None:
        return SignalEffect()
    earlier = told_before(state, ())
    unsure = [*due.unsure, *earlier]
    if _pays_by_kongs(state):
        unsure += [asked.text for asked in state.questions
                   if asked.blocks and asked.question.hand == state.hand]  # fmt: skip
    if not unsure:
        return SignalEffect((due.end,))
    text = Words(
        "Nobody has won. {said} Is the hand drawn as shown?",
        "无人和牌。{said}按所示流局吗？",
        said=joined(unsure, SPACE),
    )
    question = QuestionId(state.hand, QuestionKind.DRAWN)
    choices = ("yes",) if earlier else ("yes", "no")  # what is told again is asked about again
    return SignalEffect((), (Doubt(question, text, choices, if_yes=due.end),))


def _pays_by_kongs(state: TableState) -> bool:
    kongs = (Laid(LaidKind.KONG_CONCEALED, seat, tiles=(Tile.M1,) * 4) for seat in SEATS)
    others = (replace(state, laid=(*state.laid, kong)) for kong in kongs)
    ends = [due_end(each, drawn=True).end for each in (state, *others)]
    return len({end and end.transfers for end in ends}) > 1
