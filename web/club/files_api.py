"""The files of disputed hands: asked for, verified and opened at the desk as at the table."""

import json
import sys
import tempfile
import zipfile
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from flask import Blueprint, Response
from sqlalchemy import Row, select

from table_assist.club.hub.database import (
    entries,
    files,
    logs,
    orders,
    read,
    read_one,
    reading,
    tables,
)
from table_assist.club.hub.files import ask_file, content_of
from table_assist.club.orders import OrderKind
from table_assist.languages.words import Words
from table_assist.record.dispute.apart import looked_at_apart, looked_at_here, rejudged, rows_of
from table_assist.record.dispute.file import (
    DisputeError,
    DisputeFile,
    NoSuchHandError,
    disputed_hand,
)
from table_assist.record.dispute.verify import Rejudged, verify
from table_assist.record.private import DAMAGED_ARCHIVE, TooLargeError, small
from table_assist.trust.installation import fingerprint_of
from web.access.roles import Role, require
from web.answers import MOST_INT, file_answer
from web.api.bodies import text, whole
from web.club import shared
from web.club.shared import TABLE, Told, base
from web.language import page_words
from web.pages.dispute_page import dispute_page, findings_view, place
from web.pages.shell import render
from web.refusal import RefusedRequest, refuse

# A hand's file at the hub, opened in a process of its own: what `verify` finds, and its page.
#
# `python -m web.club.opened FILE SEAL BYTES` writes JSON. The page is made here, of the log in the
# file, and is not the one that the table wrote.


def opened(file: DisputeFile, noted: str) -> Told:
    """Findings, the page, and what is compared with what the club holds.

    Raises:
        DisputeError: the hand is not in the file's log.
    """
    hand, made_t = file.manifest.get("hand"), file.manifest.get("made_t")
    if type(hand) is not int:
        raise DisputeError("the file names no hand", "文件未写明局数")
    try:
        disputed = disputed_hand(file.entries, hand)
    except (NoSuchHandError, ValueError) as error:
        raise DisputeError(
            "hand {hand}: {error}", "第 {hand} 局：{error}", hand=hand, error=error
        ) from error
    pictures = [
        name.removeprefix("evidence/").removesuffix(".overlay.jpg")
        for name in file.hashes
        if name.startswith("evidence/") and name.endswith(".overlay.jpg")
    ]
    write = partial(
        dispute_page,
        made_t=float(made_t) if isinstance(made_t, int | float) else 0.0,
        signer=fingerprint_of(file.signer) if file.signer else "",
    )
    return {
        "findings": rows_of(verify(file, noted)),
        "page": write(disputed, file.seals[disputed.last_seq - 1], pictures),
        "signer": file.signer,
        "hand": hand,
        "entries": len(file.seals),
        "seal": file.seals[-1] if file.seals else "",
    }


if __name__ == "__main__":
    sys.exit(looked_at_here(sys.argv[1:], opened))


blueprint = Blueprint("files", __name__)
command = partial(shared.command, blueprint)
shown = partial(shared.shown, blueprint)

MOST_HAND = 1_000_000
MOST_SEAL = 80
MOST_PICTURE = 20_000_000
_IS_FILE = orders.c.kind == OrderKind.DISPUTE
# The page has its style in it, and pictures from the file beside it; nothing else runs or loads.
FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox"


@blueprint.get("/desk/file/<int:file>")
@require(Role.REFEREE)
def page(file: int) -> str:
    """Where a file is looked at: each sentence of `verify`, and the hand's page."""
    row = _row(file)
    words = page_words("verify", "hall", "files")
    return render("hall_file.html", words=words, view="file", file=file, row=row)


