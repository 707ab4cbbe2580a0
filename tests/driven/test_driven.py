"""People at one simulated table: paired phones, a scorer, a referee; one hand of each rule set.

Five hands of each, with screenshots and figures: ``python -m tests.driven``.
"""

from collections.abc import Iterator
from statistics import median

import pytest
from playwright.sync_api import Browser

from tests.driven.adventures import Adventure
from tests.driven.run import Tables

WON_WITHIN_S = 8.0


@pytest.fixture(scope="module")
def tables(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    found = Tables(browser, tmp_path_factory.mktemp("driven"))
    yield found
    found.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "seed", "adventure"),
    [  # early wins, with everything that a hand of these rules has
        ("changchun", 212, Adventure.PHONES | Adventure.SLEEP),
        ("changsha", 24, Adventure.UNDO),
        ("wanzhou", 248, Adventure.DISPUTE),
        ("tianjin", 142, Adventure.CORRECT),
        ("classical", 5, Adventure.PHONES | Adventure.OFFLINE),
    ],
)
def test_a_hand_is_played_through_the_pages_and_all_of_them_tell_the_ledger(
    tables: Tables, rules: str, seed: int, adventure: Adventure
) -> None:
    with tables.evening(rules, seed=seed) as evening:
        if rules == "changsha":
            evening.begin_game(1000, hands=1)
        one = evening.play(adventure)
        assert evening.pages_equal >= 6
        if rules == "changsha":
            evening.reopen_game()
            assert evening.done["finished games reopened"] == 1
        if rules == "wanzhou":
            assert evening.done["dispute files verified"] == 1
        if rules == "changchun":
            assert evening.secrets_checked > 0
        if one.settled_s is not None:
            tables.settled_s.append(one.settled_s)
            assert one.taps["scorer"] == 1
        assert [each.complaints for each in evening.people.all] == [[]] * 7


def test_half_of_the_hands_are_accepted_within_eight_seconds(tables: Tables) -> None:
    assert len(tables.settled_s) >= 3
    assert median(tables.settled_s) <= WON_WITHIN_S
