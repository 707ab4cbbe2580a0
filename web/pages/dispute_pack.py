"""The file of a disputed hand of this table's own record, made now."""

import time
from collections.abc import Callable, Sequence
from functools import partial

from table_assist.capture.manifest import program_version
from table_assist.contract.evidence import Evidence
from table_assist.contract.table_source import TableSource
from table_assist.evidence.crop import draw_readings
from table_assist.evidence.dispute.file import pack_dispute
from table_assist.evidence.dispute.hand import NoSuchHandError, disputed_hand
from table_assist.record.log import Entry
from table_assist.trust.installation import open_key
from web.pages.dispute_page import dispute_page
from web.refusal import RefusedRequest


def packed(
    source: TableSource,
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
        evidence = _evidence(source, log, hand) if pictures else []
    except NoSuchHandError as error:
        raise RefusedRequest(404, error.words) from error
    if hold:
        source.hold_evidence(hand)
    return pack_dispute(
        log,
        hand,
        made_t=made_t,
        program=program_version(),
        page=partial(dispute_page, made_t=made_t, signer=key.fingerprint),
        evidence=evidence,
        overlay=overlay,
        key=key,
    )


def packed_for_club(source: TableSource, log: Sequence[Entry], hand: int, pictures: bool) -> bytes:
    """The same for the table's club: of hands that are over alone."""
    return packed(source, hand, overlay=drawn, hold=pictures, log=log, pictures=pictures)


def drawn(evidence: Evidence) -> bytes:
    """The picture with what was read over it."""
    return draw_readings(evidence.jpeg, evidence.readings)


def _evidence(source: TableSource, log: Sequence[Entry], hand: int) -> list[tuple[str, Evidence]]:
    found = [
        (f"e{entry.seq}", source.evidence(f"e{entry.seq}"))
        for entry in disputed_hand(log, hand).entries
    ]
    return [(id, each) for id, each in found if each is not None]
