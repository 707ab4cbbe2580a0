"""What happens in a driven hand besides the play, and how the hand went."""

from dataclasses import dataclass, field
from enum import Flag, auto


class Adventure(Flag):
    """What happens in a hand besides the play."""

    NONE = 0
    PHONES = auto()  # ready and wins are said by phone, not by key
    COUNTDOWN = auto()  # nobody taps: the settlement is accepted by itself
    DISPUTE = auto()  # the referee looks into the hand, puts a tile right and back, rules
    CORRECT = auto()  # the eyes err for a moment; the scorer puts the tile right
    UNDO = auto()  # a win is declared by mistake and taken back
    OFFLINE = auto()  # a phone loses the network and comes back
    SLEEP = auto()  # the television sleeps and comes back


# Over and over, hand by hand.
PLAN = (
    Adventure.DISPUTE,
    Adventure.PHONES | Adventure.CORRECT,
    Adventure.UNDO | Adventure.COUNTDOWN,
    Adventure.PHONES | Adventure.OFFLINE,
    Adventure.SLEEP,
)


@dataclass(slots=True)
class PlayedOne:
    """How a hand went.

    Attributes:
        transfers: the truth.
        settled_s: from the last hand laid down to the accepted score; None for a hand without a
            win.
        taps: from the deal to the accepted score, by who tapped; what an adventure takes aside.
        extra: the taps that the adventures took.
        before: those before the deal: who deals, what is staked.
    """

    rules: str
    hand: int
    adventure: Adventure
    transfers: tuple[int, int, int, int] = (0, 0, 0, 0)
    settled_s: float | None = None
    taps: dict[str, int] = field(default_factory=dict)
    extra: int = 0
    before: int = 0

    @property
    def names(self) -> str:
        """What happened besides the play."""
        return "+".join(each.name.lower() for each in self.adventure if each.name) or "none"
