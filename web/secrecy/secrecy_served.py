"""Pictures and evidence as a viewer may see them, and what waits until nothing is secret."""

from collections.abc import Sequence
from dataclasses import replace

from flask import Flask, Response, request

from table_assist.contract.evidence import Evidence
from table_assist.contract.snapshot import Snapshot
from table_assist.evidence.crop import cut
from table_assist.game.events import HandShown, ReadyDeclared
from table_assist.game.state import Phase
from table_assist.live.live_table import LiveTable
from table_assist.vision.table.blacken import Polygon, blackened
from table_assist.vision.table.zones import ZoneKind
from web.access.roles import Role, Viewer, viewer
from web.answers import refusal_answer
from web.refusal import RefusedRequest
from web.secrecy.secrecy import is_secret, masked
from web.secrecy.secrecy_commands import HIDDEN
from web.table import any_table

# Endpoints that hand out the log, or pictures, as they are: they wait for the reveal.
RAW = frozenset(
    {
        "admin.backup_file",
        "admin.bundle",
        "admin.bundle_file",
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
        raise RefusedRequest(409, HIDDEN)


def _hold_back(response: Response) -> Response:
    """The secret may have begun while the answer was made."""
    return refusal_answer(HIDDEN) if _is_held_back() else response


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
    if found is None or not _hides(snapshot, viewer) or found.t < _hidden_since(snapshot, viewer):
        return found
    black = _blackened(source, found.t, found.jpeg) or b""
    if is_secret(snapshot, viewer) and found.t >= _secret_since(snapshot):
        known = masked(snapshot, viewer)
        is_linked = id in {each for _, each in (*known.evidence, *known.entry_evidence)}
        box = found.crop_px if is_linked else None
        crop = cut(black, box) if box else b""
    else:
        crop = _without_hands(source, found, _open_hands(snapshot, viewer, id))
    return replace(found, jpeg=black, readings="{}", crop=crop)


def _hides(snapshot: Snapshot, viewer: Viewer) -> bool:
    return is_secret(snapshot, viewer) or _may_play(snapshot, viewer)


def _may_play(snapshot: Snapshot, viewer: Viewer) -> bool:
    """Whether a hand is played, perhaps by the viewer: a camera at the side sees others' tiles."""
    is_quiet = snapshot.state.phase in (Phase.WAITING, Phase.SETTLED)
    return not is_quiet and not viewer.may(Role.REFEREE)


def _hidden_since(snapshot: Snapshot, viewer: Viewer) -> float:
    if _may_play(snapshot, viewer):
        return min((entry.t for entry in snapshot.entries), default=float("-inf"))
    return _secret_since(snapshot)


def _secret_since(snapshot: Snapshot) -> float:
    times = [entry.t for entry in snapshot.entries if isinstance(entry.event, ReadyDeclared)]
    return min(times, default=float("-inf"))


def _open_hands(snapshot: Snapshot, viewer: Viewer, id: str) -> set[int]:
    """Seats whose tiles the viewer may see in the crop: laid open, its own, and asked about."""
    found = {each.event.seat for each in snapshot.entries if isinstance(each.event, HandShown)}
    if viewer.seat is not None:
        found.add(viewer.seat)
    if viewer.may(Role.SCORER):
        found |= {
            asked.seat
            for asked, evidence in snapshot.evidence
            if evidence == id and asked.kind.zone is ZoneKind.HAND and asked.seat is not None
        }
    return found


def _without_hands(source: LiveTable, found: Evidence, shown: set[int]) -> bytes:
    """The crop with every other hand black; none where it is not known where they are."""
    if found.crop_px is None:
        return b""

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
