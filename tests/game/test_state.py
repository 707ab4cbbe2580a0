"""The fold over events: turns, melds, the wall, wins; and what is called irregular."""

from hypothesis import given
from hypothesis import strategies as st

from table_assist.game.events import (
    BirdTurned,
    Claimed,
    DealerChosen,
    Discarded,
    Event,
    HandAbandoned,
    HandShown,
    HandStarted,
    Penalised,
    SeatsChanged,
    Settled,
    WallBuilt,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.fold import apply, replay
from table_assist.game.irregular import visible_tiles
from table_assist.game.outcome import next_after
from table_assist.game.people import by_person, seated
from table_assist.game.start import hand_started
from table_assist.game.state import Phase, TableState
from table_assist.game.step import seats_are_due
from table_assist.game.win import declared_hand
from table_assist.languages.words import Words
from table_assist.record.commands import ChangeSeats, ChooseDealer
from table_assist.record.export import export_lines, played_hands
from table_assist.record.log import Entry, Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session import before_the_hand
from table_assist.session.command_handler import CommandHandler
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles

START = HandStarted(1, "changsha", 0, 55)


def discard(seat: int, text: str) -> Discarded:
    return Discarded(seat, parse_tiles(text)[0])


def claim(seat: int, kind: str, tiles: str, discarder: int) -> Claimed:
    return Claimed(seat, MeldKind(kind), parse_tiles(tiles), discarder)


def hand(*events: Event) -> TableState:
    return replay([START, *events])


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


def test_irregular_events_are_recorded_all_the_same() -> None:
    assert hand(discard(2, "1m")).seats[2].river == (Tile.M1,)


def test_birds_of_a_refused_win_are_no_birds_of_the_next() -> None:
    state = hand(WinDeclared(1), BirdTurned(Tile.M3), WinRefused(1, ("structure",)))
    assert (state.birds, state.old_birds) == ((), (Tile.M3,))


def test_even_a_kong_claimed_from_oneself_is_folded() -> None:
    state = hand(discard(0, "1m"), claim(0, "kong_exposed", "1111m", 0))
    assert [laid.discarder for laid in state.laid] == [None]


CLASSICAL = find_rules("classical")
PROFILE = plain_profile(CLASSICAL)
NAMES = ("Ada", "Bo", "Cy", "Di")
ROUND_OVER = (
    DealerChosen(0),
    WallBuilt(),
    HandStarted(1, "classical", 3, 75, dead=16, first_east=0),
    Settled((1,), (-10, 30, -10, -10), 0, (), Tile.SOUTH),
)
MOVED = SeatsChanged((2, 0, 1, 3), east=2)


def after_a_round() -> TableState:
    return replay(ROUND_OVER)


def test_who_draws_east_deals_first_wherever_that_is() -> None:
    """live12: seat 2 draws East; the round is over when East comes back to seat 2."""
    state = after_a_round()
    assert seats_are_due(CLASSICAL, state)
    assert before_the_hand.dealer(CLASSICAL, state, ChooseDealer(2)) == DealerChosen(2)
    state = apply(state, hand_started(PROFILE, state, 2, counted=10))
    assert (state.first_east, state.prevailing) == (2, Tile.SOUTH)
    easts = []
    while state.prevailing is Tile.SOUTH:
        easts.append(state.dealer)
        winner = (state.dealer + 1) % 4
        follows = next_after(CLASSICAL, state, (winner,))
        wind = follows.prevailing if follows.prevailing is not state.prevailing else None
        state = apply(state, Settled((winner,), (0, 0, 0, 0), follows.dealers[0], (), wind))
        state = apply(state, hand_started(PROFILE, state, follows.dealers[0], counted=10))
    assert easts == [2, 3, 0, 1]


def test_without_new_seats_the_rules_say_who_is_east() -> None:
    agreed = CLASSICAL.with_options({"redraw_seats_each_round": False})
    assert not seats_are_due(agreed, after_a_round())
    refused = before_the_hand.dealer(agreed, after_a_round(), ChooseDealer(2))
    assert isinstance(refused, Words)


def test_points_go_to_the_person_in_the_new_seat() -> None:
    state = replay([MOVED], after_a_round())
    assert state.scores == (-10, -10, 30, -10)
    assert (state.dealer_next, state.first_east_next, state.phase) == (2, 2, Phase.WAITING)
    state = apply(state, Penalised((5, -5, 0, 0), Words("", "")))
    assert by_person(state.scores, state.people) == (-15, 30, -5, -10)


def test_seats_are_not_changed_in_a_hand_nor_twice_named() -> None:
    playing = replay(ROUND_OVER[:3])
    assert apply(playing, MOVED) == playing
    over = after_a_round()
    assert apply(over, SeatsChanged((0, 0, 1, 2))) == over
    for wrong in (ChangeSeats((0, 0, 1, 2)), ChangeSeats((0, 1, 2, 3), east=4)):
        assert isinstance(before_the_hand.seats(over, wrong), Words)
    assert isinstance(before_the_hand.seats(playing, ChangeSeats((1, 0, 2, 3))), Words)


@given(st.lists(st.permutations([0, 1, 2, 3]), max_size=6))
def test_however_often_they_move_nobody_gains(moves: list[list[int]]) -> None:
    state = after_a_round()
    before = by_person(state.scores, state.people)
    for a, b, c, d in moves:
        state = apply(state, SeatsChanged((a, b, c, d)))
        assert by_person(state.scores, state.people) == before
        assert seated(before, state.people) == state.scores


def entries() -> list[Entry]:
    events = [
        *ROUND_OVER,
        MOVED,
        WallBuilt(),
        HandStarted(2, "classical", 2, 75, dead=16, prevailing=Tile.SOUTH, first_east=2),
        Settled((0,), (60, -20, -20, -20), 3),
    ]
    return [Entry(n, float(n), Source.RULES, event) for n, event in enumerate(events, start=1)]


def test_the_history_and_the_exports_follow_the_person() -> None:
    first, second = played_hands(entries())
    assert (first.dealer, first.winners, first.transfers) == (3, (1,), (-10, 30, -10, -10))
    assert (second.dealer, second.winners) == (1, (2,))
    assert second.transfers == (-20, -20, 60, -20)
    assert second.scores == (-30, 10, 50, -30)
    head, _, row = export_lines(entries(), "csv", NAMES)
    cells = dict(zip(head.split(","), row.split(","), strict=True))
    assert (cells["dealer"], cells["winners"], cells["Cy points"]) == ("Bo", "Cy", "60")
    assert cells["Cy score"] == "50"


def test_the_record_keeps_the_points_by_person_and_takes_a_move_back() -> None:
    record = Record(None, lambda: 0.0)
    for entry in entries():
        record.append(entry.event, Source.RULES)
    assert record.history[-1] == (2, (-20, -20, 60, -20), (-30, 10, 50, -30))
    handler = CommandHandler(PROFILE, NAMES, record)
    words = Words("{0} {1} {2} {3}", "{3} {2} {1} {0}")
    assert handler.named(words) == Words("Cy Ada Bo Di", "Di Bo Ada Cy")
