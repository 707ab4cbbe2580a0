"""Clumsy people: tiles lie where they should not for a while, and the truth is the same."""

from dataclasses import fields, replace
from functools import cache

import pytest

from bench.live.clumsy import Clumsiness, clumsily
from bench.live.evening import EveningTable, follow_evening
from bench.live.hands import WantedHands, eyes_for
from table_assist.rules.registry import find_rules
from table_assist.twin.demo.headless import HandFigures
from table_assist.twin.evening import play_evening
from table_assist.twin.river import penetration
from table_assist.twin.scene import Pose, Scene
from table_assist.twin.table import TableStep

NEVER = Clumsiness(**dict.fromkeys((field.name for field in fields(Clumsiness)), 0.0))
KINDS = [field.name for field in fields(Clumsiness)]
SEED = 5


@cache
def honest(rules: str) -> tuple[TableStep, ...]:
    return tuple(play_evening(SEED, find_rules(rules), hands=1))


def clumsy(rules: str, wanted: Clumsiness) -> list[TableStep]:
    return list(clumsily(honest(rules), wanted, SEED))


def only(kind: str, share: float = 1.0) -> Clumsiness:
    return replace(NEVER, **{kind: share})


@pytest.mark.parametrize("rules", ["changchun", "classical"])
def test_what_is_clumsy_changes_no_event_signal_or_tap_and_loses_no_tile(rules: str) -> None:
    steps = clumsy(rules, Clumsiness(take_backs=0.3, knocked=0.3, hasty=0.3, glares=0.2))
    assert steps != list(honest(rules))
    for what in ("events", "signals", "commands"):
        told = [each for step in steps for each in getattr(step, what)]
        assert told == [each for step in honest(rules) for each in getattr(step, what)]
    for step in steps:
        pieces = sum(tile.pieces for tile in step.scene.tiles)
        assert pieces in (0, find_rules(rules).tiles_in_wall)


def overlapping(scene: Scene) -> int:
    tiles = [tile for tile in scene.tiles if tile.pose is Pose.FACE_UP]
    return sum(
        penetration(a.corners_mm(), b.corners_mm()) > 3.5
        for i, a in enumerate(tiles)
        for b in tiles[:i]
        if abs(a.x_mm - b.x_mm) < 50 and abs(a.y_mm - b.y_mm) < 50
    )


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_comes_about_and_no_tile_lies_in_another(kind: str) -> None:
    """Wanzhou's first hand of that seed is won; one in three of all that may happen does."""
    steps = clumsy("wanzhou", only(kind, 1.0 if kind in ("two_rows", "crooked", "pushed") else 0.3))
    scenes, plain = ([step.scene for step in each] for each in (steps, honest("wanzhou")))
    assert scenes != plain
    assert (len(scenes) < len(plain)) is (kind == "hasty")
    if kind != "pushed":  # over the others, as a hand pushes it
        assert max(map(overlapping, scenes[:: max(1, len(scenes) // 12)])) == 0
        assert overlapping(scenes[-5]) == 0


def followed(rules: str, wanted: Clumsiness, seed: int) -> HandFigures:
    """One hand by modelled eyes."""
    own = find_rules(rules)
    table = EveningTable(own, eyes_for(WantedHands(1, seed))(own, seed), seed=seed)
    (figures,) = follow_evening(own, table, seed=seed, hands=1, clumsiness=wanted)
    return figures


@pytest.mark.parametrize(
    "kinds",
    [
        ("take_backs", "wrong_rows", "hasty"),
        ("knocked", "glares", "pushed", "tails"),
        ("two_rows", "crooked"),
    ],
)
def test_whatever_people_do_the_record_is_right_or_somebody_is_asked(
    kinds: tuple[str, ...],
) -> None:
    figures = followed("changsha", replace(NEVER, **dict.fromkeys(kinds, 0.2)), SEED)
    assert not figures.is_silently_wrong
