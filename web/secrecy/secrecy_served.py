"""Pictures and evidence as a viewer may see them, and what waits until nothing is secret."""

from dataclasses import replace

from flask import Flask, Response, current_app, request

from table_assist.contract.evidence import Evidence
from table_assist.contract.snapshot import Snapshot
from table_assist.contract.table_source import TableSource
from table_assist.evidence.crop import cut
from table_assist.game.events import ReadyDeclared
from table_assist.vision.table.blacken import blackened
from web.access.roles import Viewer, viewer
from web.answers import refusal_answer
from web.refusal import RefusedRequest
from web.secrecy.secrecy import is_secret, masked
from web.secrecy.secrecy_commands import HIDDEN

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
    source: TableSource | None = current_app.extensions.get("table")
    if request.endpoint not in RAW or source is None:
        return False
    return is_secret(source.snapshot, viewer())


def shown_picture(source: TableSource, viewer: Viewer) -> bytes | None:
    """The camera's latest picture as the viewer may see it; None if there is nothing to be seen."""
    before = source.snapshot
    content = source.picture()
    # The secret may have begun while the picture was fetched, and then lies in it.
    if content is None or not (is_secret(before, viewer) or is_secret(source.snapshot, viewer)):
        return content
    sure = source.sure_picture()
    return None if sure is None else _blackened(source, *sure)


def shown_evidence(source: TableSource, id: str, viewer: Viewer) -> Evidence | None:
    """Evidence as the viewer may see it; None if there is none for it.

    While a treasure is hidden from the viewer, evidence since the first ready declaration has a
    blackened picture, no readings, and a crop of that picture only if it is about something else.
    """
    found = source.evidence(id)
    snapshot = source.snapshot
    if found is None or not is_secret(snapshot, viewer):
        return found
    if found.t < _secret_since(snapshot):
        return found
    known = masked(snapshot, viewer)
    is_linked = id in {each for _, each in (*known.evidence, *known.entry_evidence)}
    black = _blackened(source, found.t, found.jpeg) or b""
    box = found.crop_px if is_linked else None
    return replace(found, jpeg=black, readings="{}", crop=cut(black, box) if box else b"")


def _secret_since(snapshot: Snapshot) -> float:
    times = [entry.t for entry in snapshot.entries if isinstance(entry.event, ReadyDeclared)]
    return min(times, default=float("-inf"))


def _blackened(source: TableSource, t: float, content: bytes) -> bytes | None:
    """Only rivers, melds and the dice stay; where these lay is not known, nothing does.

    Args:
        t: when the picture was taken: it is blackened by where the table lay then.
    """
    places = source.open_places(t)
    return blackened(content, places) if places else None
