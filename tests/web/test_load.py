"""Fifty live viewers, some of whom never read: everybody has the newest view, and it costs little.

How long the slowest wait is for ``python -m tests.web.load`` to say, on a machine of its own.
"""

import pytest

from tests.web.load import Load, run_load

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def load() -> Load:
    return run_load(50, dead=3, events=24, pause_s=0.1)


def test_every_viewer_has_the_last_view(load: Load) -> None:
    assert load.complete == 50


def test_a_view_comes_within_200_ms(load: Load) -> None:
    assert load.share(0.5) <= 0.2


def test_fifty_viewers_cost_little_more_than_the_view_of_each_kind(load: Load) -> None:
    assert load.cpu <= 0.1  # seconds of processor an event, seven kinds of viewers told


def test_viewers_that_never_read_do_not_hold_up_the_table(load: Load) -> None:
    assert load.tell_watched <= 0.05
