"""A hand's file at the hub, opened in a process of its own: what `verify` finds, and its page.

`python -m web.club.opened FILE SEAL BYTES` writes JSON. The page is made here, of the log in the
file, and is not the one that the table wrote.
"""

import sys
from functools import partial
from typing import Any

from table_assist.evidence.dispute.apart import looked_at_here, rows_of
from table_assist.evidence.dispute.file import DisputeError, DisputeFile
from table_assist.evidence.dispute.hand import NoSuchHandError, disputed_hand
from table_assist.evidence.dispute.verify import verify
from table_assist.trust.installation import fingerprint_of
from web.pages.dispute_page import dispute_page


def opened(file: DisputeFile, noted: str) -> dict[str, Any]:
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
