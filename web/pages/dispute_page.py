"""The page of a dispute file, one hand with all that it rests on; and where one is verified."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from html import escape
from pathlib import Path
from shutil import copyfileobj

from flask import Blueprint, Flask, Response, current_app, request

from table_assist.game.events import BoardSaid
from table_assist.game.people import seated
from table_assist.languages.words import Words, words_view
from table_assist.live.live_table import LiveTable
from table_assist.parts import VERSION
from table_assist.record.crop import draw_readings
from table_assist.record.dispute.apart import verify_apart
from table_assist.record.dispute.file import (
    DisputedHand,
    DisputeError,
    NoSuchHandError,
    disputed_hand,
    laws_of,
    pack_dispute,
    verdicts_of,
)
from table_assist.record.dispute.verify import Rejudged
from table_assist.record.evidence import Evidence
from table_assist.record.log import Entry
from table_assist.record.seal import SHOWN_LETTERS
from table_assist.tiles.tile import format_tiles
from table_assist.trust.installation import open_key
from web.access import guard
from web.access.roles import Role, require
from web.answers import json_answer, the_table
from web.api.bodies import takes, text, whole
from web.language import page_words
from web.pages.shell import render
from web.refusal import RefusedRequest, refuse
from web.view import sentences
from web.view.vocabulary import SOURCE_WORDS, percent

_STYLE = """
body { font: 15px/1.5 system-ui, "Noto Sans CJK SC", sans-serif; margin: 2rem auto;
  max-width: 60rem; padding: 0 1rem; color: #1c2321; background: #fff }
h1 { margin-bottom: 0 } h2 { margin: 2rem 0 .5rem; border-bottom: 1px solid #bbb }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; vertical-align: top;
  padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #e5e5e5 }
td:first-child { white-space: nowrap; color: #666; font-variant-numeric: tabular-nums }
.zh { color: #555 } .no { color: #9b1c1c; font-weight: 600 } .decided td { font-weight: 600 }
code { overflow-wrap: anywhere } img { max-width: 49%; border: 1px solid #ccc }
@media print { body { margin: 0; max-width: none } h2 { break-after: avoid } }
"""


def dispute_page(
    hand: DisputedHand,
    seal: str,
    pictures: Sequence[str],
    *,
    made_t: float,
    signer: str = "",
) -> str:
    """A whole page; pictures lie beside it under ``evidence/``.

    Args:
        signer: the fingerprint of the installation that signs the file.
    """
    a, b, c, d = seated(hand.names, hand.before_end.people)
    parts = (
        *_head(hand, seal, (a, b, c, d), made_t, signer),
        *_judged(hand, (a, b, c, d)),
        *_laws(hand),
        *_pictures(pictures),
        *_entries(hand, (a, b, c, d)),
    )
    title = escape(f"Hand {hand.hand} · 第 {hand.hand} 局")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def _head(
    hand: DisputedHand, seal: str, names: tuple[str, str, str, str], made_t: float, signer: str
) -> Iterator[str]:
    rules, state = hand.rules, hand.before_end
    yield f"<h1>Hand {hand.hand} · 第 {hand.hand} 局</h1>"
    yield f"<p>{_both(rules.names)}</p><table>"
    options = ", ".join(f"{key} = {value}" for key, value in state.options) or "all at default"
    dice = "; ".join(" ".join(map(str, each.values)) for each in state.throws) or "–"
    rows = (
        ("Written · 写于", _time(made_t)),
        ("Seal · 封印", f"{seal[:SHOWN_LETTERS]} <code>{seal}</code>"),
        ("Signed by installation · 签名安装", f"<code>{escape(signer or '–')}</code>"),
        ("Players · 玩家", escape(", ".join(f"{seat}: {n}" for seat, n in enumerate(names)))),
        ("Dealer · 庄家", escape(names[state.dealer])),
        ("Profile · 规则档", escape(f"{hand.profile or '–'}")),
        ("Rules' hash · 规则散列", f"<code>{escape(hand.hash or '–')}</code>"),
        ("House options · 选项", escape(options)),
        ("Dice · 骰子", escape(dice)),
    )
    for name, value in rows:
        yield f"<tr><td>{name}</td><td>{value}</td></tr>"
    yield "</table>"


def _judged(hand: DisputedHand, names: tuple[str, str, str, str]) -> Iterator[str]:
    yield "<h2>Judged again from the record · 按记录重新判定</h2>"
    if hand.ended is None:
        yield f"<p>{escape(hand.why_not)}</p>"
        return
    shown = {each.seat: each for each in hand.before_end.shown}
    for seat, verdict in verdicts_of(hand):
        own = hand.before_end.seats[seat]
        melds = "  ".join(format_tiles(meld.tiles) for meld in own.melds)
        held = format_tiles(shown[seat].concealed)
        won_on = shown[seat].winning_tile
        yield f"<h3>{escape(names[seat])}</h3>"
        yield f"<p><code>{escape(f'{held}  {melds}')}</code> · {escape(str(won_on))}</p>"
        for counted in verdict.patterns:
            yield f"<p>{_both(counted.names)}: {counted.value}</p>"
        for refusal in verdict.refusals:
            yield f'<p class="no">{_both(refusal.words)}</p>'
    lines = "".join(f"<li>{_both(step)}</li>" for step in hand.ended.steps)
    total = " ".join(f"{escape(n)} {p:+d}" for n, p in zip(names, hand.ended.total, strict=True))
    yield f"<p><b>{total}</b></p><ul>{lines}</ul>"


def _laws(hand: DisputedHand) -> Iterator[str]:
    laws = laws_of(hand)
    if not laws:
        return
    yield "<h2>The rules it rests on · 所据规则</h2><table>"
    for law in laws:
        source = escape(law.source)
        yield f"<tr><td>{escape(law.number)}</td><td>{_both(law.words)}<br>{source}</td></tr>"
    yield "</table>"


def _pictures(pictures: Sequence[str]) -> Iterator[str]:
    if not pictures:
        return
    yield "<h2>Pictures, as they were and as they were read · 图像与所读</h2>"
    for id in pictures:
        name = escape(id, quote=True)
        yield (
            f'<p>{name}<br><img src="evidence/{name}.jpg" alt="the picture"> '
            f'<img src="evidence/{name}.overlay.jpg" alt="as it was read"></p>'
        )


def _entries(hand: DisputedHand, names: tuple[str, str, str, str]) -> Iterator[str]:
    yield "<h2>The record · 记录</h2><table>"
    decided = {entry.seq for entry in hand.decisions}
    for entry in hand.entries:
        if isinstance(entry.event, BoardSaid):
            said = escape(f"{entry.event.kind} {' '.join(entry.event.fields)}")
        else:
            said = _both(sentences.sentence(entry.event, names, hand.rules))  # type: ignore[arg-type]
        mark = ' class="decided"' if entry.seq in decided else ""
        by = escape(entry.by) or _both(SOURCE_WORDS[entry.source])
        sure = "" if entry.confidence >= 1 else f" {percent(entry.confidence)}"
        when = f"{entry.seq} {_time(entry.t)}"
        yield f"<tr{mark}><td>{when}</td><td>{said}</td><td>{by}{sure}</td></tr>"
    yield "</table>"


def _both(words: Words) -> str:
    return f'{escape(words.en)} <span class="zh">{escape(words.zh)}</span>'


def _time(t: float) -> str:
    return datetime.fromtimestamp(t, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def packed(
    source: LiveTable,
    hand: int,
    *,
    overlay: Callable[[Evidence], bytes] | None = None,
    hold: bool = False,
    log: Sequence[Entry] | None = None,
    pictures: bool = True,
) -> bytes:
    """The hand with its evidence, signed by this installation, as a ZIP file.

    Args:
        overlay: draws what was read over a picture, as JPEG.
        hold: from now on the table never deletes the hand's evidence.
        log: its first entries, where not all may be in the file.

    Raises:
        RefusedRequest: the record has no such hand (404).
    """
    made_t, key = time.time(), open_key()
    log = source.entries() if log is None else log
    try:
        entries = disputed_hand(log, hand).entries if pictures else ()
    except NoSuchHandError as error:
        raise RefusedRequest(404, error.words) from error
    found = [(f"e{entry.seq}", source.evidence(f"e{entry.seq}")) for entry in entries]
    if hold:
        source.hold_evidence(hand)
    return pack_dispute(
        log,
        hand,
        made_t=made_t,
        program=VERSION,
        page=partial(dispute_page, made_t=made_t, signer=key.fingerprint),
        evidence=[(id, each) for id, each in found if each is not None],
        overlay=overlay,
        key=key,
    )


def packed_for_club(source: LiveTable, log: Sequence[Entry], hand: int, pictures: bool) -> bytes:
    """The same for the table's club: of hands that are over alone."""
    return packed(source, hand, overlay=drawn, hold=pictures, log=log, pictures=pictures)


def drawn(evidence: Evidence) -> bytes:
    """The picture with what was read over it."""
    return draw_readings(evidence.jpeg, evidence.readings)


blueprint = Blueprint("verify", __name__)
MOST_DISPUTE_BYTES = 100_000_000  # a hand with thirty 4K pictures
READERS_AT_ONCE = 2
TYPES = ("application/zip",)
MOST_SEAL = 80  # 64 letters, and spaces between them
LATEST_ENTRY = 1_000_000


def init_places(app: Flask) -> None:
    """Let the app check so many files at once."""
    app.extensions["checking"] = threading.BoundedSemaphore(READERS_AT_ONCE)


@blueprint.get("/verify")
@require(Role.SEAT)
def page() -> str:
    """Where a file is checked."""
    return render("verify.html", words=page_words("verify"), view="verify", most=MOST_DISPUTE_BYTES)


@blueprint.post("/api/verify")
@require(Role.SEAT)
@guard.up_to(MOST_DISPUTE_BYTES)
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
@takes(whole("hand", 1, LATEST_ENTRY), text("seal", MOST_SEAL, least=0))
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
        raise RefusedRequest(422, Words(_ended(said.en, "."), _ended(said.zh, "。"))) from error
    return json_answer(findings_view(findings))


def findings_view(findings: Sequence[Rejudged]) -> dict[str, object]:
    """Each sentence with its mark, as `table-assist verify` prints it."""
    rows = [{"mark": each.mark, "text": words_view(each.text)} for each in findings]
    return {"ok": all(each.ok for each in findings), "findings": rows}


def _ended(said: str, end: str) -> str:
    return f"{said[:1].upper()}{said[1:].rstrip('.。')}{end}"


uploaded.__dict__["media"] = TYPES
