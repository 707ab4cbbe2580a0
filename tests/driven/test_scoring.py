"""People with phones alone: a hand of each rule set, photographed on a table nobody has seen.

Fifty hands with figures: ``python -m tests.driven.photographed``.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from table_assist.rules.registry import find_rules
from tests.driven.photographs import drawn_photographs
from tests.driven.scoring import Manners, PhoneTables

# Each rule set in one way: what is asked of a winner depends on the rules, how tiles are told not.
PHOTOGRAPHED = ("changsha", "tianjin", "classical")
TAPPED = ("changchun", "wanzhou")


@pytest.fixture(scope="module")
def tables(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneTables]:
    found = PhoneTables(browser, tmp_path_factory.mktemp("phones"))
    yield found
    found.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "taps_tiles"),
    [*((rules, False) for rules in PHOTOGRAPHED), *((rules, True) for rules in TAPPED)],
)
def test_a_hand_is_scored_with_phones_alone(
    tables: PhoneTables, rules: str, taps_tiles: bool
) -> None:
    played = find_rules(rules)
    photographs = drawn_photographs(played, tables.folder, seed=5)
    with tables.evening(played, Manners(taps_tiles=taps_tiles)) as evening:
        one = evening.score(next(photographs))
        assert one.accepted
        assert one.right or not taps_tiles
        scores = list(evening.table.snapshot.state.scores)
        assert sum(scores) == 0 != max(scores)
        for person in (*evening.people.phones, evening.people.television, evening.people.scorer):
            person.shows(scores)
            assert not person.complaints
