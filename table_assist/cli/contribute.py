"""A trial as one file for the project; it is shown what is in it, and nothing is sent."""

import argparse

from table_assist.languages.words import Words
from table_assist.upkeep.contribute import CONSENT, pack

_AGREED = Words("Does everybody agree?", "大家都同意吗？")


def command(options: argparse.Namespace) -> int:
    """As ``table-assist contribute``; returns the exit code: 1 where nobody agreed."""
    consent = CONSENT.map(lambda text: text.replace("{licence}", options.licence))
    print(consent.said(options.lang))
    question = f"{_AGREED.said(options.lang)} [y/N] "
    if not options.yes and input(question).strip().lower() not in ("y", "yes"):
        return 1
    out = options.out or options.folder.with_suffix(".trial.zip")
    size = pack(options.folder, out, options.licence)
    print(f"{out}: {size / 1e6:.1f} MB")
    return 0
