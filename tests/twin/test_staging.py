"""Simulated evenings of every rule set: the table shows what the truth says, and nothing more."""

from collections import Counter
from math import hypot

import cv2
import pytest

from table_assist.game.events import (
    Drew,
    HandStarted,
    IndicatorTurned,
    Settled,
    StartingHandShown,
    TilesExchanged,
    WallExhausted,
)
from table_assist.game.fold import apply
from table_assist.game.irregular import irregularities
from table_assist.game.outcome import end_of_hand
from table_assist.game.places import Spot, next_tile, replacement_tile, unnamed_tile
from table_assist.game.state import TableState
from table_assist.rules.registry import find_rules
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin import staging
from table_assist.twin.evening import play_evening
from table_assist.twin.scene import PlacedTile, Pose
from table_assist.twin.staging import Stage, StagedMoment
from tests.stages.evenings import HANDS, IDS, Read, evening, read, river_faces, viewed

# Tiles may touch, and real ones overlap in the picture by less than this.
TOUCH_MM = 1.0
everywhere = pytest.mark.parametrize("rules", IDS)


def laid_open(melds: tuple[Meld, ...], kong_up: int) -> Counter[Tile]:
    """The faces that melds and eggs show, so many of a concealed kong."""
    return Counter(
        tile
        for meld in melds
        for tile in (
            meld.tiles[:kong_up]
            if meld.kind is MeldKind.KONG_CONCEALED
            else meld.tiles + meld.supplements
        )
    )


@everywhere
def test_all_pieces_are_on_the_table_or_all_in_the_machine(rules: str) -> None:
    whole = find_rules(rules).tiles_in_wall
    for step in evening(rules):
        assert sum(tile.pieces for tile in step.scene.tiles) in (0, whole), step.text


@everywhere
def test_no_two_tiles_overlap(rules: str) -> None:
    before: frozenset[PlacedTile] = frozenset()
    for step in evening(rules)[:1200]:
        tiles = frozenset(step.scene.tiles)
        for one in tiles - before:
            for other in tiles:
                apart = hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
                if other is not one and apart < 45:
                    assert not overlap(one, other), (step.text, one, other)
        before = tiles


def overlap(one: PlacedTile, other: PlacedTile) -> bool:
    """Whether they share ground even when each gives way by half the tolerance on every side."""
    area, _ = cv2.rotatedRectangleIntersection(shrunk(one), shrunk(other))
    return area != cv2.INTERSECT_NONE


def shrunk(tile: PlacedTile) -> tuple[tuple[float, float], tuple[float, float], float]:
    width, depth, _ = tile.size_mm
    return (tile.x_mm, tile.y_mm), (width - TOUCH_MM, depth - TOUCH_MM), tile.turn_deg


@everywhere
def test_the_table_shows_what_the_truth_says(rules: str) -> None:
    of = find_rules(rules)
    kong_up = of.lying(of.chosen).concealed_kong_up[0]
    for step, state, found in viewed(rules):
        for seat in range(4):
            own = state.seats[seat]
            melds = [tile for tile in found.melds[seat] if not tile.tile.is_bonus]
            faces = [tile.tile for tile in melds if tile.pose is Pose.FACE_UP]
            lying = river_faces(found.rivers[seat], seat)
            won = state.last_discard
            if won is not None and won[0] == seat and has_taken_won(found, state):
                lying = (*lying, won[1])
            assert lying == own.river, step.text
            assert Counter(faces) == laid_open(own.melds, kong_up), step.text
            hidden = [tile for tile in melds if tile.pose is Pose.FACE_DOWN]
            kongs = [m for m in own.melds if m.kind is MeldKind.KONG_CONCEALED]
            assert len(hidden) == (3 if rules == "changchun" else 2) * len(kongs)
            assert found.bonus(seat) == own.bonus
        known = [each.tile for each in state.indicators if each.tile is not Tile.UNKNOWN]
        middle = [tile.shows for tile in found.middle]
        if rules == "changchun":
            # What was looked at lies there face down, and not in the wall (CC-29).
            assert len(middle) == len(state.indicators)
            assert [tile for tile in middle if tile is not Tile.BACK] == known, step.text
            assert found.turned == []
        else:
            assert tuple(middle) == state.birds
            assert found.turned == known[-1:], step.text


