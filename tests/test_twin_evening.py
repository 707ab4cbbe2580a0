"""Simulated evenings obey the rules, and what lies on the table is what the truth says."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import hypot

import cv2
import numpy as np
import pytest

from firmware_bridge.events import DiceRolled as BoardDice
from firmware_bridge.events import Dome, Key, KeyPressed, WallReady
from table_assist.game.events import (
    BirdTurned,
    Claimed,
    DiceRolled,
    Discarded,
    HandShown,
    HandStarted,
    KongDeclared,
    Settled,
    WallBuilt,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.fold import apply
from table_assist.game.irregular import irregularities
from table_assist.game.state import TableState
from table_assist.game.win import declared_hand
from table_assist.melds import Meld, MeldKind
from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules
from table_assist.tiles import Tile
from table_assist.twin.evening import play_evening
from table_assist.twin.players import HABITS, Habits
from table_assist.twin.scene import PlacedTile, Pose, Scene
from table_assist.twin.steps import Step
from table_assist.twin.table import Spacing
from table_assist.vision.zones import Layout, ZoneKind, to_seat, zone_at

RULES = find_rules("changsha")
# An evening with draws, kongs of every kind and several winners on one tile.
SEED, HANDS = 41, 40
# Tiles may touch, and real ones overlap in the picture by less than this.
TOUCH_MM = 1.0


@pytest.fixture(scope="module")
def evening() -> list[Step]:
    return list(play_evening(SEED, RULES, hands=HANDS))


def pieces(scene: Scene) -> int:
    return sum(2 if tile.pose is Pose.STACKED else 1 for tile in scene.tiles)


def folded(steps: list[Step]) -> Iterator[tuple[Step, TableState]]:
    """Each step with the state after it."""
    state = TableState()
    for step in steps:
        for event in step.events:
            state = apply(state, event)
        yield step, state


@dataclass
class Read:
    """What an eye that errs in nothing reads off a scene by its zones."""

    rivers: list[list[PlacedTile]] = field(default_factory=lambda: [[], [], [], []])
    melds: list[list[PlacedTile]] = field(default_factory=lambda: [[], [], [], []])
    hands: list[list[PlacedTile]] = field(default_factory=lambda: [[], [], [], []])
    birds: list[PlacedTile] = field(default_factory=list)
    walls: int = 0


def read(scene: Scene) -> Read:
    found = Read()
    for tile in scene.tiles:
        zone = zone_at(tile.x_mm, tile.y_mm, Layout())
        match zone.kind, zone.seat:
            case ZoneKind.RIVER, int(seat):
                found.rivers[seat].append(tile)
            case ZoneKind.MELDS, int(seat):
                found.melds[seat].append(tile)
            case ZoneKind.HAND, int(seat):
                found.hands[seat].append(tile)
            case ZoneKind.BIRDS, None:
                found.birds.append(tile)
            case ZoneKind.WALL, int():
                assert tile.pose in (Pose.STACKED, Pose.FACE_DOWN)
                found.walls += 2 if tile.pose is Pose.STACKED else 1
            case other:
                pytest.fail(f"{tile} lies in {other}")
    return found


def river_faces(tiles: list[PlacedTile], seat: int) -> tuple[Tile, ...]:
    """Row by row from the centre, left to right as the seat sees it."""

    def place(tile: PlacedTile) -> tuple[int, float]:
        r, d = to_seat(tile.x_mm, tile.y_mm, seat)
        return round((d - 98) / 35.5), r

    return tuple(tile.tile for tile in sorted(tiles, key=place))


def lying(melds: tuple[Meld, ...]) -> Counter[Tile]:
    """The faces that melds show: two of a concealed kong."""
    return Counter(
        tile
        for meld in melds
        for tile in (meld.tiles[:2] if meld.kind is MeldKind.KONG_CONCEALED else meld.tiles)
    )


def test_all_pieces_are_on_the_table_or_all_in_the_machine(evening: list[Step]) -> None:
    for step in evening:
        in_machine = step.text in ("The tiles go into the machine.", "The dome closes.")
        assert pieces(step.scene) == (0 if in_machine else 108), step.text


def test_no_face_is_seen_five_times(evening: list[Step]) -> None:
    for step in evening:
        seen = Counter(t.tile for t in step.scene.tiles if t.pose is not Pose.STACKED)
        assert all(count <= 4 for count in seen.values()), step.text


def test_the_table_shows_what_the_truth_says(evening: list[Step]) -> None:
    for step, state in folded(evening):
        if not step.scene.tiles or step.scene.dice == ():
            continue
        found = read(step.scene)
        if state.hand != step.hand:
            assert not any(found.rivers + found.melds)
            continue
        for seat in range(4):
            own = state.seats[seat]
            assert river_faces(found.rivers[seat], seat) == own.river
            faces = [t.tile for t in found.melds[seat] if t.pose is Pose.FACE_UP]
            assert Counter(faces) == lying(own.melds)
            hidden = [t for t in found.melds[seat] if t.pose is Pose.FACE_DOWN]
            kongs = [m for m in own.melds if m.kind is MeldKind.KONG_CONCEALED]
            assert len(hidden) == 2 * len(kongs)
        assert tuple(tile.tile for tile in found.birds) == state.birds


def test_hands_stand_until_they_are_shown_for_a_win(evening: list[Step]) -> None:
    for step, state in folded(evening):
        if not step.scene.tiles or state.hand != step.hand:
            continue
        shown = {hand.seat: hand for hand in state.shown}
        for seat, tiles in enumerate(read(step.scene).hands):
            assert {t.turn_deg // 90 for t in tiles} <= {seat, (seat - 1) % 4, seat - 1}
            if seat not in shown:
                assert {t.pose for t in tiles} <= {Pose.STANDING}
                continue
            assert {t.pose for t in tiles} <= {Pose.FACE_UP}
            expected = Counter(shown[seat].concealed)
            if not shown[seat].self_drawn:
                expected -= Counter([shown[seat].winning_tile])
            assert Counter(t.tile for t in tiles) == expected


def test_hand_sizes_and_wall_agree_with_the_fold_after_every_discard(evening: list[Step]) -> None:
    for step, state in folded(evening):
        if any(isinstance(event, Discarded) for event in step.events):
            found = read(step.scene)
            assert found.walls == state.wall_left
            for seat in range(4):
                assert len(found.hands[seat]) == state.hand_size(seat)


def test_no_two_tiles_overlap(evening: list[Step]) -> None:
    before: frozenset[PlacedTile] = frozenset()
    for step in evening[:1500]:
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


def test_tiles_at_rest_do_not_move(evening: list[Step]) -> None:
    """Nothing but the acting seat's own rows, the wall and the middle changes in a step."""
    for before, step in pairwise(evening[:1500]):
        if before.hand != step.hand or not any(isinstance(e, Discarded) for e in step.events):
            continue
        gone = set(before.scene.tiles) - set(step.scene.tiles)
        new = set(step.scene.tiles) - set(before.scene.tiles)
        (seat,) = {event.seat for event in step.events if isinstance(event, Discarded)}
        assert {t.pose for t in gone} == {Pose.STANDING}
        zones = {zone_at(t.x_mm, t.y_mm, Layout()).seat for t in gone | new}
        assert zones == {seat}


