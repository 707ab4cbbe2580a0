"""An evening, told: what everybody gave and got adds up, in as few payments as there can be."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.contract.commands import BeginGame, Settle, TellBirds, TellDraw, TellHand
from table_assist.record.history import evening_of, fewest_payments
from table_assist.tiles.tile import parse_tiles
from tests.session.test_manual_hands import handler_of, obey, told

SMALL = st.integers(-40, 40)


@given(SMALL, SMALL, SMALL)
def test_after_the_payments_everybody_is_even(a: int, b: int, c: int) -> None:
    left = [a, b, c, -a - b - c]
    paid = fewest_payments(tuple(left))
    for payer, payee, points in paid:
        assert points > 0
        left[payer] += points
        left[payee] -= points
    assert left == [0, 0, 0, 0]


@given(SMALL, SMALL, SMALL)
def test_nobody_could_be_even_with_fewer_payments(a: int, b: int, c: int) -> None:
    """An oracle of its own: as many groups as possible that are even among themselves."""
    balance = (a, b, c, -a - b - c)
    owing = [person for person in range(4) if balance[person]]
    best = 0
    for labels in product(range(4), repeat=len(owing)):
        groups = [[p for p, at in zip(owing, labels, strict=True) if at == n] for n in set(labels)]
        if all(sum(balance[p] for p in group) == 0 for group in groups):
            best = max(best, len(groups))
    assert len(fewest_payments(balance)) == len(owing) - best


def test_what_people_talk_about_is_found_in_the_log() -> None:
    handler = handler_of("changsha")
    obey(handler, BeginGame(100))
    hands = [
        (told(1, "123m456m789s123p55s", "3p"), 0),
        (told(1, "111m999m111s999s55s", "5s", discarder=2), None),
        (told(3, "123m456m789s123p55s", "3p", discarder=2), None),
    ]
    for hand, dealer in hands:
        assert obey(handler, TellHand(hand, dealer=dealer)) is None
        assert obey(handler, TellBirds(parse_tiles("1m9p"))) is None
        assert obey(handler, Settle()) is None
    assert obey(handler, TellDraw(last_drawer=0)) is None
    found = evening_of(handler.record.entries)
    assert [hand.end for hand in found.hands] == ["won", "won", "won", "drawn"]
    assert found.begun_with == 100
    assert found.curve[0] == (100, 100, 100, 100)
    assert found.curve[-1] == handler.record.state.scores
    assert sum(found.balance) == 0
    assert found.best is not None
    assert (found.best.person, found.best.hand.hand) == (1, 2)
    assert found.swing is not None
    assert found.swing.person == 2
    assert found.swing.points == -found.best.points
    assert {(fed.giver, fed.winner, fed.times) for fed in found.fed} == {(2, 1, 1), (2, 3, 1)}
    assert found.dealer is not None


@pytest.mark.parametrize("begun", [False, True])
def test_an_evening_without_a_hand_is_one_all_the_same(begun: bool) -> None:
    handler = handler_of("changsha")
    if begun:
        obey(handler, BeginGame(100))
    found = evening_of(handler.record.entries)
    assert (found.hands, found.best, found.swing, found.dealer, found.fed) == (
        (),
        None,
        None,
        None,
        (),
    )
    assert found.balance == (0, 0, 0, 0)
