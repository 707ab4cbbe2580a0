"""Which facts only one player may know while a hand is played."""

from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import IndicatorTurned, Settled
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import Phase
from table_assist.record.log import Amended, Inserted
from table_assist.rules.ruleset import RuleSet


def has_secret(snapshot: Snapshot) -> bool:
    """Whether a treasure is, or is about to be, hidden from anybody: from the first ready on.

    It stays hidden when the declaration, or even the deal, is taken back: what was looked at was.
    """
    state = snapshot.state
    if _rules(snapshot).treasure is None and snapshot.rules.treasure is None:
        return False
    turned = [n for n, entry in enumerate(snapshot.entries) if is_about_treasure(entry.event)]
    if not (turned or state.indicators or state.readied):
        return False
    if state.phase is Phase.SHOWING and snapshot.settlement is not None:
        return not _guarded(snapshot).intersection(snapshot.settlement.winners)
    since = snapshot.entries[turned[-1] if turned else 0 :]
    return not any(isinstance(each.event, Settled) and each.event.winners for each in since)


def _rules(snapshot: Snapshot) -> RuleSet:
    """Those of the hand, or of the table before the first."""
    return rules_in_force(snapshot.state) if snapshot.state.rules else snapshot.rules


def _guarded(snapshot: Snapshot) -> frozenset[int]:
    """The seats whose hands are judged by the treasure: what is said of them could tell it."""
    everybody = not _rules(snapshot).chosen.get("treasure_needs_ready", True)
    return frozenset(
        seat for seat, own in enumerate(snapshot.state.seats) if everybody or own.ready
    )


def is_about_treasure(event: object) -> bool:
    """Whether the event says which tile was looked at."""
    match event:
        case IndicatorTurned():
            return True
        case Amended(_, inner) | Inserted(_, inner):
            return is_about_treasure(inner)
        case _:
            return False
