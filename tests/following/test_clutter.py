"""What lay there before the hand is no tile of it; what a late tap finds lying may be."""

from dataclasses import replace

from table_assist.following.clutter import PLAYED_S, Clutter
from table_assist.vision.table.observation import Observation
from tests.following.test_infer import river


def left(faces: str, *, is_dealt: bool, watched_s: float = 2 * PLAYED_S, age_s: float = 0) -> int:
    """How many of them are seen once the hand runs."""
    lying = tuple(replace(each, id=n) for n, each in enumerate(river(0, faces), start=1))
    clutter = Clutter()
    clutter.without(Observation(0.0, lying), 1, None, is_dealt=False)
    dealt_t = watched_s if is_dealt else watched_s - PLAYED_S
    old = tuple(replace(each, age_s=age_s) for each in lying)
    gone = clutter.without(Observation(watched_s, old), 1, dealt_t, is_dealt=is_dealt)
    assert not gone.tiles or not age_s
    after = clutter.without(Observation(watched_s, lying), 1, dealt_t, is_dealt=is_dealt)
    return len(after.tiles)


def test_what_lay_there_before_the_dice_fell_is_clutter() -> None:
    assert left("8p ?", is_dealt=True) == 0
    assert left("8p ?", is_dealt=True, age_s=20) == 2, "a camera that was lost may miss it cleared"


def test_a_hand_that_is_begun_by_a_tap_minutes_late_keeps_its_discards() -> None:
    assert left("? ? ? ?", is_dealt=False) == 4
    assert left("?", is_dealt=False) == 0
    assert left("?", is_dealt=False, watched_s=PLAYED_S / 2) == 1
