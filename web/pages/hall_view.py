"""A table's view for its club's hall: small, and made of the masked snapshot at the table."""

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import View, words_view
from web.access.roles import STRANGER
from web.secrecy.secrecy import masked
from web.view import sentences


def hall_view(snapshot: Snapshot) -> View:
    """The table as a television of the club shows it; nothing that a spectator here may not see."""
    seen = masked(snapshot, STRANGER)
    state = seen.state
    return {
        "hand": state.hand,
        "phase": state.phase.value,
        "headline": words_view(sentences.headline(seen)),
        "names": list(seen.names),
        "scores": list(state.scores),
        "dealer": state.dealer,
        "wall": state.wall_left if state.is_running else None,
        "rules": words_view(seen.rules.names),
        "profile": state.hash,
        "questions": len(state.questions),
    }
