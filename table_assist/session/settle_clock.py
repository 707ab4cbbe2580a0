"""When a settlement that is shown is accepted by itself."""

from dataclasses import dataclass

from table_assist.game.events import BoardSaid, Settled
from table_assist.record.record import Record
from table_assist.session.command_handler import CommandHandler


@dataclass(frozen=True, slots=True)
class _Shown:
    """A settlement as people see it.

    Attributes:
        since: the last entry when it came to be shown as it is.
        at: when it is accepted, seconds since the epoch.
    """

    settled: Settled
    since: int
    at: float


class SettleClock:
    """Gives people time to object; what changes starts it anew, what is doubtful stops it.

    Args:
        after_s: how long a settlement without a doubt is shown; 0: not at all, and then only what
            blocks the settlement itself is waited for.
    """

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._shown: _Shown | None = None

    @property
    def at(self) -> float | None:
        """When the settlement is accepted, seconds since the epoch; None where no time runs."""
        return None if self._shown is None else self._shown.at

    def is_due(self, handler: CommandHandler, now: float) -> bool:
        """Whether the settlement that the handler shows is accepted now."""
        settled = handler.outcome.settled
        if settled is not None and (handler.record.state.told or handler.waits_for_payers):
            settled = None  # what nobody followed is accepted by a person
        if settled is None or (self._after_s > 0 and _is_doubtful(handler.record)):
            self._shown = None
            return False
        if self._after_s <= 0:
            return True
        since = _last_change(handler.record)
        if self._shown is None or (self._shown.settled, self._shown.since) != (settled, since):
            self._shown = _Shown(settled, since, now + self._after_s)
            return False
        if now < self._shown.at:
            return False
        self._shown = None
        return True


def _is_doubtful(record: Record) -> bool:
    """Whether anything is asked about this hand: then people accept its settlement."""
    hand = record.state.hand
    return any(asked.question.hand == hand for asked in record.state.questions)


def _last_change(record: Record) -> int:
    """The last entry that is more than a word of the board's from which nothing follows."""
    entries = reversed(record.entries)
    return next((e.seq for e in entries if not isinstance(e.event, BoardSaid)), 0)
