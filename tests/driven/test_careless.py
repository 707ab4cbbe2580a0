"""An hour of carelessness at a table with phones alone; one of the four cheats.

With pictures of every phone: ``python -m tests.driven.careless --shots DIR``.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.driven.careless import SCENES, Careless, careless_table


@pytest.fixture(scope="module")
def table(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Careless]:
    with careless_table(browser, tmp_path_factory.mktemp("careless")) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_nobody_is_stuck_and_the_ledger_is_right(
    table: Careless, scene: Callable[[Careless], None]
) -> None:
    scene(table)
    assert sum(table.live.snapshot.state.scores) == 0
    assert table.complaints == []
