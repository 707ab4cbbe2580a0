"""Washing while a hand is thought to run is no play; and play goes on where it was none."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from table_assist.following.washing import ASKED_S, CALM_AFTER_WASH_S, UnbegunWatch, WashWatch
from table_assist.game.events import Discarded, HandStarted
from table_assist.game.fold import replay
from table_assist.game.state import Phase, TableState
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import hand, river, tile

PLAYED = [
    Discarded(number % 4, face)
    for number, face in enumerate(parse_tiles("1m 9p 4s 7s 2m 8p 5s 6s"))
]
RUNNING = hand(*PLAYED)


def backs(*places: tuple[float, float], **how: int) -> list[SeenTile]:
    return [tile(Tile.BACK, r, d, 0, **how) for r, d in places]


MIDDLE = [(-30.0, 160.0), (0.0, 165.0), (30.0, 150.0), (60.0, 155.0)]


def looks(
    watch: WashWatch, state: TableState, washed: Iterator[bool] | list[bool], *, hides: bool = False
) -> list[bool]:
    """Three pictures a second from 0 on: which are left alone."""
    gone = (OccludedZone(Zone(ZoneKind.RIVER, 0), 0.0, WhyUnseen.COVERED),) if hides else ()
    return [
        watch.update(
            state, Observation(number / 3, (), (), unavailable=gone), washed=each, covered=False
        )
        for number, each in enumerate(washed)
    ]


def test_one_odd_picture_holds_nothing_back() -> None:
    assert not any(looks(WashWatch(), RUNNING, [False, True, False, True, False]))


@pytest.mark.parametrize("hides", [False, True])
def test_washing_is_left_alone_until_the_table_has_lain_calm_and_open(hides: bool) -> None:
    calm = round(3 * CALM_AFTER_WASH_S) + 2
    left = looks(WashWatch(), RUNNING, [True] * 4 + [False] * calm, hides=hides)
    assert left[:4] == [False, True, True, True]
    assert all(left[4 : 3 + calm - 2])
    assert left[-1] is hides


def test_whether_the_hand_is_over_is_asked_once_it_has_lasted() -> None:
    watch = WashWatch()
    looks(watch, RUNNING, [True] * 3)
    assert not watch.asks(ASKED_S)
    assert watch.asks(1 / 3 + ASKED_S)


def test_another_hand_begins_without_what_was_before() -> None:
    watch = WashWatch()
    assert looks(watch, RUNNING, [True] * 3)[-1]
    assert not any(looks(watch, hand(*PLAYED, HandStarted(2, "changsha", 1, 55)), [False]))


def test_tiles_laid_down_to_be_passed_on_are_not_washed() -> None:
    """Wanzhou: everybody lays three tiles face down into the middle before play."""
    exchanging = replay([HandStarted(1, "wanzhou", 0, 55)])
    begun = replay([HandStarted(1, "wanzhou", 0, 55), PLAYED[0]])
    assert not any(looks(WashWatch(), exchanging, [True] * 9))
    assert looks(WashWatch(), begun, [True] * 9)[-1]


@pytest.mark.parametrize(
    ("before", "after", "mixed", "is_said"),
    [
        (0, 4, 0, True),  # somebody plays, and nobody has said who deals
        (0, 3, 0, False),
        (0, 8, 4, False),  # the tiles are washed
        (8, 8, 0, False),  # the last hand's still lie there
    ],
)
def test_tiles_that_are_played_while_no_hand_runs_are_told(
    before: int, after: int, mixed: int, is_said: bool
) -> None:
    faces = "1m 2m 3m 4m 5m 6m 7m 8m"
    watch, over = UnbegunWatch(), replace(RUNNING, phase=Phase.SETTLED)
    lie = river(0, faces, pictures=10)[:before]
    assert not watch.update(RUNNING, Observation(0.0, tuple(lie)))
    for t in (1.0, 2.0 + ASKED_S):
        assert not watch.update(over, Observation(t, tuple(lie)))
    said = ""
    for t in (20.0, 20.0 + ASKED_S):
        now = (*river(0, faces, pictures=10)[:after], *backs(*MIDDLE[:mixed]))
        said = watch.update(over, Observation(t, now)).en
    assert ("Say who deals" in said) is is_said
    assert not watch.update(RUNNING, Observation(40.0, tuple(river(0, faces))))