def test_dice_lie_in_their_half_of_the_middle_and_show_what_the_board_says(
    evening: list[Step],
) -> None:
    for step in evening:
        for signal in step.signals:
            if isinstance(signal, BoardDice):
                assert tuple(die.value for die in step.scene.dice) == signal.values
                for die in step.scene.dice:
                    for x, y in die.corners_mm():
                        assert -60 <= x <= -10
                        assert -50 <= y <= 50


def test_the_truth_has_no_irregularity(evening: list[Step]) -> None:
    state = TableState()
    for step in evening:
        for event in step.events:
            assert irregularities(state, event) == (), (step.text, event)
            state = apply(state, event)
    assert state.hand == HANDS


def test_transfers_come_to_zero_and_are_the_judges_own(evening: list[Step]) -> None:
    """Judged a second time, with the circumstances that the fold knows."""
    settled = 0
    state = TableState()
    for step in evening:
        for event in step.events:
            if isinstance(event, Settled):
                settled += 1
                hands = [replace(declared_hand(state, s), birds=state.birds) for s in state.shown]
                verdicts = [judge(RULES, hand) for hand in hands]
                assert all(verdict.valid for verdict in verdicts)
                paid = [verdict.payments for verdict in verdicts]
                assert event.transfers == tuple(map(sum, zip(*paid, strict=True)))
                assert sum(event.transfers) == 0
                assert event.winners == tuple(hand.winner for hand in hands)
            state = apply(state, event)
    assert settled > HANDS / 2
    assert sum(state.scores) == 0


def test_the_next_dealer_is_a_winner_or_drew_the_last_tile(evening: list[Step]) -> None:
    allowed: set[int] | None = None
    for _, state in folded(evening):
        if allowed is not None and state.settled is None:
            assert state.dealer in allowed
        if state.settled is not None:
            allowed = set(state.settled.winners) or {state.settled.dealer_next}
            last = state.last_drawer
            assert state.settled.winners or state.settled.dealer_next == last


