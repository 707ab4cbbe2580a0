"""A dispute file is checked: what is proven, what is not, in the words of `table-assist verify`."""

import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj

from flask import Blueprint, Flask, Response, current_app, request

from table_assist.evidence.dispute.apart import verify_apart
from table_assist.evidence.dispute.file import DisputeError
from table_assist.evidence.dispute.verify import Rejudged
from table_assist.languages.words import Words, words_view
from web.access import guard
from web.access.roles import Role, require
from web.answers import json_answer, the_table
from web.api.bodies import takes, text, whole
from web.language import page_words
from web.pages.dispute_page import packed
from web.pages.shell import render
from web.refusal import RefusedRequest, refuse

blueprint = Blueprint("verify", __name__)
MOST_BYTES = 100_000_000  # a hand with thirty 4K pictures
AT_ONCE = 2
TYPES = ("application/zip",)
MOST_SEAL = 80  # 64 letters, and spaces between them
LATEST = 1_000_000


def init_places(app: Flask) -> None:
    """Let the app check so many files at once."""
    app.extensions["checking"] = threading.BoundedSemaphore(AT_ONCE)


@blueprint.get("/verify")
@require(Role.SEAT)
def page() -> str:
    """Where a file is checked."""
    return render("verify.html", words=page_words("verify"), view="verify", most=MOST_BYTES)


@blueprint.post("/api/verify")
@require(Role.SEAT)
@guard.up_to(MOST_BYTES)
def uploaded() -> Response:
    """Check a dispute file; `?seal=` has the hand's seal as somebody noted it."""
    guard.check_post(TYPES)
    noted = request.args.get("seal", "")[:MOST_SEAL]
    with place(), tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        path = Path(folder) / "dispute.zip"
        with path.open("wb") as file:
            copyfileobj(request.stream, file)
        return _answer(path, noted)


@blueprint.post("/api/verify/hand")
@require(Role.SEAT)
@takes(whole("hand", 1, LATEST), text("seal", MOST_SEAL, least=0))
def own(hand: int, seal: str) -> Response:
    """Check the file of a hand of this table's own record, made now."""
    source = the_table()
    with place(), tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        path = Path(folder) / "dispute.zip"
        path.write_bytes(packed(source, hand))
        return _answer(path, seal)


@contextmanager
def place() -> Iterator[None]:
    """A check takes a processor for a while: few at once."""
    places: threading.BoundedSemaphore = current_app.extensions["checking"]
    if not places.acquire(blocking=False):
        refuse(503, "Other files are being checked: try again.", "正在核对其他文件：请稍后再试。")
    try:
        yield
    finally:
        places.release()


def _answer(path: Path, noted: str) -> Response:
    try:
        findings = verify_apart(path, noted)
    except DisputeError as error:
        said = error.words
        raise RefusedRequest(
            422, Words(_sentence(said.en, "."), _sentence(said.zh, "。"))
        ) from error
    return json_answer(findings_view(findings))


def findings_view(findings: Sequence[Rejudged]) -> dict[str, object]:
    """Each sentence with its mark, as `table-assist verify` prints it."""
    rows = [{"mark": each.mark, "text": words_view(each.text)} for each in findings]
    return {"ok": all(each.ok for each in findings), "findings": rows}


def _sentence(said: str, end: str) -> str:
    return f"{said[:1].upper()}{said[1:].rstrip('.。')}{end}"


uploaded.__dict__["media"] = TYPES
