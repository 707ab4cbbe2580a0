"""Settlements, birds, dealt hands, false wins, the next dealer."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.rules.judge import judge
from table_assist.rules.reckoning import bird_hits, instant_wins, next_dealer, settle_wins
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import HandResult
from table_assist.rules.settlement import as_transfers
from table_assist.rules.shown import ShownHand
from table_assist.tiles.melds import parse_meld
from table_assist.tiles.tile import SUITED, Tile, parse_tile, parse_tiles

CHANGSHA = find_rules("changsha")
CHOW = parse_meld("chow", "123m")


def win(winner: int, discarder: int | None = 3, text: str = "456p 789s 234s 55p") -> ShownHand:
    return ShownHand(
        concealed=parse_tiles(text),
        winning_tile=parse_tile("4s"),
        winner=winner,
        dealer=0,
        melds=(CHOW,),
        self_drawn=discarder is None,
        discarder=discarder,
    )


def test_winners_are_listed_from_the_discarder_on() -> None:
    settlement = settle_wins(CHANGSHA, [win(0), win(2), win(1)])
    assert settlement.winners == (0, 1, 2)
    assert settlement.payments == (2, 1, 1, -4)
    assert settlement.totals == {0: 1, 1: 1, 2: 1}
    assert settle_wins(CHANGSHA, [win(0, 1), win(2, 1)]).winners == (2, 0)


def test_an_unread_bird_leaves_the_settlement_open() -> None:
    settlement = settle_wins(CHANGSHA, [win(0)], parse_tiles("1m ?"))
    assert settlement.winners == ()
    assert settlement.payments == (0, 0, 0, 0)
    assert settlement.verdicts[0].refusals[0].id == "unknown_tile"
    assert len(settlement.verdicts[0].completions) == 27


def test_a_false_win_is_judged_and_not_paid() -> None:
    false = win(1, text="456p 789s 234s 99p")
    settlement = settle_wins(CHANGSHA, [false, win(2)])
    assert settlement.winners == (2,)
    assert settlement.verdicts[1].refusals[0].id == "generals_pair"


@pytest.mark.parametrize(
    ("wins", "words"),
    [
        ([win(1), win(1)], r"one hand a seat can win, not \[1, 1\]"),
        ([win(1, None), win(2, None)], "nobody else wins on a self-drawn tile"),
        ([win(1, 3), win(2, 0)], r"the discarders \[3, 0\]"),
        ([win(1), replace(win(2), winning_tile=Tile.S3)], "on different tiles"),
        ([win(1), replace(win(2), dealer=1)], "the dealers"),
    ],
)
def test_hands_that_cannot_have_won_together(wins: list[ShownHand], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        settle_wins(CHANGSHA, wins)


@settings(deadline=None)
@given(
    st.permutations([0, 1, 2]).flatmap(lambda seats: st.integers(0, 3).map(lambda n: seats[:n])),
    st.lists(st.sampled_from(SUITED[:6]), max_size=2).map(tuple),
    st.sampled_from(["all", "closest"]),
)
def test_a_settlement_is_the_sum_of_its_verdicts(
    seats: list[int], birds: tuple[Tile, ...], multiple: str
) -> None:
    rules = CHANGSHA.with_options({"multiple_winners": multiple})
    settlement = settle_wins(rules, [win(seat) for seat in seats], birds)
    winners = sorted(seats)[: 1 if multiple == "closest" else None]
    alone = [judge(rules, replace(win(seat), birds=birds)).payments for seat in winners]
    assert settlement.winners == tuple(winners)
    assert list(settlement.payments) == [sum(paid[seat] for paid in alone) for seat in range(4)]
    assert sum(settlement.payments) == 0


@pytest.mark.parametrize(
    ("birds", "words"),
    [
        ("1m 2m 3m", "3 birds; changsha turns 2"),
        ("E", "E cannot be a bird"),
        ("?", r"\? cannot be a bird"),
    ],
)
def test_what_cannot_be_birds(birds: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        bird_hits(CHANGSHA, parse_tiles(birds), dealer=0, winner=0, discarder=None)
    without = replace(CHANGSHA, birds=None)
    with pytest.raises(ValueError, match="changsha turns no birds"):
        bird_hits(without, (), dealer=0, winner=0, discarder=None)


@pytest.mark.parametrize(
    ("hand", "refusals"),
    [
        ("134679m 1346p 17s", ["tile_count"]),
        ("134679m 1346p 179s 1m", ["tile_count"]),
        ("134679m 1346p 17s ?", ["unknown_tile"]),
        ("134679m 1346p 17s E", ["tile_set"]),
        ("11111m 1346p 1799s", ["tile_limit"]),
    ],
)
def test_a_dealt_hand_that_cannot_be_judged_wins_nothing(hand: str, refusals: list[str]) -> None:
    start = instant_wins(CHANGSHA, parse_tiles(hand), seat=1, dealer=0)
    assert [refusal.id for refusal in start.refusals] == refusals
    assert start.wins == ()
    assert start.payments == (0, 0, 0, 0)


def test_who_deals_next_must_be_known_where_the_rules_need_it() -> None:
    offered = CHANGSHA.with_options({"draw_no_last_drawer": "last_offered"})
    assert next_dealer(offered, HandResult(dealer=0, last_offered=2)) == (2,)
    with pytest.raises(ValueError, match="not known who passed"):
        next_dealer(offered, HandResult(dealer=0))
    with pytest.raises(ValueError, match="seat is 7"):
        next_dealer(CHANGSHA, HandResult(dealer=0, winners=(7,)))


def test_points_neither_appear_nor_vanish() -> None:
    with pytest.raises(ValueError, match="come to 1, not to zero"):
        as_transfers([1, 0, 0, 0])
