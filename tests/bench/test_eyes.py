"""The speed bench: what it measures is what it says, and the picture is a table in play."""

import time

from bench.reading import table_scenes, timed
from table_assist.vision.table.zones import Layout, ZoneKind, zone_at


def test_the_best_run_and_the_spread_are_told() -> None:
    waits = iter([0.0, 0.03, 0.01, 0.02])  # the first warms up and does not count
    timing = timed(lambda: time.sleep(next(waits)), 3)
    assert timing.runs == 3
    assert 10 <= timing.best_ms <= timing.median_ms <= timing.worst_ms
    assert timing.median_ms >= 20
    assert timing.worst_ms >= 30
    assert timing.cpu_ms < timing.best_ms, "waiting takes no processor"


def test_the_table_is_in_play_and_one_discard_of_it_comes_and_goes() -> None:
    scene, other = table_scenes()
    (discard,) = set(scene.tiles) - set(other.tiles)
    assert zone_at(discard.x_mm, discard.y_mm, Layout()).kind is ZoneKind.RIVER
    assert len(other.tiles) == len(scene.tiles) - 1
    assert len(scene.tiles) > 60
    assert scene.covers == other.covers == ()
