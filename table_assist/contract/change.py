"""The effect of a correction, hand by hand, before it is accepted."""

from dataclasses import dataclass

from table_assist.game.events import Asked, Transfers
from table_assist.game.state import NO_TRANSFERS
from table_assist.languages.words import Words


@dataclass(frozen=True, slots=True)
class HandChange:
    """The effect of a command on a hand that is over.

    Attributes:
        before: what it moved; None where it was not over before.
        after: what it moves then; None where it is not over any more, or cannot be settled.
        penalties_before: what moved beside its settlement, as with `penalties_after`.
    """

    hand: int
    before: Transfers | None
    after: Transfers | None
    penalties_before: Transfers = NO_TRANSFERS
    penalties_after: Transfers = NO_TRANSFERS


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of a command; nothing is recorded by asking.

    Attributes:
        scores_before: the standing now.
        hands: those hands of which something changes, oldest first.
        questions: what would be asked that is not asked now.
        unsettled: hands that were settled and would not be any more.
        sentences: what changes, for people to read before they accept.
    """

    scores_before: Transfers
    scores_after: Transfers
    hands: tuple[HandChange, ...] = ()
    questions: tuple[Asked, ...] = ()
    unsettled: tuple[int, ...] = ()
    sentences: tuple[Words, ...] = ()
