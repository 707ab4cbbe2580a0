"""What the wanderers look at sees what must never be (the walk itself: ``tests.driven.wander``)."""

from table_assist.game.acceptance import name_of
from table_assist.game.events import Agreed, Settled
from table_assist.record.log import Entry, Retracted, Source
from tests.driven.wander import unaccepted

SETTLED = Settled((0,), (6, -2, -2, -2), 0)
OTHER = Settled((0,), (3, -1, -1, -1), 0)


def record(*events: Agreed | Retracted) -> tuple[Entry, ...]:
    return tuple(Entry(at, 0.0, Source.PERSON, event) for at, event in enumerate(events, 1))


def test_who_pays_and_never_accepted_is_named() -> None:
    said = [Agreed(seat, name_of(4, SETTLED)) for seat in (1, 2, 3)]
    assert unaccepted(record(*said), SETTLED) == set()
    assert unaccepted(record(*said[:2]), SETTLED) == {3}
    assert unaccepted(record(*said), OTHER) == {1, 2, 3}
    assert unaccepted(record(*said, Retracted(2)), SETTLED) == {2}
    assert unaccepted((), Settled((), (0, 0, 0, 0), 0)) == set()
