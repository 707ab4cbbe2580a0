"""Secrets are taken out of the snapshot, and guesses at them refused, whoever the viewer is.

The treasure (rule sets with `RuleSet.treasure`) is looked at by players who declared ready and
hidden from everybody else, the referee and the admin included. `masked` builds the snapshot that
a viewer would have at a table where nobody ever said which tile it is: everything that is made of
it is then the same whatever the treasure. It is revealed by a win that stands; a hand that ends
without one keeps its secret until its tiles are gone into the next wall, so that ending a hand
and taking that back shows nothing.

Concealed hands, where the program knows them at all, are taken out for everybody as long as the
hand runs: nobody is advised on them.
"""

from collections.abc import Sequence
from dataclasses import replace

from flask import Flask, Response, request

from table_assist.game.events import (
    Asked,
    HandShown,
    HandTold,
    IndicatorTurned,
    IrregularityNoted,
    OpenPlay,
    Questioning,
    ReadyDeclared,
    WinRefused,
)
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase
from table_assist.game.win import is_ready
from table_assist.languages.words import Words, phrase, player_at
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import (
    Answer,
    Command,
    Correct,
    Insert,
    Rule,
    TellHand,
    TellOpening,
    Undo,
)
from table_assist.record.crop import cut
from table_assist.record.evidence import Evidence
from table_assist.record.log import Amended, Entry, Inserted
from table_assist.record.snapshot import (
    Snapshot,
    _guarded,
    face_down,
    has_secret,
    is_about_treasure,
)
from table_assist.tiles.tile import Tile
from table_assist.vision.table.blacken import Polygon, blackened
from table_assist.vision.table.zones import ZoneKind
from web.access.roles import Role, Viewer, viewer
from web.answers import any_table, refusal_answer
from web.refusal import RefusedRequest

# The reason told for a refused hand of a ready player as long as the true ones could tell the
# treasure.
_REFUSED = ("structure",)


def is_secret(snapshot: Snapshot, viewer: Viewer) -> bool:
    """Whether a treasure is hidden from this viewer now.

    While it is, nothing may be served to the viewer that is not made from `masked`. A seat that
    declared ready may know it, on a phone that was its before it did.
    """
    if not has_secret(snapshot):
        return False
    seat = viewer.seat
    if seat is None or not snapshot.state.rules or not is_ready(snapshot.state, seat):
        return True
    declared = [
        entry.t
        for entry in snapshot.entries
        if isinstance(entry.event, ReadyDeclared) and entry.event.seat == seat
    ]
    return viewer.since > min(declared, default=float("-inf"))


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
        case Amended(seq, inner):
            return Amended(seq, _face_down(inner))  # type: ignore[arg-type]
        case Inserted(before, inner):
            return Inserted(before, _face_down(inner))  # type: ignore[arg-type]
        case _:
            return face_down(event)


# --- The treasure


def _without_treasure(snapshot: Snapshot) -> Snapshot:
    state, guarded = snapshot.state, _guarded(snapshot)
    hidden = {entry.seq for entry in snapshot.entries if is_about_treasure(entry.event)}
    unsaid = hidden_questions(snapshot, hidden)
    # A settlement that stands on no guarded hand; there is none beside one that wins
    settlement = snapshot.settlement
    if settlement is not None:
        verdicts = {seat: each for seat, each in settlement.verdicts.items() if seat not in guarded}
        settlement = replace(settlement, verdicts=verdicts) if settlement.winners else None
    return replace(
        snapshot,
        state=replace(
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
                if asked.question not in unsaid
            ),
        ),
        entries=tuple(
            _masked_entry(entry, guarded)
            for entry in snapshot.entries
            if not (isinstance(entry.event, Questioning) and entry.event.question in unsaid)
        ),
        verdicts=tuple(each for each in snapshot.verdicts if each[0] not in guarded),
        settlement=settlement,
        evidence=tuple(each for each in snapshot.evidence if each[0] not in unsaid),
        entry_evidence=tuple(each for each in snapshot.entry_evidence if each[0] not in hidden),
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
        text=phrase("secrecy.hand_of_as_read", seat=player_at(seat)),
        if_yes=WinRefused(seat, _REFUSED),
    )


def _with_event(entry: Entry, event: object) -> Entry:
    return entry if event is entry.event else replace(entry, event=event)  # type: ignore[arg-type]


TREASURE_HIDDEN = phrase("secrecy.treasure_is_still")
NO_ADVICE = phrase("secrecy.hand_is_being_played")
_AT_STAKE = (Phase.PLAYING, Phase.SHOWING, Phase.SETTLED)


def withheld(command: Command, snapshot: Snapshot, viewer: Viewer) -> Words | None:
    """Why a command that is a guess at the treasure is not taken now; None if it may be given."""
    if not is_secret(snapshot, viewer) or snapshot.state.phase not in _AT_STAKE:
        return None
    match command:
        case Answer(question):
            indicators = {entry.seq for entry in snapshot.entries if is_about_treasure(entry.event)}
            return TREASURE_HIDDEN if question in hidden_questions(snapshot, indicators) else None
        case Correct(seq, event):
            was = next((entry.event for entry in snapshot.entries if entry.seq == seq), None)
            if was is None:
                return None  # of an earlier hand
            same = type(was) is type(event)
            return (
                None
                if same and not isinstance(event, IndicatorTurned | ReadyDeclared)
                else TREASURE_HIDDEN
            )
        case Insert(0, ReadyDeclared()):
            return None  # all screens say so, as with the key
        case Insert(before, event):
            earlier = 0 < before < min((entry.seq for entry in snapshot.entries), default=0)
            return (
                None
                if earlier or isinstance(event, OpenPlay | IrregularityNoted)
                else TREASURE_HIDDEN
            )
        case TellHand(hand) if viewer.seat not in (None, hand.seat):
            return TREASURE_HIDDEN  # the judge's answer would be one to a guess
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
        return TREASURE_HIDDEN
    match command:
        case Correct(_, event) | Insert(_, event):
            return None if isinstance(event, OpenPlay) else TREASURE_HIDDEN
        case Undo(seq):
            was = next((entry.event for entry in snapshot.entries if entry.seq == seq), None)
            return None if isinstance(was, OpenPlay) else TREASURE_HIDDEN
        case Rule():
            return None
        case _:
            return TREASURE_HIDDEN


