"""`table-assist dispute`: one hand of a log in a file, with everything that speaks for it."""

import argparse
import time
from contextlib import closing
from functools import partial
from pathlib import Path

from table_assist.languages.words import words_of
from table_assist.parts import VERSION
from table_assist.record.crop import draw_readings
from table_assist.record.dispute.file import DisputeError, pack_dispute
from table_assist.record.evidence import EVIDENCE_SUFFIX, Evidence, EvidenceError, EvidenceStore
from table_assist.record.export import read_log
from table_assist.record.private import keep_new_files_private
from table_assist.settings.config import load_config
from table_assist.trust.installation import open_key
from web.pages.dispute_page import dispute_page


def command(options: argparse.Namespace) -> int:
    """As ``table-assist dispute``; returns the exit code."""
    keep_new_files_private()
    config = load_config(options.config)
    log, made_t, key = Path(config.log.path), time.time(), open_key()
    try:
        content = pack_dispute(
            read_log(log),
            options.hand,
            made_t=made_t,
            program=VERSION,
            page=partial(dispute_page, made_t=made_t, signer=key.fingerprint),
            evidence=_kept(log, options.hand),
            overlay=lambda each: draw_readings(each.jpeg, each.readings),
            key=key,
        )
        options.file.write_bytes(content)
    except (ValueError, OSError) as error:
        raise DisputeError.told("not_packed", hand=options.hand, why=words_of(error)) from error
    size = f"{len(content):,} bytes"
    print(f"{options.file}: hand {options.hand}, {size}, signed by {key.fingerprint}")
    return 0


def _kept(log: Path, hand: int) -> list[tuple[str, Evidence]]:
    """The hand's pictures; from now on they are kept however old they become."""
    path = log.with_name(log.name + EVIDENCE_SUFFIX)
    if not path.exists():
        return []
    with closing(EvidenceStore(path)) as store:
        try:
            store.hold(hand)
            found = [(moment.id, store.get(moment.id)) for moment in store.moments(hand)]
        except EvidenceError as error:
            raise DisputeError.of(error.words) from error
    return [(id, each) for id, each in found if each is not None]
