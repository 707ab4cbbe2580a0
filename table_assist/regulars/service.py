"""All that a table knows of the people who come again: what is kept, and what its logs say."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from table_assist.game.people import Names
from table_assist.record.export import read_log
from table_assist.record.history import played_hands
from table_assist.record.log import Entry, entry_to_json
from table_assist.record.seal import seal_after
from table_assist.record.store import StoreError
from table_assist.regulars.kept import Regular, Regulars
from table_assist.regulars.tally import PersonTally, PlayedBy, games, played_by, tallies

logger = logging.getLogger(__name__)
NOBODY: Names = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody with what the logs say.

    Attributes:
        tallies: (rule set's id, what was done under it).
        course: the rating after each game; empty without a game, or without the library for it.
        uncounted: earlier hands under the name, which nobody has said were this player's.
    """

    regular: Regular
    tallies: tuple[tuple[str, PersonTally], ...]
    course: tuple[float, ...]
    uncounted: int = 0


class RegularsService:
    """One table's; any thread.

    Args:
        kept: what is kept of people.
        log: the table's own; other logs in its folder are earlier evenings. None: there are none.
    """

    def __init__(self, kept: Regulars, log: Path | None = None) -> None:
        self.kept = kept
        self._log = log
        self._read: dict[tuple[Path, int, int], tuple[str, list[PlayedBy]]] = {}

    def known(self, entries: Sequence[Entry], listed: Names) -> list[Known]:
        """Everybody who is kept, by name.

        Args:
            entries: of the table's own log.
            listed: by person, the names that the settings have for who has not said another.
        """
        played = [*self._earlier(_sign_of(entries)), *played_by(played_hands(entries), listed)]
        played.sort(key=lambda each: each.hand.ended_s)
        regulars = self.kept.all()
        rated = _rated(games(played, regulars))
        return [
            Known(
                each,
                tuple(tallies(played, each).items()),
                tuple(rated.get(each.key, ())),
                self._uncounted(each, played),
            )
            for each in regulars
        ]

    def _uncounted(self, regular: Regular, played: Sequence[PlayedBy]) -> int:
        from_s = self.kept.gone_s(regular.name)
        return sum(
            regular.key in each.keys and from_s < each.hand.ended_s <= regular.since
            for each in played
        )

    def _earlier(self, own: str) -> Iterator[PlayedBy]:
        """The hands of other logs beside the table's own; a copy of a log is no other log."""
        if self._log is None:
            return
        seen = {own}
        for path in sorted(self._log.parent.glob("*.sqlite")):
            if path.name == self._log.name or ".sqlite." in path.name:
                continue  # what lies beside a log is none
            sign, hands = self._of(path)
            if sign not in seen:
                seen.add(sign)
                yield from hands

    def _of(self, path: Path) -> tuple[str, list[PlayedBy]]:
        """How a log is known, and its hands; nothing of a file that is none, or is written now."""
        try:
            found = path.stat()
            key = path, found.st_mtime_ns, found.st_size
            if key not in self._read:
                entries = read_log(path)
                self._read[key] = _sign_of(entries), played_by(played_hands(entries), NOBODY)
        except (OSError, StoreError, ValueError) as error:
            logger.debug("%s is no earlier evening: %s", path, error)
            return "", []
        return self._read[key]


def _sign_of(entries: Sequence[Entry]) -> str:
    """The seal of the first entry, by which a log is known."""
    return seal_after("", entry_to_json(entries[0])) if entries else ""


def can_rate() -> bool:
    """Whether the library for ratings is here; it comes with a club's."""
    return find_spec("openskill") is not None


def _rated(played: list[tuple[tuple[str, ...], list[int]]]) -> dict[str, list[float]]:
    if not can_rate():
        return {}
    from table_assist.regulars.ratings import courses

    return courses(played)