def has_taken_won(found: Read, state: TableState) -> bool:
    """Whether a winner has the discard among its own tiles."""
    return any(
        not hand.self_drawn and len(found.hands[hand.seat]) == len(hand.concealed)
        for hand in state.shown
    )


@everywhere
def test_hands_stand_until_they_are_shown(rules: str) -> None:
    for step, state, found in viewed(rules):
        shown = {hand.seat: hand for hand in state.shown}
        down = {hand.seat: hand for hand in state.laid_down}
        opening = {e.seat: e for e in step.events if isinstance(e, StartingHandShown)}
        for seat, tiles in enumerate(found.hands):
            faces = Counter(tile.tile for tile in tiles if tile.pose is Pose.FACE_UP)
            if seat in shown:
                expected = Counter(shown[seat].concealed)
                if not shown[seat].self_drawn and len(tiles) < expected.total():
                    expected -= Counter([shown[seat].winning_tile])
                assert faces == expected, step.text
            elif seat in down:
                assert faces == Counter(down[seat].concealed)
            elif seat in opening:
                assert faces == Counter(opening[seat].tiles)
            else:
                assert {tile.pose for tile in tiles} <= {Pose.STANDING}, step.text


@everywhere
def test_tiles_are_taken_where_the_state_says_that_they_lie(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two ways of finding a tile: the physical wall's, and the one that people are told."""
    plain, checked = staging._drawn_spot, Counter[bool]()

    def compared(stage: Stage, moment: StagedMoment) -> tuple[int, bool]:
        spot, is_replacement = plain(stage, moment)
        before = moment.before
        told: Spot | None
        if not is_replacement:
            told = next_tile(before)
        elif before.owed is not None:
            told = replacement_tile(before, before.owed)
        else:
            told = unnamed_tile(before)
        # Where no wall stays dead the places of the last tiles take no account of loose ones.
        if before.wall.left + before.wall.dead > 4 and not moment.after.wall.rolled:
            assert told is not None
            assert told.place == stage.held.wall.place(spot), (moment.event, told)
            checked[is_replacement] += 1
        return spot, is_replacement

    monkeypatch.setattr(staging, "_drawn_spot", compared)
    list(play_evening(5, find_rules(rules), hands=6))
    assert checked[False] > 100
    assert checked[True] > 0


@everywhere
def test_the_truth_tells_no_hidden_face(rules: str) -> None:
    for step in evening(rules):
        for event in step.events:
            match event:
                case HandStarted():
                    assert event.hands == ()
                case TilesExchanged():
                    assert event.given == ()
                case Drew():
                    pytest.fail("a draw is told")
                case IndicatorTurned() if event.tile is not Tile.UNKNOWN:
                    seen = read(step.scene)
                    assert event.tile in [*seen.turned, *(tile.shows for tile in seen.middle)]


@everywhere
def test_the_truth_has_no_irregularity_and_settles_as_the_players_did(rules: str) -> None:
    """The players knew every tile; from the truth alone the hand comes to the same points."""
    settled = exhausted = game = 0
    state = TableState()
    for step in evening(rules):
        if step.game != game:
            state, game = TableState(), step.game
        for event in step.events:
            assert irregularities(state, event) == (), (step.text, event)
            if isinstance(event, Settled | WallExhausted):
                ended = end_of_hand(state)
                assert ended.total == event.transfers
                assert ended.unsure == ()
                settled += isinstance(event, Settled)
                exhausted += isinstance(event, WallExhausted)
            state = apply(state, event)
    assert settled + exhausted == HANDS
    assert settled > HANDS / 6