# Endpoints that hand out the log, or pictures, as they are: they wait for the reveal.
RAW = frozenset(
    {
        "admin.backup_file",
        "admin.inside",
        "referee.dispute",
        "referee.dispute_file",
        "setup.picture",
        "setup.advice",
        "setup.calibrate",
        "verify.own",
    }
)


def init_app(app: Flask) -> None:
    """Hold the raw endpoints back while a treasure is hidden from who asks."""
    app.before_request(_refuse)
    app.after_request(_hold_back)


def _refuse() -> None:
    if _is_held_back():
        raise RefusedRequest(409, TREASURE_HIDDEN)


def _hold_back(response: Response) -> Response:
    """The secret may have begun while the answer was made."""
    return refusal_answer(TREASURE_HIDDEN) if _is_held_back() else response


def _is_held_back() -> bool:
    source = any_table()
    if request.endpoint not in RAW or source is None:
        return False
    return is_secret(source.snapshot, viewer())


def shown_picture(source: LiveTable, viewer: Viewer) -> bytes | None:
    """The camera's latest picture as the viewer may see it; None if there is nothing to be seen."""
    before = source.snapshot
    content = source.eyes.picture()
    # The secret may have begun while the picture was fetched, and then lies in it.
    secret = [each for each in (before, source.snapshot) if _hides(each, viewer)]
    if content is None or not secret:
        return content
    sure = source.eyes.sure_picture()
    return None if sure is None else _blackened(source, *sure)


def shown_evidence(source: LiveTable, id: str, viewer: Viewer) -> Evidence | None:
    """Evidence as the viewer may see it; None if there is none for it.

    While a treasure is hidden from the viewer, evidence since the first ready declaration has a
    blackened picture, no readings, and a crop of that picture only if it is about something else.
    So has all evidence of a hand that is played, for those who may be playing it; its crops lack
    the hands that stand.
    """
    found = source.evidence(id)
    snapshot = source.snapshot
    if found is None or not _hides(snapshot, viewer):
        return found
    hidden_since = _secret_since(snapshot)
    if _may_play(snapshot, viewer):
        hidden_since = min((entry.t for entry in snapshot.entries), default=float("-inf"))
    if found.t < hidden_since:
        return found
    black = _blackened(source, found.t, found.jpeg) or b""
    if is_secret(snapshot, viewer) and found.t >= _secret_since(snapshot):
        known = masked(snapshot, viewer)
        is_linked = id in {each for _, each in (*known.evidence, *known.entry_evidence)}
        box = found.crop_px if is_linked else None
        crop = cut(black, box) if box else b""
    else:
        crop = _without_hands(source, snapshot, viewer, found)
    return replace(found, jpeg=black, readings="{}", crop=crop)


def _hides(snapshot: Snapshot, viewer: Viewer) -> bool:
    return is_secret(snapshot, viewer) or _may_play(snapshot, viewer)


def _may_play(snapshot: Snapshot, viewer: Viewer) -> bool:
    """Whether a hand is played, perhaps by the viewer: a camera at the side sees others' tiles."""
    is_quiet = snapshot.state.phase in (Phase.WAITING, Phase.SETTLED)
    return not is_quiet and not viewer.may(Role.REFEREE)


def _secret_since(snapshot: Snapshot) -> float:
    times = [entry.t for entry in snapshot.entries if isinstance(entry.event, ReadyDeclared)]
    return min(times, default=float("-inf"))


def _without_hands(source: LiveTable, snapshot: Snapshot, viewer: Viewer, found: Evidence) -> bytes:
    """The crop with hands black but those laid open, the viewer's own, and those asked about.

    None where it is not known where hands are.
    """
    if found.crop_px is None:
        return b""
    shown: set[int | None] = {viewer.seat}
    shown |= {each.event.seat for each in snapshot.entries if isinstance(each.event, HandShown)}
    if viewer.may(Role.SCORER):
        shown |= {
            asked.seat
            for asked, evidence in snapshot.evidence
            if evidence == found.id and asked.kind.zone is ZoneKind.HAND
        }

    def hidden(size_wh: tuple[int, int]) -> Sequence[Polygon] | None:
        hands = source.eyes.hand_places(found.t, size_wh)
        return [place for seat, place in enumerate(hands) if seat not in shown] if hands else None

    return cut(found.jpeg, found.crop_px, hidden)


def _blackened(source: LiveTable, t: float, content: bytes) -> bytes | None:
    """Only rivers, melds and the dice stay; where these lay is not known, nothing does.

    Args:
        t: when the picture was taken: it is blackened by where the table lay then.
    """
    places = source.eyes.open_places(t)
    if not places:
        return None
    return blackened(content, places, lambda size_wh: source.eyes.hand_places(t, size_wh))
