"""The evenings whose pictures are kept, and forgetting them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from table_assist.contract.view import View
from table_assist.evidence.evenings import evenings
from table_assist.evidence.store import SUFFIX, EvidenceError, EvidenceStore
from table_assist.settings.config import Config
from table_assist.upkeep.views import evening_view


def evening_views(config: Config) -> list[View]:
    """The evenings for the page; none where the pictures cannot be read: a check says so."""
    try:
        if not _path(config).exists():
            return []
        with _open(config) as store:
            return [evening_view(each) for each in evenings(store.hands())]
    except EvidenceError:
        return []


def forget_evening(config: Config, day: str) -> int:
    """Delete an evening's pictures for good; the bytes freed.

    Raises:
        EvidenceError: they cannot be deleted.
    """
    with _open(config) as store:
        found = [each for each in evenings(store.hands()) if each.day == day]
        return store.forget(hand for each in found for hand in each.hands)


@contextmanager
def _open(config: Config) -> Iterator[EvidenceStore]:
    store = EvidenceStore(_path(config))
    try:
        yield store
    finally:
        store.close()


def _path(config: Config) -> Path:
    log = Path(config.log.path)
    return log.with_name(log.name + SUFFIX)
