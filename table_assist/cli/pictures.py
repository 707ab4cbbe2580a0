"""Pictures that were kept of decisions and doubts: told by evening, and deleted."""

import argparse
import sys
from pathlib import Path

from table_assist.evidence.store import SUFFIX, EveningPictures, EvidenceStore, evenings
from table_assist.settings.config import load_config


def command(options: argparse.Namespace) -> int:
    """As ``table-assist pictures``; returns the exit code. The table may run meanwhile."""
    config = load_config(options.config)
    log = Path(config.log.path)
    path = log.with_name(log.name + SUFFIX)
    if not path.exists():
        print(f"No pictures are kept beside {log}.")
        return 0
    store = EvidenceStore(path)
    try:
        return _forget(options, store, evenings(store.hands()), Path(config.backup.folder))
    finally:
        store.close()


def _forget(
    options: argparse.Namespace,
    store: EvidenceStore,
    there: tuple[EveningPictures, ...],
    backups: Path,
) -> int:
    if options.forget_all:
        hands = [hand for evening in there for hand in evening.hands]
    elif options.forget_day is not None:
        hands = [hand for each in there if each.day == options.forget_day for hand in each.hands]
    elif options.forget_hand is not None:
        hands = [options.forget_hand]
    else:
        for each in there:
            held = f", {each.held} held for a dispute" if each.held else ""
            print(
                f"{each.day}: {len(each.hands)} hands, {each.pictures} pictures, "
                f"{each.bytes / 1e6:.1f} MB{held}"
            )
        return 0
    freed = store.forget(hands)
    if not freed:
        print("table-assist: there are no such pictures", file=sys.stderr)
        return 1
    print(f"{freed / 1e6:.1f} MB of pictures are deleted; the log stays whole.")
    print(f"Recordings, dispute files and backups made with pictures (in {backups}) keep theirs.")
    return 0