def test_an_evening_has_everything_that_an_evening_has(evening: list[Step]) -> None:
    events = [event for step in evening for event in step.events]
    shown = [event for event in events if isinstance(event, HandShown)]
    assert any(hand.self_drawn for hand in shown)
    assert any(not hand.self_drawn for hand in shown)
    assert {e.kind for e in events if isinstance(e, Claimed)} == {
        MeldKind.CHOW,
        MeldKind.PUNG,
        MeldKind.KONG_EXPOSED,
    }
    assert {e.kind for e in events if isinstance(e, KongDeclared)} == {
        MeldKind.KONG_CONCEALED,
        MeldKind.KONG_ADDED,
    }
    assert any(isinstance(event, WallExhausted) for event in events)
    settled = [event for event in events if isinstance(event, Settled)]
    assert any(len(event.winners) > 1 for event in settled)
    assert len(settled) > 0.8 * HANDS


def test_every_hand_goes_its_way_in_order(evening: list[Step]) -> None:
    for number in range(1, HANDS + 1):
        steps = [step for step in evening if step.hand == number]
        signals = [signal for step in steps for signal in step.signals]
        assert isinstance(signals[0], WallReady)
        assert isinstance(signals[1], BoardDice)
        assert signals[-2:] == [Dome(open=True), Dome(open=False)]
        kinds = [type(event) for step in steps for event in step.events]
        assert kinds[:3] == [WallBuilt, DiceRolled, HandStarted]
        if kinds[-1] is Settled:
            ends = [WinDeclared, HandShown, BirdTurned, Settled]
            tail = [kind for kind in kinds if kind in ends]
            assert tail == sorted(tail, key=ends.index)


def test_keys_are_pressed_before_the_kong_or_the_win_they_announce(evening: list[Step]) -> None:
    pressed: list[KeyPressed] = []
    for step in evening:
        pressed += [signal for signal in step.signals if isinstance(signal, KeyPressed)]
        for event in step.events:
            kong = isinstance(event, KongDeclared) or (
                isinstance(event, Claimed) and event.kind.is_kong
            )
            if kong:
                assert pressed.pop() == KeyPressed(event.seat, Key.KONG)
            if isinstance(event, WinDeclared):
                assert pressed.pop() == KeyPressed(event.seat, Key.WIN)
    assert pressed == []


def test_a_self_drawn_winning_tile_lies_apart(evening: list[Step]) -> None:
    seen = 0
    for step in evening:
        for event in step.events:
            if isinstance(event, HandShown) and event.self_drawn:
                tiles = read(step.scene).hands[event.seat]
                row = sorted(tiles, key=lambda t: to_seat(t.x_mm, t.y_mm, event.seat)[0])
                places = [to_seat(t.x_mm, t.y_mm, event.seat)[0] for t in row]
                gaps = [right - left - 26 for left, right in pairwise(places)]
                assert row[-1].tile is event.winning_tile
                assert gaps[-1] == pytest.approx(Spacing().won, abs=1)
                assert max(gaps[:-1], default=0) < 2
                seen += 1
    assert seen


def test_the_same_seed_gives_the_same_evening(evening: list[Step]) -> None:
    assert list(play_evening(SEED, RULES, hands=2)) == [s for s in evening if s.hand <= 2]
    assert list(play_evening(SEED + 1, RULES, hands=1)) != [s for s in evening if s.hand == 1]


def test_a_claimed_tile_is_turned_by_who_does_that() -> None:
    for turns in (True, False):
        habits = (Habits(turns_claimed=turns),) * 4
        steps = list(play_evening(4, RULES, hands=3, habits=habits))
        for step, state in folded(steps):
            if not step.scene.tiles or state.hand != step.hand:
                continue
            claimed = sum(m.kind.is_claimed for seat in state.seats for m in seat.melds)
            melds = [t for own in read(step.scene).melds for t in own]
            turned = [t for t in melds if 45 < t.turn_deg % 180 < 135 and seat_of(t) % 2 == 0]
            turned += [t for t in melds if not 45 < t.turn_deg % 180 < 135 and seat_of(t) % 2]
            assert len(turned) == (claimed if turns else 0)


def seat_of(tile: PlacedTile) -> int:
    seat = zone_at(tile.x_mm, tile.y_mm, Layout()).seat
    assert seat is not None
    return seat


def test_habits_differ() -> None:
    assert len(set(HABITS)) == 4
    assert np.unique([habit.turns_claimed for habit in HABITS]).size == 2
