"""What the wanderers look at sees what must never be (the walk itself: ``tests.driven.wander``)."""

from table_assist.game.acceptance import name_of
from table_assist.game.events import Agreed, Event, HandStarted, Settled
from table_assist.record.log import Entry, Retracted, Source
from tests.driven.wander import unaccepted

SETTLED = Settled((0,), (6, -2, -2, -2), 0)
OTHER = Settled((0,), (3, -1, -1, -1), 0)
SAID = [Agreed(seat, name_of(4, SETTLED)) for seat in (1, 2, 3)]


def record(*events: Event | Retracted, hand: int = 4) -> tuple[Entry, ...]:
    started = HandStarted(hand, "changsha", 0, 55, 0)
    return tuple(
        Entry(at, 0.0, Source.PERSON, event) for at, event in enumerate((started, *events), 1)
    )


def test_who_pays_and_never_accepted_is_named() -> None:
    assert unaccepted(record(*SAID), SETTLED) == set()
    assert unaccepted(record(*SAID[:2]), SETTLED) == {3}
    assert unaccepted(record(*SAID), OTHER) == {1, 2, 3}
    assert unaccepted(record(*SAID, Retracted(3)), SETTLED) == {2}
    assert unaccepted(record(), Settled((), (0, 0, 0, 0), 0)) == set()


def test_the_same_payments_of_an_earlier_hand_do_not_count() -> None:
    assert unaccepted(record(*SAID, hand=5), SETTLED) == {1, 2, 3}
