"""Secrets are taken out of the snapshot before anything is made of it for a viewer.

The treasure (rule sets with `RuleSet.treasure`) is looked at by players who declared ready and
hidden from everybody else, the referee and the admin included. `masked` builds the snapshot that
a viewer would have at a table where nobody ever said which tile it is: everything that is made of
it is then the same whatever the treasure. It is revealed by a win that stands; a hand that ends
without one keeps its secret until its tiles are gone into the next wall, so that ending a hand
and taking that back shows nothing.

Concealed hands, where the program knows them at all, are taken out for everybody as long as the
hand runs: nobody is advised on them.
"""

from dataclasses import replace

from table_assist.contract.secret import _guarded, has_secret, is_about_treasure
from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import (
    Answered,
    Asked,
    Drew,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    TilesExchanged,
    WinRefused,
)
from table_assist.game.question import QuestionId
from table_assist.game.ready import is_ready
from table_assist.game.state import TableState
from table_assist.languages.words import Words, player_at
from table_assist.record.log import Amended, Entry, Inserted
from table_assist.rules.verdict import Settlement
from table_assist.tiles.tile import Tile
from web.access.roles import Viewer

# The reason told for a refused hand of a ready player as long as the true ones could tell the
# treasure.
_REFUSED = ("structure",)


def is_secret(snapshot: Snapshot, viewer: Viewer) -> bool:
    """Whether a treasure is hidden from this viewer now.

    While it is, nothing may be served to the viewer that is not made from `masked`.
    """
    return has_secret(snapshot) and not _is_entitled(snapshot, viewer)


def _is_entitled(snapshot: Snapshot, viewer: Viewer) -> bool:
    """The viewer is a seat that declared ready, on a phone that was its before it did."""
    seat = viewer.seat
    if seat is None or not snapshot.state.rules or not is_ready(snapshot.state, seat):
        return False
    declared = [
        entry.t
        for entry in snapshot.entries
        if isinstance(entry.event, ReadyDeclared) and entry.event.seat == seat
    ]
    return bool(declared) and viewer.since <= min(declared)


def masked(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
    """The snapshot as this viewer may know it."""
    if snapshot.state.is_running:
        state = snapshot.state
        a, b, c, d = (replace(seat, concealed=None) for seat in state.seats)
        snapshot = replace(
            snapshot,
            state=replace(state, seats=(a, b, c, d)),
            entries=tuple(
                _with_event(entry, _face_down(entry.event)) for entry in snapshot.entries
            ),
        )
    return _without_treasure(snapshot) if is_secret(snapshot, viewer) else snapshot


# --- Concealed hands


def _face_down(event: object) -> object:
    match event:
        case HandStarted() if event.hands:
            return replace(event, hands=())
        case Drew() if event.tile is not Tile.UNKNOWN:
            return replace(event, tile=Tile.UNKNOWN)
        case TilesExchanged() if event.given:
            return replace(event, given=())
        case Amended(seq, inner):
            return Amended(seq, _face_down(inner))  # type: ignore[arg-type]
        case Inserted(before, inner):
            return Inserted(before, _face_down(inner))  # type: ignore[arg-type]
        case _:
            return event


# --- The treasure


def _without_treasure(snapshot: Snapshot) -> Snapshot:
    state, guarded = snapshot.state, _guarded(snapshot)
    hidden = {entry.seq for entry in snapshot.entries if is_about_treasure(entry.event)}
    unsaid = hidden_questions(snapshot, hidden)
    return replace(
        snapshot,
        state=_masked_state(state, unsaid, guarded),
        entries=tuple(
            _masked_entry(entry, guarded)
            for entry in snapshot.entries
            if not (isinstance(entry.event, Asked | Answered) and entry.event.question in unsaid)
        ),
        verdicts=tuple(each for each in snapshot.verdicts if each[0] not in guarded),
        settlement=_masked_settlement(snapshot.settlement, guarded),
        evidence=tuple(each for each in snapshot.evidence if each[0] not in unsaid),
        entry_evidence=tuple(each for each in snapshot.entry_evidence if each[0] not in hidden),
    )


def _masked_settlement(settlement: Settlement | None, guarded: frozenset[int]) -> Settlement | None:
    """A settlement that stands on no guarded hand; there is none beside one that wins."""
    if settlement is None or not settlement.winners:
        return None
    verdicts = {seat: each for seat, each in settlement.verdicts.items() if seat not in guarded}
    return replace(settlement, verdicts=verdicts)


def _masked_state(
    state: TableState, hidden: frozenset[QuestionId], guarded: frozenset[int]
) -> TableState:
    return replace(
        state,
        treasures=(),
        indicators=tuple(replace(each, tile=Tile.UNKNOWN) for each in state.indicators),
        refused=tuple(
            replace(each, refusals=_REFUSED) if each.seat in guarded else each
            for each in state.refused
        ),
        questions=tuple(
            _masked_question(asked, guarded)
            for asked in state.questions
            if asked.question not in hidden
        ),
    )


def hidden_questions(snapshot: Snapshot, hidden: set[int]) -> frozenset[QuestionId]:
    """Questions about the indicator: by the entry in doubt, or by what an answer would say."""
    asked = [*snapshot.state.questions]
    asked += [entry.event for entry in snapshot.entries if isinstance(entry.event, Asked)]
    return frozenset(
        each.question for each in asked if each.about in hidden or is_about_treasure(each.if_yes)
    )


def _masked_entry(entry: Entry, guarded: frozenset[int]) -> Entry:
    event = entry.event
    match event:
        case Asked():
            return _with_event(entry, _masked_question(event, guarded))
        case WinRefused(seat) if seat in guarded:
            return _with_event(entry, replace(event, refusals=_REFUSED))
        case _ if is_about_treasure(event):
            # How sure the camera was depends on the face that it saw.
            return replace(_with_event(entry, _unread(event)), confidence=1.0, origin="")
        case _:
            return entry


def _unread(event: object) -> object:
    match event:
        case IndicatorTurned():
            return replace(event, tile=Tile.UNKNOWN)
        case Amended(seq, inner):
            return Amended(seq, _unread(inner))  # type: ignore[arg-type]
        case Inserted(before, inner):
            return Inserted(before, _unread(inner))  # type: ignore[arg-type]
        case _:
            return event


def _masked_question(asked: Asked, guarded: frozenset[int]) -> Asked:
    """The reasons why a ready player's hand does not win may tell what the treasure is not."""
    if not isinstance(asked.if_yes, WinRefused) or asked.if_yes.seat not in guarded:
        return asked
    seat = asked.if_yes.seat
    return replace(
        asked,
        text=Words(
            "The hand of {seat} as read does not win. Refuse it?",
            "{seat} 的手牌（按所读）不能和。判为无效吗？",
            seat=player_at(seat),
        ),
        if_yes=WinRefused(seat, _REFUSED),
    )


def _with_event(entry: Entry, event: object) -> Entry:
    return entry if event is entry.event else replace(entry, event=event)  # type: ignore[arg-type]
