"""A point's worth in money: who pays whom is exact in the rate's smallest unit."""

import csv
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.record.export import payment_lines
from table_assist.record.history import fewest_payments
from table_assist.settings.config import Config, ConfigError, MoneyConfig, parse_config
from tests.evidence.dispute.test_dispute import evening

POINTS = st.integers(-(10**9), 10**9)


@given(st.tuples(POINTS, POINTS, POINTS), st.integers(0, 999_999), st.integers(0, 6))
def test_everybody_is_even_after_the_payments_to_the_last_digit(
    three: tuple[int, int, int], digits: int, places: int
) -> None:
    balance = [*three, -sum(three)]
    text = f"{digits:07d}"
    worth = f"{text[:-places]}.{text[-places:]}"[-13:] if places else text[-6:]
    money = MoneyConfig(worth, "zł")
    left = [points * Fraction(worth) for points in balance]
    paid = fewest_payments(balance)
    for payer, payee, points in paid:
        amount, currency = money.amount(points).split()
        assert currency == "zł"
        left[payer] += Fraction(amount)
        left[payee] -= Fraction(amount)
    assert left == [0, 0, 0, 0]
    owing = [points for points in balance if points]
    pairs = any(a + b == 0 for a, b in combinations(owing, 2)) and len(owing) == 4
    assert len(paid) == max(0, len(owing) - 1 - pairs)


def test_the_export_says_who_pays_whom() -> None:
    entries = evening("changsha", hands=4)
    rows = list(csv.reader(payment_lines(entries, "ABCD", MoneyConfig("0.05", "€").amount)))
    assert rows[0] == ["pays", "to", "points", "money"]
    assert len(rows) > 1
    for _, _, points, money in rows[1:]:
        assert Fraction(money.removesuffix(" €")) == Fraction(points) / 20


def test_a_worth_is_a_decimal_as_text() -> None:
    assert parse_config({"money": {"point_worth": "0.05"}}).money == MoneyConfig("0.05")
    assert Config().money.amount(7) == ""
    for wrong in ("0,05", "-1", "1e3", "NaN", "."):
        with pytest.raises(ConfigError, match=r"money\.point_worth"):
            parse_config({"money": {"point_worth": wrong}})
