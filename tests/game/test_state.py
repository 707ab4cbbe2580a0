"""The fold over events: turns, melds, the wall, wins; and what is called irregular."""

import pytest

from table_assist.game.events import (
    BirdTurned,
    Claimed,
    Discarded,
    Event,
    HandAbandoned,
    HandShown,
    HandStarted,
    KongDeclared,
    Settled,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.fold import replay
from table_assist.game.irregular import Irregularity, irregularities, visible_tiles
from table_assist.game.state import Phase, TableState
from table_assist.game.win import declared_hand
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles

START = HandStarted(1, "changsha", 0, 55)


def discard(seat: int, text: str) -> Discarded:
    return Discarded(seat, parse_tiles(text)[0])


def claim(seat: int, kind: str, tiles: str, discarder: int) -> Claimed:
    return Claimed(seat, MeldKind(kind), parse_tiles(tiles), discarder)


def hand(*events: Event) -> TableState:
    return replay([START, *events])


def test_a_win_declared_before_the_camera_saw_the_discard_still_stands() -> None:
    state = hand(WinDeclared(2), discard(0, "1m"))
    assert (state.phase, state.declared) == (Phase.SHOWING, (2,))


def test_who_discards_after_declaring_takes_the_win_back() -> None:
    state = hand(WinDeclared(0), discard(0, "1m"))
    assert (state.phase, state.declared) == (Phase.PLAYING, ())


def test_a_refused_win_lets_play_go_on() -> None:
    state = hand(WinDeclared(0), WinRefused(0, ("structure",)))
    assert (state.phase, state.declared, len(state.refused)) == (Phase.PLAYING, (), 1)


def test_after_an_abandoned_hand_the_players_choose_the_dealer() -> None:
    assert hand(HandAbandoned()).dealer_next is None


def test_the_dealers_streak_counts_hands_in_a_row() -> None:
    again = HandStarted(2, "changsha", 0, 55)
    assert hand(WallExhausted(0), again).streak == 2
    assert hand(WallExhausted(1), HandStarted(2, "changsha", 1, 55)).streak == 1


def test_a_self_drawn_hand_has_drawn_its_tile_until_it_turns_out_otherwise() -> None:
    drawn = HandShown(1, parse_tiles("123456789m 11155p"), Tile.P5, True)
    claimed = HandShown(1, drawn.concealed, Tile.M1, False)
    declared = [discard(0, "1m"), WinDeclared(1)]
    assert declared_hand(hand(*declared, drawn), drawn).wall_remaining == 54
    assert declared_hand(hand(*declared, drawn, claimed), claimed).wall_remaining == 55


def test_a_tile_won_from_the_river_is_counted_once() -> None:
    shown = HandShown(1, parse_tiles("123m"), Tile.M1, False)
    state = hand(discard(0, "1m"), WinDeclared(1), shown)
    assert sorted(visible_tiles(state)) == list(parse_tiles("123m"))


@pytest.mark.parametrize(
    ("before", "event", "wrong"),
    [
        ([], discard(0, "1m"), []),
        ([], discard(2, "1m"), [Irregularity.OUT_OF_TURN]),
        ([discard(0, "1m")], claim(1, "chow", "123m", 0), []),
        ([discard(0, "1m")], claim(2, "chow", "123m", 0), [Irregularity.CHOW_NOT_FROM_LEFT]),
        ([discard(0, "1m")], claim(2, "pung", "222m", 0), [Irregularity.NOTHING_TO_CLAIM]),
        ([discard(0, "1m")], claim(2, "pung", "112m", 0), [Irregularity.MELD_INVALID]),
        (
            [],
            KongDeclared(0, MeldKind.KONG_ADDED, Tile.M1),
            [Irregularity.NO_EXPOSED_PUNG],
        ),
        ([WallExhausted(0)], discard(0, "1m"), [Irregularity.NO_HAND_RUNNING]),
        ([], Settled((0,), (1, 0, 0, 0), 0), [Irregularity.TRANSFERS_UNBALANCED]),
    ],
)
def test_what_is_irregular_is_named_and_nothing_else(
    before: list[Event], event: Event, wrong: list[Irregularity]
) -> None:
    assert list(irregularities(hand(*before), event)) == wrong


def test_a_fifth_copy_is_irregular() -> None:
    events = [discard(seat, "1m") for seat in range(4)]
    assert irregularities(hand(*events), discard(0, "1m")) == (Irregularity.FIFTH_COPY,)


def test_a_draw_from_an_empty_wall_is_irregular() -> None:
    state = replay([HandStarted(1, "changsha", 0, 0), discard(0, "1m")])
    assert Irregularity.WALL_EMPTY in irregularities(state, discard(1, "2m"))


def test_irregular_events_are_recorded_all_the_same() -> None:
    assert hand(discard(2, "1m")).seats[2].river == (Tile.M1,)


def test_birds_of_a_refused_win_are_no_birds_of_the_next() -> None:
    state = hand(WinDeclared(1), BirdTurned(Tile.M3), WinRefused(1, ("structure",)))
    assert (state.birds, state.old_birds) == ((), (Tile.M3,))


def test_a_hand_is_settled_once() -> None:
    settled = Settled((1,), (-2, 4, -1, -1), 1)
    state = hand(WinDeclared(1), settled, settled, HandAbandoned())
    assert state.scores == (-2, 4, -1, -1)
    assert state.dealer_next == 1


def test_even_a_kong_claimed_from_oneself_is_folded() -> None:
    state = hand(discard(0, "1m"), claim(0, "kong_exposed", "1111m", 0))
    assert [laid.discarder for laid in state.laid] == [None]
