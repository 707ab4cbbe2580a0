"""The admin's page: health, doctor, backups; for the admin only."""

import base64
import binascii
from functools import partial

from flask import Blueprint, Response, send_file

from table_assist.upkeep.table_service import TableService
from web.access import guard
from web.access.roles import Role, is_local, require
from web.answers import json_answer, of_app
from web.api.bodies import BodyError, Field, flag, takes, text, whole
from web.api.json_schema import short_text
from web.language import page_words
from web.refusal import refuse
from web.setup.setup import SETUP_LIMIT, administers, render

blueprint = Blueprint("admin", __name__)
_service = partial(of_app, TableService, "admin")
BACKUP_PIECE = 40_000  # bytes of a backup that are sent at once; as base64 they fit into a request
LARGEST_OFFSET = 1 << 40


def piece(name: str) -> Field:
    """Bytes as base64."""

    def convert(value: str) -> bytes:
        try:
            return base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError) as error:
            raise BodyError(
                "{name} is no base64.", "{name} 不是 base64。", name=f"{name!r}"
            ) from error

    schema = {**short_text(0, 4 * BACKUP_PIECE // 3 + 4), "contentEncoding": "base64"}
    return Field(name, schema, convert)


@blueprint.get("/admin")
@require(Role.ADMIN)
def page() -> str:
    """The page; what is on it comes from `state`."""
    return render("admin.html", page_words("frame", "admin"), "admin")


@blueprint.get("/api/admin")
@administers
def state() -> Response:
    """Checks, backups and the doctor's findings."""
    return json_answer(_service().view())


@blueprint.post("/api/admin/examine")
@administers
@takes()
def examine() -> Response:
    """Run the doctor."""
    _service().examine()
    return json_answer(_service().view())


@blueprint.post("/api/admin/restart")
@administers
@takes()
def restart() -> Response:
    """Start the table again."""
    _service().restart()
    return json_answer({"ok": True})


@blueprint.post("/api/admin/backup")
@administers
@takes(flag("evidence"))
def back_up(evidence: bool) -> Response:
    """Make a backup."""
    return json_answer({"name": _service().back_up(evidence=evidence), **_service().view()})


@blueprint.get("/admin/backup/<name>")
@administers
def backup_file(name: str) -> Response:
    """Download a backup."""
    path = _service().backup_file(name, at_machine=is_local())
    if path is None:
        refuse(404, "There is no such backup.", "没有这个备份。")
    # A relative path is the program's, not the pages' folder's.
    whole_path = path.absolute()
    return send_file(whole_path, "application/zip", as_attachment=True, download_name=path.name)


@blueprint.post("/api/admin/upload")
@administers
@guard.up_to(SETUP_LIMIT)
@takes(whole("offset", 0, LARGEST_OFFSET), piece("data"))
def upload(offset: int, data: bytes) -> Response:
    """A piece of a backup, in order."""
    return json_answer({"received": _service().shelf.receive(offset, data)})


@blueprint.post("/api/admin/inside")
@administers
@takes(text("name"))
def inside(name: str) -> Response:
    """Answer with a backup's content; every byte of it is checked."""
    return json_answer(_service().shelf.look_inside(name))


@blueprint.post("/api/admin/restore")
@administers
@takes(text("name"))
def restore(name: str) -> Response:
    """Put a backup back and start the table with it."""
    _service().put_back(name)
    return json_answer({"ok": True})


@blueprint.post("/api/admin/forget")
@administers
@takes(text("day", 10))
def forget(day: str) -> Response:
    """Delete the pictures that were kept of an evening."""
    _service().forget_pictures(day)
    return json_answer(_service().view())