@shown("/api/desk/files", Role.REFEREE)
def stored_files() -> Told:
    """The files that were asked for, the latest first, and how far they have come."""
    query = (
        select(orders, tables.c.name, files.c.id.label("file"), files.c.digest, files.c.size,
               files.c.have)
        .join(tables, tables.c.id == orders.c.table_id)
        .outerjoin(files, files.c.order_key == orders.c.key)
        .where(_IS_FILE)
        .order_by(orders.c.id.desc())
        .limit(50)
    )  # fmt: skip
    return {"files": [
            {
                "file": row.file if row.file and row.have == row.size else None,
                "table": row.name, "hand": json.loads(row.order)["content"]["hand"],
                "digest": row.digest or "", "size": row.size or 0, "have": row.have or 0,
                "refused": row.refused, "at": row.at,
            }
            for row in read(base(), query)
        ]}  # fmt: skip


shared.does(blueprint, "file/ask", Role.REFEREE, ask_file, TABLE, whole("hand", 1, MOST_HAND))


@command("file/verify", Role.REFEREE, whole("file", 1, MOST_INT), text("seal", MOST_SEAL, least=0))
def verifies(file: int, seal: str) -> Told:
    """Answer with a file's proof: the sentences of `table-assist verify`, and the club's own."""
    row = _row(file)
    said = _opened(file, seal)
    # The club's own findings: whose file it is, and whether its log is the one held here
    query = (
        select(entries.c.seal)
        .join(logs, logs.c.id == entries.c.log)
        .where(logs.c.table_id == row.table_id, entries.c.seq == said["entries"])
    )
    with reading(base()) as connection:
        seals = set(connection.execute(query).scalars())
    signed, asked, held = said["signer"] == row.key, said["hand"] == row.hand, said["seal"] in seals
    if not seals:
        log = Rejudged(True, page_words("files")["file_not_yet"], is_proven=False)
    else:
        log = Rejudged(held, page_words("files")["file_same_log" if held else "file_other_log"])
    return findings_view(
        [
            *rejudged(said["findings"]),
            Rejudged(signed, _named("file_signed" if signed else "file_unsigned", row)),
            Rejudged(asked, _named("file_hand" if asked else "file_other_hand", row)),
            log,
        ]
    )


@blueprint.get("/api/desk/file/<int:file>/hand")
@require(Role.REFEREE)
def hand(file: int) -> Response:
    """The hand's page, made of the log in the file."""
    _row(file)
    headers = {"Cache-Control": "no-store", "Content-Security-Policy": FILE_POLICY}
    return Response(_opened(file, "")["page"], 200, headers, "text/html")


@blueprint.get("/api/desk/file/<int:file>/evidence/<name>.jpg")
@require(Role.REFEREE)
def picture(file: int, name: str) -> Response:
    """A picture of the file, as it was or as it was read."""
    _row(file)
    try:
        with zipfile.ZipFile(BytesIO(content_of(base(), file))) as archive:
            content = small(archive, f"evidence/{name}.jpg", MOST_PICTURE)
    except (*DAMAGED_ARCHIVE, TooLargeError, KeyError, OSError, zipfile.BadZipFile):
        refuse(404, "There is no such picture.", "没有此图像。")
    return file_answer(content, "image/jpeg")


@blueprint.get("/api/desk/file/<int:file>/dispute.zip")
@require(Role.REFEREE)
def download(file: int) -> Response:
    """The file as the table sent it."""
    name = f"dispute-hand-{_row(file).hand}.zip"
    return file_answer(content_of(base(), file), "application/zip", name)


def _row(file: int) -> Row[Any]:
    """A file that is whole, with its table's key and name."""
    query = (
        select(files, tables.c.key, tables.c.name)
        .join(tables, tables.c.id == files.c.table_id)
        .join(orders, orders.c.key == files.c.order_key)
        .where(files.c.id == file, files.c.have == files.c.size, _IS_FILE)
    )
    row = read_one(base(), query)
    if row is None:
        refuse(404, "There is no such file.", "没有此文件。")
    return row


def _opened(file: int, seal: str) -> Told:
    with place(), tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        path = Path(folder) / "dispute.zip"
        path.write_bytes(content_of(base(), file))
        try:
            return looked_at_apart(__name__, path, seal)
        except DisputeError as error:
            raise RefusedRequest(422, error.words) from error


def _named(key: str, row: Row[Any]) -> Words:
    return page_words("files")[key].filled(table=row.name, n=row.hand)
